//! One client: draws a plan, carries it out, and writes down what it was told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::left::Left;
use super::log::Journal;
use super::txn::Texts;
use super::{Application, ApplicationRun, Dice, Plan, SqlLog, Txn, TxnError};
use crate::DatabaseError;
use crate::connection::Committed;
use crate::run::{Tally, patiently};
use crate::statements::Statements;

/// How often a transaction is tried.
const ATTEMPTS: usize = 5;
/// How long a client waits, at most, before it tries a transaction again; twice as long each time.
const SHORTLY: Duration = Duration::from_micros(500);

/// How a transaction ended.
enum Ended {
    Committed,
    /// The application did not want it.
    RolledBack,
    /// It did not commit.
    Refused,
    /// It did not commit, and the connection is gone.
    Cut,
    /// It may have committed.
    Lost,
}

/// A transaction that has committed and wrote something.
pub(super) struct Tagged {
    /// The database's name for it.
    pub(super) tag: String,
    /// The log's name for it.
    pub(super) txn: u64,
}

pub(super) struct Client<'a> {
    pub(super) run: &'a ApplicationRun<'a>,
    pub(super) application: &'a dyn Application,
    pub(super) log: Arc<SqlLog>,
    pub(super) tally: &'a Tally,
    pub(super) left: &'a Left,
    pub(super) stop: &'a AtomicBool,
    pub(super) dice: Dice,
    pub(super) texts: Texts,
    pub(super) tagged: Vec<Tagged>,
}

/// A connection, and where it is written down.
struct Link {
    connection: Box<dyn Statements>,
    journal: Journal,
}

impl Client<'_> {
    /// Carries out plans until enough transactions have committed.
    pub(super) fn work(mut self) -> Result<Vec<Tagged>, DatabaseError> {
        let mut link = None;
        while !self.is_over() && self.left.take() {
            let plan = self.application.plan(&mut self.dice);
            if !self.carry_out(&plan, &mut link)? {
                self.left.give_back();
            }
        }
        if let Some(Link { mut journal, .. }) = link {
            journal.close("client");
        }
        Ok(self.tagged)
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.log.is_broken()
            || self.run.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Tries a plan until it commits; says whether it did.
    fn carry_out(&mut self, plan: &Plan, kept: &mut Option<Link>) -> Result<bool, DatabaseError> {
        for attempt in 0..ATTEMPTS {
            let mut link = match kept.take() {
                Some(link) => link,
                None => match self.connect()? {
                    Some(link) => link,
                    None => return Ok(false),
                },
            };
            let ended = self.attempt(&mut link, plan)?;
            match ended {
                Ended::Committed => self.tally.committed(),
                Ended::RolledBack => {}
                Ended::Refused | Ended::Cut => self.tally.refused(),
                Ended::Lost => self.tally.unknown(),
            }
            match ended {
                Ended::Cut | Ended::Lost => link.journal.close("server"),
                Ended::Committed | Ended::RolledBack | Ended::Refused => *kept = Some(link),
            }
            match ended {
                Ended::Committed => return Ok(true),
                Ended::RolledBack => return Ok(false),
                // Two that got into each other's way should not do so again.
                Ended::Refused => self.rest(attempt),
                Ended::Cut | Ended::Lost => {}
            }
            if self.is_over() {
                return Ok(false);
            }
        }
        self.tally.given_up();
        Ok(false)
    }

    fn rest(&mut self, attempt: usize) {
        let longest = SHORTLY.as_micros() as u64 * (1 << attempt);
        thread::sleep(Duration::from_micros(self.dice.rng().below(longest)));
    }

    /// A connection; `None` if the run is over before there is one.
    fn connect(&self) -> Result<Option<Link>, DatabaseError> {
        let ApplicationRun { database, level, patient, .. } = *self.run;
        let goes_on = || patient && !self.is_over();
        match patiently(goes_on, || database.converse(level)) {
            Err(DatabaseError::Lost(_) | DatabaseError::Refused(_))
                if patient && self.is_over() =>
            {
                Ok(None)
            }
            Err(failure) => Err(failure),
            Ok(connection) => {
                Ok(Some(Link { connection, journal: Journal::open(Arc::clone(&self.log)) }))
            }
        }
    }

    /// One transaction.
    fn attempt(&mut self, link: &mut Link, plan: &Plan) -> Result<Ended, DatabaseError> {
        let Link { connection, journal } = link;
        let call = journal.begin(connection.opening());
        let begun = connection.begin();
        journal.done(call, &begun);
        let stopped = begun.map_err(TxnError::Database).and_then(|()| {
            plan(&mut Txn {
                connection: connection.as_mut(),
                journal,
                dialect: self.run.dialect,
                texts: &mut self.texts,
                think: self.run.think,
                tally: self.tally,
            })
        });
        match stopped {
            Ok(()) => self.commit(link),
            Err(stop) => give_up(link, stop),
        }
    }

    fn commit(&mut self, link: &mut Link) -> Result<Ended, DatabaseError> {
        let Link { connection, journal } = link;
        let call = journal.commit();
        let answer = connection.commit();
        journal.done(call, &answer);
        match answer {
            Ok(Committed { stamp, tag }) => {
                let txn = journal.finish("committed", stamp);
                if let Some(tag) = tag.filter(|_| self.run.hints) {
                    self.tagged.push(Tagged { tag, txn });
                }
                Ok(Ended::Committed)
            }
            Err(failure @ DatabaseError::Unsupported(_)) => Err(failure),
            Err(DatabaseError::Refused(_)) => {
                journal.finish("aborted", None);
                Ok(Ended::Refused)
            }
            Err(DatabaseError::Failed(_) | DatabaseError::Lost(_)) => {
                journal.finish("unknown", None);
                Ok(Ended::Lost)
            }
        }
    }
}

/// Ends a transaction before its commit was sent: whatever became of the connection, it did not commit.
fn give_up(link: &mut Link, stop: TxnError) -> Result<Ended, DatabaseError> {
    let Link { connection, journal } = link;
    let ended = match stop {
        TxnError::Database(failure @ DatabaseError::Unsupported(_)) => return Err(failure),
        TxnError::Database(DatabaseError::Refused(_)) => Ended::Refused,
        TxnError::Database(DatabaseError::Lost(_)) => Ended::Cut,
        TxnError::Database(DatabaseError::Failed(_)) | TxnError::RollBack => {
            let call = journal.call("ROLLBACK", &[]);
            let answer = connection.rollback();
            journal.done(call, &answer);
            match (answer, stop) {
                (Err(_), _) => Ended::Cut,
                (Ok(()), TxnError::RollBack) => Ended::RolledBack,
                (Ok(()), TxnError::Database(_)) => Ended::Refused,
            }
        }
    };
    journal.finish("aborted", None);
    Ok(ended)
}
