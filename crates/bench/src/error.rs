//! What can be wrong with what was asked for.

use tristan_check::UnknownPassError;
use tristan_spec::UnknownLevelError;

/// Why something cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A name of a workload, an anomaly, a form, a suite or a row that does not exist.
    #[error("unknown {what} '{name}'; expected one of {known}")]
    Unknown {
        /// What was named.
        what: &'static str,
        /// The name that was given.
        name: String,
        /// All names, with commas.
        known: String,
    },
    /// No such level.
    #[error(transparent)]
    Level(#[from] UnknownLevelError),
    /// No such passes.
    #[error(transparent)]
    Passes(#[from] UnknownPassError),
    /// Something else makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// The system refused something.
    #[error("{what}: {error}")]
    Io {
        /// What was to be done.
        what: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The history that was just written cannot be read.
    #[error(transparent)]
    Trace(#[from] tristan_formats::TraceError),
}

impl BenchError {
    pub(crate) fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        Self::Unknown { what, name: name.to_owned(), known }
    }

    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error }
    }
}
