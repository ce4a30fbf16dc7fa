//! Reads Viper's logs. Transactions are numbered file by file and named after file and line.

use std::collections::BTreeMap;

use super::initial::{Meaning, Values};
use super::line::{Item, Seen, Step, TxnLine, parse};
use crate::TraceError;
use crate::error::ContentError;
use crate::folder::{Folder, Part};
use crate::lines::Lines;
use crate::milliseconds::{LATEST, earliest, latest};
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, Items, KeyId, Observed, Op, OpKind, OpRef, OpStatus,
    Outcome, Range, SourceHint, Span, Times, Txn, TxnId,
};

/// Reads a whole trace.
pub(crate) fn read(folder: &Folder) -> Result<History, TraceError> {
    let mut entries = Vec::new();
    for part in folder.parts() {
        entries_of(part, &mut entries)?;
    }
    let (initial, txns): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| entry.line.is_initial);
    if txns.is_empty() {
        return Err(TraceError::content(folder.name(), 1, "no transactions", "a transaction"));
    }
    let mut values = Values::default();
    initial.iter().for_each(|entry| values.write(None, &entry.line));
    for (number, entry) in txns.iter().enumerate() {
        values.write(Some(TxnId::new(number)), &entry.line);
    }
    txns.iter().for_each(|entry| values.guess(&entry.line));
    let mut reader = Reader { builder: HistoryBuilder::default(), values };
    txns.iter().for_each(|entry| reader.txn(entry));
    Ok(reader.finish())
}

/// A line of a file.
struct Entry<'a> {
    part: &'a Part,
    number: u32,
    line: TxnLine,
    begin: Span,
    end: Span,
}

fn entries_of<'a>(part: &'a Part, entries: &mut Vec<Entry<'a>>) -> Result<(), TraceError> {
    let mut lines = Lines::new(part.open()?, &part.name);
    lines.each(|number, text| {
        let line = parse(text)?;
        let (begin, end) = times(&line)?;
        entries.push(Entry { part, number, line, begin, end });
        Ok(())
    })?;
    Ok(())
}

/// When a transaction began and ended.
fn times(line: &TxnLine) -> Result<(Span, Span), ContentError> {
    let all = [
        ("preBeginTS", line.before_begin),
        ("postBeginTS", line.after_begin),
        ("preCommitTS", line.before_commit),
        ("postCommitTS", line.after_commit),
    ];
    let mut clock = 0;
    for (name, time) in all {
        let Some(time) = time.filter(|time| *time > 0) else { continue };
        if time > LATEST {
            let found = format!("\"{name}\" {time}");
            return Err(ContentError::new(found, "milliseconds since 1970"));
        }
        if time < clock {
            return Err(ContentError::new(
                format!("\"{name}\" {time}"),
                format!("none before {clock}"),
            ));
        }
        clock = time;
    }
    let span = |call: Option<i64>, ret: Option<i64>| Span {
        call: call.filter(|time| *time > 0).map(earliest),
        ret: ret.filter(|time| *time > 0).map(latest),
    };
    let begin = span(line.before_begin, line.after_begin);
    Ok((begin, span(line.before_commit, line.after_commit)))
}

struct Reader {
    builder: HistoryBuilder,
    values: Values,
}

/// The operation that comes next, and the line it is on.
#[derive(Clone, Copy)]
struct Place {
    op: OpRef,
    line: u32,
}

impl Reader {
    fn txn(&mut self, entry: &Entry<'_>) {
        let session = self.builder.session(entry.part.stem.as_str());
        let txn = self.builder.add_txn(Txn {
            name: Some(Box::new(Datum::Text(
                format!("{}:{}", entry.part.stem, entry.number).into(),
            ))),
            times: Times { begin: entry.begin, end: entry.end }.kept(),
            lines: (entry.number, entry.number),
            ..Txn::new(session, Outcome::Committed)
        });
        for step in &entry.line.value {
            self.step(txn, entry.number, step);
        }
    }

