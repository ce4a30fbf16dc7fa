//! Refutations of resolved histories, put together to one of the trace.

use std::collections::BTreeSet;

use tristan_history::{History, OpRef, TxnId};
use tristan_verdict::{Anomaly, Answer, Case, Fate, Refutation, UnknownReason, Verdict};

use super::proposals::cover_everything;
use crate::explain::cards::in_words;
use crate::sat::Batsat;

/// A verdict that holds whenever some fates do.
pub(super) struct Found {
    /// The fates, by transaction and operation.
    pub(super) fates: Vec<Fate>,
    /// A reject.
    pub(super) verdict: Verdict,
}

impl Found {
    fn refutation(&self) -> &Refutation {
        match &self.verdict.answer {
            Answer::Reject { refutation, .. } => refutation,
            _ => unreachable!("only rejects are cases"),
        }
    }
}

/// Up to so many cases, those that are alike are merged, and those that are not needed left out.
const FEW_ENOUGH: usize = 64;

/// The reject of a trace of which every possibility is rejected.
pub(super) fn joined(trace: &History, mut found: Vec<Found>) -> Verdict {
    if found.len() <= FEW_ENOUGH {
        while merge_two(&mut found) {}
        leave_out_needless(&mut found);
    }
    if found.len() == 1 {
        return found.remove(0).verdict;
    }
    let core: BTreeSet<u32> =
        found.iter().flat_map(|found| found.refutation().core.iter().copied()).collect();
    let anomaly = anomaly(trace, &found);
    let case =
        |found: &Found| Case { fates: found.fates.clone(), refutation: found.refutation().clone() };
    let cases = found.iter().map(case).collect();
    let core = core.into_iter().collect();
    let refutation = Refutation { cases, core, ..Refutation::default() };
    Verdict { answer: Answer::Reject { anomaly, refutation }, ..found.remove(0).verdict }
}

/// Two cases with the same refutation that differ in one fate only are one case without it.
fn merge_two(found: &mut Vec<Found>) -> bool {
    for later in 1..found.len() {
        for earlier in 0..later {
            let (one, other) = (&found[earlier], &found[later]);
            if let Some(at) = differ_in_one(&one.fates, &other.fates)
                && one.refutation() == other.refutation()
            {
                found[earlier].fates.remove(at);
                found.remove(later);
                return true;
            }
        }
    }
    false
}

/// The place of the only fate in which two lists differ.
fn differ_in_one(one: &[Fate], other: &[Fate]) -> Option<usize> {
    let same_places = one.len() == other.len()
        && one.iter().zip(other).all(|(a, b)| (a.txn, a.op) == (b.txn, b.op));
    let mut differing = (0..one.len()).filter(|&at| same_places && one[at] != other[at]);
    differing.next().filter(|_| differing.next().is_none())
}

fn leave_out_needless(found: &mut Vec<Found>) {
    for at in (0..found.len()).rev() {
        let others = found.iter().enumerate().filter(|(other, _)| *other != at);
        if cover_everything::<Batsat>(others.map(|(_, found)| found.fates.as_slice())) {
            found.remove(at);
        }
    }
}

/// The anomaly of the likeliest case; the sentence says what becomes of the others.
fn anomaly(trace: &History, found: &[Found]) -> Anomaly {
    let Answer::Reject { anomaly: first, .. } = &found[0].verdict.answer else {
        unreachable!("only rejects are cases")
    };
    let sentence = match found {
        [one, other] => format!(
            "{} {} {} {}",
            condition(trace, &one.fates),
            sentence(one),
            condition(trace, &other.fates),
            sentence(other)
        ),
        _ => format!(
            "The trace is rejected no matter which of the operations that never returned took \
             effect ({} cases). {} {}",
            found.len(),
            condition(trace, &found[0].fates),
            first.sentence
        ),
    };
    Anomaly { sentence, ..first.clone() }
}

fn sentence(found: &Found) -> &str {
    match &found.verdict.answer {
        Answer::Reject { anomaly, .. } => &anomaly.sentence,
        _ => "",
    }
}

/// `If A's write x ← 1 took effect:`
fn condition(trace: &History, fates: &[Fate]) -> String {
    let told = fates.iter().map(|fate| {
        let at = OpRef { txn: TxnId(fate.txn), op: fate.op };
        let (label, deed) = (trace.label(at.txn), in_words(trace, trace.op(at)));
        let verb = if fate.effect { "took effect" } else { "did not take effect" };
        format!("{label}'s {deed} {verb}")
    });
    format!("If {}:", told.collect::<Vec<_>>().join(" and "))
}

/// The verdict if too many possibilities are left.
pub(super) fn too_many(found: Vec<Found>, unclear: Option<Verdict>, open: usize) -> Verdict {
    let what = format!(
        "{open} operations may or may not have taken effect; {} possibilities were checked and others \
         remain",
        found.len() + usize::from(unclear.is_some())
    );
    undecided(found, unclear, UnknownReason::Unsupported { what })
}

/// The verdict if a limit was hit before every possibility was checked.
pub(super) fn undecided(
    found: Vec<Found>,
    unclear: Option<Verdict>,
    reason: UnknownReason,
) -> Verdict {
    let checked = found.len() + usize::from(unclear.is_some());
    let decided = format!(
        "the trace is rejected in {} of {checked} combinations of operations that may have taken \
         effect",
        found.len()
    );
    let any = found.into_iter().map(|found| found.verdict).chain(unclear).next();
    let any = any.expect("at least one possibility was checked");
    Verdict { answer: Answer::Unknown { reason, decided }, ..any }
}
