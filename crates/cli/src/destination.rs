//! `-o KIND=FILE`: what is to be written where.

use std::path::PathBuf;
use std::str::FromStr;

use crate::kinds::Kind;

/// One `-o KIND=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Destination<K> {
    /// What is written.
    pub(crate) kind: K,
    /// Where it goes; `None` stands for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl<K: Kind> FromStr for Destination<K> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = match text {
            "-" => (K::ALL[0].0, "-"),
            _ => text.split_once('=').unwrap_or((text, "-")),
        };
        let Some(&(_, kind)) = K::ALL.iter().find(|(known, _)| *known == name) else {
            return Err(format!("expected {}", choices::<K>()));
        };
        match file {
            "" => Err("the name of the file is missing".to_owned()),
            "-" => Ok(Self { kind, file: None }),
            path => Ok(Self { kind, file: Some(path.into()) }),
        }
    }
}

/// The kinds, as in `text=FILE, json=FILE or svg=FILE`.
fn choices<K: Kind>() -> String {
    let names: Vec<String> = K::ALL.iter().map(|(name, _)| format!("{name}=FILE")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
