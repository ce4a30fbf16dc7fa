//! What servers say.

use std::collections::VecDeque;

use tristan_sqltext::Control;

use super::greeting::SESSION_TRACK;
use super::prepared::Ahead;
use super::types::{binary_row, column, text_row};
use super::{Command, MySql, Progress, Running};
use crate::bytes::{Bytes, lossy};
use crate::ending::{Ending, ServerError};
use crate::framer::Frame;
use crate::result::Columns;
use crate::session::Batch;
use crate::transactions::{Outcome, TxnFailure};

/// What the server says about itself with most answers.
const IN_TRANSACTION: u16 = 1;
const AUTOCOMMIT: u16 = 2;
const MORE_RESULTS: u16 = 8;
const CURSOR: u16 = 0x40;

/// The end of a result.
struct Done {
    status: u16,
    affected: Option<u64>,
    info: Option<String>,
    /// Whether it was rows.
    rows: bool,
}

impl MySql {
    /// One packet; `None` if it makes no sense here.
    pub(super) fn server_packet(&mut self, frame: Frame<'_>) -> Option<()> {
        if !self.ready {
            return self.login(frame.body);
        }
        match self.waiting.front() {
            None => {
                let said = error(frame.body)?;
                self.session.note(&format!("the server said: {}", said.text()));
                Some(())
            }
            Some(Command::Run { .. }) => self.run(frame),
            Some(Command::Prepare(_)) => self.prepare(frame.body),
            Some(Command::Fields) => self.until_end(frame.body),
            Some(Command::Login) => match frame.body.first()? {
                0x00 | 0xff => self.reset(),
                _ => Some(()),
            },
            Some(Command::Reset) => self.reset(),
            Some(Command::Other) => self.pop(),
        }
    }

    fn login(&mut self, body: &[u8]) -> Option<()> {
        match body.first()? {
            0x00 => {
                self.ready = true;
                if let Some(done) = self.ok(body) {
                    self.session.txns.set_autocommit(done.status & AUTOCOMMIT != 0);
                }
                self.session.open(&self.greeting);
            }
            0xff => {
                let text = error(body)?.text();
                self.session.note(&format!("the server refused a client: {text}"));
            }
            _ => {}
        }
        Some(())
    }

    fn pop(&mut self) -> Option<()> {
        self.progress = Progress::Nothing;
        self.waiting.pop_front().map(drop)
    }

    /// What was open is gone.
    fn reset(&mut self) -> Option<()> {
        self.statements.clear();
        self.session.txns.lost();
        self.session.write_finished();
        self.session.txns.set_autocommit(true);
        self.pop()
    }

    fn until_end(&mut self, body: &[u8]) -> Option<()> {
        if is_end(body) || body.first() == Some(&0xff) { self.pop() } else { Some(()) }
    }

    fn prepare(&mut self, body: &[u8]) -> Option<()> {
        if let Progress::Definitions(left) = &mut self.progress {
            *left -= 1;
            return if *left == 0 { self.pop() } else { Some(()) };
        }
        let Some(Command::Prepare(prepared)) = self.waiting.pop_front() else { return None };
        let mut rest = Bytes(body);
        if rest.u8()? != 0 {
            // A text that cannot be prepared was not executed; it failed all the same.
            let error = error(body)?;
            let mut running = self.call_prepared(&prepared, &[], &[]);
            if running.statement.control == Control::Implicit {
                running.statement.control = Control::Nothing;
            }
            self.failed(running, &error);
            return Some(());
        }
        let number = rest.u32_le()?;
        let (columns, params) = (u64::from(rest.u16_le()?), u64::from(rest.u16_le()?));
        let left = columns + u64::from(columns > 0) + params + u64::from(params > 0);
        self.statements.insert(number, (prepared.clone(), Ahead::default()));
        if left > 0 {
            self.progress = Progress::Definitions(left);
            self.waiting.push_front(Command::Prepare(prepared));
        }
        Some(())
    }

