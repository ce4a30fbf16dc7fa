//! The external reads of a trace, eight bytes each: a scan of a large table leaves very many.
//!
//! ```text
//!   groups        by transaction: which operation read, and how
//!     └── places  per group: the key, and what was seen of it
//! ```

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
    /// The key.
    pub key: KeyId,
    /// What it saw.
    pub seen: Seen,
    /// How the key was read.
    pub kind: ReadKind,
}

/// All external reads, by transaction.
#[derive(Debug, Default)]
pub struct Reads {
    groups: Vec<Group>,
    places: Vec<Place>,
    /// Per transaction, its first group; one entry more than there are transactions.
    first: Vec<u32>,
}

/// What one operation read.
#[derive(Clone, Copy, Debug)]
struct Group {
    txn: TxnId,
    op: u32,
    shape: Shape,
    /// Where its places lie.
    from: u32,
    to: u32,
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
    /// Adds a read. Until [`Reads::index`] is called nothing can be asked.
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
        let end = self.places.len() as u32;
        match self.groups.last_mut() {
            Some(group) if (group.txn, group.op, group.shape) == (read.txn, read.op, shape) => {
                group.to += 1;
            }
            _ => {
                let (txn, op) = (read.txn, read.op);
                self.groups.push(Group { txn, op, shape, from: end, to: end + 1 });
            }
        }
        self.places.push(Place { key: read.key, seen });
    }

    /// Puts the groups of each transaction together.
    pub(super) fn index(&mut self, txns: usize) {
        self.groups.sort_by_key(|group| group.txn);
        self.first = vec![0; txns + 1];
        for group in &self.groups {
            self.first[group.txn.index() + 1] += 1;
        }
        for txn in 0..txns {
            self.first[txn + 1] += self.first[txn];
        }
    }

    /// Drops the reads of some transactions.
    pub(super) fn retain(&mut self, keep: impl Fn(TxnId) -> bool) {
        self.groups.retain(|group| keep(group.txn));
        self.index(self.first.len() - 1);
    }

    /// One more than the highest number of a read.
    pub fn end(&self) -> usize {
        self.places.len()
    }

    /// Whether a transaction read anything from outside.
    pub fn has(&self, txn: TxnId) -> bool {
        !self.groups_of(txn).is_empty()
    }

    /// The reads of a transaction, with their numbers.
    pub fn of(&self, txn: TxnId) -> impl Iterator<Item = (u32, ExternalRead)> {
        self.groups_of(txn).iter().flat_map(|group| self.in_group(group))
    }

    /// All reads, by transaction.
    pub fn iter(&self) -> impl Iterator<Item = ExternalRead> {
        self.groups.iter().flat_map(|group| self.in_group(group)).map(|(_, read)| read)
    }

    fn groups_of(&self, txn: TxnId) -> &[Group] {
        &self.groups[self.first[txn.index()] as usize..self.first[txn.index() + 1] as usize]
    }

    fn in_group(&self, group: &Group) -> impl Iterator<Item = (u32, ExternalRead)> {
        let Group { txn, op, shape, from, to } = *group;
        let places = &self.places[from as usize..to as usize];
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
