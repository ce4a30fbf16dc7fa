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
  aborted    the database refused a transaction, so that it did not happen
  blocked    a step had to wait for another session, so that it did not happen
  prevented  all steps went through at once, and it did not happen
  !          allowed, although the level that is claimed forbids it

Everything happens in a schema (PostgreSQL), a database (MariaDB, MySQL) or a file (SQLite) that is
made for it and removed at the end; nothing else is touched.

Exit codes: 1 if a claimed level is contradicted, 0 if not, 66 if the database cannot be reached,
65 if a .litmus file is wrong, 64 if the command line is.";

/// `tristan litmus`
#[derive(Debug, Args)]
#[command(after_help = LITMUS_HELP)]
pub(crate) struct LitmusArgs {
    /// The database: postgres://user@host:5432/name, mysql://user@host:3306/ or sqlite:
    #[arg(required_unless_present = "list")]
    pub(crate) url: Option<Url>,
    /// Show the cases: what happens in them, and which levels forbid it
    #[arg(long, conflicts_with = "url")]
    pub(crate) list: bool,
    /// Only these cases, as in P4,G2-item
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) case: Vec<String>,
    /// Only these levels, by the names they have there, as in repeatable-read
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) level: Vec<String>,
    /// A case of your own, instead of those that come with tristan
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,
    /// Play each case so often
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repeat: u16,
    /// Also show every step with its answer
    #[arg(long)]
    pub(crate) steps: bool,
    /// Where a database does not tell who waits for a lock: a step waits that has not answered for
    /// so long
    #[arg(long, value_name = "DURATION", default_value = "100ms", value_parser = units::duration)]
    pub(crate) patience: Duration,
    /// Print JSON instead of a table
    #[arg(long, conflicts_with = "steps")]
    pub(crate) json: bool,
}
