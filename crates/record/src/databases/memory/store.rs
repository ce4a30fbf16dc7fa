//! A multi-version store with optimistic transactions, and the faults in it.
//!
//! A transaction keeps its writes to itself until it commits. What it reads, and whether it may
//! commit, depends on its level; *since* means since it began:
//!
//! ```text
//!   level              reads                           is refused if
//!   serializable       the state at its start          what it read has changed since
//!   snapshot           the state at its start          what it wrote has changed since
//!   read committed     the newest state                a list it appended to has changed since
//!   read uncommitted   what others are about to write  a list it appended to has changed since
//! ```
//!
//! Lists and ranges are never read before they are committed, and lists always as they were at
//! the start: weaker levels may promise less than they keep.
//!
//! Where a fault strikes, what was read is not remembered, as if the store had not noticed itself.

use std::collections::BTreeMap;

use super::fault::{Fault, Faults};
use super::version::{Chain, Content};
use crate::connection::Iterated;

/// What is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isolation {
    Serializable,
    Snapshot,
    ReadCommitted,
    ReadUncommitted,
}

/// The name of what can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Value(i64),
    List(i64),
}

/// What a transaction does to a cell.
#[derive(Debug)]
enum Written {
    Put(i64),
    Deleted,
    Appended(Vec<i64>),
}

/// How a commit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It took effect, at this time if it wrote something.
    Committed(Option<u64>),
    Refused,
    /// The answer is lost.
    Lost,
}

/// All versions of everything.
#[derive(Debug)]
pub(super) struct Store {
    chains: BTreeMap<Cell, Chain>,
    /// Values that are not committed, oldest first, each with its transaction.
    uncommitted: BTreeMap<i64, Vec<(u64, Content)>>,
    /// The number of commits so far.
    time: u64,
    /// The number of the last transaction.
    last: u64,
    /// Starts of running transactions, with how many have it.
    starts: BTreeMap<u64, usize>,
    faults: Faults,
}

/// A transaction under way.
#[derive(Debug)]
pub(super) struct Running {
    isolation: Isolation,
    number: u64,
    start: u64,
    own: BTreeMap<Cell, Written>,
    read: Vec<Cell>,
    /// First and last key of ranges that were read.
    ranges: Vec<(i64, i64)>,
}

impl Store {
    pub(super) fn new(faults: Faults) -> Self {
        Self {
            chains: BTreeMap::new(),
            uncommitted: BTreeMap::new(),
            time: 0,
            last: 0,
            starts: BTreeMap::new(),
            faults,
        }
    }

    /// Starts anew with these values.
    pub(super) fn fill(&mut self, initial: &[(i64, i64)]) {
        self.chains.clear();
        for (key, value) in initial {
            let chain = self.chains.entry(Cell::Value(*key)).or_default();
            chain.install(self.time, Content::Value(*value), self.time);
        }
    }

    pub(super) fn begin(&mut self, isolation: Isolation) -> Running {
        self.last += 1;
        *self.starts.entry(self.time).or_default() += 1;
        Running {
            isolation,
            number: self.last,
            start: self.time,
            own: BTreeMap::new(),
            read: Vec::new(),
            ranges: Vec::new(),
        }
    }

    pub(super) fn get(&mut self, running: &mut Running, key: i64) -> Option<i64> {
        let cell = Cell::Value(key);
        match running.own.get(&cell) {
            Some(Written::Put(value)) => return Some(*value),
            Some(Written::Deleted) => return None,
            Some(Written::Appended(_)) | None => {}
        }
        if let Some(content) = self.uncommitted(running, key).or_else(|| self.wrong(running, cell))
        {
            return content.value();
        }
        running.read.push(cell);
        self.chains.get(&cell).and_then(|chain| chain.at(self.view(running)).value())
    }

    pub(super) fn put(&mut self, running: &mut Running, key: i64, value: Option<i64>) {
        let (written, content) = match value {
            Some(value) => (Written::Put(value), Content::Value(value)),
            None => (Written::Deleted, Content::Absent),
        };
        running.own.insert(Cell::Value(key), written);
        self.uncommitted.entry(key).or_default().push((running.number, content));
    }

    /// The first items between two keys, and whether there are no more.
    pub(super) fn iterate(
        &mut self,
        running: &mut Running,
        (first, last): (i64, i64),
        most: usize,
    ) -> Iterated {
        let mut items = self.items(running, (first, last));
        let end = items.len() < most;
        items.truncate(most);
        let seen = items.last().filter(|_| !end).map_or(last, |(key, _)| *key);
        running.ranges.push((first, seen));
        if !items.is_empty() && self.faults.strikes(Fault::SkippedItem) {
            items.remove(self.faults.below(items.len()));
        }
        Iterated { items, end }
    }

    pub(super) fn list(&self, running: &mut Running, key: i64) -> Vec<i64> {
        let cell = Cell::List(key);
        running.read.push(cell);
        let committed =
            self.chains.get(&cell).map_or(&[][..], |chain| chain.at(running.start).elements());
        match running.own.get(&cell) {
            Some(Written::Appended(own)) => [committed, own].concat(),
            _ => committed.to_vec(),
        }
    }

