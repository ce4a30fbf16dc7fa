//! Arrows between the modules of this crate go one way: a module names only modules before it here.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up.
const ORDER: &[&str] = &[
    "error",
    "control",
    "value",
    "dialect",
    "types",
    "text",
    "rows",
    "choices",
    "observed",
    "outcome",
    "plan",
    "catalog",
    "parse",
    "eval",
    "bind",
    "run",
    "routine",
    "statement",
    "memory",
];

#[test]
fn modules_know_only_what_is_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let place = file.strip_prefix(&root).expect("a file of this crate").with_extension("");
        let first = place.iter().next().and_then(|name| name.to_str()).expect("a name");
        if ["lib", "layers"].contains(&first) {
            continue;
        }
        let own = rank(first).unwrap_or_else(|| panic!("say in ORDER where {first} belongs"));
        let text = fs::read_to_string(&file).expect("a text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for name in code.flat_map(|line| line.split("crate::").skip(1)).map(leading_name) {
            if rank(name).is_none_or(|known| known > own) {
                wrong.push(format!("{} must not know {name}", place.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == module)
}

fn leading_name(path: &str) -> &str {
    let end = path.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &path[..end.unwrap_or(path.len())]
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}