    /// A part of the answer to a statement.
    fn run(&mut self, frame: Frame<'_>) -> Option<()> {
        let body = frame.body;
        let first = *body.first()?;
        match std::mem::take(&mut self.progress) {
            Progress::Columns(0, columns) if is_end(body) => self.columns_end(columns, body),
            Progress::Columns(0, _) => None,
            Progress::Columns(left, mut columns) => {
                columns.push(column(Bytes(body))?);
                self.progress = Progress::Columns(left - 1, columns);
                Some(())
            }
            _ if first == 0xff => self.run_failed(&error(body)?),
            Progress::Rows if is_end(body) => self.result(end(body)?),
            Progress::Rows => {
                self.progress = Progress::Rows;
                self.row(frame)
            }
            // Rows of a statement that asked for them in portions come without columns.
            Progress::Nothing if self.is_fetch() => {
                self.progress = Progress::Rows;
                self.run(frame)
            }
            Progress::Nothing if first == 0x00 => {
                let done = self.ok(body)?;
                self.result(done)
            }
            Progress::Nothing if first == 0xfb => {
                self.sends_file = true;
                Some(())
            }
            Progress::Nothing => {
                self.progress = Progress::Columns(Bytes(body).length()?, Vec::new());
                Some(())
            }
            Progress::Definitions(_) => None,
        }
    }

    fn is_fetch(&self) -> bool {
        matches!(self.waiting.front(), Some(Command::Run { binary: true, prepared: None, .. }))
    }

    fn columns_end(&mut self, columns: Vec<super::Column>, body: &[u8]) -> Option<()> {
        let done = end(body)?;
        let Some(Command::Run { parts, prepared, .. }) = self.waiting.front_mut() else {
            return None;
        };
        let Running { statement, .. } = parts.front_mut()?;
        let columns: Columns = columns.into();
        if let Some(prepared) = prepared {
            // The columns of one statement stay as they are.
            let _ = prepared.columns.set(columns.clone());
        }
        statement.result.columns = Some(columns);
        match done.status & CURSOR {
            0 => {
                self.progress = Progress::Rows;
                Some(())
            }
            _ => self.result(done),
        }
    }

    fn row(&mut self, frame: Frame<'_>) -> Option<()> {
        let most = self.session.max_rows();
        let Some(Command::Run { parts, binary, .. }) = self.waiting.front_mut() else {
            return None;
        };
        let Running { statement, .. } = parts.front_mut()?;
        if !frame.whole || !statement.wants_row(most) {
            statement.uncounted_row();
            return Some(());
        }
        let columns = statement.result.columns.clone()?;
        let read = if *binary { binary_row } else { text_row };
        statement.row(read(Bytes(frame.body), &columns)?);
        Some(())
    }

    /// A result is complete.
    fn result(&mut self, done: Done) -> Option<()> {
        let Some(Command::Run { parts, .. }) = self.waiting.front_mut() else { return None };
        let more = done.status & MORE_RESULTS != 0;
        let last = parts.len() == 1;
        let first = parts.front_mut()?;
        if more && (last || done.rows && first.procedure) {
            first.statement.another_result(done.affected);
            return Some(());
        }
        let running = parts.pop_front()?;
        let rest = if more { VecDeque::new() } else { std::mem::take(parts) };
        if !more {
            self.waiting.pop_front();
        }
        self.carried_out(running, done);
        self.skip(rest);
        Some(())
    }

    fn run_failed(&mut self, error: &ServerError) -> Option<()> {
        let Some(Command::Run { mut parts, .. }) = self.waiting.pop_front() else { return None };
        let running = parts.pop_front()?;
        self.failed(running, error);
        self.skip(parts);
        Some(())
    }

    /// Statements that the server did not come to.
    fn skip(&mut self, parts: VecDeque<Running>) {
        for Running { statement, batch, .. } in parts {
            let txn = statement.txn;
            self.session.end(statement, txn, &Ending::Skipped);
            self.session.batch_ended(batch, Some(Outcome::Aborted));
        }
    }

