//! Checkpoints in files. There is always a whole one: a new one gets its name when it is complete.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::Context;

use crate::exit::{CommandError, Exit, OrExit};

/// The checkpoint in a file. Returns `None` if there is no such file.
pub(crate) fn read(path: &Path) -> Result<Option<String>, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(error).with_context(|| path.display().to_string()).or_exit(Exit::BadInput)
        }
    }
}

/// Replaces the checkpoint in a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let replace = || {
        let mut file = File::create(&name)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&name, path)
    };
    replace().with_context(|| path.display().to_string()).or_exit(Exit::Unwritten)
}
