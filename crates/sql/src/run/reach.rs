//! Which rows a statement may look at and write, whatever rows there are.
//!
//! ```text
//!   UPDATE a SET x = x + (SELECT max(y) FROM b) WHERE id = $1       $1 = 7
//!
//!        reads   a with id = 7, all of b
//!        writes  a with id = 7
//! ```
//!
//! An outline is drawn once per statement: the tables, and the columns that an equality ties to
//! something without rows in it. With the parameters it becomes a [`Reach`]. It may be too large, never
//! too small: a row outside of it makes no difference to the statement, before or after it.
//!
//! Layer `run`; knows plans and the catalog. It evaluates parameters and nothing that needs rows.

use std::collections::BTreeMap;

use crate::catalog::{Action, Catalog, DefaultValue, Table};
use crate::choices::FirstChoice;
use crate::plan::{
    Access, Assignment, Body, ConflictAction, Expr, Fill, Insert, InsertSource, Locate, OnConflict,
    Plan, Query, Select, Source, WindowFunction, rewrite, rewrite_query,
};
use crate::rows::{NoRows, TableId};
use crate::types::Type;
use crate::value::Value;

use super::below::decided_below;
use super::frame::Frame;
use super::parents::parents;
use super::region::{Region, Spot, is_constant};
use super::source::Lookup;
use super::state::{NoRoutines, Run};

/// Which rows a statement may look at and write.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reach {
    /// Nothing is known: it may be everything.
    pub anything: bool,
    /// Whether what it does with a row, or shows of it, depends on other rows as well: those of another
    /// table, or those that come before it.
    pub entangled: bool,
    /// What it looks at.
    pub reads: Vec<Region>,
    /// What else it looks at if it ends in an error that the server need not meet.
    pub early: Vec<Region>,
    /// What it may change.
    pub writes: Vec<Region>,
    /// Tables that foreign keys make it change, whose rows matter to no other table but those behind them.
    pub cascades: Vec<TableId>,
}

/// The reach of a statement before its parameters are known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outline {
    anything: bool,
    entangled: bool,
    reads: Vec<Spot>,
    early: Vec<Spot>,
    writes: Vec<Spot>,
    /// Tables that foreign keys reach, and the columns that change; `None` if rows are deleted.
    cascaded: Vec<(TableId, Option<Vec<usize>>)>,
    /// Whether a value is asked for that only the server knows.
    opens: bool,
    /// Whether floating point numbers of several rows are put together: rounding depends on the order of the rows.
    rounds: bool,
}

/// Whether a query computes a floating point number from those of several rows, such as their sum.
fn rounds(select: &Select) -> bool {
    let is_float = |ty: Type| matches!(ty, Type::Real | Type::Double);
    let aggregates = select.grouping.iter().flat_map(|grouping| &grouping.aggregates);
    let windows = select.windows.iter().flat_map(|windowing| &windowing.windows);
    let of_windows = windows.filter_map(|window| match &window.function {
        WindowFunction::Aggregate(aggregate) => Some(&**aggregate),
        _ => None,
    });
    aggregates.chain(of_windows).any(|one| is_float(one.of) || is_float(one.result))
}

impl Outline {
    /// Whether more than the row itself decides what happens to it.
    fn is_entangled(&self, plan: &Plan) -> bool {
        // Besides the keys of new rows.
        let looks = self.reads.iter().filter(|spot| !spot.stored).count();
        match plan {
            Plan::Query(query) => looks > 1 || !query.is_plain_scan(),
            Plan::Update(update) => looks > 1 || update.locate.limit.is_some(),
            Plan::Delete(delete) => looks > 1 || delete.locate.limit.is_some(),
            Plan::Insert(_) => looks > 0,
            _ => true,
        }
    }

    /// Whether what happens to a row, and what is shown of it, depends on nothing but the row; only the order of an
    /// answer may depend on others.
    pub(crate) fn treats_rows_alone(&self, plan: &Plan) -> bool {
        let looks = self.reads.iter().filter(|spot| !spot.stored).count();
        match plan {
            Plan::Query(query) => !self.anything && looks <= 1 && query.shows_rows_alone(),
            _ => !self.entangled,
        }
    }

