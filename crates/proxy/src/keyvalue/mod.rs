//! A trace of keys and values on the side, for tables that the user declared.
//!
//! ```text
//!   statement ──► pattern ──► Plan (calls in the trace)
//!   answer ─────────────────► returns in the trace
//! ```
//!
//! A statement on a declared table that is no operation on single keys cannot be told. A read that is
//! missing makes a check see less. A write that is missing could make it reject a good database, because
//! a client reads what no client seems to have written: so the trace ends before such a write is passed
//! on, for all connections. Two things are milder: a write of a known key with an unknown value
//! ([`obscured`]), and writes before the first operation ([`beginning`]).

mod act;
mod answer;
mod beginning;
mod change;
mod clauses;
mod obscured;
mod pattern;
mod query;
mod recognise;
mod table;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tristan_history::{Datum, notes};
use tristan_recorder::{Answer, CallId, Header, Recorder, Request, SessionLog};
use tristan_sqltext::{Control, Dialect, Effects, Words, effects};

use crate::counts::Counts;
use crate::ending::Ending;
use crate::protocol::Protocol;
use crate::result::ResultSet;
use crate::said::Said;
use crate::transactions::{Called, Outcome};
use act::{Action, Prepared};
use beginning::Beginning;
use obscured::Obscured;
use pattern::Pattern;
use recognise::{named_table, recognise};

pub use table::{Table, TableError};

/// So much of a statement is shown in a note.
const SHOWN: usize = 200;

const TOO_EARLY: &str =
    "its transaction may have read a state older than a write that the trace omits";

/// The trace that all connections write.
#[derive(Debug)]
pub(crate) struct TraceWriter {
    recorder: Recorder,
    tables: Vec<Table>,
    protocol: Protocol,
    counts: Arc<Counts>,
    beginning: Beginning,
    obscured: Obscured,
    /// Whether it has ended, because something cannot be told.
    is_over: AtomicBool,
}

impl TraceWriter {
    /// Starts a trace.
    pub(crate) fn create(
        path: &Path,
        server: (Protocol, &str),
        level: Option<&str>,
        tables: Vec<Table>,
        counts: Arc<Counts>,
    ) -> io::Result<Self> {
        let (protocol, database) = server;
        let header = Header { database, level, initial_unknown: true, ..Header::default() };
        let recorder = Recorder::create(path, &header)?;
        let obscured = Obscured::new(Arc::clone(&counts));
        let (beginning, is_over) = (Beginning::default(), AtomicBool::new(false));
        Ok(Self { recorder, tables, protocol, counts, beginning, obscured, is_over })
    }

