//! Statements of a log that define tables, views and routines.
//!
//! They are carried out when they are read. What they do to rows is a step of their transaction; `barriers.rs`
//! says why that is right.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use tristan_sql::{Names, Statement as Text};

use super::defined::Defined;
use super::machine::Sql;
use super::refused::RefusedError;
use crate::level::Kind;
use crate::model::{Call, Outcome, Txn};
use crate::statement::{Plan, Statement, UnsupportedError};
use crate::world::TableId;

impl Sql {
    /// Carries out a definition that worked. Returns what it does to rows.
    pub(super) fn define(
        &mut self,
        call: &Call,
        statement: &Text,
    ) -> Result<Option<Rc<Plan>>, RefusedError> {
        let before = self.catalog.names();
        self.defined.redefined |= statement.redefines(&self.catalog);
        let done = statement.define(Rc::make_mut(&mut self.catalog));
        self.plans.clear();
        let work = match done {
            Ok(Ok(work)) => work,
            refused => {
                Rc::make_mut(&mut self.catalog).undo_to(&before);
                return match refused? {
                    Err(failure) => Err(RefusedError::because(format!("{failure}: {}", call.sql))),
                    Ok(_) => Ok(None),
                };
            }
        };
        self.note_temporaries();
        self.look_up(false);
        self.defined.altered.extend(before.altered(&self.catalog));
        let savepoints = self.defined.savepoints.iter_mut().map(|(_, names)| names);
        for unset in savepoints.chain([&mut self.defined.before]).filter(|names| names.is_none()) {
            *unset = Some(before.clone());
        }
        let plan = |prepared| Plan {
            sql: Arc::clone(&call.sql),
            prepared,
            catalog: Rc::clone(&self.catalog),
            kind: Kind::Write,
            locks: false,
            nested: false,
            displays: false,
            filled: OnceCell::new(),
        };
        Ok(work.map(|prepared| Rc::new(plan(prepared))))
    }

    /// A transaction begins.
    pub(super) fn begin_definitions(&mut self) {
        self.defined = Defined::default();
    }

    /// A transaction comes to a savepoint.
    pub(super) fn mark_definitions(&mut self, name: &str) {
        self.defined.savepoints.push((name.to_owned(), None));
    }

    /// A transaction goes back to a savepoint, and takes its definitions with it.
    pub(super) fn undo_definitions(&mut self, name: &str) {
        let all = &mut self.defined.savepoints;
        let Some(place) = all.iter().rposition(|(one, _)| one == name) else { return };
        all.truncate(place + 1);
        let names = all.last_mut().and_then(|(_, names)| names.take());
        self.go_back(names.as_ref());
    }

    /// A transaction is over. If it did not commit, nothing that it defined is there.
    pub(super) fn end_definitions(&mut self, txn: &Txn) {
        let names = self.defined.before.take().filter(|_| txn.outcome == Outcome::Aborted);
        self.go_back(names.as_ref());
    }

    fn go_back(&mut self, names: Option<&Names>) {
        if let Some(names) = names
            && self.undoes_settings()
        {
            Rc::make_mut(&mut self.catalog).undo_to(names);
            self.plans.clear();
        }
    }

    /// Loses the tables that were just altered while others may have used them.
    pub(super) fn pass_barriers(&mut self, txn: &Txn, call: &Call) {
        if std::mem::take(&mut self.defined.redefined)
            && (!self.barriers.redefine(txn) || txn.outcome == Outcome::Unknown)
        {
            self.lose_everything(call);
        }
        for (old, new) in std::mem::take(&mut self.defined.altered) {
            let clear = self.barriers.alter(txn, old.id(), new.id());
            let names = [old.short_name().to_lowercase(), new.short_name().to_lowercase()];
            let lost = names.iter().any(|name| self.is_lost(name));
            let blurred = names.iter().filter(|name| self.is_blurred(name)).cloned();
            let blurred: Vec<String> = blurred.collect();
            self.lose_unseen(&blurred, call);
            if lost || !clear || txn.outcome == Outcome::Unknown {
                self.lose_overlapping(&names, call);
            }
        }
    }

    /// Loses the tables of a statement that may have met an altered table in either shape.
    pub(super) fn touch(&mut self, txn: &Txn, call: &Call, statement: &Statement) {
        let calls = statement.reach.anything || statement.plan.prepared.failure().is_some();
        if calls && !self.barriers.calls(txn) {
            self.lose_everything(call);
        }
        let mut unclear: Vec<TableId> = match statement.reach.anything {
            true => self.barriers.touch_anything(txn),
            false => Vec::new(),
        };
        let named = statement.plan.prepared.failure().map(|_| self.named_tables(&call.sql));
        for table in statement.reach.tables().chain(named.into_iter().flatten()) {
            if !self.barriers.touch(txn, table) {
                unclear.push(table);
            }
        }
        for table in unclear {
            let name = self.catalog.by_id(table).map(|table| table.short_name().to_lowercase());
            self.lose_overlapping(name.as_slice(), call);
        }
    }

    /// A routine may have meant either of two things.
    fn lose_everything(&mut self, call: &Call) {
        let because = "a routine is replaced or dropped while other transactions may call it";
        self.failure.get_or_insert_with(|| UnsupportedError(format!("{because}: {}", call.sql)));
        self.hopeless = true;
    }

    fn lose_overlapping(&mut self, names: &[String], call: &Call) {
        let because = "it is altered while other transactions may use it";
        let error =
            UnsupportedError(format!("a table is excluded because {because}: {}", call.sql));
        self.lose(names, because, &error);
    }
}
