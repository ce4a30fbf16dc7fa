//! The flags of commands that ask a database.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tristan_bench::parse_size;
use tristan_history::generate::{Skew, Values};
use tristan_record::Url;
use tristan_record::faults::Fault;

use crate::args::ProgressMode;
use crate::units;

const RECORD_HELP: &str = "\
Examples:
  tristan record sqlite: --workload bank --txns 1000
  tristan record postgres://me@localhost/test --level repeatable-read --sessions 24
  tristan record mysql://root@localhost/test --workload mine.toml --for 30s -o run.jsonl
  tristan record postgres://me@localhost/test --workload sql-bank --level serializable -o log.jsonl
  tristan check trace.jsonl
  tristan audit log.jsonl --level ser

Tables named tristan_kv and tristan_list are made anew in that database, for workloads in SQL a schema
or database named tristan_sql; nothing else is touched.
tristan record --list shows databases and workloads; a level that is not there is answered with those
that are.";

/// `tristan record`
#[derive(Debug, Args)]
#[command(after_help = RECORD_HELP)]
pub(crate) struct RecordArgs {
    /// The database, as in postgres://user@host:5432/name, mysql://…, sqlite:FILE, fjall:
    #[arg(required_unless_present = "list")]
    pub(crate) url: Option<Url>,
    /// Show what can be recorded
    #[arg(long, conflicts_with = "url")]
    pub(crate) list: bool,
    /// Its isolation level, by the name it has there [default: the database's own]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    /// The trace to write, or the SQL log
    #[arg(long, short, value_name = "FILE", default_value = "trace.jsonl")]
    pub(crate) output: PathBuf,
    /// Run the same without writing a trace, to see what recording costs
    #[arg(long, conflicts_with = "output")]
    pub(crate) unrecorded: bool,
    /// Do not ask the database what it knows about the order of commits
    #[arg(long)]
    pub(crate) no_hints: bool,
    #[command(flatten)]
    pub(crate) faults: FaultArgs,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
}

/// What clients do.
#[derive(Debug, Args)]
pub(crate) struct WorkloadArgs {
    /// What clients do: a name (see --list), or a TOML file of one's own
    #[arg(long, short, value_name = "NAME|FILE.toml", default_value = "blindw-rw")]
    pub(crate) workload: String,
    /// How many transactions are to commit, as in 10K [default: as usual for the workload]
    #[arg(long, short = 'n', value_name = "SIZE", value_parser = parse_size)]
    pub(crate) txns: Option<u64>,
    /// How many clients work at once [default: as usual for the workload]
    #[arg(long, short, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) sessions: Option<u16>,
    /// Operations per transaction; in sql-bank, accounts [default: as usual for the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) ops: Option<u64>,
    /// Number of keys; of accounts, users or warehouses in SQL [default: as usual for the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) keys: Option<u64>,
    /// Which keys are chosen how often: uniform, zipf:0.5, or 90%:10 for nine of ten accesses to
    /// ten keys [default: as usual for the workload]
    #[arg(long, value_name = "HOW")]
    pub(crate) hot: Option<Skew>,
    /// What is written: unique (no value twice), or so many different values, as in 50 [default: as
    /// usual for the workload]
    #[arg(long, value_name = "unique|SIZE", value_parser = values)]
    pub(crate) values: Option<Values>,
    /// sql-bank: percent of transactions that only read [default: 20]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) read_only: Option<u8>,
    /// sql-bank: percent of writing transactions that do not read what they wrote [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) blind: Option<u8>,
    /// sql-bank: percent of the accounts that are used at all [default: 100]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) accessed: Option<u8>,
    /// Seed of the random numbers
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// How long a client waits before each operation, as in 2ms
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub(crate) think: Option<Duration>,
    /// Stop after this long, as in 30s, even if transactions are left
    #[arg(long = "for", value_name = "DURATION", value_parser = units::duration)]
    pub(crate) duration: Option<Duration>,
}

fn values(text: &str) -> Result<Values, String> {
    match text {
        "unique" => Ok(Values::Unique),
        _ => parse_size(text).map(Values::Below).map_err(|error| format!("{error}, or unique")),
    }
}

/// What breaks meanwhile.
#[derive(Debug, Args)]
pub(crate) struct FaultArgs {
    /// What breaks while it runs: cut (all connections), pause, kill (the server); in turn
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) fault: Vec<Fault>,
    /// How long things go well between two faults
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = units::duration, requires = "fault")]
    pub(crate) fault_every: Duration,
    /// The server's pid file, for pause and kill
    #[arg(long, value_name = "FILE", requires = "fault")]
    pub(crate) server_pid: Option<PathBuf>,
    /// A shell command that starts the server again after a kill, and returns when it is up
    #[arg(long, value_name = "COMMAND", requires = "server_pid")]
    pub(crate) restart: Option<String>,
}

impl FaultArgs {
    /// Nothing breaks.
    pub(crate) fn none() -> Self {
        Self { fault: Vec::new(), fault_every: Duration::ZERO, server_pid: None, restart: None }
    }
}

const HUNT_HELP: &str = "\
Examples:
  tristan hunt postgres://me@localhost/test --level repeatable-read --claim serializable --for 1m
  tristan hunt sqlite: --for 30s

Workloads, sizes and seeds vary from round to round. A find is kept as hunt-FIND/trace.jsonl (the
whole round), core.jsonl (the transactions that suffice), verdict.json, verdict.txt and rerun.txt.";

/// `tristan hunt`
#[derive(Debug, Args)]
#[command(after_help = HUNT_HELP)]
pub(crate) struct HuntArgs {
    /// The database, as for tristan record
    pub(crate) url: Url,
    /// Its isolation level, by the name it has there [default: the database's own]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    /// What it is said to keep, as in snapshot-isolation [default: what that level promises]
    #[arg(long, value_name = "NAME")]
    pub(crate) claim: Option<String>,
    /// Give up the search after this long
    #[arg(long = "for", value_name = "DURATION", default_value = "1m", value_parser = units::duration)]
    pub(crate) duration: Duration,
    /// Only this workload instead of all that the database can run
    #[arg(long, short, value_name = "NAME|FILE.toml")]
    pub(crate) workload: Option<String>,
    /// How many transactions a round has
    #[arg(long, short = 'n', value_name = "SIZE", default_value = "2K", value_parser = parse_size)]
    pub(crate) txns: u64,
    /// Seed of the first round
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub(crate) seed: u64,
    /// Give up on checking a round after this long
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Duration,
    /// Where a find is kept [default: hunt-SEED]
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: super::ReadingArgs,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
}
