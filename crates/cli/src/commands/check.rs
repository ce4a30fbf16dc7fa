//! `tristan check`: one level, a verdict per trace.
//!
//! The level is the one that is asked for; without that, each trace is judged by the level that it
//! claims, and a trace that claims none by all of them. Levels that have dependency form go to the
//! fast engine, others to the judge.

use std::time::Duration;

use tristan_check::budget::Limits;
use tristan_check::shrink::shrink;
use tristan_check::{Options, emit};
use tristan_history::History;
use tristan_report::ReportContext;
use tristan_spec::iso::{self, Library};
use tristan_spec::{Catalog, Level, UnknownLevelError, is_full_name};
use tristan_verdict::{Answer, Asked, AskedBy, Verdict};

use super::claim::claim;
use super::{judged, levels, reading, solve, written};
use crate::args::{CheckArgs, EmitForm, ReadingArgs};
use crate::exit::{CommandError, Exit, OrExit};
use crate::input::Source;
use crate::limits;
use crate::output::Output;
use crate::progress::Progress;
use crate::sinks::Sinks;

/// Traces with more transactions are not judged again for the sake of a page.
const LARGE: usize = 20_000;
/// How long to look for a smaller trace.
const SHRINKING: Duration = Duration::from_secs(10);

pub(super) fn run(args: CheckArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let library = written::library(&args.files)?;
    let Some(name) = name(&args, &library)? else {
        return claimed(&args, &library, out);
    };
    let level = match find(&library, &name).or_exit(Exit::Usage)? {
        Found::Fast(level) => level,
        Found::Judged(level) => return judged::run(&args, &level, out),
    };
    let (inputs, many) = solve::inputs(&args.input)?;
    if let Some(form) = args.emit {
        return Ok(solve::each(inputs, |source| print(&args, &level, form, source, out)));
    }
    let asked = (!is_full_name(&name, &level.name)).then(|| Asked {
        name: name.clone(),
        by: AskedBy::User,
        because: None,
    });
    let question = Question { level, reading: args.input.reading, asked };
    let mut sinks = Sinks::open(&args.sinks, many)?;
    let exit = solve::each(inputs, |source| {
        sinks.on_overrun(vec![question.level.clone()], source.name());
        let history = match source.read(args.input.from, args.input.initial.as_ref()) {
            Ok(history) => history,
            Err(failure) => {
                let verdict = limits::unread(failure, &question.level, &source.name())?;
                return told(&args, (verdict, None), source, &mut sinks, out);
            }
        };
        let verdict = judge(&args, &question, source, &history, sinks.wants_page())?;
        told(&args, verdict, source, &mut sinks, out)
    });
    sinks.finish(out)?;
    Ok(exit)
}

/// What is asked about a trace.
struct Question {
    level: Level,
    reading: ReadingArgs,
    /// The name that the level was asked for by, if it is worth telling.
    asked: Option<Asked>,
}

/// A level by what can judge it.
enum Found {
    Fast(Level),
    Judged(Box<iso::IsoLevel>),
}

fn find(library: &Library, name: &str) -> Result<Found, UnknownLevelError> {
    match Catalog::of(library).find(name) {
        Ok(level) => Ok(Found::Fast(level)),
        Err(_) => library.find(name).map(|level| Found::Judged(Box::new(level))),
    }
}

/// Judges each trace by the level that it claims. No promise was made by a trace without a claim, so
/// all levels are shown and none of them is a failure.
fn claimed(args: &CheckArgs, library: &Library, out: &mut Output) -> Result<Exit, CommandError> {
    let (inputs, many) = solve::inputs(&args.input)?;
    let mut sinks = Sinks::open(&args.sinks, many)?;
    let exit = solve::each(inputs, |source| {
        // As long as the trace is not read, nothing is known about its level.
        sinks.on_overrun(Vec::new(), source.name());
        let history = source.read(args.input.from, args.input.initial.as_ref())?;
        let Some(claim) = claim(&history).map_err(|failure| failure.at(&source.name()))? else {
            let all = levels::All { input: &args.input, solve: &args.solve };
            return all.show(source, &history, &mut sinks, out);
        };
        let found = find(library, &claim.level).map_err(|unknown| {
            let message = format!(
                "{}: the trace claims a level that is not known: {unknown}\nUse --level NAME to check another level",
                source.name()
            );
            CommandError::new(Exit::BadInput, message)
        })?;
        let level = match found {
            Found::Fast(level) => level,
            Found::Judged(level) => {
                judged::make_sure_it_fits(args, &level)?;
                return judged::judge(args, &level, source, out);
            }
        };
        let own = args.input.reading;
        let reading = ReadingArgs { semantics: own.semantics.or(claim.semantics), ..own };
        let question = Question { level, reading, asked: Some(claim.asked) };
        sinks.on_overrun(vec![question.level.clone()], source.name());
        let verdict = judge(args, &question, source, &history, sinks.wants_page())?;
        told(args, verdict, source, &mut sinks, out)
    });
    sinks.finish(out)?;
    Ok(exit)
}