    fn carried_out(&mut self, running: Running, done: Done) {
        let Running { statement, batch, .. } = running;
        let control = statement.control.clone();
        let open = done.status & IN_TRANSACTION != 0;
        let txns = &mut self.session.txns;
        txns.set_autocommit(done.status & AUTOCOMMIT != 0);
        if !open && control == Control::Nothing {
            txns.was_gone();
        }
        let txn = txns.ran(statement.txn, &control);
        let ending = Ending::Done { tag: done.info, affected: done.affected };
        self.session.end(statement, txn, &ending);
        let txns = &mut self.session.txns;
        match control {
            Control::Commit { .. } => txns.finish(Outcome::Committed),
            Control::Rollback { .. } if txns.may_be_committed() => txns.finish(Outcome::Unknown),
            Control::Rollback { .. } => txns.finish(Outcome::Aborted),
            _ => {}
        }
        let outcome = match open {
            true => {
                txns.busy(false);
                None
            }
            false => Some(txns.idle()),
        };
        self.settle(batch, outcome);
    }

    /// A statement failed. That ends its transaction if it is its own, or if the error says so. A definition
    /// commits the open transaction before it is executed, so also if its execution fails.
    pub(super) fn failed(&mut self, running: Running, error: &ServerError) {
        let Running { statement, batch, .. } = running;
        let control = statement.control.clone();
        let txn = self.session.txns.ran(statement.txn, &control);
        self.session.end(statement, txn, &Ending::Failed(error.clone()));
        let txns = &mut self.session.txns;
        let commits = matches!(control, Control::Commit { .. });
        if commits && error.leaves_doubt() {
            txns.finish(Outcome::Unknown);
        } else if control == Control::Implicit && txns.is_explicit() && error.is_of_execution() {
            txns.finish(Outcome::Committed);
        } else if commits || error.ends_transaction() || !txns.is_explicit() {
            txns.finish(Outcome::Aborted);
        } else if control == Control::Implicit && error.code != SYNTAX_ERROR {
            txns.failed_with(TxnFailure::MaybeCommitted);
        } else if !txns.may_be_committed() {
            txns.failed_with(TxnFailure::Doubtful);
        }
        self.settle(batch, Some(Outcome::Aborted));
    }

    fn settle(&mut self, batch: Batch, outcome: Option<Outcome>) {
        self.session.batch_ended(batch, outcome);
        if self.waiting.is_empty() {
            self.session.txns.settle();
        }
        self.session.write_finished();
    }

    /// An OK packet.
    fn ok(&self, body: &[u8]) -> Option<Done> {
        let mut rest = Bytes(body);
        rest.u8()?;
        let affected = rest.length()?;
        // The last number that was generated.
        rest.length()?;
        let (status, _warnings) = (rest.u16_le()?, rest.u16_le()?);
        let tracks = self.can.is_some_and(|can| can & SESSION_TRACK != 0);
        let info = if tracks { rest.counted().unwrap_or_default() } else { rest.0 };
        let info = Some(lossy(info)).filter(|info| !info.is_empty());
        Some(Done { status, affected: Some(affected), info, rows: false })
    }
}

/// The error of a text that the server cannot parse, and of which it executes nothing.
const SYNTAX_ERROR: &str = "1064";

/// Whether a packet ends columns or rows.
fn is_end(body: &[u8]) -> bool {
    body.first() == Some(&0xfe) && body.len() < 9
}

/// The end of columns or rows.
fn end(body: &[u8]) -> Option<Done> {
    let mut rest = Bytes(body);
    rest.take(3)?;
    Some(Done { status: rest.u16_le()?, affected: None, info: None, rows: true })
}

/// An error; `None` if it is none.
fn error(body: &[u8]) -> Option<ServerError> {
    let mut rest = Bytes(body);
    rest.u8().filter(|first| *first == 0xff)?;
    let code = rest.u16_le()?.to_string();
    let text = match rest.0 {
        // Five letters that name the kind of error.
        [b'#', state @ ..] => state.get(5..).unwrap_or_default(),
        text => text,
    };
    Some(ServerError { code, message: lossy(text), fatal: false })
}
