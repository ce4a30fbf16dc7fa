//! Abstract histories as histories that clients could have seen.
//!
//! The version that transaction 3 wrote has the value 3. Every transaction reads first, in the
//! order of the abstract history, and writes afterwards. Keys start absent. If the abstract history
//! says when things happened, begins and commits are moments on one clock.

use tristan_history::{
    History, HistoryBuilder, Observed, Op, OpKind, OpStatus, Outcome, Span, Txn,
};

use crate::history::{AbstractHistory, AbstractTxn, Event};

impl AbstractHistory {
    /// A history of clients that is this one. Its transactions have the numbers they have here, as
    /// long as these go along with the order within sessions.
    pub fn to_native(&self) -> History {
        let mut builder = HistoryBuilder::default();
        for number in 1..=self.txns.len() {
            self.add_txn(&mut builder, number);
        }
        builder.finish()
    }

    fn add_txn(&self, builder: &mut HistoryBuilder, number: usize) {
        let Some(txn) = self.txn(number) else { return };
        let place = self.sessions.iter().position(|session| session.contains(&number));
        // A transaction of no session gets one of its own.
        let session = place.unwrap_or(self.sessions.len() + number);
        let session = builder.session(as_int(session));
        let mut record = Txn::new(session, Outcome::Committed);
        record.level = txn.promise.map(|promise| promise.name().into());
        if !self.events.is_empty() {
            record.times_mut().begin = self.moment(Event::Begin(number));
            record.times_mut().end = self.moment(Event::Commit(number));
        }
        let kinds = self.kinds_of(builder, txn, number);
        builder.add_txn(record);
        for kind in kinds {
            builder.push_op(Op { kind, status: OpStatus::Done, line: 0 });
        }
    }

    fn moment(&self, event: Event) -> Span {
        let at = self.events.iter().position(|&other| other == event).map(as_int);
        Span { call: at, ret: at }
    }

    fn kinds_of(
        &self,
        builder: &mut HistoryBuilder,
        txn: &AbstractTxn,
        number: usize,
    ) -> Vec<OpKind> {
        let mut kinds = Vec::new();
        for read in &txn.reads {
            let key = builder.key(self.keys[read.key].as_str());
            let seen = match read.from {
                0 => Observed::Absent,
                writer => Observed::Value(builder.value(as_int(writer))),
            };
            kinds.push(OpKind::Get { key, seen, locking: false });
        }
        for &key in &txn.writes {
            let key = builder.key(self.keys[key].as_str());
            let value = builder.value(as_int(number));
            kinds.push(OpKind::Put { key, value });
        }
        kinds
    }
}

fn as_int(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
