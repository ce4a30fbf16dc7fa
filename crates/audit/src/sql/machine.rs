//! Tables, and statements carried out over rows that the caller keeps.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use tristan_sql::{
    Answer, Catalog, Collation, Column, Context, Dialect, Effect, Rows, Session, StatementOutcome,
    Type,
};
use tristan_sqltext::{Effects, split};
use tristan_verdict::audit::Unjudged;

use super::barriers::Barriers;
use super::choices::{Guess, Scripted};
use super::defined::Defined;
use super::dump::{Portion, has_moments, portions, prepares, sets_time_zone, without_options};
use super::paths::Paths;
use super::places::Sessions;
use super::referred_first::referred_first;
use super::refused::RefusedError;
use super::server::{Server, counts_all};
use super::start::{Start, StartError, unquoted};
use super::text::{defines, dialect_of};
use super::zones::Zones;
use crate::model::Types;
use crate::statement::{
    Change, Expected, NEW_ROWS, Path, Plan, Ran, Script, Shows, Statement, UnsupportedError,
};
use crate::world::{Key, Row, RowId, TableId, Value};

/// What questions are kept under among the reasons for not judging statements.
pub(super) const QUESTIONS: &str = "questions about the schema or the session";

/// Tables with columns that hold values of the server's own; `None` if it is not clear which ones do.
pub(crate) type GuessedColumns = BTreeMap<String, Option<BTreeSet<String>>>;

/// Tables, and statements that are ready to run.
#[derive(Debug)]
pub(crate) struct Sql {
    pub(super) catalog: Rc<Catalog>,
    /// The name of the collation of the database, if it is stated.
    collation: Option<String>,
    /// Settings of transactions that were left out, which change what later statements mean.
    pub(super) settings: Vec<String>,
    /// By where names are looked up, the text of the statement and the types of its parameters.
    pub(super) plans: FxHashMap<(u32, Arc<str>, Types), Rc<Plan>>,
    start: Start,
    pub(super) paths: Paths,
    pub(super) zones: Zones,
    pub(super) sessions: Sessions,
    /// Whether there were temporary tables.
    pub(super) temporaries: bool,
    /// What the transaction that is being read defines.
    pub(super) defined: Defined,
    /// Who uses tables while they are altered.
    pub(super) barriers: Barriers,
    /// Why statements were not judged, and how many.
    pub(super) unjudged: BTreeMap<String, u64>,
    /// Tables that are excluded from the audit, and why.
    pub(crate) unfollowed: BTreeMap<String, String>,
    /// Statements, by their texts, that turned out not to be supported when they were carried out, and why.
    pub(crate) unsupported: BTreeMap<String, String>,
    /// The same, which was not known before.
    refused: RefCell<BTreeMap<String, String>>,
    /// Tables that have to be excluded from the audit, and why; found since the log was last read.
    pub(crate) lost: BTreeMap<String, String>,
    /// Views, and routines that are not supported.
    pub(super) others: BTreeSet<String>,
    /// What a transaction met that made it lose tables.
    pub(super) failure: Option<UnsupportedError>,
    /// Whether any table may have been changed by a statement that cannot be carried out.
    pub(crate) hopeless: bool,
    /// What was guessed last.
    guessed: RefCell<Option<Guess>>,
    /// Tables with values that were guessed, and why.
    guesses: RefCell<BTreeMap<String, String>>,
    /// The columns of these values.
    pub(super) guessed_columns: RefCell<GuessedColumns>,
    /// Blurred columns, with their tables, in lower case.
    pub(crate) blurred: BTreeSet<(String, String)>,
    /// Tables, and the same tables with blurred columns.
    pub(super) blurred_catalog: Option<(Rc<Catalog>, Rc<Catalog>)>,
    /// Queries, by their texts, that show values that were guessed.
    guessing: RefCell<BTreeSet<String>>,
    /// What the server chose.
    pub(super) server: RefCell<Server>,
    /// What sessions know of the statement before: how many rows it changed, and how many it showed.
    pub(super) previous: BTreeMap<u64, (Option<i64>, Option<i64>)>,
    /// Whether queries are judged that show values of the server's own, such as the time.
    pub(crate) predicts: bool,
}

