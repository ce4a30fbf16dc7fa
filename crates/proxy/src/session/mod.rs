//! What is said on one connection, whatever the protocol: statements, their ends, transactions.
//!
//! ```text
//!   decoder ──► Session ──► lines ──► SqlLog
//!                  ├── Transactions (numbers, outcomes, levels)
//!                  └── KeyValues ──► trace
//! ```

mod statement;

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tristan_sqltext::{Control, Dialect, Part, TokenKind, tokens};

use crate::connections::Connections;
use crate::counts::Counts;
use crate::ending::{Ending, ServerError};
use crate::keyvalue::{BatchCommit, Ended, KeyValues, Plan, TraceWriter};
use crate::line::Line;
use crate::log::SqlLog;
use crate::protocol::Protocol;
use crate::said::Said;
use crate::transactions::{Called, Outcome, Transactions};

pub(crate) use statement::Statement;

/// What all connections share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) protocol: Protocol,
    pub(crate) log: Arc<SqlLog>,
    pub(crate) keyvalues: Option<Arc<TraceWriter>>,
    pub(crate) counts: Arc<Counts>,
    pub(crate) connections: Arc<Connections>,
    /// How many rows of a statement are written down.
    pub(crate) max_rows: u64,
}

/// A file that cannot be written any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnwritableFile {
    Log,
    Trace,
}

impl Shared {
    /// Which file cannot be written, if any. Nothing may be passed on then.
    pub(crate) fn broken(&self) -> Option<UnwritableFile> {
        if self.log.is_broken() {
            return Some(UnwritableFile::Log);
        }
        self.keyvalues
            .as_ref()
            .is_some_and(|trace| trace.is_broken())
            .then_some(UnwritableFile::Trace)
    }
}

/// The identity of a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Greeting {
    pub(crate) server: Option<String>,
    pub(crate) user: Option<String>,
    pub(crate) database: Option<String>,
}

/// When something was said by a client.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moment {
    /// How often something had been passed on; 0 if there was no such message.
    handed: u64,
    at: u64,
}

/// What is said on one connection.
#[derive(Debug)]
pub(crate) struct Session {
    shared: Shared,
    /// How its statements are read.
    pub(crate) dialect: Dialect,
    number: u64,
    client: String,
    opened: bool,
    /// Whether the client has said that it leaves.
    leaves: bool,
    lines: Vec<u8>,
    /// How often something was passed on.
    handed: u64,
    pub(crate) txns: Transactions,
    keyvalues: Option<KeyValues>,
}

impl Session {
    /// The session of a client with a server, whose version may be known.
    pub(crate) fn new(shared: Shared, client: String, version: Option<&str>) -> Self {
        let number = shared.log.next_connection();
        let dialect = shared.protocol.sql(version);
        let txns = Transactions::new(Arc::clone(&shared.log), shared.protocol);
        let keyvalues = shared.keyvalues.as_ref().map(|trace| trace.session(number, dialect));
        Self {
            shared,
            dialect,
            number,
            client,
            opened: false,
            leaves: false,
            lines: Vec::new(),
            handed: 1,
            txns,
            keyvalues,
        }
    }

