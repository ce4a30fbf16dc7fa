//! A trace of keys and values on the side, for tables that somebody declared.
//!
//! ```text
//!   statement ──► pattern ──► Plan (calls in the trace)
//!   answer ─────────────────► returns in the trace
//! ```
//!
//! A statement on a declared table that is no operation on single keys cannot be told. A read that is
//! missing makes a check see less. A write that is missing could make it reject a good database, because
//! somebody reads what nobody seems to have written: so the trace ends before such a write is passed
//! on, for all connections. Writes before the first operation do no harm: how the table starts is not
//! known anyway.

mod act;
mod answer;
mod change;
mod clauses;
mod pattern;
mod table;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tristan_history::{Datum, notes};
use tristan_record::recorder::{Answer, CallId, Header, Recorder, Request, SessionLog};

use crate::counts::Counts;
use crate::session::{Called, Ending, Outcome, Said, Statement};
use crate::sql::{Control, Words};
use act::Action;
use pattern::{Pattern, named_table, recognise};

pub use table::{Table, TableError};

/// So much of a statement is shown in a note.
const SHOWN: usize = 200;

/// The trace that all connections write.
#[derive(Debug)]
pub(crate) struct Trace {
    recorder: Recorder,
    tables: Vec<Table>,
    counts: Arc<Counts>,
    /// Whether an operation is in it.
    is_started: AtomicBool,
    /// Whether it has ended, because something cannot be told.
    is_over: AtomicBool,
}

impl Trace {
    /// Starts a trace.
    pub(crate) fn create(
        path: &Path,
        database: &str,
        level: Option<&str>,
        tables: Vec<Table>,
        counts: Arc<Counts>,
    ) -> io::Result<Self> {
        let header = Header { database, level, initial_unknown: true, ..Header::default() };
        let recorder = Recorder::create(path, &header)?;
        let [is_started, is_over] = [const { AtomicBool::new(false) }; 2];
        Ok(Self { recorder, tables, counts, is_started, is_over })
    }

    /// A connection's part of it.
    pub(crate) fn session(self: &Arc<Self>, connection: u64) -> KeyValues {
        let log = self.recorder.session(Datum::Int(connection.into()));
        KeyValues { trace: Arc::clone(self), connection, log, current: None, late: 0 }
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Whether something could not be written.
    pub(crate) fn is_broken(&self) -> bool {
        self.recorder.is_broken()
    }
}

/// A connection's part of the trace.
#[derive(Debug)]
pub(crate) struct KeyValues {
    trace: Arc<Trace>,
    connection: u64,
    log: SessionLog,
    /// Which of the log's transactions is open in the trace.
    current: Option<u64>,
    /// How many operations of it can be written down only when they are answered.
    late: usize,
}

/// What a statement is in the trace.
#[derive(Debug, Default)]
pub(crate) enum Plan {
    /// Nothing.
    #[default]
    Nothing,
    /// It begins or ends a transaction, or part of one. What it commits without being asked comes
    /// first.
    Control(Option<CallId>, CallId),
    /// Operations on keys.
    Action(Action),
}

impl Plan {
    /// Whether the rows of the answer matter.
    pub(crate) fn wants_rows(&self) -> bool {
        matches!(self, Self::Action(action) if action.wants_rows())
    }
}

/// How a batch that is a transaction of its own ends in the trace.
#[derive(Debug)]
pub(crate) enum BatchCommit {
    /// It was called.
    Called(CallId),
    /// It is to be called when the answer is there.
    Later,
}

impl KeyValues {
    /// A statement is about to be passed on.
    pub(crate) fn called(&mut self, said: &Said<'_>, called: &Called) -> Plan {
        if self.trace.is_over() {
            return Plan::Nothing;
        }
        let open = self.log.txn().is_some();
        let request = match said.control {
            Control::Begin(_) => {
                let implied = open.then(|| self.log.call(&Request::Commit));
                self.current = Some(called.txn);
                let call = self.log.call(&Request::Begin(called.level.clone()));
                return Plan::Control(implied, call);
            }
            Control::Commit { .. } | Control::Implicit => Request::Commit,
            Control::Rollback { .. } => Request::Abort,
            Control::Savepoint(name) => Request::Savepoint { name: name.as_str().into() },
            Control::RollbackTo(name) => Request::Rollback { name: name.as_str().into() },
            Control::Prepare => {
                self.end(said.part.text, "two-phase commit has no place in a trace");
                return Plan::Nothing;
            }
            _ => return self.operation(said, called),
        };
        match open {
            true => Plan::Control(None, self.log.call(&request)),
            false => self.operation(said, called),
        }
    }

