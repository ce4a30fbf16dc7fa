//! The flags of `tristan audit`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use tristan_audit::{Heuristics, Level};

use crate::args::{LimitArgs, ProgressMode, UnknownAs};
use crate::commands::AuditSink;
use crate::units;

const AUDIT_HELP: &str = "\
Examples:
  tristan audit log.jsonl --level ser
  tristan audit log.jsonl --schema tables.sql --level ssi -o json=verdict.json

Levels: ser and sser (serializable), ssi and si (snapshot isolation, with the snapshot of the start or
any earlier one), rc (read committed), mariadb-rr (what MariaDB and MySQL call repeatable read).

The log says which statements were sent and what was answered; tristan proxy writes one. Tables and
rows of the start are in the log ({\"schema\":…} and {\"rows\":…}), in --schema, or made by the log itself.";

/// `tristan audit`
#[derive(Debug, Args)]
#[command(after_help = AUDIT_HELP)]
pub(crate) struct AuditArgs {
    /// SQL logs, or - for standard input
    #[arg(value_name = "LOG", required = true)]
    pub(crate) logs: Vec<PathBuf>,
    /// The isolation level
    #[arg(long, short, value_name = "NAME", default_value = "ser")]
    pub(crate) level: Level,
    /// Statements that make and fill the tables of the start
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// How far apart the clocks of two clients may be, as in 5ms
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = units::drift)]
    pub(crate) clock_drift: i64,
    /// What is known about the order of commits
    #[arg(long, value_enum, value_name = "HOW", default_value = "hint")]
    pub(crate) order: OrderName,
    /// What counts as a write conflict at si and ssi
    #[arg(long, value_enum, value_name = "WHAT", default_value = "write")]
    pub(crate) conflict: ConflictName,
    /// At si, a transaction sees what was committed before it on its own connection
    #[arg(long)]
    pub(crate) session_order: bool,
    /// Judge what aborted transactions read, too
    #[arg(long)]
    pub(crate) aborted: bool,
    /// How many states back weak levels look before they look at all
    #[arg(long, value_name = "NUMBER", default_value = "4096")]
    pub(crate) window: u64,
    /// How many possible pasts are followed at most
    #[arg(long, value_name = "NUMBER", default_value = "256")]
    pub(crate) worlds: usize,
    /// What makes it fast: all, none, a list of index, window, merge, stronger, or -NAME to leave one
    /// out; they change no verdict
    #[arg(long, value_name = "LIST", default_value = "all", allow_hyphen_values = true)]
    pub(crate) heuristics: HeuristicsArg,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// What the exit code makes of an unknown verdict
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(crate) unknown_as: Option<UnknownAs>,
    /// Also write text, json, html, junit, github or markdown; with - as FILE, instead of the text on
    /// standard output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<AuditSink>,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
    /// Print the verdict as JSON instead of text (several verdicts: one per line)
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is known about the order of commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderName {
    /// Times bound it, and stamps order the versions of a row
    Hint,
    /// The stamps of the log are the order
    Exact,
    /// Nothing; for small logs
    Free,
}

/// What counts as a write conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConflictName {
    /// Two writes of a row
    Write,
    /// Two writes that change its value
    Value,
}

/// A list of heuristics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeuristicsArg(pub(crate) Heuristics);

impl FromStr for HeuristicsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let none = Heuristics { index: false, window: false, merge: false, stronger: false };
        let minus = text.starts_with('-');
        let mut chosen = if minus || text == "all" { Heuristics::default() } else { none };
        for name in text.split(',').filter(|name| !matches!(*name, "all" | "none")) {
            let (name, on) = name.strip_prefix('-').map_or((name, true), |name| (name, false));
            match name {
                "index" => chosen.index = on,
                "window" => chosen.window = on,
                "merge" => chosen.merge = on,
                "stronger" => chosen.stronger = on,
                _ => return Err(format!("{name}: there are index, window, merge and stronger")),
            }
        }
        Ok(Self(chosen))
    }
}
