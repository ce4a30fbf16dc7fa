//! Two runs side by side: is it the same bug, was it fixed, is it new?
//!
//! ```text
//!   two verdicts ──► one sentence
//!                ──► the facts of both, marked where they differ
//!                ──► the levels on which they disagree
//!                ──► both anomalies, drawn
//! ```

use tristan_verdict::{Answer, LevelMark, Standing, Verdict};

use crate::fingerprint::{Fingerprint, fingerprint};
use crate::layout::fold;
use crate::markup::escaped;
use crate::page::Frame;
use crate::proof::figure;
use crate::summary::{sentence, word};

/// A verdict with what people call it.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What people call it.
    pub name: &'a str,
    /// The address of its report; `None` if it has no page of its own.
    pub address: Option<&'a str>,
    /// The verdict that the row shows.
    pub verdict: &'a Verdict,
}

/// A page about two runs, the older one first; `nav` is markup with the ways to other pages.
pub fn runs(one: Run<'_>, other: Run<'_>, nav: &str) -> String {
    let prints = [one, other].map(|run| fingerprint(run.verdict));
    let (tone, told) = told(one.verdict, other.verdict, &prints);
    let mut out = format!(
        "<header class=\"banner {tone}\"><h1>{}</h1><p class=\"sentence\">{}</p></header>\n",
        escaped(told.0),
        escaped(told.1)
    );
    facts(&mut out, [one, other], &prints);
    levels(&mut out, [one.verdict, other.verdict]);
    out.push_str("<div class=\"two even\">\n");
    for run in [one, other] {
        side(&mut out, run);
    }
    out.push_str("</div>\n");
    let title = format!("{} and {}", one.name, other.name);
    Frame { title: &title, nav, ..Frame::default() }.around(&out)
}

/// What the two have to do with each other: a tone, a headline and a sentence.
fn told(
    one: &Verdict,
    other: &Verdict,
    prints: &[Option<Fingerprint>; 2],
) -> (&'static str, (&'static str, &'static str)) {
    match (&one.answer, &other.answer) {
        (Answer::Reject { .. }, Answer::Reject { .. }) if prints[0] == prints[1] => (
            "reject",
            ("The same anomaly", "Apart from names and values, both cycles look the same."),
        ),
        (Answer::Reject { .. }, Answer::Reject { .. }) => (
            "reject",
            ("Two different anomalies", "Both runs violate the level, in different ways."),
        ),
        (Answer::Reject { .. }, Answer::Accept { .. }) => (
            "accept",
            ("Gone in B", "A is a violation and B is not. One run without it proves little."),
        ),
        (Answer::Accept { .. }, Answer::Reject { .. }) => {
            ("reject", ("New in B", "A was fine and B is a violation."))
        }
        (Answer::Accept { .. }, Answer::Accept { .. }) => {
            ("accept", ("Both hold", "Compare what the two traces test."))
        }
        (Answer::Unknown { .. }, _) | (_, Answer::Unknown { .. }) => {
            ("unknown", ("Not decided", "At least one of the two verdicts is unknown."))
        }
    }
}

