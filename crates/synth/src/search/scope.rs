//! How large a history may be, and what it may look like.

use tristan_spec::iso::{Given, IsoLevel, Rel, Set};

/// The size of histories to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// How many transactions, the initial one not counted.
    pub txns: usize,
    /// At most how many keys.
    pub keys: usize,
    /// At most how many different values a key takes, the initial one included: one more than
    /// transactions may write it. `None` for as many as one likes.
    pub values: Option<usize>,
}

/// What histories may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryOptions {
    /// Whether a transaction may write a key that it does not read.
    pub blind_writes: bool,
    /// Whether there may be transactions that write nothing.
    pub read_only: bool,
    /// Whether there may be transactions that neither read nor write.
    pub empty: bool,
    /// At most how many sessions; `None` for as many as one likes.
    pub sessions: Option<usize>,
    /// Whether a session may have more than one transaction.
    pub session_order: bool,
    /// At most how many reads and writes in one transaction.
    pub operations: Option<usize>,
}

impl Default for HistoryOptions {
    fn default() -> Self {
        Self {
            blind_writes: true,
            read_only: true,
            empty: false,
            sessions: None,
            session_order: true,
            operations: None,
        }
    }
}

/// What the levels in question speak of besides reads and writes. A history says nothing about
/// the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Session order.
    pub sessions: bool,
    /// Real time: when transactions began and committed.
    pub time: bool,
    /// The order of the reads of a transaction.
    pub read_order: bool,
    /// What transactions were promised.
    pub promises: bool,
}

impl Needs {
    /// What these levels speak of. If sessions are counted they are needed, too.
    pub(crate) fn of<'a>(
        levels: impl IntoIterator<Item = &'a IsoLevel>,
        options: &HistoryOptions,
    ) -> Self {
        let mut needs = Self { sessions: options.sessions.is_some(), ..Self::default() };
        let mut look = |rel: &Rel| match rel {
            Rel::Given(Given::So) => needs.sessions = true,
            Rel::Given(Given::Rt | Given::CommitOrder | Given::BeginCommit) => needs.time = true,
            Rel::Given(Given::Po) => needs.read_order = true,
            Rel::Test(set) => needs.promises |= speaks_of_promises(set),
            Rel::Product(left, right) => {
                needs.promises |= speaks_of_promises(left) || speaks_of_promises(right);
            }
            _ => {}
        };
        for level in levels {
            for rel in level.checks.iter().flat_map(|check| check.rels()) {
                each(rel, &mut look);
            }
        }
        needs
    }
}

fn each(rel: &Rel, look: &mut dyn FnMut(&Rel)) {
    look(rel);
    rel.parts().into_iter().for_each(|part| each(part, look));
}

fn speaks_of_promises(set: &Set) -> bool {
    match set {
        Set::Promised(_) => true,
        Set::Union(parts) | Set::Inter(parts) => parts.iter().any(speaks_of_promises),
        Set::Diff(left, right) => speaks_of_promises(left) || speaks_of_promises(right),
        Set::Txn | Set::Init | Set::Writes(_) | Set::Reads(_) | Set::Writers | Set::Readers => {
            false
        }
    }
}
