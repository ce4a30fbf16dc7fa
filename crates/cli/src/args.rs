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
use tristan_history::OwnWrites;
use tristan_history::formats::{Format, InitialRule, WriteForm};

use crate::commands::BenchSink;
use crate::sinks::Sink;
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
  0   accept: the level holds          64  the command line makes no sense
  1   reject: the level is violated    65  bad trace or verdict file
  2   unknown: a limit was hit,        66  missing input
      or nothing to judge              70  a bug in tristan
With many inputs reject wins over error, error over unknown, unknown over accept.";

/// Did the database keep its isolation promise?
///
/// Tristan reads what the clients of a database saw and says whether a correct database with
/// the given isolation level could have shown them that. Either way it tells why.
#[derive(Debug, Parser)]
#[command(name = "tristan", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours; NO_COLOR is respected
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: When,
    /// Take defaults for check, levels and shrink from this file [default: the nearest tristan.toml
    /// in the working directory or above it]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Take defaults from no file
    #[arg(long, global = true, conflicts_with = "config")]
    pub(crate) no_config: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check traces against an isolation level
    Check(CheckArgs),
    /// Judge every level: what holds, what is violated
    Levels(LevelsArgs),
    /// Show a verdict again, without solving
    Explain(ExplainArgs),
    /// Check a verdict against its trace, independently of the search
    Certify(CertifyArgs),
    /// Make a trace that fails as small as possible
    Shrink(ShrinkArgs),
    /// Count what is in a trace
    Stats(StatsArgs),
    /// Rewrite a trace in another form
    Convert(ConvertArgs),
    /// Compare two levels: which implies the other, and what tells them apart
    Compare(CompareArgs),
    /// Find the smallest histories that some levels allow and others forbid
    Find(FindArgs),
    /// Compare all pairs of levels, and draw which implies which
    Lattice(LatticeArgs),
    /// List, show, check and lay out levels as they are written
    Spec(SpecArgs),
    /// Run a workload on a database and write down what its clients saw
    Record(Box<RecordArgs>),
    /// Record an application of your own: sit between it and its database
    Proxy(Box<ProxyArgs>),
    /// Are the results of SQL statements right, at this isolation level?
    Audit(Box<AuditArgs>),
    /// Record and check, again and again, until a promise is broken
    Hunt(Box<HuntArgs>),
    /// Try small interleavings on a database and show what it really allows
    Litmus(LitmusArgs),
    /// Look at many verdicts and traces in a browser
    Serve(ServeArgs),
    /// See it all in a minute: record embedded databases, check, explain
    Demo,
    /// Measure how long checks take and how much memory, on histories made for it
    Bench(BenchArgs),
    /// Print a JSON Schema
    Schema {
        /// Which one
        #[arg(value_enum)]
        of: SchemaName,
    },
    /// Print a completion script
    Completions {
        /// For which shell
        #[arg(value_enum)]
        shell: ShellName,
    },
    /// Print a manual page
    Man {
        /// Of this command instead of tristan itself
        command: Option<String>,
    },
}

/// Where traces come from.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// Traces: files, folders that are a trace or hold traces, or - for standard input
    #[arg(value_name = "TRACE")]
    pub(crate) traces: Vec<PathBuf>,
    /// The traces' format [default: found out from the first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) from: Option<Format>,
    /// How keys start: absent, unknown, unwritten (with what is read and never written), or with a
    /// value: an integer, or a text in double quotes [default: as the trace or its format says]
    #[arg(long, value_name = "STATE", allow_negative_numbers = true)]
    pub(crate) initial: Option<InitialRule>,
    /// Use a small built-in trace: two doctors on call
    #[arg(long, conflicts_with = "traces")]
    pub(crate) demo: bool,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// How traces are read, where that differs from what they say themselves.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Check what a vendor promises instead of what the level's definition says
    #[arg(long, value_name = "NAME", value_parser = semantics())]
    pub(crate) semantics: Option<Semantics>,
    /// What reads return of keys that their own transaction wrote [default: as the trace says]
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    pub(crate) own_writes: Option<OwnPolicy>,
}

/// How to solve.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// How far apart the clocks of two clients may be, as in 5ms
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = units::drift)]
    pub(crate) clock_drift: i64,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Passes to run: all, none, a list, or -NAME to leave one out; they change no verdict
    #[arg(long, value_name = "LIST", default_value = "all", allow_hyphen_values = true)]
    pub(crate) passes: Passes,
    /// How many threads may work at once; 0: as many as the machine runs at once
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) threads: usize,
    /// Check each verdict with the independent certifier before showing it
    #[arg(long)]
    pub(crate) certify: bool,
    /// Tell on standard error how long each stage took and how much the trace left open
    #[arg(long)]
    pub(crate) stats: bool,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
    /// What the exit code makes of an unknown verdict
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(crate) unknown_as: Option<UnknownAs>,
}

/// How much a command may use. What is not decided by then is unknown.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Maximum time of the whole command, as in 60s; what is not decided by then is unknown
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Maximum memory, as in 4G; what is not decided when it is reached is unknown
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub(crate) memory: Option<u64>,
}

/// Where verdicts go.
#[derive(Debug, Args)]
pub(crate) struct SinkArgs {
    /// Also write text, json, html, junit, github, markdown, dot or svg; with - as FILE, instead of
    /// the text on standard output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<Sink>,
    /// Print the verdict as JSON instead of text (several verdicts: one per line)
    #[arg(long)]
    pub(crate) json: bool,
}

