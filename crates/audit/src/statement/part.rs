//! What a log says of the rows with one key alone.
//!
//! ```text
//!   rows of item with id = 7
//!
//!   UPDATE item SET qty = qty + 1 WHERE id BETWEEN 3 AND 9      the same, for these rows
//!   SELECT id, qty FROM item ORDER BY id   (3, 10) (7, 12)      shows (7, 12) and nothing else of them
//!   SELECT i.id, i.qty FROM item i JOIN …  (7, 12) (7, 12)      there is a row with id = 7 and qty = 12
//!   UPDATE item SET qty = 0 WHERE id = 3                        has nothing to do with them
//! ```
//!
//! Where many transactions overlap, there are far too many orders to try. Few of them write one row, and the states of one
//! row are few. So a log is *projected* onto the rows with one key: of every statement only the part remains that is about
//! them. If nothing explains the projection, nothing explains the log.
//!
//! # Why nothing is rejected wrongly
//!
//! The rows of a focus are those whose key has given values, in the form that equal values share. Two rows that a unique
//! key has to tell apart are both in it or both outside, and no statement that is projected changes a key.
//!
//! **Lemma (projection).** Let a statement treat rows alone ([`tristan_sql::Prepared::treats_rows_alone`]). What it does
//! to the rows of the focus in a state, and what it shows of them, is what it does and shows in the state that has only
//! these rows. *Proof.* What happens to a row depends on nothing but the row, and an inserted row is compared only with
//! rows that have its key. ∎
//!
//! Let π be an explanation of the log (see [`crate::search`]). Reduce its states to the rows of the focus, its
//! transactions to their parts, and leave out those of which no part remains. By the lemma, every part gives what remains
//! of its answer. Times, turns and the order of states are those of π, and every conflict on a row of the focus is one of
//! π. So the rest of π explains the projection.
//!
//! What else remains of an answer only has to be true, whatever was left out:
//!
//! * of an answer that shows the key, the rows with this key; of any other answer, whether it was empty; of the answer of
//!   an INSERT of several rows, nothing;
//! * of a query that treats rows together (joins, subqueries, LIMIT), that the rows with this key which it shows were there;
//! * of a statement that failed, nothing, unless it is about these rows alone: it changed nothing.
//!
//! A focus is of no use ([`Unclear`]) if a statement may change its rows in any other way, such as an INSERT of several rows
//! that leaves out those whose keys are taken, or if its table gets another key.

use std::rc::Rc;

use tristan_sql::{Displayed, ObservedValue, Type};

use super::expected::Expected;
use super::focus::{Focus, Shows, key_of};
use super::prepared::Statement;
use super::probe::Probe;
use super::reach::{Reach, Region};
use super::task::{Step, Task};
use crate::level::Kind;
use crate::world::TableId;

/// A statement may change the rows of a focus in a way that depends on other rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unclear;

impl Focus {
    /// The focuses that a statement names: the keys that its conditions give, and those of the rows that it shows. One may
    /// come several times.
    pub(crate) fn named_by(statement: &Statement) -> impl Iterator<Item = Self> {
        let catalog = &statement.plan.catalog;
        let given = statement.reach.regions().filter_map(|region| Self::inside(catalog, region));
        let rows = match &statement.expected {
            Expected::Rows(rows) => rows.as_slice(),
            _ => &[],
        };
        let shown = keys_shown(statement).into_iter().flat_map(move |(table, places)| {
            rows.iter().filter_map(move |row| Self::of_row(catalog, table, &places, row))
        });
        given.chain(shown)
    }

    /// The keys of the rows that a statement may make in some tables. One may come several times. Returns `None` if
    /// they are not known.
    pub(crate) fn made_by(statement: &Statement, tables: &[TableId]) -> Option<Vec<Self>> {
        let made = |region: &&Region| tables.contains(&region.table);
        match &statement.expected {
            _ if statement.reach.anything => return None,
            Expected::Error(_) | Expected::Refused => return Some(Vec::new()),
            _ => {}
        }
        if !statement.reach.writes().any(|region| made(&region)) {
            return Some(Vec::new());
        }
        let prepared = &statement.plan.prepared;
        if !prepared.is_insert() {
            // It changes no keys if what it does to a row depends on nothing but the row.
            return prepared.treats_rows_alone().then(Vec::new);
        }
        let regions = statement.reach.writes().filter(made);
        regions.map(|region| Self::inside(&statement.plan.catalog, region)).collect()
    }

    /// Whether a query shows which rows it is about, so that projections tell all there is to tell.
    pub(crate) fn are_shown_by(statement: &Statement) -> bool {
        statement.plan.prepared.treats_rows_alone() && !keys_shown(statement).is_empty()
    }

    /// Whether a statement may look at rows with the key.
    pub(crate) fn may_be_seen_by(&self, statement: &Statement) -> bool {
        statement.reach.may_touch(&self.region)
    }

