//! What the commands about written levels share.

pub(super) mod names;
pub(super) mod separation;

use std::fs;

use anyhow::Context;
use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::SearchLimits;
use tristan_synth::{HistoryOptions, Scope};

use crate::args::{ScopeArgs, SpecFiles, WrittenSinks};
use crate::destinations::Destinations;
use crate::exit::{CommandError, Exit, OrExit};
use crate::kinds::WrittenKind;
use crate::limits;
use crate::progress::Polled;

/// The library, with the levels of these files.
pub(super) fn library(files: &SpecFiles) -> Result<Library, CommandError> {
    let mut library = Library::standard().clone();
    for file in &files.spec {
        let name = file.display().to_string();
        let bytes = fs::read(file).with_context(|| name.clone()).or_exit(Exit::MissingInput)?;
        library.add_bytes(&name, &bytes).or_exit(Exit::BadInput)?;
    }
    Ok(library)
}

/// The names of the levels that stand in these files.
pub(super) fn own<'a>(library: &'a Library, files: &SpecFiles) -> Vec<&'a str> {
    let names: Vec<String> = files.spec.iter().map(|file| file.display().to_string()).collect();
    let own =
        library.definitions().filter(|definition| names.iter().any(|n| n == definition.file()));
    own.map(|definition| definition.name()).collect()
}

/// Opens the files, so that a wrong path fails before any work is done.
pub(super) fn open(args: &WrittenSinks) -> Result<Destinations<WrittenKind>, CommandError> {
    let to = Destinations::open(&args.output)?;
    Ok(if args.json { to.usually(WrittenKind::Json) } else { to })
}

/// A level by its name.
pub(super) fn level(library: &Library, name: &str) -> Result<IsoLevel, CommandError> {
    library.find(name).or_exit(Exit::Usage)
}

/// The largest histories to look at.
pub(super) fn scope(args: &ScopeArgs) -> Scope {
    Scope { txns: usize::from(args.txns), keys: usize::from(args.keys), values: None }
}

/// What they may look like.
pub(super) fn options(args: &ScopeArgs) -> HistoryOptions {
    HistoryOptions {
        blind_writes: !args.no_blind_writes,
        read_only: !args.no_read_only,
        empty: args.empty,
        sessions: args.sessions.map(usize::from),
        operations: args.ops.map(usize::from),
        ..HistoryOptions::default()
    }
}

/// What a search may use.
pub(super) fn limits() -> SearchLimits {
    SearchLimits { within: limits::budget(), ..SearchLimits::default() }
}

/// Shows how many candidates were tried, until it is dropped.
pub(super) fn progress(args: &ScopeArgs, kind: &'static str, name: String) -> Polled {
    let budget = limits::budget();
    Polled::start(args.progress, (kind, name), move || budget.place())
}

/// The scope for people, as in `4 non-empty transactions, 3 keys`.
pub(super) fn scope_text(args: &ScopeArgs) -> String {
    let txns =
        if args.empty || args.no_read_only { "transaction" } else { "non-empty transaction" };
    let mut text = format!("{}, {}", counted(args.txns, txns), counted(args.keys, "key"));
    let limits = [(args.sessions, "session"), (args.ops, "operation")];
    for (limit, what) in limits {
        if let Some(limit) = limit {
            let each = if what == "operation" { " in a transaction" } else { "" };
            text.push_str(&format!(", {}{each}", counted(limit, what)));
        }
    }
    for (flag, rule) in [
        (args.no_blind_writes, "no blind writes"),
        (args.no_read_only, "no read-only transactions"),
    ] {
        if flag {
            text.push_str(&format!(", {rule}"));
        }
    }
    text
}

/// A number and what it counts.
pub(super) fn counted(number: impl Into<u64>, what: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
