//! From edges to cards and arrows: which transactions, which of their operations, what is folded.

use std::collections::BTreeSet;

use tristan_verdict::{Bad, Deed, Edge, EdgeKind, OpCard};

use super::{Arrow, Card, Figure, Port, Row};
use crate::cycle::{kind_name, reason};
use crate::layout::{count, fold, width};
use crate::names::Names;
use crate::origin::origin;

/// A cycle through more transactions than this is folded.
pub(crate) const MOST_CARDS: usize = 30;
/// A card with more operations than this shows only those that matter.
const MOST_ROWS: usize = 7;
const LONGEST_ROW: usize = 36;
const LONGEST_LABEL: usize = 17;

/// The cards and arrows of a cycle.
pub(super) fn of_cycle(
    names: Names<'_>,
    edges: &[Edge],
    derived: impl Fn(&Edge) -> bool,
) -> Figure {
    let ends: Vec<Ends> = edges.iter().map(|edge| Ends::of(names, edge)).collect();
    let mut seen = BTreeSet::new();
    let all = edges.iter().flat_map(|edge| [edge.from, edge.to]);
    let txns: Vec<u32> = all.filter(|txn| seen.insert(*txn)).collect();
    let shown = Shown::of(&txns);
    let touched = |txn: u32| {
        let ops = ends.iter().flat_map(|ends| [ends.from, ends.to]);
        ops.filter(|(owner, _)| *owner == txn).filter_map(|(_, op)| op).collect()
    };
    let cards = shown.cards(names, touched);
    let mut arrows = Vec::new();
    for (number, (edge, ends)) in edges.iter().zip(&ends).enumerate() {
        let ports = [ends.from, ends.to].map(|(txn, op)| shown.port(&cards, txn, op));
        if ports[0] == ports[1] && ports[0].row.is_none() {
            continue;
        }
        arrows.push(Arrow {
            step: number + 1,
            from: ports[0],
            to: ports[1],
            kind: kind_name(edge.kind),
            label: label(names, edge),
            derived: derived(edge),
            title: format!("{}: {}", number + 1, reason(names, edge)),
        });
    }
    Figure { cards, arrows }
}

/// The cards of a bad read.
pub(super) fn of_bad(names: Names<'_>, bad: &Bad) -> Figure {
    let written = origin(names, bad);
    let other = bad.other.map(|(txn, op)| (txn, Some(op)));
    let mut places = vec![(bad.txn, Some(bad.op))];
    places.extend(written);
    places.extend(other);
    let mut txns: Vec<u32> = written.into_iter().chain(other).map(|(txn, _)| txn).collect();
    txns.push(bad.txn);
    let mut seen = BTreeSet::new();
    txns.retain(|txn| seen.insert(*txn));
    let shown = Shown { txns, folded: 0, place: 0 };
    let touched = |txn: u32| {
        let own = places.iter().filter(|(owner, _)| *owner == txn);
        own.filter_map(|(_, op)| *op).collect()
    };
    let mut cards = shown.cards(names, touched);
    let at = shown.port(&cards, bad.txn, Some(bad.op));
    if let Some(row) = at.row {
        cards[at.card].rows[row].wrong = true;
    }
    let mut arrows = Vec::new();
    for (kind, end) in [("wr", written), ("rt", other)] {
        let Some(from) = end.map(|(txn, op)| shown.port(&cards, txn, op)) else { continue };
        // An operation is no arrow to itself, nor is its transaction.
        if from.card == at.card && (from.row.is_none() || from.row == at.row) {
            continue;
        }
        let label = if kind == "wr" { "read from" } else { "contradicts" };
        arrows.push(Arrow {
            step: arrows.len() + 1,
            from,
            to: at,
            kind,
            label: label.to_owned(),
            derived: false,
            title: names.saw(bad.txn, bad.op, Some(&bad.key)),
        });
    }
    Figure { cards, arrows }
}

/// The transactions that get a card: all, or the first and the last of very many.
struct Shown {
    txns: Vec<u32>,
    /// How many are left out, and where.
    folded: usize,
    place: usize,
}

impl Shown {
    fn of(txns: &[u32]) -> Self {
        let folded = match txns.len() {
            few if few <= MOST_CARDS => 0,
            many => many - (MOST_CARDS - 1),
        };
        let place = if folded == 0 { txns.len() } else { MOST_CARDS / 2 };
        let txns = [&txns[..place], &txns[place + folded..]].concat();
        Self { txns, folded, place }
    }

    fn cards(&self, names: Names<'_>, touched: impl Fn(u32) -> BTreeSet<u32>) -> Vec<Card> {
        let mut cards: Vec<Card> =
            self.txns.iter().map(|&txn| card(names, txn, &touched(txn))).collect();
        if self.folded > 0 {
            let title = count(self.folded, "more transaction");
            let note = "in the list of steps".to_owned();
            cards.insert(self.place, Card { txn: None, title, note, rows: Vec::new() });
        }
        cards
    }

    fn port(&self, cards: &[Card], txn: u32, op: Option<u32>) -> Port {
        let Some(card) = cards.iter().position(|card| card.txn == Some(txn)) else {
            return Port { card: self.place, row: None };
        };
        let row = op.and_then(|op| cards[card].rows.iter().position(|row| row.op == Some(op)));
        Port { card, row }
    }
}

/// Which operations an edge joins.
struct Ends {
    from: (u32, Option<u32>),
    to: (u32, Option<u32>),
}

