//! The page people read first: the verdict, the reason in one sentence, the steps, and what
//! was taken for granted.

use tristan_verdict::{
    Anomaly, Answer, AskedBy, Obstacle, Point, PointKind, Refutation, UnknownReason, Verdict,
    Witness,
};

use crate::Style;
use crate::coverage;
use crate::fates;
use crate::layout::{Colour, count, fold, paint, paragraph};
use crate::names::Names;
use crate::reject;

/// What the caller knows beyond the verdict.
#[derive(Clone, Debug, Default)]
pub struct ReportContext {
    /// Levels that hold.
    pub holds: Vec<String>,
    /// Levels that are violated.
    pub violated: Vec<String>,
    /// How to get more: a command line.
    pub more: Option<String>,
}

/// Points of the order that are shown; longer orders lose their middle.
const MOST_POINTS: usize = 10;
/// Chosen sources that are shown.
const MOST_SOURCES: usize = 4;

/// The verdict as text that ends with a line break.
pub fn text(verdict: &Verdict, context: &ReportContext, style: Style) -> String {
    let names = Names::of(verdict);
    let mut out = first_line(verdict, style);
    if let Some(asked) = verdict.context.asked.as_ref().and_then(|asked| asked.because.as_ref()) {
        paragraph(&mut out, style, "  ", &fold(asked, 600));
    }
    if let Some(coverage) = &verdict.context.coverage {
        for line in coverage::gaps(&coverage.gaps, verdict.trace.operations) {
            paragraph(&mut out, style, "  ", &line);
        }
    }
    match &verdict.answer {
        Answer::Accept { witness } => accept(&mut out, style, names, verdict, witness),
        Answer::Reject { anomaly, refutation } => {
            rejected(&mut out, style, names, verdict, (anomaly, refutation));
        }
        Answer::Unknown { reason, decided } => {
            unknown(&mut out, style, reason, decided, &verdict.context.obstacles);
        }
    }
    let mut levels = Vec::new();
    if !context.holds.is_empty() {
        levels.push(format!("holds: {}", context.holds.join(", ")));
    }
    if !context.violated.is_empty() {
        levels.push(format!("violated: {}", context.violated.join(", ")));
    }
    for line in levels {
        paragraph(&mut out, style, "  ", &line);
    }
    assumptions(&mut out, style, verdict);
    if verdict.context.certified {
        paragraph(&mut out, style, "  ", "certified: an independent program checked the evidence");
    }
    if let Some(more) = &context.more {
        paragraph(&mut out, style, "  ", &format!("more: {more}"));
    }
    out
}

/// `run.jsonl   REJECT   serializable   4 txns · 3 sessions · 2 keys`; vendor semantics stand
/// behind the level.
fn first_line(verdict: &Verdict, style: Style) -> String {
    let (word, colour) = match verdict.answer {
        Answer::Accept { .. } => ("ACCEPT", Colour::Good),
        Answer::Reject { .. } => ("REJECT", Colour::Bad),
        Answer::Unknown { .. } => ("UNKNOWN", Colour::Open),
    };
    let trace = &verdict.trace;
    let counts = [
        count(trace.transactions, "txn"),
        count(trace.sessions, "session"),
        count(trace.operations, "operation"),
        count(trace.keys, "key"),
    ];
    let size = if is_unread(verdict) { UNREAD.to_owned() } else { counts.join(" · ") };
    let level = level(verdict);
    format!(
        "{}   {}   {level}   {}\n",
        fold(&trace.name, 60),
        paint(style, colour, word),
        paint(style, Colour::Faint, &size),
    )
}

/// What is said instead of counts about a trace that a limit kept from being read.
pub(crate) const UNREAD: &str = "not read to its end";

/// Whether a limit was reached before the trace was read to its end.
pub(crate) fn is_unread(verdict: &Verdict) -> bool {
    use UnknownReason::{Memory, Time};
    let limited =
        matches!(verdict.answer, Answer::Unknown { reason: Time { .. } | Memory { .. }, .. });
    limited && verdict.trace.transactions == 0 && verdict.trace.operations == 0
}

/// The level that was judged, vendor semantics, and how it was asked for if not by its full name.
fn level(verdict: &Verdict) -> String {
    let mut level = fold(&verdict.level, 60);
    if let Some(semantics) = &verdict.semantics {
        level = format!("{level} with {}", fold(semantics, 60));
    }
    match &verdict.context.asked {
        None => level,
        Some(asked) => {
            let by = match asked.by {
                AskedBy::Trace if asked.name == verdict.level => "claimed".to_owned(),
                AskedBy::Trace => format!("claimed as {}", fold(&asked.name, 60)),
                AskedBy::User => format!("asked for as {}", fold(&asked.name, 60)),
            };
            format!("{level} ({by})")
        }
    }
}

