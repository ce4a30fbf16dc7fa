//! Which transactions, keys and operations a refutation names.

use std::collections::BTreeSet;

use tristan_history::Datum;
use tristan_verdict::{Conflict, Literal, Refutation, Rule, Source};

/// The transactions, keys and operations that a conflict names.
pub(crate) fn mentioned_by(
    conflict: &Conflict,
) -> (BTreeSet<u32>, BTreeSet<&Datum>, Vec<(u32, u32)>) {
    let (mut txns, mut keys, mut operations) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for literal in &conflict.literals {
        match literal {
            Literal::Reads { txn, op, from, .. } => {
                txns.insert(*txn);
                txns.extend(writer(*from));
                operations.push((*txn, *op));
            }
            Literal::Before { key, first, then } => {
                txns.extend([*first, *then]);
                keys.insert(key);
            }
        }
    }
    match &conflict.rule {
        Rule::Cycle(edges) => {
            for edge in edges {
                txns.extend([edge.from, edge.to].into_iter().chain(edge.over.and_then(writer)));
                keys.extend(&edge.key);
            }
        }
        Rule::InitialClash => {}
        Rule::NoSource(txn, op) | Rule::ListOrder(txn, op) => {
            txns.insert(*txn);
            operations.push((*txn, *op));
        }
    }
    (txns, keys, operations)
}

/// The transactions that the conflicts name, and those that conflicts or choices do.
pub(crate) fn mentioned(refutation: &Refutation) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let txns: BTreeSet<u32> =
        refutation.conflicts.iter().flat_map(|conflict| mentioned_by(conflict).0).collect();
    let mut all = txns.clone();
    for choice in &refutation.choices {
        all.insert(choice.txn);
        all.extend(choice.sources.iter().copied().filter_map(writer));
    }
    (txns, all)
}

fn writer(from: Source) -> Option<u32> {
    match from {
        Source::Initial => None,
        Source::Txn(txn) => Some(txn),
    }
}