impl Ends {
    fn of(names: Names<'_>, edge: &Edge) -> Self {
        let write = |txn: u32| edge.key.as_ref().and_then(|key| names.op_of_write(txn, key));
        let (from, to) = match edge.kind {
            EdgeKind::Wr | EdgeKind::Pwr => (write(edge.from), edge.read_op),
            EdgeKind::Rw | EdgeKind::Prw => (edge.read_op, write(edge.to)),
            EdgeKind::Ww => (write(edge.from), write(edge.to)),
            EdgeKind::So | EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc => (None, None),
        };
        Self { from: (edge.from, from), to: (edge.to, to) }
    }
}

/// What stands on an arrow: `rw x`.
fn label(names: Names<'_>, edge: &Edge) -> String {
    let kind = match edge.kind {
        EdgeKind::So => "session",
        EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc => "clock",
        kind => kind_name(kind),
    };
    match &edge.key {
        Some(key) => fold(&format!("{kind} {}", names.key(key)), LONGEST_LABEL),
        None => kind.to_owned(),
    }
}

fn card(names: Names<'_>, txn: u32, touched: &BTreeSet<u32>) -> Card {
    let Some(card) = names.card(txn) else {
        return Card { txn: Some(txn), title: names.txn(txn), note: String::new(), rows: vec![] };
    };
    let lines = match card.lines {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first}–{last}"),
    };
    let outcome = if card.outcome == "committed" { "" } else { &format!("{} · ", card.outcome) };
    let session = fold(&card.session.to_string(), 10);
    let note = format!("{outcome}{lines} · {session}");
    Card { txn: Some(txn), title: fold(&card.label, 14), note, rows: rows(&card.ops, touched) }
}

/// The operations that matter, and as many others as there is room for.
fn rows(ops: &[OpCard], touched: &BTreeSet<u32>) -> Vec<Row> {
    let mut room = MOST_ROWS.saturating_sub(touched.len());
    let mut rows = Vec::new();
    let mut hidden = 0;
    for (number, op) in (0..).zip(ops) {
        let matters = touched.contains(&number);
        if !matters && ops.len() > MOST_ROWS && room == 0 {
            hidden += 1;
            continue;
        }
        if !matters {
            room = room.saturating_sub(1);
        }
        rows.extend(gap(std::mem::take(&mut hidden)));
        rows.push(row(number, op));
    }
    rows.extend(gap(hidden));
    rows
}

fn row(number: u32, op: &OpCard) -> Row {
    let range = matches!(op.deed, Some(Deed::Range { .. }));
    let text = match &op.deed {
        Some(Deed::Range { items, more, .. }) if width(&op.text) > LONGEST_ROW => {
            let (asked, _) = op.text.split_once(" → ").unwrap_or((&op.text, ""));
            let found = count(items.len() + more, "item");
            let room = LONGEST_ROW - 3 - width(&found);
            format!("{} → {found}", fold(asked, room))
        }
        _ => shortened(&fold(&op.text, 4000)),
    };
    Row { op: Some(number), text, full: fold(&op.text, 600), range, wrong: false }
}

/// The row that stands for operations that are left out.
fn gap(hidden: usize) -> Option<Row> {
    let text = format!("… {}", count(hidden, "more operation"));
    let row = Row { op: None, full: text.clone(), text, range: false, wrong: false };
    (hidden > 0).then_some(row)
}

/// Long results lose their beginning: what is new in a list stands at its end.
fn shortened(text: &str) -> String {
    if width(text) <= LONGEST_ROW {
        return text.to_owned();
    }
    let Some((head, list)) = text.split_once(" → [").filter(|(head, _)| width(head) < 20) else {
        return fold(text, LONGEST_ROW);
    };
    let mut kept = list;
    while let Some((_, rest)) = kept.split_once(' ') {
        kept = rest;
        let short = format!("{head} → [… {kept}");
        if width(&short) <= LONGEST_ROW {
            return short;
        }
    }
    fold(text, LONGEST_ROW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_lose_their_beginning() {
        assert_eq!(shortened("read list 255 → [1 2 3]"), "read list 255 → [1 2 3]");
        let long = "read list 255 → [100 200 300 400 500 600]";
        assert_eq!(shortened(long), "read list 255 → [… 300 400 500 600]");
        assert_eq!(width(&shortened(&"x".repeat(90))), LONGEST_ROW);
    }

    #[test]
    fn rows_that_matter_stay() {
        let op = |n: u32| OpCard { text: format!("read {n} → 0"), line: n, deed: None };
        let ops: Vec<OpCard> = (0..40).map(op).collect();
        let rows = rows(&ops, &BTreeSet::from([20, 39]));
        let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "read 0 → 0",
                "read 1 → 0",
                "read 2 → 0",
                "read 3 → 0",
                "read 4 → 0",
                "… 15 more operations",
                "read 20 → 0",
                "… 18 more operations",
                "read 39 → 0"
            ]
        );
    }

    #[test]
    fn a_very_long_cycle_is_folded_in_its_middle() {
        let shown = Shown::of(&(0..42).collect::<Vec<_>>());
        assert_eq!((shown.txns.len(), shown.folded, shown.place), (29, 13, 15));
        assert_eq!(shown.txns[14..16], [14, 28]);
        assert_eq!(Shown::of(&(0..30).collect::<Vec<_>>()).folded, 0);
    }
}
