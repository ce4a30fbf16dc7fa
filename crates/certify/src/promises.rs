//! What each transaction was promised: by its own word, else by that of the trace's header.

use tristan_history::{History, TxnId};
use tristan_spec::{Level, Promise, ReadRule, Set};

use crate::error::CertifyError;

/// What the transactions of a trace may expect at a level.
pub(crate) struct Promises {
    rule: ReadRule,
    /// By transaction; empty if the level does not ask.
    given: Vec<Promise>,
}

impl Promises {
    /// Every transaction under one rule.
    pub(crate) fn same(rule: ReadRule) -> Self {
        Self { rule, given: Vec::new() }
    }

    /// What the trace says, as far as the level asks.
    ///
    /// # Errors
    /// If the level asks and a transaction was promised nothing, or nothing that is understood.
    pub(crate) fn of(history: &History, level: &Level) -> Result<Self, CertifyError> {
        let mut promises = Self::same(level.reads);
        if level.asks_promises() {
            for (number, txn) in (0u32..).zip(&history.txns) {
                let word = txn.level.as_deref().or(history.header.level.as_deref());
                let promise = word.and_then(Promise::named);
                promises.given.push(promise.ok_or(CertifyError::NoPromise { txn: number })?);
            }
        }
        Ok(promises)
    }

    /// Whether what the transaction reads need not have been committed.
    pub(crate) fn allow_dirty_reads(&self, txn: TxnId) -> bool {
        match self.rule {
            ReadRule::Committed => false,
            ReadRule::Dirty => true,
            ReadRule::Promised => self.given[txn.index()] < Promise::ReadCommitted,
        }
    }

    /// Whether any transaction may read what was not committed.
    pub(crate) fn allow_some_dirty_reads(&self) -> bool {
        self.rule != ReadRule::Committed
    }

    /// Whether the transaction was promised at least what the set asks for.
    pub(crate) fn include(&self, set: Set, txn: TxnId) -> bool {
        let least = match set {
            Set::Committed => Promise::ReadCommitted,
            Set::Repeatable => Promise::RepeatableRead,
            Set::Serializable => Promise::Serializable,
            Set::Readers | Set::Writers => return false,
        };
        self.given.get(txn.index()).is_some_and(|&given| given >= least)
    }
}
