//! The names of promises: each promise is a level of the library and has all of its names.

use crate::Promise;
use crate::iso::Library;
use crate::names::{self, Nameable};

impl Promise {
    /// The promise that a name or an alias of a level stands for, whatever its letter case and
    /// with spaces or underscores for hyphens; `None` if it is none of the four.
    pub fn named(name: &str) -> Option<Self> {
        let wanted = names::normal(name);
        let level = Library::standard().definitions().find(|level| level.is_named(&wanted))?;
        Self::ALL.into_iter().find(|promise| promise.name() == level.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Set;

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