    /// A connection's part of it.
    pub(crate) fn session(self: &Arc<Self>, connection: u64, dialect: Dialect) -> KeyValues {
        let log = self.recorder.session(Datum::Int(connection.into()));
        let trace = Arc::clone(self);
        KeyValues { trace, dialect, connection, log, begun: None, current: None, late: 0 }
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
    trace: Arc<TraceWriter>,
    dialect: Dialect,
    connection: u64,
    log: SessionLog,
    /// The transaction of the last statement, and when it began.
    begun: Option<(u64, u64)>,
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

/// What is known of a statement when it has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'a> {
    /// The transaction that it was called in.
    pub(crate) called_in: u64,
    /// The transaction that it ran in.
    pub(crate) ran_in: u64,
    /// What it does to transactions.
    pub(crate) control: &'a Control,
    /// The rows that it returned.
    pub(crate) result: &'a ResultSet,
    /// How it ended.
    pub(crate) ending: &'a Ending,
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
        if self.begun.is_none_or(|(txn, _)| txn != called.txn) {
            self.begun = Some((called.txn, self.trace.beginning.begin()));
        }
        let open = self.log.txn().is_some();
        let request = match said.control {
            // PostgreSQL only warns that a transaction is open; MySQL commits it.
            Control::Begin(_) if open && self.trace.protocol == Protocol::Postgres => {
                return Plan::Nothing;
            }
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
                self.end(said.part.text, "a trace cannot express two-phase commit");
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
        let planned = match recognise(&said.part.tokens, table, self.dialect) {
            Ok(Pattern::Harmless) => return Plan::Nothing,
            Ok(_) if !said.whole => Err("its text is too long"),
            Ok(pattern) => act::prepare(&pattern, said.params, table, trace.tables.len() > 1),
            Err(reason) => Err(reason),
        };
        let admitted = || self.begun.is_some_and(|(_, begun)| trace.beginning.admits(begun));
        match planned {
            Ok(prepared) if admitted() => return self.act(said, called, prepared),
            Ok(_) => self.leave_out_or_end(said, called, TOO_EARLY),
            Err(reason) => self.leave_out_or_end(said, called, reason),
        }
        Plan::Nothing
    }

    /// Operations that can be told.
    fn act(&mut self, said: &Said<'_>, called: &Called, prepared: Prepared) -> Plan {
        let trace = Arc::clone(&self.trace);
        self.begin(called);
        self.late += usize::from(prepared.is_late());
        for key in prepared.obscured() {
            if trace.obscured.add(key) {
                let what = format!("values of {key} are omitted from here on");
                self.note(&what, said.part.text, "the value that it writes is unknown");
            }
        }
        Plan::Action(prepared.call(&mut self.log))
    }

    /// A statement that cannot be told.
    fn leave_out_or_end(&mut self, said: &Said<'_>, called: &Called, reason: &str) {
        let words = Words::new(&said.part.tokens);
        if words.is("prepare") {
            // It can be executed later by a name that says nothing about tables.
            self.end(said.part.text, reason);
        } else if effects(&said.part.tokens, self.dialect) == Effects::Nothing
            || self.trace.beginning.untold((self.connection, called.txn))
        {
            self.leave_out(said.part.text, reason);
        } else {
            self.end(said.part.text, reason);
        }
    }

    fn begin(&mut self, called: &Called) {
        self.current = Some(called.txn);
        if self.log.txn().is_none() {
            let call = self.log.call(&Request::Begin(called.level.clone()));
            self.log.answer(call, &Answer::Done);
        }
    }

    /// A batch was called completely; a transaction that no statement began is committed now.
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
                self.log.answer(call, &Answer::Failed("the outcome is unknown".into()));
            }
        }
    }

    /// A statement ended.
    pub(crate) fn ended(&mut self, plan: Plan, ended: Ended<'_>) {
        if matches!(plan, Plan::Nothing) || self.trace.is_over() {
            return;
        }
        if ended.ran_in != ended.called_in {
            return self.end("a statement", "it did not run in the expected transaction");
        }
        match plan {
            Plan::Nothing => {}
            Plan::Control(implied, call) => {
                self.control_ended(implied, call, ended.control, ended.ending);
            }
            Plan::Action(action) => self.action_ended(action, ended),
        }
    }

    fn control_ended(
        &mut self,
        implied: Option<CallId>,
        call: CallId,
        control: &Control,
        ending: &Ending,
    ) {
        // PostgreSQL skips behind an error that has ended the transaction. In MySQL it goes on.
        if self.trace.protocol == Protocol::MySql && *ending == Ending::Skipped {
            return self.end("a statement", "it was skipped, but its transaction continues");
        }
        match ending {
            Ending::Done { .. } | Ending::Suspended => {
                implied.into_iter().for_each(|implied| self.log.answer(implied, &Answer::Done));
            }
            Ending::Failed(error) => {
                let failed = Answer::Failed(error.text());
                implied.into_iter().for_each(|implied| self.log.answer(implied, &failed));
            }
            // Whether the transaction was committed is not known.
            Ending::Skipped | Ending::Lost => {}
        }
        if let Some(answer) = answer::of_control(control, ending) {
            self.log.answer(call, &answer);
        }
    }

    fn action_ended(&mut self, action: Action, ended: Ended<'_>) {
        if action.is_late() {
            self.late = self.late.saturating_sub(1);
        }
        let is_read = action.is_read();
        let trace = Arc::clone(&self.trace);
        let scene = answer::Scene {
            result: ended.result,
            ending: ended.ending,
            belongs: self.current == Some(ended.called_in) && self.log.txn().is_some(),
            obscured: &trace.obscured,
        };
        match action.answer(&mut self.log, scene) {
            Ok(()) => {}
            Err(reason) if is_read => self.leave_out("a statement", reason),
            Err(reason) => self.end("a statement", reason),
        }
    }

    /// The server has ended a transaction. Nothing is to be done if that was called.
    pub(crate) fn finished(&mut self, txn: u64, outcome: Outcome) {
        self.trace.beginning.finished((self.connection, txn));
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
        self.note(notes::OMITTED, sql, reason);
    }

    /// Something that others may see cannot be in the trace: nothing is, from now on.
    pub(crate) fn end(&mut self, sql: &str, reason: &str) {
        if !self.trace.is_over.swap(true, Ordering::SeqCst) {
            self.note(notes::ENDED, sql, reason);
            self.trace.counts.trace_ended(&format!("{reason}: {}", shown(sql)));
        }
    }

    fn note(&mut self, what: &str, sql: &str, reason: &str) {
        self.trace.counts.unclear.fetch_add(1, Ordering::Relaxed);
        let txn = match self.log.txn() {
            Some(txn) => format!("transaction {txn}"),
            None => format!("a transaction of connection {}", self.connection),
        };
        self.trace.recorder.note(&format!("{what}: {txn}, because {reason}: {}", shown(sql)));
    }
}

/// So much of a statement as is shown.
fn shown(sql: &str) -> String {
    sql.chars().take(SHOWN).collect()
}
