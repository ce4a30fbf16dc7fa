//! The flags of `tristan audit`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tristan_audit::{AuditLevel, Heuristics};
use tristan_record::Url;

use crate::args::{LimitArgs, ProgressMode, UnknownAs};
use crate::destination::Destination;
use crate::kinds::AuditKind;
use crate::units;

const AUDIT_HELP: &str = "\
Examples:
  tristan audit log.jsonl --level ser
  tristan audit log.jsonl --schema tables.sql --level ssi -o json=verdict.json
  tristan audit --follow log.jsonl --level ser

Levels: ser and sser (serializable and strict serializable), ssi and si (snapshot isolation; the snapshot \
is taken at the start of the transaction or, with si, at any earlier time), mariadb-rr (what MariaDB and \
MySQL call repeatable read), strong-rc and rc (read committed; each statement sees everything that was \
committed before it was sent or, with rc, before any earlier time). pg-ser, pg-rr, pg-rc, mysql-rr and \
mysql-rc stand for what these servers promise.

With --follow, the log is judged in pieces while it is written, and forgotten: memory is bounded by the \
tables and by the transactions that overlap. A line is printed as often as --every says, and the verdict when \
the log ends or an answer is wrong. At si and rc a transaction may read a state of any age, so these levels \
cannot be followed.

A SQL log lists the statements that clients sent and the results they got; tristan proxy writes one. The \
initial tables and rows come from the log ({\"schema\":…} and {\"rows\":…}), from --schema, or from \
statements in the log itself.";

/// `tristan audit`
#[derive(Debug, Args)]
#[command(after_help = AUDIT_HELP)]
pub(crate) struct AuditArgs {
    /// SQL logs, or - for standard input
    #[arg(value_name = "LOG", required = true)]
    pub(crate) logs: Vec<PathBuf>,
    /// The isolation level
    #[arg(long, short, value_name = "NAME", default_value = "ser")]
    pub(crate) level: AuditLevel,
    /// Judge the log while it is written, until Ctrl-C, the end of the pipe, or the first wrong answer
    #[arg(long)]
    pub(crate) follow: bool,
    /// With --follow: how often to print how far the log is judged
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = units::duration, requires = "follow")]
    pub(crate) every: Duration,
    /// With --follow: file to write the state of the audit to, as often as --every says, and to go on
    /// from if it exists
    #[arg(long, value_name = "FILE", requires = "follow")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// With --follow: number of transactions to keep so that a wrong answer can be judged again from
    /// an earlier state
    #[arg(long, value_name = "NUMBER", default_value = "20000", requires = "follow")]
    pub(crate) keep: usize,
    /// SQL statements that create and fill the initial tables
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// A server that holds the initial tables and rows, for example a restored backup; they are read in one
    /// transaction
    #[arg(long, value_name = "URL", conflicts_with_all = ["schema", "checkpoint"])]
    pub(crate) from_server: Option<Url>,
    /// The collation of the database, for example en_US.UTF-8 or utf8mb4_general_ci [default: as
    /// stated in the log]
    #[arg(long, value_name = "NAME")]
    pub(crate) collation: Option<String>,
    /// Maximum difference between the clocks of two clients, for example 5ms
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = units::drift)]
    pub(crate) clock_drift: i64,
    /// What is known about the order of commits
    #[arg(long, value_enum, value_name = "HOW", default_value = "hint")]
    pub(crate) order: OrderName,
    /// What counts as a write conflict at si and ssi
    #[arg(long, value_enum, value_name = "WHAT", default_value = "write")]
    pub(crate) conflict: ConflictName,
    /// At si, a transaction sees everything committed earlier on its own connection
    #[arg(long)]
    pub(crate) session_order: bool,
    /// Also check what aborted transactions read
    #[arg(long)]
    pub(crate) aborted: bool,
    /// For weak levels: number of most recent states to try before trying all of them
    #[arg(long, value_name = "NUMBER", default_value = "4096")]
    pub(crate) window: u64,
    /// Maximum number of possible pasts to track
    #[arg(long, value_name = "NUMBER", default_value = "256")]
    pub(crate) worlds: usize,
    /// Optimizations to use: all, none, a list of index, window, merge and stronger, or -NAME to skip
    /// one; they never change a verdict
    #[arg(long, value_name = "LIST", default_value = "all", allow_hyphen_values = true)]
    pub(crate) heuristics: HeuristicsArg,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Treat an unknown verdict as this verdict in the exit code
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(crate) unknown_as: Option<UnknownAs>,
    /// Also write text, json, html, junit, github or markdown to FILE; if FILE is -, replace the text
    /// on standard output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<Destination<AuditKind>>,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
    /// Print the verdict as JSON instead of text; several verdicts are printed one per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is known about the order of commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderName {
    /// Times bound the order, and stamps order the versions of a row
    Hint,
    /// The stamps in the log are the commit order
    Exact,
    /// Nothing is known; for small logs only
    Free,
}

/// What counts as a write conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConflictName {
    /// Two writes to the same row
    Write,
    /// Two writes that change the value of the same row
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
                _ => return Err(format!("{name}: expected index, window, merge or stronger")),
            }
        }
        Ok(Self(chosen))
    }
}
