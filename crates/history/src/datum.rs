//! Keys and values as the client saw them.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A key or a value: an integer (the whole 64-bit range, signed or not) or a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datum {
    /// An integer.
    Int(i128),
    /// A text.
    Text(Box<str>),
}

impl fmt::Display for Datum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(out, "{number}"),
            Self::Text(text) => out.write_str(text),
        }
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

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(number) => match i64::try_from(*number) {
                Ok(small) => serializer.serialize_i64(small),
                Err(_) => serializer.serialize_u64(u64::try_from(*number).unwrap_or(u64::MAX)),
            },
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DatumVisitor)
    }
}

struct DatumVisitor;

impl de::Visitor<'_> for DatumVisitor {
    type Value = Datum;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an integer or a text")
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
}
