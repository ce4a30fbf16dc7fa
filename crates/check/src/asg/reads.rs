//! The external reads of a trace, eight bytes each: a scan of a large table leaves very many.
//!
//! ```text
//!   groups        by transaction: which operation read, and how
//!     └── places  per group: the key, and what was seen of it
//! ```
//!
//! Most traces read single keys only. Then every group has one place, and nothing is kept about
//! groups but their operations.

use std::ops::Range;

use tristan_history::{KeyId, TxnId, ValueId};

use super::Seen;

/// How a key was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadKind {
    /// By an operation on this key.
    Point,
    /// By a range read that returned it.
    Item,
    /// By a range read that did not return it.
    Predicate,
}

/// An external read: one that another transaction, or the initial state, must explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalRead {
    /// The reading transaction.
    pub txn: TxnId,
    /// The operation within it.
    pub op: u32,
    /// The key that was read.
    pub key: KeyId,
    /// What it saw.
    pub seen: Seen,
    /// How the key was read.
    pub kind: ReadKind,
}

/// All external reads, by transaction.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    /// Per group, the operation within its transaction.
    ops: Vec<u32>,
    /// Per group, what it has in common; those at the end that are missing are points.
    shapes: Vec<Shape>,
    /// Per group, where its places begin; they end where those of the next group begin. Empty if
    /// every group has one place.
    from: Vec<u32>,
    places: Vec<Place>,
    /// Per transaction, its first group; one entry more than there are transactions, once all
    /// reads are there.
    first: Vec<u32>,
    /// The transaction that `first` begins with.
    start: u32,
}

/// What a group has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Point,
    Range,
    List,
}

/// A key, and what was seen of it.
#[derive(Clone, Copy, Debug)]
struct Place {
    key: KeyId,
    /// The number of the value, or of the transaction whose appends end the list, or a mark.
    seen: u32,
}

/// Instead of a number: absent, or an empty list.
const NOTHING: u32 = u32::MAX;
/// Instead of a number: there, with a value we do not know.
const PRESENT: u32 = u32::MAX - 1;

impl Reads {
    /// No reads yet; those of this transaction come first.
    pub(super) fn starting_at(txn: usize) -> Self {
        Self { start: txn as u32, ..Self::default() }
    }

    /// Adds a read. Transactions come one after the other, in order. Until [`Reads::seal`] is
    /// called nothing can be asked.
    pub(super) fn push(&mut self, read: ExternalRead) {
        let shape = match (read.seen, read.kind) {
            (Seen::List(_), _) => Shape::List,
            (_, ReadKind::Point) => Shape::Point,
            (_, ReadKind::Item | ReadKind::Predicate) => Shape::Range,
        };
        let seen = match read.seen {
            Seen::Absent | Seen::List(None) => NOTHING,
            Seen::Present => PRESENT,
            Seen::Value(ValueId(number)) | Seen::List(Some(TxnId(number))) => number,
        };
        let txn = read.txn.index() - self.start as usize;
        self.begin(txn);
        let last = (self.first[txn] as usize..self.ops.len()).next_back();
        let goes_on = |group: usize| (self.ops[group], self.shape(group)) == (read.op, shape);
        if last.is_some_and(goes_on) {
            self.spread();
        } else {
            self.open(read.op, shape);
        }
        self.places.push(Place { key: read.key, seen });
    }

    /// Begins a group: the reads of one operation.
    fn open(&mut self, op: u32, shape: Shape) {
        if shape != Shape::Point {
            self.shapes.resize(self.ops.len(), Shape::Point);
            self.shapes.push(shape);
        }
        if !self.from.is_empty() {
            self.from.push(self.places.len() as u32);
        }
        self.ops.push(op);
    }

    /// Not every group has one place.
    fn spread(&mut self) {
        if self.from.is_empty() {
            self.from = (0..self.ops.len() as u32).collect();
        }
    }

    fn shape(&self, group: usize) -> Shape {
        self.shapes.get(group).copied().unwrap_or(Shape::Point)
    }

    /// The groups of a transaction begin here, and those of all before it have ended.
    fn begin(&mut self, txn: usize) {
        let here = self.ops.len() as u32;
        self.first.resize(self.first.len().max(txn + 1), here);
    }

    /// All reads of transactions before this one are there.
    pub(super) fn seal(&mut self, end: usize) {
        self.begin(end - self.start as usize);
    }

    /// Parts that follow each other, each of them sealed.
    pub(super) fn joined(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let count = |length: fn(&Self) -> usize| parts.iter().map(length).sum();
        let mut all = Self {
            ops: Vec::with_capacity(count(|part| part.ops.len())),
            places: Vec::with_capacity(count(|part| part.places.len())),
            first: Vec::with_capacity(count(|part| part.first.len())),
            start: parts.first().map_or(0, |part| part.start),
            ..Self::default()
        };
        let is_spread = parts.iter().any(|part| !part.from.is_empty());
        for part in parts {
            all.add(part, is_spread);
        }
        all
    }

