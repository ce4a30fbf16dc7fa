//! A verdict as a page: one file, no network, readable without JavaScript.
//!
//! The order on the page is that of a reader's questions:
//!
//! ```text
//!   is it bad?             banner.rs
//!   which, and why?        proof.rs, steps.rs, ruled_out.rs, tabs.rs
//!   what did they do?      operations.rs
//!   when?                  lanes.rs
//!   what about the keys?   chains.rs
//!   can I trust it?        trust.rs
//!   now what?              next.rs
//! ```
//!
//! An accept has its witness and what it covers instead of a proof (`accept.rs`), an unknown what to
//! do next (`unknown.rs`). Verdicts about SQL logs have a page of the same make (`audit.rs`). Lists are capped, so that the page stays small however large the trace.

mod accept;
pub(crate) mod audit;
mod banner;
mod chains;
mod lanes;
mod next;
mod operations;
mod proof;
mod proof_writer;
mod ruled_out;
mod steps;
mod tabs;
mod trust;
mod unknown;

use tristan_verdict::{Answer, Verdict};

use crate::markup::escaped;
use crate::names::Names;
use crate::page::Frame;
use crate::summary::word;

const SCRIPT: &str = include_str!("page.js");
/// A page about very many verdicts shows so many in full.
const MOST_REPORTS: usize = 16;

/// A page about some verdicts, usually one.
pub fn html(verdicts: &[Verdict]) -> String {
    html_among(verdicts, "")
}

/// The same among other pages: `nav` is markup with the ways to them.
pub fn html_among(verdicts: &[Verdict], nav: &str) -> String {
    let shown = shown(verdicts);
    let mut page = Page { out: String::new(), ids: 0 };
    if verdicts.len() > 1 {
        banner::contents(&mut page, verdicts, &shown);
    }
    for &number in &shown {
        report(&mut page, &verdicts[number], number, shown.len() > 1);
    }
    let title = match verdicts {
        [only] => format!("{} · {} · {}", word(&only.answer), only.level, only.trace.name),
        many => format!("{} verdicts", many.len()),
    };
    let frame = Frame { title: &title, nav, script: SCRIPT, ..Frame::default() };
    frame.around(&page.out)
}

/// The verdicts that are shown in full: one of those that say the same, rejections first.
fn shown(verdicts: &[Verdict]) -> Vec<usize> {
    let rank = |verdict: &Verdict| match verdict.answer {
        Answer::Reject { .. } => 0,
        Answer::Unknown { .. } => 1,
        Answer::Accept { .. } => 2,
    };
    let mut distinct: Vec<usize> = Vec::new();
    for (number, verdict) in verdicts.iter().enumerate() {
        let same = |&other: &usize| {
            let other: &Verdict = &verdicts[other];
            other.trace == verdict.trace && other.answer == verdict.answer
        };
        if !distinct.iter().any(same) {
            distinct.push(number);
        }
    }
    distinct.sort_by_key(|&number| rank(&verdicts[number]));
    distinct.truncate(MOST_REPORTS);
    distinct
}

/// A page under construction.
struct Page {
    out: String,
    /// How many names for parts of the page were given away.
    ids: usize,
}

impl Page {
    fn push(&mut self, markup: &str) {
        self.out.push_str(markup);
        self.out.push('\n');
    }

    /// A name that no other part of the page has.
    fn id(&mut self) -> String {
        self.ids += 1;
        format!("p{}", self.ids)
    }

    fn heading(&mut self, text: &str) {
        self.push(&format!("<h2>{}</h2>", escaped(text)));
    }
}

fn report(page: &mut Page, verdict: &Verdict, number: usize, among_others: bool) {
    let names = Names::of(verdict);
    page.push(&format!("<article id=\"v{number}\">"));
    banner::banner(page, verdict);
    match &verdict.answer {
        Answer::Reject { refutation, .. } => {
            proof::proof(page, names, refutation);
            operations::operations(page, verdict);
            lanes::lanes(page, verdict);
            // In each case the versions have another order.
            if refutation.cases.is_empty() {
                chains::chains(page, names, verdict, refutation);
            }
        }
        Answer::Accept { witness } => {
            accept::accept(page, names, verdict, witness);
            operations::operations(page, verdict);
            lanes::lanes(page, verdict);
        }
        Answer::Unknown { reason, decided } => unknown::unknown(page, verdict, reason, decided),
    }
    page.push("<div class=\"two even\">");
    trust::trust(page, verdict);
    next::next(page, verdict, !among_others);
    page.push("</div></article>");
}
