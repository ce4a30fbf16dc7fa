//! What a refutation rests on: transactions, and keys whose versions and reads it looks at.
//!
//! A refutation that was verified in one resolved history holds in every other one that reads
//! these transactions and these keys alike: nothing else was looked at. Too much in here only
//! means more histories to look at.

use std::collections::BTreeSet;

use tristan_history::{History, KeyId, OpRef, Outcome, TxnId};

use crate::fates::keys_at_stake;
use crate::reading::Reading;
use crate::support::Effective;

/// What a refutation rests on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grounds {
    txns: BTreeSet<TxnId>,
    keys: BTreeSet<KeyId>,
}

impl Grounds {
    /// Whether it matters to the refutation if this operation took effect.
    pub(crate) fn depend_on(&self, history: &History, at: OpRef) -> bool {
        let keys = keys_at_stake(history, at);
        self.txns.contains(&at.txn) || keys.iter().any(|key| self.keys.contains(key))
    }

    /// Notes a key.
    pub(crate) fn key(&mut self, key: KeyId) {
        self.keys.insert(key);
    }

    /// Notes everything that an operation read.
    pub(crate) fn operation(&mut self, reading: &Reading<'_>, txn: TxnId, op: u32) {
        self.keys.extend(reading.reads_at(txn, op).iter().map(|read| read.key));
        let violations = reading.own_violations.iter().filter(|&&(t, o, _)| (t, o) == (txn, op));
        self.keys.extend(violations.map(|&(_, _, key)| key));
    }

    /// Notes a transaction; if its outcome is unknown, also everything that it read, and why it took
    /// effect if it must have.
    pub(crate) fn txn(&mut self, reading: &Reading<'_>, effective: &Effective, txn: TxnId) {
        let mut next = Some(txn);
        while let Some(txn) = next {
            let known = reading.history.txn(txn).outcome != Outcome::Unknown;
            if !self.txns.insert(txn) || known {
                return;
            }
            for op in 0..reading.history.txn(txn).op_count {
                self.operation(reading, txn, op);
            }
            let because = effective.because(txn);
            self.keys.extend(because.map(|(_, key)| key));
            next = because.map(|(reader, _)| reader);
        }
    }
}
