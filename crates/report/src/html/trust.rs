//! Can I trust it? The definition, what was taken for granted, who checked it.

use tristan_verdict::{Answer, Verdict};

use super::Page;
use crate::layout::{count, fold};
use crate::markup::escaped;

const MOST_ASSUMPTIONS: usize = 40;

/// The section on trust.
pub(super) fn trust(page: &mut Page, verdict: &Verdict) {
    page.push("<section>");
    page.heading("Can I trust it?");
    page.push("<dl class=\"list\">");
    let definition = escaped(&fold(&verdict.definition, 400));
    page.push(&format!("<dt>definition</dt><dd><code>{definition}</code></dd>"));
    for assumption in verdict.assumptions.iter().take(MOST_ASSUMPTIONS) {
        let (what, status) = (fold(&assumption.what, 300), fold(&assumption.status, 200));
        page.push(&format!(
            "<dt>assumed</dt><dd>{} <span class=\"meta\">{}</span></dd>",
            escaped(&what),
            escaped(&status)
        ));
    }
    if let Some(more @ 1..) = verdict.assumptions.len().checked_sub(MOST_ASSUMPTIONS) {
        page.push(&format!("<dt>assumed</dt><dd>{more} more, in the JSON verdict</dd>"));
    }
    page.push(&format!("<dt>evidence</dt><dd>{}</dd>", escaped(&evidence(verdict))));
    let certified = match (&verdict.answer, verdict.context.certified) {
        (Answer::Unknown { .. }, _) => "none: the verdict is unknown",
        (_, true) => {
            "certified: an independent checker, which shares no code with the search, confirmed it"
        }
        (_, false) => "not certified: tristan certify checks it independently",
    };
    page.push(&format!("<dt>certificate</dt><dd>{certified}</dd>"));
    if let Some(tool) = &verdict.context.tool {
        page.push(&format!("<dt>made by</dt><dd>{}</dd>", escaped(&fold(tool, 60))));
    }
    page.push("</dl></section>");
}

/// What the verdict rests on.
fn evidence(verdict: &Verdict) -> String {
    match &verdict.answer {
        Answer::Accept { witness } => {
            format!(
                "an execution of {} that explains every read",
                count(witness.order.len(), "step")
            )
        }
        Answer::Reject { refutation, .. } if !refutation.cases.is_empty() => format!(
            "{} that cover every possibility, each with its own contradiction",
            count(refutation.cases.len(), "case")
        ),
        Answer::Reject { refutation, .. } if refutation.bad.is_some() => {
            "one read that no execution at this level explains".to_owned()
        }
        Answer::Reject { refutation, .. } if refutation.conflicts.len() == 1 => {
            "one contradiction that rules out every execution".to_owned()
        }
        Answer::Reject { refutation, .. } => format!(
            "{} that together rule out every execution",
            count(refutation.conflicts.len(), "conflict")
        ),
        Answer::Unknown { .. } => "none".to_owned(),
    }
}
