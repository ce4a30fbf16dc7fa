//! The abstract semantic graph: what the trace says, and what it leaves open.
//!
//! ```text
//!   History ──► write history   who installed which version of which key
//!          └──► read lineage    which external read saw what, and who may have written it
//! ```
//!
//! The ASG knows nothing about levels, except that transactions which were promised less than
//! committed reads show less: see `Asg::reads_dirty`. Observations that no database could make -
//! a value that no transaction wrote, a transaction that contradicts itself - are found here, in linear
//! time; they are kept as `Asg::bad` because levels differ in what they tolerate. See *How a trace is read* in
//! the documentation for the rules. After Boomslang, section 4.

pub(crate) mod effect;
pub(crate) mod hints;
pub(crate) mod integrity;
mod list_growth;
pub(crate) mod lists;
pub(crate) mod own_reads;
mod own_writes;
pub(crate) mod program;
pub(crate) mod promises;
mod ranges;
pub(crate) mod read_lineage;
pub(crate) mod reads;
pub(crate) mod universe;
pub(crate) mod write_history;

use tristan_ground::Threads;
use tristan_history::{History, KeyId, Observed, TxnId, ValueId};
use tristan_spec::{Level, Promise, ReadRule};
use tristan_verdict::BadKind;

pub(crate) use effect::Effect;
pub(crate) use hints::Hints;
pub use own_reads::OwnReads;
pub(crate) use promises::PromiseError;
pub(crate) use reads::Reads;
pub use reads::{ExternalRead, ReadKind};
pub(crate) use universe::Universe;
pub(crate) use write_history::{Holder, WriteHistory};

use crate::budget::{Budget, Stop};

/// What an external read saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    /// The key was absent.
    Absent,
    /// The key held this value.
    Value(ValueId),
    /// The key was there, with a value we do not know (an affected-row count).
    Present,
    /// A list that ended with the appends of this transaction; `None` for an empty list.
    List(Option<TxnId>),
}

impl Seen {
    /// Whether a version with this content can be what was seen.
    pub(crate) fn matches(self, content: Observed) -> bool {
        match self {
            Self::Absent => content == Observed::Absent,
            Self::Value(value) => content == Observed::Value(value),
            Self::Present => matches!(content, Observed::Value(_)),
            Self::List(_) => false,
        }
    }
}

/// Up to this many versions are looked at one by one.
const FEW_VERSIONS: usize = 16;

/// A read that nothing explains, whatever the version order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadRead {
    /// The reading transaction.
    pub(crate) txn: TxnId,
    /// The operation within it.
    pub(crate) op: u32,
    pub(crate) key: KeyId,
    /// What is wrong.
    pub(crate) kind: BadKind,
    /// The transaction that wrote what was read, where there is one.
    pub(crate) writer: Option<TxnId>,
    /// The read it contradicts, where there is one.
    pub(crate) other: Option<(TxnId, u32)>,
}

impl BadRead {
    /// Whether read uncommitted tolerates it.
    pub(crate) fn is_dirty(&self) -> bool {
        matches!(self.kind, BadKind::Aborted | BadKind::Intermediate | BadKind::IncompatibleOrder)
    }
}

/// What the trace says, and what it leaves open.
#[derive(Debug)]
pub struct Asg<'h> {
    /// The resolved history that is described here.
    pub history: &'h History,
    /// How many threads may work on it.
    pub(crate) threads: Threads,
    /// What each transaction was promised, by number; empty if the level does not ask.
    pub(crate) promises: Vec<Promise>,
    /// Which transactions' reads may be dirty and show nothing about others; empty if the level
    /// has one rule for all.
    dirty: Vec<bool>,
    /// Which transaction installed which version.
    pub(crate) writes: WriteHistory,
    /// Every external read of a transaction that may have taken effect.
    pub(crate) reads: Reads,
    /// Whether ranges were read.
    pub(crate) has_ranges: bool,
    /// Reads that break a rule no level relaxes, or only read uncommitted does.
    pub(crate) bad: Vec<BadRead>,
    /// Per transaction: did it take effect?
    pub(crate) effect: Vec<Effect>,
    /// What lists reveal about the order of versions.
    pub(crate) lists: lists::Lists,
    /// What the trace's hints say.
    pub(crate) hints: Hints,
    /// Reads of keys that their own transaction had written.
    pub(crate) own_reads: OwnReads,
    /// Operations that are not interpreted; an accept is not possible with any of these.
    pub(crate) unsupported: Vec<String>,
}

impl<'h> Asg<'h> {
    /// Reads a resolved history. In others, operations that may or may not have taken effect
    /// count as failed.
    pub(crate) fn build(history: &'h History, threads: Threads) -> Self {
        Self::build_within(history, threads, &Budget::default()).expect("there is no limit")
    }

