//! Triggers: what a table does by itself when its rows change.
//!
//! ```text
//!   BEFORE, statement ─► for each row: BEFORE, the row is stored ─► foreign keys ─► AFTER, row by row ─► AFTER, statement
//! ```
//!
//! What a trigger does belongs to the statement that fires it. Its own statements see what that statement did so far,
//! while the statement itself goes on with the rows that it saw when it began. So the effects of the statement lie
//! *below* those of its triggers while these run ([`Run::below`]), and are its own again afterwards.
//!
//! PostgreSQL fires AFTER triggers when all rows are stored. MySQL does so after each row; here they also come at the
//! end, and if a trigger could tell the difference, the statement is not supported. The order of rows is open unless
//! they are written down: if triggers read what they write, other orders are tried, and have to lead to the same.
//!
//! Layer `run`; settles which triggers fire, and when. Their bodies are carried out by [`super::state::Routines`].

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::catalog::{Event, Table, Timing, Trigger};
use crate::error::{ErrorClass, ExecutionError, Result, unsupported};
use crate::outcome::{Answer, Effect};
use crate::plan::{ConflictAction, Expr, InsertSource, OnConflict, Plan};
use crate::rows::TableId;
use crate::value::{Row, Value};

use super::firing::{Firing, Happened, Triggered};
use super::reach::Outline;
use super::state::Run;

/// The first number of rows of transition tables; recursive queries have smaller ones.
const TRANSITIONS: usize = 1 << 20;

