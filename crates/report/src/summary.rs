//! A verdict in a line and in a sentence, for every output.

use tristan_verdict::{Answer, Edge, Refutation, Verdict};

use crate::cases::{self, End};
use crate::cycle::reason;
use crate::layout::{count, fold};
use crate::names::Names;
use crate::proof::{Main, main};
use crate::text::stopped;

/// The answer in one word.
pub fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Accept { .. } => "ACCEPT",
        Answer::Reject { .. } => "REJECT",
        Answer::Unknown { .. } => "UNKNOWN",
    }
}

/// `REJECT serializable: G2-item (write skew)`
pub(crate) fn headline(verdict: &Verdict) -> String {
    let mut line = format!("{} {}", word(&verdict.answer), fold(&verdict.level, 80));
    if let Some(semantics) = &verdict.semantics {
        line.push_str(&format!(" with {}", fold(semantics, 60)));
    }
    if let Answer::Reject { anomaly, .. } = &verdict.answer {
        let title = anomaly.title.as_ref().map(|title| format!(" ({})", fold(title, 60)));
        line.push_str(&format!(": {}{}", fold(&anomaly.class, 40), title.unwrap_or_default()));
    }
    line
}

/// The answer in one sentence.
pub fn sentence(verdict: &Verdict) -> String {
    match &verdict.answer {
        Answer::Reject { anomaly, refutation } => {
            contradiction(verdict, refutation).unwrap_or_else(|| fold(&anomaly.sentence, 600))
        }
        Answer::Accept { witness } if witness.order.is_empty() => {
            "No transaction took effect, so there is nothing to explain.".to_owned()
        }
        Answer::Accept { .. } => "One order of the transactions explains every read.".to_owned(),
        Answer::Unknown { reason, .. } => {
            format!("Not decided: {}.", stopped(reason).0)
        }
    }
}

/// The contradiction, if the argument needs no cases.
fn contradiction(verdict: &Verdict, refutation: &Refutation) -> Option<String> {
    let names = Names::of(verdict);
    if !refutation.cases.is_empty() {
        return None;
    }
    let node = cases::argue(refutation, names)?;
    let (End::Conflict(_), Main::Cycle(edges, _)) = (&node.end, main(refutation, names)) else {
        return None;
    };
    let (last, rest) = edges.split_last()?;
    let (from, to) = (names.txn(last.from), names.txn(last.to));
    let because = reason(names, last);
    let forced = match rest {
        [] => return None,
        [_] => format!("But {to} must also come before {from}"),
        _ => format!("But {} is required as well", path(names, rest)),
    };
    let told = format!(
        "{because}, so {from} must come before {to}. {forced}, so these {} have no valid order.",
        count(edges.len(), "transaction")
    );
    Some(told.replace('\u{a0}', " "))
}

/// `A → B → C`, the middle left out when it is long.
fn path(names: Names<'_>, edges: &[Edge]) -> String {
    let mut stops: Vec<String> = edges.iter().map(|edge| names.txn(edge.from)).collect();
    stops.extend(edges.last().map(|edge| names.txn(edge.to)));
    if stops.len() > 7 {
        stops.splice(3..stops.len() - 3, ["…".to_owned()]);
    }
    stops.join(" → ")
}

/// Build servers show no more lines.
const MOST_LINES: usize = 200;

/// The steps of the argument, each on a line, as the text output has them.
pub(crate) fn steps(verdict: &Verdict) -> String {
    let context = crate::ReportContext::default();
    let text = crate::text(verdict, &context, crate::Style::default());
    let lines = text.lines().skip(1).map(|line| line.strip_prefix("  ").unwrap_or(line));
    let mut steps: String =
        lines.clone().take(MOST_LINES).map(|line| line.to_owned() + "\n").collect();
    if let Some(more @ 1..) = lines.count().checked_sub(MOST_LINES) {
        steps.push_str(&format!("… {more} more lines\n"));
    }
    steps
}
