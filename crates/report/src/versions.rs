//! What a rejection knows about the versions of a key: who wrote them, in which order, and who read
//! them.
//!
//! ```text
//!   cards ──────► versions: what a transaction that may have committed wrote last
//!   lists ──┐
//!   edges ──┼──► orders that are known; all others stay open
//!   lemmas ─┘
//! ```
//!
//! An order is known if a list that was read shows it, if a conflict uses it without assuming it, or
//! if the argument establishes it before any case distinction. Whatever follows from known orders is
//! known, too. What holds in one case only is not known. Orders that contradict each other would tell
//! nothing, so that then none is known.

use std::collections::{BTreeMap, BTreeSet};

use tristan_history::Datum;
use tristan_verdict::{
    Conflict, Deed, Edge, EdgeKind, Fact, Literal, OpCard, Refutation, Rule, Saw, Source, TxnCard,
    Verdict,
};

use crate::cases::{self, Answer};
use crate::names::Names;
use crate::proof::rests_on;

/// Of more orders than this, only those of versions that are shown are taken together.
const MOST_ORDERS: usize = 2000;

/// What an argument establishes before it distinguishes cases.
pub(crate) struct Established(Vec<Literal>);

impl Established {
    /// By the argument of a refutation, or by its simplest conflicts if that is too long to tell.
    pub(crate) fn of(names: Names<'_>, refutation: &Refutation) -> Self {
        let made = |answer| match answer {
            Answer::Made(literal) => Some(literal),
            Answer::NoEffect(_) => None,
        };
        match cases::argue(refutation, names) {
            Some(node) => Self(node.lemmas.into_iter().filter_map(|l| made(l.holds)).collect()),
            None => Self(refutation.conflicts.iter().filter_map(opposite).collect()),
        }
    }
}

/// What follows from a conflict that assumes nothing but one order.
fn opposite(conflict: &Conflict) -> Option<Literal> {
    match conflict.literals.as_slice() {
        [Literal::Before { key, first, then }] => {
            Some(Literal::Before { key: key.clone(), first: *then, then: *first })
        }
        _ => None,
    }
}

/// The versions of one key.
pub(crate) struct Versions {
    /// In an order that goes along what is known.
    list: Vec<Version>,
    /// Pairs of writers whose order is known, directly or through others.
    known: BTreeSet<(u32, u32)>,
    /// The reads of versions.
    pub(crate) reads: Vec<Seen>,
}

/// A version of a key that the answer mentions.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// Its writer.
    pub(crate) txn: u32,
    /// What was written.
    pub(crate) words: String,
    /// Whether the write may not have taken effect.
    pub(crate) perhaps: bool,
}

/// A read of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The reader.
    pub(crate) txn: u32,
    op: u32,
    /// The version that was read.
    pub(crate) source: Source,
    /// Whether the read can have been of another version.
    pub(crate) perhaps: bool,
}

impl Versions {
    /// The versions of a key that the cards of a verdict tell of, up to a number.
    pub(crate) fn of(
        verdict: &Verdict,
        refutation: &Refutation,
        established: &Established,
        key: &Datum,
        most: usize,
    ) -> (Self, usize) {
        let cards = &verdict.transactions;
        let mut list: Vec<Version> = cards.iter().filter_map(|card| version(card, key)).collect();
        let more = list.len().saturating_sub(most);
        list.truncate(most);
        let mut known = listed(cards, key);
        known.extend(used(refutation, key));
        known.extend(refutation.facts.iter().filter_map(|fact| match fact {
            Fact::ListShows { key: own, first, then, .. } if own == key => Some((*first, *then)),
            _ => None,
        }));
        known.extend(established.0.iter().filter_map(|literal| match literal {
            Literal::Before { key: own, first, then } if own == key => Some((*first, *then)),
            _ => None,
        }));
        if known.len() > MOST_ORDERS {
            let shown: BTreeSet<u32> = list.iter().map(|version| version.txn).collect();
            known.retain(|(first, then)| shown.contains(first) && shown.contains(then));
        }
        let mut known = closed(known);
        if known.iter().any(|&(first, then)| first == then) {
            known.clear();
        }
        let reads = reads(refutation, established, key);
        let mut versions = Self { list: Vec::new(), known, reads };
        versions.arrange(list);
        (versions, more)
    }

