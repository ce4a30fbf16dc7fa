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
    /// Transactions take effect in the order of their stamps: a guess, never a reason to reject.
    pub(crate) stamped: bool,
    /// Where the greedy pass got stuck, everything is tried for a stretch of the log.
    pub(crate) mended: bool,
    /// Whether only a part of the log is looked at.
    pub(crate) sliced: Option<Slice>,
}

/// A part of a log that has everybody who writes what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slice {
    /// The statements that matter to some rows, without transactions that only read.
    Cone,
    /// The same with them.
    ConeWithReaders,
    /// All transactions that write.
    Writers,
    /// What all transactions have to do with the rows that have one key.
    Rows,
}

impl Effort {
    /// The first way that works, in one world.
    pub(crate) const GREEDY: Self = Self {
        full: false,
        locks: true,
        greedy: true,
        stamped: false,
        mended: false,
        sliced: None,
    };
    /// The same, in the order of the stamps alone.
    pub(crate) const STAMPED: Self = Self { stamped: true, ..Self::GREEDY };
    /// The first way that works, and everything where that got stuck.
    pub(crate) const MENDED: Self = Self { mended: true, ..Self::GREEDY };
    /// The first way that works, in every world that is likely.
    pub(crate) const QUICK: Self = Self { greedy: false, ..Self::GREEDY };
    /// Everything.
    pub(crate) const FULL: Self = Self { full: true, locks: false, ..Self::QUICK };
    /// Everything, if rows are locked until their writer ends.
    pub(crate) const LOCKED: Self = Self { locks: true, ..Self::FULL };

    /// Everything, in a part of the log.
    pub(crate) fn slice(slice: Slice) -> Self {
        Self { sliced: Some(slice), ..Self::FULL }
    }

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::GREEDY => "follow the likely order",
            Self::STAMPED => "follow the stamps",
            Self { sliced: Some(_), .. } => "try all orders of a part",
            Self::MENDED => "mend the likely order",
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
