//! Reads flatbuffers: tables with numbered fields, each of which may be missing.
//!
//! ```text
//!   table ─► [ distance back to the vtable │ field │ field │ … ]
//!   vtable   [ its length │ length of the table │ where field 0 is │ where field 1 is │ … ]
//! ```
//!
//! Offsets lead forward only, so nothing goes in circles. Every place is looked up with a check.

/// The bytes are no flatbuffer, or not the one expected.
#[derive(Debug)]
pub(crate) struct FlatbufferError;

/// A flatbuffer table within the bytes of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
    vtable: &'a [u8],
}

impl<'a> Table<'a> {
    /// The table that a buffer is about.
    pub(super) fn root(bytes: &'a [u8]) -> Result<Self, FlatbufferError> {
        Self::at(bytes, follow(bytes, 0)?)
    }

    fn at(bytes: &'a [u8], at: usize) -> Result<Self, FlatbufferError> {
        let back = i64::from(i32::from_le_bytes(fixed(bytes, at)?));
        let start = usize::try_from(at as i64 - back).map_err(|_| FlatbufferError)?;
        let length = u16::from_le_bytes(fixed(bytes, start)?);
        let vtable = slice(bytes, start, length.into())?;
        Ok(Self { bytes, at, vtable })
    }

    /// The length of the buffer that it is in.
    pub(super) fn length(&self) -> usize {
        self.bytes.len()
    }

    /// The place of a field, if it is there.
    fn place(&self, field: usize) -> Option<usize> {
        let entry = fixed(self.vtable, 4 + 2 * field).ok().map(u16::from_le_bytes)?;
        (entry != 0).then(|| self.at + usize::from(entry))
    }

    fn number<const N: usize>(&self, field: usize) -> Result<Option<[u8; N]>, FlatbufferError> {
        self.place(field).map(|place| fixed(self.bytes, place)).transpose()
    }

    /// A byte; 0 if it is missing.
    pub(super) fn u8(&self, field: usize) -> Result<u8, FlatbufferError> {
        Ok(self.number(field)?.map_or(0, u8::from_le_bytes))
    }

    /// A number of two bytes; 0 if it is missing.
    pub(super) fn i16(&self, field: usize) -> Result<i16, FlatbufferError> {
        Ok(self.number(field)?.map_or(0, i16::from_le_bytes))
    }

    /// A number of four bytes; 0 if it is missing.
    pub(super) fn i32(&self, field: usize) -> Result<i32, FlatbufferError> {
        Ok(self.number(field)?.map_or(0, i32::from_le_bytes))
    }

    /// A number of eight bytes; 0 if it is missing.
    pub(super) fn i64(&self, field: usize) -> Result<i64, FlatbufferError> {
        Ok(self.number(field)?.map_or(0, i64::from_le_bytes))
    }

    /// A table inside.
    pub(super) fn table(&self, field: usize) -> Result<Option<Self>, FlatbufferError> {
        let place = self.place(field);
        place.map(|place| Self::at(self.bytes, follow(self.bytes, place)?)).transpose()
    }

    /// The string in a field; `None` if the field is missing.
    pub(super) fn text(&self, field: usize) -> Result<Option<&'a str>, FlatbufferError> {
        let Some((_, bytes)) = self.list(field, 1)? else { return Ok(None) };
        std::str::from_utf8(bytes).map(Some).map_err(|_| FlatbufferError)
    }

    /// A list of tables; empty if it is missing.
    pub(super) fn tables(&self, field: usize) -> Result<Vec<Self>, FlatbufferError> {
        let Some((start, offsets)) = self.list(field, 4)? else { return Ok(Vec::new()) };
        let places = (start..start + offsets.len()).step_by(4);
        places.map(|place| Self::at(self.bytes, follow(self.bytes, place)?)).collect()
    }

    /// The bytes of a list of records of a known size; empty if it is missing.
    pub(super) fn records(&self, field: usize, size: usize) -> Result<&'a [u8], FlatbufferError> {
        Ok(self.list(field, size)?.map_or(&[], |(_, bytes)| bytes))
    }

    /// The place of a list and its bytes.
    fn list(
        &self,
        field: usize,
        size: usize,
    ) -> Result<Option<(usize, &'a [u8])>, FlatbufferError> {
        let Some(place) = self.place(field) else { return Ok(None) };
        let start = follow(self.bytes, place)?;
        let count = u32::from_le_bytes(fixed(self.bytes, start)?) as usize;
        let length = count.checked_mul(size).ok_or(FlatbufferError)?;
        Ok(Some((start + 4, slice(self.bytes, start + 4, length)?)))
    }
}

/// Where the offset at a place leads to.
fn follow(bytes: &[u8], place: usize) -> Result<usize, FlatbufferError> {
    let forward = u32::from_le_bytes(fixed(bytes, place)?) as usize;
    place.checked_add(forward).filter(|&target| target < bytes.len()).ok_or(FlatbufferError)
}

fn fixed<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], FlatbufferError> {
    slice(bytes, at, N)?.try_into().map_err(|_| FlatbufferError)
}

fn slice(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], FlatbufferError> {
    let end = at.checked_add(length).ok_or(FlatbufferError)?;
    bytes.get(at..end).ok_or(FlatbufferError)
}
