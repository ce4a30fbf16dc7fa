//! An id for every write. Values serve as ids if each of them is written only once in the whole
//! trace, as in a trace that was read from such logs; else writes are numbered.

use rustc_hash::{FxHashMap, FxHashSet};

use super::codes::Codes;
use super::marks::Mark;
use super::plan::{Named, Place};
use tristan_history::TxnId;

/// How a log identifies its writes.
pub(super) enum WriteIds {
    /// The codes of the values.
    Values {
        /// An id that no write has.
        free: u64,
    },
    /// Numbers.
    Numbers {
        ids: FxHashMap<Place, u64>,
        /// An id that no write has.
        free: u64,
    },
}

impl WriteIds {
    /// Gives ids to all writes, by transaction.
    pub(super) fn of(steps: &[Vec<Named>], values: &Codes) -> Self {
        let mut codes = FxHashSet::default();
        let mut once = true;
        let mut ids = FxHashMap::default();
        let mut numbers = (1..).filter(|id| Mark::of(*id).is_none());
        for (txn, steps) in steps.iter().enumerate() {
            for (step, named) in steps.iter().enumerate() {
                let Named::Write { value: Some(value), .. } = named else { continue };
                let code = values.get(value.0);
                once &= codes.insert(code) && Mark::of(code).is_none();
                let place = Place { txn: TxnId::new(txn), step: step as u32 };
                ids.insert(place, numbers.next().unwrap_or_default());
            }
        }
        match once {
            true => {
                let free = |id: &u64| !codes.contains(id) && Mark::of(*id).is_none();
                Self::Values { free: (1..).find(free).unwrap_or_default() }
            }
            false => Self::Numbers { ids, free: numbers.next().unwrap_or_default() },
        }
    }

    /// The id of a write of a value with this code.
    pub(super) fn of_write(&self, place: Place, code: u64) -> u64 {
        match self {
            Self::Values { .. } => code,
            Self::Numbers { ids, free } => ids.get(&place).copied().unwrap_or(*free),
        }
    }

    /// The id that a read of a value with this code names if no transaction wrote it.
    pub(super) fn of_unwritten(&self, code: u64) -> u64 {
        match self {
            Self::Values { .. } if Mark::of(code).is_none() => code,
            Self::Values { free } | Self::Numbers { free, .. } => *free,
        }
    }
}
