//! What all files of a trace say together: who wrote what, and which ids are taken.
//!
//! The writer of a value may be in any file, so reads are understood only when all files have
//! been seen. Ids that contradict each other are errors here: a trace with them says nothing
//! certain about what was read.

use rustc_hash::{FxHashMap, FxHashSet};

use super::marks::Mark;
use super::records::{Access, LoggedOp, LoggedTxn};
use crate::TraceError;
use crate::folder::Part;
use tristan_history::{Datum, TxnId};

/// One file and its transactions.
pub(super) struct Log<'a> {
    pub(super) part: &'a Part,
    pub(super) txns: Vec<LoggedTxn>,
}

/// A read, understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The value from before the run.
    Initial,
    /// Nothing; by whose delete, if the log says so.
    Absent(Option<TxnId>),
    /// A value, and whose it is, if a transaction in the logs wrote it.
    Value(Datum, Option<TxnId>),
}

/// Everything that was written, by id.
#[derive(Default)]
pub(super) struct Index {
    txns: FxHashMap<u64, TxnId>,
    writes: FxHashMap<u64, Written>,
    /// Keys whose value from before the run was read.
    initial: FxHashSet<u64>,
    /// Whether ids of writes were left out; unknown before the first one.
    anonymous: Option<bool>,
}

/// A write with an id.
struct Written {
    txn: u64,
    key: u64,
    content: u64,
}

/// What is wrong with a record: what was found, and what was expected.
type RecordError = (String, String);

impl Index {
    /// Looks at all transactions, in the order in which they get their numbers.
    pub(super) fn of(logs: &[Log<'_>]) -> Result<Self, TraceError> {
        let mut index = Self::default();
        for log in logs {
            for txn in &log.txns {
                index.txn(txn).map_err(|wrong| complain(log, txn.offset, wrong))?;
                for op in &txn.ops {
                    index.op(txn.id, op).map_err(|wrong| complain(log, op.offset, wrong))?;
                }
            }
        }
        Ok(index)
    }

    /// What a write wrote; `None` for a delete.
    pub(super) fn written(&self, write: u64, content: u64) -> Option<Datum> {
        match Mark::of(write) {
            Some(Mark::Deleted) => None,
            Some(_) => Some(Datum::Int(content.into())),
            None => Some(Datum::Int(write.into())),
        }
    }

    /// What a read saw.
    pub(super) fn seen(&self, writer: u64, write: u64, op: &LoggedOp) -> Seen {
        match Mark::of(write) {
            Some(Mark::Absent) if self.initial.contains(&op.key) => Seen::Initial,
            Some(Mark::Absent) => Seen::Absent(None),
            Some(Mark::Initial) => Seen::Initial,
            Some(Mark::Deleted) => Seen::Absent(self.txns.get(&writer).copied()),
            Some(_) => Seen::Value(Datum::Int(op.content.into()), None),
            None => self.named(writer, write, op),
        }
    }

    /// What a read saw that names a write by its id.
    fn named(&self, writer: u64, write: u64, op: &LoggedOp) -> Seen {
        let other = match self.writes.get(&write) {
            None => return Seen::Value(Datum::Int(write.into()), None),
            Some(written) if written.key != op.key => "another key",
            Some(written) if written.txn != writer => "another transaction",
            Some(written) if written.content != op.content => "another content",
            Some(_) => {
                return Seen::Value(Datum::Int(write.into()), self.txns.get(&writer).copied());
            }
        };
        Seen::Value(Datum::Text(format!("{write} with {other}").into()), None)
    }

    fn txn(&mut self, txn: &LoggedTxn) -> Result<(), RecordError> {
        if let Some(mark) = Mark::of(txn.id) {
            let found = format!("{} as the id of a transaction", mark.name());
            return Err((found, "another number".to_owned()));
        }
        let number = TxnId::new(self.txns.len());
        match self.txns.insert(txn.id, number) {
            None => Ok(()),
            Some(_) => Err((format!("transaction {:x} again", txn.id), "a unique id".to_owned())),
        }
    }

    fn op(&mut self, txn: u64, op: &LoggedOp) -> Result<(), RecordError> {
        match op.access {
            Access::Write { write } => self.write(txn, write, op),
            Access::Read { writer, write } => self.read(writer, write, op),
        }
    }

    fn write(&mut self, txn: u64, write: u64, op: &LoggedOp) -> Result<(), RecordError> {
        match Mark::of(write) {
            Some(Mark::Deleted) => return Ok(()),
            Some(Mark::Anonymous) => return self.is_anonymous(true, write),
            Some(mark) => {
                let found = format!("{} as the id of a write", mark.name());
                return Err((found, "another number".to_owned()));
            }
            None => self.is_anonymous(false, write)?,
        }
        let written = Written { txn, key: op.key, content: op.content };
        match self.writes.insert(write, written) {
            None => Ok(()),
            Some(_) => Err((format!("write {write} again"), "a unique id".to_owned())),
        }
    }

    fn read(&mut self, writer: u64, write: u64, op: &LoggedOp) -> Result<(), RecordError> {
        match (Mark::of(writer), Mark::of(write)) {
            (Some(Mark::Initial), Some(Mark::Initial)) => {
                self.initial.insert(op.key);
                Ok(())
            }
            (Some(Mark::Absent), Some(Mark::Absent)) => Ok(()),
            (None | Some(Mark::Deleted), Some(Mark::Deleted)) => Ok(()),
            (Some(Mark::Anonymous), Some(Mark::Anonymous)) => self.is_anonymous(true, write),
            (None, None) => self.is_anonymous(false, write),
            (_, Some(mark @ (Mark::Missing | Mark::CollectorBegins | Mark::CollectorEnds))) => {
                let expected = "the log of a run without garbage collection";
                Err((format!("a read of {}", mark.name()), expected.to_owned()))
            }
            (from, what) => {
                let name = |mark: Option<Mark>, id| {
                    mark.map_or_else(|| format!("id {id:x}"), |mark| mark.name().to_owned())
                };
                let found = format!("{} from {}", name(what, write), name(from, writer));
                Err((found, "ids of a transaction and its write, or one mark twice".to_owned()))
            }
        }
    }

    /// Ids are left out everywhere or nowhere.
    fn is_anonymous(&mut self, left_out: bool, write: u64) -> Result<(), RecordError> {
        match *self.anonymous.get_or_insert(left_out) {
            before if before == left_out => Ok(()),
            true => Err((format!("write {write}"), "an anonymous one, as before".to_owned())),
            false => Err(("an anonymous write".to_owned(), "an id, as before".to_owned())),
        }
    }
}

fn complain(log: &Log<'_>, offset: u64, (found, expected): RecordError) -> TraceError {
    TraceError::bytes(&log.part.name, offset, &found, &expected)
}
