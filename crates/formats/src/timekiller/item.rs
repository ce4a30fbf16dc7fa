//! The pieces of the JSON text, typed.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use tristan_history::Datum;
use tristan_history::datum::DatumVisitor;

/// A timestamp as written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Clock {
    p: Tick,
    #[serde(default)]
    l: Tick,
}

impl Clock {
    /// Something that is ordered as timestamps are.
    pub(super) fn moment(self) -> (i128, i128) {
        (self.p.0, self.l.0)
    }
}

/// An integer, or a text with one.
#[derive(Clone, Copy, Debug, Default)]
struct Tick(i128);

/// An operation as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpItem {
    pub(super) t: Kind,
    pub(super) k: Datum,
    #[serde(default)]
    pub(super) v: Payload,
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    Append,
}

/// What an operation read or wrote.
#[derive(Debug, Default)]
pub(super) enum Payload {
    #[default]
    Nothing,
    Value(Datum),
    List(Vec<Datum>),
}

impl<'de> Deserialize<'de> for Tick {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TickVisitor;
        impl Visitor<'_> for TickVisitor {
            type Value = Tick;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an integer, or a string containing one")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Tick, E> {
                Ok(Tick(number.into()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Tick, E> {
                Ok(Tick(number.into()))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Tick, E> {
                let number = text.trim().parse().map(Tick);
                number.map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(TickVisitor)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match word.to_ascii_lowercase().as_str() {
            "r" | "read" => Ok(Self::Read),
            "w" | "write" => Ok(Self::Write),
            "a" | "append" => Ok(Self::Append),
            _ => {
                let expected = &"\"r\", \"w\" or \"a\"";
                Err(de::Error::invalid_value(de::Unexpected::Str(&word), expected))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PayloadVisitor;
        impl<'de> Visitor<'de> for PayloadVisitor {
            type Value = Payload;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an integer, a string, a list or null")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Payload, E> {
                Ok(Payload::Nothing)
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Payload, E> {
                DatumVisitor.visit_i64(number).map(Payload::Value)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Payload, E> {
                DatumVisitor.visit_u64(number).map(Payload::Value)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Payload, E> {
                DatumVisitor.visit_str(text).map(Payload::Value)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Payload, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = list.next_element()? {
                    elements.push(element);
                }
                Ok(Payload::List(elements))
            }
        }
        deserializer.deserialize_any(PayloadVisitor)
    }
}
