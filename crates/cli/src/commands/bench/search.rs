//! `tristan bench --search DURATION`: random histories, and which of them cost most.

use std::time::{Duration, Instant};

use tristan_bench::{Case, Cliff, Search, Table, worst};

use super::{LEVELS, WORKLOAD, runner};
use crate::args::BenchArgs;
use crate::exit::{CommandError, Exit, OrExit};
use crate::output::Output;

/// Transactions per history, unless `--txns` is given.
const TXNS: u64 = 2_000;

/// Time limit per check, unless `--time` is given.
const TIME: Duration = Duration::from_secs(10);

/// How many of the worst are listed at the end.
const LISTED: usize = 10;

pub(super) fn run(
    args: &BenchArgs,
    length: Duration,
    out: &mut Output,
) -> Result<Exit, CommandError> {
    let txns = args.txns.first().copied().unwrap_or(TXNS) as usize;
    let seed = args.seed.unwrap_or(1);
    let time = Some(args.time.unwrap_or(TIME).as_millis() as u64);
    let usual = Case::new(WORKLOAD, LEVELS[0]).or_exit(Exit::Bug)?;
    let mut search = Search::new(Case { txns, seed, time, threads: args.threads, ..usual });
    let runner = runner(args)?;
    let started = Instant::now();
    let mut cliffs: Vec<Cliff> = Vec::new();
    let mut highest = 0.0;
    out.write(&Table::head())?;
    while started.elapsed() < length {
        let cliff = search.measure_next(&runner).or_exit(Exit::Usage)?;
        if !cliff.is_decided || cliff.ratio > highest {
            out.write(&Table::row(&cliff.row))?;
            highest = if cliff.ratio.is_finite() { cliff.ratio.max(highest) } else { highest };
        }
        cliffs.push(cliff);
    }
    worst(&mut cliffs);
    out.write(&told(&cliffs, seed))?;
    Ok(if cliffs.iter().any(|cliff| cliff.is_wrong) { Exit::Reject } else { Exit::Accept })
}

/// A summary of the search.
fn told(cliffs: &[Cliff], seed: u64) -> String {
    let count = |wanted: fn(&Cliff) -> bool| cliffs.iter().filter(|cliff| wanted(cliff)).count();
    let wrong = count(|cliff| cliff.is_wrong);
    let open = count(|cliff| !cliff.is_decided && !cliff.is_wrong);
    let mut ratios: Vec<f64> = cliffs.iter().map(|cliff| cliff.ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let share = |percent: usize| ratios.get(ratios.len() * percent / 100).copied().unwrap_or(0.0);
    let mut text = format!(
        "\n{} histories with seed {seed}: {open} undecided, {wrong} decided wrongly; CPU time per operation, \
         relative to {WORKLOAD} at the same level: median {:.1}, 90th percentile {:.1}, 99th percentile {:.1}\n\n\
         The worst (relative CPU time, answer, command to measure it again):\n",
        cliffs.len(),
        share(50),
        share(90),
        share(99),
    );
    for cliff in cliffs.iter().take(LISTED) {
        let answer = cliff.row.median().map_or("died", |run| &run.answer);
        text += &format!(
            "{:9.1}  {answer:<7}  tristan bench {}\n",
            cliff.ratio,
            cliff.row.case.flags()
        );
    }
    text
}