    /// What a plan may touch.
    pub(crate) fn of_plan(catalog: &Catalog, plan: &mut Plan) -> Self {
        let mut outline = Self::default();
        outline.plan(catalog, plan);
        outline.entangled = outline.anything || outline.is_entangled(plan);
        outline
    }

    /// What is looked at to find the rows that a statement changes.
    pub(super) fn of_search(locate: &mut Locate) -> Self {
        let mut outline = Self::default();
        outline.search(locate);
        outline
    }

    /// A block of statements that may touch anything.
    pub(crate) fn of_block() -> Self {
        Self { anything: true, entangled: true, ..Self::default() }
    }

    /// What expressions on their own may touch.
    pub(crate) fn of_exprs<'e>(exprs: impl Iterator<Item = &'e mut Expr>) -> Self {
        let mut outline = Self::default();
        exprs.for_each(|expr| outline.expr(expr));
        // A statement that uses the variables later depends on what was read here.
        outline.anything |= !outline.reads.is_empty();
        outline
    }

    /// What an expression reads by itself.
    pub(super) fn of_exprs_alone(expr: &mut Expr) -> Self {
        let mut outline = Self::default();
        outline.expr(expr);
        outline
    }

    /// Whether it may touch anything.
    pub(crate) fn is_anything(&self) -> bool {
        self.anything
    }

    /// The tables that it looks at, besides the keys of new rows.
    pub(super) fn looked_at(&self) -> impl Iterator<Item = TableId> {
        self.reads.iter().filter(|spot| !spot.stored).map(|spot| spot.table)
    }

    /// The tables that it may change.
    pub(super) fn written(&self) -> impl Iterator<Item = TableId> {
        self.writes.iter().map(|spot| spot.table)
    }

    /// Whether it asks for a value that only the server knows.
    pub(crate) fn opens(&self) -> bool {
        self.opens
    }

    /// Whether it puts floating point numbers of several rows together.
    pub(crate) fn rounds(&self) -> bool {
        self.rounds
    }

    /// Whether it can do nothing but read.
    pub(crate) fn only_reads(&self) -> bool {
        !self.anything && self.writes.is_empty()
    }

    fn plan(&mut self, catalog: &Catalog, plan: &mut Plan) {
        match plan {
            Plan::Query(query) => self.query(query),
            Plan::Insert(insert) => self.insert(catalog, insert),
            Plan::Update(update) => {
                let columns = assigned(catalog, update.locate.table, &update.assignments);
                self.locate(catalog, &mut update.locate, &columns);
                self.cascades(catalog, update.locate.table, Some(&columns));
                self.assignments(&mut update.assignments);
                self.returning(update.returning.as_mut().map(|(exprs, _)| exprs));
            }
            Plan::Delete(delete) => {
                self.locate(catalog, &mut delete.locate, &[]);
                self.cascades(catalog, delete.locate.table, None);
                self.returning(delete.returning.as_mut().map(|(exprs, _)| exprs));
            }
            Plan::Merge(merge) => {
                self.source(&merge.source);
                each_expr(&mut merge.source, &mut |expr| self.expr(expr));
                merge.exprs().for_each(|expr| self.expr(expr));
                let Some(table) = catalog.by_id(merge.table) else { return };
                self.anything |= table.calls_routines();
                let columns: Vec<usize> = (0..table.columns().len()).collect();
                self.reads.push(Spot::whole(merge.table));
                self.writes.push(Spot::whole(merge.table));
                self.cascades(catalog, merge.table, None);
                self.cascades(catalog, merge.table, Some(&columns));
            }
            Plan::Truncate(tables, _) => {
                self.reads.extend(tables.iter().copied().map(Spot::whole));
                self.writes.extend(tables.iter().copied().map(Spot::whole));
            }
            Plan::Rebuild(rebuild) => {
                rebuild.values.iter_mut().flatten().for_each(|value| self.expr(value));
                self.reads.push(Spot::whole(rebuild.from));
                if rebuild.from != rebuild.to {
                    self.reads.push(Spot::whole(rebuild.to));
                    self.writes.extend([rebuild.from, rebuild.to].map(Spot::whole));
                }
            }
            Plan::Call { .. } => self.anything = true,
            Plan::Doubtful(_, plan) => self.plan(catalog, plan),
            Plan::With { changes, last } => {
                changes.iter_mut().for_each(|(_, plan)| self.plan(catalog, plan));
                self.plan(catalog, last);
            }
        }
    }

    fn returning(&mut self, exprs: Option<&mut Vec<Expr>>) {
        exprs.into_iter().flatten().for_each(|expr| self.expr(expr));
    }

    fn assignments(&mut self, assignments: &mut [Assignment]) {
        assignments
            .iter_mut()
            .filter_map(|one| one.value.as_mut())
            .for_each(|value| self.expr(value));
    }

    /// A query with everything inside it.
    fn query(&mut self, query: &mut Query) {
        self.sources(query);
        rewrite_query(query, 0, &mut |part: &mut Expr, _: usize| self.part(part));
    }

    /// An expression with everything inside it.
    fn expr(&mut self, expr: &mut Expr) {
        rewrite(expr, 0, &mut |part: &mut Expr, _: usize| self.part(part));
    }

    fn part(&mut self, part: &Expr) -> bool {
        match part {
            Expr::Exists { query, .. }
            | Expr::Scalar { query, .. }
            | Expr::Quantified { query, .. } => self.sources(query),
            Expr::Routine { .. } => self.anything = true,
            Expr::Open { .. } | Expr::Number { .. } => self.opens = true,
            _ => {}
        }
        true
    }

    /// The tables of a query; not those of subqueries in its expressions.
    fn sources(&mut self, query: &Query) {
        match &query.body {
            Body::Select(select) => {
                self.rounds |= rounds(select);
                self.source(&select.source);
                if let Some(open) = decided_below(select) {
                    let mut below = Self::default();
                    below.sources(&open);
                    self.early.extend(below.reads.into_iter().chain(below.early));
                }
            }
            Body::Set { left, right, .. } => {
                self.sources(left);
                self.sources(right);
            }
            Body::Values(_) => {}
            Body::Recursive { base, step, .. } => {
                self.sources(base);
                self.sources(step);
            }
        }
    }

    fn source(&mut self, source: &Source) {
        match source {
            Source::Nothing
            | Source::Series { .. }
            | Source::Unnest { .. }
            | Source::Working { .. } => {}
            Source::Called { .. } => self.anything = true,
            Source::Table { table, access, alone, .. } => {
                self.reads.push(found(*table, access.as_ref()));
                // Conditions that are looked at on their own meet every row.
                self.early.extend((!alone.is_empty()).then(|| Spot::whole(*table)));
            }
            Source::Derived { query, .. } => self.sources(query),
            Source::Join(join) => {
                self.source(&join.left);
                self.source(&join.right);
                if !join.together.is_empty() {
                    let tables = source.tables(0).into_iter();
                    self.early.extend(tables.map(|(table, _)| Spot::whole(table)));
                }
            }
        }
    }

    fn search(&mut self, locate: &mut Locate) {
        self.source(&locate.source);
        each_expr(&mut locate.source, &mut |expr| self.expr(expr));
        let order = locate.order.iter_mut().map(|(key, ..)| key);
        let exprs = locate.filter.iter_mut().chain(order).chain(&mut locate.limit);
        exprs.for_each(|expr| self.expr(expr));
    }

    /// Rows that are changed in some columns.
    fn locate(&mut self, catalog: &Catalog, locate: &mut Locate, columns: &[usize]) {
        self.search(locate);
        let target =
            target(&locate.source, locate.table).unwrap_or_else(|| Spot::whole(locate.table));
        self.writes.push(target.only(|column| !columns.contains(&column)));
        self.moved_keys(catalog, locate.table, columns);
        self.anything |= catalog.by_id(locate.table).is_some_and(|table| table.calls_routines());
    }

    /// The rows that foreign keys may change when rows of a table go away, or change in these columns.
    fn cascades(&mut self, catalog: &Catalog, table: TableId, columns: Option<&[usize]>) {
        for (child, key) in catalog.referrers(table) {
            let moved = |columns: &[usize]| key.referred.iter().any(|one| columns.contains(one));
            let action = match columns {
                Some(columns) if moved(columns) => key.on_update,
                Some(_) => continue,
                None => key.on_delete,
            };
            let deletes = columns.is_none() && action == Action::Cascade;
            let changed = || key.columns.iter().copied().chain(child.generated()).collect();
            let reached = (child.id(), (!deletes).then(changed));
            if !action.acts() || self.cascaded.contains(&reached) {
                continue;
            }
            self.cascaded.push(reached.clone());
            self.reads.push(Spot::whole(child.id()));
            self.writes.push(Spot::whole(child.id()));
            self.anything |= child.calls_routines();
            self.cascades(catalog, child.id(), reached.1.as_deref());
        }
    }

    /// A key that changes is compared with all others.
    fn moved_keys(&mut self, catalog: &Catalog, table: TableId, columns: &[usize]) {
        let Some(found) = catalog.by_id(table) else { return };
        let mut unique = found.keys().iter().filter(|key| key.is_exclusive());
        if unique.any(|key| key.depends_on(columns)) {
            self.reads.push(Spot::whole(table));
        }
    }

    fn insert(&mut self, catalog: &Catalog, insert: &mut Insert) {
        let Some(table) = catalog.by_id(insert.table) else {
            self.anything = true;
            return;
        };
        self.anything |= table.calls_routines();
        if insert.conflict == OnConflict::Ignore {
            self.parents_of(table, insert);
        }
        let spots = match &mut insert.source {
            InsertSource::Query(query) => {
                self.query(query);
                vec![Spot::whole(table.id())]
            }
            InsertSource::Values(rows) => {
                let rows = rows.iter_mut();
                rows.map(|row| self.new_row(table, &insert.fills, row)).collect()
            }
        };
        let mut changed = Vec::new();
        if let OnConflict::On {
            action: ConflictAction::Update { assignments, filter, .. }, ..
        } = &mut insert.conflict
        {
            changed = assigned(catalog, table.id(), assignments);
            self.cascades(catalog, table.id(), Some(&changed));
            self.assignments(assignments);
            filter.iter_mut().for_each(|filter| self.expr(filter));
            self.moved_keys(catalog, table.id(), &changed);
        }
        for spot in spots {
            self.keys_of(table, &insert.conflict, &changed, &spot);
            self.writes.push(spot);
        }
        self.returning(insert.returning.as_mut().map(|(exprs, _)| exprs));
    }

    /// The rows that new rows may refer to.
    fn parents_of(&mut self, table: &Table, insert: &Insert) {
        match &insert.source {
            InsertSource::Query(_) => self.reads.extend(parents(table, &insert.fills, None)),
            InsertSource::Values(rows) => {
                let all = rows.iter().flat_map(|row| parents(table, &insert.fills, Some(row)));
                self.reads.extend(all);
            }
        }
    }

    /// A row that is to be inserted: what its keys will be.
    fn new_row(&mut self, table: &Table, fills: &[Fill], row: &mut [Option<Expr>]) -> Spot {
        row.iter_mut().flatten().for_each(|value| self.expr(value));
        let is_key = |column: usize| table.keys().iter().any(|key| key.columns().contains(&column));
        let mut fixed = Vec::new();
        for (column, fill) in fills.iter().enumerate().filter(|(column, _)| is_key(*column)) {
            let Fill::Given(place) = fill else { continue };
            if let Some(Some(value)) = row.get(*place)
                && is_constant(value)
            {
                fixed.push((column, value.clone()));
            }
        }
        Spot { table: table.id(), fixed, stored: true, referring: None }
    }

    /// Rows that may have a key of a new one.
    fn keys_of(&mut self, table: &Table, conflict: &OnConflict, changed: &[usize], spot: &Spot) {
        for (number, key) in table.keys().iter().enumerate().filter(|(_, key)| key.is_exclusive()) {
            let holders = spot.only(|column| key.columns().contains(&column));
            match conflict {
                OnConflict::Replace => self.writes.push(holders.clone()),
                OnConflict::On { keys, action: ConflictAction::Update { .. } }
                    if keys.contains(&number) =>
                {
                    self.writes.push(holders.only(|column| !changed.contains(&column)));
                }
                _ => {}
            }
            self.reads.push(holders);
        }
    }

    /// The reach with these parameters.
    pub(crate) fn reach(&self, catalog: &Catalog, params: &[Value]) -> Reach {
        let (mut rows, mut choices) = (NoRows, FirstChoice::default());
        let mut session = BTreeMap::new();
        let mut run = Run::new(catalog, &mut rows, &mut choices, &NoRoutines, params, &mut session);
        let mut regions =
            |spots: &[Spot]| spots.iter().filter_map(|spot| run.region(spot)).collect();
        Reach {
            anything: self.anything,
            entangled: self.entangled,
            reads: regions(&self.reads),
            early: regions(&self.early),
            writes: regions(&self.writes),
            cascades: self.cascaded.iter().map(|(table, _)| *table).collect(),
        }
    }
}