impl Sql {
    /// For a dialect: `postgresql`, `mysql` or `mariadb`.
    pub(crate) fn new(dialect: Option<&str>) -> Self {
        let dialect = dialect_of(dialect);
        Self {
            catalog: Rc::new(Catalog::new(dialect)),
            collation: None,
            settings: Vec::new(),
            plans: FxHashMap::default(),
            start: Start::new(dialect),
            paths: Paths::default(),
            zones: Zones::default(),
            sessions: Sessions::default(),
            temporaries: false,
            defined: Defined::default(),
            barriers: Barriers::default(),
            unjudged: BTreeMap::new(),
            unfollowed: BTreeMap::new(),
            unsupported: BTreeMap::new(),
            refused: RefCell::default(),
            lost: BTreeMap::new(),
            others: BTreeSet::new(),
            failure: None,
            hopeless: false,
            guessed: RefCell::new(None),
            guesses: RefCell::default(),
            guessed_columns: RefCell::default(),
            blurred: BTreeSet::new(),
            blurred_catalog: None,
            guessing: RefCell::default(),
            server: RefCell::default(),
            previous: BTreeMap::new(),
            predicts: true,
        }
    }

    /// The same, to go on from here more than once.
    pub(crate) fn again(&self) -> Self {
        Self {
            catalog: self.catalog.clone(),
            collation: self.collation.clone(),
            settings: self.settings.clone(),
            plans: self.plans.clone(),
            start: Start::new(self.catalog.dialect()),
            paths: self.paths.clone(),
            zones: self.zones.clone(),
            sessions: self.sessions.clone(),
            temporaries: self.temporaries,
            defined: Defined::default(),
            barriers: self.barriers.clone(),
            unjudged: self.unjudged.clone(),
            unfollowed: self.unfollowed.clone(),
            unsupported: self.unsupported.clone(),
            refused: self.refused.clone(),
            lost: self.lost.clone(),
            others: self.others.clone(),
            failure: self.failure.clone(),
            hopeless: self.hopeless,
            guessed: self.guessed.clone(),
            guesses: self.guesses.clone(),
            guessed_columns: self.guessed_columns.clone(),
            blurred: self.blurred.clone(),
            blurred_catalog: None,
            guessing: self.guessing.clone(),
            server: RefCell::new(self.server.borrow().again()),
            previous: self.previous.clone(),
            predicts: self.predicts,
        }
    }

    /// What is known by now about the dialect and the collation of the database.
    pub(crate) fn dialect(&mut self, dialect: Option<&str>, collation: Option<&str>) {
        if self.catalog.tables().next().is_some() {
            return;
        }
        let dialect = dialect_of(dialect);
        if dialect != self.catalog.dialect() {
            self.catalog = Rc::new(Catalog::new(dialect));
            self.start = Start::new(dialect);
        }
        if let Some(name) = collation {
            let collation = dialect.collation_named(name);
            self.collation = Some(name.to_owned());
            Rc::make_mut(&mut self.catalog).collate(collation);
            self.start.collate(collation);
        }
    }

    /// The time zone of all sessions is UTC.
    pub(crate) fn set_utc(&mut self) {
        if self.catalog.tables().next().is_none() {
            Rc::make_mut(&mut self.catalog).set_utc();
            self.zones.begin_in_utc();
            self.start.set_utc();
        }
    }

    /// All tables and routines that are defined.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Statements that were not judged; the most frequent reason first.
    pub(crate) fn unjudged(&self) -> Vec<Unjudged> {
        let all = self.unjudged.iter().filter(|(reason, _)| *reason != QUESTIONS);
        let all =
            all.map(|(reason, count)| Unjudged { reason: reason.clone(), statements: *count });
        let mut all: Vec<Unjudged> = all.collect();
        all.sort_by_key(|some| Reverse(some.statements));
        all
    }

    /// How many statements were not judged by now.
    pub(crate) fn unjudged_statements(&self) -> u64 {
        self.unjudged.values().sum::<u64>() - self.questions()
    }

    /// Why statements were not judged, and how many.
    pub(crate) fn unjudged_counts(&self) -> &BTreeMap<String, u64> {
        &self.unjudged
    }

