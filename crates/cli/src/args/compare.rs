//! The flags of `tristan compare`, `find`, `lattice` and `spec`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::{LimitArgs, ProgressMode};
use crate::destination::Destination;
use crate::kinds::{LatticeKind, WrittenKind};

const COMPARE_HELP: &str = "\
Examples:
  tristan compare si ser
  tristan compare be-si cerone-si
  tristan compare my-level si --spec my.iso --trace histories

Each direction is PROVED for histories of any size, REFUTED by a smallest counterexample, or reported as \
NONE FOUND: there is no counterexample within the scope, and no proof either.

Exit codes: 0 if both directions are proved or refuted, 2 if one is not, 65 if a level file is invalid, \
64 if the command line is.";

/// `tristan compare`
#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct CompareArgs {
    /// The first level
    #[arg(value_name = "A")]
    pub(crate) one: String,
    /// The second level
    #[arg(value_name = "B")]
    pub(crate) other: String,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    /// Search for counterexamples only; do not try to prove anything
    #[arg(long)]
    pub(crate) no_proof: bool,
    /// Also write the histories found to this folder, as traces
    #[arg(long, value_name = "FOLDER")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) to: WrittenSinks,
}

const FIND_HELP: &str = "\
Examples:
  tristan find 'si & be-update-ser & !ser' --txns 3 --keys 2
  tristan find '!read-atomic' --count 5
  tristan find 'psi & !si' --no-blind-writes --trace histories

Levels after ! forbid the history; all others allow it. Smallest means fewest transactions, then keys, \
then operations. No two histories are the same up to renaming.

Exit codes: 0 if there is such a history, 1 if there is none within the scope, 2 if a limit was reached, \
65 if a level file is invalid, 64 if the command line is.";

/// `tristan find`
#[derive(Debug, Args)]
#[command(after_help = FIND_HELP)]
pub(crate) struct FindArgs {
    /// Which levels allow the history and which forbid it, for example 'si & !ser'
    #[arg(value_name = "QUESTION")]
    pub(crate) question: String,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    /// Number of different histories to look for
    #[arg(long, short = 'n', value_name = "COUNT", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) count: u16,
    /// Also write the histories found to this folder, as traces
    #[arg(long, value_name = "FOLDER")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) to: WrittenSinks,
}

const LATTICE_HELP: &str = "\
Examples:
  tristan lattice
  tristan lattice ra ua cc psi pc ss-si ss-ser -o svg=levels.svg
  tristan lattice si my-level --spec my.iso -o dot

A cell shows the transactions and keys of the smallest history that the level of its row allows and the \
level of its column forbids. The other entries mean: - no such history of any size (proved); (-) none found \
within the scope, which is not a proof; ? a limit was reached.

Exit codes: 0 if every pair is proved or refuted, 2 if one is not, 65 if a level file is invalid, 64 if \
the command line is.";

/// `tristan lattice`
#[derive(Debug, Args)]
#[command(after_help = LATTICE_HELP)]
pub(crate) struct LatticeArgs {
    /// The levels to compare [default: the ten that are compared most often]
    #[arg(value_name = "LEVEL")]
    pub(crate) levels: Vec<String>,
    #[command(flatten)]
    pub(crate) files: SpecFiles,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    /// Also write text=FILE, json=FILE, dot=FILE, svg=FILE or html=FILE; if FILE is -, replace the
    /// text on standard output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<Destination<LatticeKind>>,
    /// Maximum number of threads [default: one per CPU]
    #[arg(long, value_name = "NUMBER", default_value = "0", hide_default_value = true)]
    pub(crate) threads: usize,
}

/// Where results go.
#[derive(Debug, Args)]
pub(crate) struct WrittenSinks {
    /// Also write text=FILE, json=FILE or html=FILE; if FILE is -, replace the text on standard output
    #[arg(short, long = "output", value_name = "KIND=FILE")]
    pub(crate) output: Vec<Destination<WrittenKind>>,
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// Files with user-defined levels.
#[derive(Debug, Args)]
pub(crate) struct SpecFiles {
    /// A file with your own levels; it can refer to the built-in ones
    #[arg(long, value_name = "FILE.iso")]
    pub(crate) spec: Vec<PathBuf>,
}

/// Which histories are looked at.
#[derive(Debug, Args)]
pub(crate) struct ScopeArgs {
    /// Maximum number of transactions
    #[arg(long, value_name = "NUMBER", default_value = "4", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) txns: u8,
    /// Maximum number of keys
    #[arg(long, value_name = "NUMBER", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) keys: u8,
    /// Maximum number of sessions [default: unlimited]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) sessions: Option<u8>,
    /// Maximum number of operations per transaction [default: unlimited]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=32))]
    pub(crate) ops: Option<u8>,
    /// Only histories in which a transaction reads a key before it writes it
    #[arg(long)]
    pub(crate) no_blind_writes: bool,
    /// Only histories in which every transaction writes something
    #[arg(long)]
    pub(crate) no_read_only: bool,
    /// Also search histories that contain empty transactions
    #[arg(long, conflicts_with = "no_read_only")]
    pub(crate) empty: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    pub(crate) progress: ProgressMode,
}

const SPEC_HELP: &str = "\
Examples:
  tristan spec list
  tristan spec show si
  tristan spec check my.iso
  tristan spec fmt my.iso";

/// `tristan spec`
#[derive(Debug, Args)]
#[command(after_help = SPEC_HELP)]
pub(crate) struct SpecArgs {
    #[command(subcommand)]
    pub(crate) command: SpecCommand,
}

/// What to do with written levels.
#[derive(Debug, Subcommand)]
pub(crate) enum SpecCommand {
    /// List the levels with their frameworks and classes
    List {
        #[command(flatten)]
        files: SpecFiles,
    },
    /// Show a level: its definition and meaning, what it forbids, and the smallest history it rejects
    Show {
        /// The level
        #[arg(value_name = "LEVEL")]
        level: String,
        #[command(flatten)]
        files: SpecFiles,
    },
    /// Look for mistakes in level files
    Check {
        /// The files, or - for standard input
        #[arg(value_name = "FILE.iso", required = true)]
        files: Vec<PathBuf>,
    },
    /// Format level files
    Fmt {
        /// The files, or - to format standard input to standard output
        #[arg(value_name = "FILE.iso", required = true)]
        files: Vec<PathBuf>,
        /// Do not write; list the files that would change and exit with code 1 if there are any
        #[arg(long)]
        check: bool,
    },
}
