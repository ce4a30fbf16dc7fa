//! Numbers that stand in the place of an id and mean something else.

/// A number that is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The value that was loaded before the run.
    Initial,
    /// The key was not there.
    Absent,
    /// A delete, by any transaction.
    Deleted,
    /// An id that was left out.
    Anonymous,
    /// A write that is not in the client's log; only logs about the order of writes use it.
    Missing,
    /// What the verifier's garbage collector writes when it begins.
    CollectorBegins,
    /// What the verifier's garbage collector writes when it is done.
    CollectorEnds,
}

impl Mark {
    const ALL: [Self; 7] = [
        Self::Initial,
        Self::Absent,
        Self::Deleted,
        Self::Anonymous,
        Self::Missing,
        Self::CollectorBegins,
        Self::CollectorEnds,
    ];

    /// The number that stands for the mark in a log.
    pub(super) const fn id(self) -> u64 {
        match self {
            Self::Initial => 0xbebe_ebee,
            Self::Absent => 0xdead_beef,
            Self::Deleted => 0xabcd_efab,
            Self::Anonymous => 0xabdd_efee,
            Self::Missing => 0xadea_fbee,
            Self::CollectorBegins => 0x2333_2333,
            Self::CollectorEnds => 0x6666_6666,
        }
    }

    /// The mark that a number is, if it is one.
    pub(super) fn of(id: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.id() == id)
    }

    /// How an error calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Initial => "the mark of the initial state",
            Self::Absent => "the mark of an absent key",
            Self::Deleted => "the mark of a delete",
            Self::Anonymous => "the mark of an anonymous write",
            Self::Missing => "the mark of a missing write",
            Self::CollectorBegins | Self::CollectorEnds => "a mark of the garbage collector",
        }
    }
}
