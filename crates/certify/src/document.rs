//! Everything that a verdict says beside its evidence: true, refused, or named as not checked.
//!
//! ```text
//!   field                                     here
//!   schema, level, definition                 compared with the level
//!   trace (counts), transactions              compared with the trace
//!   anomaly.class                             derived from the refutation again
//!   own_writes, semantics                     told, where the trace is not read as it stands
//!   titles, sentences, assumptions, context   not checked, and named as such
//! ```
//!
//! The evidence itself is the business of the other modules.

use tristan_history::{History, Outcome, OwnWrites};
use tristan_spec::Level;
use tristan_verdict::{
    Answer, Assumption, PointKind, Refutation, SCHEMA_VERSION, Standing, TraceSummary, Verdict,
};

use crate::error::CertifyError;
use crate::fields::{Open, Unchecked, expect, refuse};
use crate::{Certified, cards, class};

/// What was found out about a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certificate {
    /// What the evidence shows.
    pub certified: Certified,
    /// The fields of the verdict that were not checked. All others are true of the trace.
    pub unchecked: Vec<Unchecked>,
}

/// Checks what the verdict says beside its evidence. `trace` is the trace as it stands, `history`
/// the same as it was read for the verdict.
pub(crate) fn check(
    (trace, history): (&History, &History),
    level: &Level,
    drift: i64,
    verdict: &Verdict,
) -> Result<Vec<Unchecked>, CertifyError> {
    let mut open = Open::default();
    expect("schema", &verdict.schema.as_str(), &SCHEMA_VERSION)?;
    let definition = level.formula.to_string();
    if verdict.definition != definition {
        let found = &verdict.definition;
        let problem = format!("found {found:?}, but {} is {definition:?}", level.name);
        return Err(refuse("definition", problem));
    }
    if let Some(semantics) = &verdict.semantics {
        let why = format!("the trace was rewritten by {semantics}, with the code of the check");
        open.because("semantics", why);
    }
    check_own_writes(trace, history, verdict, &mut open)?;
    open.field("trace.name");
    let unread = TraceSummary { name: verdict.trace.name.clone(), ..TraceSummary::default() };
    match (&verdict.answer, verdict.trace == unread) {
        (Answer::Unknown { .. }, true) => open.because("trace", "it was not read to its end"),
        _ => check_counts(history, &verdict.trace)?,
    }
    check_answer(&verdict.answer, &mut open)?;
    check_assumptions(&verdict.assumptions, drift, &mut open)?;
    cards::check(history, &verdict.transactions, &mut open)?;
    check_context(verdict, &mut open)?;
    Ok(open.0)
}

/// The policy is the one by which the evidence was checked; another one than that of the trace is
/// told.
fn check_own_writes(
    trace: &History,
    history: &History,
    verdict: &Verdict,
    open: &mut Open,
) -> Result<(), CertifyError> {
    let (stated, used) = (trace.header.own_writes, history.header.own_writes);
    let told = match verdict.own_writes.as_deref() {
        // Semantics that rewrite the trace may also say what own reads return.
        None if verdict.semantics.is_some() => used,
        None => stated,
        Some(name) => OwnWrites::from_name(name)
            .ok_or_else(|| refuse("own_writes", format!("{name:?} is not a policy")))?,
    };
    if told != used {
        let problem = format!("found {}, but the trace was read with {}", told.name(), used.name());
        return Err(refuse("own_writes", problem));
    }
    if used != stated {
        let why = format!("the trace says {}, the verdict assumes {}", stated.name(), used.name());
        open.because("own_writes", why);
    }
    Ok(())
}

fn check_counts(history: &History, told: &TraceSummary) -> Result<(), CertifyError> {
    let ended = |outcome| history.txns.iter().filter(|txn| txn.outcome == outcome).count();
    for (field, told, counted) in [
        ("trace.transactions", told.transactions, history.txns.len()),
        ("trace.committed", told.committed, ended(Outcome::Committed)),
        ("trace.unknown", told.unknown, ended(Outcome::Unknown)),
        ("trace.sessions", told.sessions, history.sessions.len()),
        ("trace.operations", told.operations, history.ops.len()),
        ("trace.keys", told.keys, history.keys.len()),
    ] {
        expect(field, &told, &counted)?;
    }
    Ok(())
}

