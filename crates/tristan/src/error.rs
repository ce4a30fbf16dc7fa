//! What can go wrong besides a violated level.

use thiserror::Error;
use tristan_certify::CertifyError;
use tristan_formats::TraceError;
use tristan_spec::UnknownLevelError;

/// Why there is no answer. A violated level is a verdict, not an error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// There is no such level.
    #[error(transparent)]
    Level(#[from] UnknownLevelError),
    /// The audit knows no such level.
    #[error("{0}")]
    AuditLevel(String),
    /// The SQL log cannot be read.
    #[error(transparent)]
    Log(#[from] tristan_audit::Error),
    /// The evidence of a verdict does not show what the verdict claims.
    #[error(transparent)]
    Certificate(#[from] CertifyError),
}
