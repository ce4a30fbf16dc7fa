//! Calls and ends become transactions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use super::control::Texts;
use super::line::{Line, LineError};
use super::queue::LATENESS;
use crate::model::{Call, Control, NEVER, Observed, Outcome, Time, Txn};

/// Transactions of which not everything is known yet.
#[derive(Debug)]
pub(super) struct Assembler {
    open: BTreeMap<u64, Open>,
    begins: BTreeSet<(Time, u64)>,
    calls: FxHashMap<u64, u64>,
    stamps: FxHashMap<u64, u64>,
    pub(super) warnings: Vec<String>,
    suspended: bool,
    /// Whether some result is not compared because its statement was bound too early.
    early: bool,
    /// Whether the beginning of the log was not read.
    late: bool,
}

/// A transaction that is not over.
#[derive(Debug)]
struct Open {
    txn: Txn,
    /// The numbers of its calls.
    numbers: Vec<u64>,
    auto: bool,
    commit: Option<Time>,
    /// The calls whose parameters were bound too early to know what they see.
    early: Vec<u64>,
    /// What was answered in parts so far.
    in_parts: Vec<(Arc<str>, Vec<Json>)>,
}

impl Assembler {
    pub(super) fn new(stamps: FxHashMap<u64, u64>) -> Self {
        Self {
            open: BTreeMap::new(),
            begins: BTreeSet::new(),
            calls: FxHashMap::default(),
            stamps,
            warnings: Vec::new(),
            suspended: false,
            early: false,
            late: false,
        }
    }

    /// The first line that belongs to an open transaction.
    pub(super) fn first_line(&self) -> Option<u64> {
        self.open.values().map(|open| open.txn.line).min()
    }

    /// Lines of transactions that were read before are missing from now on.
    pub(super) fn begin_late(&mut self) {
        self.late = true;
    }

    /// When the oldest open transaction began.
    pub(super) fn oldest(&self) -> Option<Time> {
        self.begins.first().map(|&(begin, _)| begin)
    }

    /// Takes a line, and gives a transaction if it is complete with that.
    pub(super) fn take(
        &mut self,
        line: Line,
        number: u64,
        texts: &mut Texts,
    ) -> Result<Option<Txn>, LineError> {
        if line.call.is_some() {
            self.call(line, number, texts).map(|()| None)
        } else if line.end.is_some() {
            self.end(line).map(|()| None)
        } else if line.finish.is_some() {
            self.finished(&line)
        } else if line.open.or(line.close).or(line.stamp).is_some() || line.note.is_some() {
            Ok(None)
        } else {
            Err(("an unrecognized line".to_owned(), KINDS))
        }
    }

    /// What was known from elsewhere about the place of a transaction.
    pub(super) fn stamp(&self, txn: &mut Txn) {
        txn.stamp = txn.stamp.or_else(|| self.stamps.get(&txn.number).copied());
    }

    /// The log is over: a transaction that is still open has not committed, or its outcome is unknown.
    pub(super) fn finish(&mut self) -> Vec<Txn> {
        if self.suspended {
            self.warnings.push("some results arrived in parts; these are not compared".to_owned());
        }
        if self.early {
            let warning = "some queries were bound long before they were executed; their results are not compared";
            self.warnings.push(warning.to_owned());
        }
        self.begins.clear();
        let open = std::mem::take(&mut self.open);
        let asked = open.into_values().filter(|open| open.commit_call().is_some());
        asked.map(|open| open.close(Outcome::Unknown, NEVER)).collect()
    }

    fn call(&mut self, line: Line, number: u64, texts: &mut Texts) -> Result<(), LineError> {
        let (Some(call), Some(txn), Some(session)) = (line.call, line.txn, line.c) else {
            return Err(("a call without txn and c".to_owned(), CALL));
        };
        let at = line.time().ok_or_else(|| ("a call without at".to_owned(), CALL))?;
        let sql = line.sql.ok_or_else(|| ("a call without sql".to_owned(), CALL))?;
        // A query of PostgreSQL sees the state in which its parameters were bound.
        let bound = line.bound.map_or(at, |bound| bound.min(at));
        let begin = bound.max(at.saturating_sub(LATENESS));
        let open = self.open.entry(txn).or_insert_with(|| {
            self.begins.insert((begin, txn));
            Open::new(txn, session, begin, number)
        });
        open.auto |= line.auto;
        let text = texts.of(&sql);
        if text.commits {
            open.commit = Some(at);
        }
        // Own writes in between are not in that state, and others may be missing from it.
        if bound < begin || open.txn.calls.iter().any(|earlier| earlier.end > bound) && bound < at {
            open.early.push(call);
        }
        open.numbers.push(call);
        open.txn.calls.push(Call {
            control: match line.text_cut {
                true => Control::Unclear,
                false => text.control,
            },
            sql: text.sql,
            params: line.params,
            types: line.types.into(),
            observed: Observed::Nothing,
            begin,
            end: NEVER,
            line: number,
        });
        self.calls.insert(call, txn);
        Ok(())
    }

