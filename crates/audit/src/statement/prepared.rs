//! A statement of the log, ready to be carried out in any state.

use std::rc::Rc;

use tristan_sql::Prepared;

use super::expected::Expected;
use super::reach::Reach;
use crate::level::Kind;
use crate::world::Value;

/// What statements with the same text share.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) prepared: Prepared,
    pub(crate) kind: Kind,
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
    /// Its place among the calls of its transaction.
    pub(crate) call: usize,
}

impl Statement {
    /// What it does with rows.
    pub(crate) fn kind(&self) -> Kind {
        self.plan.kind
    }

    /// Whether which rows it shows, or where, depends on other rows than each one itself.
    pub(crate) fn is_arranged(&self) -> bool {
        self.reach.looks_twice || self.plan.prepared.is_sorted_or_limited()
    }
}
