//! Where the smallest parts of a relation come from.

use tristan_spec::Promise;

use crate::gates::{Circuit, Gate};

/// An order that the history gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// `so`.
    Session,
    /// `rt`: ended before the other began.
    RealTime,
    /// `cc`: committed before the other committed.
    Commits,
    /// `bc`: began before the other committed.
    BeginCommit,
}

/// A gate for everything a relation is made of, over transactions `0..txns` (0 is the initial
/// one) and keys `0..keys`.
pub trait Atoms {
    /// How many transactions there are, the initial one included.
    fn txns(&self) -> usize;

    /// How many keys there are.
    fn keys(&self) -> usize;

    /// Whether the transaction is there at all.
    fn exists(&self, _txn: usize) -> Gate {
        Gate::TRUE
    }

    /// Whether it is the initial one.
    fn is_initial(&self, txn: usize) -> Gate {
        Gate::constant(txn == 0)
    }

    /// Whether an order of the history holds between two transactions.
    fn order(&self, order: Order, first: usize, second: usize) -> Gate;

    /// Whether `reader` reads the version of the key that `writer` wrote.
    fn reads_from(&self, key: usize, writer: usize, reader: usize) -> Gate;

    /// Whether the transaction reads the first key before the second; only asked for two
    /// different keys, and false unless it reads both.
    fn reads_before(&self, txn: usize, first: usize, second: usize) -> Gate;

    /// Whether the transaction writes the key.
    fn writes(&self, key: usize, txn: usize) -> Gate;

    /// Whether the transaction reads the key.
    fn reads(&self, key: usize, txn: usize) -> Gate;

    /// Whether the transaction was promised this, or more.
    fn promised(&self, promise: Promise, txn: usize) -> Gate;

    /// Whether a witness of the level, by its place, holds between two transactions; with a key
    /// if it is an order per key.
    fn witness(&self, witness: usize, key: Option<usize>, first: usize, second: usize) -> Gate;

    /// Whether the transaction writes something.
    fn writes_something(&self, circuit: &mut Circuit, txn: usize) -> Gate {
        let keys = (0..self.keys()).map(|key| self.writes(key, txn));
        circuit.or(keys)
    }

    /// Whether the transaction reads something.
    fn reads_something(&self, circuit: &mut Circuit, txn: usize) -> Gate {
        let keys = (0..self.keys()).map(|key| self.reads(key, txn));
        circuit.or(keys)
    }
}
