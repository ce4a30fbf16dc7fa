//! Reads of keys that the reading transaction has written before: did they return that write?
//!
//! From the answer follows which policy a trace is compatible with. It is a guess: a database
//! that never shows own writes looks as if it showed one when another transaction wrote the same value.
//! A wrong guess does not hide much: `may` is right whatever the database does.

use std::borrow::Cow;

use tristan_ground::Threads;
use tristan_history::{History, OwnWrites};

use super::Asg;
use crate::resolution::Resolution;

/// How many reads after an own write there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnReads {
    /// They returned the last own write.
    pub returned: usize,
    /// They returned something else.
    pub other: usize,
}

impl OwnReads {
    /// Counts those of transactions that may have taken effect. The policy that the trace names
    /// does not matter.
    pub fn of(history: &History) -> Self {
        let resolution = Resolution::of(Cow::Borrowed(history));
        Asg::build(&resolution.history, Threads::default()).own_reads
    }

    /// One more.
    pub(super) fn note(&mut self, returned: bool) {
        *(if returned { &mut self.returned } else { &mut self.other }) += 1;
    }

    /// Counts those of other transactions too.
    pub(super) fn add(&mut self, other: Self) {
        self.returned += other.returned;
        self.other += other.other;
    }

    /// Whether there is any.
    pub(crate) fn any(self) -> bool {
        self.returned + self.other > 0
    }

    /// The strictest policy that all of them keep: *must* if each returned the own write,
    /// *external* if none did, else *may*.
    pub fn policy(self) -> OwnWrites {
        match self {
            Self { other: 0, .. } => OwnWrites::Must,
            Self { returned: 0, .. } => OwnWrites::External,
            _ => OwnWrites::May,
        }
    }
}

#[cfg(test)]
mod tests {
    use tristan_history::{HistoryBuilder, Outcome};

    use super::*;

    fn of(write: impl FnOnce(&mut HistoryBuilder)) -> OwnReads {
        let mut builder = HistoryBuilder::default();
        write(&mut builder);
        OwnReads::of(&builder.finish())
    }

    #[test]
    fn own_writes_that_are_read_back_must_be() {
        let reads = of(|builder| {
            builder.begin("a").get("x", None).put("x", 1).get("x", Some(1)).end(Outcome::Committed);
        });
        assert_eq!(reads, OwnReads { returned: 1, other: 0 });
        assert_eq!(reads.policy(), OwnWrites::Must);
    }

    #[test]
    fn own_writes_that_are_never_read_back_are_not_visible() {
        let reads = of(|builder| {
            builder.begin("a").put("x", 1).get("x", None).end(Outcome::Committed);
            builder.begin("b").put("x", 2).get("x", Some(1)).end(Outcome::Unknown);
        });
        assert_eq!(reads, OwnReads { returned: 0, other: 2 });
        assert_eq!(reads.policy(), OwnWrites::External);
    }

    #[test]
    fn some_of_each_may() {
        let reads = of(|builder| {
            builder.begin("a").put("x", 1).get("x", Some(1)).get("x", None).end(Outcome::Committed);
        });
        assert_eq!(reads.policy(), OwnWrites::May);
    }

    #[test]
    fn without_such_reads_the_usual_policy_stays() {
        let reads = of(|builder| {
            builder.begin("a").put("x", 1).get("y", None).end(Outcome::Committed);
            builder.begin("b").put("x", 2).get("x", Some(9)).end(Outcome::Aborted);
        });
        assert!(!reads.any());
        assert_eq!(reads.policy(), OwnWrites::Must);
    }

    #[test]
    fn lists_ranges_and_deletes_count() {
        let lists = of(|builder| {
            builder.begin("a").append("l", 1).list("l", &[1]).end(Outcome::Committed);
        });
        assert_eq!(lists, OwnReads { returned: 1, other: 0 });
        let ranges = of(|builder| {
            let txn = builder.begin("a").put("x", 1).put("y", 2);
            txn.scan("a".."z", &[("x", 1)]).end(Outcome::Committed);
        });
        assert_eq!(ranges, OwnReads { returned: 1, other: 1 });
        let deletes = of(|builder| {
            builder.begin("a").put("x", 1).delete("x").get("x", None).end(Outcome::Committed);
        });
        assert_eq!(deletes, OwnReads { returned: 1, other: 0 });
    }
}
