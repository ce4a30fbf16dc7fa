//! What servers say.

use std::sync::Arc;

use tristan_sqltext::Control;

use super::prepared::{Portal, columns, row};
use super::{Postgres, Waiting};
use crate::bytes::{Bytes, lossy};
use crate::ending::{Ending, ServerError};
use crate::framer::Frame;
use crate::session::Statement;
use crate::transactions::{Outcome, TxnFailure};

impl Postgres {
    /// One message; `None` if it makes no sense here.
    pub(super) fn server_message(&mut self, frame: Frame<'_>) -> Option<()> {
        let body = Bytes(frame.body);
        match frame.kind {
            b'S' => self.parameter(body),
            b'Z' => self.ready_for_query(*frame.body.first()?),
            b'E' => self.error(&error(body)),
            b'T' => self.row_description(body),
            b't' => self.parameter_description(body),
            b'D' => self.data_row(body, frame.whole),
            b'C' => self.complete(Ending::Done {
                affected: affected(frame.body),
                tag: Some(lossy(frame.body.strip_suffix(&[0]).unwrap_or(frame.body))),
            }),
            // An empty query has no statement that could be complete.
            b'I' if matches!(self.waiting.front(), Some(Waiting::QueryEnd(_))) => Some(()),
            b'I' => self.complete(Ending::Done { tag: None, affected: None }),
            b's' => self.complete(Ending::Suspended),
            b'1' => self.pop(|waiting| matches!(waiting, Waiting::Parse(..))),
            b'2' => self.pop(|waiting| matches!(waiting, Waiting::Bind(..))),
            b'3' => self.pop(|waiting| {
                matches!(waiting, Waiting::CloseStatement(_) | Waiting::ClosePortal(_))
            }),
            b'n' => self.pop(|waiting| {
                matches!(waiting, Waiting::DescribeStatement(_) | Waiting::DescribePortal(_))
            }),
            b'G' | b'W' => {
                if let Some(Waiting::Execute { copies, .. }) = self.waiting.front_mut() {
                    *copies = true;
                }
                Some(())
            }
            // Authentication, notices, notifications, copied data, results of functions.
            _ => Some(()),
        }
    }

    /// The first in the queue was answered; `None` if it is something else.
    fn pop(&mut self, fits: impl FnOnce(&Waiting) -> bool) -> Option<()> {
        self.waiting.front().is_some_and(fits).then_some(())?;
        let done = self.waiting.pop_front()?;
        self.names.done(&done);
        Some(())
    }

    fn parameter(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let (name, value) = (body.until_zero()?, body.text_until_zero()?);
        if name == b"server_version" {
            self.greeting.server = Some(value);
        }
        Some(())
    }

    fn row_description(&mut self, body: Bytes<'_>) -> Option<()> {
        let (columns, codes) = columns(body)?;
        match self.waiting.front_mut()? {
            // What was said first stays, so that every row of one portal is read alike.
            Waiting::DescribeStatement(prepared) => drop(prepared.columns.set(columns)),
            Waiting::DescribePortal(portal) => drop(portal.columns.set(columns)),
            Waiting::Part { statement, formats } => {
                statement.result.columns = Some(columns);
                *formats = codes;
                return Some(());
            }
            _ => return None,
        }
        self.waiting.pop_front();
        Some(())
    }

    fn parameter_description(&mut self, mut body: Bytes<'_>) -> Option<()> {
        let count = body.i16_be()?;
        let types = (0..count).map(|_| body.u32_be()).collect::<Option<Vec<u32>>>()?;
        match self.waiting.front()? {
            // What was said first stays.
            Waiting::DescribeStatement(prepared) => drop(prepared.types.set(types)),
            _ => return None,
        }
        Some(())
    }

    fn data_row(&mut self, body: Bytes<'_>, whole: bool) -> Option<()> {
        let most = self.session.max_rows();
        let (statement, values) = match self.waiting.front_mut()? {
            Waiting::Part { statement, formats } if whole && statement.wants_row(most) => {
                let values = row(body, statement.result.columns.as_ref(), formats)?;
                (statement, Some(values))
            }
            Waiting::Execute { statement, portal, .. } if whole && statement.wants_row(most) => {
                (statement, Some(portal.row(body)?))
            }
            Waiting::Part { statement, .. } | Waiting::Execute { statement, .. } => {
                (statement, None)
            }
            _ => return None,
        };
        match values {
            Some(values) => statement.row(values),
            None => statement.uncounted_row(),
        }
        Some(())
    }

    /// A statement was carried out.
    fn complete(&mut self, ending: Ending) -> Option<()> {
        let statement = self.pop_statement()?;
        let control = statement.control.clone();
        self.end(statement, &ending);
        if let Ending::Done { tag, .. } = &ending
            && let Some(outcome) = outcome(&control, tag.as_deref())
        {
            self.session.txns.finish(outcome);
            self.session.write_finished();
        }
        Some(())
    }

    /// The statement that is first in the queue.
    fn pop_statement(&mut self) -> Option<Statement> {
        match self.waiting.pop_front()? {
            Waiting::Part { statement, .. } => Some(*statement),
            Waiting::Execute { mut statement, portal, .. } => {
                statement.result.columns = portal.columns().cloned();
                Some(*statement)
            }
            _ => None,
        }
    }