impl Run<'_> {
    /// Notes what a statement inside a trigger reads and writes.
    pub(crate) fn watch(&mut self, plan: &mut Plan) {
        if self.below.is_empty() {
            return;
        }
        let outline = Outline::of_plan(self.catalog, plan);
        let meets = matches!(plan, Plan::Insert(insert) if insert.conflict != OnConflict::Fail);
        self.note(&outline, meets);
    }

    /// Notes what an expression inside a trigger reads.
    pub(crate) fn watch_expr(&mut self, expr: &mut Expr) {
        if !self.below.is_empty() {
            let outline = Outline::of_exprs_alone(expr);
            self.note(&outline, false);
        }
    }

    fn note(&mut self, outline: &Outline, meets: bool) {
        let stored = self.triggered.stored;
        let watch = if stored { &mut self.triggered.after } else { &mut self.triggered.before };
        watch.anything |= outline.is_anything();
        watch.reads.extend(outline.looked_at());
        watch.writes.extend(outline.written());
        if meets {
            watch.reads.extend(outline.written());
        }
    }

    /// A trigger changes what outlives it and is no row.
    pub(crate) fn note_anything(&mut self) {
        if !self.below.is_empty() {
            self.triggered.before.anything = true;
            self.triggered.after.anything = true;
        }
    }

    /// Whether a table has triggers that fire.
    pub(super) fn has_triggers(&self, table: &Table) -> bool {
        !self.catalog.is_silent() && table.triggers.iter().any(|trigger| trigger.enabled)
    }

    pub(super) fn has_row_triggers(&self, table: &Table, timing: Timing) -> bool {
        let one =
            |trigger: &Trigger| trigger.enabled && trigger.timing == timing && trigger.per_row;
        !self.catalog.is_silent() && table.triggers.iter().any(one)
    }

    /// Whether triggers may change a row of this event before it is stored.
    pub(super) fn has_before(&self, table: &Table, event: Event) -> bool {
        let fires = |trigger: &Trigger| trigger.fires(Timing::Before, event, true);
        !self.catalog.is_silent() && table.triggers.iter().any(fires)
    }

    /// A change of rows with all that it sets off.
    pub(super) fn change(&mut self, plan: &Plan) -> Result<Answer> {
        let table = plan.change().and_then(|(table, _)| self.catalog.by_id(table)).map(Arc::clone);
        let Some(table) = table.filter(|table| self.has_triggers(table)) else {
            let outer = std::mem::take(&mut self.triggered);
            let done = self.part(plan).and_then(|answer| self.cascade_of(plan).map(|()| answer));
            self.triggered = outer;
            return done;
        };
        let outer = std::mem::take(&mut self.triggered);
        let done = self.change_and_fire(plan, &table);
        self.triggered = outer;
        if matches!(done, Err(ExecutionError::Server(_))) && self.uses_others(plan, &table) {
            return unsupported("an error of a statement with triggers that uses other tables");
        }
        match done {
            Err(ExecutionError::Server(error))
                if matches!(error.class, ErrorClass::NotNull | ErrorClass::NoDefault)
                    && !self.dialect.is_strictly_typed()
                    && self.has_row_triggers(&table, Timing::Before) =>
            {
                unsupported("NULL in a row that a BEFORE trigger may still change")
            }
            done => done,
        }
    }

    /// Whether a statement of MariaDB looks at other tables than the one that it changes. No trigger may change
    /// those, and the error comes when the first one tries.
    fn uses_others(&self, plan: &Plan, table: &Table) -> bool {
        let outline = Outline::of_plan(self.catalog, &mut plan.clone());
        !self.dialect.is_strictly_typed() && outline.looked_at().any(|other| other != table.id())
    }

    fn change_and_fire(&mut self, plan: &Plan, table: &Table) -> Result<Answer> {
        let events = events(plan);
        for event in &events {
            self.fire_statement(table, Timing::Before, *event, plan)?;
        }
        let done = self.part(plan);
        let fired = !self.triggered.happened.is_empty();
        let in_order = has_order(plan);
        self.refuse_entangled_before(table, &events, in_order)?;
        let answer = match done {
            Err(ExecutionError::Server(error))
                if !self.dialect.is_strictly_typed()
                    && self.has_row_triggers(table, Timing::After)
                    && fired =>
            {
                return unsupported(format!("an error after triggers have fired ({error})"));
            }
            done => done?,
        };
        let own = self.now.len();
        self.cascade_of(plan)?;
        let cascaded: BTreeSet<TableId> = (own..self.now.len())
            .filter_map(|place| self.now.effect(place))
            .map(Effect::table)
            .collect();
        self.triggered.stored = true;
        self.fire_after(table, in_order)?;
        self.refuse_entangled_after(table, &cascaded)?;
        self.refuse_shared_tables(plan)?;
        for event in events.iter().rev() {
            self.fire_statement(table, Timing::After, *event, plan)?;
        }
        Ok(answer)
    }

    /// What BEFORE triggers of several rows see depends on which row comes first.
    fn refuse_entangled_before(
        &self,
        table: &Table,
        events: &[Event],
        in_order: bool,
    ) -> Result<()> {
        let Triggered { happened, before, fired, .. } = &self.triggered;
        let several = happened.len() > 1 || *fired > 1;
        if before.writes.contains(&table.id()) {
            return unsupported("a BEFORE trigger that changes its own table");
        }
        let moves = events.iter().any(|event| *event != Event::Insert);
        let looks = moves && before.reads(table.id());
        if several && (looks || !in_order && before.is_entangled()) {
            return unsupported("BEFORE triggers of several rows that see each other");
        }
        Ok(())
    }

    /// MariaDB lets no trigger change a table that its statement uses.
    fn refuse_shared_tables(&self, plan: &Plan) -> Result<()> {
        if self.dialect.is_strictly_typed() {
            return Ok(());
        }
        let outline = Outline::of_plan(self.catalog, &mut plan.clone());
        let Triggered { before, after, .. } = &self.triggered;
        let changed =
            |table: &TableId| before.writes.contains(table) || after.writes.contains(table);
        if outline.looked_at().any(|table| changed(&table)) {
            return unsupported("a trigger that changes a table of the statement");
        }
        Ok(())
    }

    fn refuse_entangled_after(&self, table: &Table, cascaded: &BTreeSet<TableId>) -> Result<()> {
        let Triggered { happened, before, after, .. } = &self.triggered;
        let early =
            |trigger: &Trigger| trigger.timing == Timing::After && trigger.name.as_str() < "RI_";
        let first = self.dialect.is_strictly_typed() && table.triggers.iter().any(early);
        if !cascaded.is_empty() && (first || after.anything || !after.reads.is_disjoint(cascaded)) {
            return unsupported("a trigger that sees what foreign keys do");
        }
        let in_turn = !self.dialect.is_strictly_typed() && happened.len() > 1;
        if in_turn && (after.reads(table.id()) || before.sees(after) || after.sees(before)) {
            return unsupported("triggers of several rows that see each other");
        }
        if !self.dialect.is_strictly_typed() && after.writes.contains(&table.id()) {
            return unsupported("a trigger that changes its own table");
        }
        Ok(())
    }

    /// Fires the BEFORE triggers of a row. Returns the row as they leave it, or `None` if it is left out.
    pub(super) fn fire_before(
        &mut self,
        table: &Table,
        event: Event,
        assigned: &[usize],
        old: Option<&[Value]>,
        new: Option<Vec<Value>>,
    ) -> Result<Option<Vec<Value>>> {
        let mut row = new;
        self.triggered.fired += 1;
        for trigger in &table.triggers {
            if !trigger.fires(Timing::Before, event, true)
                || self.catalog.is_silent()
                || !is_about(trigger, table, event, assigned)
            {
                continue;
            }
            let firing = Firing {
                trigger,
                table: table.short_name(),
                columns: &table.columns,
                event,
                old,
                new: row.as_deref(),
                transitions: [None, None],
            };
            let Some(left) = self.fire(&firing)? else { return Ok(None) };
            if event != Event::Delete {
                row = Some(left);
            }
        }
        Ok(Some(row.unwrap_or_default()))
    }

    /// Notes a row for the triggers that fire afterwards.
    pub(super) fn happened(
        &mut self,
        table: &Table,
        event: Event,
        assigned: &[usize],
        old: Option<&Row>,
        new: Option<&Row>,
    ) {
        if self.has_triggers(table) {
            let (old, new) = (old.cloned(), new.cloned());
            let columns = assigned.to_vec();
            self.triggered.happened.push(Happened { event, old, new, columns });
        }
    }

    /// Whether what triggers did so far depends on which row came first.
    pub(super) fn is_entangled(&self) -> bool {
        self.triggered.before.is_entangled()
    }

    /// Fires triggers of the statement as a whole.
    fn fire_statement(
        &mut self,
        table: &Table,
        timing: Timing,
        event: Event,
        plan: &Plan,
    ) -> Result<()> {
        if self.catalog.is_silent() {
            return Ok(());
        }
        let assigned = assigned(plan);
        for trigger in &table.triggers {
            if !trigger.fires(timing, event, false) || !is_about(trigger, table, event, &assigned) {
                continue;
            }
            let outside = self.working.len();
            let transitions = self.keep_transitions(trigger, event);
            let firing = Firing {
                trigger,
                table: table.short_name(),
                columns: &table.columns,
                event,
                old: None,
                new: None,
                transitions,
            };
            let done = self.fire(&firing);
            self.working.truncate(outside);
            done?;
        }
        Ok(())
    }

    /// Makes the old and the new rows tables for a trigger.
    fn keep_transitions(&mut self, trigger: &Trigger, event: Event) -> [Option<usize>; 2] {
        let mut numbers = [None, None];
        for (place, name) in trigger.transitions.iter().enumerate() {
            if name.is_none() {
                continue;
            }
            let happened = self.triggered.happened.iter().filter(|one| one.event == event);
            let rows = happened
                .filter_map(|one| if place == 0 { one.old.as_ref() } else { one.new.as_ref() });
            let rows: Vec<Vec<Value>> = rows.map(|row| row.to_vec()).collect();
            let number = TRANSITIONS + self.working.len();
            self.working.push((number, Arc::new(rows)));
            numbers[place] = Some(number);
        }
        numbers
    }

    /// Carries out a trigger. What the statement around it did so far lies below.
    pub(super) fn fire(&mut self, firing: &Firing<'_>) -> Result<Option<Vec<Value>>> {
        self.enter()?;
        let locals = std::mem::take(&mut self.locals);
        let memo = std::mem::take(&mut self.memo);
        let (writes, forgiving) = (self.writes, self.forgiving);
        let (fails, early) =
            (self.fails_on_warnings.take(), std::mem::take(&mut self.early_errors));
        (self.writes, self.forgiving) = (false, false);
        let now = std::mem::take(&mut self.now);
        self.below.push(now);
        let routines = self.routines;
        let done = routines.fire(self, firing);
        self.now = self.below.pop().unwrap_or_default();
        (self.locals, self.memo) = (locals, memo);
        (self.writes, self.forgiving) = (writes, forgiving);
        (self.fails_on_warnings, self.early_errors) = (fails, early);
        self.depth -= 1;
        done
    }
}

