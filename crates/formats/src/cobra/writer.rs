//! Writes a history as Cobra's logs, leaving out what they have no records for.

use std::io::{self, Write};
use std::path::Path;

use super::codes::Codes;
use super::marks::Mark;
use super::names::Names;
use super::plan::{Named, Place, Plan, Source};
use super::write_ids::WriteIds;
use crate::folder::write_part;
use tristan_history::{History, KeyId, Outcome, TxnId, ValueId};

/// Writes one file per session into a folder that is there and empty.
pub(crate) fn write(history: &History, folder: &Path) -> io::Result<()> {
    let writer = Writer::new(history);
    for (session, file) in history.sessions.iter().zip(&writer.names.files) {
        if !session.txns.is_empty() {
            let txns = session.txns.iter();
            write_part(folder, &format!("{file}.log"), |out| {
                txns.copied().try_for_each(|txn| writer.txn(txn, out))
            })?;
        }
    }
    Ok(())
}

struct Writer<'a> {
    history: &'a History,
    plan: Plan,
    names: Names,
    keys: Codes,
    values: Codes,
    writes: WriteIds,
}

impl<'a> Writer<'a> {
    fn new(history: &'a History) -> Self {
        let plan = Plan::of(history);
        let (keys, values) = (Codes::of(history.keys.iter()), Codes::of(history.values.iter()));
        let writes = WriteIds::of(&plan.steps, &values);
        Self { history, plan, names: Names::of(history), keys, values, writes }
    }

    fn txn(&self, txn: TxnId, out: &mut impl Write) -> io::Result<()> {
        let id = self.names.txns[txn.index()];
        record(out, b'S', &[id])?;
        for (step, named) in self.plan.steps[txn.index()].iter().enumerate() {
            match named {
                Named::Write { key, value } => {
                    self.write(Place { txn, step: step as u32 }, *key, *value, out)?;
                }
                Named::Read { key, from } => self.read(*key, *from, out)?,
            }
        }
        let committed = match self.history.txn(txn).outcome {
            Outcome::Committed => true,
            Outcome::Aborted => false,
            Outcome::Unknown => self.plan.observed.contains(&txn),
        };
        record(out, if committed { b'C' } else { b'A' }, &[id])
    }

    fn write(
        &self,
        place: Place,
        key: KeyId,
        value: Option<ValueId>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (write, content) = match value {
            None => (Mark::Deleted.id(), 0),
            Some(value) => (self.write_id(place, value), self.values.get(value.0)),
        };
        record(out, b'W', &[write, self.keys.get(key.0), content])
    }

    fn read(&self, key: KeyId, from: Source, out: &mut impl Write) -> io::Result<()> {
        let twice = |mark: Mark| (mark.id(), mark.id());
        let ((writer, write), content) = match from {
            Source::Initial => (twice(Mark::Initial), 0),
            Source::Absent => (twice(Mark::Absent), 0),
            Source::Deleted(None) => (twice(Mark::Deleted), 0),
            Source::Deleted(Some(txn)) => ((self.names.txns[txn.index()], Mark::Deleted.id()), 0),
            Source::Write(_, value) | Source::Unwritten(value) if self.plan.anonymous => {
                (twice(Mark::Anonymous), self.values.get(value.0))
            }
            Source::Write(place, value) => {
                let writer = self.names.txns[place.txn.index()];
                ((writer, self.write_id(place, value)), self.values.get(value.0))
            }
            Source::Unwritten(value) => (
                (self.names.unwritten, self.writes.of_unwritten(self.values.get(value.0))),
                self.values.get(value.0),
            ),
        };
        record(out, b'R', &[writer, write, self.keys.get(key.0), content])
    }

    fn write_id(&self, place: Place, value: ValueId) -> u64 {
        match self.plan.anonymous {
            true => Mark::Anonymous.id(),
            false => self.writes.of_write(place, self.values.get(value.0)),
        }
    }
}

fn record(out: &mut impl Write, tag: u8, numbers: &[u64]) -> io::Result<()> {
    out.write_all(&[tag])?;
    numbers.iter().try_for_each(|number| out.write_all(&number.to_be_bytes()))
}
