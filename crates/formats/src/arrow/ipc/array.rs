//! Takes the body of a batch apart into columns.
//!
//! Nodes and buffers come in the order of the schema, a column before what is inside it. Every
//! column gets as many values as its node claims, or is refused: what is not in the body cannot be
//! claimed.

use super::frames::Batch;
use super::schema::{Field, IntType, Type, Width};
use super::table::FlatbufferError;

/// A column.
#[derive(Debug)]
pub(crate) struct Array<'a> {
    pub(crate) length: usize,
    /// One bit per value that is not null; `None` if none is null.
    valid: Option<&'a [u8]>,
    pub(crate) data: Data<'a>,
}

/// What a column holds. Of a column with a dictionary, these are places in it.
#[derive(Debug)]
pub(crate) enum Data<'a> {
    Ints(Ints<'a>),
    Bools(&'a [u8]),
    Texts(Slices<'a>),
    Bytes(Slices<'a>),
    /// Where each list begins and the last one ends, and all items.
    List(Vec<usize>, Box<Array<'a>>),
    Struct(Vec<Array<'a>>),
}

/// Integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ints<'a> {
    kind: IntType,
    bytes: &'a [u8],
}

/// Pieces of a run of bytes.
#[derive(Debug)]
pub(crate) struct Slices<'a> {
    /// Where each begins and the last one ends.
    offsets: Vec<usize>,
    bytes: &'a [u8],
}

impl Array<'_> {
    /// Whether the value in a row is not null.
    pub(crate) fn has(&self, row: usize) -> bool {
        self.valid.is_none_or(|bits| is_set(bits, row))
    }
}

impl Ints<'_> {
    /// The integer in a row.
    pub(crate) fn get(self, row: usize) -> i128 {
        let IntType { bits, signed } = self.kind;
        match (bits, signed) {
            (8, true) => (self.bytes[row] as i8).into(),
            (8, false) => self.bytes[row].into(),
            (16, true) => i16::from_le_bytes(self.part(row)).into(),
            (16, false) => u16::from_le_bytes(self.part(row)).into(),
            (32, true) => i32::from_le_bytes(self.part(row)).into(),
            (32, false) => u32::from_le_bytes(self.part(row)).into(),
            (_, true) => i64::from_le_bytes(self.part(row)).into(),
            (_, false) => u64::from_le_bytes(self.part(row)).into(),
        }
    }

    /// All integers as numbers of a place; what is none becomes the highest number.
    pub(crate) fn places(self) -> Vec<u32> {
        match self.kind.bits {
            8 => self.bytes.iter().map(|&byte| self.place8(byte)).collect(),
            16 => self.map(|part| self.place16(u16::from_le_bytes(part))),
            32 => self.map(|part| self.place32(u32::from_le_bytes(part))),
            _ => self.map(|part| u32::try_from(u64::from_le_bytes(part)).unwrap_or(u32::MAX)),
        }
    }

    // A negative number is above all positive ones if its sign is taken for a digit.
    fn place8(self, byte: u8) -> u32 {
        if self.kind.signed && byte >> 7 == 1 { u32::MAX } else { byte.into() }
    }

    fn place16(self, number: u16) -> u32 {
        if self.kind.signed && number >> 15 == 1 { u32::MAX } else { number.into() }
    }

    fn place32(self, number: u32) -> u32 {
        if self.kind.signed && number >> 31 == 1 { u32::MAX } else { number }
    }

    fn map<const N: usize>(self, read: impl Fn([u8; N]) -> u32) -> Vec<u32> {
        self.bytes.as_chunks().0.iter().map(|&part| read(part)).collect()
    }

    fn part<const N: usize>(self, row: usize) -> [u8; N] {
        self.bytes.as_chunks().0[row]
    }
}

impl<'a> Slices<'a> {
    /// The piece in a row.
    pub(crate) fn get(&self, row: usize) -> &'a [u8] {
        &self.bytes[self.offsets[row]..self.offsets[row + 1]]
    }
}

/// Whether the bit of a row is set.
pub(crate) fn is_set(bits: &[u8], row: usize) -> bool {
    bits[row / 8] >> (row % 8) & 1 == 1
}

/// The values of a dictionary.
pub(crate) fn values<'a>(batch: &Batch<'a>, kind: &Type) -> Result<Array<'a>, FlatbufferError> {
    let mut parts = Parts::of(batch);
    let array = parts.array(kind)?;
    (array.length as i64 == batch.length).then_some(array).ok_or(FlatbufferError)
}

/// The columns of a batch.
pub(crate) fn columns<'a>(
    batch: &Batch<'a>,
    fields: &[Field],
) -> Result<Vec<Array<'a>>, FlatbufferError> {
    let mut parts = Parts::of(batch);
    let length = usize::try_from(batch.length).map_err(|_| FlatbufferError)?;
    fields.iter().map(|field| parts.field(field, length)).collect()
}

