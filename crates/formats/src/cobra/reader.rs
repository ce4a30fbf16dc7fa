//! Reads Cobra's logs. Transactions are numbered file by file.

use std::collections::BTreeMap;

use super::index::{Index, Log, Seen};
use super::records::{self, Access, LoggedOp, LoggedTxn};
use crate::TraceError;
use crate::folder::{Folder, Part};
use crate::milliseconds::{earliest, latest};
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, KeyId, Observed, Op, OpKind, OpRef, OpStatus, Outcome,
    SourceHint, Span, Times, Txn, TxnId, ValueId,
};

/// The value of a key that was loaded before the run.
const INITIAL: &str = "init";

/// Reads a whole trace.
pub(crate) fn read(folder: &Folder) -> Result<History, TraceError> {
    let logs: Vec<Log<'_>> = folder.parts().iter().map(log).collect::<Result<_, _>>()?;
    if logs.iter().all(|log| log.txns.is_empty()) {
        let found = "no transactions";
        return Err(TraceError::bytes(folder.name(), 0, found, "a transaction"));
    }
    let index = Index::of(&logs)?;
    let mut reader = Reader { index, builder: HistoryBuilder::default(), given: BTreeMap::new() };
    logs.iter().for_each(|log| reader.log(log));
    Ok(reader.finish())
}

fn log(part: &Part) -> Result<Log<'_>, TraceError> {
    let txns = records::parse(&part.bytes()?, &part.name)?;
    Ok(Log { part, txns })
}

struct Reader {
    index: Index,
    builder: HistoryBuilder,
    /// What keys were loaded with.
    given: BTreeMap<KeyId, ValueId>,
}

impl Reader {
    fn log(&mut self, log: &Log<'_>) {
        for (place, txn) in log.txns.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| &log.txns[before]);
            let id = self.txn(&log.part.stem, txn, before, log.txns.get(place + 1));
            for (number, op) in txn.ops.iter().enumerate() {
                let kind = self.op(OpRef { txn: id, op: number as u32 }, op);
                self.builder.push_op(Op { kind, status: OpStatus::Done, line: op.record });
            }
        }
    }

    fn txn(
        &mut self,
        stem: &str,
        txn: &LoggedTxn,
        before: Option<&LoggedTxn>,
        after: Option<&LoggedTxn>,
    ) -> TxnId {
        let session = self.builder.session(stem);
        let outcome = if txn.committed { Outcome::Committed } else { Outcome::Aborted };
        let begin = Span {
            call: before.and_then(|before| before.ending).map(earliest),
            ret: txn.begun.map(latest),
        };
        let end = Span {
            call: txn.ending.map(earliest),
            ret: after.and_then(|after| after.begun).map(latest),
        };
        self.builder.add_txn(Txn {
            name: Some(Box::new(Datum::Text(format!("{:x}", txn.id).into()))),
            times: Times { begin, end }.kept(),
            lines: txn.records,
            ..Txn::new(session, outcome)
        })
    }

    fn op(&mut self, place: OpRef, op: &LoggedOp) -> OpKind {
        let key = self.builder.key(Datum::Int(op.key.into()));
        match op.access {
            Access::Write { write } => match self.index.written(write, op.content) {
                Some(value) => OpKind::Put { key, value: self.builder.value(value) },
                None => OpKind::Delete { key, rows: None },
            },
            Access::Read { writer, write } => {
                let seen = self.index.seen(writer, write, op);
                let seen = self.observed(place, key, seen, op.record);
                OpKind::Get { key, seen, locking: false }
            }
        }
    }

    /// What a read saw, with a hint on where it came from.
    fn observed(&mut self, op: OpRef, key: KeyId, seen: Seen, line: u32) -> Observed {
        let (observed, from) = match seen {
            Seen::Initial => {
                let value = self.builder.value(INITIAL);
                self.given.insert(key, value);
                (Observed::Value(value), Some(None))
            }
            Seen::Absent(from) => (Observed::Absent, from.map(Some)),
            Seen::Value(value, from) => {
                (Observed::Value(self.builder.value(value)), from.map(Some))
            }
        };
        // What a transaction wrote itself has no other source.
        if let Some(from) = from.filter(|from| *from != Some(op.txn)) {
            let hint = SourceHint { op, key, from, line };
            self.builder.history_mut().hints.sources.push(hint);
        }
        observed
    }

    fn finish(mut self) -> History {
        if !self.given.is_empty() {
            self.builder.history_mut().header.initial = Initial::Given(self.given);
        }
        self.builder.finish()
    }
}
