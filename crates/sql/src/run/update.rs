//! UPDATE.
//!
//! Rows are stored one after the other, and none may have the unique key of another one even for a moment. Without
//! `ORDER BY`, the order is the server's choice. With it, rows that are tied still come in any order, which depends on
//! the plan: MariaDB stores them forwards after a sort of few rows, in the order of the bytes of their numbers after a
//! sort of many, and backwards when it reads a range of an index in descending order.
//!
//! ```text
//!   (7, '')   UPDATE t SET c = CONCAT('A', c) ORDER BY id DESC   forwards: a duplicate of (7, 'A')
//!   (7, 'A')                                                     backwards: (7, 'AA'), (7, 'A')
//! ```
//!
//! Layer `run`; knows sources, orders and the constraints of tables.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::catalog::{DefaultValue, Event, Key, Table, Timing};
use crate::error::{ErrorClass, ExecutionError, Result, ServerError, fail, unsupported};
use crate::outcome::{Answer, Count, Effect};
use crate::plan::{
    Assignment, Expr, Locate, Source, Update, rewrite, rewrite_source, walk_columns,
};
use crate::rows::RowId;
use crate::special::Special;
use crate::types::Type;
use crate::value::{Row, Value};

use super::frame::Frame;
use super::order::by_key;
use super::passed_by::Conditions;
use super::source::{joined, to_row};
use super::state::Run;

/// A row that a statement changes: its number, and the wide row it was found in.
pub(super) type Located = (RowId, Vec<Value>);

