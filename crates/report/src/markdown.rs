//! Verdicts as Markdown, for the summary of a job or a ticket.

use std::fmt::Write as _;

use tristan_history::is_treacherous;
use tristan_verdict::{Answer, Standing, Verdict};

use crate::layout::{count, fold};
use crate::summary::{headline, sentence, steps, word};

/// A table of all verdicts, then those that do not hold.
pub fn markdown(verdicts: &[Verdict]) -> String {
    let mut out = String::from(
        "## Isolation\n\n| | level | trace | size | anomaly |\n|---|---|---|---|---|\n",
    );
    for verdict in verdicts {
        let anomaly = match &verdict.answer {
            Answer::Reject { anomaly, .. } => plain(&fold(&anomaly.class, 40)),
            _ => String::new(),
        };
        let sign = match verdict.answer {
            Answer::Accept { .. } => "✅",
            Answer::Reject { .. } => "❌",
            Answer::Unknown { .. } => "❔",
        };
        let _ = writeln!(
            out,
            "| {sign} {} | {} | {} | {} | {anomaly} |",
            word(&verdict.answer),
            plain(&fold(&verdict.level, 80)),
            plain(&fold(&verdict.trace.name, 80)),
            count(verdict.trace.transactions, "transaction")
        );
    }
    for verdict in verdicts {
        part(&mut out, verdict);
    }
    out
}

fn part(out: &mut String, verdict: &Verdict) {
    let _ = write!(out, "\n### {}\n\n{}\n", plain(&headline(verdict)), plain(&sentence(verdict)));
    let marks: Vec<String> = verdict
        .context
        .levels
        .iter()
        .filter(|mark| matches!(mark.standing, Standing::Holds | Standing::Violated))
        .map(|mark| {
            let sign = if mark.standing == Standing::Holds { "✓" } else { "✗" };
            format!("{sign} {}", plain(&fold(&mark.level, 60)))
        })
        .collect();
    if !marks.is_empty() {
        let _ = write!(out, "\n{}\n", marks.join(" · "));
    }
    if let Some(coverage) = &verdict.context.coverage {
        let _ = write!(
            out,
            "\nTested: {} concurrent pairs, {}, {} of {} pinned.\n",
            coverage.concurrent_pairs,
            count(coverage.contended_keys, "contended key"),
            coverage.pinned_reads,
            count(coverage.reads, "read")
        );
    }
    if !matches!(verdict.answer, Answer::Accept { .. }) {
        let _ = write!(out, "\n```text\n{}```\n", fenced(&steps(verdict)));
    }
}

/// Text without letters that mean something in Markdown or HTML.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '!' | '~' | '@' => {
                out.push('\\');
                out.push(letter);
            }
            _ if is_treacherous(letter) => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

/// Text that does not end the block it is in.
pub(crate) fn fenced(text: &str) -> String {
    text.replace("```", "'''")
}
