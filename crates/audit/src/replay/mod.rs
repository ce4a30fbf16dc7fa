//! Carries out a witness again, statement by statement, on plain tables.
//!
//! ```text
//!   witness: T4 T2 T9 …  ──►  the tables after each of them  ──►  every statement, in the state it is
//!                                                                 said to have read: as observed?
//! ```
//!
//! Nothing of the search is used here, nor its store of versions: one set of tables is kept, with a
//! list of what each commit replaced, and an older state is the tables with the replaced rows put
//! back. Besides the answers, the rules of the level are checked from the times of the log alone.

mod orders;
mod rules;
mod tables;

use std::collections::BTreeMap;

use tristan_ground::Budget;

use crate::error::Error;
use crate::level::AuditLevel;
use crate::load::{Loaded, Loader, Source};
use crate::options::{AuditOptions, ConflictRule};
use crate::sql::{Server, Sql};
use crate::statement::{Path, Ran, Script, Statement, Step, Task};
use crate::world::{At, Position, Record, Write};
pub(crate) use orders::{Orders, orders};
use rules::{Times, WitnessError};
use tables::PlainView;
pub(crate) use tables::Tables;

/// In how many states the keys are looked up that a statement found.
const MOST_KEYS: usize = 256;

/// Checks that a witness explains a log, and gives the tables that it leaves behind.
///
/// When a limit is reached, that is what is wrong: the witness was not checked to its end.
///
/// # Errors
/// If the log cannot be read.
pub(crate) fn replay(
    source: Source<'_>,
    options: &AuditOptions,
    (records, server): (&[Record], Server),
    budget: &Budget,
) -> Result<Result<Tables, WitnessError>, Error> {
    let mut replay = Replay::open(source, options, Times::new(records))?;
    replay.server = Some(server);
    for position in 0..replay.times.writers() {
        if let Err(stop) = budget.check() {
            return Ok(Err(stop.to_string()));
        }
        let serial = replay.times.writer_at(position);
        if let Err(wrong) = replay.commit(serial, position)? {
            return Ok(Err(wrong));
        }
    }
    replay.finish()
}

/// The tables, and the transactions that wait for their turn.
struct Replay<'a> {
    loader: Loader,
    sql: Sql,
    options: &'a AuditOptions,
    times: Times<'a>,
    tables: Tables,
    waiting: BTreeMap<u32, Task>,
    /// What the server is assumed to have chosen, until the first transaction comes.
    server: Option<Server>,
}

impl<'a> Replay<'a> {
    fn open(
        source: Source<'_>,
        options: &'a AuditOptions,
        times: Times<'a>,
    ) -> Result<Self, Error> {
        let (loader, sql) = Loader::open(source, options)?;
        let (tables, waiting) = (Tables::default(), BTreeMap::new());
        Ok(Self { loader, sql, options, times, tables, waiting, server: None })
    }

    /// The transaction that takes effect next, and before it everything that comes in the log.
    fn commit(
        &mut self,
        serial: u32,
        position: Position,
    ) -> Result<Result<(), WitnessError>, Error> {
        while !self.waiting.contains_key(&serial) {
            match self.load()? {
                Ok(true) => {}
                Ok(false) => return Ok(Err(format!("transaction {serial} is not in the log"))),
                Err(error) => return Ok(Err(error)),
            }
        }
        let Some(task) = self.waiting.remove(&serial) else { return Ok(Ok(())) };
        if let Err(error) = self.run(&task, Some(position)) {
            return Ok(Err(error));
        }
        Ok(self.readers())
    }

    /// Runs those that only read, as soon as all states they read are there.
    fn readers(&mut self) -> Result<(), WitnessError> {
        let now = self.tables.position();
        let ready: Vec<u32> = self
            .waiting
            .keys()
            .copied()
            .filter(|&serial| self.times.is_reader(serial))
            .filter(|&serial| self.times.needs(serial).is_some_and(|needed| needed <= now))
            .collect();
        for serial in ready {
            if let Some(task) = self.waiting.remove(&serial) {
                self.run(&task, None)?;
            }
        }
        Ok(())
    }

