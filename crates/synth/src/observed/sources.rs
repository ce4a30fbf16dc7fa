//! Where reads can come from, for one assumption on which transactions took effect.

use tristan_history::{History, KeyId, Observed, Outcome, TxnId};
use tristan_spec::iso::{Given, IsoLevel, Rel, Set};
use tristan_spec::{Promise, ReadRule};

use super::error::{JudgeError, WrongRead, WrongReadKind};
use super::program::{Content, ExternalRead, Program};

/// A read, and the transactions it can come from.
#[derive(Clone, Debug)]
pub(super) struct Sourced {
    /// The number of the reader.
    pub reader: usize,
    pub read: ExternalRead,
    /// The numbers of those it can come from, 0 for the initial state.
    pub from: Vec<usize>,
}

/// Which reads of a transaction count, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// They come from what was committed, and are part of the history.
    Count,
    /// They may come from anything that was written, and count for nothing.
    Ignore,
    /// They may be dirty, but if they are, the judge cannot say anything.
    CountIfClean,
}

/// Everything about where reads come from.
pub(super) struct Sources<'a> {
    pub history: &'a History,
    pub programs: &'a [Program],
    /// The transactions that took effect; number 1 is the first of them.
    pub effective: &'a [TxnId],
    /// Which versions may be read.
    pub rule: ReadRule,
    /// Whether it matters who read what.
    pub matter: bool,
}

/// What comes of a read that has no source.
pub(super) enum SourceError {
    /// The level is violated if exactly these transactions took effect.
    WrongRead(WrongRead),
    /// The judge says nothing.
    Judge(JudgeError),
}

impl Sources<'_> {
    /// The reads that count, with their sources.
    pub(super) fn all(&self) -> Result<Vec<Sourced>, SourceError> {
        let mut all = Vec::new();
        for (reader, &txn) in (1..).zip(self.effective) {
            let program = &self.programs[txn.index()];
            if let Some(wrong) = program.wrong {
                return Err(SourceError::WrongRead(wrong));
            }
            let rule = self.rule(txn)?;
            for &read in &program.reads {
                all.extend(self.of(reader, read, rule)?);
            }
        }
        Ok(all)
    }

    fn of(
        &self,
        reader: usize,
        read: ExternalRead,
        rule: Rule,
    ) -> Result<Option<Sourced>, SourceError> {
        let written = || self.written_by_another(read).is_some();
        let from = match rule {
            Rule::Ignore if written() => return Ok(None),
            // A value that no other transaction wrote was there at the start.
            Rule::Ignore => self.initially(read.key, read.seen).then_some(0).into_iter().collect(),
            Rule::Count | Rule::CountIfClean => self.clean(reader, read),
        };
        if !from.is_empty() {
            return Ok(Some(Sourced { reader, read, from }));
        }
        if rule == Rule::CountIfClean && written() {
            let label = self.history.label(read.op.txn);
            return Err(SourceError::Judge(JudgeError::DirtyRead { label }));
        }
        Err(SourceError::WrongRead(WrongRead { op: read.op, kind: self.what_is_wrong(read) }))
    }

    /// The transactions that left what was read, and committed.
    fn clean(&self, reader: usize, read: ExternalRead) -> Vec<usize> {
        let initial = self.initially(read.key, read.seen).then_some(0);
        let writers = (1..).zip(self.effective).filter(|&(number, txn)| {
            number != reader && self.programs[txn.index()].last(read.key) == Some(read.seen)
        });
        initial.into_iter().chain(writers.map(|(number, _)| number)).collect()
    }

    /// Whether the key can have held this at the start.
    fn initially(&self, key: KeyId, content: Content) -> bool {
        match self.history.initial_of(key) {
            None | Some(Observed::Unknown) => true,
            Some(Observed::Absent) => content.is_none(),
            Some(Observed::Value(value)) => content == Some(value),
        }
    }

    /// Another transaction that ever wrote what was read.
    fn written_by_another(&self, read: ExternalRead) -> Option<TxnId> {
        self.history.txn_ids().find(|&txn| {
            txn != read.op.txn && self.programs[txn.index()].ever_wrote(read.key, read.seen)
        })
    }

    fn what_is_wrong(&self, read: ExternalRead) -> WrongReadKind {
        let Some(writer) = self.written_by_another(read) else {
            let own = self.programs[read.op.txn.index()].ever_wrote(read.key, read.seen);
            return if own { WrongReadKind::Future } else { WrongReadKind::Unwritten };
        };
        match self.history.txn(writer).outcome {
            Outcome::Aborted | Outcome::Unknown => WrongReadKind::Aborted(writer),
            Outcome::Committed => WrongReadKind::Intermediate(writer),
        }
    }

    fn rule(&self, txn: TxnId) -> Result<Rule, SourceError> {
        let dirty = if self.matter { Rule::CountIfClean } else { Rule::Ignore };
        match self.rule {
            ReadRule::Committed => Ok(Rule::Count),
            ReadRule::Dirty => Ok(dirty),
            ReadRule::Promised => match promise(self.history, txn) {
                Some(Promise::ReadUncommitted) => Ok(Rule::Ignore),
                Some(_) => Ok(Rule::Count),
                None => {
                    let label = self.history.label(txn);
                    Err(SourceError::Judge(JudgeError::NotPromised { label }))
                }
            },
        }
    }
}

/// What a transaction was promised, if the history says so.
pub(super) fn promise(history: &History, txn: TxnId) -> Option<Promise> {
    let general = history.header.level.as_deref();
    Promise::named(history.txn(txn).level.as_deref().or(general)?)
}

/// Whether a level speaks of who read what.
pub(super) fn speaks_of_sources(level: &IsoLevel) -> bool {
    fn of_reads(set: &Set) -> bool {
        match set {
            Set::Reads(_) | Set::Readers => true,
            Set::Union(parts) | Set::Inter(parts) => parts.iter().any(of_reads),
            Set::Diff(left, right) => of_reads(left) || of_reads(right),
            _ => false,
        }
    }
    let is = |rel: &Rel| match rel {
        Rel::Given(given) => {
            matches!(given, Given::Wr(_) | Given::Rd(_) | Given::Of | Given::Po)
        }
        Rel::Test(set) => of_reads(set),
        Rel::Product(left, right) => of_reads(left) || of_reads(right),
        _ => false,
    };
    level.checks.iter().any(|check| check.any_rel(&is))
}