/// A row of the table: what it is about, and what both say.
type Fact = (&'static str, [String; 2]);

fn facts(out: &mut String, both: [Run<'_>; 2], prints: &[Option<Fingerprint>; 2]) {
    out.push_str("<h2>What is the same, and what is not</h2>\n<div class=\"scroll\">");
    out.push_str("<table class=\"sides\"><tr><th></th><th>A</th><th>B</th></tr>\n");
    let names = both.map(|run| match run.address {
        Some(address) => {
            format!("<a href=\"{}\">{}</a>", escaped(address), escaped(&fold(run.name, 80)))
        }
        None => escaped(&fold(run.name, 80)),
    });
    let [a, b] = names;
    out.push_str(&format!("<tr><th>file</th><td>{a}</td><td>{b}</td></tr>\n"));
    for (what, [a, b]) in rows(both.map(|run| run.verdict), prints) {
        if a.is_empty() && b.is_empty() {
            continue;
        }
        let differs = if a == b { "" } else { " class=\"differs\"" };
        let [a, b] = [a, b].map(|text| escaped(&fold(&text, 160)));
        out.push_str(&format!("<tr{differs}><th>{what}</th><td>{a}</td><td>{b}</td></tr>\n"));
    }
    out.push_str("</table></div>\n");
}

fn rows(both: [&Verdict; 2], prints: &[Option<Fingerprint>; 2]) -> Vec<Fact> {
    let each = |fact: fn(&Verdict) -> String| both.map(fact);
    let of_print = |part: fn(&Fingerprint) -> &String| {
        [&prints[0], &prints[1]].map(|print| print.as_ref().map(part).cloned().unwrap_or_default())
    };
    let mut rows = vec![
        ("verdict", each(|v| word(&v.answer).to_lowercase())),
        ("level", each(|v| v.level.clone())),
        ("semantics", each(|v| v.semantics.clone().unwrap_or_default())),
        ("anomaly", each(anomaly)),
        ("fingerprint", of_print(|print| &print.code)),
        ("shape", of_print(|print| &print.shape)),
        ("trace", each(|v| v.trace.name.clone())),
        ("transactions", each(|v| v.trace.transactions.to_string())),
        ("sessions", each(|v| v.trace.sessions.to_string())),
        ("operations", each(|v| v.trace.operations.to_string())),
        ("keys", each(|v| v.trace.keys.to_string())),
    ];
    let covered = |fact: fn(&tristan_verdict::Coverage) -> String| {
        both.map(|verdict| verdict.context.coverage.as_ref().map(fact).unwrap_or_default())
    };
    rows.push(("overlapping pairs", covered(|coverage| coverage.concurrent_pairs.to_string())));
    rows.push(("contended keys", covered(|coverage| coverage.contended_keys.to_string())));
    rows.push(("pinned reads", covered(|c| format!("{} of {}", c.pinned_reads, c.reads))));
    rows.push(("made by", each(|v| v.context.tool.clone().unwrap_or_default())));
    rows
}

fn anomaly(verdict: &Verdict) -> String {
    let Answer::Reject { anomaly, .. } = &verdict.answer else { return String::new() };
    let title = anomaly.title.as_ref().map(|title| format!(" ({title})"));
    format!("{}{}", anomaly.class, title.unwrap_or_default())
}

/// The levels that stand differently in the two.
fn levels(out: &mut String, [one, other]: [&Verdict; 2]) {
    let standing = |verdict: &Verdict, level: &str| {
        let mark = verdict.context.levels.iter().find(|mark| mark.level == level);
        mark.map_or(Standing::Open, |mark| mark.standing)
    };
    // Only what both know can differ.
    let differs = |mark: &&LevelMark| {
        let now = standing(other, &mark.level);
        now != mark.standing && is_judged(now) && is_judged(mark.standing)
    };
    let changed: Vec<&LevelMark> = one.context.levels.iter().filter(differs).collect();
    if changed.is_empty() {
        return;
    }
    out.push_str("<h2>Levels that differ</h2>\n<ul class=\"levels\">\n");
    for mark in changed {
        let (was, is) = (sign(mark.standing), sign(standing(other, &mark.level)));
        let level = escaped(&fold(&mark.level, 60));
        out.push_str(&format!("<li>{level} <b>{was} → {is}</b></li>\n"));
    }
    out.push_str("</ul>\n<p class=\"meta\">✓ holds, ✗ is violated</p>\n");
}

/// Whether a level was found to hold or to be violated.
fn is_judged(standing: Standing) -> bool {
    matches!(standing, Standing::Holds | Standing::Violated)
}

fn sign(standing: Standing) -> &'static str {
    match standing {
        Standing::Holds => "✓",
        Standing::Violated => "✗",
        Standing::Untested | Standing::Open => "–",
    }
}

fn side(out: &mut String, run: Run<'_>) {
    let verdict = run.verdict;
    let word = word(&verdict.answer);
    let tone = word.to_lowercase();
    out.push_str(&format!(
        "<section><h2>{}</h2>\n<p class=\"verdict {tone}\"><b>{word}</b> {}</p>\n<p>{}</p>\n",
        escaped(&fold(run.name, 80)),
        escaped(&fold(&verdict.level, 80)),
        escaped(&sentence(verdict))
    ));
    if let Some(figure) = figure(verdict) {
        out.push_str(&figure.draw().markup("the anomaly"));
    }
    out.push_str("</section>\n");
}