    /// What a transaction has to do with these rows. Returns `None` if it is nothing.
    pub(crate) fn part_of(&self, task: &Task) -> Result<Option<Task>, Unclear> {
        self.parts(task, |_, statement| self.part(statement))
    }

    /// The same, where a step that is a query only notes which of these rows it meets.
    pub(crate) fn part_with_probe(
        &self,
        task: &Task,
        query: usize,
        probe: &Rc<Probe>,
    ) -> Result<Option<Task>, Unclear> {
        self.parts(task, |step, statement| match step == query {
            true if !self.is_key_in(&statement.plan.catalog) => Err(Unclear),
            true => Ok(Some(self.projected(statement, Expected::Noted(Rc::clone(probe))))),
            false => self.part(statement),
        })
    }

    /// The same, where a step is left out.
    pub(crate) fn part_without(
        &self,
        task: &Task,
        left_out: usize,
    ) -> Result<Option<Task>, Unclear> {
        self.parts(task, |step, statement| match step == left_out {
            true => Ok(None),
            false => self.part(statement),
        })
    }

    fn parts(
        &self,
        task: &Task,
        part: impl Fn(usize, &Statement) -> Result<Option<Statement>, Unclear>,
    ) -> Result<Option<Task>, Unclear> {
        if !task.reach.may_touch(&self.region) {
            return Ok(None);
        }
        let (mut steps, mut any) = (Vec::new(), false);
        for (place, step) in task.steps.iter().enumerate() {
            steps.extend(match step {
                Step::Run(statement) => {
                    part(place, statement)?.map(|part| Step::Run(Box::new(part)))
                }
                Step::Savepoint(name) => Some(Step::Savepoint(name.clone())),
                Step::RollbackTo(name) => Some(Step::RollbackTo(name.clone())),
            });
            any |= matches!(steps.last(), Some(Step::Run(_)));
        }
        Ok(any.then(|| task.with_steps(steps)))
    }

    /// What a statement has to do with these rows.
    fn part(&self, statement: &Statement) -> Result<Option<Statement>, Unclear> {
        if !statement.reach.may_touch(&self.region) || self.is_not_inserted_by(statement) {
            return Ok(None);
        }
        if !self.is_key_in(&statement.plan.catalog) {
            return Err(Unclear);
        }
        let (alone, all) =
            (statement.plan.prepared.treats_rows_alone(), self.has_all_of(statement));
        let expected = match &statement.expected {
            Expected::Refused => None,
            // A routine may have changed rows before it failed.
            Expected::Error(_) if statement.reach.anything => return Err(Unclear),
            Expected::Error(code) if alone && all => Some(Expected::Error(code.clone())),
            Expected::Error(_) => None,
            _ if statement.kind() != Kind::Read && statement.reach.may_write_in(&self.region) => {
                Some(self.of_a_write(statement)?)
            }
            _ if statement.plan.prepared.is_insert() => None,
            _ if alone => Some(self.of_rows_alone(statement)).filter(Expected::says_something),
            _ if statement.kind() == Kind::Read => self.of_rows_together(statement),
            _ => None,
        };
        Ok(expected.map(|expected| self.projected(statement, expected)))
    }

    /// Whether a statement only inserts rows, and shows that all of them have other keys.
    fn is_not_inserted_by(&self, statement: &Statement) -> bool {
        let (Expected::Rows(rows), prepared) = (&statement.expected, &statement.plan.prepared)
        else {
            return false;
        };
        let others = || self.rows_of(statement, &self.places(statement)?, rows);
        let plain = prepared.inserts_or_fails() && !statement.reach.anything;
        plain && others().is_some_and(|rows| rows.is_empty())
    }

    /// What is expected of a statement that may change these rows.
    fn of_a_write(&self, statement: &Statement) -> Result<Expected, Unclear> {
        let prepared = &statement.plan.prepared;
        let all = self.has_all_of(statement);
        let skips = prepared.may_skip() || prepared.may_skip_some();
        let clear = match prepared.is_insert() {
            _ if all => true,
            true => self.inserts_row_by_row(statement) && !skips,
            false => !skips,
        };
        if !clear || !prepared.treats_rows_alone() || !all && prepared.is_open() {
            return Err(Unclear);
        }
        // The other new rows are inserted as well, and counted, although they do not stay.
        match prepared.is_insert() && !all {
            true => Ok(Expected::Works),
            false => Ok(self.of_rows_alone(statement)),
        }
    }

    /// Whether each of the rows that a statement inserts has a key that is given, and has nothing to do with rows that
    /// have other keys.
    fn inserts_row_by_row(&self, statement: &Statement) -> bool {
        let given = |region: &Region| self.gives_key(region);
        let plain = statement.plan.prepared.inserts_or_fails();
        statement.reach.writes().all(given) && (plain || statement.reach.regions().all(given))
    }

    /// Whether a statement can touch no other rows.
    fn has_all_of(&self, statement: &Statement) -> bool {
        statement.reach.regions().all(|region| region.is_inside(&self.region))
    }