    /// Puts a version that no other is known to precede first, again and again.
    fn arrange(&mut self, mut rest: Vec<Version>) {
        while !rest.is_empty() {
            let is_first = |version: &Version| {
                !rest.iter().any(|other| self.known.contains(&(other.txn, version.txn)))
            };
            let place = rest.iter().position(is_first).unwrap_or(0);
            self.list.push(rest.remove(place));
        }
    }

    /// Rows of versions: within a row, each is known to come before the next.
    pub(crate) fn rows(&self) -> Vec<Vec<&Version>> {
        let mut rows: Vec<Vec<&Version>> = Vec::new();
        for version in &self.list {
            let follows = |row: &&mut Vec<&Version>| {
                row.last().is_some_and(|last| self.known.contains(&(last.txn, version.txn)))
            };
            match rows.iter_mut().find(follows) {
                Some(row) => row.push(version),
                None => rows.push(vec![version]),
            }
        }
        rows
    }

    /// The known orders that rows do not show, those left out that follow from others.
    pub(crate) fn across(&self, rows: &[Vec<&Version>]) -> Vec<(u32, u32)> {
        let shown: BTreeSet<u32> = self.list.iter().map(|version| version.txn).collect();
        let within = rows.iter().flat_map(|row| row.windows(2));
        let mut told: BTreeSet<(u32, u32)> = within.map(|two| (two[0].txn, two[1].txn)).collect();
        let is_direct = |&(first, then): &(u32, u32)| {
            let between = |&txn: &u32| {
                self.known.contains(&(first, txn)) && self.known.contains(&(txn, then))
            };
            shown.contains(&first) && shown.contains(&then) && !shown.iter().any(between)
        };
        let direct = self.known.iter().copied().filter(is_direct);
        direct.filter(|pair| told.insert(*pair)).collect()
    }
}

/// What a transaction leaves under a key; `None` if it certainly leaves nothing.
fn version(card: &TxnCard, key: &Datum) -> Option<Version> {
    if card.outcome == "aborted" {
        return None;
    }
    let writes = |op: &&OpCard| op.deed.as_ref().and_then(Deed::writes) == Some(key);
    let last = card.ops.iter().rfind(writes)?;
    let words = match last.deed.as_ref()? {
        Deed::Append { .. } => {
            let elements: Vec<String> = appended(card, key).map(ToString::to_string).collect();
            format!("+ {}", elements.join(" "))
        }
        Deed::Write { value: Some(value), .. } => value.to_string(),
        _ => "deleted".to_owned(),
    };
    let perhaps = card.outcome == "unknown" || is_unanswered(last);
    Some(Version { txn: card.id, words, perhaps })
}

/// Whether the trace leaves open if a write took effect.
fn is_unanswered(op: &OpCard) -> bool {
    ["(never returned)", "(? rows)"].iter().any(|end| op.text.ends_with(end))
}

/// The elements that a transaction appends to a list.
fn appended<'v>(card: &'v TxnCard, key: &Datum) -> impl Iterator<Item = &'v Datum> {
    card.ops.iter().filter_map(move |op| match &op.deed {
        Some(Deed::Append { key: own, value }) if own == key => Some(value),
        _ => None,
    })
}

/// The orders that lists show: whose elements come later in a list, or are not yet in it, come later.
fn listed(cards: &[TxnCard], key: &Datum) -> BTreeSet<(u32, u32)> {
    let mut owners: BTreeMap<&Datum, u32> = BTreeMap::new();
    for card in cards.iter().filter(|card| card.outcome != "aborted") {
        owners.extend(appended(card, key).map(|element| (element, card.id)));
    }
    let mut known = BTreeSet::new();
    for reader in cards.iter().filter(|card| card.outcome == "committed") {
        for op in &reader.ops {
            let Some(Deed::Read { key: own, saw: Some(Saw::List(elements)) }) = &op.deed else {
                continue;
            };
            if own != key {
                continue;
            }
            // Its own elements are not yet part of any version.
            let others = elements.iter().filter_map(|element| owners.get(element));
            let mut seen: Vec<u32> = others.copied().filter(|&txn| txn != reader.id).collect();
            seen.dedup();
            known.extend(seen.windows(2).map(|two| (two[0], two[1])));
            let Some(&last) = seen.last() else { continue };
            let later = owners.values().filter(|&&txn| txn != reader.id && !seen.contains(&txn));
            known.extend(later.map(|&txn| (last, txn)));
        }
    }
    known
}

