//! The header: what the trace says about itself before the first transaction.

use std::borrow::Cow;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};

use super::VERSION;
use super::line::Line;
use super::vocabulary::{Field, FieldSet};
use crate::error::{Problem, short};
use crate::formats::choice;
use crate::formats::content::{Content, Shown};
use crate::formats::object::Object;
use crate::formats::pair::Pair;
use crate::{Datum, Header, History, HistoryBuilder, Initial};

/// The initial state as written, before keys and values have numbers.
#[derive(Debug)]
pub(super) enum InitialState {
    Empty,
    Unknown,
    Every(Datum),
    Keys(Vec<Pair>),
}

const FIELDS: FieldSet = FieldSet::of(&[
    Field::Tristan,
    Field::Initial,
    Field::Database,
    Field::Level,
    Field::Assume,
    Field::Open,
    Field::Own,
    Field::Order,
    Field::Times,
    Field::Context,
]);

/// Reads a header line.
pub(super) fn read(line: Line, builder: &mut HistoryBuilder) -> Result<Header, Problem> {
    line.check(format_args!("header"), FieldSet::default(), FIELDS)?;
    let version = line.tristan.unwrap_or_default();
    if version != VERSION {
        return Err(Problem::new(format!("version \"{version}\""), format!("\"{VERSION}\"")));
    }
    Ok(Header {
        initial: initial(line.initial.unwrap_or(InitialState::Empty), builder)?,
        database: line.database,
        level: line.level,
        assumptions: line.assume.unwrap_or_default(),
        open_aborted: choice::OPEN.read_or_usual(line.open.as_deref())?,
        own_writes: choice::OWN.read_or_usual(line.own.as_deref())?,
        key_order: choice::ORDER.read_or_usual(line.order.as_deref())?,
        clock: choice::TIMES.read_or_usual(line.times.as_deref())?,
    })
}

fn initial(state: InitialState, builder: &mut HistoryBuilder) -> Result<Initial, Problem> {
    let pairs = match state {
        InitialState::Empty => return Ok(Initial::Empty),
        InitialState::Unknown => return Ok(Initial::Unknown),
        InitialState::Every(value) => return Ok(Initial::Uniform(builder.value(value))),
        InitialState::Keys(pairs) => pairs,
    };
    let mut given = BTreeMap::new();
    for Pair(key, value) in pairs {
        let twice = Problem::new(format!("key {} twice in \"initial\"", short(&key)), "it once");
        if given.insert(builder.key(key), builder.value(value)).is_some() {
            return Err(twice);
        }
    }
    Ok(Initial::Given(given))
}

/// Prints the header line.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    let header = &history.header;
    let mut object = Object::open(out)?;
    object.field("tristan", VERSION)?;
    object.field("initial", &ShownInitial(history))?;
    object.maybe("database", header.database.as_ref())?;
    object.maybe("level", header.level.as_ref())?;
    if !header.assumptions.is_empty() {
        object.field("assume", &header.assumptions)?;
    }
    object.maybe("open", choice::OPEN.unusual(header.open_aborted))?;
    object.maybe("own", choice::OWN.unusual(header.own_writes))?;
    object.maybe("order", choice::ORDER.unusual(header.key_order))?;
    object.maybe("times", choice::TIMES.unusual(header.clock))?;
    object.close()
}

/// The initial state of a history, as it is printed.
struct ShownInitial<'a>(&'a History);

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
