//! What a transaction sees of its own writes before it commits.

/// What a read returns of a key that its own transaction has written before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OwnWrites {
    /// The last own write, always.
    #[default]
    Must,
    /// What others wrote, always: own writes are not visible before the commit.
    External,
    /// Either of the two.
    May,
}

impl OwnWrites {
    /// All policies, the default first.
    pub const ALL: [Self; 3] = [Self::Must, Self::External, Self::May];

    /// The word in traces and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::External => "external",
            Self::May => "may",
        }
    }

    /// The policy of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }
}
