//! The initial state as a header states it: read, numbered, printed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};

use crate::content::{Content, Shown};
use crate::error::{ContentError, short};
use crate::pair::Pair;
use tristan_history::{Datum, History, HistoryBuilder, Initial};

/// The initial state as written, before keys and values have numbers.
#[derive(Debug)]
pub(super) enum InitialState {
    Empty,
    Unknown,
    Every(Datum),
    Keys(Vec<Pair>),
}

impl InitialState {
    /// The same, with numbers for keys and values.
    pub(super) fn numbered(self, builder: &mut HistoryBuilder) -> Result<Initial, ContentError> {
        let pairs = match self {
            Self::Empty => return Ok(Initial::Empty),
            Self::Unknown => return Ok(Initial::Unknown),
            Self::Every(value) => return Ok(Initial::Uniform(builder.value(value))),
            Self::Keys(pairs) => pairs,
        };
        let mut given = BTreeMap::new();
        for Pair(key, value) in pairs {
            let twice =
                ContentError::new(format!("key {} twice in \"initial\"", short(&key)), "it once");
            if given.insert(builder.key(key), builder.value(value)).is_some() {
                return Err(twice);
            }
        }
        Ok(Initial::Given(given))
    }
}

/// The initial state of a history, as it is printed.
pub(super) struct ShownInitial<'a>(pub(super) &'a History);

impl Serialize for ShownInitial<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let history = self.0;
        match &history.header.initial {
            Initial::Empty => serializer.serialize_str("empty"),
            Initial::Unknown => serializer.serialize_str("unknown"),
            Initial::Uniform(value) => {
                serializer.collect_map([("every", Shown(&history.value(*value)))])
            }
            Initial::Given(map) => {
                let values: Vec<Cow<'_, Datum>> =
                    map.values().map(|value| history.value(*value)).collect();
                let keys = map.keys().map(|key| history.key(*key));
                let pairs: Vec<(&Datum, Shown<'_>)> =
                    keys.zip(values.iter().map(|value| Shown(value))).collect();
                serializer.collect_map([("keys", pairs)])
            }
        }
    }
}

impl<'de> Deserialize<'de> for InitialState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InitialVisitor)
    }
}

struct InitialVisitor;

impl<'de> Visitor<'de> for InitialVisitor {
    type Value = InitialState;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("\"empty\", \"unknown\", {\"every\":value} or {\"keys\":[[key,value],…]}")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<InitialState, E> {
        match text {
            "empty" => Ok(InitialState::Empty),
            "unknown" => Ok(InitialState::Unknown),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InitialState, A::Error> {
        let state = match map.next_key::<String>()?.as_deref() {
            Some("every") => InitialState::Every(map.next_value::<Content>()?.0),
            Some("keys") => InitialState::Keys(map.next_value()?),
            _ => return Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        };
        match map.next_key::<String>()? {
            None => Ok(state),
            Some(_) => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }
}
