//! What one transaction was promised, where transactions of several levels share a database.
//!
//! The four promises are Adya's PL-1, PL-2, PL-2.99 and PL-3, each stronger than the one
//! before: a transaction that was promised one of them was promised all weaker ones.

use crate::Set;
use crate::iso::Library;
use crate::names::{self, Nameable};

/// The level of one transaction, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Promise {
    /// PL-1: its reads may be dirty.
    ReadUncommitted,
    /// PL-2: what it reads was committed.
    ReadCommitted,
    /// PL-2.99: and the items it read do not change until it commits.
    RepeatableRead,
    /// PL-3: and neither do the ranges.
    Serializable,
}

impl Promise {
    /// All promises, weakest first.
    pub const ALL: [Self; 4] =
        [Self::ReadUncommitted, Self::ReadCommitted, Self::RepeatableRead, Self::Serializable];

    /// The promise that a name or an alias of a level stands for, whatever its letter case and
    /// with spaces or underscores for hyphens; `None` if it is none of the four.
    pub fn named(name: &str) -> Option<Self> {
        let wanted = names::normal(name);
        let level = Library::standard().definitions().find(|level| level.is_named(&wanted))?;
        Self::ALL.into_iter().find(|promise| promise.name() == level.name())
    }

    /// The name of the level.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadUncommitted => "read-uncommitted",
            Self::ReadCommitted => "read-committed",
            Self::RepeatableRead => "repeatable-read",
            Self::Serializable => "serializable",
        }
    }

    /// Whether a transaction with this promise is in a set of the promised.
    pub fn is_in(self, set: Set) -> bool {
        set.least_promise().is_some_and(|least| self >= least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_promise_is_understood() {
        for (name, promise) in [
            ("READ UNCOMMITTED", Promise::ReadUncommitted),
            ("pl-1", Promise::ReadUncommitted),
            ("Read_Committed", Promise::ReadCommitted),
            ("rc", Promise::ReadCommitted),
            (" repeatable read ", Promise::RepeatableRead),
            ("PL-2.99", Promise::RepeatableRead),
            ("SERIALIZABLE", Promise::Serializable),
            ("ser", Promise::Serializable),
        ] {
            assert_eq!(Promise::named(name), Some(promise), "{name}");
        }
        for name in ["", "snapshot isolation", "mixed", "strong-serializable"] {
            assert_eq!(Promise::named(name), None, "{name}");
        }
    }

    #[test]
    fn stronger_promises_are_in_more_sets() {
        let sets = [Set::Committed, Set::Repeatable, Set::Serializable];
        for (promise, count) in Promise::ALL.into_iter().zip(0..) {
            assert_eq!(Promise::named(promise.name()), Some(promise));
            assert_eq!(sets.iter().filter(|set| promise.is_in(**set)).count(), count);
            assert!(!promise.is_in(Set::Readers) && !promise.is_in(Set::Writers));
        }
    }
}
