//! What lies below the folder that is served.
//!
//! ```text
//!   walk ──► files (name, length, time) ──► entries: verdicts, traces, files that cannot be read
//! ```
//!
//! The folder is walked again whenever somebody asks; files are read again only when their length
//! or their time has changed. What is served is looked up among the entries by its exact name, so
//! there is nothing a clever name could lead to.

mod entry;
mod walk;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tristan_verdict::{SCHEMA_VERSION, Verdict};

pub(crate) use entry::{Entry, Kind, Summary};
use walk::Found;

/// Larger files are not read as verdicts.
const LARGEST: u64 = 1 << 30;
/// How much of a file is looked at to tell whether it holds verdicts.
const HEAD: u64 = 4096;

/// A folder with verdicts and traces.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Without symbolic links.
    root: PathBuf,
    known: Mutex<BTreeMap<String, Known>>,
}

/// What is known about a file, and the state of the file it was read in.
#[derive(Clone, Debug)]
struct Known {
    stamp: (u64, u64),
    entries: Arc<Vec<Entry>>,
}

impl Folder {
    /// A folder that is there.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let root = path.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "this is not a folder"));
        }
        Ok(Self { root, known: Mutex::default() })
    }

    /// Everything there is right now, by name.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let found = walk::walk(&self.root);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fresh = BTreeMap::new();
        for file in found {
            let stamp = (file.size, file.modified);
            let old = known.get(&file.name).filter(|old| old.stamp == stamp).cloned();
            let new = || Known { stamp, entries: Arc::new(self.looked_at(&file)) };
            fresh.insert(file.name.clone(), old.unwrap_or_else(new));
        }
        *known = fresh;
        known.values().flat_map(|known| known.entries.iter().cloned()).collect()
    }

    /// The entry with this name and number.
    pub(crate) fn find(&self, name: &str, number: usize) -> Option<Entry> {
        self.entries().into_iter().find(|entry| entry.name == name && entry.number == number)
    }

    /// The verdict behind an entry.
    pub(crate) fn verdict(&self, entry: &Entry) -> Result<Verdict, String> {
        let path = self.path(entry).ok_or("it is not there any more")?;
        let verdicts = verdicts(&path)?;
        let own = verdicts.into_iter().nth(entry.number);
        own.ok_or_else(|| "it is not there any more".to_owned())
    }

    /// Where an entry lies; `None` if it has become something else since it was found.
    pub(crate) fn path(&self, entry: &Entry) -> Option<PathBuf> {
        let path = self.root.join(&entry.name);
        // It may have been replaced by a link in the meantime.
        (path.canonicalize().ok()? == path).then_some(path)
    }

    fn looked_at(&self, file: &Found) -> Vec<Entry> {
        let path = self.root.join(&file.name);
        let entry = |number, kind| Entry {
            name: file.name.clone(),
            number,
            modified: file.modified,
            size: file.size,
            kind,
        };
        if file.is_trace_folder {
            return vec![entry(0, Kind::Trace)];
        }
        if !has_verdicts(&path) {
            let is_trace = tristan_history::formats::is_trace_file(&path);
            return is_trace.then(|| entry(0, Kind::Trace)).into_iter().collect();
        }
        match verdicts(&path) {
            Ok(verdicts) => (0..)
                .zip(&verdicts)
                .map(|(number, verdict)| entry(number, Kind::Verdict(Summary::of(verdict))))
                .collect(),
            Err(why) => vec![entry(0, Kind::Broken(why))],
        }
    }
}

/// Whether a file begins like verdicts do.
fn has_verdicts(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let mark = b"tristan/verdict/";
    read.is_ok() && head.windows(mark.len()).any(|window| window == mark)
}

/// All verdicts in a file, one or many.
fn verdicts(path: &Path) -> Result<Vec<Verdict>, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > LARGEST {
        return Err(format!("{size} bytes are too many to read"));
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let stream = serde_json::Deserializer::from_slice(&bytes).into_iter::<Verdict>();
    let verdicts = stream.collect::<Result<Vec<_>, _>>();
    let verdicts = verdicts.map_err(|error| format!("not a verdict: {error}"))?;
    match verdicts.iter().find(|verdict| verdict.schema != SCHEMA_VERSION) {
        Some(other) => Err(format!("found schema {:?}, expected {SCHEMA_VERSION:?}", other.schema)),
        None => Ok(verdicts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_and_found_again() {
        let root = std::env::temp_dir().join(format!("tristan-serve-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("a/b")).expect("a folder");
        fs::write(root.join("a/b/t.jsonl"), "{\"s\":1,\"st\":\"c\",\"ops\":[[\"w\",\"x\",1]]}\n")
            .expect("a file");
        fs::write(root.join("notes.txt"), "nothing to see").expect("a file");
        fs::write(root.join("bad.json"), "{\"schema\":\"tristan/verdict/1\"}").expect("a file");
        let folder = Folder::open(&root).expect("a folder");
        let names = |folder: &Folder| -> Vec<String> {
            folder.entries().into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(names(&folder), ["a/b/t.jsonl", "bad.json"]);
        let broken = folder.find("bad.json", 0).expect("an entry");
        assert!(matches!(broken.kind, Kind::Broken(_)), "{broken:?}");
        fs::remove_file(root.join("bad.json")).expect("it was there");
        assert_eq!(names(&folder), ["a/b/t.jsonl"]);
        assert!(folder.path(&broken).is_none());
        fs::remove_dir_all(&root).expect("it was there");
        assert_eq!(names(&folder), [""; 0]);
        assert!(Folder::open(&root).is_err());
    }
}
