//! Read uncommitted: some version order without G0; everything read was written by another transaction,
//! whatever became of it, and lists agree on the order of effective transactions.

use std::collections::BTreeMap;

use tristan_history::{History, KeyId, TxnId, ValueId};

use crate::{
    axioms::{Demand, Question, orders},
    orders::{Flow, version_orders},
    reading::{Scene, starts_like},
    register::{Read, Seen},
    relations::Rel,
    script::Script,
};

/// Removes the questions that some version order settles, if every value was written.
pub(crate) fn settle(
    history: &History,
    scripts: &[Script],
    effective: &[TxnId],
    scene: &Scene,
    open: &mut Vec<Question>,
) {
    let asked = open.iter().any(|question| question.demand == Demand::Dirty);
    if !asked
        || seen_at_start(history, scripts, effective).is_none()
        || !lists_were_written(scripts, effective)
    {
        return;
    }
    let shown = list_order(scripts, effective, effective, |_| true);
    // The visitor stops early once nothing is open.
    let _ = version_orders(&scene.writers, &shown, &mut |chains| {
        let mut ww = Rel::default();
        for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
            ww.add(pair[0], pair[1]);
        }
        let mut waiting = false;
        open.retain(|question| {
            let dirty = question.demand == Demand::Dirty;
            let settled = dirty && ww.or(orders(scene, question.strength)).acyclic();
            waiting |= dirty && !settled;
            !settled
        });
        if waiting { Flow::Continue(()) } else { Flow::Break(()) }
    });
}

/// What these readers saw of each key that no other transaction wrote; `None` if that cannot be how the key
/// was at the start.
pub(crate) fn seen_at_start(
    history: &History,
    scripts: &[Script],
    readers: &[TxnId],
) -> Option<BTreeMap<KeyId, Vec<Seen>>> {
    let mut from_start: BTreeMap<KeyId, Vec<Seen>> = BTreeMap::new();
    for &reader in readers {
        for &Read { key, seen, .. } in &scripts[reader.index()].reads {
            let written = others(scripts, reader)
                .flat_map(|script| &script.writes)
                .any(|write| write.key == key && seen.fits(write.what));
            if !written {
                from_start.entry(key).or_default().push(seen);
            }
        }
    }
    let possible = from_start.iter().all(|(&key, all)| {
        let agree = all.iter().all(|one| all.iter().all(|two| one.agrees(*two)));
        agree && all.iter().all(|&seen| starts_like(history, key, seen))
    });
    possible.then_some(from_start)
}

/// Whether every element of every external part was appended by another transaction and occurs
/// once.
pub(crate) fn lists_were_written(scripts: &[Script], readers: &[TxnId]) -> bool {
    let fine = |reader: TxnId, key: KeyId, elements: &[ValueId]| {
        elements.iter().enumerate().all(|(at, element)| {
            let mut others = others(scripts, reader);
            others.any(|script| script.ever_appended(key, *element))
                && !elements[..at].contains(element)
        })
    };
    readers.iter().all(|&reader| {
        let mut lists = scripts[reader.index()].lists.iter();
        lists.all(|(_, key, elements)| fine(reader, *key, elements))
    })
}

fn others(scripts: &[Script], reader: TxnId) -> impl Iterator<Item = &Script> {
    scripts
        .iter()
        .enumerate()
        .filter(move |&(at, _)| at != reader.index())
        .map(|(_, script)| script)
}

/// The order of effective transactions that list reads show, as far as they count; elements of
/// other transactions, or that no transaction appended, say nothing. Appends torn apart by another
/// transaction's are ordered both ways.
pub(crate) fn list_order(
    scripts: &[Script],
    readers: &[TxnId],
    effective: &[TxnId],
    counts: impl Fn(&TxnId) -> bool,
) -> Rel {
    let mut shown = Rel::default();
    for &reader in readers {
        for (_, key, elements) in &scripts[reader.index()].lists {
            let appender = |&element: &ValueId| {
                effective.iter().position(|txn| {
                    counts(txn) && scripts[txn.index()].appended_to(*key).contains(&element)
                })
            };
            let appenders: Vec<usize> = elements.iter().filter_map(appender).collect();
            for (at, &first) in appenders.iter().enumerate() {
                for &second in appenders[at + 1..].iter().filter(|&&second| second != first) {
                    shown.add(first, second);
                }
            }
        }
    }
    shown
}