    /// Adds a part that follows.
    fn add(&mut self, mut part: Self, is_spread: bool) {
        let (groups, places) = (self.ops.len(), self.places.len() as u32);
        // The end of the last part is the beginning of this one.
        self.first.pop();
        self.first.extend(part.first.iter().map(|first| first + groups as u32));
        if is_spread {
            part.spread();
            self.from.extend(part.from.iter().map(|from| from + places));
        }
        if !part.shapes.is_empty() {
            self.shapes.resize(groups, Shape::Point);
            self.shapes.append(&mut part.shapes);
        }
        self.ops.append(&mut part.ops);
        self.places.append(&mut part.places);
    }

    /// The reads of both, transaction by transaction, the other's last; both are sealed.
    pub(super) fn merged(self, other: &Self) -> Self {
        self.rebuilt(|all, txn| {
            self.of(txn).chain(other.of(txn)).for_each(|(_, read)| all.push(read));
        })
    }

    /// Drops the reads of some transactions.
    pub(super) fn retain(&mut self, keep: impl Fn(TxnId) -> bool) {
        *self = self.rebuilt(|kept, txn| {
            if keep(txn) {
                self.of(txn).for_each(|(_, read)| kept.push(read));
            }
        });
    }

    fn rebuilt(&self, add: impl Fn(&mut Self, TxnId)) -> Self {
        let mut rebuilt = Self::default();
        self.txns().for_each(|txn| add(&mut rebuilt, txn));
        rebuilt.seal(self.first.len().saturating_sub(1));
        rebuilt
    }

    fn txns(&self) -> impl Iterator<Item = TxnId> + use<> {
        (0..self.first.len().saturating_sub(1)).map(TxnId::new)
    }

    /// One more than the highest number of a read.
    pub(crate) fn end(&self) -> usize {
        self.places.len()
    }

    /// The keys of all reads.
    pub(crate) fn keys(&self) -> impl Iterator<Item = KeyId> {
        self.places.iter().map(|place| place.key)
    }

    /// Whether a transaction read anything from outside.
    pub(crate) fn has(&self, txn: TxnId) -> bool {
        !self.groups_of(txn).is_empty()
    }

    /// How many reads a transaction has.
    pub(crate) fn count_of(&self, txn: TxnId) -> usize {
        let groups = self.groups_of(txn);
        (self.places_from(groups.end) - self.places_from(groups.start)) as usize
    }

    /// The reads of a transaction, with their numbers.
    pub(crate) fn of(&self, txn: TxnId) -> impl Iterator<Item = (u32, ExternalRead)> {
        self.groups_of(txn).flat_map(move |group| self.in_group(txn, group))
    }

    /// All reads, by transaction.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ExternalRead> {
        self.txns().flat_map(|txn| self.of(txn)).map(|(_, read)| read)
    }

    fn groups_of(&self, txn: TxnId) -> Range<usize> {
        self.first[txn.index()] as usize..self.first[txn.index() + 1] as usize
    }

    /// Where the places of a group begin; those of the last one end where all do.
    fn places_from(&self, group: usize) -> u32 {
        match self.from.is_empty() {
            true => group as u32,
            false => self.from.get(group).map_or(self.places.len() as u32, |&from| from),
        }
    }

    fn in_group(&self, txn: TxnId, group: usize) -> impl Iterator<Item = (u32, ExternalRead)> {
        let (op, shape, from) = (self.ops[group], self.shape(group), self.places_from(group));
        let places = &self.places[from as usize..self.places_from(group + 1) as usize];
        places.iter().enumerate().map(move |(at, place)| {
            let (seen, kind) = place.read_as(shape);
            (from + at as u32, ExternalRead { txn, op, key: place.key, seen, kind })
        })
    }
}

impl Place {
    fn read_as(self, shape: Shape) -> (Seen, ReadKind) {
        match (shape, self.seen) {
            (Shape::List, NOTHING) => (Seen::List(None), ReadKind::Point),
            (Shape::List, txn) => (Seen::List(Some(TxnId(txn))), ReadKind::Point),
            (Shape::Point, NOTHING) => (Seen::Absent, ReadKind::Point),
            (Shape::Point, PRESENT) => (Seen::Present, ReadKind::Point),
            (Shape::Point, value) => (Seen::Value(ValueId(value)), ReadKind::Point),
            (Shape::Range, NOTHING) => (Seen::Absent, ReadKind::Predicate),
            (Shape::Range, value) => (Seen::Value(ValueId(value)), ReadKind::Item),
        }
    }
}
