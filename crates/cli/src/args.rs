//! Every command and every flag, once: `--help`, the man page and the completions come from here.

mod audit;
mod compare;
mod litmus;
mod proxy;
mod record;
mod serve;
mod shrink;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use tristan_bench::{Peer, parse_size};
use tristan_check::{OwnPolicy, Passes, Semantics};
use tristan_formats::{Format, InitialRule, WriteForm};
use tristan_history::OwnWrites;

use crate::destination::Destination;
use crate::kinds::{BenchKind, VerdictKind};
use crate::units;
pub(crate) use audit::{AuditArgs, ConflictName, OrderName};
pub(crate) use compare::{
    CompareArgs, FindArgs, LatticeArgs, ScopeArgs, SpecArgs, SpecCommand, SpecFiles, WrittenSinks,
};
pub(crate) use litmus::LitmusArgs;
pub(crate) use proxy::ProxyArgs;
pub(crate) use record::{FaultArgs, HuntArgs, RecordArgs, WorkloadArgs};
pub(crate) use serve::ServeArgs;
pub(crate) use shrink::ShrinkArgs;

const AFTER_HELP: &str = "\
Exit codes:
  0   accept: the level holds          64  invalid command line
  1   reject: the level is violated    65  invalid trace or verdict file
  2   unknown: a limit was reached,    66  input not found
      or there is nothing to judge     70  a bug in tristan
With several inputs, the worst result counts: reject, then error, unknown, accept.";

/// Did the database keep its isolation promise?
///
/// Tristan reads a trace of what the clients of a database did and saw, and decides whether a
/// correct database at the given isolation level could have produced it. It explains every verdict.
#[derive(Debug, Parser)]
#[command(name = "tristan", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colors; the environment variable NO_COLOR is respected
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: When,
    /// Log to standard error what Tristan does, and when
    #[arg(long, global = true, value_enum, value_name = "LEVEL")]
    pub(crate) log: Option<LogLevel>,
    /// Read defaults for check, levels and shrink from this file [default: tristan.toml in the
    /// working directory or its closest parent]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Ignore configuration files
    #[arg(long, global = true, conflicts_with = "config")]
    pub(crate) no_config: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check traces against an isolation level
    Check(CheckArgs),
    /// Check a trace against every level: which hold, which are violated
    Levels(LevelsArgs),
    /// Show a stored verdict again, without solving
    Explain(ExplainArgs),
    /// Verify a verdict against its trace with an independent checker
    Certify(CertifyArgs),
    /// Reduce a failing trace to a minimal one
    Shrink(ShrinkArgs),
    /// Summarize a trace: transactions, operations, keys, times
    Stats(StatsArgs),
    /// Convert a trace to another format
    Convert(ConvertArgs),
    /// Compare two levels: does one imply the other, and which history tells them apart?
    Compare(CompareArgs),
    /// Find the smallest histories that some levels allow and others forbid
    Find(FindArgs),
    /// Compare all pairs of levels and draw which implies which
    Lattice(LatticeArgs),
    /// List, show, check and format level definitions (.iso files)
    Spec(SpecArgs),
    /// Run a workload against a database and record what its clients see
    Record(Box<RecordArgs>),
    /// Record an unmodified application, as a proxy between it and its database
    Proxy(Box<ProxyArgs>),
    /// Check whether the results in a SQL log are correct at an isolation level
    Audit(Box<AuditArgs>),
    /// Record and check repeatedly until a violation is found
    Hunt(Box<HuntArgs>),
    /// Run small interleavings against a database and show which anomalies it allows
    Litmus(LitmusArgs),
    /// Browse verdicts and traces in a local web server
    Serve(ServeArgs),
    /// A one-minute tour: record an embedded database, check, explain
    Demo,
    /// Measure the time and memory of checks on generated histories
    Bench(BenchArgs),
    /// Print a JSON Schema
    Schema {
        /// Which schema to print
        #[arg(value_enum)]
        of: SchemaName,
    },
    /// Print a completion script
    Completions {
        /// The shell to generate the script for
        #[arg(value_enum)]
        shell: ShellName,
    },
    /// Print a manual page
    Man {
        /// The command to document instead of tristan itself
        command: Option<String>,
    },
}

/// Where traces come from.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// Traces: files, folders that are a trace or contain traces, or - for standard input
    #[arg(value_name = "TRACE")]
    pub(crate) traces: Vec<PathBuf>,
    /// Format of the traces [default: detected from the first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) from: Option<Format>,
    /// Initial state of all keys: absent, unknown, unwritten (a value that is read but never written
    /// is the initial one), or a value: an integer, or a string in double quotes [default: what the
    /// trace or its format says]
    #[arg(long, value_name = "STATE", allow_negative_numbers = true)]
    pub(crate) initial: Option<InitialRule>,
    /// Use a small built-in trace, in which two doctors are on call
    #[arg(long, conflicts_with = "traces")]
    pub(crate) demo: bool,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// How traces are read, where that differs from what they say themselves.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Check the level as a vendor implements it instead of as it is defined
    #[arg(long, value_name = "NAME", value_parser = semantics())]
    pub(crate) semantics: Option<Semantics>,
    /// What a read returns for a key that its own transaction wrote [default: what the trace says]
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    pub(crate) own_writes: Option<OwnPolicy>,
}