    /// Goes back to these numbers.
    pub(crate) fn set_unjudged_counts(&mut self, counts: BTreeMap<String, u64>) {
        self.unjudged = counts;
    }

    /// What the log does not show and had to be guessed, if there was something.
    pub(crate) fn guessed(&self) -> Option<Guess> {
        self.guessed.borrow().clone()
    }

    /// Tables with values that only the server knows, and what these are.
    pub(crate) fn guesses(&self) -> BTreeMap<String, String> {
        self.guesses.borrow().clone()
    }

    /// These guesses were made earlier.
    pub(super) fn note_guesses(&mut self, all: BTreeMap<String, String>, last: Option<Guess>) {
        self.guesses.get_mut().extend(all);
        if last.is_some() {
            *self.guessed.get_mut() = last;
        }
    }

    /// Queries, by their texts, that show values that only the server knows.
    pub(crate) fn guessing(&self) -> BTreeSet<String> {
        self.guessing.borrow().clone()
    }

    /// A statement stored or showed a value that only the server knows.
    fn note_guess(&self, statement: &Statement, guess: &Guess) {
        let Guess::Value(what) = guess else { return };
        if statement.plan.prepared.is_query() {
            self.guessing.borrow_mut().insert(statement.plan.sql.to_string());
        }
        self.note_guessed_columns(statement);
        let mut guesses = self.guesses.borrow_mut();
        for table in statement.reach.written().filter_map(|table| self.catalog.by_id(table)) {
            let name = table.short_name().to_lowercase();
            guesses
                .entry(name)
                .or_insert_with(|| format!("it contains {what}, which the log does not show"));
        }
    }

    /// Whether the collation of the database is stated.
    pub(crate) fn is_collated(&self) -> bool {
        self.collation.is_some()
    }

    /// The name of the collation that is stated, if nothing is known about it.
    pub(crate) fn unknown_collation(&self) -> Option<&str> {
        let dialect = self.catalog.dialect();
        let unknown = |name: &&str| dialect.collation_named(name) == Collation::Unknown;
        self.collation.as_deref().filter(unknown)
    }

    /// Whether texts are compared without regard to case because nothing else is said.
    pub(crate) fn assumes_case_is_ignored(&self) -> bool {
        let unstated = |column: &Column| matches!(column.ty(), Type::Text { collation: None, .. });
        self.collation.is_none()
            && self.catalog.dialect() != Dialect::PostgreSql
            && self.catalog.tables().any(|table| table.columns().iter().any(unstated))
    }

    /// Whether a statement that locks rows sees each of them as it is when its turn comes.
    pub(crate) fn locks_row_by_row(&self) -> bool {
        self.catalog.dialect() != Dialect::PostgreSql
    }

    /// Whether a transaction that is rolled back takes its settings with it.
    pub(crate) fn undoes_settings(&self) -> bool {
        self.catalog.dialect() == Dialect::PostgreSql
    }

    /// Executes statements that create and fill tables. Tables that need an unsupported feature are excluded
    /// from the audit.
    pub(crate) fn start(&mut self, text: &str) -> Result<(), String> {
        let mut in_zone = false;
        for portion in portions(text) {
            match portion {
                Portion::Statements(text) => {
                    let dialect = self.catalog.dialect().text();
                    let parts = split(text, dialect);
                    let parts = if dialect.is_mysql() { referred_first(parts) } else { parts };
                    for part in parts {
                        in_zone |= dialect.is_mysql() && sets_time_zone(&part);
                        if dialect.is_mysql() && prepares(&part) {
                            continue;
                        }
                        let text = without_options(&part);
                        let done = match in_zone && has_moments(&part) && !self.catalog.is_in_utc()
                        {
                            true => Err(StartError::Unsupported(RefusedError::because(
                                ZONES.to_owned(),
                            ))),
                            false => self.start.run(text, &[Vec::new()]),
                        };
                        self.started(text, done)?;
                    }
                }
                Portion::Data { target, lines } => {
                    let (insert, done) = self.start.copy(target, lines);
                    self.started(&insert, done)?;
                }
            }
        }
        self.catalog = Rc::new(self.start.catalog().clone());
        Ok(())
    }

