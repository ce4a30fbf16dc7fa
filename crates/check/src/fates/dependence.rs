//! Which fates a refutation depends on.
//!
//! A refutation does not depend on an operation whose transaction is not in its core, if the refutation
//! mentions no key that the operation writes (for a savepoint or a rollback: that its transaction
//! writes). Flipping that operation changes neither the sources of the reads that the refutation speaks of
//! nor the versions that it orders.
//!
//! Transactions of unknown outcome in the core are there because reads show that they took effect.
//! Such a read may have another source if an operation took effect that writes the same key. So a
//! refutation with such a core also depends on every operation that writes a key which a
//! transaction of unknown outcome writes.

use rustc_hash::FxHashSet;
use tristan_history::{History, KeyId, OpKind, OpRef, Outcome, TxnId};
use tristan_verdict::{Conflict, Fact, Literal, Refutation, Rule};

/// Per open operation, whether the refutation depends on its fate.
pub(super) fn depends(history: &History, open: &[OpRef], refutation: &Refutation) -> Vec<bool> {
    let mentioned = Mentioned::of(history, refutation);
    let in_core = |txn: TxnId| refutation.core.contains(&txn.0);
    let depends = |at: &OpRef| {
        in_core(at.txn) || written_keys(history, *at).any(|key| mentioned.contains(key))
    };
    open.iter().map(depends).collect()
}

/// The keys that an operation writes, or whose writes it may undo.
fn written_keys(history: &History, at: OpRef) -> impl Iterator<Item = KeyId> {
    let own = history.op(at).kind.key();
    let all = if own.is_some() { &[][..] } else { history.ops_of(at.txn) };
    own.into_iter().chain(all.iter().filter(|op| writes(&op.kind)).filter_map(|op| op.kind.key()))
}

fn writes(kind: &OpKind) -> bool {
    !matches!(kind, OpKind::Get { .. } | OpKind::ReadList { .. })
}

/// The keys that a refutation mentions.
struct Mentioned {
    keys: FxHashSet<KeyId>,
    /// It mentions a range read without saying which key of it.
    all: bool,
}

impl Mentioned {
    fn of(history: &History, refutation: &Refutation) -> Self {
        let mut mentioned = Self { keys: FxHashSet::default(), all: false };
        mentioned.add_named(history, refutation);
        for conflict in &refutation.conflicts {
            mentioned.add_operations(history, conflict);
        }
        for fact in &refutation.facts {
            if let Fact::TookEffect { reader, op, .. } = fact {
                mentioned.add_operation(history, *reader, *op);
            }
        }
        let unsure = |txn: &TxnId| history.txn(*txn).outcome == Outcome::Unknown;
        if refutation.core.iter().any(|&txn| unsure(&TxnId(txn))) {
            let ops = history.txn_ids().filter(unsure).flat_map(|txn| history.ops_of(txn));
            let written = ops.filter(|op| writes(&op.kind)).filter_map(|op| op.kind.key());
            mentioned.keys.extend(written);
        }
        mentioned
    }

    fn contains(&self, key: KeyId) -> bool {
        self.all || self.keys.contains(&key)
    }

    /// The keys that stand in the refutation.
    fn add_named(&mut self, history: &History, refutation: &Refutation) {
        let bad = refutation.bad.iter().map(|bad| &bad.key);
        let choices = refutation.choices.iter().map(|choice| &choice.key);
        let conflicts = refutation.conflicts.iter().flat_map(|conflict| {
            let literals = conflict.literals.iter().filter_map(|literal| match literal {
                Literal::Reads { key, .. } => key.as_ref(),
                Literal::Before { key, .. } => Some(key),
            });
            let edges = match &conflict.rule {
                Rule::Cycle(edges) => edges.as_slice(),
                _ => &[],
            };
            literals.chain(edges.iter().filter_map(|edge| edge.key.as_ref()))
        });
        let facts = refutation.facts.iter().filter_map(|fact| match fact {
            Fact::OnlyVersions { key, .. }
            | Fact::OnlyWrites { key, .. }
            | Fact::ListShows { key, .. } => Some(key),
            Fact::TookEffect { .. } => None,
        });
        let names = bad.chain(choices).chain(conflicts).chain(facts);
        self.keys.extend(names.filter_map(|name| history.keys.find(name)).map(KeyId));
    }

    /// The keys of operations that the conflict names by their place.
    fn add_operations(&mut self, history: &History, conflict: &Conflict) {
        for literal in &conflict.literals {
            if let Literal::Reads { txn, op, key: None, .. } = literal {
                self.add_operation(history, *txn, *op);
            }
        }
        if let Rule::NoSource(txn, op) | Rule::ListOrder(txn, op) = conflict.rule {
            self.add_operation(history, txn, op);
        }
    }

    fn add_operation(&mut self, history: &History, txn: u32, op: u32) {
        match history.op(OpRef { txn: TxnId(txn), op }).kind.key() {
            Some(key) => {
                self.keys.insert(key);
            }
            None => self.all = true,
        }
    }
}
