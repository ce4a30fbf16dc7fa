//! User-defined transactions, as data: steps on keys, some of which are chosen when they run.

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

/// A step of a template, on a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Read the key.
    Read(Place),
    /// Write a fresh value to the key.
    Write(Place),
    /// Read it and write what it held plus an amount.
    Add(Place, i64),
    /// Delete the key.
    Delete(Place),
    /// Read all keys.
    ScanEverything,
    /// Read so many keys from there on.
    Scan(Place, i64),
    /// Read the first of so many keys, at most a number of them.
    Iterate(Place, i64, usize),
    /// Append a fresh element to the list under the key.
    Append(Place),
    /// Read the list under the key.
    ReadList(Place),
}

/// Which key a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The key with this number.
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