/// `tristan check`
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: TraceArgs,
    /// The isolation level, as in serializable, si, PL-3 [default: the only one of --spec, or the one
    /// that the trace claims]
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    /// Print the problem instead of solving it
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
    /// A verdict as written by -o json=FILE, or - for standard input
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
    /// A verdict as written by -o json=FILE
    #[arg(value_name = "VERDICT.json")]
    pub(crate) verdict: PathBuf,
    /// The trace it is about: a file, or a folder that is a trace
    pub(crate) trace: PathBuf,
    /// The trace's format [default: found out from the first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) from: Option<Format>,
    /// How keys start; the same as for the check
    #[arg(long, value_name = "STATE", allow_negative_numbers = true)]
    pub(crate) initial: Option<InitialRule>,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    /// How far apart the clocks of two clients may be; the same as for the check
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
    /// The file to write, or - for standard output; for cobra, the folder to make
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The form to write
    #[arg(long, value_name = "FORM", value_parser = forms())]
    pub(crate) to: WriteForm,
    /// The trace's format [default: found out from the first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) from: Option<Format>,
    /// How keys start: absent, unknown, unwritten (with what is read and never written), or with a
    /// value: an integer, or a text in double quotes [default: as the trace or its format says]
    #[arg(long, value_name = "STATE", allow_negative_numbers = true)]
    pub(crate) initial: Option<InitialRule>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// `tristan bench`
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Rows that belong together: small or full; isolde, 46 questions about pairs of levels; or limits,
    /// to see whether --time, --memory and --for are kept [default: small]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["workload", "level"])]
    pub(crate) suite: Option<String>,
    /// Only these rows of the suite
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["workload", "level", "txns"])]
    pub(crate) row: Vec<String>,
    /// Workloads instead of a suite, as in blindw-rw,tpcc [default: blindw-rw]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) workload: Vec<String>,
    /// Isolation levels [default: serializable,snapshot-isolation]
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) level: Vec<String>,
    /// Numbers of transactions, as in 10K,1M [default: 1K,10K]
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = parse_size)]
    pub(crate) txns: Vec<u64>,
    /// Number of keys [default: as usual for the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) keys: Option<u64>,
    /// Number of sessions [default: as usual for the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) sessions: Option<u64>,
    /// Operations per transaction [default: as usual for the workload]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) ops: Option<u64>,
    /// What the store promises that the histories come from
    #[arg(long, value_enum, default_value = "ser", value_name = "LEVEL")]
    pub(crate) store: StoreName,
    /// Which keys are chosen how often: uniform, zipf:0.5, or 90%:10 for nine of ten accesses to
    /// ten keys [default: as usual for the workload]
    #[arg(long, value_name = "HOW")]
    pub(crate) hot: Option<String>,
    /// Record when transactions begin and end, also in workloads that usually do not
    #[arg(long)]
    pub(crate) times: bool,
    /// Seed of the random numbers
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// How many threads may work at once [default: as many as the machine runs at once]
    #[arg(long, value_name = "NUMBER", default_value = "0", hide_default_value = true)]
    pub(crate) threads: usize,
    /// Passes to run, as for check; give it several times to compare
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) passes: Vec<String>,
    /// Hide an anomaly in the history: G1c, long-fork or g-single
    #[arg(long, value_name = "NAME")]
    pub(crate) anomaly: Option<String>,
    /// Write the history to a file of this form and read it again, and tell how long that took:
    /// jsonl, or a form that convert writes
    #[arg(long, value_name = "FORM")]
    pub(crate) via: Option<String>,
    /// Give up on a check, or on another checker, after this long, as in 60s
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Measure each case so often and show the median
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) repeat: u16,
    /// Another checker to run on the same histories: NAME=PATH if its arguments are known, else
    /// NAME=COMMAND with {file} and {level} in it
    #[arg(long, value_name = "NAME=PATH", value_parser = Peer::parse)]
    pub(crate) peer: Vec<Peer>,
    /// Also write text=FILE, json=FILE or svg=FILE; with - as FILE, instead of the table on
    /// standard output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<BenchSink>,
    /// Do one thing for another tristan and print the answer
    #[arg(long, hide = true, value_name = "JSON", exclusive = true)]
    pub(crate) order: Option<String>,
}

/// What the store promises that histories come from.
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

/// How to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// One line, if standard error is a terminal
    Auto,
    /// JSON Lines, for tools
    Json,
    /// None
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
    /// SMT-LIB, for z3 and its kin
    Smt2,
}

/// The published schemas.
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
    names.try_map(|name| Format::from_name(&name).ok_or("it is not a format"))
}

fn forms() -> impl TypedValueParser<Value = WriteForm> {
    let names = PossibleValuesParser::new(WriteForm::ALL.map(WriteForm::name));
    names.try_map(|name| WriteForm::from_name(&name).ok_or("it is not a form"))
}

fn semantics() -> impl TypedValueParser<Value = Semantics> {
    let names = PossibleValuesParser::new(Semantics::ALL.map(Semantics::name));
    names.try_map(|name| Semantics::from_name(&name).ok_or("it is not the name of semantics"))
}

fn policies() -> impl TypedValueParser<Value = OwnPolicy> {
    let names = OwnWrites::ALL.map(OwnWrites::name).into_iter().chain(["infer"]);
    PossibleValuesParser::new(names).map(|name| match OwnWrites::from_name(&name) {
        Some(policy) => OwnPolicy::Given(policy),
        None => OwnPolicy::Infer,
    })
}
