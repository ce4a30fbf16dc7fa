//! `tristan shrink`: the smallest trace that still fails, and a script for it.
//!
//! ```text
//!   trace ──► verdict ──► shrink ──► certified against the whole trace ──► trace, text or SQL
//! ```

use std::fs;

use anyhow::Context;
use tristan_check::Options;
use tristan_check::Passes;
use tristan_check::budget::Limits;
use tristan_check::shrink::{Shrunk, shrink};
use tristan_history::History;
use tristan_report::ReportContext;
use tristan_script::Dialect;
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, Verdict};

use super::{reading, solve, written};
use crate::args::ShrinkArgs;
use crate::complain;
use crate::exit::{CommandError, Exit, OrExit};
use crate::input::Source;
use crate::limits;
use crate::output::Output;
use crate::progress::Progress;

pub(super) fn run(args: &ShrinkArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let source = source(args)?;
    let level = level(args)?;
    let history = source.read(args.input.from, args.input.initial.as_ref())?;
    solve::promised(&level, &history, &source)?;
    solve::drift(args.clock_drift, &history, &source)?;
    let options = options(args, &source);
    let verdict = judge(args, &history, &level, &options, &source);
    if let Some(exit) = not_rejected(&verdict, &source) {
        return Ok(exit);
    }
    let Some(shrunk) = shrink(&history, &level, &options, &verdict, &Limits::default()) else {
        complain(&format!(
            "{}: a limit was reached before a smaller trace was found",
            source.name()
        ));
        return Ok(Exit::Unknown);
    };
    certify(args, &history, &level, &options, &shrunk)?;
    complain(&told(&history, &shrunk, &source));
    write(args, &source, &shrunk, out)?;
    Ok(if shrunk.finished { Exit::Accept } else { Exit::Unknown })
}

/// The only trace.
fn source(args: &ShrinkArgs) -> Result<Source, CommandError> {
    let (inputs, _) = solve::inputs(&args.input)?;
    match <[_; 1]>::try_from(inputs) {
        Ok([only]) => only,
        Err(several) => {
            let message = format!("found {} traces, expected one", several.len());
            Err(CommandError::new(Exit::Usage, message))
        }
    }
}

fn level(args: &ShrinkArgs) -> Result<Level, CommandError> {
    let library = written::library(&args.files)?;
    let Some(name) = &args.level else {
        let message = "--level is required: name the violated level; tristan levels shows which levels are violated";
        return Err(CommandError::new(Exit::Usage, message.to_owned()));
    };
    Catalog::of(&library).find(name).or_exit(Exit::Usage)
}

fn options(args: &ShrinkArgs, source: &Source) -> Options {
    Options {
        drift: args.clock_drift,
        limits: Limits::default(),
        within: limits::budget(),
        passes: Passes::default(),
        trace_name: source.name(),
        initial_given: args.input.initial.is_some(),
        interpretation: reading::interpretation(&args.input.reading),
        count: false,
        withhold_vacuous: true,
        threads: args.threads,
    }
}

fn judge(
    args: &ShrinkArgs,
    history: &History,
    level: &Level,
    options: &Options,
    source: &Source,
) -> Verdict {
    let progress = Progress::new(args.progress, &source.name());
    tristan_check::check(history, level, options, &progress).verdict
}

/// Says why there is nothing to make smaller.
fn not_rejected(verdict: &Verdict, source: &Source) -> Option<Exit> {
    let (why, exit) = match &verdict.answer {
        Answer::Reject { .. } => return None,
        Answer::Accept { .. } => ("holds, so there is nothing to shrink", Exit::BadInput),
        Answer::Unknown { reason, .. } => {
            let (stopped, go_on) = tristan_report::stopped(reason);
            let why = format!("is not decided ({stopped}; next step: {go_on})");
            complain(&format!("{}: {} {why}", source.name(), verdict.level));
            return Some(Exit::Unknown);
        }
    };
    complain(&format!("{}: {} {why}", source.name(), verdict.level));
    Some(exit)
}

/// Lets the certifier look at the reasons twice: do they hold for the whole trace, and is the small
/// trace rejected by itself?
fn certify(
    args: &ShrinkArgs,
    history: &History,
    level: &Level,
    options: &Options,
    shrunk: &Shrunk,
) -> Result<(), CommandError> {
    let history = options.interpretation.apply(history);
    let agree = |trace: &str, history: &History, verdict: &Verdict| {
        let done = tristan_certify::certify(history, level, args.clock_drift, verdict);
        done.map(drop).map_err(|error| {
            let message = format!("the certifier rejected the refutation of {trace}: {error}");
            CommandError::new(Exit::Bug, message)
        })
    };
    agree("the whole trace", &history, &shrunk.whole)?;
    agree("the smallest trace", &shrunk.history, &shrunk.verdict)
}

/// `run.jsonl: from 300 transactions to 2, from 2400 operations to 4, certified`
fn told(history: &History, shrunk: &Shrunk, source: &Source) -> String {
    let small = &shrunk.history;
    let end = match shrunk.finished {
        true => "",
        false => "; the time limit was reached, so a smaller trace may exist",
    };
    format!(
        "{}: from {} transactions to {}, from {} operations to {}, certified{end}",
        source.name(),
        history.txns.len(),
        small.txns.len(),
        history.ops.len(),
        small.ops.len(),
    )
}

fn write(
    args: &ShrinkArgs,
    source: &Source,
    shrunk: &Shrunk,
    out: &mut Output,
) -> Result<(), CommandError> {
    let trace = tristan_formats::compact(&shrunk.history);
    if let Some(path) = &args.output {
        fs::write(path, &trace).with_context(|| path.display().to_string()).or_unwritten()?;
    }
    match (args.sql, &args.output) {
        (Some(dialect), _) => out.write(&script(source, shrunk, dialect)?),
        (None, Some(_)) => {
            let style = out.style();
            out.write(&tristan_report::text(&shrunk.verdict, &ReportContext::default(), style))
        }
        (None, None) => out.write(&trace),
    }
}

fn script(source: &Source, shrunk: &Shrunk, dialect: Dialect) -> Result<String, CommandError> {
    tristan_report::script(&shrunk.verdict, &shrunk.history, dialect)
        .with_context(|| source.name())
        .or_exit(Exit::BadInput)
}