    fn end(&mut self, mut line: Line) -> Result<(), LineError> {
        let number = line.end.unwrap_or_default();
        let at = line.time().ok_or_else(|| ("an end without at".to_owned(), END))?;
        let Some(called) = self.calls.remove(&number) else {
            if self.late {
                return Ok(());
            }
            return Err((
                format!("the end of statement {number}"),
                "the end of one that was called",
            ));
        };
        let observed = match line.suspended {
            true => Observed::Done,
            false => line.observed().map_err(|found| (found, END))?,
        };
        self.suspended |= line.suspended;
        let Some(mut call) = self.open.get_mut(&called).and_then(|open| open.remove(number)) else {
            return Ok(());
        };
        call.observed = observed;
        call.end = at;
        let txn = line.txn.unwrap_or(called);
        if let Some(open) = self.open.get_mut(&txn) {
            open.join_parts(&mut call, line.suspended);
            if open.early.contains(&number) && matches!(call.observed, Observed::Rows { .. }) {
                call.observed = Observed::Done;
                self.early = true;
            }
        }
        let session = self.open.get(&called).map_or(0, |open| open.txn.session);
        let open = self.open.entry(txn).or_insert_with(|| {
            self.begins.insert((call.begin, txn));
            Open::new(txn, session, call.begin, call.line)
        });
        open.insert(number, call);
        Ok(())
    }

    fn finished(&mut self, line: &Line) -> Result<Option<Txn>, LineError> {
        let number = line.finish.unwrap_or_default();
        let at = line.time().ok_or_else(|| ("a finish without at".to_owned(), FINISH))?;
        let Some(open) = self.open.remove(&number) else { return Ok(None) };
        self.begins.remove(&(open.txn.begin, number));
        let (outcome, end) = match line.outcome.as_deref() {
            Some("committed") => (Outcome::Committed, at),
            Some("aborted") => (Outcome::Aborted, at),
            Some("unknown" | "prepared") => (Outcome::Unknown, NEVER),
            other => return Err((format!("outcome {other:?}"), FINISH)),
        };
        let mut txn = open.close(outcome, end);
        txn.stamp = line.stamp;
        Ok(Some(txn))
    }
}

impl Open {
    fn new(number: u64, session: u64, begin: Time, line: u64) -> Self {
        let outcome = Outcome::Aborted;
        let calls = Vec::new();
        let (commit, end, stamp) = (begin, begin, None);
        let txn = Txn { number, session, begin, commit, end, outcome, stamp, calls, line };
        Self {
            txn,
            numbers: Vec::new(),
            auto: false,
            commit: None,
            early: Vec::new(),
            in_parts: Vec::new(),
        }
    }

    /// Notes whether the answer to a call is only a part of a result: there is more to come, or there was more
    /// before. Only the first part carries the statement out, and parts are not compared.
    fn join_parts(&mut self, call: &mut Call, more: bool) {
        let asked = (Arc::clone(&call.sql), call.params.clone());
        let known = self.in_parts.iter().position(|part| *part == asked);
        if more || known.is_some() {
            call.observed = Observed::Done;
        }
        match known {
            None if more => self.in_parts.push(asked),
            None => {}
            Some(place) => {
                call.control = Control::Other;
                if !more {
                    self.in_parts.swap_remove(place);
                }
            }
        }
    }

    fn remove(&mut self, number: u64) -> Option<Call> {
        let place = self.numbers.iter().position(|&call| call == number)?;
        self.numbers.remove(place);
        Some(self.txn.calls.remove(place))
    }

    /// Puts a call where its number says.
    fn insert(&mut self, number: u64, call: Call) {
        let place = self.numbers.partition_point(|&other| other < number);
        self.numbers.insert(place, number);
        self.txn.calls.insert(place, call);
    }

    /// When a commit was asked for, if it was.
    fn commit_call(&self) -> Option<Time> {
        let last = self.txn.calls.last().map(|call| call.begin);
        self.commit.or(if self.auto { last } else { None })
    }

    fn close(mut self, outcome: Outcome, end: Time) -> Txn {
        self.txn.commit = self.commit_call().unwrap_or(self.txn.begin);
        self.txn.outcome = outcome;
        self.txn.end = end;
        self.txn
    }
}

const KINDS: &str = "one with open, call, end, finish, close, note, stamp, schema, rows or do";
const CALL: &str = "{\"call\":…,\"c\":…,\"txn\":…,\"sql\":…,\"at\":…}";
const END: &str = "{\"end\":…,\"txn\":…,\"rows\":[[…],…],\"at\":…}";
const FINISH: &str = "{\"finish\":…,\"outcome\":\"committed\"|\"aborted\"|\"unknown\",\"at\":…}";