impl Run<'_> {
    /// The rows of a spot; `None` if no row can be there.
    fn region(&mut self, spot: &Spot) -> Option<Region> {
        if let Some(referring) = &spot.referring {
            return self.parent_region(spot, referring);
        }
        let table = self.catalog.by_id(spot.table)?.clone();
        let mut fixed = Vec::with_capacity(spot.fixed.len());
        for (column, expr) in &spot.fixed {
            let Ok(value) = self.eval(expr, &Frame::EMPTY) else { continue };
            if spot.stored {
                // MySQL counts instead of storing NULL or 0.
                let counted =
                    matches!(table.columns()[*column].default, DefaultValue::Sequence { .. })
                        && !self.dialect.is_strictly_typed();
                if counted {
                    continue;
                }
                let Ok(value) = self.given_value(&table, *column, value) else { continue };
                let collation = self.catalog.collation_of(&table.columns()[*column]);
                fixed.push((*column, self.canonical(&value, collation)));
                continue;
            }
            match self.lookup_value(&table, *column, Some(value)) {
                Lookup::Value(value) => fixed.push((*column, value)),
                Lookup::Nothing => return None,
                Lookup::Unsuitable => {}
            }
        }
        Some(Region { table: spot.table, fixed })
    }
}

/// The rows of a table that a source finds.
fn found(table: TableId, access: Option<&Access>) -> Spot {
    let Some(access) = access else { return Spot::whole(table) };
    let pairs = access.columns.iter().copied().zip(access.values.iter().cloned());
    let fixed = pairs.filter(|(_, value)| is_constant(value)).collect();
    Spot { table, fixed, stored: false, referring: None }
}