    /// A statement that was looked at before. Its tokens are needed only for keys and values.
    pub(crate) fn part<'a>(&self, text: &'a str) -> Part<'a> {
        let mut tokens = match &self.keyvalues {
            Some(_) => tokens(text, self.dialect),
            None => Vec::new(),
        };
        while tokens.last().is_some_and(|token| token.kind == TokenKind::Symbol(";")) {
            tokens.pop();
        }
        Part { text, tokens }
    }

    /// How many rows of a statement are written down.
    pub(crate) fn max_rows(&self) -> u64 {
        self.shared.max_rows
    }

    /// Hands over what was collected. Call this before the bytes are passed on.
    ///
    /// # Errors
    /// When the log cannot be written. Nothing may be passed on then.
    pub(crate) fn hand_over(&mut self) -> io::Result<()> {
        self.handed += 1;
        if !self.lines.is_empty() {
            self.shared.log.write(&self.lines)?;
            self.lines.clear();
        }
        match self.shared.broken() {
            Some(_) => Err(io::Error::other("log or trace could not be written")),
            None => Ok(()),
        }
    }

    /// Now, seen by what was passed on so far.
    pub(crate) fn moment(&self) -> Moment {
        Moment { handed: self.handed, at: self.shared.log.now() }
    }

    /// When something was said, if it was passed on since.
    pub(crate) fn passed_on(&self, said: Moment) -> Option<u64> {
        (said.handed != 0 && said.handed != self.handed).then_some(said.at)
    }

    /// A client was let in.
    pub(crate) fn open(&mut self, greeting: &Greeting) {
        if std::mem::replace(&mut self.opened, true) {
            return;
        }
        let mut line = Line::new(&mut self.lines);
        line.number("open", self.number)
            .text("client", &self.client)
            .maybe("server", greeting.server.as_deref())
            .maybe("user", greeting.user.as_deref())
            .maybe("database", greeting.database.as_deref());
        self.shared.log.end_line(&mut line);
    }

    /// Something that a reader of the log should know.
    pub(crate) fn note(&mut self, text: &str) {
        let mut line = Line::new(&mut self.lines);
        line.text("note", text).number("c", self.number);
        self.shared.log.end_line(&mut line);
    }

    /// A statement is about to be passed on.
    pub(crate) fn call(&mut self, said: Said<'_>) -> Statement {
        let called = self.txns.called(said.control);
        let call = self.write_call(&said, &called);
        let plan = match &mut self.keyvalues {
            Some(keyvalues) => keyvalues.called(&said, &called),
            None => Plan::default(),
        };
        Statement::new(call, called.txn, said.control.clone(), plan)
    }

    /// A statement is about to be passed on that the server will not carry out.
    pub(crate) fn skip(&mut self, said: Said<'_>) {
        let called = self.txns.skipped();
        let call = self.write_call(&said, &called);
        let statement = Statement::new(call, called.txn, Control::Nothing, Default::default());
        self.end(statement, called.txn, &Ending::Skipped);
    }

    fn write_call(&mut self, said: &Said<'_>, called: &Called) -> u64 {
        let call = self.shared.log.next_call();
        self.shared.counts.statements.fetch_add(1, Ordering::Relaxed);
        let mut line = Line::new(&mut self.lines);
        line.number("call", call).number("c", self.number).number("txn", called.txn);
        line.flag("auto", called.implicit).maybe("level", called.level.as_deref());
        line.text("sql", said.part.text).flag("text_cut", !said.whole);
        if !said.params.is_empty() {
            line.values("params", said.params);
        }
        if !said.types.is_empty() {
            line.with("types", |out| drop(serde_json::to_writer(out, said.types)));
        }
        if let Some(bound) = said.bound {
            line.number("bound", bound);
        }
        self.shared.log.end_line(&mut line);
        call
    }

    /// A batch was called completely; a transaction that no statement began is committed now.
    pub(crate) fn batch_called(&mut self) -> Batch {
        let ends = self.txns.batch_called();
        let commit = match &mut self.keyvalues {
            Some(keyvalues) if ends => keyvalues.batch_called(),
            _ => None,
        };
        Batch { commit }
    }

    /// How the transaction ended that a batch was.
    pub(crate) fn batch_ended(&mut self, batch: Batch, outcome: Option<Outcome>) {
        if let (Some(keyvalues), Some(commit)) = (&mut self.keyvalues, batch.commit) {
            keyvalues.batch_ended(commit, outcome);
        }
    }

    /// A statement ended; `txn` is the transaction in which it ran.
    pub(crate) fn end(&mut self, statement: Statement, txn: u64, ending: &Ending) {
        let mut line = Line::new(&mut self.lines);
        line.number("end", statement.call).number("txn", txn);
        statement.write(&mut line);
        match ending {
            Ending::Done { tag, affected } => {
                line.maybe("tag", tag.as_deref());
                if let Some(affected) = affected {
                    line.number("affected", *affected);
                }
            }
            Ending::Suspended => {
                line.flag("suspended", true);
            }
            Ending::Failed(error) => {
                line.with("error", |out| write_error(out, error));
            }
            Ending::Skipped => {
                line.flag("skipped", true);
            }
            Ending::Lost => {
                line.flag("lost", true);
            }
        }
        self.shared.log.end_line(&mut line);
        if let Some(keyvalues) = &mut self.keyvalues {
            let Statement { txn: called_in, control, result, plan, .. } = statement;
            let (control, result) = (&control, &result);
            keyvalues.ended(plan, Ended { called_in, ran_in: txn, control, result, ending });
        }
    }

    /// Writes down which transactions have ended since the last time.
    pub(crate) fn write_finished(&mut self) {
        for finished in self.txns.take_finished() {
            let mut line = Line::new(&mut self.lines);
            line.number("finish", finished.txn).number("c", self.number);
            line.text("outcome", finished.outcome.name()).maybe("level", finished.level.as_deref());
            self.shared.log.end_line(&mut line);
            self.shared.counts.finished(finished.outcome);
            if let Some(keyvalues) = &mut self.keyvalues {
                keyvalues.finished(finished.txn, finished.outcome);
            }
        }
    }

    /// The client has said that it leaves, or has just gone.
    pub(crate) fn leaves(&mut self) {
        self.leaves = true;
    }

    /// What `whose` side said makes no sense here, so nothing more of this connection can be recorded.
    /// If it can go on to write, the trace of keys and values ends too.
    pub(crate) fn give_up(&mut self, whose: &str, can_write: bool) {
        self.note(&format!(
            "the {whose} sent an unexpected message; it is forwarded, but the rest of this connection \
             is not in this log"
        ));
        if !can_write {
            return;
        }
        self.shared.counts.given_up.fetch_add(1, Ordering::Relaxed);
        if let Some(keyvalues) = &mut self.keyvalues {
            let reason = "this connection continues and is no longer recorded";
            keyvalues.end(&format!("the {whose} sent an unexpected message"), reason);
        }
        self.txns.unheard();
        self.end_connection("proxy", true);
    }

    /// The connection is over. Statements without an answer must have been ended before.
    pub(crate) fn close(&mut self) {
        self.txns.lost();
        let by = match (self.shared.connections.is_over(), self.leaves) {
            (true, _) => "proxy",
            (false, true) => "client",
            (false, false) => "server",
        };
        self.end_connection(by, false);
    }

    fn end_connection(&mut self, by: &str, unheard: bool) {
        self.write_finished();
        if self.opened {
            let mut line = Line::new(&mut self.lines);
            line.number("close", self.number).text("by", by).flag("unheard", unheard);
            self.shared.log.end_line(&mut line);
        }
    }
}

/// A batch that was called.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    commit: Option<BatchCommit>,
}

fn write_error(out: &mut Vec<u8>, error: &ServerError) {
    Line::new(out).text("code", &error.code).text("message", &error.message).close();
}
