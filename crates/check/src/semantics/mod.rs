//! How a trace is read where that differs from what it says itself.
//!
//! ```text
//!   History ── own-writes policy ──► vendor semantics ──► the History that is checked
//! ```
//!
//! Vendor semantics are what a database's documentation says it does instead of what the level's
//! name promises. Each one rewrites the trace, before anything is checked, so that the level's
//! definition can be applied to what is left. A verdict names what was changed, so that a
//! certificate is about the rewritten trace.

mod mariadb;

use std::borrow::Cow;

use tristan_history::{Header, History, OwnWrites};

use crate::asg::OwnReads;
use crate::options::{Interpretation, OwnPolicy, Semantics};

impl Interpretation {
    /// The history that is checked.
    pub fn apply<'h>(&self, history: &'h History) -> Cow<'h, History> {
        let policy = self.own_writes.map(|own| own.policy(history));
        let mut read = Cow::Borrowed(history);
        if let Some(own_writes) = policy.filter(|&policy| policy != history.header.own_writes) {
            let header = Header { own_writes, ..history.header.clone() };
            read = Cow::Owned(History { header, ..history.clone() });
        }
        match self.semantics {
            Some(semantics) => Cow::Owned(semantics.apply(&read)),
            None => read,
        }
    }
}

impl OwnPolicy {
    /// The policy for this trace.
    pub fn policy(self, history: &History) -> OwnWrites {
        match self {
            Self::Given(policy) => policy,
            Self::Infer => OwnReads::of(history).policy(),
        }
    }
}

impl Semantics {
    /// The trace, rewritten.
    pub(crate) fn apply(self, history: &History) -> History {
        match self {
            Self::MariadbRepeatableRead => mariadb::split(history),
        }
    }
}
