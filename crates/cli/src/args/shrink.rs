//! The flags of `tristan shrink`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tristan_script::Dialect;

use super::{LimitArgs, ProgressMode, SpecFiles, TraceArgs};
use crate::units;

const SHRINK_HELP: &str = "\
Examples:
  tristan shrink run.jsonl --level serializable > small.jsonl
  tristan shrink run.jsonl --level si -o small.jsonl
  tristan shrink run.jsonl --level si --sql mysql

Exit codes: 0 if the trace was reduced as far as possible; 2 if the time limit was reached (the smallest \
trace found so far is written) or if the verdict is unknown; 65 if the trace does not violate the level.";

/// `tristan shrink`
#[derive(Debug, Args)]
#[command(after_help = SHRINK_HELP)]
pub(crate) struct ShrinkArgs {
    #[command(flatten)]
    pub(crate) input: TraceArgs,
    /// The isolation level that is violated
    #[arg(long, short, value_name = "NAME")]
    pub(crate) level: Option<String>,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    /// Write the trace to this file and its verdict to standard output [default: write the trace to
    /// standard output]
    #[arg(short, long = "output", id = "smallest", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print a script for two or three terminals instead, in the SQL dialect postgres (the default)
    /// or mysql
    #[arg(long, value_name = "DIALECT", num_args = 0..=1, default_missing_value = "postgres", value_parser = dialects())]
    pub(crate) sql: Option<Dialect>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Maximum difference between the clocks of two clients, for example 5ms
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = units::drift)]
    pub(crate) clock_drift: i64,
    /// Maximum number of threads; 0 means one per CPU
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) threads: usize,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
}

fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name));
    names.try_map(|name| Dialect::from_name(&name).ok_or("not a known dialect"))
}
