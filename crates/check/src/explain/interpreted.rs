//! What a verdict says about how the trace was read.

use tristan_history::OwnWrites;
use tristan_verdict::Assumption;

use crate::asg::Asg;
use crate::options::{Interpretation, OwnPolicy};

impl Interpretation {
    /// What it takes for granted about the history that is checked. The own-writes policy counts
    /// if the user chose it or a read depends on it.
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
