//! What happened to the keys? The versions of each key of the proof, who wrote them and who read
//! them, in the order that is known.

use std::collections::BTreeSet;

use tristan_history::Datum;
use tristan_verdict::{Refutation, Source, Verdict};

use super::Page;
use crate::layout::{count, fold, listing};
use crate::markup::escaped;
use crate::names::Names;
use crate::versions::{Established, Seen, Versions, edges};

const MOST_KEYS: usize = 16;
const MOST_VERSIONS: usize = 24;
const MOST_READERS: usize = 8;

/// The section with the versions of the keys. A read that is wrong by itself says nothing about them.
pub(super) fn chains(
    page: &mut Page,
    names: Names<'_>,
    verdict: &Verdict,
    refutation: &Refutation,
) {
    let established = Established::of(names, refutation);
    let keys = keys(refutation);
    let mut chains: Vec<(&Datum, Versions, usize)> = Vec::new();
    for key in keys.iter().take(MOST_KEYS) {
        let (versions, more) = Versions::of(verdict, refutation, &established, key, MOST_VERSIONS);
        if !versions.rows().is_empty() {
            chains.push((key, versions, more));
        }
    }
    if chains.is_empty() {
        return;
    }
    page.heading("Versions of the keys");
    page.push("<div class=\"chains\">");
    for (key, versions, more) in &chains {
        chain(page, names, key, versions, *more);
    }
    page.push("</div>");
    if let Some(more @ 1..) = keys.len().checked_sub(MOST_KEYS) {
        page.push(&format!("<p class=\"meta\">… and {}</p>", count(more, "more key")));
    }
}

/// The keys of all cycles, in their order.
fn keys(refutation: &Refutation) -> Vec<Datum> {
    let mut seen = BTreeSet::new();
    let all = edges(refutation).filter_map(|edge| edge.key.as_ref());
    all.filter(|key| seen.insert(*key)).cloned().collect()
}

fn chain(page: &mut Page, names: Names<'_>, key: &Datum, versions: &Versions, more: usize) {
    let key = escaped(&fold(&key.to_string(), 60));
    page.push(&format!("<div class=\"chain\"><b class=\"key\">{key}</b><div>"));
    let rows = versions.rows();
    for (number, row) in rows.iter().enumerate() {
        page.push("<ol>");
        if number == 0 && versions.reads.iter().any(|read| read.source == Source::Initial) {
            version(page, names, versions, Source::Initial, "initial");
        }
        for own in row {
            let perhaps = if own.perhaps { " (if it took effect)" } else { "" };
            let words = format!("{}{perhaps}", fold(&own.words, 40));
            version(page, names, versions, Source::Txn(own.txn), &words);
        }
        page.push("</ol>");
    }
    let remarks = remarks(names, versions, rows.len(), &versions.across(&rows), more);
    if !remarks.is_empty() {
        page.push(&format!("<p class=\"meta\">{}</p>", escaped(&remarks)));
    }
    page.push("</div></div>");
}

/// What the rows do not show.
fn remarks(
    names: Names<'_>,
    versions: &Versions,
    rows: usize,
    across: &[(u32, u32)],
    more: usize,
) -> String {
    let mut remarks = Vec::new();
    let before =
        |&(first, then): &(u32, u32)| format!("{} before {}", names.txn(first), names.txn(then));
    let initial = versions.reads.iter().any(|read| read.source == Source::Initial);
    match (rows, across) {
        (0 | 1, _) => {}
        (_, []) => remarks.push("The order between the rows is not known.".to_owned()),
        (_, some) => {
            let orders: Vec<String> = some.iter().map(before).collect();
            let orders = listing(&orders, "and");
            remarks.push(format!("Between the rows, only this order is known: {orders}."));
        }
    }
    if rows > 1 && initial {
        remarks.push("All of them come after the initial version.".to_owned());
    }
    if more > 0 {
        remarks.push(format!("{} not shown.", count(more, "more version")));
    }
    remarks.join(" ")
}

fn version(page: &mut Page, names: Names<'_>, versions: &Versions, source: Source, words: &str) {
    let readers = |perhaps: bool| -> Vec<String> {
        let own = |read: &&Seen| read.source == source && read.perhaps == perhaps;
        let mut readers: Vec<u32> =
            versions.reads.iter().filter(own).map(|read| read.txn).collect();
        readers.dedup();
        readers.into_iter().take(MOST_READERS).map(|txn| names.txn(txn)).collect()
    };
    let mut read = String::new();
    for (perhaps, words) in [(false, "read by"), (true, "perhaps read by")] {
        let readers = readers(perhaps);
        if !readers.is_empty() {
            let readers = escaped(&listing(&readers, "and"));
            read.push_str(&format!("<small>{words} {readers}</small>"));
        }
    }
    let writer = match source {
        Source::Txn(txn) => format!("<b>{}</b> ", escaped(&names.txn(txn))),
        Source::Initial => String::new(),
    };
    let words = escaped(words);
    page.push(&format!("<li>{writer}<span>{words}</span>{read}</li>"));
}
