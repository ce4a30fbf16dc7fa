//! How a trace is read where that differs from what it says itself.
//!
//! ```text
//!   History ── own-writes policy ──► vendor semantics ──► the History that is checked
//! ```
//!
//! The default changes nothing. A verdict names what was changed, so that whoever re-checks it
//! can change the same.

use std::borrow::Cow;

use tristan_history::{Header, History, OwnWrites};
use tristan_verdict::Assumption;

use super::Semantics;
use crate::asg::{Asg, OwnReads};

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
    /// Somebody said so.
    Given(OwnWrites),
    /// From the reads after own writes, see [`OwnReads::policy`].
    Infer,
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

    /// What it takes for granted about the history that is checked. The own-writes policy counts
    /// if somebody chose it or a read depends on it.
    pub(crate) fn assumptions(&self, asg: &Asg<'_>) -> Vec<Assumption> {
        let policy = asg.history.header.own_writes;
        let status = match self.own_writes {
            Some(OwnPolicy::Given(_)) => "given",
            Some(OwnPolicy::Infer) => "inferred",
            None if policy == OwnWrites::default() => "default",
            None => "from the trace",
        };
        let matters = self.own_writes.is_some() || asg.own_reads.any();
        let own = matters.then(|| (in_words(policy), status));
        let semantics = self.semantics.map(|semantics| (semantics.assumption(), "given"));
        let both = [semantics, own].into_iter().flatten();
        both.map(|(what, status)| Assumption { what: what.to_owned(), status: status.to_owned() })
            .collect()
    }

    /// The names of the semantics and of the policy, as a verdict carries them.
    pub(crate) fn names(&self, asg: &Asg<'_>) -> (Option<String>, Option<String>) {
        let policy = self.own_writes.map(|_| asg.history.header.own_writes.name().to_owned());
        (self.semantics.map(|semantics| semantics.name().to_owned()), policy)
    }
}

fn in_words(policy: OwnWrites) -> &'static str {
    match policy {
        OwnWrites::Must => "own writes: must be read back",
        OwnWrites::External => "own writes: external, not read back before the commit",
        OwnWrites::May => "own writes: may be read back or not",
    }
}
