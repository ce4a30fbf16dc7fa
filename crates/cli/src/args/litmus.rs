//! The flags of `tristan litmus`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tristan_record::Url;

use crate::units;

const LITMUS_HELP: &str = "\
Examples:
  tristan litmus postgres://me@localhost/test
  tristan litmus mysql://root@localhost/ --level repeatable-read --case P4,G2-item --steps
  tristan litmus sqlite: --file my.litmus
  tristan litmus --list

Each cell of the table is one interleaving of a few transactions at one level:
  allowed    the anomaly happened
  aborted    the database aborted a transaction, which prevented the anomaly
  blocked    a step had to wait for another session, which prevented the anomaly
  prevented  all steps completed immediately, but the anomaly did not happen
  !          the anomaly happened although the claimed level forbids it

All cases run in a schema (PostgreSQL), a database (MariaDB, MySQL) or a file (SQLite) that is created \
for them and removed at the end. Nothing else is touched.

Exit codes: 0 if no claimed level is violated, 1 if one is, 66 if the database cannot be reached, \
65 if a .litmus file is invalid, 64 if the command line is.";

/// `tristan litmus`
#[derive(Debug, Args)]
#[command(after_help = LITMUS_HELP)]
pub(crate) struct LitmusArgs {
    /// The database: postgres://user@host:5432/name, mysql://user@host:3306/ or sqlite:
    #[arg(required_unless_present = "list")]
    pub(crate) url: Option<Url>,
    /// List the cases: what happens in each one, and which levels forbid it
    #[arg(long, conflicts_with = "url")]
    pub(crate) list: bool,
    /// Run only these cases, for example P4,G2-item
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) case: Vec<String>,
    /// Run only at these levels, by the names the database uses, for example repeatable-read
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) level: Vec<String>,
    /// Run this case of your own instead of the built-in ones; can be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,
    /// Number of times to run each case
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repeat: u16,
    /// Also show every step and its result
    #[arg(long)]
    pub(crate) steps: bool,
    /// On databases that do not report lock waits, treat a step as blocked after this long without an
    /// answer
    #[arg(long, value_name = "DURATION", default_value = "100ms", value_parser = units::duration)]
    pub(crate) patience: Duration,
    /// Print JSON instead of a table
    #[arg(long, conflicts_with = "steps")]
    pub(crate) json: bool,
}