/// How to solve.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// Maximum difference between the clocks of two clients, for example 5ms
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = units::drift)]
    pub(crate) clock_drift: i64,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Passes to run: all, none, a list, or -NAME to skip one; passes never change a verdict
    #[arg(long, value_name = "LIST", default_value = "all", allow_hyphen_values = true)]
    pub(crate) passes: Passes,
    /// Maximum number of threads; 0 means one per CPU
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) threads: usize,
    /// Verify each verdict with the independent certifier before showing it
    #[arg(long)]
    pub(crate) certify: bool,
    /// Print to standard error how long each stage took and how many choices the trace left open
    #[arg(long)]
    pub(crate) stats: bool,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
    /// Treat an unknown verdict as this verdict in the exit code
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(crate) unknown_as: Option<UnknownAs>,
}

/// How much a command may use. What is not decided by then is unknown.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Maximum time for the whole command, for example 60s; what is undecided by then is unknown
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Maximum memory, for example 4G; when it is reached, the verdict is unknown
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub(crate) memory: Option<u64>,
}

/// Where verdicts go.
#[derive(Debug, Args)]
pub(crate) struct SinkArgs {
    /// Also write text, json, html, junit, github, markdown, dot or svg to FILE; if FILE is -, replace
    /// the text on standard output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<Destination<VerdictKind>>,
    /// Print the verdict as JSON instead of text; several verdicts are printed one per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// `tristan check`
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: TraceArgs,
    /// The isolation level, for example serializable, si or PL-3 [default: the only level in --spec,
    /// or the level that the trace claims]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    /// Print the constraint problem instead of solving it
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) emit: Option<EmitForm>,
    #[command(flatten)]
    pub(crate) solve: SolveArgs,
    #[command(flatten)]
    pub(crate) sinks: SinkArgs,
}

/// `tristan levels`
#[derive(Debug, Args)]
pub(crate) struct LevelsArgs {
    #[command(flatten)]
    pub(crate) input: TraceArgs,
    /// List the levels with their names and definitions
    #[arg(long, conflicts_with_all = ["traces", "demo"])]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) solve: SolveArgs,
    #[command(flatten)]
    pub(crate) sinks: SinkArgs,
}

/// `tristan explain`
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A verdict written by -o json=FILE, or - for standard input
    #[arg(value_name = "VERDICT.json")]
    pub(crate) verdict: PathBuf,
    #[command(flatten)]
    pub(crate) sinks: SinkArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// `tristan certify`
