//! What happened to the keys? The versions of each key of the proof, who wrote them and who read
//! them, in the order that is known.

use std::collections::BTreeSet;

use tristan_history::Datum;
use tristan_verdict::{Deed, Edge, EdgeKind, Literal, Refutation, Rule, Source, Verdict};

use super::Page;
use crate::layout::{fold, listing};
use crate::markup::escaped;
use crate::names::Names;

const MOST_KEYS: usize = 16;
const MOST_VERSIONS: usize = 24;

/// The section with the versions of the keys.
pub(super) fn chains(
    page: &mut Page,
    names: Names<'_>,
    verdict: &Verdict,
    refutation: &Refutation,
) {
    let keys = keys(refutation);
    if keys.is_empty() {
        return;
    }
    page.heading("Versions of the keys");
    page.push("<div class=\"chains\">");
    for key in keys.iter().take(MOST_KEYS) {
        chain(page, names, &Chain::of(verdict, refutation, key));
    }
    page.push("</div>");
    if let Some(more @ 1..) = keys.len().checked_sub(MOST_KEYS) {
        page.push(&format!("<p class=\"meta\">… and {more} more keys</p>"));
    }
}

/// The keys a refutation speaks of, in its order.
fn keys(refutation: &Refutation) -> Vec<Datum> {
    let mut keys: Vec<Datum> = Vec::new();
    let mut seen = BTreeSet::new();
    let bad = refutation.bad.iter().map(|bad| &bad.key);
    let of_edges = edges(refutation).filter_map(|edge| edge.key.as_ref());
    for key in bad.chain(of_edges) {
        if seen.insert(key) {
            keys.push(key.clone());
        }
    }
    keys
}

fn edges(refutation: &Refutation) -> impl Iterator<Item = &Edge> {
    refutation.conflicts.iter().flat_map(|conflict| match &conflict.rule {
        Rule::Cycle(edges) => edges.as_slice(),
        _ => &[],
    })
}

/// The versions of one key.
struct Chain<'v> {
    key: &'v Datum,
    /// Writers with what they wrote, in an order that goes along what is known.
    versions: Vec<(u32, String)>,
    /// Pairs of writers whose order is known.
    known: Vec<(u32, u32)>,
    /// Who read which version.
    reads: Vec<(u32, Source)>,
}

impl<'v> Chain<'v> {
    fn of(verdict: &'v Verdict, refutation: &'v Refutation, key: &'v Datum) -> Self {
        let mut versions = Vec::new();
        for card in &verdict.transactions {
            let last = card.ops.iter().rev().find_map(|op| written(op.deed.as_ref(), key));
            versions.extend(last.map(|words| (card.id, words)));
        }
        let known = known(refutation, key);
        let mut chain = Self { key, versions, known, reads: reads(refutation, key) };
        chain.sort();
        chain
    }

    /// Puts whoever has nobody before him first, again and again.
    fn sort(&mut self) {
        let mut rest = std::mem::take(&mut self.versions);
        while !rest.is_empty() {
            let is_first = |txn: u32| {
                let before = |(other, _): &(u32, String)| self.known.contains(&(*other, txn));
                !rest.iter().any(before)
            };
            let place = rest.iter().position(|(txn, _)| is_first(*txn)).unwrap_or(0);
            self.versions.push(rest.remove(place));
        }
    }

    /// Whether it is known that one version came before another, directly or through others.
    fn is_before(&self, first: u32, then: u32) -> bool {
        let mut reached = vec![first];
        let mut at = 0;
        while let Some(&txn) = reached.get(at) {
            for &(one, other) in &self.known {
                if one == txn && !reached.contains(&other) {
                    reached.push(other);
                }
            }
            at += 1;
        }
        reached.contains(&then)
    }
}

/// What an operation writes to a key, in words.
fn written(deed: Option<&Deed>, key: &Datum) -> Option<String> {
    let deed = deed?;
    if deed.writes() != Some(key) {
        return None;
    }
    Some(match deed {
        Deed::Append { value, .. } => format!("+ {value}"),
        Deed::Write { value: Some(value), .. } => value.to_string(),
        _ => "deleted".to_owned(),
    })
}

