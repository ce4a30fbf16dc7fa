//! How traces are read where that differs from what they say themselves: `--semantics` and
//! `--own-writes`, and what a verdict says about both.

use tristan_check::{Interpretation, OwnPolicy, Semantics};
use tristan_formats::InitialRule;
use tristan_history::{History, OwnWrites};
use tristan_verdict::Verdict;

use crate::args::{ReadingArgs, SolveArgs, TraceArgs};
use crate::exit::{CommandError, Exit};
use crate::input::Source;

/// What the command line asks for.
pub(super) fn interpretation(args: &ReadingArgs) -> Interpretation {
    Interpretation { semantics: args.semantics, own_writes: args.own_writes }
}

/// The same as text to type, with a space before it.
pub(super) fn flags(args: &ReadingArgs) -> String {
    let mut text = String::new();
    if let Some(semantics) = args.semantics {
        text += &format!(" --semantics {}", semantics.name());
    }
    match args.own_writes {
        Some(OwnPolicy::Given(policy)) => text += &format!(" --own-writes {}", policy.name()),
        Some(OwnPolicy::Infer) => text += " --own-writes infer",
        None => {}
    }
    text
}

/// The command that judges a trace at a level, as text to type.
pub(super) fn command(
    input: &TraceArgs,
    reading: &ReadingArgs,
    args: &SolveArgs,
    source: &Source,
    level: &str,
) -> String {
    let drift = match args.clock_drift {
        0 => String::new(),
        nanos => format!(" --clock-drift {nanos}ns"),
    };
    format!(
        "tristan check {}{}{} --level {}{drift}",
        quoted(&source.argument()),
        initial_flag(input.initial.as_ref()),
        flags(reading),
        quoted(level),
    )
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./:@%+=,".contains(letter);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// How keys are to start, as text to type, with a space before it.
pub(super) fn initial_flag(rule: Option<&InitialRule>) -> String {
    rule.map_or_else(String::new, |rule| {
        let text = rule.to_string();
        let is_plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        match is_plain {
            true => format!(" --initial={text}"),
            false => format!(" --initial='{}'", text.replace('\'', "'\\''")),
        }
    })
}

/// What a title says about vendor semantics.
pub(super) fn title(args: &ReadingArgs) -> String {
    args.semantics.map_or_else(String::new, |semantics| format!(" with {}", semantics.name()))
}

/// How the trace was read for a verdict. Flags that say otherwise are a mistake.
pub(super) fn of_verdict(
    args: &ReadingArgs,
    history: &History,
    verdict: &Verdict,
) -> Result<Interpretation, CommandError> {
    let semantics = known(verdict.semantics.as_deref(), "semantics", Semantics::from_name)?;
    let policy = known(verdict.own_writes.as_deref(), "own-writes policy", OwnWrites::from_name)?;
    if let Some(asked) = args.semantics.filter(|&asked| Some(asked) != semantics) {
        return Err(contradiction("--semantics", asked.name(), semantics.map(Semantics::name)));
    }
    let used = policy.unwrap_or(history.header.own_writes);
    let asked = args.own_writes.map(|own| own.policy(history));
    if let Some(asked) = asked.filter(|&asked| asked != used) {
        return Err(contradiction("--own-writes", asked.name(), Some(used.name())));
    }
    Ok(Interpretation { semantics, own_writes: policy.map(OwnPolicy::Given) })
}

fn known<T>(
    name: Option<&str>,
    what: &str,
    find: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, CommandError> {
    let Some(name) = name else { return Ok(None) };
    let unknown = || CommandError::new(Exit::BadInput, format!("unknown {what} {name:?}"));
    find(name).map(Some).ok_or_else(unknown)
}

fn contradiction(flag: &str, asked: &str, used: Option<&str>) -> CommandError {
    let used = used.map_or_else(|| "without".to_owned(), |used| format!("with {used}"));
    let message = format!("{flag} {asked} contradicts the verdict, which was computed {used}");
    CommandError::new(Exit::Usage, message)
}
