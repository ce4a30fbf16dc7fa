//! `tristan bench --suite limits`: limits asked for, and limits kept.

use std::env;
use std::process::{Command, Stdio};

use anyhow::Context;
use tristan_bench::{Inputs, Kept, keep, limits_table};

use crate::args::BenchArgs;
use crate::exit::{CommandError, Exit, OrExit};
use crate::output::Output;

/// Transactions of the inputs, if `--txns` does not say.
const USUAL: u64 = 100_000;

pub(super) fn run(args: &BenchArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let program = env::current_exe().context("the program").or_exit(Exit::Bug)?;
    let txns = args.txns.iter().copied().max().unwrap_or(USUAL);
    let inputs = Inputs::make(usize::try_from(txns).unwrap_or(usize::MAX)).or_exit(Exit::Usage)?;
    let command = inputs.before();
    let mut process = Command::new(&program);
    process.args(&command).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = process.status().context("an input").or_exit(Exit::Usage)?;
    if !status.success() {
        let told = format!("{}: {status}, expected a verdict to certify", command.join(" "));
        return Err(CommandError::new(Exit::Bug, told));
    }
    let mut rows: Vec<Kept> = Vec::new();
    for asked in inputs.commands() {
        rows.push(keep(&program, asked).or_exit(Exit::Usage)?);
    }
    out.write(&limits_table(&rows))?;
    Ok(if rows.iter().all(Kept::is_kept) { Exit::Accept } else { Exit::Reject })
}
