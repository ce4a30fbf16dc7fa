//! What keeps the server from starting.

use std::io;
use std::path::PathBuf;

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The folder is not there, or is no folder.
    #[error("{}: {error}", path.display())]
    Folder {
        /// What was asked for.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address that was asked for.
        address: String,
        /// What the system says.
        error: io::Error,
    },
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}
