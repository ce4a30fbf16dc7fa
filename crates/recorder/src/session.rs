//! A session's part of a trace.

use serde::Serialize;
use tristan_history::Datum;

use crate::{Answer, Recorder, Request};

/// Lines are handed over when there are so many bytes of them, even if no commit comes.
const MOST_BYTES: usize = 1 << 16;

/// Names a call until it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallId {
    number: u64,
    /// Whether it ends a transaction.
    ends: bool,
    /// Whether it begins one.
    begins: bool,
}

/// A session's part of a trace. Transactions begin by themselves with the first call after the
/// last one has ended.
///
/// What was called and never answered is in the trace too, with an unknown effect.
#[derive(Debug)]
pub struct SessionLog {
    recorder: Recorder,
    name: Datum,
    txn: Option<u64>,
    lines: Vec<u8>,
}

impl SessionLog {
    pub(crate) fn new(recorder: Recorder, name: Datum) -> Self {
        Self { recorder, name, txn: None, lines: Vec::new() }
    }

    /// The number of the transaction that is open.
    pub fn txn(&self) -> Option<u64> {
        self.txn
    }

    /// Call this right before the database is asked.
    pub fn call(&mut self, request: &Request) -> CallId {
        let ends = matches!(request, Request::Commit | Request::Abort);
        let txn = *self.txn.get_or_insert_with(|| self.recorder.next_txn());
        let number = self.recorder.next_call();
        let mut line = request.line();
        (line.call, line.s, line.t) = (number, Some(&self.name), txn);
        line.at = self.recorder.now();
        push(&self.recorder, &mut self.lines, &line);
        if ends {
            self.txn = None;
        }
        if ends || self.lines.len() >= MOST_BYTES {
            self.hand_over();
        }
        CallId { number, ends, begins: matches!(request, Request::Begin(_)) }
    }

    /// Call this as soon as the database has answered.
    pub fn answer(&mut self, call: CallId, answer: &Answer) {
        let at = self.recorder.now();
        let mut line = answer.line(call.ends);
        (line.call, line.at) = (call.number, at);
        push(&self.recorder, &mut self.lines, &line);
        if call.begins && matches!(answer, Answer::Failed(_) | Answer::Aborted(_)) {
            // There is no transaction that could end.
            self.txn = None;
        }
        if call.ends {
            self.hand_over();
        }
    }

    /// The transaction is over without a request of the client: a database has ended it on its own, or
    /// its connection was cut before a commit was sent.
    pub fn ended(&mut self) {
        if self.txn.is_some() {
            let call = self.call(&Request::Abort);
            self.answer(call, &Answer::Done);
        }
    }

    /// Writes down what has been collected.
    pub fn hand_over(&mut self) {
        self.recorder.hand_over(&self.lines);
        self.lines.clear();
    }
}

impl Drop for SessionLog {
    fn drop(&mut self) {
        self.hand_over();
    }
}

fn push(recorder: &Recorder, lines: &mut Vec<u8>, line: &impl Serialize) {
    let start = lines.len();
    match serde_json::to_writer(&mut *lines, line) {
        Ok(()) => lines.push(b'\n'),
        Err(error) => {
            lines.truncate(start);
            recorder.sink().fail(error.into());
        }
    }
}
