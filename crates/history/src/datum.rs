//! Keys and values as the client saw them.
//!
//! ```text
//!   7                 an integer
//!   "x"               a text
//!   {"hex":"00ff"}    bytes that need not be a text
//! ```

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A key or a value: an integer (the whole 64-bit range, signed or not), a text, or bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    /// An integer.
    Int(i128),
    /// A text.
    Text(Box<str>),
    /// Bytes.
    Bytes(Box<[u8]>),
}

impl Datum {
    /// The bytes of a text, or the bytes; `None` for an integer.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Int(_) => None,
            Self::Text(text) => Some(text.as_bytes()),
            Self::Bytes(bytes) => Some(bytes),
        }
    }

    /// Bytes from pairs of hexadecimal digits; `None` if they are something else.
    pub fn from_hex(digits: &str) -> Option<Self> {
        let nibbles: Vec<u8> = digits
            .chars()
            .map(|digit| digit.to_digit(16).map(|nibble| nibble as u8))
            .collect::<Option<_>>()?;
        let whole = nibbles.len().is_multiple_of(2);
        let byte = |pair: &[u8]| (pair[0] << 4) | pair[1];
        whole.then(|| Self::Bytes(nibbles.chunks_exact(2).map(byte).collect()))
    }
}

/// Integers by value, then texts and bytes by their bytes; of a text and bytes that are the same,
/// the text comes first.
impl Ord for Datum {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => left.cmp(right),
            _ => {
                let is_bytes = |datum: &Self| matches!(datum, Self::Bytes(_));
                let same = || is_bytes(self).cmp(&is_bytes(other));
                self.bytes().cmp(&other.bytes()).then_with(same)
            }
        }
    }
}

impl PartialOrd for Datum {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(out, "{number}"),
            Self::Text(text) => out.write_str(text),
            Self::Bytes(bytes) => write!(out, "0x{}", Hex(bytes)),
        }
    }
}

/// Bytes as hexadecimal digits.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl From<i64> for Datum {
    fn from(number: i64) -> Self {
        Self::Int(number.into())
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<&[u8]> for Datum {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(number) => match i64::try_from(*number) {
                Ok(small) => serializer.serialize_i64(small),
                Err(_) => serializer.serialize_u64(u64::try_from(*number).unwrap_or(u64::MAX)),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => serializer.collect_map([("hex", Hex(bytes).to_string())]),
        }
    }
}

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DatumVisitor)
    }
}

/// Reads a datum from JSON.
pub(crate) struct DatumVisitor;

impl<'de> de::Visitor<'de> for DatumVisitor {
    type Value = Datum;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an integer, a text or {\"hex\":\"…\"}")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Datum, E> {
        Ok(Datum::Int(number.into()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Datum, E> {
        Ok(Datum::Int(number.into()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Datum, E> {
        Ok(Datum::Text(text.into()))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Datum, A::Error> {
        let other = || de::Error::invalid_type(de::Unexpected::Map, &DatumVisitor);
        let digits: String = match map.next_key::<String>()?.as_deref() {
            Some("hex") => map.next_value()?,
            _ => return Err(other()),
        };
        if map.next_key::<de::IgnoredAny>()?.is_some() {
            return Err(other());
        }
        Datum::from_hex(&digits).ok_or_else(|| {
            let expected = &"pairs of hexadecimal digits";
            de::Error::invalid_value(de::Unexpected::Str(&digits), expected)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_then_texts_and_bytes_by_their_bytes() {
        let bytes = |bytes: &[u8]| Datum::from(bytes);
        let ascending = [
            Datum::Int(-1),
            Datum::Int(10),
            bytes(b""),
            bytes(b"\x00"),
            "a".into(),
            bytes(b"a"),
            bytes(b"a\xff"),
            "b".into(),
            "é".into(),
            bytes(b"\xff"),
        ];
        assert!(ascending.is_sorted_by(|left, right| left < right));
    }

    #[test]
    fn bytes_are_written_in_hexadecimal_digits() {
        let datum = Datum::from(&b"\x00\xff"[..]);
        assert_eq!(datum.to_string(), "0x00ff");
        let json = serde_json::to_string(&datum).expect("JSON");
        assert_eq!(json, r#"{"hex":"00ff"}"#);
        assert_eq!(serde_json::from_str::<Datum>(r#"{"hex":"00FF"}"#).expect("a datum"), datum);
        for odd in ["0", "0g", "é", "+1"] {
            assert_eq!(Datum::from_hex(odd), None, "{odd}");
        }
    }
}