    pub(super) fn commit(&mut self, running: Running) -> Ended {
        self.forget(&running);
        if self.conflicts(&running) && !self.faults.strikes(Fault::LostUpdate) {
            return Ended::Refused;
        }
        let lost = self.faults.strikes(Fault::UnknownCommit);
        let skipped = lost && self.faults.below(2) == 0
            || !running.own.is_empty() && self.faults.strikes(Fault::LostCommit);
        let installed = if skipped { None } else { self.install(running.own) };
        match lost {
            true => Ended::Lost,
            false => Ended::Committed(installed),
        }
    }

    pub(super) fn abort(&mut self, running: Running) {
        self.forget(&running);
    }

    /// When reads of a transaction are of.
    fn view(&self, running: &Running) -> u64 {
        match running.isolation {
            Isolation::Serializable | Isolation::Snapshot => running.start,
            Isolation::ReadCommitted | Isolation::ReadUncommitted => self.time,
        }
    }

    /// What somebody else is about to write, if this transaction gets to see it.
    fn uncommitted(&mut self, running: &Running, key: i64) -> Option<Content> {
        let others = self.uncommitted.get(&key)?;
        let (_, newest) = others.iter().rfind(|(number, _)| *number != running.number)?;
        let seen = running.isolation == Isolation::ReadUncommitted
            || self.faults.strikes(Fault::DirtyRead);
        seen.then(|| newest.clone())
    }

    /// What is read instead of the right version, if a fault strikes.
    fn wrong(&mut self, running: &Running, cell: Cell) -> Option<Content> {
        let view = self.view(running);
        let chain = self.chains.get(&cell)?;
        if chain.changed_after(view) && self.faults.strikes(Fault::ReadSkew) {
            return Some(chain.at(self.time).clone());
        }
        let stale = chain.before(view)?;
        self.faults.strikes(Fault::StaleRead).then(|| stale.clone())
    }

    fn conflicts(&self, running: &Running) -> bool {
        let since = |chain: &Chain| chain.changed_after(running.start);
        let changed = |cell: &Cell| self.chains.get(cell).is_some_and(since);
        match running.isolation {
            Isolation::Serializable => {
                let range = |&(first, last): &(i64, i64)| {
                    let mut between = self.chains.range(Cell::Value(first)..=Cell::Value(last));
                    between.any(|(_, chain)| since(chain))
                };
                // What nobody wrote belongs where it was read.
                !running.own.is_empty()
                    && (running.read.iter().any(changed) || running.ranges.iter().any(range))
            }
            Isolation::Snapshot => running.own.keys().any(changed),
            Isolation::ReadCommitted | Isolation::ReadUncommitted => {
                let list = |cell: &&Cell| matches!(cell, Cell::List(_));
                running.own.keys().filter(list).any(changed)
            }
        }
    }

    /// Makes all writes of a transaction visible; says when, if there are any.
    fn install(&mut self, own: BTreeMap<Cell, Written>) -> Option<u64> {
        if own.is_empty() {
            return None;
        }
        let oldest = self.starts.first_key_value().map_or(self.time, |(start, _)| *start);
        self.time += 1;
        for (cell, written) in own {
            let chain = self.chains.entry(cell).or_default();
            let content = match written {
                Written::Put(value) => Content::Value(value),
                Written::Deleted => Content::Absent,
                Written::Appended(more) => {
                    Content::List([chain.at(self.time).elements(), &more].concat())
                }
            };
            chain.install(self.time, content, oldest);
        }
        Some(self.time)
    }

    /// A transaction is over.
    fn forget(&mut self, running: &Running) {
        if let Some(count) = self.starts.get_mut(&running.start) {
            *count -= 1;
            if *count == 0 {
                self.starts.remove(&running.start);
            }
        }
        for cell in running.own.keys() {
            if let Cell::Value(key) = cell
                && let Some(waiting) = self.uncommitted.get_mut(key)
            {
                waiting.retain(|(number, _)| *number != running.number);
                if waiting.is_empty() {
                    self.uncommitted.remove(key);
                }
            }
        }
    }

    /// What a transaction sees between two keys.
    fn items(&self, running: &Running, (first, last): (i64, i64)) -> Vec<(i64, i64)> {
        let cells = Cell::Value(first)..=Cell::Value(last);
        let mut items = BTreeMap::new();
        for (cell, chain) in self.chains.range(cells.clone()) {
            if let (Cell::Value(key), Some(value)) = (cell, chain.at(self.view(running)).value()) {
                items.insert(*key, value);
            }
        }
        for (cell, written) in running.own.range(cells) {
            match (cell, written) {
                (Cell::Value(key), Written::Put(value)) => drop(items.insert(*key, *value)),
                (Cell::Value(key), _) => drop(items.remove(key)),
                (Cell::List(_), _) => {}
            }
        }
        items.into_iter().collect()
    }
}

impl Running {
    /// Appends to a list, in the end.
    pub(super) fn append(&mut self, key: i64, element: i64) {
        let own = self.own.entry(Cell::List(key)).or_insert(Written::Appended(Vec::new()));
        if let Written::Appended(elements) = own {
            elements.push(element);
        }
    }
}
