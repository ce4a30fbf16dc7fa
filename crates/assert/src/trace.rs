//! What an assertion is about: a file, or a history that the test made itself.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use tristan_formats::{self as formats, TraceError};
use tristan_history::History;

/// What is checked: a file, or a history in memory.
#[derive(Clone, Debug)]
pub enum Trace<'t> {
    /// A file in any of the formats that `tristan check` reads, or a folder that is a trace.
    Path(PathBuf),
    /// A history at hand.
    History(&'t History),
}

impl Trace<'_> {
    /// What people call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::History(_) => "history".to_owned(),
        }
    }

    pub(crate) fn history(&self) -> Result<Cow<'_, History>, TraceError> {
        match self {
            Self::Path(path) => formats::open(path, None).map(Cow::Owned),
            Self::History(history) => Ok(Cow::Borrowed(history)),
        }
    }
}

impl From<&str> for Trace<'_> {
    fn from(path: &str) -> Self {
        Self::Path(path.into())
    }
}

impl From<String> for Trace<'_> {
    fn from(path: String) -> Self {
        Self::Path(path.into())
    }
}

impl From<&Path> for Trace<'_> {
    fn from(path: &Path) -> Self {
        Self::Path(path.to_owned())
    }
}

impl From<PathBuf> for Trace<'_> {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

impl From<&PathBuf> for Trace<'_> {
    fn from(path: &PathBuf) -> Self {
        Self::Path(path.clone())
    }
}

impl<'t> From<&'t History> for Trace<'t> {
    fn from(history: &'t History) -> Self {
        Self::History(history)
    }
}
