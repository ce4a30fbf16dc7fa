//! What is given while one transaction is tried, and what is noted on the way.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use tristan_ground::Budget;

use super::effort::Effort;
use super::untried::Untried;
use crate::options::AuditOptions;
use crate::sql::Sql;
use crate::statement::Readers;
use crate::store::{Store, WantedIndex};

/// Everything that does not change while one transaction is tried.
pub(crate) struct Context<'a> {
    pub(crate) store: &'a Store,
    pub(crate) sql: &'a Sql,
    pub(crate) options: &'a AuditOptions,
    pub(crate) effort: Effort,
    pub(crate) notes: &'a Notes,
    /// Everybody who may read old states, if everything is to be tried.
    pub(crate) readers: Option<&'a Readers>,
}

impl Context<'_> {
    /// Whether those who only read have a place in the order, too. Otherwise they look for a state
    /// among those of their time when that is over, in whatever order the others were put.
    pub(crate) fn reads_in_turn(&self) -> bool {
        self.effort.full && self.options.level.is_serial()
    }
}

/// What is noted on the way.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// What was left untried first, and for which transaction.
    untried: Cell<Option<(Untried, Option<u64>)>>,
    /// How many statements were carried out.
    pub(crate) runs: Cell<u64>,
    /// No statement is carried out when it has ended; the pass is then late, whatever it says.
    pub(crate) budget: Budget,
    /// Indexes that would help.
    pub(crate) wanted: RefCell<Vec<WantedIndex>>,
    /// Answers that nothing explains and that are passed over, to see what else is wrong: serial numbers of
    /// transactions, with a step.
    pub(crate) pardoned: RefCell<BTreeSet<(u32, usize)>>,
}

impl Notes {
    /// Whether an answer is passed over although it is wrong.
    pub(super) fn pardons(&self, serial: u32, step: usize) -> bool {
        self.pardoned.borrow().contains(&(serial, step))
    }

    /// Notes that something was left untried for a transaction, or for all.
    pub(crate) fn leave(&self, what: Untried, txn: Option<u64>) {
        if self.untried.get().is_none() {
            self.untried.set(Some((what, txn)));
        }
    }

    /// What was left untried, and for which transaction. Returns `None` if everything was tried.
    pub(crate) fn untried(&self) -> Option<(Untried, Option<u64>)> {
        self.untried.get()
    }
}
