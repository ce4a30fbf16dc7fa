//! What is known while triggers fire.
//!
//! Layer `run`; knows the catalog.

use std::collections::BTreeSet;

use crate::catalog::{Column, Event, Trigger};
use crate::rows::TableId;
use crate::value::{Row, Value};

/// A trigger that fires, and for what.
pub(crate) struct Firing<'f> {
    pub(crate) trigger: &'f Trigger,
    /// The table or view, without its schema.
    pub(crate) table: &'f str,
    pub(crate) columns: &'f [Column],
    pub(crate) event: Event,
    pub(crate) old: Option<&'f [Value]>,
    pub(crate) new: Option<&'f [Value]>,
    /// The rows of transition tables, by the numbers under which the run keeps them.
    pub(crate) transitions: [Option<usize>; 2],
}

/// A row that was stored or deleted, for triggers that fire afterwards.
#[derive(Debug, Clone)]
pub(crate) struct Happened {
    pub(super) event: Event,
    pub(super) old: Option<Row>,
    pub(super) new: Option<Row>,
    /// The columns that were assigned.
    pub(super) columns: Vec<usize>,
}

/// What the statements of triggers read and write.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    pub(super) reads: BTreeSet<TableId>,
    pub(super) writes: BTreeSet<TableId>,
    pub(super) anything: bool,
}

/// The triggers of a statement at work.
#[derive(Debug, Default)]
pub(crate) struct Triggered {
    pub(super) happened: Vec<Happened>,
    pub(super) before: Watch,
    pub(super) after: Watch,
    /// How many rows BEFORE triggers have fired for.
    pub(super) fired: usize,
    /// Whether rows are stored by now.
    pub(super) stored: bool,
}

impl Watch {
    /// Whether a trigger may see what another one did.
    pub(super) fn is_entangled(&self) -> bool {
        self.anything || !self.reads.is_disjoint(&self.writes)
    }

    pub(super) fn reads(&self, table: TableId) -> bool {
        self.anything || self.reads.contains(&table)
    }

    pub(super) fn sees(&self, other: &Self) -> bool {
        let something = !other.writes.is_empty() || other.anything;
        something && (self.anything || other.anything || !self.reads.is_disjoint(&other.writes))
    }
}