/// The rows of a table that a statement changes.
fn target(source: &Source, wanted: TableId) -> Option<Spot> {
    match source {
        Source::Table { table, access, numbered: true, .. } if *table == wanted => {
            Some(found(*table, access.as_ref()))
        }
        Source::Join(join) => target(&join.left, wanted).or_else(|| target(&join.right, wanted)),
        _ => None,
    }
}

fn each_expr(source: &mut Source, see: &mut dyn FnMut(&mut Expr)) {
    match source {
        Source::Nothing | Source::Working { .. } => {}
        Source::Series { args, .. }
        | Source::Called { args, .. }
        | Source::Unnest { arrays: args, .. } => {
            args.iter_mut().for_each(see);
        }
        Source::Table { filter, early, alone, access, .. } => {
            let values = access.iter_mut().flat_map(|access| &mut access.values);
            filter.iter_mut().chain(early).chain(alone).chain(values).for_each(see);
        }
        Source::Derived { query, .. } => {
            rewrite_query(query, 0, &mut |part: &mut Expr, _: usize| {
                see(part);
                false
            });
        }
        Source::Join(join) => {
            each_expr(&mut join.left, see);
            each_expr(&mut join.right, see);
            join.on.iter_mut().chain(&mut join.together).for_each(see);
        }
    }
}

/// The columns that assignments change, with those that are computed from others.
fn assigned(catalog: &Catalog, table: TableId, assignments: &[Assignment]) -> Vec<usize> {
    let table = catalog.by_id(table);
    let generated = table.into_iter().flat_map(|table| table.generated());
    let renewed = table.into_iter().flat_map(|table| table.renewed());
    assignments.iter().map(|one| one.column).chain(generated).chain(renewed).collect()
}
