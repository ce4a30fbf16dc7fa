//! AFTER triggers of rows, in orders that make no difference.
//!
//! Layer `run`; knows triggers. Which row of a statement comes first is open, unless they are written down. If the
//! triggers of one row can see what those of another one did, several orders are tried.

use crate::catalog::{Table, Timing};
use crate::error::{ExecutionError, Result, unsupported};

use super::firing::{Firing, Happened};
use super::overlay::Overlay;
use super::state::Run;
use super::trigger::is_about;

impl Run<'_> {
    /// Fires the AFTER triggers of all rows, in an order that makes no difference.
    pub(super) fn fire_after(&mut self, table: &Table, in_order: bool) -> Result<()> {
        if !self.has_row_triggers(table, Timing::After) {
            return Ok(());
        }
        let happened = std::mem::take(&mut self.triggered.happened);
        let before = self.now.clone();
        let done = self.fire_each(table, &happened, &(0..happened.len()).collect::<Vec<_>>());
        let open = !in_order && happened.len() > 1;
        let entangled = done.is_err() || self.triggered.after.is_entangled();
        if open && entangled && !matches!(done, Err(ExecutionError::Unsupported(_))) {
            self.same_in_other_orders(table, &happened, before, &done)?;
        }
        self.triggered.happened = happened;
        done
    }

    fn fire_each(&mut self, table: &Table, happened: &[Happened], order: &[usize]) -> Result<()> {
        for place in order {
            let one = &happened[*place];
            for trigger in &table.triggers {
                if !trigger.fires(Timing::After, one.event, true)
                    || !is_about(trigger, table, one.event, &one.columns)
                {
                    continue;
                }
                let firing = Firing {
                    trigger,
                    table: table.short_name(),
                    columns: &table.columns,
                    event: one.event,
                    old: one.old.as_deref(),
                    new: one.new.as_deref(),
                    transitions: [None, None],
                };
                self.fire(&firing)?;
            }
        }
        Ok(())
    }

    /// Fires triggers of rows in other orders, each row once as the last one, and stops if that makes a difference.
    fn same_in_other_orders(
        &mut self,
        table: &Table,
        happened: &[Happened],
        before: Overlay,
        done: &Result<()>,
    ) -> Result<()> {
        const MOST: usize = 24;
        // What is not a row, such as a variable of the session, would be changed again.
        if happened.len() > MOST || self.triggered.after.anything {
            return unsupported("triggers of many rows that see each other");
        }
        let first = std::mem::replace(&mut self.now, before.clone());
        let inserted = self.inserted;
        let count = happened.len();
        let reverse: Vec<usize> = (0..count).rev().collect();
        let last =
            (0..count).map(|last| (0..count).filter(|one| *one != last).chain([last]).collect());
        for order in std::iter::once(reverse).chain(last.collect::<Vec<Vec<usize>>>()) {
            let again = self.fire_each(table, happened, &order);
            let now = std::mem::replace(&mut self.now, before.clone());
            let same = match (done, &again) {
                (Ok(()), Ok(())) => now.leaves_the_same(&first),
                (Err(ExecutionError::Server(a)), Err(ExecutionError::Server(b))) => {
                    a.class == b.class
                }
                _ => false,
            };
            if !same {
                return unsupported("triggers whose result depends on the order of rows");
            }
        }
        (self.now, self.inserted) = (first, inserted);
        Ok(())
    }
}
