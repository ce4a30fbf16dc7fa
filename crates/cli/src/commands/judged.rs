//! `tristan check` for levels that the fast engine cannot take: small histories, judged from the
//! axioms as they are written.

use serde_json::json;
use tristan_history::History;
use tristan_spec::iso::IsoLevel;
use tristan_synth::gates::{SearchBudget, SearchLimits};
use tristan_synth::{ObservedVerdict, WrongRead, WrongReadKind, judge_history};

use super::solve;
use super::written::names::Names;
use crate::args::CheckArgs;
use crate::exit::{CommandError, Exit};
use crate::input::Source;
use crate::limits;
use crate::output::{Output, printable};

pub(super) fn run(
    args: &CheckArgs,
    level: &IsoLevel,
    out: &mut Output,
) -> Result<Exit, CommandError> {
    make_sure_it_fits(args, level)?;
    let (inputs, _) = solve::inputs(&args.input)?;
    Ok(solve::each(inputs, |source| judge(args, level, source, out)))
}

/// Refuses flags that are for levels of dependency form.
pub(super) fn make_sure_it_fits(args: &CheckArgs, level: &IsoLevel) -> Result<(), CommandError> {
    let form = level.form().name();
    if args.emit.is_some() || args.solve.certify || !args.sinks.output.is_empty() {
        let told = format!(
            "{} has {form} form: --emit, --certify and -o require a level in dependency form",
            level.name
        );
        return Err(CommandError::new(Exit::Usage, told));
    }
    Ok(())
}

/// Judges one trace.
pub(super) fn judge(
    args: &CheckArgs,
    level: &IsoLevel,
    source: &Source,
    out: &mut Output,
) -> Result<Exit, CommandError> {
    let history = source.read(args.input.from, args.input.initial.as_ref())?;
    let budget =
        SearchBudget::start(&SearchLimits { within: limits::budget(), ..SearchLimits::default() });
    let (exit, word, why) = match judge_history(level, &history, &budget) {
        ObservedVerdict::Holds(held) => {
            (Exit::Accept, "ACCEPT", Names::of_trace(&history, &held).witnesses(&held.about))
        }
        ObservedVerdict::Violated(violated) => (
            Exit::Reject,
            "REJECT",
            Names::of_trace(&history, &violated).why(level, &violated.about),
        ),
        ObservedVerdict::WrongRead(wrong) => {
            (Exit::Reject, "REJECT", vec![wrong_read(&history, wrong)])
        }
        ObservedVerdict::Unknown(error) => (Exit::Unknown, "UNKNOWN", vec![error.to_string()]),
    };
    if args.sinks.json {
        let value = json!({
            "tristan": "judgement/1",
            "trace": source.name(),
            "level": level.name,
            "answer": word.to_lowercase(),
            "why": why,
        });
        out.write(&format!("{value:#}\n"))?;
        return Ok(solve::policy(&args.solve, exit));
    }
    let name = printable(&source.name());
    out.write(&format!("{name}   {word}   {}   checked against its axioms\n", level.name))?;
    for line in &why {
        out.write(&format!("  {line}\n"))?;
    }
    Ok(solve::policy(&args.solve, exit))
}

/// What is wrong with a read, for people.
fn wrong_read(history: &History, wrong: WrongRead) -> String {
    let what = match wrong.kind {
        WrongReadKind::NotOwn => "missed the last write of its own transaction".to_owned(),
        WrongReadKind::Unwritten => "returned a value that no transaction wrote".to_owned(),
        WrongReadKind::Future => {
            "returned a value that its own transaction wrote only later".to_owned()
        }
        WrongReadKind::Start => "contradicts the initial state that other reads saw".to_owned(),
        WrongReadKind::Aborted(txn) => {
            format!("returned a value written by {}, which did not commit", history.label(txn))
        }
        WrongReadKind::Intermediate(txn) => {
            format!("returned a value that {} wrote and later overwrote", history.label(txn))
        }
    };
    format!("line {}: a read of {} {what}", history.op(wrong.op).line, history.label(wrong.op.txn))
}