    /// The same, as long as the budget allows.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(crate) fn build_within(
        history: &'h History,
        threads: Threads,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        Self::with_promises(history, Vec::new(), Vec::new(), threads, budget)
    }

    /// Reads the history for a level that asks what transactions were promised.
    ///
    /// # Errors
    /// If the trace does not say so of every transaction.
    pub(crate) fn promised(
        history: &'h History,
        level: &Level,
        threads: Threads,
    ) -> Result<Self, PromiseError> {
        let promises = promises::promises(history)?;
        let budget = Budget::default();
        let asg = Self::promised_within(history, level, promises, threads, &budget);
        Ok(asg.expect("there is no limit"))
    }

    /// The same with promises that are known, as long as the budget allows.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(crate) fn promised_within(
        history: &'h History,
        level: &Level,
        promises: Vec<Promise>,
        threads: Threads,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let uncommitted = |promise: &Promise| *promise == Promise::ReadUncommitted;
        let dirty = match level.reads {
            ReadRule::Promised => promises.iter().map(uncommitted).collect(),
            ReadRule::Committed | ReadRule::Dirty => Vec::new(),
        };
        Self::with_promises(history, promises, dirty, threads, budget)
    }

    /// Reads the history as the level does.
    ///
    /// # Errors
    /// If the level asks what transactions were promised and the trace does not say so.
    pub(crate) fn for_level(
        history: &'h History,
        level: &Level,
        threads: Threads,
    ) -> Result<Self, PromiseError> {
        match level.asks_promises() {
            true => Self::promised(history, level, threads),
            false => Ok(Self::build(history, threads)),
        }
    }

    fn with_promises(
        history: &'h History,
        promises: Vec<Promise>,
        dirty: Vec<bool>,
        threads: Threads,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        budget.check()?;
        let writes = WriteHistory::collect(history, threads);
        budget.check()?;
        let mut asg = Self {
            history,
            threads,
            promises,
            dirty,
            writes,
            reads: Reads::default(),
            has_ranges: false,
            bad: Vec::new(),
            effect: Vec::new(),
            lists: lists::Lists::default(),
            hints: Hints::default(),
            own_reads: OwnReads::default(),
            unsupported: Vec::new(),
        };
        read_lineage::collect(&mut asg);
        budget.check()?;
        lists::collect(&mut asg);
        budget.check()?;
        integrity::find_sourceless(&mut asg);
        budget.check()?;
        effect::decide(&mut asg);
        budget.check()?;
        asg.hints = Hints::collect(&asg);
        budget.check()?;
        Ok(asg)
    }

    /// Whether this transaction was promised so little that its reads may be dirty: they show
    /// neither who took effect nor in which order.
    pub(crate) fn reads_dirty(&self, txn: TxnId) -> bool {
        self.dirty.get(txn.index()).copied().unwrap_or(false)
    }

    /// Whether the key was absent at the start and never written.
    pub(crate) fn is_never_there(&self, key: KeyId) -> bool {
        self.history.initial_of(key) == Some(Observed::Absent) && !self.writes.touches(key)
    }

    /// The external reads of a transaction: those that its own writes do not explain.
    pub fn reads_of(&self, txn: TxnId) -> impl Iterator<Item = ExternalRead> {
        self.reads.of(txn).map(|(_, read)| read)
    }

    /// The transactions that may have installed a version of a register, ascending.
    pub fn writers_of(&self, key: KeyId) -> impl Iterator<Item = TxnId> {
        self.writes.of_key(key).iter().map(|version| version.txn)
    }

    /// About how many transactions may have written what a read saw: one more than there are if they are
    /// many and the reader wrote the same.
    pub(crate) fn count_writers(&self, read: &ExternalRead) -> usize {
        match (read.seen, self.writes.matching(read.key, read.seen)) {
            (Seen::List(last), _) => usize::from(last.is_some()),
            (_, versions) if versions.len() > FEW_VERSIONS => versions.len(),
            (_, versions) => versions.iter().filter(|version| version.txn != read.txn).count(),
        }
    }

    /// Calls `found` for every source the read may have: transactions that may have taken
    /// effect (ascending) after the initial state (`None`).
    pub fn for_each_source(&self, read: &ExternalRead, mut found: impl FnMut(Option<TxnId>)) {
        if let Seen::List(last) = read.seen {
            return found(last);
        }
        let initial = self.history.initial_of(read.key);
        if initial.is_none_or(|content| read.seen.matches(content)) {
            found(None);
        }
        if let Seen::Value(value) = read.seen
            && let Holder::One(key, txn) = self.writes.holder(value)
        {
            if key == read.key && txn != read.txn {
                found(Some(txn));
            }
            return;
        }
        for version in self.writes.matching(read.key, read.seen) {
            if version.txn != read.txn {
                found(Some(version.txn));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tristan_generate::Rng;
    use tristan_oracle::random::{self, RandomShape};
    use tristan_spec::Catalog;

    use super::*;
    use crate::lower::lower;
    use crate::options::Options;

    #[test]
    fn threads_change_nothing() {
        let serializable = Catalog::default().find("serializable").expect("a level");
        for seed in 0..500 {
            let history = random::history(&mut Rng::new(seed), RandomShape::default());
            let on = |count| {
                let asg = Asg::build(&history, Threads::eager(count));
                let ir = lower(&asg, &serializable, &Options::default());
                format!("{:?}", (asg.writes, asg.reads, asg.bad, asg.effect, asg.unsupported, ir))
            };
            let alone = on(1);
            assert_eq!(alone, on(2), "seed {seed}");
            assert_eq!(alone, on(5), "seed {seed}");
        }
    }
}