    /// Reads one more item; says whether there was one.
    fn load(&mut self) -> Result<Result<bool, WitnessError>, Error> {
        Ok(Ok(match self.loader.next(&mut self.sql)? {
            None => false,
            Some(Loaded::Row(key, row)) => {
                self.tables.load(key, row);
                true
            }
            Some(Loaded::Task(task)) => {
                if let Some(server) = self.server.take() {
                    self.sql.set_server(server);
                }
                self.times.note(&task, self.options);
                self.waiting.insert(task.serial, *task);
                true
            }
            Some(Loaded::Unsupported { reason, .. }) => return Ok(Err(reason.to_string())),
        }))
    }

    fn finish(mut self) -> Result<Result<Tables, WitnessError>, Error> {
        loop {
            match self.load()? {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Ok(Err(error)),
            }
        }
        if let Err(error) = self.readers() {
            return Ok(Err(error));
        }
        let missing = self.waiting.values().find(|task| task.must_be_explained());
        Ok(match missing {
            Some(task) => Err(format!("transaction {} is not explained", task.txn.number)),
            None => self.times.check(self.options).map(|()| self.tables),
        })
    }

    /// Carries a transaction out as its record says.
    fn run(&mut self, task: &Task, commits_at: Option<Position>) -> Result<(), WitnessError> {
        let number = task.txn.number;
        let Some(record) = self.times.record(task.serial) else {
            return Err(format!("transaction {number} has no record"));
        };
        let mut path = Path::new(task.serial);
        let mut place = 0;
        for (index, step) in task.steps.iter().enumerate() {
            match step {
                Step::Savepoint(name) => path.save(name),
                Step::RollbackTo(name) => path.roll_back(name),
                Step::Run(statement) => {
                    let Some((at, answers)) = record.step(place) else {
                        return Err(format!("the record of transaction {number} is incomplete"));
                    };
                    place += 1;
                    let mut script = Script { answers: answers.to_vec(), asked: Vec::new() };
                    let end = commits_at.unwrap_or(record.position());
                    let ran =
                        self.carry_out(task, index, statement, (&at, end), &mut script, &path);
                    let Some(ran) = ran? else {
                        return Err(format!("statement {} of transaction {number}", index + 1));
                    };
                    path.add(ran, &at, &script, 0);
                }
            }
        }
        let writes = if task.only_reads { Vec::new() } else { path.own.into_writes() };
        match commits_at {
            None if writes.is_empty() => Ok(()),
            None => Err(format!("transaction {number} writes, but has no position in the order")),
            Some(position) => {
                self.no_conflict(record, &writes, position, number)?;
                self.tables.commit(&writes);
                Ok(())
            }
        }
    }

    /// Carries out a statement. Returns `None` if it gives something else than was observed. Keys have to be free when
    /// the transaction ends; but if nothing of the statement is locked by then, some state from the one that it
    /// reads to that one has the keys that it found.
    fn carry_out(
        &self,
        task: &Task,
        index: usize,
        statement: &Statement,
        (at, end): (&At, Position),
        script: &mut Script,
        path: &Path,
    ) -> Result<Option<Ran>, WitnessError> {
        let alone = !self.options.level.is_serial() && task.is_of_its_moment(index);
        let first = if alone { at.newest().min(end) } else { end };
        let answers = script.answers.clone();
        for newest in (first..=end).take(MOST_KEYS) {
            *script = Script { answers: answers.clone(), asked: Vec::new() };
            let shown = self.sql.shown(&path.own, statement, self.options.level);
            let mut view = PlainView::new(&self.tables, at, newest, (&shown.own, &shown.hidden));
            let ran = self.sql.run(statement, &mut view, script, path);
            let ran = ran.map_err(|reason| reason.to_string())?;
            if ran.explains {
                return Ok(Some(ran));
            }
        }
        Ok(None)
    }

    /// Checks that no other transaction wrote a row between its reading and its writing, if the level demands
    /// it.
    fn no_conflict(
        &self,
        record: &Record,
        writes: &[Write],
        position: Position,
        number: u64,
    ) -> Result<(), WitnessError> {
        let level = self.options.level;
        if !matches!(level, AuditLevel::Snapshot | AuditLevel::StrongSnapshot) {
            return Ok(());
        }
        let Some((At::State(snapshot), _)) = record.step(0) else { return Ok(()) };
        for write in writes {
            let conflict = match self.options.conflict {
                ConflictRule::Write => self.tables.is_written(write.key, snapshot, position),
                ConflictRule::Value => {
                    write.row != write.before
                        && self.tables.row(write.key, position) != write.before
                }
            };
            if conflict {
                return Err(format!("transaction {number} overwrites what it did not see"));
            }
        }
        Ok(())
    }
}