    /// A statement of the start was carried out, or not.
    fn started(&mut self, text: &str, done: Result<(), StartError>) -> Result<(), String> {
        let refused = match (done, self.unfollowed_name(text)) {
            (Ok(()), None) => None,
            (Ok(()), _) if defines(text, self.catalog.dialect()) => None,
            // A table that is filled from an excluded table is excluded as well.
            (Ok(()) | Err(StartError::Wrong(_)), Some(because)) => {
                Some(RefusedError::because(because))
            }
            (Err(StartError::Unsupported(refused)), _) => Some(refused),
            (Err(StartError::Wrong(problem)), None) => return Err(problem),
        };
        let Some(refused) = refused.filter(|_| !is_dumped_setting(text)) else { return Ok(()) };
        self.catalog = Rc::new(self.start.catalog().clone());
        if self.redefines_view(text) {
            return Err(refused.error.to_string());
        }
        let effects = self.effects(text);
        self.note_others(text);
        match effects {
            Effects::Nothing => {}
            Effects::Anything => return Err(refused.error.to_string()),
            Effects::Tables(names) => {
                for name in names {
                    self.unfollowed.entry(name).or_insert_with(|| refused.feature.clone());
                }
            }
        }
        Ok(())
    }

    /// Rows of the start, given as values.
    pub(crate) fn load(
        &mut self,
        table: &str,
        columns: &[String],
        values: &[Vec<Json>],
    ) -> Result<(), String> {
        let name = unquoted(table.rsplit('.').next().unwrap_or(table)).to_lowercase();
        let unfollowed = self.unfollowed.contains_key(&name);
        match self.start.load(table, columns, values) {
            Err(_) if unfollowed => Ok(()),
            done => done,
        }
    }

    /// The first transaction comes: everything that is there by now.
    pub(crate) fn begin(&mut self) -> Result<Vec<(Key, Row)>, String> {
        let start = std::mem::replace(&mut self.start, Start::new(self.catalog.dialect()));
        self.set_server(Server::new(start.numbers().clone()));
        let mut rows = start.into_rows()?;
        self.blur_rows(&mut rows);
        Ok(rows)
    }

    /// Carries out the next statement of a transaction, and compares what it gives with what was
    /// observed.
    pub(crate) fn run(
        &self,
        statement: &Statement,
        rows: &mut dyn Rows,
        script: &mut Script,
        path: &Path,
    ) -> Result<Ran, UnsupportedError> {
        let mut session = path.session.clone();
        let unasked = match &statement.expected {
            Expected::Refused => Some(true),
            Expected::Shows(shows) => Some(shows.are_among(&shown_of(shows, rows))),
            Expected::Noted(probe) => {
                probe.look(rows);
                Some(false)
            }
            _ => None,
        };
        if let Some(explains) = unasked {
            return Ok(Ran { explains, changes: Vec::new(), inserted: 0, session });
        }
        let outcome = self.execute(statement, rows, script, path.fresh, &mut session)?;
        let explains = statement.expected.is_explained(&outcome, self.catalog.dialect());
        let mut changes = changes(outcome.effects, rows, path.fresh);
        let inserted = changes.iter().filter(|change| change.old.is_none()).count() as u64;
        for change in &changes {
            let catalog = &statement.plan.catalog;
            change.new.iter().for_each(|row| self.doubt_texts(catalog, change.key.0, row));
        }
        if let Some(focus) = &statement.only {
            changes.retain(|change| {
                let row = change.old.as_ref().or(change.new.as_ref());
                row.is_some_and(|row| focus.has(change.key, row))
            });
        }
        Ok(Ran { explains, changes, inserted, session })
    }

    /// What the database would have answered to the next statement of a transaction.
    pub(crate) fn answer(
        &self,
        statement: &Statement,
        rows: &mut dyn Rows,
        path: &Path,
    ) -> Result<StatementOutcome, UnsupportedError> {
        let (mut script, mut session) = (Script::default(), path.session.clone());
        self.execute(statement, rows, &mut script, path.fresh, &mut session)
    }

    /// A row is there from the start.
    pub(crate) fn loaded(&self, (table, _): Key, row: &Row) {
        self.doubt_texts(&self.catalog, table, row);
    }

