//! The panel with the versions of keys against the proof: an order that it shows follows from the
//! refutation or from lists that were read, and an order that was proved outright is shown.

use std::collections::{BTreeMap, BTreeSet};

use tristan_generate::Rng;
use tristan_history::{History, OpKind, Outcome, TxnId};
use tristan_oracle::random::{RandomShape, history};
use tristan_verdict::{Answer, Conflict, Literal, Refutation, Source, Verdict};

use crate::common;

/// A key and two writers, the first of which came first.
type Order = (String, u32, u32);

/// The orders that the page of a verdict shows.
fn shown(verdict: &Verdict) -> BTreeSet<Order> {
    let page = tristan_report::html(std::slice::from_ref(verdict));
    let ids: BTreeMap<&str, u32> =
        verdict.transactions.iter().map(|card| (card.label.as_str(), card.id)).collect();
    let mut orders = BTreeSet::new();
    let (mut key, mut last) = (String::new(), None);
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("<div class=\"chain\"><b class=\"key\">") {
            key = rest.split('<').next().unwrap_or_default().to_owned();
        } else if line == "<ol>" {
            last = None;
        } else if let Some(rest) = line.strip_prefix("<li><b>") {
            let label = rest.split('<').next().unwrap_or_default();
            let Some(&txn) = ids.get(label) else { continue };
            orders.extend(last.map(|last| (key.clone(), last, txn)));
            last = Some(txn);
        } else if let Some((_, rest)) = line.split_once("only this order is known: ") {
            let told = rest.split('.').next().unwrap_or_default();
            for pair in told.split(", ").flat_map(|part| part.split(" and ")) {
                let (first, then) = pair.split_once(" before ").expect("an order");
                orders.insert((key.clone(), ids[first], ids[then]));
            }
        }
    }
    closed(orders)
}

fn closed(mut orders: BTreeSet<Order>) -> BTreeSet<Order> {
    loop {
        let step: Vec<Order> = orders
            .iter()
            .flat_map(|(key, a, b)| {
                let next = orders.iter().filter(move |(own, c, _)| own == key && c == b);
                next.map(move |(_, _, d)| (key.clone(), *a, *d))
            })
            .filter(|order| !orders.contains(order))
            .collect();
        if step.is_empty() {
            return orders;
        }
        orders.extend(step);
    }
}

/// The orders that committed readers of lists have seen.
fn listed(history: &History) -> BTreeSet<Order> {
    let mut owners = BTreeMap::new();
    let mut orders = BTreeSet::new();
    for txn in history.txn_ids().filter(|&txn| history.txn(txn).outcome != Outcome::Aborted) {
        for op in history.ops_of(txn) {
            if let OpKind::Append { key, element } = &op.kind {
                owners.insert((*key, *element), txn);
            }
        }
    }
    let committed = |txn: &TxnId| history.txn(*txn).outcome == Outcome::Committed;
    for reader in history.txn_ids().filter(committed) {
        for op in history.ops_of(reader) {
            let OpKind::ReadList { key, elements: Some(elements) } = &op.kind else { continue };
            let seen: Vec<TxnId> = elements
                .iter()
                .filter_map(|element| owners.get(&(*key, *element)).copied())
                .filter(|owner| *owner != reader)
                .collect();
            let name = history.key(*key).to_string();
            for (place, first) in seen.iter().enumerate() {
                let later = seen[place..].iter().filter(|then| *then != first);
                orders.extend(later.map(|then| (name.clone(), first.0, then.0)));
                let unseen = owners.iter().filter(|((own, _), owner)| {
                    own == key && **owner != reader && !seen.contains(owner)
                });
                orders.extend(unseen.map(|(_, then)| (name.clone(), first.0, then.0)));
            }
        }
    }
    orders
}

/// One way to make all choices: where reads came from, and which of two versions was first.
struct World {
    reads: Vec<(u32, u32, Option<String>, Option<Source>)>,
    orders: Vec<(Order, bool)>,
}

impl World {
    fn holds(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Reads { txn, op, key, from } => {
                let key = key.as_ref().map(ToString::to_string);
                let same = |read: &&(u32, u32, Option<String>, Option<Source>)| {
                    (read.0, read.1, &read.2) == (*txn, *op, &key)
                };
                self.reads.iter().find(same).is_some_and(|read| read.3 == Some(*from))
            }
            Literal::Before { key, first, then } => {
                let key = key.to_string();
                self.orders.iter().any(|((own, a, b), is_so)| {
                    *own == key
                        && ((a, b, *is_so) == (first, then, true)
                            || (a, b, *is_so) == (then, first, false))
                })
            }
        }
    }

    fn keeps(&self, conflict: &Conflict) -> bool {
        !conflict.literals.iter().all(|literal| self.holds(literal))
    }
}

/// A read: transaction, operation and, of a range read, the key.
type Read = (u32, u32, Option<String>);

