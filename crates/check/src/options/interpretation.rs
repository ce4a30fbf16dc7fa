//! How a trace is read where that differs from what it says itself. The default changes nothing.
//! How a history is rewritten accordingly is [`crate::semantics`].

use tristan_history::OwnWrites;

/// How to read a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interpretation {
    /// The vendor semantics to rewrite it by.
    pub semantics: Option<Semantics>,
    /// The own-writes policy, instead of the one that its header names.
    pub own_writes: Option<OwnPolicy>,
}

/// Where an own-writes policy comes from, if not from the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnPolicy {
    /// The caller names it.
    Given(OwnWrites),
    /// From the reads after own writes, see [`crate::asg::OwnReads::policy`].
    Infer,
}

/// A known departure from the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// MariaDB and MySQL at REPEATABLE READ: plain reads see a snapshot, locking reads and writes
    /// see the latest committed state.
    MariadbRepeatableRead,
}

impl Semantics {
    /// All vendor semantics.
    pub const ALL: [Self; 1] = [Self::MariadbRepeatableRead];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::MariadbRepeatableRead => "mariadb-rr",
        }
    }

    /// The semantics of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|semantics| semantics.name() == name)
    }

    /// What is taken for granted, in one line.
    pub(crate) fn assumption(self) -> &'static str {
        match self {
            Self::MariadbRepeatableRead => {
                "mariadb-rr: the plain reads of a transaction are one half, its locking reads and \
                 writes another; each half happens at one moment"
            }
        }
    }
}