    fn end(&mut self, statement: Statement, ending: &Ending) {
        let txn = self.session.txns.ran(statement.txn, &statement.control);
        self.session.end(statement, txn, ending);
    }

    fn error(&mut self, error: &ServerError) -> Option<()> {
        if !self.ready {
            self.session.note(&format!("the server refused a client: {}", error.text()));
            return Some(());
        }
        match self.waiting.front() {
            None => self.session.note(&format!("the server said: {}", error.text())),
            Some(front) if front.ends_batch() => self.session.txns.failed_with(failure(error)),
            Some(_) => self.failed(error),
        }
        Some(())
    }

    /// The first in the queue has failed, and the server skips what follows: the rest of a `Query`, or
    /// everything up to the next `Sync`, even if that is not sent yet.
    fn failed(&mut self, error: &ServerError) {
        let simple = matches!(self.waiting.front(), Some(Waiting::Part { .. }));
        if matches!(self.waiting.front(), Some(Waiting::Execute { copies: true, .. })) {
            self.drop_syncs();
        }
        let mut culprit = None;
        let mut unsent = None;
        let mut skipped = Vec::new();
        while let Some(front) = self.waiting.front() {
            let stops = match simple {
                true => matches!(front, Waiting::QueryEnd(_)),
                false => matches!(front, Waiting::Sync(_)),
            };
            if stops {
                break;
            }
            match self.waiting.pop_front() {
                Some(Waiting::Parse(_, prepared)) if culprit.is_none() => {
                    unsent.get_or_insert_with(|| Arc::new(Portal::of(prepared)));
                }
                Some(Waiting::Bind(_, portal)) if culprit.is_none() => {
                    unsent.get_or_insert(portal);
                }
                other => match other.and_then(Waiting::into_statement) {
                    Some(statement) if culprit.is_none() => culprit = Some(statement),
                    statement => skipped.extend(statement),
                },
            }
        }
        self.skips = !simple && self.waiting.is_empty();
        self.names.skipped(&self.waiting);
        // A text that cannot be parsed was not executed; it failed all the same.
        let culprit = culprit.or_else(|| unsent.map(|portal| self.call(&portal)));
        if let Some(statement) = culprit {
            self.end(statement, &Ending::Failed(error.clone()));
        }
        self.session.txns.failed_with(failure(error));
        for statement in skipped {
            let txn = statement.txn;
            self.session.end(statement, txn, &Ending::Skipped);
        }
    }

    fn ready_for_query(&mut self, status: u8) -> Option<()> {
        if !std::mem::replace(&mut self.ready, true) {
            self.session.open(&self.greeting);
            return Some(());
        }
        let batch = match self.waiting.pop_front()? {
            Waiting::QueryEnd(batch) | Waiting::Sync(batch) => batch,
            Waiting::Function => crate::session::Batch::default(),
            _ => return None,
        };
        let outcome = match status {
            b'I' => Some(self.session.txns.idle()),
            _ => {
                self.session.txns.busy(status == b'E');
                None
            }
        };
        self.session.batch_ended(batch, outcome);
        if self.waiting.is_empty() {
            self.session.txns.settle();
            if status == b'I' {
                self.names.forget_portals();
            }
        }
        self.session.write_finished();
        Some(())
    }
}

/// How a transaction ends with a statement, if it does.
fn outcome(control: &Control, tag: Option<&str>) -> Option<Outcome> {
    match (control, tag) {
        (Control::Commit { .. }, Some("COMMIT")) => Some(Outcome::Committed),
        (Control::Commit { .. } | Control::Prepare, Some("ROLLBACK")) => Some(Outcome::Aborted),
        (Control::Rollback { .. }, _) => Some(Outcome::Aborted),
        (Control::Prepare, Some("PREPARE TRANSACTION")) => Some(Outcome::Prepared),
        _ => None,
    }
}

fn failure(error: &ServerError) -> TxnFailure {
    if error.leaves_doubt() { TxnFailure::Doubtful } else { TxnFailure::Failed }
}

/// The number at the end of `UPDATE 3` or `INSERT 0 3`.
fn affected(tag: &[u8]) -> Option<u64> {
    let tag = std::str::from_utf8(tag.strip_suffix(&[0]).unwrap_or(tag)).ok()?;
    tag.rsplit(' ').next()?.parse().ok()
}

/// The fields of an error that matter.
fn error(mut body: Bytes<'_>) -> ServerError {
    let mut error = ServerError { code: String::new(), message: String::new(), fatal: false };
    let mut severity = String::new();
    while let Some(kind) = body.u8().filter(|kind| *kind != 0) {
        let Some(text) = body.text_until_zero() else { break };
        match kind {
            b'C' => error.code = text,
            b'M' => error.message = text,
            // The severity that is not translated comes later.
            b'S' | b'V' => severity = text,
            _ => {}
        }
    }
    error.fatal = matches!(severity.as_str(), "FATAL" | "PANIC");
    error
}
