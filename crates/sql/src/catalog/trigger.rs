//! Triggers of tables and views, as they were read.
//!
//! Layer `catalog`; knows routines and the syntax tree of SQL. The triggers of a table are kept in the order in which
//! they fire: by name in PostgreSQL, as they were made in MySQL.

use std::sync::Arc;

use sqlparser::ast;

use super::Catalog;
use super::routine::Routine;

/// What a table or a view does when its rows change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trigger {
    pub(crate) name: String,
    pub(crate) timing: Timing,
    pub(crate) events: Vec<Event>,
    /// `UPDATE OF`: fires if one of these columns is assigned; empty for all columns.
    pub(crate) columns: Vec<String>,
    /// `FOR EACH ROW`, not `FOR EACH STATEMENT`.
    pub(crate) per_row: bool,
    pub(crate) when: Option<ast::Expr>,
    /// The names of the transition tables, the one with the old rows first.
    pub(crate) transitions: [Option<String>; 2],
    pub(crate) action: TriggerAction,
    pub(crate) enabled: bool,
}

/// What a trigger does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TriggerAction {
    /// It calls a function of PostgreSQL.
    Function(String),
    /// It has steps of its own, as in MySQL.
    Steps(Arc<Routine>),
}

/// When a trigger fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timing {
    Before,
    After,
    Instead,
}

/// What a trigger waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Insert,
    Update,
    Delete,
}

impl Event {
    /// What the server calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }
}

impl Timing {
    /// What the server calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Before => "BEFORE",
            Self::After => "AFTER",
            Self::Instead => "INSTEAD OF",
        }
    }
}

impl Trigger {
    /// Whether it fires at this moment, if its condition holds.
    pub(crate) fn fires(&self, timing: Timing, event: Event, per_row: bool) -> bool {
        self.enabled
            && self.timing == timing
            && self.per_row == per_row
            && self.events.contains(&event)
    }
}

impl Catalog {
    /// Whether a trigger calls this function.
    pub(crate) fn fires(&self, function: &str) -> bool {
        let calls = |trigger: &Trigger| matches!(&trigger.action, TriggerAction::Function(name) if name.eq_ignore_ascii_case(function));
        self.tables().flat_map(|table| &table.triggers).any(calls)
            || self.views.values().flat_map(|view| &view.triggers).any(calls)
    }
}

/// Adds a trigger to those of a table, where it fires.
pub(crate) fn add_in_order(triggers: &mut Vec<Trigger>, new: Trigger, by_name: bool) {
    let place = match by_name {
        true => triggers.partition_point(|old| old.name <= new.name),
        false => triggers.len(),
    };
    triggers.insert(place, new);
}
