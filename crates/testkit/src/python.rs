//! Packages for Python, fetched by pip when a test first needs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::{found, root};

/// Tests of one program that need the same package do not fetch it at the same time.
static FETCHING: Mutex<()> = Mutex::new(());

/// Django with what the example application needs: a folder for `PYTHONPATH`.
pub fn django(within: &str) -> Option<PathBuf> {
    let requirements = root().join("examples/django/requirements.txt");
    let requirements = requirements.to_str().expect("a path in UTF-8");
    package(&Path::new(within).join("django"), "django", &["-r", requirements])
}

/// A package, fetched by its name: a folder for `PYTHONPATH`.
pub fn python_package(within: &str, name: &str) -> Option<PathBuf> {
    package(&Path::new(within).join(format!("python-{name}")), name, &[name])
}

fn package(place: &Path, name: &str, what: &[&str]) -> Option<PathBuf> {
    let _alone = FETCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let is_there = place.join(name).exists() || fetch(place, what);
    found(name, is_there.then(|| place.to_owned()))
}

/// Whether pip put the packages into the folder. They get there all at once, so another program never sees a part.
fn fetch(place: &Path, what: &[&str]) -> bool {
    let unfinished = place.with_extension(std::process::id().to_string());
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&unfinished).args(what);
    let fetched = pip.output().is_ok_and(|output| output.status.success());
    let _ = fs::remove_dir_all(place);
    let moved = fetched && fs::rename(&unfinished, place).is_ok();
    let _ = fs::remove_dir_all(&unfinished);
    moved
}