    /// A statement that is not about transactions.
    fn operation(&mut self, said: &Said<'_>, called: &Called) -> Plan {
        let trace = Arc::clone(&self.trace);
        let Some(table) = named_table(&said.part.tokens, &trace.tables) else {
            return Plan::Nothing;
        };
        let planned = match recognise(&said.part.tokens, table) {
            Ok(Pattern::Harmless) => return Plan::Nothing,
            Ok(_) if !said.whole => Err("its text is too long"),
            Ok(pattern) => act::prepare(&pattern, said.params, table, trace.tables.len() > 1),
            Err(reason) => Err(reason),
        };
        match planned {
            Ok(prepared) => {
                trace.is_started.store(true, Ordering::SeqCst);
                self.begin(called);
                self.late += usize::from(prepared.is_late());
                Plan::Action(prepared.call(&mut self.log))
            }
            Err(reason) => {
                match Words::new(&said.part.tokens).is("select") {
                    true => self.leave_out(said.part.text, reason),
                    false => self.end(said.part.text, reason),
                }
                Plan::Nothing
            }
        }
    }

    fn begin(&mut self, called: &Called) {
        self.current = Some(called.txn);
        if self.log.txn().is_none() {
            let call = self.log.call(&Request::Begin(called.level.clone()));
            self.log.answer(call, &Answer::Done);
        }
    }

    /// A batch was called completely; what nobody began is committed now.
    pub(crate) fn batch_called(&mut self) -> Option<BatchCommit> {
        self.log.txn().filter(|_| !self.trace.is_over())?;
        Some(match self.late {
            0 => BatchCommit::Called(self.log.call(&Request::Commit)),
            _ => BatchCommit::Later,
        })
    }

    /// How the transaction ended that a batch was; `None` if it goes on.
    pub(crate) fn batch_ended(&mut self, commit: BatchCommit, outcome: Option<Outcome>) {
        self.late = 0;
        if self.trace.is_over() {
            return;
        }
        let call = match commit {
            BatchCommit::Called(call) => call,
            BatchCommit::Later if self.log.txn().is_some() => self.log.call(&Request::Commit),
            BatchCommit::Later => return,
        };
        match outcome {
            Some(Outcome::Committed) => self.log.answer(call, &Answer::Done),
            Some(Outcome::Aborted) => self.log.answer(call, &Answer::Aborted("rolled back".into())),
            Some(Outcome::Unknown | Outcome::Prepared) | None => {
                self.log.answer(call, &Answer::Failed("nobody knows the outcome".into()));
            }
        }
    }

    /// A statement ended; it ran in this transaction.
    pub(crate) fn ended(&mut self, mut statement: Statement, txn: u64, ending: &Ending) {
        let plan = std::mem::take(&mut statement.plan);
        if matches!(plan, Plan::Nothing) || self.trace.is_over() {
            return;
        }
        if txn != statement.txn {
            return self.end("a statement", "it ran in another transaction than was expected");
        }
        match plan {
            Plan::Nothing => {}
            Plan::Control(implied, call) => {
                if let Some(implied) = implied {
                    self.log.answer(implied, &Answer::Done);
                }
                if let Some(answer) = answer::of_control(&statement.control, ending) {
                    self.log.answer(call, &answer);
                }
            }
            Plan::Action(action) => {
                if action.is_late() {
                    self.late = self.late.saturating_sub(1);
                }
                let belongs = self.current == Some(statement.txn) && self.log.txn().is_some();
                if let Err(reason) =
                    action.answer(&mut self.log, &statement.result, ending, belongs)
                {
                    self.end("a statement", reason);
                }
            }
        }
    }

    /// The server has ended a transaction. Nothing is to be done if that was called.
    pub(crate) fn finished(&mut self, txn: u64, outcome: Outcome) {
        if self.current != Some(txn) || self.log.txn().is_none() || self.trace.is_over() {
            return;
        }
        match outcome {
            Outcome::Aborted => self.log.ended(),
            Outcome::Committed => {
                let call = self.log.call(&Request::Commit);
                self.log.answer(call, &Answer::Done);
            }
            Outcome::Prepared | Outcome::Unknown => {
                self.log.call(&Request::Commit);
            }
        }
        (self.current, self.late) = (None, 0);
    }

    /// A read is not in the trace.
    fn leave_out(&mut self, sql: &str, reason: &str) {
        self.note(notes::LEFT_OUT, sql, reason);
    }

    /// Something that others may see cannot be in the trace: nothing is, from now on.
    fn end(&mut self, sql: &str, reason: &str) {
        if !self.trace.is_started.load(Ordering::SeqCst) {
            return self.leave_out(sql, reason);
        }
        if !self.trace.is_over.swap(true, Ordering::SeqCst) {
            self.note(notes::ENDED, sql, reason);
        }
    }

    fn note(&mut self, what: &str, sql: &str, reason: &str) {
        self.trace.counts.unclear.fetch_add(1, Ordering::Relaxed);
        let txn = match self.log.txn() {
            Some(txn) => format!("transaction {txn}"),
            None => format!("a transaction of connection {}", self.connection),
        };
        let shown: String = sql.chars().take(SHOWN).collect();
        self.trace.recorder.note(&format!("{what}: {txn}, because {reason}: {shown}"));
    }
}
