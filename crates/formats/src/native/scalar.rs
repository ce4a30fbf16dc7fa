//! The small values inside a trace line, each with an error message of its own.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::vocabulary::{Verb, suggest_verb};
use crate::elements::nothing_more;
use tristan_history::Datum;
use tristan_history::datum::DatumVisitor;

/// Nothing, one datum, or a list.
#[derive(Debug)]
pub(super) enum Payload<T> {
    Null,
    One(Datum),
    List(Vec<T>),
}

/// The field `v`: nothing, a value, or a list. Whether a list is one of elements or a value, the
/// operation says.
#[derive(Debug)]
pub(super) enum Written {
    Null,
    One(Datum),
    List(Box<RawValue>),
}

impl Written {
    /// The value, if it is one.
    pub(super) fn value(self) -> Option<Datum> {
        match self {
            Self::Null => None,
            Self::One(datum) => Some(datum),
            Self::List(raw) => Datum::from_raw(&raw).ok().flatten(),
        }
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        if raw.get().starts_with('[') {
            return Ok(Self::List(raw.to_owned()));
        }
        match Datum::from_raw(raw) {
            Ok(datum) => Ok(datum.map_or(Self::Null, Self::One)),
            Err(expected) => {
                Err(de::Error::invalid_value(de::Unexpected::Other(raw.get()), &expected))
            }
        }
    }
}

/// The field `at`: one instant, or the instants before and after.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    Instant(i64),
    Pair(Option<i64>, Option<i64>),
}

/// A number that counts or names something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole(pub(super) u64);

/// A moment of a clock that only counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogicalTime(pub(super) i64);

/// A moment in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Nanos(i64);

/// Implements `Deserialize` for a type through a visitor with the given methods.
macro_rules! visited {
    ($type:ty, $visitor:ident, $expecting:expr, { $($method:item)* }) => {
        struct $visitor;

        impl<'de> Visitor<'de> for $visitor {
            type Value = $type;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str($expecting)
            }

            $($method)*
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($visitor)
            }
        }
    };
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Payload<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PayloadVisitor(PhantomData))
    }
}

struct PayloadVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PayloadVisitor<T> {
    type Value = Payload<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an integer, a string, {\"hex\":\"…\"}, null or a list")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Payload<T>, E> {
        Ok(Payload::Null)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Payload<T>, E> {
        DatumVisitor.visit_i64(number).map(Payload::One)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Payload<T>, E> {
        DatumVisitor.visit_u64(number).map(Payload::One)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Payload<T>, E> {
        DatumVisitor.visit_str(text).map(Payload::One)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Payload<T>, A::Error> {
        DatumVisitor.visit_map(map).map(Payload::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Payload<T>, A::Error> {
        let mut data = Vec::new();
        while let Some(datum) = list.next_element()? {
            data.push(datum);
        }
        Ok(Payload::List(data))
    }
}

visited!(At, AtVisitor, "a time in nanoseconds or a pair [call, return]", {
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<At, E> {
        Ok(At::Instant(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<At, E> {
        signed(number, &self).map(At::Instant)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<At, A::Error> {
        let call: Option<Nanos> =
            list.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let ret: Option<Nanos> =
            list.next_element()?.ok_or_else(|| de::Error::invalid_length(1, &self))?;
        nothing_more(&mut list, 2, &self)?;
        Ok(At::Pair(call.map(|time| time.0), ret.map(|time| time.0)))
    }
});

visited!(Nanos, NanosVisitor, "a time in nanoseconds", {
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Nanos, E> {
        Ok(Nanos(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Nanos, E> {
        signed(number, &self).map(Nanos)
    }
});

visited!(LogicalTime, LogicalTimeVisitor, "a logical time, an integer", {
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<LogicalTime, E> {
        Ok(LogicalTime(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<LogicalTime, E> {
        signed(number, &self).map(LogicalTime)
    }
});

visited!(Whole, WholeVisitor, "a whole number", {
    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Whole, E> {
        Ok(Whole(number))
    }
});

visited!(Verb, VerbVisitor, "the name of an operation", {
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Verb, E> {
        Verb::from_name(text).ok_or_else(|| {
            E::custom(format_args!("operation \"{text}\", expected {}", suggest_verb(text)))
        })
    }
});

fn signed<E: de::Error>(number: u64, visitor: &dyn de::Expected) -> Result<i64, E> {
    i64::try_from(number).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), visitor))
}
