//! Where a log comes from. It may be read several times.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::PathBuf;
use std::sync::Arc;

use tristan_ground::unzip;

/// Something that can be read from its beginning as often as needed.
pub trait LogSource {
    /// What people call it.
    fn name(&self) -> &str;

    /// Its text, from the beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(&self) -> io::Result<Box<dyn BufRead>>;
}

/// A log in a file, compressed or not, which is opened anew for every pass.
#[derive(Clone, Debug)]
pub struct FileSource {
    path: PathBuf,
    name: String,
}

impl FileSource {
    /// The file at this place.
    pub fn new(path: PathBuf) -> Self {
        let name = path.display().to_string();
        Self { path, name }
    }
}

impl LogSource for FileSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self) -> io::Result<Box<dyn BufRead>> {
        unzip(BufReader::with_capacity(1 << 16, File::open(&self.path)?))
    }
}

/// A text in memory.
#[derive(Clone, Debug)]
pub struct TextSource {
    name: String,
    text: Arc<[u8]>,
}

impl TextSource {
    /// This text, under this name.
    pub fn new(name: &str, text: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.to_owned(), text: text.into() }
    }
}

impl LogSource for TextSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self) -> io::Result<Box<dyn BufRead>> {
        unzip(Cursor::new(Arc::clone(&self.text)))
    }
}
