//! It holds: the order that explains every read, and what the trace could have shown.

use tristan_verdict::{Coverage, Overlap, Point, PointKind, Verdict, Witness};

use super::Page;
use crate::coverage::gaps;
use crate::layout::{count, fold};
use crate::markup::escaped;
use crate::names::Names;
use crate::reject::chosen;

/// Points of the order that are shown; longer orders lose their middle.
const MOST_POINTS: usize = 60;
/// Choices that are shown.
const MOST_CHOICES: usize = 20;

/// The sections of an accept.
pub(super) fn accept(page: &mut Page, names: Names<'_>, verdict: &Verdict, witness: &Witness) {
    page.push("<div class=\"two even\"><section>");
    order(page, names, witness);
    choices(page, names, verdict, witness);
    page.push("</section><section>");
    if let Some(coverage) = &verdict.context.coverage {
        panel(page, coverage, verdict.trace.operations);
    }
    page.push("</section></div>");
}

fn order(page: &mut Page, names: Names<'_>, witness: &Witness) {
    page.heading("The order that explains every read");
    let points = &witness.order;
    page.push("<ol class=\"order\">");
    if points.len() <= MOST_POINTS {
        points.iter().for_each(|at| point(page, names, at));
    } else {
        // Only the ends have names; the rest is numbers.
        let half = 6;
        points[..half].iter().for_each(|at| point(page, names, at));
        let left_out = points.len() - 2 * half;
        page.push(&format!("<li class=\"gap\">… {} …</li>", count(left_out, "more point")));
        points[points.len() - half..].iter().for_each(|at| point(page, names, at));
    }
    page.push("</ol>");
}

fn point(page: &mut Page, names: Names<'_>, point: &Point) {
    let (class, word) = match point.at {
        PointKind::Whole => ("whole", ""),
        PointKind::Begin => ("begin", " begins"),
        PointKind::Commit => ("commit", " commits"),
    };
    let name = escaped(&names.txn(point.txn));
    page.push(&format!("<li class=\"{class}\">{name}<small>{word}</small></li>"));
}

fn choices(page: &mut Page, names: Names<'_>, verdict: &Verdict, witness: &Witness) {
    if verdict.trace.unknown > 0 {
        let took = witness.committed.len();
        let unknown = count(verdict.trace.unknown, "transaction");
        page.push(&format!("<p>Of {unknown} with unknown outcome, {took} took effect.</p>"));
    }
    if witness.sources.is_empty() {
        return;
    }
    page.push("<h3>Reads with several possible sources</h3><ul>");
    for read in witness.sources.iter().take(MOST_CHOICES) {
        page.push(&format!("<li>{}</li>", escaped(&fold(&chosen(names, read), 200))));
    }
    if let Some(more @ 1..) = witness.sources.len().checked_sub(MOST_CHOICES) {
        page.push(&format!("<li>{more} more, in the JSON verdict</li>"));
    }
    page.push("</ul>");
}

/// What the trace could have shown.
fn panel(page: &mut Page, coverage: &Coverage, operations: usize) {
    page.heading("What this trace tests");
    page.push("<dl class=\"numbers\">");
    let pairs = match coverage.overlap {
        Overlap::Times => "pairs of transactions overlapped",
        Overlap::Sessions => {
            "pairs of transactions of different sessions, which may have overlapped (the trace has no times)"
        }
    };
    let rows = [
        (coverage.concurrent_pairs.to_string(), pairs.to_owned()),
        (coverage.contended_keys.to_string(), "keys with at least two writers".to_owned()),
        (
            coverage.pinned_reads.to_string(),
            format!("of {} with one possible source", count(coverage.reads, "read")),
        ),
    ];
    for (number, words) in rows {
        page.push(&format!("<div><dt>{number}</dt><dd>{}</dd></div>", escaped(&words)));
    }
    page.push("</dl>");
    let missing = gaps(&coverage.gaps, operations);
    if !missing.is_empty() {
        page.push("<h3>What the trace is missing</h3><ul class=\"blind\">");
        for line in missing {
            page.push(&format!("<li>{}</li>", escaped(&fold(&line, 600))));
        }
        page.push("</ul>");
    }
    if coverage.blind_spots.is_empty() {
        return;
    }
    page.push("<h3>What it does not test</h3><ul class=\"blind\">");
    for spot in &coverage.blind_spots {
        page.push(&format!("<li>{}</li>", escaped(&fold(spot, 300))));
    }
    page.push("</ul>");
}