/// The words that go with the evidence.
fn check_answer(answer: &Answer, open: &mut Open) -> Result<(), CertifyError> {
    match answer {
        Answer::Accept { .. } => {}
        Answer::Reject { anomaly, refutation } => {
            match class::of(refutation) {
                classes if classes.contains(&anomaly.class) => {}
                classes if classes.is_empty() => open.field("anomaly.class"),
                classes => {
                    let expected: Vec<String> = classes.into_iter().collect();
                    let (found, expected) = (&anomaly.class, expected.join(" or "));
                    let problem = format!("found {found}, but the evidence shows {expected}");
                    return Err(refuse("anomaly.class", problem));
                }
            }
            if anomaly.title.is_some() {
                open.field("anomaly.title");
            }
            open.field("anomaly.sentence");
            note_minimal("refutation", refutation, open);
        }
        Answer::Unknown { .. } => {
            open.field("reason");
            open.field("decided");
        }
    }
    Ok(())
}

fn note_minimal(path: &str, refutation: &Refutation, open: &mut Open) {
    open.field(format!("{path}.minimal"));
    for (number, case) in refutation.cases.iter().enumerate() {
        note_minimal(&format!("{path}.cases[{number}].refutation"), &case.refutation, open);
    }
}

/// Assumptions are words. One of them must agree with what the evidence was checked with.
fn check_assumptions(
    assumptions: &[Assumption],
    drift: i64,
    open: &mut Open,
) -> Result<(), CertifyError> {
    for (number, Assumption { what, .. }) in assumptions.iter().enumerate() {
        let told = what.strip_prefix("clocks differ by at most ").and_then(nanoseconds);
        if let Some(told) = told.filter(|&told| told != i128::from(drift)) {
            let problem = format!(
                "the verdict assumes that clocks differ by {told} ns, but the check uses {drift} ns"
            );
            return Err(refuse(format!("assumptions[{number}].what"), problem));
        }
    }
    if !assumptions.is_empty() {
        open.field("assumptions");
    }
    Ok(())
}

/// A duration such as `5 ms`; `None` if it is something else.
fn nanoseconds(text: &str) -> Option<i128> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: i128 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    };
    number.checked_mul(unit)
}

/// What a report shows around the answer. Only the level of the verdict has evidence.
fn check_context(verdict: &Verdict, open: &mut Open) -> Result<(), CertifyError> {
    let context = &verdict.context;
    // A level that the trace cannot test is not violated either.
    let possible: &[Standing] = match verdict.answer {
        Answer::Accept { .. } => &[Standing::Holds, Standing::Untested],
        Answer::Reject { .. } => &[Standing::Violated],
        Answer::Unknown { .. } => &[],
    };
    for (number, mark) in context.levels.iter().enumerate() {
        let is_known = mark.level == verdict.level && !possible.is_empty();
        if is_known && !possible.contains(&mark.standing) {
            let problem = "contradicts the verdict";
            return Err(refuse(format!("levels[{number}].standing"), problem));
        }
    }
    for (field, said) in [
        ("levels", !context.levels.is_empty()),
        ("scene", context.scene.is_some()),
        ("coverage", context.coverage.is_some()),
        ("asked", context.asked.is_some()),
        ("smallest", context.smallest.is_some()),
        ("command", context.command.is_some()),
        ("certified", context.certified),
        ("tool", context.tool.is_some()),
    ] {
        if said {
            open.field(field);
        }
    }
    Ok(())
}

/// Notes that the begin points of a witness are not places of snapshots.
pub(crate) fn note_begin_points(verdict: &Verdict, snapshots: bool, open: &mut Vec<Unchecked>) {
    let Answer::Accept { witness } = &verdict.answer else { return };
    if !snapshots && witness.order.iter().any(|point| point.at == PointKind::Begin) {
        let why = Some("the places of begin points; those of commits were checked".to_owned());
        open.push(Unchecked { field: "witness.order".to_owned(), why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_they_are_printed() {
        for (text, expected) in [
            ("0 ns", Some(0)),
            ("5ms", Some(5_000_000)),
            ("2 s", Some(2_000_000_000)),
            ("soon", None),
            ("5 fortnights", None),
        ] {
            assert_eq!(nanoseconds(text), expected, "{text}");
        }
    }
}
