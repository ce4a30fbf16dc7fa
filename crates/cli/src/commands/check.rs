//! `tristan check`: one level, a verdict per trace.
//!
//! Levels that have dependency form go to the fast engine, others to the judge.

use std::time::{Duration, Instant};

use tristan_check::shrink::shrink;
use tristan_check::{Options, emit};
use tristan_history::History;
use tristan_report::Hints;
use tristan_spec::iso::Library;
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, Verdict};

use super::{judged, levels, reading, solve, written};
use crate::args::{CheckArgs, EmitForm};
use crate::exit::{Exit, Failure, OrExit};
use crate::input::Source;
use crate::limits;
use crate::output::Output;
use crate::progress::Progress;
use crate::sinks::Sinks;

/// Traces with more transactions are not judged again for the sake of a page.
const LARGE: usize = 20_000;
/// How long to look for a smaller trace.
const SHRINKING: Duration = Duration::from_secs(10);

pub(super) fn run(args: CheckArgs, out: &mut Output) -> Result<Exit, Failure> {
    let library = written::library(&args.files)?;
    let Some(name) = name(&args, &library)? else {
        return levels::run(&args.input, &args.solve, &args.sinks, out);
    };
    let level = match (Catalog::of(&library).find(&name), library.find(&name)) {
        (Ok(level), _) => level,
        (Err(_), Ok(level)) => return judged::run(&args, &level, out),
        (Err(_), Err(unknown)) => return Err(unknown).or_exit(Exit::Usage),
    };
    let (inputs, many) = solve::inputs(&args.input)?;
    if let Some(form) = args.emit {
        return Ok(solve::each(inputs, |source| print(&args, &level, form, source, out)));
    }
    let mut sinks = Sinks::open(&args.sinks, many)?;
    let exit = solve::each(inputs, |source| {
        sinks.on_overrun(vec![level.clone()], source.name());
        let (verdict, refused) =
            judge(&args, &level, source, sinks.wants_page()).or_else(|failure| {
                limits::unread(failure, &level, &source.name()).map(|verdict| (verdict, None))
            })?;
        let exit = Exit::of(&verdict);
        let hints = hints(&args, &verdict, source, &sinks);
        sinks.verdict(out, verdict, &hints)?;
        refused.map_or(Ok(solve::policy(&args.solve, exit)), Err)
    });
    sinks.finish(out)?;
    Ok(exit)
}

/// The level that is asked about: the one that is named, or the only one of one's own.
fn name(args: &CheckArgs, library: &Library) -> Result<Option<String>, Failure> {
    if args.level.is_some() || args.files.spec.is_empty() {
        if args.emit.is_some() && args.level.is_none() {
            return Err(Failure::new(Exit::Usage, "--emit needs a --level".to_owned()));
        }
        return Ok(args.level.clone());
    }
    let own = written::own(library, &args.files);
    match own.as_slice() {
        [only] => Ok(Some((*only).to_owned())),
        [] => Err(Failure::new(Exit::BadInput, "there is no level in the --spec file".to_owned())),
        several => {
            let told = format!("--level must say which of {} is meant", several.join(", "));
            Err(Failure::new(Exit::Usage, told))
        }
    }
}

/// The verdict, and the refusal of the certifier if it does not agree.
fn judge(
    args: &CheckArgs,
    level: &Level,
    source: &Source,
    for_page: bool,
) -> Result<(Verdict, Option<Failure>), Failure> {
    let progress = Progress::new(args.solve.progress, &source.name());
    let history = source.read(args.input.from, args.input.initial.as_ref())?;
    solve::promised(level, &history, source)?;
    solve::drift(args.solve.clock_drift, &history, source)?;
    let options = solve::options(&args.solve, &args.input, source);
    let report = tristan_check::check(&history, level, &options, &progress);
    drop(progress);
    solve::tell_stats(&args.solve, &level.name, &report);
    let mut verdict = report.verdict;
    let refused = solve::certify_one(&args.solve, &options, &history, level, &mut verdict);
    let command = reading::command(&args.input, &args.solve, source, &level.name);
    verdict.context.command = Some(command);
    if for_page {
        elaborate(&history, level, &options, &mut verdict);
    }
    Ok((verdict, refused))
}

/// Adds what only a page shows and what takes a while to find out, if the trace is not too large
/// for that: how other levels stand, and the smallest trace that fails.
fn elaborate(history: &History, level: &Level, options: &Options, verdict: &mut Verdict) {
    if history.txns.len() > LARGE {
        return;
    }
    tristan_check::survey(history, options, verdict);
    let until = Some(Instant::now() + SHRINKING);
    let Some(shrunk) = shrink(history, level, options, verdict, until) else { return };
    verdict.context.smallest = Some(shrunk.trace());
}

/// How to learn more about a rejection.
fn hints(args: &CheckArgs, verdict: &Verdict, source: &Source, sinks: &Sinks) -> Hints {
    let trace = source.argument();
    let initial = reading::initial_flag(args.input.initial.as_ref());
    let flags = reading::flags(&args.input.reading);
    let keep = match sinks.json_file() {
        Some(file) => format!("tristan certify {file} {trace}{initial}"),
        None => "-o json=FILE keeps the evidence".to_owned(),
    };
    let more = matches!(verdict.answer, Answer::Reject { .. })
        .then(|| format!("tristan levels {trace}{initial}{flags}; {keep}"));
    Hints { more, ..Hints::default() }
}

fn print(
    args: &CheckArgs,
    level: &Level,
    form: EmitForm,
    source: &Source,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let history = source.read(args.input.from, args.input.initial.as_ref())?;
    solve::promised(level, &history, source)?;
    solve::drift(args.solve.clock_drift, &history, source)?;
    let options = solve::options(&args.solve, &args.input, source);
    let text = match form {
        EmitForm::Ir => emit::ir(&history, level, &options),
        EmitForm::Smt2 => emit::smt2(&history, level, &options),
    };
    out.write(&text.or_exit(Exit::BadInput)?)?;
    Ok(Exit::Accept)
}
