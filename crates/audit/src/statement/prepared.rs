//! A statement of the log, ready to be carried out in any state.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use tristan_sql::{Catalog, Prepared};

use super::around::Around;
use super::expected::Expected;
use super::focus::Focus;
use super::reach::Reach;
use crate::level::Kind;
use crate::world::{TableId, Value};

/// What statements with the same text share.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) sql: Arc<str>,
    pub(crate) prepared: Prepared,
    /// The tables as they were when the statement was read.
    pub(crate) catalog: Rc<Catalog>,
    pub(crate) kind: Kind,
    /// Whether it has a clause such as `FOR UPDATE` somewhere.
    pub(crate) locks: bool,
    /// Whether it may look at rows that a clause such as `FOR UPDATE` does not lock.
    pub(crate) nested: bool,
    /// Whether it shows rows of its tables side by side.
    pub(crate) displays: bool,
    /// The columns that it fills with values that only the server knows, once that was asked.
    pub(crate) filled: OnceCell<Option<Vec<(TableId, usize)>>>,
}

impl Plan {
    /// The columns that it fills with values that only the server knows; `None` if that is not clear.
    pub(crate) fn filled(&self) -> Option<&[(TableId, usize)]> {
        self.filled.get_or_init(|| self.prepared.fills(&self.catalog)).as_deref()
    }
}

/// A statement, with everything that it needs to be carried out and judged.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) plan: Rc<Plan>,
    pub(crate) params: Vec<Value>,
    /// What was observed.
    pub(crate) expected: Expected,
    /// What it may look at and write.
    pub(crate) reach: Reach,
    /// The rows of which it does something, if it is the part of a statement that is about these.
    pub(crate) only: Option<Focus>,
    /// Whether the rest of it is about other rows.
    pub(crate) is_part: bool,
    /// Its place among the calls of its transaction.
    pub(crate) call: usize,
    /// What is known about it besides.
    pub(crate) around: Around,
}

impl Statement {
    /// What it does with rows.
    pub(crate) fn kind(&self) -> Kind {
        self.plan.kind
    }

    /// Whether it is a query that looks again at the rows for which it had to wait.
    pub(crate) fn looks_again(&self) -> bool {
        self.plan.prepared.looks_again()
    }

    /// Whether it looks at rows at moments of its own choice: it locks rows without being a plain query that does,
    /// or runs routines, whose statements each see a state of their own.
    pub(crate) fn has_moments_of_its_own(&self) -> bool {
        match self.kind() {
            Kind::Read => false,
            Kind::LockingRead => self.reach.entangled && !self.looks_again(),
            Kind::Write => self.plan.locks || self.reach.anything,
        }
    }

    /// Whether what it looks at besides the rows that it changes is of one state at READ COMMITTED of InnoDB, and in
    /// which table these rows are; in none if it only inserts.
    pub(crate) fn changes_beside(&self) -> Option<Option<TableId>> {
        let prepared = &self.plan.prepared;
        if self.reach.anything || self.plan.locks {
            return None;
        }
        if prepared.inserts_rows_of_a_query() {
            return Some(None);
        }
        let table = prepared.updates()?;
        self.reach.looks_once_at(table).then_some(Some(table))
    }

    /// Whether InnoDB locks everything that it looks at: in a statement that changes rows all tables, in a query those
    /// that it names itself.
    pub(crate) fn locks_what_it_sees(&self) -> bool {
        match self.kind() {
            Kind::Read => false,
            Kind::LockingRead => !self.plan.nested && !self.reach.anything,
            Kind::Write => !self.reach.anything,
        }
    }

    /// Whether the keys that it found taken may be free again when its transaction ends: what is not inserted
    /// is not locked.
    pub(crate) fn leaves_keys_alone(&self) -> bool {
        self.plan.prepared.may_skip() || matches!(self.expected, Expected::Error(_))
    }

    /// Whether it is a query that surely looked at rows of tables. If MariaDB and MySQL see that no row can meet its
    /// conditions (`id > 1 AND id <= 1`), they do not look at any.
    pub(crate) fn surely_looked(&self) -> bool {
        let shown = match &self.expected {
            Expected::Rows(rows) => !rows.is_empty(),
            Expected::Shown(count) => *count > 0,
            Expected::Shows(_) => true,
            Expected::Affected(_) | Expected::Works | Expected::Noted(_) => false,
            Expected::Error(_) | Expected::Refused => return false,
        };
        let looks = || self.plan.prepared.surely_looks(&self.plan.catalog, &self.params);
        self.kind() == Kind::Read && (shown && self.plan.displays || looks())
    }

    /// Whether it was told that it changed nothing.
    fn changed_nothing(&self) -> bool {
        match &self.expected {
            Expected::Affected(count) => *count == 0,
            Expected::Rows(rows) => rows.is_empty(),
            Expected::Error(_) => true,
            Expected::Shown(_) | Expected::Shows(_) | Expected::Noted(_) => false,
            Expected::Works | Expected::Refused => false,
        }
    }

    /// Whether it holds no locks because of keys that are taken.
    pub(crate) fn found_keys_taken(&self) -> bool {
        self.leaves_keys_alone() && self.changed_nothing()
    }
}
