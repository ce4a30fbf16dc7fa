//! The walk through a folder: ordinary files with readable names, in order, up to a number.
//!
//! Symbolic links are not followed, wherever they lead; what begins with a dot is left alone.

use std::fs::{self, DirEntry, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

use tristan_formats::is_trace_folder;

/// More files than this are not looked at.
pub(crate) const MOST_FILES: usize = 20_000;
const DEEPEST: usize = 16;

/// A file, or a folder that is one trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its path below the root, with slashes.
    pub(super) name: String,
    pub(super) size: u64,
    /// In seconds since 1970.
    pub(super) modified: u64,
    pub(super) is_trace_folder: bool,
}

/// All files below a folder.
pub(super) fn walk(root: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    visit(root, "", 0, &mut found);
    found
}

fn visit(folder: &Path, name: &str, depth: usize, found: &mut Vec<Found>) {
    // A folder that cannot be read has nothing to show.
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<DirEntry> = entries.flatten().collect();
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        if found.len() >= MOST_FILES {
            return;
        }
        let own = entry.file_name();
        let Some(own) = own.to_str().filter(|own| !own.starts_with('.')) else { continue };
        let name = if name.is_empty() { own.to_owned() } else { format!("{name}/{own}") };
        // Of a link this tells about the link itself.
        let Ok(about) = entry.metadata() else { continue };
        if about.is_file() {
            found.push(file(name, &about, false));
        } else if about.is_dir() && depth < DEEPEST {
            match has_no_links(&entry.path()) && is_trace_folder(&entry.path()) {
                true => found.push(file(name, &about, true)),
                false => visit(&entry.path(), &name, depth + 1, found),
            }
        }
    }
}

fn file(name: String, about: &Metadata, is_trace_folder: bool) -> Found {
    let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map_or(0, |since| since.as_secs());
    Found { name, size: about.len(), modified, is_trace_folder }
}

/// Whether everything directly in a folder is what it seems.
fn has_no_links(folder: &Path) -> bool {
    let is_plain = |entry: DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_symlink());
    fs::read_dir(folder).is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(is_plain)))
}
