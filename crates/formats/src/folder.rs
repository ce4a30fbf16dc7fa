//! A trace that is a folder: one file per session.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use tristan_ground::Budget;

use super::head;
use super::limited::Limited;
use crate::TraceError;

/// The files of one trace.
#[derive(Clone, Debug)]
pub struct Folder {
    name: String,
    parts: Vec<Part>,
}

/// One file of a folder.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The name of the file without folder and extension.
    pub(crate) stem: String,
    /// What errors call it.
    pub(crate) name: String,
    content: Content,
    /// Reading ends with it.
    budget: Budget,
}

/// Files are opened one at a time, because there may be very many of them.
#[derive(Clone, Debug)]
enum Content {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

impl Folder {
    /// The `*.log` files in a folder, sorted by name; what else lies there is not looked at.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let name = path.display().to_string();
        let failed = |error| TraceError::io(&name, error);
        let mut parts = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if file.extension().is_some_and(|extension| extension == "log") && file.is_file() {
                if file.file_name().and_then(OsStr::to_str).is_none() {
                    let found = format!("file name {file:?}");
                    return Err(TraceError::content(&name, 1, &found, "names in UTF-8"));
                }
                parts.push(Part::new(&file, Content::Path(file.clone())));
            }
        }
        parts.sort_by(|a, b| natural(&a.stem).cmp(&natural(&b.stem)));
        Ok(Self { name, parts })
    }

    /// The same files, read as long as the budget allows.
    #[must_use]
    pub fn within(mut self, budget: &Budget) -> Self {
        self.parts.iter_mut().for_each(|part| part.budget = budget.clone());
        self
    }

    /// Files that lie in memory: names and contents.
    pub fn in_memory(name: &str, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let part = |(file, bytes): (String, Vec<u8>)| {
            Part::new(&Path::new(name).join(file), Content::Bytes(bytes))
        };
        Self { name: name.to_owned(), parts: files.into_iter().map(part).collect() }
    }

    /// One file on its own.
    pub(crate) fn of_one(mut input: impl Read, name: &str) -> Result<Self, TraceError> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(|error| TraceError::io(name, error))?;
        let part = Part::new(Path::new(name), Content::Bytes(bytes));
        Ok(Self { name: name.to_owned(), parts: vec![part] })
    }

    /// What errors call the whole.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The files, in the order of their names.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Part {
    fn new(file: &Path, content: Content) -> Self {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self { stem, name: file.display().to_string(), content, budget: Budget::default() }
    }

    /// The bytes of the file.
    pub(crate) fn open(&self) -> Result<Box<dyn BufRead + '_>, TraceError> {
        match &self.content {
            Content::Bytes(bytes) => Ok(Box::new(bytes.as_slice())),
            Content::Path(path) => {
                let file = File::open(path).map_err(|error| TraceError::io(&self.name, error))?;
                let input = BufReader::with_capacity(1 << 16, file);
                Ok(Box::new(Limited::new(input, &self.budget, 0)))
            }
        }
    }

    /// All bytes of the file.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, TraceError> {
        let mut bytes = Vec::new();
        let read = self.open()?.read_to_end(&mut bytes);
        read.map_err(|error| TraceError::io(&self.name, error))?;
        Ok(bytes)
    }

    /// The first bytes of the file.
    pub(crate) fn head(&self) -> Result<Vec<u8>, TraceError> {
        head::read(&mut self.open()?).map_err(|error| TraceError::io(&self.name, error))
    }
}

/// Sorts `T9` before `T10`.
fn natural(stem: &str) -> (&str, Option<u64>, &str) {
    let letters = stem.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (letters, stem[letters.len()..].parse().ok(), stem)
}

/// Makes a folder, or takes one that is empty.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    match fs::read_dir(path)?.next() {
        None => Ok(()),
        Some(_) => Err(io::Error::new(
            io::ErrorKind::DirectoryNotEmpty,
            "the folder is not empty; a trace needs its own folder",
        )),
    }
}

/// Writes one file of a folder that is being made.
pub(crate) fn write_part(
    folder: &Path,
    file: &str,
    write: impl FnOnce(&mut io::BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(File::create(folder.join(file))?);
    write(&mut out)?;
    out.into_inner().map(drop).map_err(io::IntoInnerError::into_error)
}
