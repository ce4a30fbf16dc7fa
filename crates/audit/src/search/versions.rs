//! The answers of a query over all versions that its rows may have had.
//!
//! ```text
//!   SELECT sum(qty) FROM item         answered 31
//!
//!   id = 1    qty 10 or 12            each from a search over the projection to that row
//!   id = 2    qty 5
//!   id = 3    none, or qty 7 or 9
//!
//!   10 + 5, 12 + 5, 10 + 5 + 7, …     the query, carried out on all six combinations: 15, 17, 22, 24, 24, 26
//! ```
//!
//! A projection onto one row ([`crate::statement::Focus`]) says nothing of an answer that does not show which row it is
//! about: a sum, a row that a subquery chose. But it says which versions of the row the query can have read, and the
//! query can be carried out on every combination of these. If none gives the answer, nothing explains the log.
//!
//! # Why nothing is rejected wrongly
//!
//! Let `Q` be a query of a transaction `R`, and let π be an explanation of the log. What `Q` answers depends only on the
//! rows in its reach. Each of them has a key that the start has or an INSERT gives (`keys_seen_by`), since no other
//! statement makes rows or changes keys. So it is enough to show, for each key, that the version `v` which `Q` met in π is
//! among those that were found.
//!
//! By the projection lemma (`statement/part.rs`), π gives an explanation of the projection to the key, in which `R` meets
//! `v`. Write `L(v)` for this projection with a step in place of `Q` that is explained by `v` alone, and `L` for the one
//! that is searched, in which nothing explains this step. The search is deterministic, and it does the same for `L` as for
//! `L(v)` until that step is explained for the first time. It is explained at some time: the search for `L(v)` ends with a
//! world, since it has an explanation and nothing was left untried, and `R` is in it. At that moment, the probe of `L`
//! meets `v`, too. ∎
//!
//! Versions of several rows may be combined that no state has together. Such combinations only make it harder to reject.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use tristan_ground::Budget;
use tristan_sql::Rows;
use tristan_verdict::audit::Told;

use super::combined::Combined;
use super::projection::{Log, Projected};
use super::world_search::SearchError;
use crate::explain::{Effort, Slice};
use crate::level::Kind;
use crate::options::AuditOptions;
use crate::sql::{Sql, told};
use crate::statement::{
    Expected, Focus, Path, Probe, Script, Statement, Step, Task, Unclear, Version,
};
use crate::world::{Row, RowId, TableId, Value, has_values};

/// How many rows a query may look at, at most.
const MOST_KEYS: usize = 10_000;

/// How many combinations are tried at most.
const MOST_COMBINATIONS: usize = 30_000;

/// How long something may be looked for.
pub(crate) struct Patience<'a> {
    pub(crate) options: &'a AuditOptions,
    pub(crate) budget: &'a Budget,
    /// How many statements may still be carried out.
    pub(crate) runs: u64,
}

impl Patience<'_> {
    /// Fewer statements are left. Returns `None` if there are none, or if time is up.
    fn spend(&mut self, runs: u64) -> Option<()> {
        self.runs = self.runs.saturating_sub(runs);
        (self.runs > 0 && self.budget.check().is_ok()).then_some(())
    }
}

impl Log {
    /// What a query answers on all combinations of versions, if its answer is none of these. Returns `None` if it is one,
    /// or if not all of them are known.
    pub(crate) fn refute_query(
        &self,
        task: &Task,
        step: usize,
        patience: &mut Patience<'_>,
    ) -> Option<Combined> {
        let query = task.statement(step).filter(|query| depends_on_rows_alone(query))?;
        if Focus::are_shown_by(query) {
            return None;
        }
        let mut rows = Vec::new();
        let mut combinations = 1_usize;
        for focus in self.keys_seen_by(query)? {
            let versions = self.versions_met(&focus, task, step, patience)?;
            let versions = in_reach(query, focus.table(), versions);
            combinations = combinations.checked_mul(versions.len())?;
            if combinations == 0 || combinations > MOST_COMBINATIONS {
                return None;
            }
            rows.push((focus.table(), versions));
        }
        let (answers, cut) = self.answers(query, task.serial, &rows, patience)?;
        let open = rows.iter().filter(|(_, versions)| versions.len() > 1).count();
        Some(Combined { step, answers, cut, open, combinations })
    }

