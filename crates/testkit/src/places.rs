//! Folders, ports, and where things are.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::found;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty folder for one test. Cargo tells each test program where: `env!("CARGO_TARGET_TMPDIR")`.
pub fn folder(within: &str, name: &str) -> PathBuf {
    let path = Path::new(within).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// A port that no program listened on a moment ago.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// The folder of the traces that others have published (`traces` in `TRISTAN_REQUIRE`), from `TRISTAN_TRACES` or
/// next to the repository.
pub fn published_traces() -> Option<PathBuf> {
    let beside = || root().join("../shared/traces");
    let folder = std::env::var_os("TRISTAN_TRACES").map_or_else(beside, PathBuf::from);
    let is_there = folder.join("index.tsv").exists();
    found("traces", is_there.then_some(folder))
}
