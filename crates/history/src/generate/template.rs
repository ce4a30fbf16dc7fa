//! Transactions of one's own, as data: steps on keys, some of which are chosen when they run.

/// A kind of transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// How often it is chosen, compared with the others.
    pub weight: u32,
    /// How many keys are chosen for it.
    pub keys: usize,
    /// What it does.
    pub parts: Vec<Part>,
}

/// A step on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Read it.
    Read(Place),
    /// Write it.
    Write(Place),
    /// Read it and write what it held plus an amount.
    Add(Place, i64),
    /// Delete it.
    Delete(Place),
    /// Read all keys.
    ScanEverything,
    /// Read so many keys from there on.
    Scan(Place, i64),
    /// Read the first of so many keys, at most a number of them.
    Iterate(Place, i64, usize),
    /// Append to it.
    Append(Place),
    /// Read it as a list.
    ReadList(Place),
}

/// Which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This one.
    Key(i64),
    /// One of those that were chosen for the transaction, by number.
    Chosen(usize),
}

impl Part {
    /// Whether it does nothing but read and write a key.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Self::Read(_) | Self::Write(_) | Self::Add(..))
    }
}
