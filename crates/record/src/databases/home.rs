//! Where an embedded database keeps its files: at the path of its address, or, if that has none, in
//! a fresh folder that goes away with the database.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{DatabaseError, Url};

/// How many names are tried before a temporary folder is given up.
const TRIES: usize = 1_000;

/// Where an embedded database keeps its files.
#[derive(Debug)]
pub(super) struct Home {
    path: PathBuf,
    /// The folder that goes away in the end.
    temporary: Option<PathBuf>,
}

impl Home {
    pub(super) fn of(url: &Url) -> Result<Self, DatabaseError> {
        match url.path() {
            Some(path) => Ok(Self { path: path.into(), temporary: None }),
            None => {
                let folder = fresh_folder(&url.scheme).map_err(|error| {
                    DatabaseError::Lost(format!("cannot create a temporary folder: {error}"))
                })?;
                Ok(Self { path: folder.join("database"), temporary: Some(folder) })
            }
        }
    }

    /// The file or the folder that the database may make.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(folder) = &self.temporary {
            // There is nowhere left to report it.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn fresh_folder(scheme: &str) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..TRIES {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tristan-{scheme}-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_home_is_gone_in_the_end() {
        let url: Url = "fjall:".parse().expect("an address");
        let [one, other] = [0; 2].map(|_| Home::of(&url).expect("a folder"));
        assert_ne!(one.path(), other.path());
        let folder = one.path().parent().expect("a folder").to_owned();
        fs::write(one.path(), "data").expect("a file");
        drop(one);
        assert!(!folder.exists() && other.path().parent().expect("a folder").exists());
    }

    #[test]
    fn a_home_of_ones_own_is_left_alone() {
        let folder = fresh_folder("test").expect("a folder");
        let url: Url = format!("fjall:{}", folder.display()).parse().expect("an address");
        drop(Home::of(&url).expect("the same folder"));
        assert!(folder.exists());
        fs::remove_dir(&folder).expect("it is there");
    }
}
