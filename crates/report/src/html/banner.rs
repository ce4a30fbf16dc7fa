//! Is it bad? The answer, one sentence, and what it says about every level.

use tristan_verdict::{Answer, LevelMark, Standing, Verdict};

use super::Page;
use crate::fingerprint::fingerprint;
use crate::layout::{count, fold};
use crate::markup::escaped;
use crate::summary::{sentence, word};

/// The banner of a report.
pub(super) fn banner(page: &mut Page, verdict: &Verdict) {
    let word = word(&verdict.answer);
    page.push(&format!("<header class=\"banner {}\">", word.to_lowercase()));
    let semantics = verdict.semantics.as_ref().map(|name| format!(" with {}", escaped(name)));
    let level = escaped(&fold(&verdict.level, 80)) + &semantics.unwrap_or_default();
    let level = match &verdict.answer {
        Answer::Reject { anomaly, .. } => {
            let title = anomaly.title.as_ref().map(|title| format!(" ({})", escaped(title)));
            let class = escaped(&anomaly.class);
            format!("not {level} <span class=\"class\">{class}{}</span>", title.unwrap_or_default())
        }
        Answer::Accept { .. } | Answer::Unknown { .. } => level,
    };
    page.push(&format!("<h1><b>{word}</b> {level}</h1>"));
    page.push(&format!("<p class=\"sentence\">{}</p></header>", escaped(&sentence(verdict))));
    chips(page, verdict);
    page.push(&format!("<p class=\"meta\">{}</p>", escaped(&meta(verdict))));
}

fn chips(page: &mut Page, verdict: &Verdict) {
    let marks = &verdict.context.levels;
    if marks.is_empty() {
        return;
    }
    page.push("<ul class=\"levels\" aria-label=\"levels\">");
    marks.iter().for_each(|mark| chip(page, mark, mark.level == verdict.level));
    page.push("</ul>");
}

fn chip(page: &mut Page, mark: &LevelMark, asked: bool) {
    let (sign, class, words) = match mark.standing {
        Standing::Holds => ("✓", "holds", "holds"),
        Standing::Violated => ("✗", "violated", "is violated"),
        Standing::Untested => ("–", "open", "cannot be tested by this trace"),
        Standing::Open if asked => ("?", "open", "is not decided"),
        Standing::Open => ("–", "open", "was not judged"),
    };
    let class = if asked { format!("{class} asked") } else { class.to_owned() };
    let level = escaped(&fold(&mark.level, 60));
    let why = match mark.standing {
        Standing::Untested if mark.level.starts_with("strong-session-") => {
            " <small>not testable: one transaction per session</small>"
        }
        Standing::Untested => " <small>not testable: no times</small>",
        _ => "",
    };
    page.push(&format!("<li class=\"{class}\" title=\"{level} {words}\">{sign} {level}{why}</li>"));
}

fn meta(verdict: &Verdict) -> String {
    let trace = &verdict.trace;
    let mut parts = vec![
        fold(&trace.name, 120),
        count(trace.transactions, "transaction"),
        count(trace.operations, "operation"),
        count(trace.sessions, "session"),
        count(trace.keys, "key"),
    ];
    if trace.unknown > 0 {
        parts.push(format!("{} of unknown outcome", trace.unknown));
    }
    if let Answer::Reject { refutation, .. } = &verdict.answer {
        let core = count(refutation.core.len(), "transaction");
        let minimal = if refutation.minimal { "; all of them are needed" } else { "" };
        parts.push(format!("proof from {core}{minimal}"));
    }
    if let Some(print) = fingerprint(verdict) {
        parts.push(format!("fingerprint {}", print.code));
    }
    parts.join(" · ")
}

/// The list in front of several reports.
pub(super) fn contents(page: &mut Page, verdicts: &[Verdict], shown: &[usize]) {
    const MOST: usize = 500;
    page.push(&format!("<nav><h1>{}</h1>", count(verdicts.len(), "verdict")));
    page.push("<div class=\"scroll\"><table class=\"contents\">");
    page.push("<tr><th>verdict</th><th>level</th><th>trace</th><th>anomaly</th></tr>");
    for (number, verdict) in verdicts.iter().enumerate().take(MOST) {
        let word = word(&verdict.answer);
        let level = escaped(&fold(&verdict.level, 60));
        let level = match shown.contains(&number) {
            true => format!("<a href=\"#v{number}\">{level}</a>"),
            false => level,
        };
        let class = match &verdict.answer {
            Answer::Reject { anomaly, .. } => anomaly.class.as_str(),
            _ => "",
        };
        page.push(&format!(
            "<tr class=\"{}\"><td><b>{word}</b></td><td>{level}</td><td>{}</td><td>{}</td></tr>",
            word.to_lowercase(),
            escaped(&fold(&verdict.trace.name, 60)),
            escaped(class)
        ));
    }
    page.push("</table></div>");
    if verdicts.len() > MOST {
        page.push(&format!("<p class=\"meta\">… and {} more</p>", verdicts.len() - MOST));
    }
    page.push("</nav>");
}
