//! What lies below the folder that is served.
//!
//! ```text
//!   walk ──► files (name, length, time) ──► entries: verdicts, audits, traces, SQL logs, and files
//!                                           that cannot be read
//! ```
//!
//! The folder is walked again on every request; files are read again only when their length
//! or their time has changed. What is served is looked up among the entries by its exact name, so
//! there is nothing a clever name could lead to.

mod entry;
mod walk;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;
use tristan_verdict::audit::{AUDIT_SCHEMA_VERSION, AuditVerdict};
use tristan_verdict::{SCHEMA_VERSION, Verdict};

pub(crate) use entry::{Entry, Kind, Summary};
use walk::Found;

use crate::sql_log::is_sql_log_file;

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
        self.stored(entry)
    }

    /// The verdict on a SQL log behind an entry.
    pub(crate) fn audit(&self, entry: &Entry) -> Result<AuditVerdict, String> {
        self.stored(entry)
    }

    fn stored<V: Stored>(&self, entry: &Entry) -> Result<V, String> {
        let path = self.path(entry).ok_or("the file no longer exists")?;
        let own = verdicts(&path)?.into_iter().nth(entry.number);
        own.ok_or_else(|| "the file no longer exists".to_owned())
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
        let kinds = match marked(&path) {
            Some(VERDICT_MARK) => kinds(&path, |verdict| Kind::Verdict(Summary::of(verdict))),
            Some(_) => kinds(&path, |verdict| Kind::Audit(Summary::of_audit(verdict))),
            None if is_sql_log_file(&path) => vec![Kind::SqlLog],
            None if tristan_formats::is_trace_file(&path) => vec![Kind::Trace],
            None => Vec::new(),
        };
        kinds.into_iter().enumerate().map(|(number, kind)| entry(number, kind)).collect()
    }
}

/// What the schemas of verdicts on traces and on SQL logs begin with.
const VERDICT_MARK: &str = "tristan/verdict/";
const AUDIT_MARK: &str = "tristan/audit/";

/// The mark of verdicts with which a file begins, if it begins like verdicts do.
fn marked(path: &Path) -> Option<&'static str> {
    let mut head = Vec::new();
    File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)).ok()?;
    let is_there = |mark: &&str| head.windows(mark.len()).any(|window| window == mark.as_bytes());
    [VERDICT_MARK, AUDIT_MARK].into_iter().find(is_there)
}

/// What the verdicts in a file are to the list.
fn kinds<V: Stored>(path: &Path, kind: impl Fn(&V) -> Kind) -> Vec<Kind> {
    match verdicts(path) {
        Ok(verdicts) => verdicts.iter().map(kind).collect(),
        Err(why) => vec![Kind::Broken(why)],
    }
}

/// A verdict as it lies in a file.
trait Stored: DeserializeOwned {
    /// The schema that is read.
    const SCHEMA: &'static str;
    /// The schema that it says it has.
    fn schema(&self) -> &str;
}

impl Stored for Verdict {
    const SCHEMA: &'static str = SCHEMA_VERSION;

    fn schema(&self) -> &str {
        &self.schema
    }
}

impl Stored for AuditVerdict {
    const SCHEMA: &'static str = AUDIT_SCHEMA_VERSION;

    fn schema(&self) -> &str {
        &self.schema
    }
}

/// All verdicts in a file, one or many.
fn verdicts<V: Stored>(path: &Path) -> Result<Vec<V>, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > LARGEST {
        return Err(format!("the file is too large: {size} bytes"));
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let stream = serde_json::Deserializer::from_slice(&bytes).into_iter::<V>();
    let verdicts = stream.collect::<Result<Vec<_>, _>>();
    let verdicts = verdicts.map_err(|error| format!("not a verdict: {error}"))?;
    match verdicts.iter().find(|verdict| verdict.schema() != V::SCHEMA) {
        Some(other) => Err(format!("found schema {:?}, expected {:?}", other.schema(), V::SCHEMA)),
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
