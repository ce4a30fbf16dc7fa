//! Ways for the store to be wrong.

/// A way to break a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A conflict that should abort a transaction is overlooked.
    LostUpdate,
    /// A read returns the version before the one it should return.
    StaleRead,
    /// A read returns a value that was committed after the snapshot.
    ReadSkew,
    /// A read returns a value that is not committed.
    DirtyRead,
    /// A commit is acknowledged, but nothing is written.
    LostCommit,
    /// A range read omits a key.
    SkippedItem,
    /// The client does not learn whether its commit took effect; half of these commits do.
    UnknownCommit,
}

impl Fault {
    /// All faults that the store can inject.
    pub const ALL: [Self; 7] = [
        Self::LostUpdate,
        Self::StaleRead,
        Self::ReadSkew,
        Self::DirtyRead,
        Self::LostCommit,
        Self::SkippedItem,
        Self::UnknownCommit,
    ];

    /// The name in lower case, as in `lost-update`.
    pub fn name(self) -> &'static str {
        match self {
            Self::LostUpdate => "lost-update",
            Self::StaleRead => "stale-read",
            Self::ReadSkew => "read-skew",
            Self::DirtyRead => "dirty-read",
            Self::LostCommit => "lost-commit",
            Self::SkippedItem => "skipped-item",
            Self::UnknownCommit => "unknown-commit",
        }
    }

    /// The fault with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// Decides when faults strike.
///
/// The store asks only where a fault would make a difference, for example about a stale read only
/// if there is an older version.
pub trait Faults {
    /// Whether the fault strikes at this opportunity.
    fn strikes(&mut self, fault: Fault) -> bool;

    /// Chooses a number below `bound`, which is not zero.
    fn below(&mut self, bound: usize) -> usize;
}

/// A store that keeps its promises.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFaults;

impl Faults for NoFaults {
    fn strikes(&mut self, _: Fault) -> bool {
        false
    }

    fn below(&mut self, _: usize) -> usize {
        0
    }
}
