//! One client: takes a plan, carries it out, and writes down what it was told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tristan_generate::{Rng, Step};
use tristan_history::Datum;

use super::hints::Tagged;
use super::patience::patiently;
use super::plans::Plans;
use super::{Run, Tally};
use crate::connection::{Committed, Range};
use crate::{Connection, DatabaseError};
use tristan_recorder::{Answer, Recorder, Request, SessionLog};

/// How often a transaction is tried.
const ATTEMPTS: usize = 5;
/// How long a session waits, at most, before it tries a transaction again; twice as long each time.
const SHORTLY: Duration = Duration::from_micros(500);

/// How a transaction ended.
enum Ended {
    Committed,
    /// It did not commit.
    Refused,
    /// It did not commit, and the connection is gone.
    Cut,
    /// It may have committed.
    Lost,
}

pub(super) struct Session<'a> {
    run: &'a Run<'a>,
    plans: &'a Plans,
    tally: &'a Tally,
    stop: &'a AtomicBool,
    log: SessionLog,
    rng: Rng,
    connection: Option<Box<dyn Connection>>,
    /// Keys that the current transaction wrote.
    written: Vec<i64>,
    tagged: Vec<Tagged>,
    recorder: &'a Recorder,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        run: &'a Run<'a>,
        number: usize,
        recorder: &'a Recorder,
        plans: &'a Plans,
        tally: &'a Tally,
        stop: &'a AtomicBool,
    ) -> Self {
        let seed = run.workload.seed.wrapping_mul(1_000_003).wrapping_add(number as u64 + 1);
        Self {
            run,
            plans,
            tally,
            stop,
            log: recorder.session(number as i64 + 1),
            rng: Rng::new(seed),
            connection: None,
            written: Vec::new(),
            tagged: Vec::new(),
            recorder,
        }
    }

    /// Carries out plans until there are none left.
    pub(super) fn run(mut self) -> Result<Vec<Tagged>, DatabaseError> {
        let mut steps = Vec::new();
        while !self.is_over() && self.plans.next(&mut steps) {
            self.carry_out(&steps)?;
        }
        Ok(self.tagged)
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.recorder.is_broken()
            || self.run.until.is_some_and(|until| Instant::now() >= until)
    }

    fn carry_out(&mut self, steps: &[Step]) -> Result<(), DatabaseError> {
        for attempt in 0..ATTEMPTS {
            let mut connection = match self.connection.take() {
                Some(connection) => connection,
                None => match self.connect()? {
                    Some(connection) => connection,
                    None => return Ok(()),
                },
            };
            self.written.clear();
            let ended = self.attempt(connection.as_mut(), steps)?;
            match ended {
                Ended::Committed => {
                    self.tally.committed();
                    self.connection = Some(connection);
                    return Ok(());
                }
                Ended::Refused => {
                    self.tally.refused();
                    self.connection = Some(connection);
                    // Two that got into each other's way should not do so again.
                    let longest = SHORTLY.as_micros() as u64 * (1 << attempt);
                    thread::sleep(Duration::from_micros(self.rng.below(longest)));
                }
                Ended::Cut => self.tally.refused(),
                Ended::Lost => self.tally.unknown(),
            }
            if self.is_over() {
                return Ok(());
            }
        }
        self.tally.given_up();
        self.plans.replace();
        Ok(())
    }

    /// A connection; `None` if the run is over before there is one.
    fn connect(&self) -> Result<Option<Box<dyn Connection>>, DatabaseError> {
        let goes_on = || self.run.patient && !self.is_over();
        match patiently(goes_on, || self.run.database.connect(self.run.level)) {
            Err(DatabaseError::Lost(_) | DatabaseError::Refused(_))
                if self.run.patient && self.is_over() =>
            {
                Ok(None)
            }
            connected => connected.map(Some),
        }
    }

    /// One transaction.
    fn attempt(
        &mut self,
        connection: &mut dyn Connection,
        steps: &[Step],
    ) -> Result<Ended, DatabaseError> {
        let begun = self.ask(&Request::Begin(None), || connection.begin().map(|()| Answer::Done));
        if let Err(failure) = begun {
            return self.give_up(connection, failure);
        }
        for &step in steps {
            if !self.run.think.is_zero() {
                thread::sleep(self.run.think);
            }
            self.tally.operation();
            if let Err(failure) = self.perform(connection, step) {
                return self.give_up(connection, failure);
            }
        }
        self.commit(connection)
    }

    fn perform(
        &mut self,
        connection: &mut dyn Connection,
        step: Step,
    ) -> Result<(), DatabaseError> {
        match step {
            Step::Read(key) => self.get(connection, key).map(drop),
            Step::Write(key) => {
                let value = self.plans.value(&mut self.rng);
                self.put(connection, key, value)
            }
            Step::Add(key, amount) => {
                let held = self.get(connection, key)?.unwrap_or(0);
                self.put(connection, key, held + amount)
            }
            Step::Delete(key) => self.delete(connection, key),
            Step::ScanEverything => self.scan(connection, Range::default()),
            Step::Scan(lo, hi) => self.scan(connection, Range { lo: Some(lo), hi: Some(hi) }),
            Step::Iterate(lo, hi, most) => self.iterate(connection, lo, hi, most),
            Step::Append(key) => self.append(connection, key),
            Step::ReadList(key) => self.list(connection, key),
        }
    }

    fn get(
        &mut self,
        connection: &mut dyn Connection,
        key: i64,
    ) -> Result<Option<i64>, DatabaseError> {
        let request = Request::Get { key: key.into(), lock: false };
        let mut seen = None;
        self.ask(&request, || {
            seen = connection.get(key, false)?;
            Ok(Answer::Value(seen.map(Datum::from)))
        })?;
        Ok(seen)
    }

    fn put(
        &mut self,
        connection: &mut dyn Connection,
        key: i64,
        value: i64,
    ) -> Result<(), DatabaseError> {
        self.written.push(key);
        let request = Request::Put { key: key.into(), value: value.into() };
        self.ask(&request, || connection.put(key, value).map(|()| Answer::Done))
    }

    fn delete(&mut self, connection: &mut dyn Connection, key: i64) -> Result<(), DatabaseError> {
        self.written.push(key);
        let request = Request::Delete { key: key.into() };
        self.ask(&request, || {
            connection.delete(key).map(|rows| rows.map_or(Answer::Done, Answer::Rows))
        })
    }

    fn scan(&mut self, connection: &mut dyn Connection, range: Range) -> Result<(), DatabaseError> {
        let (lo, hi) = (range.lo.map(Datum::from), range.hi.map(Datum::from));
        self.ask(&Request::Scan { lo, hi, lock: false }, || {
            connection.scan(range).map(|items| Answer::Items(shown(items)))
        })
    }

    fn iterate(
        &mut self,
        connection: &mut dyn Connection,
        lo: i64,
        hi: i64,
        most: usize,
    ) -> Result<(), DatabaseError> {
        let range = Range { lo: Some(lo), hi: Some(hi) };
        self.ask(&Request::Iterate { lo: Some(lo.into()), hi: Some(hi.into()) }, || {
            let iterated = connection.iterate(range, most)?;
            Ok(Answer::Iterated(shown(iterated.items), iterated.end))
        })
    }

    fn append(&mut self, connection: &mut dyn Connection, key: i64) -> Result<(), DatabaseError> {
        let element = self.plans.value(&mut self.rng);
        let request = Request::Append { key: key.into(), element: element.into() };
        self.ask(&request, || connection.append(key, element).map(|()| Answer::Done))
    }

    fn list(&mut self, connection: &mut dyn Connection, key: i64) -> Result<(), DatabaseError> {
        self.ask(&Request::List { key: key.into() }, || {
            let elements = connection.list(key)?;
            Ok(Answer::Elements(elements.into_iter().map(Datum::from).collect()))
        })
    }

    fn commit(&mut self, connection: &mut dyn Connection) -> Result<Ended, DatabaseError> {
        let txn = self.log.txn();
        let call = self.log.call(&Request::Commit);
        match connection.commit() {
            Ok(Committed { stamp, tag }) => {
                self.log.answer(call, &stamp.map_or(Answer::Done, Answer::Stamped));
                self.remember(txn, tag);
                Ok(Ended::Committed)
            }
            Err(failure @ DatabaseError::Unsupported(_)) => Err(failure),
            Err(failure) => {
                let refused = matches!(failure, DatabaseError::Refused(_));
                self.log.answer(call, &Answer::of_failed_commit(failure));
                Ok(if refused { Ended::Refused } else { Ended::Lost })
            }
        }
    }

    fn remember(&mut self, txn: Option<u64>, tag: Option<String>) {
        if let (true, Some(txn), Some(tag)) = (self.run.hints, txn, tag) {
            self.written.sort_unstable();
            self.written.dedup();
            self.tagged.push(Tagged { tag, txn, keys: std::mem::take(&mut self.written) });
        }
    }

    /// Asks the database something and writes down both the question and the answer; of a
    /// question whose answer got lost, only the question.
    fn ask(
        &mut self,
        request: &Request,
        run: impl FnOnce() -> Result<Answer, DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let call = self.log.call(request);
        match run() {
            Ok(answer) => {
                self.log.answer(call, &answer);
                Ok(())
            }
            Err(failure) => {
                if let DatabaseError::Refused(text) | DatabaseError::Failed(text) = &failure {
                    self.log.answer(call, &Answer::Failed(text.clone()));
                }
                Err(failure)
            }
        }
    }

    /// Ends a transaction in which something went wrong before its commit was sent: whatever
    /// became of the connection, it did not commit.
    fn give_up(
        &mut self,
        connection: &mut dyn Connection,
        failure: DatabaseError,
    ) -> Result<Ended, DatabaseError> {
        match failure {
            DatabaseError::Unsupported(_) => Err(failure),
            DatabaseError::Refused(_) => {
                self.log.ended();
                Ok(Ended::Refused)
            }
            DatabaseError::Lost(_) => {
                self.log.ended();
                Ok(Ended::Cut)
            }
            DatabaseError::Failed(_) => {
                let call = self.log.call(&Request::Abort);
                let ended = connection.abort();
                self.log.answer(call, &Answer::Done);
                Ok(ended.map_or(Ended::Cut, |()| Ended::Refused))
            }
        }
    }
}

fn shown(items: Vec<(i64, i64)>) -> Vec<(Datum, Datum)> {
    items.into_iter().map(|(key, value)| (key.into(), value.into())).collect()
}