fn accept(out: &mut String, style: Style, names: Names<'_>, verdict: &Verdict, witness: &Witness) {
    if witness.order.is_empty() {
        paragraph(out, style, "  ", "no transaction took effect, so there is nothing to explain");
    } else {
        let order = format!("this order explains every read: {}", order(names, &witness.order));
        paragraph(out, style, "  ", &order);
    }
    if !witness.sources.is_empty() {
        let shown = witness.sources.iter().take(MOST_SOURCES);
        let mut ways: Vec<String> = shown.map(|read| reject::chosen(names, read)).collect();
        if witness.sources.len() > MOST_SOURCES {
            ways.push(format!("{} more", witness.sources.len() - MOST_SOURCES));
        }
        paragraph(
            out,
            style,
            "  ",
            &format!("reads with several possible sources: {}", ways.join("; ")),
        );
    }
    if !witness.effects.is_empty() {
        let effects = fates::statement(names, &witness.effects);
        paragraph(out, style, "  ", &format!("operations without an answer: {effects}"));
    }
    if verdict.trace.unknown > 0 {
        let committed = witness.committed.len();
        let unknown = count(verdict.trace.unknown, "transaction");
        let outcome = format!("of {unknown} with unknown outcome, {committed} took effect");
        paragraph(out, style, "  ", &outcome);
    }
    if let Some(coverage) = &verdict.context.coverage {
        for line in coverage::lines(coverage) {
            paragraph(out, style, "  ", &line);
        }
    }
}

/// The points, the middle left out when there are many.
fn order(names: Names<'_>, points: &[Point]) -> String {
    let name = |point: &Point| match point.at {
        PointKind::Whole => names.txn(point.txn),
        PointKind::Begin => format!("{} begins", names.txn(point.txn)),
        PointKind::Commit => format!("{} commits", names.txn(point.txn)),
    };
    let mut shown: Vec<String> = points.iter().take(MOST_POINTS).map(name).collect();
    if points.len() > MOST_POINTS {
        let half = MOST_POINTS / 2;
        let end = points.len() - half;
        shown.truncate(half);
        shown.push(format!("… {} more …", end - half));
        shown.extend(points[end..].iter().map(name));
    }
    shown.join(" · ")
}

fn rejected(
    out: &mut String,
    style: Style,
    names: Names<'_>,
    verdict: &Verdict,
    (anomaly, refutation): (&Anomaly, &Refutation),
) {
    let title = anomaly.title.as_ref().map_or(String::new(), |title| format!(" ({title})"));
    let reason = format!("{}{title}: {}", anomaly.class, fold(&anomaly.sentence, 400));
    paragraph(out, style, "  ", &reason);
    reject::reasons(out, style, names, refutation);
    let core = reject::core(names, refutation, verdict.trace.transactions);
    paragraph(out, style, "  ", &core);
    if let Some(facts) = reject::facts(names, refutation, verdict.trace.transactions) {
        paragraph(out, style, "  ", &facts);
    }
}

fn unknown(
    out: &mut String,
    style: Style,
    reason: &UnknownReason,
    decided: &str,
    obstacles: &[Obstacle],
) {
    let (why, go_on) = stopped(reason);
    paragraph(out, style, "  ", &why);
    if !decided.is_empty() {
        paragraph(out, style, "  ", &format!("decided so far: {}", fold(decided, 400)));
    }
    paragraph(out, style, "  ", &format!("next step: {go_on}"));
    if !obstacles.is_empty() {
        let then = "if that is not enough, record a trace that is easier to decide:";
        paragraph(out, style, "  ", then);
    }
    for Obstacle { what, help } in obstacles {
        let line = format!("{}: {}", fold(what, 400), fold(help, 200));
        paragraph(out, style, "  - ", &line);
    }
}

/// Why there is no answer, and what to do about it.
pub fn stopped(reason: &UnknownReason) -> (String, String) {
    match reason {
        UnknownReason::Time { millis, stage } => (
            format!("stopped at the time limit of {}{}", duration(*millis), during(stage)),
            format!("allow more time (--time {})", duration(millis.saturating_mul(4).max(1000))),
        ),
        UnknownReason::Memory { bytes, stage } => (
            format!("stopped at the memory limit of {}{}", size(*bytes), during(stage)),
            format!("allow more memory (--memory {})", size(bytes.saturating_mul(2))),
        ),
        UnknownReason::Unsupported { what } => (
            format!("not interpreted at this level: {}", fold(what, 400)),
            "ask for a weaker level, or leave these operations out of the trace".to_owned(),
        ),
        UnknownReason::NothingToJudge { why } => (
            format!("nothing to judge: {}; every level holds trivially", fold(why, 400)),
            "record transactions that read each other's writes".to_owned(),
        ),
        // A verdict of a later version, which may know other reasons.
        _ => (
            "stopped for a reason that this version does not know".to_owned(),
            "read the verdict with the version of Tristan that wrote it".to_owned(),
        ),
    }
}

/// ` in stage saturate`; empty if the stage is not known.
fn during(stage: &str) -> String {
    if stage.is_empty() { String::new() } else { format!(", in stage {}", fold(stage, 80)) }
}

fn assumptions(out: &mut String, style: Style, verdict: &Verdict) {
    if verdict.assumptions.is_empty() {
        return;
    }
    let all: Vec<String> = verdict
        .assumptions
        .iter()
        .map(|assumption| format!("{} ({})", fold(&assumption.what, 160), assumption.status))
        .collect();
    paragraph(out, style, "  ", &format!("assumes: {}", all.join("; ")));
}

/// Milliseconds as they are typed on the command line.
fn duration(millis: u64) -> String {
    if millis.is_multiple_of(1000) { format!("{}s", millis / 1000) } else { format!("{millis}ms") }
}

/// Bytes as they are typed on the command line.
fn size(bytes: u64) -> String {
    for (unit, letter) in [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")] {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{}{letter}", bytes / unit);
        }
    }
    bytes.to_string()
}