/// The orders that conflicts use without assuming them.
fn used(refutation: &Refutation, key: &Datum) -> Vec<(u32, u32)> {
    let mut known = Vec::new();
    for conflict in &refutation.conflicts {
        let Rule::Cycle(edges) = &conflict.rule else { continue };
        for edge in edges.iter().filter(|edge| edge.key.as_ref() == Some(key)) {
            let first = match (edge.kind, edge.over) {
                (EdgeKind::Ww, _) => edge.from,
                (EdgeKind::Rw | EdgeKind::Prw, Some(Source::Txn(writer))) => writer,
                _ => continue,
            };
            let is_order = |literal: &&Literal| matches!(literal, Literal::Before { .. });
            let mut orders = conflict.literals.iter().filter(is_order);
            if !orders.any(|literal| rests_on(edge, literal)) {
                known.push((first, edge.to));
            }
        }
    }
    known
}

/// All pairs that follow from some.
fn closed(mut pairs: BTreeSet<(u32, u32)>) -> BTreeSet<(u32, u32)> {
    let txns: BTreeSet<u32> = pairs.iter().flat_map(|&(first, then)| [first, then]).collect();
    for &between in &txns {
        let before: Vec<u32> =
            txns.iter().copied().filter(|&txn| pairs.contains(&(txn, between))).collect();
        let after: Vec<u32> =
            txns.iter().copied().filter(|&txn| pairs.contains(&(between, txn))).collect();
        for &first in &before {
            pairs.extend(after.iter().map(|&then| (first, then)));
        }
    }
    pairs
}

/// The edges of all cycles.
pub(crate) fn edges(refutation: &Refutation) -> impl Iterator<Item = &Edge> {
    refutation.conflicts.iter().flat_map(|conflict| match &conflict.rule {
        Rule::Cycle(edges) => edges.as_slice(),
        _ => &[],
    })
}

/// The reads of versions, as far as the refutation names them.
fn reads(refutation: &Refutation, established: &Established, key: &Datum) -> Vec<Seen> {
    let mut reads: Vec<Seen> = Vec::new();
    let mut add = |seen: Seen| {
        if !reads.contains(&seen) {
            reads.push(seen);
        }
    };
    let choices: Vec<_> = refutation.choices.iter().filter(|choice| choice.key == *key).collect();
    for edge in edges(refutation).filter(|edge| edge.key.as_ref() == Some(key)) {
        let (txn, source) = match edge.kind {
            EdgeKind::Wr | EdgeKind::Pwr => (edge.to, Some(Source::Txn(edge.from))),
            EdgeKind::Rw | EdgeKind::Prw => (edge.from, edge.over),
            _ => continue,
        };
        let is_open = choices.iter().any(|c| (c.txn, Some(c.op)) == (txn, edge.read_op));
        if let (false, Some(source), Some(op)) = (is_open, source, edge.read_op) {
            add(Seen { txn, op, source, perhaps: false });
        }
    }
    for choice in choices {
        let settled = established.0.iter().find_map(|literal| match literal {
            Literal::Reads { txn, op, key: own, from }
                if (*txn, *op) == (choice.txn, choice.op)
                    && own.as_ref().is_none_or(|own| own == key) =>
            {
                Some(*from)
            }
            _ => None,
        });
        let sources = settled.as_ref().map_or(choice.sources.as_slice(), std::slice::from_ref);
        for &source in sources {
            let perhaps = sources.len() > 1;
            add(Seen { txn: choice.txn, op: choice.op, source, perhaps });
        }
    }
    reads
}
