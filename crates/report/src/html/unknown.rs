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
    let obstacles = &verdict.context.obstacles;
    let list =
        |part: fn(&Obstacle) -> &str| obstacles.iter().map(part).collect::<Vec<_>>().join("; ");
    let (hard, help) = (list(|obstacle| &obstacle.what), list(|obstacle| &obstacle.help));
    let rows = [
        ("why", why.as_str()),
        ("undecided", &size),
        ("decided", decided),
        ("what is hard", &hard),
        ("what would help", &help),
        ("next step", &go_on),
        ("exit code", "2, unless --unknown-as says otherwise"),
    ];
    for (name, words) in rows.iter().filter(|(_, words)| !words.is_empty()) {
        page.push(&format!("<dt>{name}</dt><dd>{}</dd>", escaped(&fold(words, 600))));
    }
    page.push("</dl>");
}