    /// No further statement will be prepared.
    pub(crate) fn forget_plans(&mut self) {
        self.plans.clear();
    }

    /// A row with a text of which it is not certain what equals it can be missed by any lookup.
    fn doubt_texts(&self, catalog: &Catalog, table: TableId, row: &Row) {
        let Some(table) = catalog.by_id(table) else { return };
        for (column, value) in table.columns().iter().zip(row.iter()) {
            if let Value::Text(text) = value
                && !catalog.collation_of(column).is_certain_of(text)
            {
                *self.guessed.borrow_mut() = Some(Guess::comparison(text, text));
            }
        }
    }

    fn execute(
        &self,
        statement: &Statement,
        rows: &mut dyn Rows,
        script: &mut Script,
        fresh: u64,
        session: &mut Session,
    ) -> Result<StatementOutcome, UnsupportedError> {
        let observed = match &statement.expected {
            Expected::Rows(rows) => rows.as_slice(),
            _ => &[],
        };
        let prepared = &statement.plan.prepared;
        let serial = fresh >> NEW_ROWS;
        let mut choices = Scripted::new(script, statement, observed, &self.server, serial);
        let context = Context {
            catalog: &statement.plan.catalog,
            rows,
            choices: &mut choices,
            session,
            params: &statement.params,
        };
        let outcome = prepared.execute(context);
        choices.finish();
        if let Some(guessed) = choices.guessed {
            self.note_guess(statement, &guessed);
            *self.guessed.borrow_mut() = Some(guessed);
        }
        if let Ok(StatementOutcome { answer: Ok(Answer { rows: Some(rows), .. }), .. }) = &outcome
            && counts_all(&statement.plan.sql)
        {
            let (session, at) = (statement.around.session, (serial, statement.call, 0));
            self.server.borrow_mut().found(
                session,
                at,
                i64::try_from(rows.rows.len()).unwrap_or(0),
            );
        }
        outcome.map_err(|error| {
            let refused = RefusedError::from(error);
            let text = statement.plan.sql.to_string();
            self.refused.borrow_mut().insert(text, refused.feature);
            refused.error
        })
    }

    /// Statements, by their texts, that could not be carried out although there was a plan, and why.
    pub(crate) fn refused(&self) -> BTreeMap<String, String> {
        self.refused.borrow().clone()
    }
}

/// The rows that a query may have shown.
pub(crate) fn shown_of(shows: &Shows, rows: &mut dyn Rows) -> Vec<Row> {
    shows.focus.rows_in(rows).into_iter().map(|(_, row)| row).collect()
}

/// Why a table of a dump that has a TIMESTAMP is excluded from the audit.
const ZONES: &str =
    "TIMESTAMP in a dump, where it may be in another time zone than in the log, is not supported";

/// `pg_dump` writes all names with their schemas, so that it does not matter where others are looked up.
fn is_dumped_setting(text: &str) -> bool {
    text.trim() == "SELECT pg_catalog.set_config('search_path', '', false)"
}

/// What a statement did to rows, with the numbers that new rows have for good.
fn changes(effects: Vec<Effect>, rows: &mut dyn Rows, fresh: u64) -> Vec<Change> {
    let real = |id: RowId| id.as_new().map_or(id, |number| RowId(fresh + number));
    let mut changes = Vec::with_capacity(effects.len());
    for effect in effects {
        match effect {
            Effect::Insert { table, id, row } => {
                changes.push(Change { key: (table, real(id)), old: None, new: Some(row) });
            }
            Effect::Update { table, id, old, new } => {
                changes.push(Change { key: (table, real(id)), old: Some(old), new: Some(new) });
            }
            Effect::Delete { table, id, old } => {
                changes.push(Change { key: (table, real(id)), old: Some(old), new: None });
            }
            Effect::Truncate { table } => {
                let mut gone = Vec::new();
                rows.scan(table, &mut gone);
                let gone = gone.into_iter();
                changes.extend(gone.map(|(id, old)| Change {
                    key: (table, id),
                    old: Some(old),
                    new: None,
                }));
            }
        }
    }
    changes
}