    fn step(&mut self, txn: TxnId, line: u32, step: &Step) {
        let op = self.builder.history_mut().txn(txn).op_count;
        let place = Place { op: OpRef { txn, op }, line };
        match step {
            Step::Read { key, seen } => self.get(place, key, seen),
            Step::Write { key, value, done } => self.put(place, key, value, *done),
            Step::Insert { key, value, seen, done: true } => {
                let (id, seen) = self.seen(place, key, seen);
                let value = self.builder.value(value.clone());
                self.push(place, OpKind::ReadModifyWrite { key: id, seen, value }, true);
            }
            Step::Insert { key, value, seen, done: false } => {
                self.get(place, key, seen);
                self.put(place, key, value, false);
            }
            Step::Delete { key, seen, done, .. } => {
                self.get(place, key, seen);
                let key = self.builder.key(key.clone());
                self.push(place, OpKind::Delete { key, rows: None }, *done);
            }
            Step::Range { from, to, live, dead } => {
                let hi = to.as_ref().map(after);
                let range = Box::new(Range { lo: from.clone(), hi, reverse: false });
                let items = self.items(place, live, dead);
                self.push(place, OpKind::Scan { range, items: Some(items), locking: false }, true);
            }
            Step::Commit => {}
        }
    }

    fn push(&mut self, place: Place, kind: OpKind, done: bool) {
        let status = if done { OpStatus::Done } else { OpStatus::Failed };
        self.builder.push_op(Op { kind, status, line: place.line });
    }

    fn get(&mut self, place: Place, key: &Datum, seen: &Seen) {
        let (key, seen) = self.seen(place, key, seen);
        self.push(place, OpKind::Get { key, seen, locking: false }, true);
    }

    fn put(&mut self, place: Place, key: &Datum, value: &Datum, done: bool) {
        let kind = OpKind::Put {
            key: self.builder.key(key.clone()),
            value: self.builder.value(value.clone()),
        };
        self.push(place, kind, done);
    }

    /// What a read of one key has seen, with a hint if that was a tombstone.
    fn seen(&mut self, place: Place, key: &Datum, seen: &Seen) -> (KeyId, Observed) {
        let meaning = self.values.meaning(key, seen);
        let key = self.builder.key(key.clone());
        match meaning {
            Meaning::Value(value) => (key, Observed::Value(self.builder.value(value))),
            Meaning::Absent(from) => {
                // What a transaction deleted itself has no other source.
                if let Some(from) = from.filter(|from| *from != Some(place.op.txn)) {
                    let hint = SourceHint { op: place.op, key, from, line: place.line };
                    self.builder.history_mut().hints.sources.push(hint);
                }
                (key, Observed::Absent)
            }
        }
    }

    /// The rows that a range read returned; tombstones are none, unless something is wrong.
    fn items(&mut self, place: Place, live: &[Item], dead: &[Item]) -> Items {
        let live = live.iter().map(|row| (&row.id, Seen::Live(row.val.clone())));
        let dead = dead.iter().map(|row| (&row.id, Seen::Dead(row.val.clone())));
        live.chain(dead)
            .filter_map(|(key, seen)| match self.seen(place, key, &seen) {
                (key, Observed::Value(value)) => Some((key, value)),
                _ => None,
            })
            .collect()
    }

    fn finish(self) -> History {
        let Self { mut builder, values } = self;
        let values = values.initial_values();
        let pairs = values.into_iter();
        let given: BTreeMap<_, _> = pairs
            .map(|(key, value)| (builder.key(key.clone()), builder.value(value.clone())))
            .collect();
        if !given.is_empty() {
            builder.history_mut().header.initial = Initial::Given(given);
        }
        builder.finish()
    }
}

/// The first key after another one: bounds of ranges are included here, and excluded in the model.
fn after(key: &Datum) -> Datum {
    match key {
        Datum::Int(number) if *number < u64::MAX.into() => Datum::Int(number + 1),
        Datum::Int(_) => "".into(),
        Datum::Text(text) => Datum::Text(format!("{text}\0").into()),
        Datum::Bytes(bytes) => Datum::Bytes(bytes.iter().copied().chain([0]).collect()),
        Datum::Json(json) => Datum::Json(json.clone()),
    }
}
