//! The flags of commands that ask a database.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tristan_bench::parse_size;
use tristan_generate::{Skew, Values};
use tristan_record::Url;
use tristan_record::faults::Fault;

use crate::args::ProgressMode;
use crate::units;

const RECORD_HELP: &str = "\
Examples:
  tristan record sqlite: --workload bank --txns 1000
  tristan record postgres://me@localhost/test --level repeatable-read --sessions 24
  tristan record postgres://me@localhost/test --workload mine.toml --for 30s -o run.jsonl
  tristan record postgres://me@localhost/test --workload sql-bank --level serializable -o log.jsonl
  tristan check trace.jsonl
  tristan audit log.jsonl --level ser

The tables tristan_kv and tristan_list are dropped and created again in that database; SQL workloads do \
the same with a schema or database named tristan_sql. Nothing else is touched.
tristan record --list shows the databases and workloads. If a level does not exist, the error message \
lists the levels that do.";

/// `tristan record`
#[derive(Debug, Args)]
#[command(after_help = RECORD_HELP)]
pub(crate) struct RecordArgs {
    /// The database, for example postgres://user@host:5432/name, mysql://…, sqlite:FILE or etcd://host:2379
    #[arg(required_unless_present = "list")]
    pub(crate) url: Option<Url>,
    /// List the databases and workloads
    #[arg(long, conflicts_with = "url")]
    pub(crate) list: bool,
    /// The isolation level to run at, by the name the database uses [default: the database's default]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    #[command(flatten)]
    pub(crate) workload: WorkloadArgs,
    /// The trace or SQL log to write
    #[arg(long, short, value_name = "FILE", default_value = "trace.jsonl")]
    pub(crate) output: PathBuf,
    /// Run the workload without recording, to measure what recording costs
    #[arg(long, conflicts_with = "output")]
    pub(crate) unrecorded: bool,
    /// Do not query the database for hints about the order of commits
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
    /// The workload: a name (see --list), or your own TOML file
    #[arg(long, short, value_name = "NAME|FILE.toml", default_value = "blindw-rw")]
    pub(crate) workload: String,
    /// Number of transactions to commit, for example 10K [default: depends on the workload]
    #[arg(long, short = 'n', value_name = "SIZE", value_parser = parse_size)]
    pub(crate) txns: Option<u64>,
    /// Number of concurrent clients [default: depends on the workload]
    #[arg(long, short, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) sessions: Option<u16>,
    /// Operations per transaction; for sql-bank, accounts per transaction [default: depends on the
    /// workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) ops: Option<u64>,
    /// Number of keys; for SQL workloads, of accounts, users or warehouses [default: depends on the
    /// workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) keys: Option<u64>,
    /// Distribution of accesses over keys: uniform, zipf:0.5, or 90%:10 to send 90% of all accesses
    /// to ten keys [default: depends on the workload]
    #[arg(long, value_name = "HOW")]
    pub(crate) hot: Option<Skew>,
    /// Values to write: unique, or the number of different values, for example 50 [default: depends
    /// on the workload]
    #[arg(long, value_name = "unique|SIZE", value_parser = values)]
    pub(crate) values: Option<Values>,
    /// sql-bank: percentage of transactions that only read [default: 20]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) read_only: Option<u8>,
    /// sql-bank: percentage of writing transactions that do not read back what they wrote [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) blind: Option<u8>,
    /// sql-bank: percentage of the accounts that are accessed at all [default: 100]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) accessed: Option<u8>,
    /// Seed of the random number generator
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// How long a client waits before each operation, for example 2ms
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub(crate) think: Option<Duration>,
    /// Stop after this long, for example 30s, even if transactions are left
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
    /// Faults to inject in turn: cut (drop all connections), pause or kill (the server)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) fault: Vec<Fault>,
    /// Time between two faults
    #[arg(long, value_name = "DURATION", default_value = "1s", value_parser = units::duration, requires = "fault")]
    pub(crate) fault_every: Duration,
    /// The server's pid file, for pause and kill
    #[arg(long, value_name = "FILE", requires = "fault")]
    pub(crate) server_pid: Option<PathBuf>,
    /// A shell command that restarts the server after a kill and returns once it accepts connections
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

Workloads, sizes and seeds vary from round to round. A violation is saved in the folder hunt-SEED: \
trace.jsonl (the whole round), core.jsonl (a subset of its transactions that is enough for the \
violation), verdict.json, verdict.txt and rerun.txt.";

/// `tristan hunt`
#[derive(Debug, Args)]
#[command(after_help = HUNT_HELP)]
pub(crate) struct HuntArgs {
    /// The database, as for tristan record
    pub(crate) url: Url,
    /// The isolation level to run at, by the name the database uses [default: the database's default]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    /// The level to check against, for example snapshot-isolation [default: what --level promises]
    #[arg(long, value_name = "NAME")]
    pub(crate) claim: Option<String>,
    /// Stop searching after this long
    #[arg(long = "for", value_name = "DURATION", default_value = "1m", value_parser = units::duration)]
    pub(crate) duration: Duration,
    /// Run only this workload instead of all that the database supports
    #[arg(long, short, value_name = "NAME|FILE.toml")]
    pub(crate) workload: Option<String>,
    /// Number of transactions per round
    #[arg(long, short = 'n', value_name = "SIZE", default_value = "2K", value_parser = parse_size)]
    pub(crate) txns: u64,
    /// Seed of the first round
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub(crate) seed: u64,
    /// Maximum time to check one round
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    pub(crate) time: Duration,
    /// Where to save a violation [default: hunt-SEED]
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: super::ReadingArgs,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
}