/// All worlds; `None` if there are too many to look at.
fn worlds(verdict: &Verdict, refutation: &Refutation, asked: &Order) -> Option<Vec<World>> {
    let mut reads: Vec<(Read, Vec<Option<Source>>)> = Vec::new();
    let mut orders: Vec<Order> = vec![asked.clone()];
    for literal in refutation.conflicts.iter().flat_map(|conflict| &conflict.literals) {
        match literal {
            Literal::Reads { txn, op, key, from } => {
                let name = (*txn, *op, key.as_ref().map(ToString::to_string));
                if reads.iter().any(|(own, _)| *own == name) {
                    continue;
                }
                let choice = refutation.choices.iter().find(|choice| {
                    (choice.txn, choice.op) == (*txn, *op)
                        && key.as_ref().is_none_or(|key| *key == choice.key)
                });
                let mut sources: Vec<Option<Source>> = match choice {
                    Some(choice) => choice.sources.iter().copied().map(Some).collect(),
                    None => vec![Some(*from)],
                };
                let card = verdict.transactions.iter().find(|card| card.id == *txn);
                if card.is_none_or(|card| card.outcome == "unknown") {
                    sources.push(None);
                }
                reads.push((name, sources));
            }
            Literal::Before { key, first, then } => {
                let key = key.to_string();
                let is_there = orders
                    .iter()
                    .any(|(own, a, b)| *own == key && [(a, b), (b, a)].contains(&(first, then)));
                if !is_there {
                    orders.push((key, *first, *then));
                }
            }
        }
    }
    let ways = reads.iter().map(|(_, sources)| sources.len()).product::<usize>();
    let all = ways.checked_shl(u32::try_from(orders.len()).ok()?)?;
    if orders.len() > 12 || all > 1 << 14 {
        return None;
    }
    let world = |mut number: usize| {
        let mut digit = |base: usize| {
            let digit = number % base;
            number /= base;
            digit
        };
        let orders = orders.iter().map(|order| (order.clone(), digit(2) == 1)).collect();
        let reads = reads
            .iter()
            .map(|((txn, op, key), sources)| {
                (*txn, *op, key.clone(), sources[digit(sources.len())])
            })
            .collect();
        World { reads, orders }
    };
    Some((0..all).map(world).collect())
}

/// Whether an order follows from the conflicts that do not speak of it being so.
fn follows(verdict: &Verdict, refutation: &Refutation, order: &Order) -> Option<bool> {
    let asserts = |literal: &Literal| {
        matches!(literal, Literal::Before { key, first, then }
            if (&key.to_string(), first, then) == (&order.0, &order.1, &order.2))
    };
    let others: Vec<&Conflict> = refutation
        .conflicts
        .iter()
        .filter(|conflict| !conflict.literals.iter().any(asserts))
        .collect();
    let worlds = worlds(verdict, refutation, order)?;
    let contrary = worlds
        .iter()
        .filter(|world| world.orders.iter().any(|(own, is_so)| own == order && !is_so));
    Some(!contrary.into_iter().any(|world| others.iter().all(|one| world.keeps(one))))
}

/// Looks at one rejection; how many orders it shows.
fn check(history: &History, verdict: &Verdict, name: &str) -> usize {
    let Answer::Reject { refutation, .. } = &verdict.answer else { return 0 };
    let (shown, listed) = (shown(verdict), listed(history));
    for order @ (key, first, then) in &shown {
        let back = (key.clone(), *then, *first);
        assert!(!shown.contains(&back), "{name}: both orders of {order:?} are shown");
        assert!(!listed.contains(&back), "{name}: a list shows the contrary of {order:?}");
    }
    let mut base: BTreeSet<Order> = listed;
    for order in &shown {
        match follows(verdict, refutation, order) {
            Some(true) | None => {
                base.insert(order.clone());
            }
            Some(false) => {}
        }
    }
    let base = closed(base);
    for order in &shown {
        assert!(base.contains(order), "{name}: {order:?} does not follow\n{}", verdict.to_json());
    }
    let proved: Vec<Order> = refutation.conflicts.iter().filter_map(outright).collect();
    for order @ (key, first, then) in &proved {
        let is_disputed = proved.contains(&(key.clone(), *then, *first));
        let has_versions = [first, then].iter().all(|txn| {
            let card = verdict.transactions.iter().find(|card| card.id == **txn);
            card.is_some_and(|card| card.outcome != "aborted")
        });
        assert!(
            is_disputed || !has_versions || shown.contains(order),
            "{name}: {order:?} is proved and not shown"
        );
    }
    shown.len()
}

/// The order that a conflict proves by itself.
fn outright(conflict: &Conflict) -> Option<Order> {
    match conflict.literals.as_slice() {
        [Literal::Before { key, first, then }] => Some((key.to_string(), *then, *first)),
        _ => None,
    }
}

#[test]
fn orders_of_versions_follow_from_the_proof() {
    let (mut rejected, mut orders) = (0, 0);
    for seed in 0..1500 {
        let history = history(&mut Rng::new(seed), RandomShape::default());
        for level in ["serializable", "snapshot-isolation"] {
            let verdict = common::verdict(&history, level, "random");
            let has_cycles = matches!(&verdict.answer,
                Answer::Reject { refutation, .. } if !refutation.conflicts.is_empty());
            if has_cycles {
                rejected += 1;
                orders += check(&history, &verdict, &format!("seed {seed} at {level}"));
            }
        }
    }
    assert!(rejected > 200 && orders > 100, "{rejected} rejections show {orders} orders");
}

#[test]
fn a_list_shows_the_order_of_its_versions() {
    let verdict = common::lists();
    assert!(!shown(&verdict).is_empty(), "{}", tristan_report::html(&[verdict]));
}
