//! One file per command.

mod audit;
mod bench;
mod certify;
mod check;
mod claim;
mod compare;
mod completions;
mod convert;
mod demo;
mod explain;
mod find;
mod follow;
mod hunt;
mod judged;
mod lattice;
mod levels;
mod list;
mod litmus;
mod man;
mod proxy;
mod reading;
mod record;
mod schema;
mod serve;
mod shrink;
mod solve;
mod spec;
mod stats;
mod written;

use crate::args::Command;
use crate::exit::{CommandError, Exit};
use crate::output::Output;

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut Output) -> Result<Exit, CommandError> {
    match command {
        Command::Check(args) => check::run(args, out),
        Command::Levels(args) if args.list => list::run(out),
        Command::Levels(args) => levels::run(&args.input, &args.solve, &args.sinks, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Certify(args) => certify::run(&args, out),
        Command::Shrink(args) => shrink::run(&args, out),
        Command::Stats(args) => stats::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Compare(args) => compare::run(&args, out),
        Command::Find(args) => find::run(&args, out),
        Command::Lattice(args) => lattice::run(&args, out),
        Command::Spec(args) => spec::run(&args, out),
        Command::Record(args) => record::run(&args, out),
        Command::Proxy(args) => proxy::run(*args, out),
        Command::Audit(args) => audit::run(&args, out),
        Command::Hunt(args) => hunt::run(&args, out),
        Command::Litmus(args) => litmus::run(&args, out),
        Command::Serve(args) => serve::run(args),
        Command::Demo => demo::run(out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Schema { of } => schema::run(of, out),
        Command::Completions { shell } => completions::run(shell, out),
        Command::Man { command } => man::run(command.as_deref(), out),
    }
}
