//! Traces that list one session after the other, and its transactions in order.
//!
//! Nothing has a name there. A session is called by its place in the list, and a transaction
//! by both places: `s3t17` is the transaction at place 17 of the session at place 3. Places are
//! counted from 0.

use tristan_history::{
    Datum, History, HistoryBuilder, Initial, Observed, Op, OpKind, OpStatus, Outcome, Txn,
};

/// A read or a write of one key.
pub(crate) enum Event {
    /// `None` is a read that found nothing.
    Read(Datum, Option<Datum>),
    Write(Datum, Datum),
}

/// A trace being read.
#[derive(Default)]
pub(crate) struct Listed {
    builder: HistoryBuilder,
    session: usize,
    place: usize,
}

impl Listed {
    /// Begins a transaction of the session at hand.
    pub(crate) fn begin(&mut self, line: u32) {
        let session = self.builder.session(Datum::Int(self.session as i128));
        self.builder.add_txn(Txn {
            name: Some(Box::new(place_name(self.session, self.place))),
            lines: (line, line),
            ..Txn::new(session, Outcome::Unknown)
        });
        self.place += 1;
    }

    /// Adds an event to the transaction begun last.
    pub(crate) fn event(&mut self, event: Event, line: u32) {
        let kind = match event {
            Event::Read(key, None) => self.get(key, Observed::Absent),
            Event::Read(key, Some(value)) => {
                let seen = Observed::Value(self.builder.value(value));
                self.get(key, seen)
            }
            Event::Write(key, value) => self.put(key, value),
        };
        self.builder.push_op(Op { kind, status: OpStatus::Done, line });
    }

    /// Adds an event that did not take place: it neither saw nor did anything.
    pub(crate) fn failed(&mut self, event: Event, line: u32) {
        let kind = match event {
            Event::Read(key, _) => self.get(key, Observed::Unknown),
            Event::Write(key, value) => self.put(key, value),
        };
        self.builder.push_op(Op { kind, status: OpStatus::Failed, line });
    }

    fn get(&mut self, key: Datum, seen: Observed) -> OpKind {
        OpKind::Get { key: self.builder.key(key), seen, locking: false }
    }

    fn put(&mut self, key: Datum, value: Datum) -> OpKind {
        OpKind::Put { key: self.builder.key(key), value: self.builder.value(value) }
    }

    /// Ends the transaction begun last.
    pub(crate) fn end(&mut self, committed: bool, line: u32) {
        if let Some(txn) = self.builder.history_mut().txns.last_mut() {
            txn.outcome = if committed { Outcome::Committed } else { Outcome::Aborted };
            txn.lines.1 = line.max(txn.lines.0);
        }
    }

    /// Goes on to the next session. One without transactions leaves no trace but its place.
    pub(crate) fn next_session(&mut self) {
        self.session += 1;
        self.place = 0;
    }

    /// Names the database that was observed, unless the name is empty.
    pub(crate) fn database(&mut self, name: String) {
        self.builder.history_mut().header.database = Some(name).filter(|name| !name.is_empty());
    }

    /// States that every key starts with a value.
    pub(crate) fn every_key_starts_with(&mut self, value: Datum) {
        let value = self.builder.value(value);
        self.builder.history_mut().header.initial = Initial::Uniform(value);
    }

    /// The finished history.
    pub(crate) fn finish(self) -> History {
        self.builder.finish()
    }
}

/// What a transaction is called by its place.
pub(crate) fn place_name(session: usize, place: usize) -> Datum {
    Datum::Text(format!("s{session}t{place}").into())
}