    /// The keys of all rows that a query may ever look at. Returns `None` if they are not known.
    fn keys_seen_by(&self, query: &Statement) -> Option<Vec<Focus>> {
        let tables: Vec<TableId> = query.reach.tables().collect();
        if tables.iter().any(|table| self.keys.get(table).is_some_and(Option::is_none)) {
            return None;
        }
        let (mut known, mut keys) = (FxHashSet::default(), Vec::new());
        let mut add = |focus: &Focus| {
            if focus.may_be_seen_by(query) && known.insert(focus.clone()) {
                keys.push(focus.clone());
            }
            (keys.len() <= MOST_KEYS).then_some(())
        };
        #[allow(clippy::iter_over_hash_type, reason = "the order is settled below")]
        for focus in self.rows.keys().filter(|focus| tables.contains(&focus.table())) {
            add(focus)?;
        }
        for statement in self.tasks.iter().flat_map(|task| &task.steps).filter_map(Step::statement)
        {
            for focus in Focus::made_by(statement, &tables)? {
                add(&focus)?;
            }
        }
        keys.sort_by_cached_key(|focus| (focus.table(), format!("{focus:?}")));
        Some(keys)
    }

    /// All versions of the rows with a key that a query can have met. Returns `None` if they are not known.
    fn versions_met(
        &self,
        focus: &Focus,
        task: &Task,
        step: usize,
        patience: &mut Patience<'_>,
    ) -> Option<Vec<Version>> {
        let probe = Rc::new(Probe::new(focus.clone()));
        let part = |other: &Task| match other.serial == task.serial {
            true => focus.part_with_probe(other, step, &probe),
            false => focus.part_of(other),
        };
        let Projected { search, ended } = self.search_patiently(focus, part, patience)?;
        let certain = search.sql.guessed().is_none();
        let Some(Err(SearchError::Unexplained(unexplained))) = ended else { return None };
        let is_own = unexplained.task.serial == task.serial;
        let clear =
            certain && (is_own || self.is_explained_without(focus, task, step, patience)?);
        clear.then(|| probe.met())
    }

    /// Tries all orders of a projection to the rows with a key. Returns `None` if there is none, or if that takes too long.
    fn search_patiently(
        &self,
        focus: &Focus,
        part: impl Fn(&Task) -> Result<Option<Task>, Unclear>,
        patience: &mut Patience<'_>,
    ) -> Option<Projected> {
        let parts = self.parts(focus, part)?;
        let effort = Effort::slice(Slice::Rows);
        let Patience { options, budget, runs } = *patience;
        let projected = self.search_parts(focus, parts, options, effort, budget, runs);
        // To look whether a transaction has to do with the rows takes a small part of the time of a statement.
        patience.spend(1 + projected.search.notes.runs.get() + self.tasks.len() as u64 / 8)?;
        Some(projected)
    }

    /// Whether something explains the projection to the rows with a key if a query is left out. Otherwise another answer
    /// is wrong, and nothing is said about this one.
    fn is_explained_without(
        &self,
        focus: &Focus,
        task: &Task,
        step: usize,
        patience: &mut Patience<'_>,
    ) -> Option<bool> {
        let part = |other: &Task| match other.serial == task.serial {
            true => focus.part_without(other, step),
            false => focus.part_of(other),
        };
        let ended = self.search_patiently(focus, part, patience)?.ended;
        Some(matches!(ended, Some(Ok(()))))
    }