fn told(
    args: &CheckArgs,
    (verdict, refused): (Verdict, Option<CommandError>),
    source: &Source,
    sinks: &mut Sinks,
    out: &mut Output,
) -> Result<Exit, CommandError> {
    let exit = Exit::of(&verdict);
    let context = report_context(args, &verdict, source, sinks);
    sinks.verdict(out, verdict, &context)?;
    refused.map_or(Ok(solve::policy(&args.solve, exit)), Err)
}

/// The level that is asked about: the one that is named, or the only user-defined one.
fn name(args: &CheckArgs, library: &Library) -> Result<Option<String>, CommandError> {
    if args.level.is_some() || args.files.spec.is_empty() {
        if args.emit.is_some() && args.level.is_none() {
            let told = "--emit requires --level: it prints the problem for one level".to_owned();
            return Err(CommandError::new(Exit::Usage, told));
        }
        return Ok(args.level.clone());
    }
    let own = written::own(library, &args.files);
    match own.as_slice() {
        [only] => Ok(Some((*only).to_owned())),
        [] => Err(CommandError::new(Exit::BadInput, "the --spec file defines no level".to_owned())),
        several => {
            let told = format!(
                "the --spec file defines several levels; choose one with --level: {}",
                several.join(", ")
            );
            Err(CommandError::new(Exit::Usage, told))
        }
    }
}

/// The verdict, and the refusal of the certifier if it does not agree.
fn judge(
    args: &CheckArgs,
    question: &Question,
    source: &Source,
    history: &History,
    for_page: bool,
) -> Result<(Verdict, Option<CommandError>), CommandError> {
    let Question { level, reading, asked } = question;
    let progress = Progress::new(args.solve.progress, &source.name());
    solve::promised(level, history, source)?;
    solve::drift(args.solve.clock_drift, history, source)?;
    let mut options = solve::options(&args.solve, &args.input, source);
    options.interpretation = reading::interpretation(reading);
    let report = tristan_check::check(history, level, &options, &progress);
    drop(progress);
    solve::tell_stats(&args.solve, &level.name, &report);
    let mut verdict = report.verdict;
    let refused = solve::certify_one(&args.solve, &options, history, level, &mut verdict);
    let command = reading::command(&args.input, reading, &args.solve, source, &level.name);
    verdict.context.command = Some(command);
    verdict.context.asked.clone_from(asked);
    if for_page {
        elaborate(history, level, &options, &mut verdict);
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
    let limits = Limits { time: Some(SHRINKING), memory: None };
    let Some(shrunk) = shrink(history, level, options, verdict, &limits) else { return };
    verdict.context.smallest = Some(tristan_formats::compact(&shrunk.history));
}

/// How to learn more about a rejection.
fn report_context(
    args: &CheckArgs,
    verdict: &Verdict,
    source: &Source,
    sinks: &Sinks,
) -> ReportContext {
    let trace = source.argument();
    let initial = reading::initial_flag(args.input.initial.as_ref());
    let flags = reading::flags(&args.input.reading);
    let keep = match sinks.json_file() {
        Some(file) => format!("tristan certify {file} {trace}{initial}"),
        None => "-o json=FILE saves the evidence".to_owned(),
    };
    let more = matches!(verdict.answer, Answer::Reject { .. })
        .then(|| format!("tristan levels {trace}{initial}{flags}; {keep}"));
    ReportContext { more, ..ReportContext::default() }
}

fn print(
    args: &CheckArgs,
    level: &Level,
    form: EmitForm,
    source: &Source,
    out: &mut Output,
) -> Result<Exit, CommandError> {
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
