//! Queries.
//!
//! Layer `run`; puts together what sources, groups and orders give.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{ErrorClass, ExecutionError, Result, ServerError, unsupported};
use crate::eval::truth;
use crate::outcome::{Answer, Rowset};
use crate::plan::{
    Aggregate, AggregateFunction, Body, Expr, NodeId, Query, Select, SetKind, SortKey, Source,
    walk_columns,
};
use crate::value::{Collation, Value};

use super::frame::Frame;
use super::locked::locks;
use super::passed_by::Conditions;
use super::recursive::Recursion;
use super::source::{Wide, joined};
use super::state::Run;

impl Run<'_> {
    /// What a client is told about a query: all rows, and which of them are tied.
    pub(super) fn answer(&mut self, query: &Query) -> Result<Answer> {
        let (rows, ends, offset, limit) = self.sorted(query, None)?;
        let columns = query.output.iter().map(|column| (column.name.clone(), column.ty)).collect();
        Ok(Answer::of_rows(Rowset { columns, rows, ends, offset: offset.unwrap_or(0), limit }))
    }

    /// The rows that another part of the statement sees: the server has decided which ones.
    pub(super) fn chosen_rows(&mut self, query: &Query, outer: Option<&Frame<'_>>) -> Result<Wide> {
        let (rows, ends, offset, limit) = self.sorted(query, outer)?;
        if offset.is_none() && limit.is_none() {
            return Ok(rows);
        }
        Ok(self.pick(rows, &ends, offset.unwrap_or(0), limit))
    }

    #[allow(clippy::type_complexity, reason = "rows, ends of ties, offset, limit")]
    fn sorted(
        &mut self,
        query: &Query,
        outer: Option<&Frame<'_>>,
    ) -> Result<(Wide, Vec<usize>, Option<u64>, Option<u64>)> {
        let limit = self.bound(query.limit.as_ref(), outer, ErrorClass::InvalidLimit)?;
        let offset = self.bound(query.offset.as_ref(), outer, ErrorClass::InvalidOffset)?;
        let wanted = match (&query.body, limit) {
            (_, Some(0)) => Some(0),
            (Body::Select(select), Some(limit)) if gives_row_by_row(select) => {
                Some(limit.saturating_add(offset.unwrap_or(0)))
            }
            _ => None,
        };
        let body = match self.first_rows(query, outer, wanted)? {
            Some(rows) => Ok(rows),
            None => self.body(&query.body, outer, wanted),
        };
        let mut rows = match (body, &query.body) {
            // The server stops when it has enough rows.
            (Err(ExecutionError::Server(error)), Body::Set { .. }) if limit.is_some() => {
                return unsupported(format!("an error below LIMIT ({})", error.detail));
            }
            // MySQL and MariaDB need not compute what the rows show that OFFSET leaves out.
            (Err(ExecutionError::Server(error)), _)
                if offset.is_some_and(|rows| rows > 0) && !self.dialect.is_strictly_typed() =>
            {
                return unsupported(format!("an error beside OFFSET ({})", error.detail));
            }
            (rows, _) => rows?,
        };
        if let Some(columns) = &query.first_of {
            rows = self.first_of(rows, columns, &query.order);
        }
        let mut ends = self.sort(&mut rows, &query.order);
        if let Body::Select(select) = &query.body
            && locks(select)
        {
            rows = self.locked_rows(select, rows, &mut ends)?;
        }
        let limit = match limit {
            Some(limit) if query.with_ties => Some(with_ties(&ends, offset.unwrap_or(0), limit)),
            limit => limit,
        };
        let width = query.output.len();
        if rows.first().is_some_and(|row| row.len() > width) {
            rows.iter_mut().for_each(|row| row.truncate(width));
        }
        Ok((rows, ends, offset, limit))
    }

    /// DISTINCT ON: the first row of each kind; of ties, any.
    fn first_of(&mut self, mut rows: Wide, columns: &[SortKey], order: &[SortKey]) -> Wide {
        let ends = self.sort(&mut rows, order);
        let mut kinds: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
        let mut firsts: Vec<(usize, Wide)> = Vec::new();
        let mut ties = 0;
        for (number, row) in rows.into_iter().enumerate() {
            ties += usize::from(ends[ties] <= number);
            let values = columns.iter().map(|column| (&row[column.index], column.collation));
            let key = values.map(|(value, collation)| self.canonical(value, collation)).collect();
            let next = firsts.len();
            let kind = *kinds.entry(key).or_insert(next);
            if kind == next {
                firsts.push((ties, vec![row]));
            } else if firsts[kind].0 == ties && !firsts[kind].1.contains(&row) {
                firsts[kind].1.push(row);
            }
        }
        firsts.into_iter().map(|(_, mut rows)| rows.swap_remove(self.any_of(rows.len()))).collect()
    }

    fn body(
        &mut self,
        body: &Body,
        outer: Option<&Frame<'_>>,
        wanted: Option<u64>,
    ) -> Result<Wide> {
        match body {
            Body::Select(select) => match wanted {
                None => self.select(select, outer),
                Some(wanted) => self.select_some(select, outer, wanted),
            },
            Body::Set { kind, all, left, right, collations } => {
                let (left, right) =
                    (self.chosen_rows(left, outer)?, self.chosen_rows(right, outer)?);
                Ok(self.combine(*kind, *all, left, right, collations))
            }
            Body::Values(rows) => {
                let frame = Frame { row: &[], outer };
                let mut evaluated = Vec::new();
                for row in rows {
                    evaluated.push(
                        row.iter()
                            .map(|value| self.eval(value, &frame))
                            .collect::<Result<Vec<_>>>()?,
                    );
                }
                Ok(evaluated)
            }
            Body::Recursive { number, all, base, step, collations } => {
                let recursion = Recursion { number: *number, all: *all, base, step, collations };
                self.recursive(&recursion, outer)
            }
        }
    }

    /// The rows of a query of which only some are wanted: the server stops when it has them, and may
    /// never meet a row that ends in an error.
    pub(super) fn select_some(
        &mut self,
        select: &Select,
        outer: Option<&Frame<'_>>,
        wanted: u64,
    ) -> Result<Wide> {
        if wanted == 0 {
            return Ok(Vec::new());
        }
        let error = match self.select(select, outer) {
            Err(ExecutionError::Server(error)) if gives_row_by_row(select) => error,
            done => return done,
        };
        self.forgiving = true;
        let rows = self.select(select, outer);
        self.forgiving = false;
        let rows = match rows {
            Err(ExecutionError::Server(_)) => return Err(ExecutionError::Server(error)),
            rows => rows?,
        };
        if rows.len() as u64 >= wanted && self.choices.choose(2) == 0 {
            return Ok(rows);
        }
        Err(ExecutionError::Server(error))
    }

    /// Passes over the error of a row if the server may never meet it.
    pub(super) fn forgive<T>(&self, done: Result<T>) -> Result<Option<T>> {
        match done {
            Ok(done) => Ok(Some(done)),
            Err(ExecutionError::Server(_)) if self.forgiving => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn select(&mut self, select: &Select, outer: Option<&Frame<'_>>) -> Result<Wide> {
        // What is assumed holds for the conditions around this query, not for its own.
        let assumed = self.assumed.take();
        let rows = self.select_alone(select, outer);
        self.assumed = assumed;
        rows
    }

    fn select_alone(&mut self, select: &Select, outer: Option<&Frame<'_>>) -> Result<Wide> {
        let grouped = self.filtered(select, outer).and_then(|rows| match &select.grouping {
            None => Ok(rows),
            Some(grouping) => self.groups(grouping, rows, outer),
        });
        let rows = match grouped {
            Err(ExecutionError::Server(error)) if !self.forgiving => {
                return Err(self.error_in_query(select, error, outer));
            }
            rows => rows?,
        };
        let (having, rows) = match &select.windows {
            None => (select.having.as_ref(), rows),
            Some(windowing) => {
                let rows = self.having(select.having.as_ref(), rows, outer)?;
                (None, self.windows(windowing, rows, outer)?)
            }
        };
        let (mut shown, mut errors) = (Vec::with_capacity(rows.len()), Vec::new());
        let locks = locks(select);
        for row in rows {
            let frame = Frame { row: &row, outer };
            if let Some(having) = having
                && self.truth(having, &frame)? != Some(true)
            {
                continue;
            }
            let values =
                select.items.iter().map(|item| self.eval(item, &frame)).collect::<Result<Vec<_>>>();
            match values {
                // What is locked is looked at again, with everything that it was found with.
                Ok(values) if locks => shown.push(joined(&values, &row)),
                Ok(values) => shown.push(values),
                Err(ExecutionError::Server(_)) if self.forgiving => {}
                Err(ExecutionError::Server(error)) => errors.push(error),
                Err(error) => return Err(error),
            }
        }
        if !errors.is_empty() {
            return Err(self.one_error(errors));
        }
        match &select.distinct {
            Some(collations) => Ok(self.distinct(shown, collations)),
            None => Ok(shown),
        }
    }

    /// The rows that window functions see.
    fn having(
        &mut self,
        having: Option<&Expr>,
        rows: Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        if self.forgiving {
            return unsupported("an error in a query with window functions");
        }
        let Some(having) = having else { return Ok(rows) };
        let mut kept = Vec::new();
        for row in rows {
            if self.truth(having, &Frame { row: &row, outer })? == Some(true) {
                kept.push(row);
            }
        }
        Ok(kept)
    }

    /// The error of the row that the server looks at first, whichever that is.
    pub(super) fn one_error(&mut self, mut errors: Vec<ServerError>) -> ExecutionError {
        let mut known = Vec::new();
        errors.retain(|error| {
            let new = !known.contains(&error.class);
            known.push(error.class.clone());
            new
        });
        let first = self.any_of(errors.len());
        ExecutionError::Server(errors.swap_remove(first))
    }

    fn filtered(&mut self, select: &Select, outer: Option<&Frame<'_>>) -> Result<Wide> {
        // A condition that is never true is known before any row is read.
        if select
            .filter
            .iter()
            .any(|part| matches!(part, Expr::Const(value) if truth(value) != Some(true)))
        {
            return Ok(Vec::new());
        }
        let early = std::mem::take(&mut self.early_errors);
        let rows = self.wide_rows(select, outer);
        let inside = outer.is_some() && matches!(select.source, Source::Table { .. });
        if !self.forgiving && !inside && self.choices.may_fail() {
            self.look_alone(&select.source, 0, outer);
            self.look_inside(&select.source, &select.filter, outer);
            self.look_below(select, outer);
        }
        let rows = self.or_without_error(select, rows, outer);
        let met = std::mem::replace(&mut self.early_errors, early);
        match rows {
            Err(ExecutionError::Server(error)) if !self.forgiving => {
                Err(self.one_error([vec![error], met].concat()))
            }
            Ok(rows) if !self.forgiving => self.unless_early(rows, &met),
            rows => rows,
        }
    }

    /// The rows of a query, or what it gives if the server does not meet an error in its conditions.
    fn or_without_error(
        &mut self,
        select: &Select,
        rows: Result<Wide>,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        match rows {
            Err(ExecutionError::Server(_)) if self.is_never_true(&select.filter, outer) => {
                Ok(Vec::new())
            }
            Err(ExecutionError::Server(error)) if computes_beside(&select.source) => {
                unsupported(format!(
                    "an error in a query beside others in FROM, which may not be computed ({})",
                    error.detail
                ))
            }
            Err(ExecutionError::Server(error))
                if self.dialect.is_strictly_typed() && needs_one_row(select) =>
            {
                unsupported(format!(
                    "an error beside MIN or MAX, for which one row may be enough ({})",
                    error.detail
                ))
            }
            Err(ExecutionError::Server(error)) if drops_groups_early(select) => {
                unsupported(format!(
                    "an error beside a condition of HAVING that may be decided for single rows ({})",
                    error.detail
                ))
            }
            Err(ExecutionError::Server(error))
                if !self.forgiving && matches!(select.source, Source::Join(_)) =>
            {
                let join = Conditions::of_select(select);
                self.join_with_error(&join, error, outer)
            }
            Err(ExecutionError::Server(_)) if self.moves_inside(select) => {
                self.forgiving = true;
                let rows = self.wide_rows(select, outer);
                self.forgiving = false;
                rows
            }
            rows => rows,
        }
    }

    /// Whether a condition without columns fails, and the server looks at it before it reads anything.
    fn is_never_true(&mut self, filter: &[Expr], outer: Option<&Frame<'_>>) -> bool {
        let frame = Frame { row: &[], outer };
        let never = filter
            .iter()
            .any(|part| matches!(self.truth(part, &frame), Ok(truth) if truth != Some(true)));
        never && self.choices.choose(2) == 0
    }

    /// Whether the server decides conditions inside an inner query, which then never meets its error.
    fn moves_inside(&mut self, select: &Select) -> bool {
        !self.forgiving
            && !select.filter.is_empty()
            && matches!(select.source, Source::Derived { .. })
            && self.choices.choose(2) == 0
    }

    pub(super) fn wide_rows(&mut self, select: &Select, outer: Option<&Frame<'_>>) -> Result<Wide> {
        let rows = match &select.source {
            // Nothing to put side by side.
            Source::Table { id, table, access, numbered: false, filter, early, .. }
                if early.is_empty() =>
            {
                let found = self.find(*table, access.as_ref(), &[], outer)?;
                let mut kept = Vec::new();
                for (_, row) in found.iter() {
                    let keeps = self.keeps(*id, filter, &Frame { row, outer });
                    if self.forgive(keeps)? == Some(true) {
                        kept.push(row.to_vec());
                    }
                }
                kept
            }
            source => self.source(source, &[], outer)?,
        };
        self.meeting(select.id, &select.filter, rows, outer)
    }

    /// The rows that meet conditions.
    pub(super) fn meeting(
        &mut self,
        node: NodeId,
        conditions: &[Expr],
        rows: Wide,
        outer: Option<&Frame<'_>>,
    ) -> Result<Wide> {
        if conditions.is_empty() {
            return Ok(rows);
        }
        let mut kept = Vec::new();
        for row in rows {
            let keeps = self.keeps(node, conditions, &Frame { row: &row, outer });
            if self.forgive(keeps)? == Some(true) {
                kept.push(row);
            }
        }
        Ok(kept)
    }

    /// One row of each kind; of rows that are equal but look different, any.
    pub(super) fn distinct(&mut self, rows: Wide, collations: &[Collation]) -> Wide {
        let mut kinds: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
        let mut variants: Vec<Wide> = Vec::new();
        for row in rows {
            let next = variants.len();
            let kind = *kinds.entry(self.canonical_row(&row, collations)).or_insert(next);
            if kind == next {
                variants.push(vec![row]);
            } else if !variants[kind].contains(&row) {
                variants[kind].push(row);
            }
        }
        variants.into_iter().map(|mut rows| rows.swap_remove(self.any_of(rows.len()))).collect()
    }

    /// One of several, which the server chooses.
    pub(super) fn any_of(&mut self, alternatives: usize) -> usize {
        if alternatives < 2 {
            return 0;
        }
        self.choices.choose(alternatives).min(alternatives - 1)
    }

    fn combine(
        &mut self,
        kind: SetKind,
        all: bool,
        left: Wide,
        right: Wide,
        collations: &[Collation],
    ) -> Wide {
        let rows = match kind {
            SetKind::Union => left.into_iter().chain(right).collect(),
            // Either side may be the one that is looked up, so either shows its rows.
            SetKind::Intersect if !all => self.common_rows(left, right, collations),
            SetKind::Except | SetKind::Intersect if all => {
                return self.counted_rows(kind, left, right, collations);
            }
            SetKind::Except | SetKind::Intersect => {
                let there = self.canonical_rows(&right, collations);
                left.into_iter()
                    .filter(|row| !there.contains(&self.canonical_row(row, collations)))
                    .collect()
            }
        };
        if all { rows } else { self.distinct(rows, collations) }
    }

    /// `EXCEPT ALL` and `INTERSECT ALL`: as many rows as are left, or are on both sides. Of rows that are equal but
    /// look different, one stands for all.
    fn counted_rows(
        &mut self,
        kind: SetKind,
        left: Wide,
        right: Wide,
        collations: &[Collation],
    ) -> Wide {
        let mut kinds: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
        let mut variants: Vec<Wide> = Vec::new();
        let mut counts: Vec<[usize; 2]> = Vec::new();
        let sides =
            left.into_iter().map(|row| (0, row)).chain(right.into_iter().map(|row| (1, row)));
        for (side, row) in sides {
            let next = variants.len();
            let place = *kinds.entry(self.canonical_row(&row, collations)).or_insert(next);
            if place == next {
                variants.push(Vec::new());
                counts.push([0, 0]);
            }
            counts[place][side] += 1;
            if !variants[place].contains(&row) {
                variants[place].push(row);
            }
        }
        let mut rows = Vec::new();
        for (mut variants, [left, right]) in variants.into_iter().zip(counts) {
            let count = match kind {
                SetKind::Intersect => left.min(right),
                _ => left.saturating_sub(right),
            };
            if count > 0 {
                let row = variants.swap_remove(self.any_of(variants.len()));
                rows.extend(std::iter::repeat_n(row, count));
            }
        }
        rows
    }

    /// The rows of both sides that have an equal one on the other side.
    fn common_rows(&mut self, left: Wide, right: Wide, collations: &[Collation]) -> Wide {
        let on_left = self.canonical_rows(&left, collations);
        let on_right = self.canonical_rows(&right, collations);
        let both = left.into_iter().chain(right);
        both.filter(|row| {
            let key = self.canonical_row(row, collations);
            on_left.contains(&key) && on_right.contains(&key)
        })
        .collect()
    }

    fn canonical_rows(&mut self, rows: &Wide, collations: &[Collation]) -> FxHashSet<Vec<Value>> {
        rows.iter().map(|row| self.canonical_row(row, collations)).collect()
    }

    /// The same for rows that are equal.
    pub(super) fn canonical_row(&mut self, row: &[Value], collations: &[Collation]) -> Vec<Value> {
        let collation = |index: usize| collations.get(index).copied().unwrap_or(Collation::Bytes);
        let values = row.iter().enumerate();
        values.map(|(index, value)| self.canonical(value, collation(index))).collect()
    }
}

/// How many rows are shown if all ties of the last one are.
fn with_ties(ends: &[usize], offset: u64, limit: u64) -> u64 {
    let end = |end: &usize| u64::try_from(*end).unwrap_or(u64::MAX);
    let wanted = offset.saturating_add(limit);
    let last = ends.iter().map(end).find(|end| *end >= wanted);
    if limit == 0 { 0 } else { last.map_or(limit, |end| end - offset) }
}

/// Whether rows can come out before all that go in have been read.
fn gives_row_by_row(select: &Select) -> bool {
    select.grouping.as_ref().is_none_or(|grouping| !grouping.keys.is_empty())
}

/// Whether the least and greatest of constants are asked for, which PostgreSQL knows as soon as it has found one row,
/// or only those of a table, which an index may tell.
fn needs_one_row(select: &Select) -> bool {
    use AggregateFunction as F;
    let Some(grouping) = &select.grouping else { return false };
    let extreme =
        |one: &Aggregate| matches!(one.function, F::Min | F::Max | F::BoolAnd | F::BoolOr);
    let constant = |one: &Aggregate| one.args.iter().any(|arg| matches!(arg, Expr::Const(_)));
    let by_index = grouping.keys.is_empty() && matches!(select.source, Source::Table { .. });
    grouping.aggregates.iter().any(|one| extreme(one) && constant(one))
        || by_index && !grouping.aggregates.is_empty() && grouping.aggregates.iter().all(extreme)
}

/// Whether a condition of HAVING is about what is grouped by, so that a server may decide it before WHERE.
fn drops_groups_early(select: &Select) -> bool {
    let (Some(grouping), Some(having)) = (&select.grouping, &select.having) else { return false };
    having.clone().conjuncts().iter_mut().any(|part| {
        let (mut keys, mut others) = (0, 0);
        walk_columns(part, &mut |out, column| {
            keys += usize::from(out == 0 && column < grouping.keys.len());
            others += usize::from(out == 0 && column >= grouping.keys.len());
        });
        keys > 0 && others == 0
    })
}

/// Whether a join holds a query or a function, whose errors depend on what the server computes first, or at all.
fn computes_beside(source: &Source) -> bool {
    fn computes(source: &Source) -> bool {
        match source {
            Source::Derived { .. }
            | Source::Series { .. }
            | Source::Called { .. }
            | Source::Unnest { .. } => true,
            Source::Join(join) => computes(&join.left) || computes(&join.right),
            Source::Nothing | Source::Table { .. } | Source::Working { .. } => false,
        }
    }
    matches!(source, Source::Join(join) if computes(&join.left) || computes(&join.right))
}