impl Run<'_> {
    pub(super) fn update(&mut self, update: &Update) -> Result<Answer> {
        let Some(table) = self.catalog.by_id(update.locate.table).map(Arc::clone) else {
            return fail(ErrorClass::UndefinedTable, "the table is gone");
        };
        self.check_defaults(&table, &update.assignments)?;
        let in_turn = self.assigns_in_turn(update);
        let mut errors: Vec<ServerError> = Vec::new();
        let located = match self.locate(&update.locate) {
            // Rows before the one whose condition fails may be changed before that, and fail as well.
            Err(ExecutionError::Server(error)) if !self.has_triggers(&table) => {
                errors.push(error);
                self.locate_beside_errors(&update.locate)?
            }
            located => located?,
        };
        let sorted = errors.is_empty();
        let mut moves = Vec::with_capacity(located.len());
        let mut wides = Vec::new();
        let several = located.len() > 1;
        for (id, mut wide) in located {
            let own = update.locate.at..update.locate.at + table.columns().len();
            let old = to_row(wide[own.clone()].to_vec());
            match self.updated(&table, update, (id, &old), &mut wide, in_turn) {
                Ok(None) => {}
                Ok(Some(new)) => {
                    wide[own].clone_from_slice(&new);
                    moves.push((id, old, new));
                    wides.push(wide);
                }
                Err(ExecutionError::Server(error)) => {
                    if several && error.class == ErrorClass::ViewCheck {
                        self.refuse_moved_keys(&table, update)?;
                    }
                    errors.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        let taken = self.key_error(&table, &update.locate, &moves, sorted)?;
        let stored = moves.len() > usize::from(taken.is_some());
        errors.extend(taken);
        if stored {
            self.refuse_fired(&table, &errors)?;
        }
        self.fail_with_any(errors)?;
        let changed = moves.iter().filter(|(_, old, new)| old != new).count() as u64;
        let columns = update.columns();
        let found = moves.len() as u64;
        let unsure = if table.has_blurred(&columns) { found - changed } else { 0 };
        let count = Count { found, changed, unsure };
        for (id, old, new) in moves {
            self.happened(&table, Event::Update, &columns, Some(&old), Some(&new));
            self.now.record(Effect::Update { table: table.id(), id, old, new });
        }
        let rows = self.returned(update.returning.as_ref(), wides.into_iter())?;
        Ok(Answer::of_count(count, rows))
    }

    /// MySQL fires AFTER triggers of a row before it comes to the next one, and they may fail as well.
    fn refuse_fired(&self, table: &Table, errors: &[ServerError]) -> Result<()> {
        let fires =
            self.has_row_triggers(table, Timing::After) && !self.dialect.is_strictly_typed();
        match errors.first().filter(|_| fires) {
            Some(error) => unsupported(format!("an error after triggers have fired ({error})")),
            None => Ok(()),
        }
    }

    /// MySQL refuses `SET a = DEFAULT` for a column without one before it looks at any row. The first label of an ENUM
    /// is a default for INSERT alone.
    fn check_defaults(&self, table: &Table, assignments: &[Assignment]) -> Result<()> {
        let defaults = assignments.iter().filter(|assignment| assignment.value.is_none());
        for column in defaults.map(|assignment| &table.columns()[assignment.column]) {
            let missing = column.is_not_null() && column.default == DefaultValue::Nothing;
            if missing && !self.dialect.is_strictly_typed() {
                return fail(ErrorClass::NoDefault, format!("{} has no default", column.name()));
            }
            if column.is_not_null() && matches!(column.ty(), Type::Special(Special::One(..))) {
                return unsupported("SET … = DEFAULT of an ENUM that is NOT NULL");
            }
        }
        Ok(())
    }

    /// Whether assignments see what those before them did. In MySQL they do, unless there are other
    /// tables: then it depends on the plan.
    fn assigns_in_turn(&mut self, update: &Update) -> bool {
        if !self.dialect.assigns_left_to_right() {
            return false;
        }
        let several = || !matches!(update.locate.source, Source::Table { .. }) || asks(update);
        let matters = update.assignments.len() > 1 && reads_assigned(update) && several();
        !(matters && self.choices.choose(2) == 1)
    }

    fn updated(
        &mut self,
        table: &Table,
        update: &Update,
        (id, old): (RowId, &Row),
        wide: &mut [Value],
        in_turn: bool,
    ) -> Result<Option<Row>> {
        let mut new = self.assigned(table, &update.assignments, wide, update.locate.at, in_turn)?;
        if self.has_before(table, Event::Update) {
            self.check_domains(table, &new)?;
            let columns = update.columns();
            match self.fire_before(table, Event::Update, &columns, Some(old), Some(new))? {
                Some(left) => new = left,
                None => return Ok(None),
            }
        }
        self.check_row(table, &new)?;
        if let Err(error) = self.check_written(&update.checks, &new) {
            // PostgreSQL stores the row first, and so meets a key that another row has before it asks the view.
            let outside = matches!(&error, ExecutionError::Server(error) if error.class == ErrorClass::ViewCheck);
            if outside && self.dialect.is_strictly_typed() {
                let taken = self.check_changed_keys(table, id, old, &new);
                if matches!(taken, Err(ExecutionError::Server(_))) {
                    return unsupported("a row outside of its view whose key another row has");
                }
                taken?;
            }
            return Err(error);
        }
        Ok(Some(to_row(new)))
    }

    /// If rows outside of their view get other keys, another row may have such a key by then.
    fn refuse_moved_keys(&self, table: &Table, update: &Update) -> Result<()> {
        let assigned = update.columns();
        let moves = |key: &Key| {
            key.is_unique() && key.columns.iter().any(|column| assigned.contains(column))
        };
        let moved = self.has_before(table, Event::Update) || table.keys().iter().any(moves);
        match moved && self.dialect.is_strictly_typed() {
            true => unsupported("rows outside of their view that get other keys"),
            false => Ok(()),
        }
    }

    /// Rows that take each other's keys do so in an order: one that was asked for, if they are sorted by it, or any.
    fn key_error(
        &mut self,
        table: &Table,
        locate: &Locate,
        moves: &[(RowId, Row, Row)],
        sorted: bool,
    ) -> Result<Option<ServerError>> {
        if !sorted || locate.order.is_empty() || moves.len() < 2 {
            return self.check_moves(table, moves, &vec![0; moves.len()]);
        }
        if !self.now.is_empty() {
            return unsupported("triggers of an UPDATE with ORDER BY");
        }
        let ranks = self.ranks(locate, moves)?;
        self.check_moves(table, moves, &ranks)
    }

    /// Where rows come in the order that was asked for; tied rows have the same rank.
    fn ranks(&mut self, locate: &Locate, moves: &[(RowId, Row, Row)]) -> Result<Vec<usize>> {
        let mut ranks = Vec::with_capacity(moves.len());
        let mut before: Option<Vec<Value>> = None;
        let mut rank = 0;
        for (_, old, _) in moves {
            let keys = self.order_keys(locate, old)?;
            let later = |before: &Vec<Value>| self.by_order(locate, before, &keys).is_ne();
            rank += usize::from(before.as_ref().is_some_and(later));
            ranks.push(rank);
            before = Some(keys);
        }
        Ok(ranks)
    }

    /// If several rows fail in different ways, the server meets one of them first.
    fn fail_with_any(&mut self, mut errors: Vec<ServerError>) -> Result<()> {
        let mut known = Vec::new();
        errors.retain(|error| {
            let new = !known.contains(&error.class);
            known.push(error.class.clone());
            new
        });
        match errors.len() {
            0 => Ok(()),
            several => {
                let choice = self.any_of(several);
                Err(ExecutionError::Server(errors.swap_remove(choice)))
            }
        }
    }

    /// The rows that a statement changes, each once.
    pub(super) fn locate(&mut self, locate: &Locate) -> Result<Vec<Located>> {
        let width = self.catalog.by_id(locate.table).map_or(0, |table| table.columns().len());
        let mut located: Vec<Located> = Vec::new();
        for wide in self.changed_join(&Conditions::of_locate(locate, locate.at + width))? {
            let Some(Value::Int(number)) = wide.get(locate.at + width) else { continue };
            #[allow(clippy::cast_sign_loss, reason = "the bits of the number of a row")]
            located.push((RowId(*number as u64), wide));
        }
        located = self.locked(locate, located)?;
        if !matches!(locate.source, Source::Table { .. }) {
            located = self.one_match_each(located);
        }
        if locate.order.is_empty() && locate.limit.is_none() {
            return Ok(located);
        }
        self.in_order(locate, located)
    }

    /// The rows of a table that may be changed before an error, or beside it: those whose conditions fail, too, because
    /// where rows are changed, MySQL may not take all that it warns of for an error.
    fn locate_beside_errors(&mut self, locate: &Locate) -> Result<Vec<Located>> {
        let Source::Table { id: node, table, filter, .. } = &locate.source else {
            return Ok(Vec::new());
        };
        let mut located = Vec::new();
        for (id, row) in self.scan(*table).iter() {
            #[allow(clippy::cast_possible_wrap, reason = "the same bits come back")]
            let wide = joined(row, &[Value::Int(id.0 as i64)]);
            let frame = Frame { row: &wide, outer: None };
            let keeps = match self.keeps(*node, filter, &frame) {
                Ok(true) => self.keeps(locate.id, &locate.filter, &frame),
                keeps => keeps,
            };
            match keeps {
                Ok(true) | Err(ExecutionError::Server(_)) => located.push((*id, wide)),
                Ok(false) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(located)
    }

    /// A row that meets several others is changed with one of them.
    fn one_match_each(&mut self, located: Vec<Located>) -> Vec<Located> {
        let mut places: FxHashMap<RowId, usize> = FxHashMap::default();
        let mut groups: Vec<(RowId, Vec<Vec<Value>>)> = Vec::new();
        for (id, wide) in located {
            let place = *places.entry(id).or_insert_with(|| {
                groups.push((id, Vec::new()));
                groups.len() - 1
            });
            if !groups[place].1.contains(&wide) {
                groups[place].1.push(wide);
            }
        }
        groups
            .into_iter()
            .map(|(id, mut wides)| (id, wides.swap_remove(self.any_of(wides.len()))))
            .collect()
    }

    /// What a row is sorted by.
    fn order_keys(&mut self, locate: &Locate, row: &[Value]) -> Result<Vec<Value>> {
        let frame = Frame { row, outer: None };
        locate.order.iter().map(|(key, ..)| self.eval(key, &frame)).collect()
    }

    /// Which of two rows comes first, by what they are sorted by.
    fn by_order(&self, locate: &Locate, a: &[Value], b: &[Value]) -> Ordering {
        let nulls_first = self.dialect.nulls_come_first();
        let pairs = locate.order.iter().zip(a.iter().zip(b));
        pairs.fold(Ordering::Equal, |before, ((_, descending, collation), (a, b))| {
            before.then_with(|| by_key(a, b, *descending, nulls_first != *descending, *collation))
        })
    }

    fn in_order(&mut self, locate: &Locate, located: Vec<Located>) -> Result<Vec<Located>> {
        let mut keyed = Vec::new();
        for (id, wide) in located {
            keyed.push((self.order_keys(locate, &wide)?, (id, wide)));
        }
        keyed.sort_by(|(a, _), (b, _)| self.by_order(locate, a, b));
        for pair in keyed.windows(2) {
            for (place, (_, _, collation)) in locate.order.iter().enumerate() {
                if self.doubt_order(&pair[0].0[place], &pair[1].0[place], *collation).is_ne() {
                    break;
                }
            }
        }
        let limit = self.bound(locate.limit.as_ref(), None, ErrorClass::InvalidLimit)?;
        let Some(limit) = limit
            .and_then(|limit| usize::try_from(limit).ok())
            .filter(|limit| *limit < keyed.len())
        else {
            return Ok(keyed.into_iter().map(|(_, located)| located).collect());
        };
        // The rows that are tied with the last one may stand in for each other.
        let tied = |index: usize, keyed: &[(Vec<Value>, Located)]| {
            limit > 0 && self.by_order(locate, &keyed[index].0, &keyed[limit - 1].0).is_eq()
        };
        let start = (0..limit).find(|index| tied(*index, &keyed)).unwrap_or(limit);
        let end = (limit..keyed.len()).find(|index| !tied(*index, &keyed)).unwrap_or(keyed.len());
        let mut ties: Vec<_> = keyed.drain(start..end.max(start)).collect();
        keyed.truncate(start);
        while keyed.len() < limit && !ties.is_empty() {
            let choice = if ties.len() > limit - keyed.len() { self.any_of(ties.len()) } else { 0 };
            keyed.push(ties.remove(choice));
        }
        Ok(keyed.into_iter().map(|(_, located)| located).collect())
    }
}

/// Whether there is a query in the conditions or the assignments.
fn asks(update: &Update) -> bool {
    let mut found = false;
    let mut visit = |part: &mut Expr, _: usize| {
        found |=
            matches!(part, Expr::Exists { .. } | Expr::Scalar { .. } | Expr::Quantified { .. });
        true
    };
    rewrite_source(&mut update.locate.source.clone(), 0, &mut visit);
    let values = update.assignments.iter().filter_map(|assignment| assignment.value.as_ref());
    let parts = update.locate.filter.iter().chain(values);
    parts.for_each(|part| rewrite(&mut part.clone(), 0, &mut visit));
    found
}

/// Whether an assignment reads a column that one before it has changed.
fn reads_assigned(update: &Update) -> bool {
    let at = update.locate.at;
    let mut changed = Vec::new();
    update.assignments.iter().any(|assignment| {
        let mut reads = false;
        if let Some(value) = &assignment.value {
            walk_columns(&mut value.clone(), &mut |depth, index| {
                reads |= depth == 0 && changed.contains(&index);
            });
        }
        changed.push(at + assignment.column);
        reads
    })
}