/// What happens to rows in a statement.
fn events(plan: &Plan) -> Vec<Event> {
    match plan {
        Plan::Insert(insert) => match insert.conflict {
            OnConflict::On { action: ConflictAction::Update { .. }, .. } => {
                vec![Event::Insert, Event::Update]
            }
            _ => vec![Event::Insert],
        },
        Plan::Update(_) => vec![Event::Update],
        Plan::Delete(_) => vec![Event::Delete],
        _ => Vec::new(),
    }
}

/// The columns that a statement assigns.
fn assigned(plan: &Plan) -> Vec<usize> {
    let assignments = match plan {
        Plan::Update(update) => &update.assignments,
        Plan::Insert(insert) => match &insert.conflict {
            OnConflict::On { action: ConflictAction::Update { assignments, .. }, .. } => {
                assignments
            }
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    assignments.iter().map(|one| one.column).collect()
}

/// Whether the order of the rows of a statement is known.
fn has_order(plan: &Plan) -> bool {
    matches!(plan, Plan::Insert(insert) if matches!(insert.source, InsertSource::Values(_)))
}

/// `UPDATE OF`: whether one of the columns is assigned.
pub(super) fn is_about(trigger: &Trigger, table: &Table, event: Event, assigned: &[usize]) -> bool {
    let mut named = trigger.columns.iter().filter_map(|name| table.column(name));
    event != Event::Update
        || trigger.columns.is_empty()
        || named.any(|column| assigned.contains(&column))
}
