//! `tristan bench`: what checks cost, and how that grows.
//!
//! The program starts itself once per case, with `--order`.

mod isolde;
mod limits;
mod search;

use std::path::Path;

use tristan_bench::{
    Baseline, BenchError, Case, Compared, Report, Row, Runner, Store, Suite, Table, plot,
};

use crate::args::{BenchArgs, StoreName};
use crate::destinations::Destinations;
use crate::exit::{CommandError, Exit, OrExit};
use crate::kinds::BenchKind;
use crate::output::Output;

const WORKLOAD: &str = "blindw-rw";
const LEVELS: [&str; 2] = ["serializable", "snapshot-isolation"];
const SIZES: [u64; 2] = [1_000, 10_000];
const SUITE: &str = "small";
/// The suite that is about limits instead of costs.
const LIMITS: &str = "limits";
/// The suite that asks about levels instead of histories.
const ISOLDE: &str = "isolde";
/// Other checkers read a file, so if there are any we do so too.
const VIA: &str = "simple";

pub(super) fn run(args: &BenchArgs, out: &mut Output) -> Result<Exit, CommandError> {
    if let Some(order) = &args.order {
        let answer = tristan_bench::obey(order).or_exit(Exit::BadInput)?;
        out.write(&answer)?;
        return Ok(Exit::Accept);
    }
    if let Some(length) = args.search {
        return search::run(args, length, out);
    }
    if let (Some(suite @ (LIMITS | ISOLDE)), Some(_)) = (args.suite.as_deref(), &args.compare) {
        let message = format!("--compare cannot be used with --suite {suite}");
        return Err(CommandError::new(Exit::Usage, message));
    }
    match (args.suite.as_deref(), args.txns.is_empty()) {
        (Some(LIMITS), _) => return limits::run(args, out),
        (Some(ISOLDE), _) => return isolde::run(args, out),
        (Some(_), false) => {
            let message = format!(
                "--txns can only be used with --suite {LIMITS} and {ISOLDE}; other suites define their own sizes"
            );
            return Err(CommandError::new(Exit::Usage, message));
        }
        _ => {}
    }
    let cases = cases(args).or_exit(Exit::Usage)?;
    let baseline = args.compare.as_deref().map(read_baseline).transpose()?;
    let mut sinks = Destinations::open(&args.output)?;
    let runner = runner(args)?;
    let mut rows: Vec<Row> = Vec::new();
    sinks.write(out, BenchKind::Text, |_| Table::head())?;
    for case in &cases {
        let row = runner.run(case).or_exit(Exit::Usage)?;
        sinks.write(out, BenchKind::Text, |_| Table::row(&row))?;
        rows.push(row);
    }
    sinks.write(out, BenchKind::Text, |_| Table::foot(&rows))?;
    let compared = baseline.map(|baseline| baseline.compare(&rows));
    if let Some(compared) = &compared {
        sinks.write(out, BenchKind::Text, |_| compared.text.clone())?;
    }
    sinks.write(out, BenchKind::Json, |_| Report::new(&rows).json())?;
    sinks.write(out, BenchKind::Svg, |_| plot(&rows))?;
    Ok(match compared {
        _ if rows.iter().any(|row| row.died.is_some()) => Exit::Unknown,
        Some(Compared { is_worse: true, .. }) => Exit::Reject,
        Some(Compared { rows: 0, .. }) => Exit::Unknown,
        _ => Exit::Accept,
    })
}

fn read_baseline(path: &Path) -> Result<Baseline, CommandError> {
    Baseline::read(path).map_err(|error| {
        let missing = matches!(error, BenchError::Io { .. });
        CommandError::new(
            if missing { Exit::MissingInput } else { Exit::BadInput },
            error.to_string(),
        )
    })
}

fn runner(args: &BenchArgs) -> Result<Runner, CommandError> {
    Ok(Runner {
        program: std::env::current_exe().or_exit(Exit::Bug)?,
        arguments: ["bench", "--order"].map(str::to_owned).to_vec(),
        repeat: usize::from(args.repeat),
        peers: args.peer.clone(),
    })
}

/// The cases that were asked for, all of which make sense.
fn cases(args: &BenchArgs) -> Result<Vec<Case>, BenchError> {
    let crossed = !(args.workload.is_empty() && args.level.is_empty() && args.txns.is_empty());
    let basic = match crossed {
        true => product(args)?,
        false => Suite::find(args.suite.as_deref().unwrap_or(SUITE))?.cases(&args.row)?,
    };
    let mut cases: Vec<Case> = basic.into_iter().map(|case| adjusted(args, case)).collect();
    if !args.passes.is_empty() {
        let with = |case: Case| {
            let passes = args.passes.iter().cloned();
            passes.map(move |passes| Case { passes, ..case.clone() })
        };
        cases = cases.into_iter().flat_map(with).collect();
    }
    cases.iter().try_for_each(Case::validate)?;
    Ok(cases)
}

/// Every workload at every level in every size.
fn product(args: &BenchArgs) -> Result<Vec<Case>, BenchError> {
    let or = |given: &[String], usual: &[&str]| match given {
        [] => usual.iter().map(|&name| name.to_owned()).collect(),
        given => given.to_vec(),
    };
    let sizes = if args.txns.is_empty() { &SIZES[..] } else { &args.txns };
    let mut cases = Vec::new();
    for workload in or(&args.workload, &[WORKLOAD]) {
        for level in or(&args.level, &LEVELS) {
            let case = Case::new(&workload, &level)?;
            cases.extend(sizes.iter().map(|size| Case { txns: *size as usize, ..case.clone() }));
        }
    }
    Ok(cases)
}

/// A case with what the command line says about all of them.
fn adjusted(args: &BenchArgs, case: Case) -> Case {
    let compared = !args.peer.is_empty();
    Case {
        keys: args.keys.unwrap_or(case.keys),
        sessions: args.sessions.map_or(case.sessions, |sessions| sessions as usize),
        ops: args.ops.map_or(case.ops, |ops| ops as usize),
        hot: args.hot.clone().unwrap_or(case.hot),
        values: args.values.or(case.values),
        open: case.open || args.open_sessions,
        lost: args.lost.unwrap_or(case.lost),
        store: match args.store {
            StoreName::Ser => Store::Ser,
            StoreName::Si => Store::Si,
        },
        times: case.times || args.times,
        seed: args.seed.unwrap_or(case.seed),
        anomaly: args.anomaly.clone().or(case.anomaly),
        via: args.via.clone().or_else(|| compared.then(|| VIA.to_owned())),
        time: args.time.map(|time| time.as_millis() as u64),
        threads: args.threads,
        ..case
    }
}
