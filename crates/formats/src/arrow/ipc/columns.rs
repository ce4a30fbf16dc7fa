//! Columns being filled, to be written.

use super::padding;

/// Bits, one per row.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    length: usize,
    unset: usize,
}

impl Bits {
    pub(crate) fn push(&mut self, set: bool) {
        if self.length.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(set) << (self.length % 8);
        }
        self.length += 1;
        self.unset += usize::from(!set);
    }
}

/// Integers of a width in bits.
#[derive(Debug)]
pub(crate) struct IntColumn {
    bytes: Vec<u8>,
    width: usize,
    valid: Bits,
}

impl IntColumn {
    pub(crate) fn new(bits: u8) -> Self {
        Self { bytes: Vec::new(), width: usize::from(bits / 8), valid: Bits::default() }
    }

    /// Adds the lowest bits of a number, or a null.
    pub(crate) fn push(&mut self, number: Option<u64>) {
        let bytes = number.unwrap_or_default().to_le_bytes();
        self.bytes.extend_from_slice(&bytes[..self.width]);
        self.valid.push(number.is_some());
    }
}

/// Texts or bytes.
#[derive(Debug, Default)]
pub(crate) struct SliceColumn {
    offsets: Offsets,
    bytes: Vec<u8>,
    valid: Bits,
}

impl SliceColumn {
    pub(crate) fn push(&mut self, slice: Option<&[u8]>) {
        self.bytes.extend_from_slice(slice.unwrap_or_default());
        self.offsets.push(self.bytes.len());
        self.valid.push(slice.is_some());
    }
}

/// Where lists begin and end.
#[derive(Debug, Default)]
pub(crate) struct ListColumn {
    offsets: Offsets,
    items: usize,
    valid: Bits,
}

impl ListColumn {
    /// Adds a list with so many items, or a null.
    pub(crate) fn push(&mut self, items: Option<usize>) {
        self.items += items.unwrap_or_default();
        self.offsets.push(self.items);
        self.valid.push(items.is_some());
    }

    /// How many items there are in all lists.
    pub(crate) fn items(&self) -> usize {
        self.items
    }
}

/// Offsets of eight bytes.
#[derive(Debug)]
struct Offsets(Vec<u8>);

impl Default for Offsets {
    fn default() -> Self {
        Self(vec![0; 8])
    }
}

impl Offsets {
    fn push(&mut self, offset: usize) {
        self.0.extend_from_slice(&(offset as u64).to_le_bytes());
    }
}

/// The columns of a batch, in the order of the schema.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// Per column and part of one, length and number of nulls.
    pub(super) nodes: Vec<u8>,
    /// Places in the body.
    pub(super) buffers: Vec<u8>,
    pub(super) body: Vec<u8>,
    pub(super) length: usize,
}

impl Columns {
    /// Of so many rows.
    pub(crate) fn new(length: usize) -> Self {
        Self { length, ..Self::default() }
    }

    pub(crate) fn ints(&mut self, column: &IntColumn) {
        self.valid(&column.valid);
        self.buffer(&column.bytes);
    }

    /// Truth values, none of which is null.
    pub(crate) fn bools(&mut self, column: &Bits) {
        self.node(column.length, 0);
        self.buffer(&[]);
        self.buffer(&column.bytes);
    }

    pub(crate) fn slices(&mut self, column: &SliceColumn) {
        self.valid(&column.valid);
        self.buffer(&column.offsets.0);
        self.buffer(&column.bytes);
    }

    /// Lists, whose items come next.
    pub(crate) fn lists(&mut self, column: &ListColumn) {
        self.valid(&column.valid);
        self.buffer(&column.offsets.0);
    }

    /// Structs, none of which is null and whose parts come next.
    pub(crate) fn structs(&mut self, length: usize) {
        self.node(length, 0);
        self.buffer(&[]);
    }

    fn valid(&mut self, valid: &Bits) {
        self.node(valid.length, valid.unset);
        self.buffer(if valid.unset == 0 { &[] } else { &valid.bytes });
    }

    fn node(&mut self, length: usize, nulls: usize) {
        self.nodes.extend_from_slice(&(length as u64).to_le_bytes());
        self.nodes.extend_from_slice(&(nulls as u64).to_le_bytes());
    }

    fn buffer(&mut self, bytes: &[u8]) {
        self.buffers.extend_from_slice(&(self.body.len() as u64).to_le_bytes());
        self.buffers.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.body.extend_from_slice(bytes);
        self.body.extend_from_slice(padding(bytes.len()));
    }
}
