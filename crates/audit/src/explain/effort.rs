//! How much is tried.

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Everything, instead of the first way that works.
    pub(crate) full: bool,
    /// A row that a transaction has written is not written by others until it ends.
    pub(crate) locks: bool,
    /// Only one world: the first that works.
    pub(crate) greedy: bool,
    /// Whether most of those who only read are left out.
    pub(crate) sliced: bool,
}

impl Effort {
    /// The first way that works, in one world.
    pub(crate) const GREEDY: Self = Self { full: false, locks: true, greedy: true, sliced: false };
    /// The first way that works, in every world that is likely.
    pub(crate) const QUICK: Self = Self { full: false, locks: true, greedy: false, sliced: false };
    /// Everything, without those who only read.
    pub(crate) const SLICE: Self = Self { sliced: true, ..Self::FULL };
    /// Everything.
    pub(crate) const FULL: Self = Self { full: true, locks: false, greedy: false, sliced: false };
    /// Everything, if rows are locked until their writer ends.
    pub(crate) const LOCKED: Self = Self { locks: true, ..Self::FULL };

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::GREEDY => "follow the likely order",
            Self::SLICE => "try all orders of those who write",
            Self::QUICK => "follow likely orders",
            Self::LOCKED => "try all orders with row locks",
            _ => "try all orders",
        }
    }

    /// Whether there is something else to do when there is too much to try.
    pub(crate) fn stops_at_cut(self) -> bool {
        self.full && !self.locks
    }
}
