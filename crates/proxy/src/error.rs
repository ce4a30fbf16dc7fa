//! Why the proxy could not do its work.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the proxy could not do its work.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProxyError {
    /// The proxy cannot listen at its address.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where that should have been.
        address: String,
        /// Why not.
        error: io::Error,
    },
    /// We cannot connect to the server.
    #[error("cannot reach the server at {address}: {error}")]
    Upstream {
        /// Where it should have been.
        address: String,
        /// Why not.
        error: io::Error,
    },
    /// The server speaks neither language.
    #[error(
        "the server at {0} speaks neither the PostgreSQL nor the MySQL protocol (if it is just slow, name the protocol with --protocol)"
    )]
    Protocol(String),
    /// The log or the trace cannot be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}