/// What is left of a batch.
struct Parts<'a> {
    nodes: std::slice::ChunksExact<'a, u8>,
    buffers: std::slice::ChunksExact<'a, u8>,
    body: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of(batch: &Batch<'a>) -> Self {
        Self {
            nodes: batch.nodes.chunks_exact(16),
            buffers: batch.buffers.chunks_exact(16),
            body: batch.body,
        }
    }

    /// A column of a known length.
    fn field(&mut self, field: &Field, length: usize) -> Result<Array<'a>, FlatbufferError> {
        let array = match field.dictionary {
            Some(encoding) => self.array(&Type::Int(encoding.index))?,
            None => self.array(&field.kind)?,
        };
        (array.length == length).then_some(array).ok_or(FlatbufferError)
    }

    fn array(&mut self, kind: &Type) -> Result<Array<'a>, FlatbufferError> {
        let (length, nulls) = pair(self.nodes.next())?;
        let valid = self.valid(length, nulls)?;
        let data = match kind {
            Type::Int(kind) => {
                let bytes = self.buffer(length.checked_mul(usize::from(kind.bits / 8)))?;
                Data::Ints(Ints { kind: *kind, bytes })
            }
            Type::Bool => Data::Bools(self.buffer(Some(length.div_ceil(8)))?),
            Type::Text(width) => Data::Texts(self.slices(length, *width)?),
            Type::Bytes(width) => Data::Bytes(self.slices(length, *width)?),
            Type::List(width, item) => {
                let offsets = self.offsets(length, *width)?;
                let items = match item.dictionary {
                    Some(encoding) => self.array(&Type::Int(encoding.index))?,
                    None => self.array(&item.kind)?,
                };
                check_offsets(&offsets, items.length)?;
                Data::List(offsets, Box::new(items))
            }
            Type::Struct(fields) => Data::Struct(
                fields.iter().map(|field| self.field(field, length)).collect::<Result<_, _>>()?,
            ),
        };
        Ok(Array { length, valid, data })
    }

    /// One bit per value; all are there if the buffer is empty.
    fn valid(&mut self, length: usize, nulls: usize) -> Result<Option<&'a [u8]>, FlatbufferError> {
        let bits = self.any_buffer()?;
        match nulls {
            0 => Ok(None),
            _ => bits.get(..length.div_ceil(8)).map(Some).ok_or(FlatbufferError),
        }
    }

    fn slices(&mut self, length: usize, width: Width) -> Result<Slices<'a>, FlatbufferError> {
        let offsets = self.offsets(length, width)?;
        let bytes = self.any_buffer()?;
        check_offsets(&offsets, bytes.len())?;
        Ok(Slices { offsets, bytes })
    }

    /// One offset more than there are values; the buffer may be empty if there are none.
    fn offsets(&mut self, length: usize, width: Width) -> Result<Vec<usize>, FlatbufferError> {
        let bytes = self.any_buffer()?;
        if length == 0 {
            return Ok(vec![0]);
        }
        let size = if width == Width::Small { 4 } else { 8 };
        let needed = length.checked_add(1).and_then(|count| count.checked_mul(size));
        let bytes = bytes.get(..needed.ok_or(FlatbufferError)?).ok_or(FlatbufferError)?;
        let offset = |number: i64| usize::try_from(number).map_err(|_| FlatbufferError);
        match width {
            Width::Small => {
                let parts = bytes.as_chunks().0.iter();
                parts.map(|&part| offset(i32::from_le_bytes(part).into())).collect()
            }
            Width::Large => {
                let parts = bytes.as_chunks().0.iter();
                parts.map(|&part| offset(i64::from_le_bytes(part))).collect()
            }
        }
    }

    /// The first bytes of the next buffer.
    fn buffer(&mut self, length: Option<usize>) -> Result<&'a [u8], FlatbufferError> {
        self.any_buffer()?.get(..length.ok_or(FlatbufferError)?).ok_or(FlatbufferError)
    }

    fn any_buffer(&mut self) -> Result<&'a [u8], FlatbufferError> {
        let (start, length) = pair(self.buffers.next())?;
        let end = start.checked_add(length).ok_or(FlatbufferError)?;
        self.body.get(start..end).ok_or(FlatbufferError)
    }
}

/// Offsets never go back, and not beyond the end.
fn check_offsets(offsets: &[usize], end: usize) -> Result<(), FlatbufferError> {
    let fits = offsets.is_sorted() && offsets.last().is_none_or(|&last| last <= end);
    fits.then_some(()).ok_or(FlatbufferError)
}

/// Two numbers of eight bytes.
fn pair(record: Option<&[u8]>) -> Result<(usize, usize), FlatbufferError> {
    let numbers = record.ok_or(FlatbufferError)?.as_chunks().0;
    let number = |place: usize| {
        let bytes = numbers.get(place).ok_or(FlatbufferError)?;
        usize::try_from(i64::from_le_bytes(*bytes)).map_err(|_| FlatbufferError)
    };
    Ok((number(0)?, number(1)?))
}