    /// The answers of a query on all combinations of versions, and whether some are left out. Returns `None` if one of
    /// them is the one of the log, or if that is not certain.
    fn answers(
        &self,
        query: &Statement,
        serial: u32,
        rows: &[(TableId, Vec<Version>)],
        patience: &mut Patience<'_>,
    ) -> Option<(Vec<Told>, bool)> {
        let sql = self.sql.again();
        let path = Path::new(serial);
        let (mut answers, mut cut) = (Vec::new(), false);
        let mut picks = Some(vec![0; rows.len()]);
        while let Some(current) = picks {
            let mut chosen = Chosen::of(rows, &current);
            // Both of the statements below go through all rows.
            patience.spend(1 + rows.len() as u64 / 32)?;
            if explains(&sql, query, &mut chosen, &path, patience)? {
                return None;
            }
            let outcome = sql.answer(query, &mut chosen, &path).ok()?;
            let answer = told(&query.plan.prepared, &outcome);
            match answers.contains(&answer) {
                true => {}
                false if answers.len() == Combined::KEPT => cut = true,
                false => answers.push(answer),
            }
            picks = next(current, rows);
        }
        sql.guessed().is_none().then_some((answers, cut))
    }
}

/// Whether what a statement answers depends on nothing but the rows that it reads.
fn depends_on_rows_alone(statement: &Statement) -> bool {
    let prepared = &statement.plan.prepared;
    statement.kind() == Kind::Read
        && matches!(statement.expected, Expected::Rows(_))
        && !statement.reach.anything
        && !prepared.is_open()
        && !prepared.rounds()
        && prepared.is_query()
        // The variables of a session.
        && !statement.plan.sql.contains('@')
}

/// The versions as a query can tell them apart: rows that are out of its reach are left out.
fn in_reach(query: &Statement, table: TableId, versions: Vec<Version>) -> Vec<Version> {
    let mut distinct: Vec<Version> = Vec::new();
    for mut version in versions {
        version.retain(|(_, row)| query.reach.may_touch_row(table, row));
        if !distinct.contains(&version) {
            distinct.push(version);
        }
    }
    distinct
}

/// Whether some way to carry out a query gives its answer. Returns `None` if not all ways were tried.
fn explains(
    sql: &Sql,
    query: &Statement,
    rows: &mut Chosen<'_>,
    path: &Path,
    patience: &mut Patience<'_>,
) -> Option<bool> {
    let mut script = Script::default();
    for _ in 0..patience.options.attempts.max(1) {
        patience.spend(1)?;
        if sql.run(query, rows, &mut script, path).ok()?.explains {
            return Some(true);
        }
        match script.next() {
            Some(next) => script = next,
            None => return Some(false),
        }
    }
    None
}

/// The next combination. Returns `None` after the last one.
fn next(mut picks: Vec<usize>, rows: &[(TableId, Vec<Version>)]) -> Option<Vec<usize>> {
    for (pick, (_, versions)) in picks.iter_mut().zip(rows) {
        *pick += 1;
        if *pick < versions.len() {
            return Some(picks);
        }
        *pick = 0;
    }
    None
}

/// One version of each row.
struct Chosen<'a> {
    rows: Vec<(TableId, RowId, &'a Row)>,
}

impl<'a> Chosen<'a> {
    fn of(rows: &'a [(TableId, Vec<Version>)], picks: &[usize]) -> Self {
        let picked = rows.iter().zip(picks).flat_map(|((table, versions), &pick)| {
            versions[pick].iter().map(|(id, row)| (*table, *id, row))
        });
        let mut rows: Vec<_> = picked.collect();
        rows.sort_by_key(|&(table, id, _)| (table, id));
        Self { rows }
    }
}

impl Rows for Chosen<'_> {
    fn scan(&mut self, table: TableId, into: &mut Vec<(RowId, Row)>) {
        let own = self.rows.iter().filter(|(other, ..)| *other == table);
        into.extend(own.map(|&(_, id, row)| (id, row.clone())));
    }

    fn lookup(
        &mut self,
        table: TableId,
        columns: &[usize],
        values: &[Value],
        into: &mut Vec<(RowId, Row)>,
    ) {
        let own = self
            .rows
            .iter()
            .filter(|(other, _, row)| *other == table && has_values(row, columns, values));
        into.extend(own.map(|&(_, id, row)| (id, row.clone())));
    }
}
