//! Reads numbers and texts from bytes that a client or a server sent. Whatever the bytes say, the answer
//! to a read past their end is `None`.

/// What is left to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// Whether there is nothing left.
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The next bytes.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N).and_then(|bytes| bytes.try_into().ok())
    }

    /// One byte.
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    /// Two bytes, the high one first.
    pub(crate) fn i16_be(&mut self) -> Option<i16> {
        self.array().map(i16::from_be_bytes)
    }

    /// Four bytes, the highest one first.
    pub(crate) fn i32_be(&mut self) -> Option<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// Four bytes, the highest one first.
    pub(crate) fn u32_be(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// Eight bytes, the highest one first.
    pub(crate) fn i64_be(&mut self) -> Option<i64> {
        self.array().map(i64::from_be_bytes)
    }

    /// Two bytes, the low one first.
    pub(crate) fn u16_le(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// Four bytes, the lowest one first.
    pub(crate) fn u32_le(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Eight bytes, the lowest one first.
    pub(crate) fn u64_le(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// What comes before the next zero byte, which is read too.
    pub(crate) fn until_zero(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let taken = &self.0[..end];
        self.0 = &self.0[end + 1..];
        Some(taken)
    }

    /// The same, as text; bytes that are not text become replacement characters.
    pub(crate) fn text_until_zero(&mut self) -> Option<String> {
        self.until_zero().map(lossy)
    }

    /// A number in MySQL's variable form. The form's own way to say NULL is no number.
    pub(crate) fn length(&mut self) -> Option<u64> {
        match self.u8()? {
            small @ 0..=0xfa => Some(small.into()),
            0xfc => self.u16_le().map(u64::from),
            0xfd => self.array::<3>().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]).into()),
            0xfe => self.u64_le(),
            _ => None,
        }
    }

    /// Bytes with their length before them, in MySQL's variable form.
    pub(crate) fn counted(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.length()?).ok()?;
        self.take(length)
    }
}

/// Bytes as text; what is no text becomes replacement characters.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_past_the_end() {
        let mut bytes = Bytes(&[1, 2, 3]);
        assert_eq!(bytes.u32_le(), None);
        assert_eq!(bytes.u16_le(), Some(0x201));
        assert_eq!(bytes.until_zero(), None);
        assert_eq!(Bytes(&[0xfe, 255, 255, 255, 255, 255, 255, 255, 255]).counted(), None);
        assert_eq!(Bytes(&[2, 7, 8, 9]).counted(), Some(&[7, 8][..]));
        assert_eq!(Bytes(b"ab\0c").text_until_zero().as_deref(), Some("ab"));
    }
}
