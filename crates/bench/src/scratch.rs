//! A folder for files that are deleted afterwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::BenchError;

/// A folder that goes away with this value.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Result<Self, BenchError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tristan-bench-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).map_err(BenchError::io(path.display().to_string()))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// An empty folder within.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, BenchError> {
        let path = self.0.join(name);
        fs::create_dir_all(&path).map_err(BenchError::io(path.display().to_string()))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If this fails, the system cleans up its temporary folder some day.
        let _ = fs::remove_dir_all(&self.0);
    }
}
