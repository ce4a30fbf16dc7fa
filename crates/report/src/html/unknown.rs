//! An unknown verdict: what is decided nevertheless, and what to do next.

use tristan_verdict::{Obstacle, UnknownReason, Verdict};

use super::Page;
use crate::layout::fold;
use crate::markup::escaped;
use crate::text::{UNREAD, is_unread, stopped};

/// The section of an unknown.
pub(super) fn unknown(page: &mut Page, verdict: &Verdict, reason: &UnknownReason, decided: &str) {
    let (why, go_on) = stopped(reason);
    page.heading("What is undecided, and what to do next");
    page.push("<dl class=\"list\">");
    let trace = &verdict.trace;
    let size = match is_unread(verdict) {
        true => format!("the trace was {UNREAD}"),
        false => format!(
            "{} transactions in {} sessions, {} operations on {} keys",
            trace.transactions, trace.sessions, trace.operations, trace.keys
        ),
    };
    let obstacles = verdict.context.obstacles.iter();
    let easier: Vec<String> =
        obstacles.map(|Obstacle { what, help }| format!("{what}: {help}")).collect();
    let mut rows = vec![
        ("why", why.as_str()),
        ("undecided", &size),
        ("decided", decided),
        ("next step", &go_on),
    ];
    rows.extend(easier.iter().map(|words| ("for an easier trace", words.as_str())));
    rows.push(("exit code", "2, unless --unknown-as says otherwise"));
    for (name, words) in rows.iter().filter(|(_, words)| !words.is_empty()) {
        page.push(&format!("<dt>{name}</dt><dd>{}</dd>", escaped(&fold(words, 600))));
    }
    page.push("</dl>");
}
