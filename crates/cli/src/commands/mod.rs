//! One file per command.

mod bench;
mod certify;
mod check;
mod completions;
mod convert;
mod demo;
mod explain;
mod hunt;
mod levels;
mod list;
mod litmus;
mod man;
mod proxy;
mod reading;
mod record;
mod schema;
mod solve;
mod stats;

use crate::args::Command;
use crate::exit::{Exit, Failure};
use crate::output::Output;

pub(crate) use bench::BenchSink;

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut Output) -> Result<Exit, Failure> {
    match command {
        Command::Check(args) => check::run(args, out),
        Command::Levels(args) if args.list => list::run(out),
        Command::Levels(args) => levels::run(&args.input, &args.solve, &args.sinks, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Certify(args) => certify::run(&args, out),
        Command::Stats(args) => stats::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Record(args) => record::run(&args, out),
        Command::Proxy(args) => proxy::run(*args),
        Command::Hunt(args) => hunt::run(&args, out),
        Command::Litmus(args) => litmus::run(&args, out),
        Command::Demo => demo::run(out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Schema { of } => schema::run(of, out),
        Command::Completions { shell } => completions::run(shell, out),
        Command::Man { command } => man::run(command.as_deref(), out),
    }
}