#[derive(Debug, Args)]
pub(crate) struct CertifyArgs {
    /// A verdict written by -o json=FILE
    #[arg(value_name = "VERDICT.json")]
    pub(crate) verdict: PathBuf,
    /// The trace that was judged: a file, or a folder that is a trace
    pub(crate) trace: PathBuf,
    /// Format of the trace [default: detected from the first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) from: Option<Format>,
    /// Initial state of all keys; must be the same as for the check
    #[arg(long, value_name = "STATE", allow_negative_numbers = true)]
    pub(crate) initial: Option<InitialRule>,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    /// Maximum difference between the clocks of two clients; must be the same as for the check
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = units::drift)]
    pub(crate) clock_drift: i64,
    /// The verdict says how the trace was read; another way is refused
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// `tristan stats`
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: TraceArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// `tristan convert`
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The trace to read: a file, a folder that is a trace, or - for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write, or - for standard output; for cobra, the folder to create
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The format to write
    #[arg(long, value_name = "FORM", value_parser = forms())]
    pub(crate) to: WriteForm,
    /// Format of the trace [default: detected from the first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) from: Option<Format>,
    /// Initial state of all keys: absent, unknown, unwritten (a value that is read but never written
    /// is the initial one), or a value: an integer, or a string in double quotes [default: what the
    /// trace or its format says]
    #[arg(long, value_name = "STATE", allow_negative_numbers = true)]
    pub(crate) initial: Option<InitialRule>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// `tristan bench`
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// A predefined set of rows: small; full; cliffs, histories that are hard to decide; isolde, 46 questions about
    /// pairs of levels; or limits, which tests that --time, --memory and --for are enforced [default: small]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["workload", "level"])]
    pub(crate) suite: Option<String>,
    /// Search for histories that are hard to decide, for this long (for example 10m): draw workloads, levels
    /// and parameters at random, and list those whose checks cost most compared with blindw-rw at the same
    /// level; --txns and --time set the size of each history [2K] and the time for each check [10s]
    #[arg(long, value_name = "DURATION", value_parser = units::duration,
        conflicts_with_all = ["suite", "row", "workload", "level", "keys", "sessions", "ops", "store", "hot", "values",
            "open_sessions", "lost", "times", "passes", "anomaly", "via", "repeat", "peer", "output", "compare"])]
    pub(crate) search: Option<Duration>,
    /// Run only these rows of the suite
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["workload", "level", "txns"])]
    pub(crate) row: Vec<String>,
    /// Workloads to run instead of a suite, for example blindw-rw,tpcc [default: blindw-rw]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) workload: Vec<String>,
    /// Isolation levels [default: serializable,snapshot-isolation]
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) level: Vec<String>,
    /// Numbers of transactions, for example 10K,1M [default: 1K,10K]
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = parse_size)]
    pub(crate) txns: Vec<u64>,
    /// Number of keys [default: depends on the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) keys: Option<u64>,
    /// Number of sessions [default: depends on the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) sessions: Option<u64>,
    /// Operations per transaction [default: depends on the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) ops: Option<u64>,
    /// Isolation level of the simulated store that produces the histories
    #[arg(long, value_enum, default_value = "ser", value_name = "LEVEL")]
    pub(crate) store: StoreName,
    /// Distribution of accesses over keys: uniform, zipf:0.5, or 90%:10 to send 90% of all accesses
    /// to ten keys [default: depends on the workload]
    #[arg(long, value_name = "HOW")]
    pub(crate) hot: Option<String>,
    /// Number of different values that are written [default: depends on the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) values: Option<u64>,
    /// Keep all sessions open for the whole run, instead of starting one after the other
    #[arg(long)]
    pub(crate) open_sessions: bool,
    /// Percentage of commits whose answer is lost, so that their outcome is unknown [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(0..=100))]
    pub(crate) lost: Option<u64>,
    /// Record when transactions begin and end, even in workloads that usually omit these times
    #[arg(long)]
    pub(crate) times: bool,
    /// Seed of the random number generator
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Maximum number of threads [default: one per CPU]
    #[arg(long, value_name = "NUMBER", default_value = "0", hide_default_value = true)]
    pub(crate) threads: usize,
    /// Passes to run, as for check; repeat the flag to compare several sets
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) passes: Vec<String>,
    /// Plant an anomaly in the history: G1c, long-fork or g-single
    #[arg(long, value_name = "NAME")]
    pub(crate) anomaly: Option<String>,
    /// Write the history to a file in this format, read it back, and report how long that took:
    /// jsonl, or a format that convert writes
    #[arg(long, value_name = "FORM")]
    pub(crate) via: Option<String>,
    /// Maximum time for one check, also of another checker, for example 60s
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Number of times to measure each case; the median is shown
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repeat: u16,
    /// Another checker to run on the same histories: NAME=PATH if tristan knows its arguments,
    /// otherwise NAME=COMMAND containing {file} and {level}
    #[arg(long, value_name = "NAME=PATH", value_parser = Peer::parse)]
    pub(crate) peer: Vec<Peer>,
    /// Also write text=FILE, json=FILE or svg=FILE; if FILE is -, replace the table on standard
    /// output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<Destination<BenchKind>>,
    /// Compare with an earlier report written with -o json=FILE; exit with 1 if a row has slowed down more
    /// than the others, or uses more memory
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
    /// Run one measurement for a parent tristan process and print the result
    #[arg(long, hide = true, value_name = "JSON", exclusive = true)]
    pub(crate) order: Option<String>,
}

/// Isolation level of the simulated store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreName {
    /// Serializability
    Ser,
    /// Snapshot isolation
    Si,
}

/// When to do something that depends on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// How much to log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Stages, and why work was stopped early
    Info,
    /// What each step of the checker's search has found
    Debug,
    /// The progress of each stage
    Trace,
}

/// How to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// A status line if standard error is a terminal
    Auto,
    /// JSON Lines, for tools
    Json,
    /// No progress
    Off,
}

/// What an unknown verdict counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnknownAs {
    Accept,
    Reject,
}

/// What can be printed instead of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitForm {
    /// The intermediate representation
    Ir,
    /// SMT-LIB, for z3 and similar solvers
    Smt2,
}

/// The file formats whose JSON Schemas are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaName {
    /// One line of a native trace
    Trace,
    /// A verdict
    Verdict,
}

/// The shells we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShellName {
    Bash,
    Zsh,
    Fish,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    let names = PossibleValuesParser::new(Format::ALL.map(Format::name));
    names.try_map(|name| Format::from_name(&name).ok_or("not a known format"))
}

fn forms() -> impl TypedValueParser<Value = WriteForm> {
    let names = PossibleValuesParser::new(WriteForm::ALL.map(WriteForm::name));
    names.try_map(|name| WriteForm::from_name(&name).ok_or("not a known format"))
}

fn semantics() -> impl TypedValueParser<Value = Semantics> {
    let names = PossibleValuesParser::new(Semantics::ALL.map(Semantics::name));
    names.try_map(|name| Semantics::from_name(&name).ok_or("not a known semantics"))
}

fn policies() -> impl TypedValueParser<Value = OwnPolicy> {
    let names = OwnWrites::ALL.map(OwnWrites::name).into_iter().chain(["infer"]);
    PossibleValuesParser::new(names).map(|name| match OwnWrites::from_name(&name) {
        Some(policy) => OwnPolicy::Given(policy),
        None => OwnPolicy::Infer,
    })
}
