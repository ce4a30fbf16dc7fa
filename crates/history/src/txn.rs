//! Transactions. There may be very many, so what most traces do not say takes little room.

use crate::{Datum, SessionId};

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The client saw the commit succeed.
    Committed,
    /// The client aborted it, or saw it fail.
    Aborted,
    /// It may or may not have committed.
    Unknown,
}

/// When a call was made and when it returned, in nanoseconds; `None` where not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Taken before the call.
    pub call: Option<i64>,
    /// Taken after the return.
    pub ret: Option<i64>,
}

/// When a transaction began and ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// When it began. `begin.call` is a lower bound of the true begin, `begin.ret` an upper bound.
    pub begin: Span,
    /// When it ended (commit or abort). `end.call` bounds the commit instant from below,
    /// `end.ret` from above.
    pub end: Span,
}

impl Times {
    /// Kept only if it says anything.
    pub fn kept(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

/// One transaction.
#[derive(Clone, Debug)]
pub struct Txn {
    /// The session that issued it.
    pub session: SessionId,
    /// The name in the trace, if it has one; people see this, the engine never does.
    pub name: Option<Box<Datum>>,
    /// Whether it committed.
    pub outcome: Outcome,
    /// First operation in [`History::ops`](crate::History::ops).
    pub first_op: u32,
    /// Number of operations.
    pub op_count: u32,
    /// First and last line of the trace that speak of it.
    pub lines: (u32, u32),
    /// When it ran, if the trace says so; see [`Txn::begin`] and [`Txn::end`].
    pub times: Option<Box<Times>>,
    /// The isolation level it asked for, if the trace says so.
    pub level: Option<Box<str>>,
    /// The error that ended it, if the trace says so.
    pub error: Option<Box<str>>,
}

impl Txn {
    /// A transaction of which nothing else is known.
    pub fn new(session: SessionId, outcome: Outcome) -> Self {
        Self {
            session,
            name: None,
            outcome,
            first_op: 0,
            op_count: 0,
            lines: (0, 0),
            times: None,
            level: None,
            error: None,
        }
    }
}

impl Txn {
    /// When it began.
    pub fn begin(&self) -> Span {
        self.times.as_ref().map_or_else(Span::default, |times| times.begin)
    }

    /// When it ended.
    pub fn end(&self) -> Span {
        self.times.as_ref().map_or_else(Span::default, |times| times.end)
    }

    /// When it began and ended, to say so.
    pub fn times_mut(&mut self) -> &mut Times {
        self.times.get_or_insert_default()
    }

    /// The latest instant at which the transaction can have begun, if recorded.
    pub fn begun_by(&self) -> Option<i64> {
        self.begin().ret.or(self.end().call).or(self.ended_by())
    }

    /// The earliest instant at which the transaction can have taken effect, if recorded.
    pub fn ended_from(&self) -> Option<i64> {
        self.end().call.or(self.begin().ret).or(self.begin().call)
    }

    /// The latest instant at which the transaction can have taken effect. There is none for a
    /// transaction of unknown outcome: its commit may take effect long after the client gave up.
    pub fn ended_by(&self) -> Option<i64> {
        self.end().ret.filter(|_| self.outcome == Outcome::Committed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;

    #[test]
    fn there_is_room_for_many() {
        assert_eq!(size_of::<Txn>(), 72);
        assert_eq!(size_of::<Op>(), 32);
    }
}
