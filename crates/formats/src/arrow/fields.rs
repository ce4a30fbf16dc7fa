//! Columns that are written: how the schema describes integers, lists and places in dictionaries.

use std::borrow::Borrow;

use super::data::Storage;
use super::ipc::columns::IntColumn;
use super::ipc::schema::{Encoding, Field, IntType, Type, Width};
use tristan_history::Datum;

/// Dictionaries by their ids.
pub(super) mod dictionary {
    pub(crate) const KEYS: i64 = 0;
    pub(crate) const VALUES: i64 = 1;
    pub(crate) const SESSIONS: i64 = 2;
    pub(crate) const OUTCOMES: i64 = 3;
    pub(crate) const VERBS: i64 = 4;
    pub(crate) const STATUSES: i64 = 5;
    pub(crate) const CONDITIONS: i64 = 6;
}

/// Data that are stored once.
#[derive(Clone, Copy)]
pub(super) struct Pool {
    id: i64,
    pub(super) storage: Storage,
    bits: u8,
}

impl Pool {
    /// The data of a dictionary with this id.
    pub(super) fn of<D: Borrow<Datum>>(id: i64, data: impl ExactSizeIterator<Item = D>) -> Self {
        let bits = match data.len() {
            0..=0x80 => 8,
            0x81..=0x8000 => 16,
            0x8001..=0x8000_0000 => 32,
            _ => 64,
        };
        Self { id, storage: Storage::of(data), bits }
    }

    /// A column of places.
    pub(super) fn field(self, name: &str) -> Field {
        let index = IntType { bits: self.bits, signed: true };
        Field { dictionary: Some(Encoding { id: self.id, index }), ..self.storage.field(name) }
    }

    /// An empty column of places.
    pub(super) fn column(self) -> IntColumn {
        IntColumn::new(self.bits)
    }
}

/// A column of words.
pub(super) fn words(name: &str, id: i64) -> Field {
    let index = IntType { bits: 8, signed: true };
    Field { dictionary: Some(Encoding { id, index }), ..Storage::Text.field(name) }
}

/// A column of integers.
pub(super) fn ints(name: &str, bits: u8, signed: bool) -> Field {
    Field::new(name, Type::Int(IntType { bits, signed }))
}

/// A column of lists.
pub(super) fn lists(name: &str, item: Field) -> Field {
    Field::new(name, Type::List(Width::Large, Box::new(item)))
}