/// The orders of versions that hold whatever the database did.
fn known(refutation: &Refutation, key: &Datum) -> Vec<(u32, u32)> {
    let mut known = Vec::new();
    for conflict in &refutation.conflicts {
        // What cannot be the one way must be the other.
        if let [Literal::Before { key: own, first, then }] = conflict.literals.as_slice()
            && own == key
        {
            known.push((*then, *first));
        }
        if let (true, Rule::Cycle(edges)) = (conflict.literals.is_empty(), &conflict.rule) {
            let versions = edges.iter().filter(|edge| edge.kind == EdgeKind::Ww);
            let own = versions.filter(|edge| edge.key.as_ref() == Some(key));
            known.extend(own.map(|edge| (edge.from, edge.to)));
        }
    }
    known
}

/// Who read what, as far as the refutation says.
fn reads(refutation: &Refutation, key: &Datum) -> Vec<(u32, Source)> {
    let mut reads: Vec<(u32, Source)> = Vec::new();
    for edge in edges(refutation).filter(|edge| edge.key.as_ref() == Some(key)) {
        let read = match edge.kind {
            EdgeKind::Wr | EdgeKind::Pwr => Some((edge.to, Source::Txn(edge.from))),
            EdgeKind::Rw | EdgeKind::Prw => edge.over.map(|source| (edge.from, source)),
            _ => None,
        };
        reads.extend(read.filter(|read| !reads.contains(read)));
    }
    let choices = refutation.choices.iter().filter(|choice| choice.key == *key);
    for choice in choices {
        let all = choice.sources.iter().map(|&source| (choice.txn, source));
        let new: Vec<_> = all.filter(|read| !reads.contains(read)).collect();
        reads.extend(new);
    }
    reads
}

fn chain(page: &mut Page, names: Names<'_>, chain: &Chain<'_>) {
    let key = escaped(&fold(&chain.key.to_string(), 60));
    page.push(&format!("<div class=\"chain\"><b class=\"key\">{key}</b><ol>"));
    if chain.reads.iter().any(|(_, source)| *source == Source::Initial) {
        version(page, names, chain, ("", Source::Initial), "at the start");
    }
    let mut before: Option<u32> = None;
    for (txn, words) in chain.versions.iter().take(MOST_VERSIONS) {
        let open = before.is_some_and(|before| !chain.is_before(before, *txn));
        let class = if open { "open" } else { "" };
        version(page, names, chain, (class, Source::Txn(*txn)), words);
        before = Some(*txn);
    }
    if let Some(more @ 1..) = chain.versions.len().checked_sub(MOST_VERSIONS) {
        page.push(&format!("<li class=\"open\">{more} more</li>"));
    }
    page.push("</ol></div>");
}

fn version(
    page: &mut Page,
    names: Names<'_>,
    chain: &Chain<'_>,
    (class, source): (&str, Source),
    words: &str,
) {
    let readers = chain.reads.iter().filter(|(_, read)| *read == source);
    let readers: Vec<String> = readers.map(|(txn, _)| names.txn(*txn)).take(8).collect();
    let unsure = |reader: &u32| chain.reads.iter().filter(|(txn, _)| txn == reader).count() > 1;
    let maybe = chain.reads.iter().any(|(txn, read)| *read == source && unsure(txn));
    let read = match readers.as_slice() {
        [] => String::new(),
        some => {
            let may = if maybe { "perhaps " } else { "" };
            format!("<small>{may}read by {}</small>", escaped(&listing(some, "and")))
        }
    };
    let writer = match source {
        Source::Txn(txn) => format!("<b>{}</b> ", escaped(&names.txn(txn))),
        Source::Initial => String::new(),
    };
    let words = escaped(&fold(words, 40));
    page.push(&format!("<li class=\"{class}\">{writer}<span>{words}</span>{read}</li>"));
}