    /// What remains of the answer of a statement that treats rows alone.
    fn of_rows_alone(&self, statement: &Statement) -> Expected {
        match &statement.expected {
            expected if self.has_all_of(statement) => expected.clone(),
            Expected::Rows(rows) if rows.is_empty() => Expected::Rows(Vec::new()),
            Expected::Rows(rows) => self
                .places(statement)
                .and_then(|places| self.rows_of(statement, &places, rows))
                .map_or(Expected::Works, Expected::Rows),
            Expected::Affected(0) => Expected::Affected(0),
            Expected::Shown(0) => Expected::Shown(0),
            _ => Expected::Works,
        }
    }

    /// What remains of the answer of a query that treats rows together.
    fn of_rows_together(&self, statement: &Statement) -> Option<Expected> {
        let Expected::Rows(rows) = &statement.expected else { return None };
        let columns = statement.plan.catalog.by_id(self.region.table)?.columns();
        let displayed = statement.plan.prepared.displayed()?;
        let keys = keys_shown(statement);
        let (_, key) = keys.into_iter().find(|(table, _)| *table == self.table())?;
        let source = displayed.get(key.first()?.1)?.as_ref()?.source;
        let column = |(place, shown): (usize, &Option<Displayed>)| {
            let shown = shown.filter(|shown| shown.source == source)?;
            let ty = columns[shown.column].ty();
            comparable(ty).then_some((place, shown.column, ty))
        };
        let columns: Vec<_> = displayed.iter().enumerate().filter_map(column).collect();
        let mut shown: Vec<Vec<ObservedValue>> = Vec::new();
        for row in self.rows_of(statement, &key, rows)? {
            let value = |&(place, _, ty): &(usize, usize, Type)| Some(row.get(place)?.normal(ty));
            let row = columns.iter().map(value).collect::<Option<_>>()?;
            if !shown.contains(&row) {
                shown.push(row);
            }
        }
        let shows = Shows { focus: self.clone(), columns, rows: shown };
        (!shows.rows.is_empty()).then(|| Expected::Shows(Box::new(shows)))
    }

    /// Where the answer of a statement shows the columns of the key.
    pub(crate) fn places(&self, statement: &Statement) -> Option<Vec<(usize, usize)>> {
        let prepared = &statement.plan.prepared;
        if prepared.is_insert() {
            let place = |column| Some((column, prepared.shows(self.table(), column)?));
            return self.columns().map(place).collect();
        }
        let shown = keys_shown(statement).into_iter().find(|(table, _)| *table == self.table());
        shown.map(|(_, places)| places)
    }

    /// The rows of an answer that have the key. Returns `None` if the key of a row is not clear.
    fn rows_of(
        &self,
        statement: &Statement,
        places: &[(usize, usize)],
        rows: &[Vec<ObservedValue>],
    ) -> Option<Vec<Vec<ObservedValue>>> {
        let catalog = &statement.plan.catalog;
        let mut own = Vec::new();
        for row in rows {
            // Where a LEFT JOIN found no row, the key is NULL.
            let nothing =
                places.iter().any(|&(_, place)| row.get(place) == Some(&ObservedValue::Null));
            if !nothing && Self::of_row(catalog, self.table(), places, row)? == *self {
                own.push(row.clone());
            }
        }
        Some(own)
    }

    /// A statement that is about these rows alone.
    fn projected(&self, statement: &Statement, expected: Expected) -> Statement {
        let reach = match &expected {
            // All of the rows are looked at, whatever else the conditions say of them.
            Expected::Shows(_) | Expected::Noted(_) => Reach::looking_at(&self.region),
            _ => statement.reach.within(&self.region),
        };
        Statement {
            plan: statement.plan.clone(),
            params: statement.params.clone(),
            expected,
            reach,
            only: Some(self.clone()),
            is_part: !self.has_all_of(statement),
            call: statement.call,
            around: statement.around,
        }
    }
}

/// The tables of which an answer shows the primary key as it is: with each column of the key, its place in the answer.
fn keys_shown(statement: &Statement) -> Vec<(TableId, Vec<(usize, usize)>)> {
    let Some(displayed) = statement.plan.prepared.displayed() else { return Vec::new() };
    let mut sources: Vec<&Displayed> = Vec::new();
    for shown in displayed.iter().flatten() {
        if !sources.iter().any(|other| other.source == shown.source) {
            sources.push(shown);
        }
    }
    let places = |shown: &&Displayed| {
        let key = key_of(&statement.plan.catalog, shown.table)?;
        let place = |column: &usize| {
            let place = displayed.iter().position(|other| {
                other.is_some_and(|one| one.source == shown.source && one.column == *column)
            });
            place.map(|place| (*column, place))
        };
        Some((shown.table, key.iter().map(place).collect::<Option<_>>()?))
    };
    sources.iter().filter_map(places).collect()
}

/// Whether clients see the values of a type in one form.
fn comparable(ty: Type) -> bool {
    matches!(ty, Type::Bool | Type::Int(_) | Type::Decimal(_) | Type::Text { .. })
}
