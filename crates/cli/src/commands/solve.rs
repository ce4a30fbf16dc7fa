//! What `check` and `levels` share: options, the certifier, many inputs.

use std::fmt::Write as _;

use tristan_certify::CertifyError;
use tristan_check::budget::Limits;
use tristan_check::ir::Superpositions;
use tristan_check::{Options, Report};
use tristan_history::{Clock, History};
use tristan_spec::Level;
use tristan_verdict::{Answer, Verdict};

use super::reading;
use crate::args::{SolveArgs, TraceArgs, UnknownAs};
use crate::complain;
use crate::exit::{CommandError, Exit};
use crate::input::{self, Source};
use crate::limits;

/// The options of the pipeline.
pub(super) fn options(args: &SolveArgs, input: &TraceArgs, source: &Source) -> Options {
    Options {
        drift: args.clock_drift,
        limits: Limits::default(),
        within: limits::budget(),
        passes: args.passes.clone(),
        trace_name: source.name(),
        initial_given: input.initial.is_some(),
        interpretation: reading::interpretation(&input.reading),
        count: args.stats,
        withhold_vacuous: true,
        threads: args.threads,
    }
}

/// Makes sure that the trace says what each transaction was promised, if the level asks.
pub(super) fn promised(
    level: &Level,
    history: &History,
    source: &Source,
) -> Result<(), CommandError> {
    match level.asks_promises().then(|| tristan_check::promises(history)) {
        None | Some(Ok(_)) => Ok(()),
        Some(Err(unpromised)) => {
            let place = format!("{}:{}", source.name(), unpromised.line);
            Err(CommandError::new(Exit::BadInput, format!("{place}: {unpromised}")))
        }
    }
}

/// Makes sure that a clock drift means something for the trace.
pub(super) fn drift(drift: i64, history: &History, source: &Source) -> Result<(), CommandError> {
    match history.header.clock {
        Clock::Ordinal if drift != 0 => {
            let message = format!(
                "{}: --clock-drift cannot be used: the times of this trace are positions in the order of \
                 its entries, not clock times",
                source.name()
            );
            Err(CommandError::new(Exit::Usage, message))
        }
        _ => Ok(()),
    }
}

/// Does `work` for every input. A bad input is told about and does not stop the others.
pub(super) fn each(
    inputs: Vec<Result<Source, CommandError>>,
    mut work: impl FnMut(&Source) -> Result<Exit, CommandError>,
) -> Exit {
    let mut worst = Exit::Accept;
    for input in inputs {
        let exit = input.and_then(|source| work(&source)).unwrap_or_else(|failure| {
            complain(&format!("{:#}", failure.error));
            failure.exit
        });
        worst = worst.or_worse(exit);
    }
    worst
}

/// The inputs, and whether there are several.
pub(super) fn inputs(
    args: &TraceArgs,
) -> Result<(Vec<Result<Source, CommandError>>, bool), CommandError> {
    let inputs = input::sources(args)?;
    let many = inputs.len() > 1;
    Ok((inputs, many))
}

/// Up to this many operations a verdict of `check` is certified without being asked for.
const SMALL: usize = 20_000;

/// Lets the certifier look at the verdict of `check`, if that was asked for or the trace is small,
/// and notes that it agreed. A refusal is returned: one of the two programs is wrong.
pub(super) fn certify_one(
    args: &SolveArgs,
    options: &Options,
    history: &History,
    level: &Level,
    verdict: &mut Verdict,
) -> Option<CommandError> {
    if matches!(verdict.answer, Answer::Unknown { .. })
        || !(args.certify || history.ops.len() <= SMALL)
    {
        return None;
    }
    let _certifying = limits::budget().scope("certify");
    if let Err(stop) = limits::budget().check() {
        let why = limits::told(&limits::budget().account(stop));
        complain(&format!("{} was not certified: {why}", level.name));
        return None;
    }
    let read_as = options.interpretation.apply(history);
    let found = tristan_certify::examine((history, &read_as), level, args.clock_drift, verdict);
    verdict.context.certified = found.is_ok();
    found.err().map(|error| refusal(level, &error))
}

fn refusal(level: &Level, error: &CertifyError) -> CommandError {
    let level = &level.name;
    let message = format!(
        "bug in tristan: the certifier rejected the verdict on {level} ({error}). \
         Do not rely on this verdict; please report it with the trace"
    );
    CommandError::new(Exit::Bug, message)
}

/// Lets the certifier look at verdicts if that was asked for, and notes that it agreed. If it
/// refuses one, one of the two is wrong, and so are we.
pub(super) fn certify(
    args: &SolveArgs,
    options: &Options,
    history: &History,
    levels: &[Level],
    reports: &mut [Report],
) -> Result<(), CommandError> {
    if !args.certify {
        return Ok(());
    }
    let history = options.interpretation.apply(history);
    for (level, report) in levels.iter().zip(reports) {
        let _certifying = limits::budget().scope("certify");
        if let Err(stop) = limits::budget().check() {
            let why = limits::told(&limits::budget().account(stop));
            complain(&format!("{} was not certified: {why}", level.name));
            continue;
        }
        let certified =
            tristan_certify::certify(&history, level, args.clock_drift, &report.verdict);
        certified.map_err(|error| refusal(level, &error))?;
        report.verdict.context.certified = !matches!(report.verdict.answer, Answer::Unknown { .. });
    }
    Ok(())
}

/// Tells how long each stage took and what the trace left open, if that was asked for.
pub(super) fn tell_stats(args: &SolveArgs, level: &str, report: &Report) {
    if !args.stats {
        return;
    }
    let mut line = format!("{level}:");
    for (stage, time) in &report.stages {
        let _ = write!(line, " {stage} {:.3} ms", time.as_secs_f64() * 1e3);
    }
    complain(&line);
    if let Some(Superpositions { reads, sources, links }) = report.superpositions {
        complain(&format!(
            "{level}: superpositions: {reads} reads with {sources} sources, {links} version links"
        ));
    }
    if let Some(kilobytes) = peak_memory() {
        complain(&format!("{level}: memory: {} MB peak so far", kilobytes.div_ceil(1024)));
    }
}

/// The most memory this process has held, in kilobytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// What the exit code makes of a verdict.
pub(super) fn policy(args: &SolveArgs, exit: Exit) -> Exit {
    match (exit, args.unknown_as) {
        (Exit::Unknown, Some(UnknownAs::Accept)) => Exit::Accept,
        (Exit::Unknown, Some(UnknownAs::Reject)) => Exit::Reject,
        _ => exit,
    }
}
