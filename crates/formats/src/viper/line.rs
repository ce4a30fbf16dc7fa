//! One line, typed.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::elements::{next, nothing_more};
use crate::error::ContentError;
use tristan_history::Datum;

/// A transaction as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TxnLine {
    pub(super) value: Vec<Step>,
    #[serde(rename = "preBeginTS")]
    pub(super) before_begin: Option<i64>,
    #[serde(rename = "postBeginTS")]
    pub(super) after_begin: Option<i64>,
    #[serde(rename = "preCommitTS")]
    pub(super) before_commit: Option<i64>,
    #[serde(rename = "postCommitTS")]
    pub(super) after_commit: Option<i64>,
    #[serde(rename = "isInitial", default)]
    pub(super) is_initial: bool,
    #[serde(rename = "isFinal")]
    _is_final: Option<bool>,
    #[serde(rename = "size")]
    _size: Option<u64>,
}

/// An operation as written.
#[derive(Debug)]
pub(super) enum Step {
    Read { key: Datum, seen: Seen },
    Write { key: Datum, value: Datum, done: bool },
    Insert { key: Datum, value: Datum, seen: Seen, done: bool },
    Delete { key: Datum, tombstone: Datum, seen: Seen, done: bool },
    Range { from: Option<Datum>, to: Option<Datum>, live: Vec<Item>, dead: Vec<Item> },
    Commit,
}

/// What a read returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Nothing,
    Live(Datum),
    Dead(Datum),
}

/// A row that a range read returned.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Row")]
pub(super) struct Item {
    pub(super) id: Datum,
    pub(super) val: Datum,
}

/// A row as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: Option<Datum>,
    #[serde(rename = "sk")]
    _sk: Option<IgnoredAny>,
    val: Option<Datum>,
}

impl TryFrom<Row> for Item {
    type Error = String;

    fn try_from(row: Row) -> Result<Self, String> {
        let missing = |name| format!("a row without \"{name}\", expected it");
        let id = row.id.ok_or_else(|| missing("id"))?;
        Ok(Self { id, val: row.val.ok_or_else(|| missing("val"))? })
    }
}

impl Seen {
    fn new(value: Option<Datum>, dead: bool) -> Self {
        match value {
            None => Self::Nothing,
            Some(value) if dead => Self::Dead(value),
            Some(value) => Self::Live(value),
        }
    }
}

/// Parses a line. A log has whole lines only, so one that is cut off is no different from one
/// that is wrong.
pub(super) fn parse(text: &str) -> Result<TxnLine, ContentError> {
    serde_json::from_str(text).map_err(|error| ContentError {
        malformed: false,
        ..ContentError::from_json(&error, text, None)
    })
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StepVisitor)
    }
}

struct StepVisitor;

impl<'de> Visitor<'de> for StepVisitor {
    type Value = Step;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an operation like [\"r\",key,value,false]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Step, A::Error> {
        let list = &mut list;
        let tag: Tag = next(list, "the kind of operation")?;
        let step = match tag {
            Tag::Read => {
                let key = next(list, "the key")?;
                let value = next(list, "the value read")?;
                Step::Read { key, seen: Seen::new(value, next(list, "whether it is dead")?) }
            }
            Tag::Write => Step::Write {
                key: next(list, "the key")?,
                value: next(list, "the value written")?,
                done: next(list, "whether it succeeded")?,
            },
            Tag::Insert => {
                let (key, value, seen, done) = read_and_write(list)?;
                Step::Insert { key, value, seen, done }
            }
            Tag::Delete => {
                let (key, tombstone, seen, done) = read_and_write(list)?;
                Step::Delete { key, tombstone, seen, done }
            }
            Tag::Range => Step::Range {
                from: bound(next(list, "the first key")?),
                to: bound(next(list, "the last key")?),
                live: next(list, "the rows returned")?,
                dead: next(list, "the tombstones returned")?,
            },
            Tag::Commit => Step::Commit,
        };
        nothing_more(list, tag.length(), &"no further elements")?;
        Ok(step)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Step, A::Error> {
        let object = Object::deserialize(MapAccessDeserializer::new(map))?;
        let Object { key, value, seen, is_dead, succ, .. } = object;
        Ok(match given(object.kind, "opType")? {
            Tag::Read => Step::Read {
                key: given(key, "key")?,
                seen: Seen::new(given(value, "value")?, given(is_dead, "isDead")?),
            },
            Tag::Write => Step::Write {
                key: given(key, "key")?,
                value: given(value.flatten(), "value")?,
                done: given(succ, "succ")?,
            },
            Tag::Insert => Step::Insert {
                key: given(key, "key")?,
                value: given(value.flatten(), "value")?,
                seen: Seen::new(given(seen, "readValue")?, given(is_dead, "isDead")?),
                done: given(succ, "succ")?,
            },
            Tag::Delete => Step::Delete {
                key: given(key, "key")?,
                tombstone: given(value.flatten(), "value")?,
                seen: Seen::new(given(seen, "readValue")?, given(is_dead, "isDead")?),
                done: given(succ, "succ")?,
            },
            Tag::Range => Step::Range {
                from: bound(given(object.key1, "key1")?),
                to: bound(given(object.key2, "key2")?),
                live: given(object.live, "liveKVs")?,
                dead: given(object.dead, "deadKVs")?,
            },
            Tag::Commit => Step::Commit,
        })
    }
}

/// The kind of an operation.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Tag {
    #[serde(rename = "r")]
    Read,
    #[serde(rename = "w")]
    Write,
    #[serde(rename = "i")]
    Insert,
    #[serde(rename = "d")]
    Delete,
    #[serde(rename = "range")]
    Range,
    #[serde(rename = "commit")]
    Commit,
}

impl Tag {
    /// How many elements the operation has as a list.
    fn length(self) -> usize {
        match self {
            Self::Commit => 1,
            Self::Read | Self::Write => 4,
            Self::Range => 5,
            Self::Insert | Self::Delete => 6,
        }
    }
}

/// An operation as an object. Its times say nothing that those of the transaction do not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    #[serde(rename = "opType")]
    kind: Option<Tag>,
    key: Option<Datum>,
    #[serde(default, deserialize_with = "even_null")]
    value: Option<Option<Datum>>,
    #[serde(rename = "readValue", default, deserialize_with = "even_null")]
    seen: Option<Option<Datum>>,
    #[serde(rename = "isDead")]
    is_dead: Option<bool>,
    succ: Option<bool>,
    #[serde(default, deserialize_with = "even_null")]
    key1: Option<Option<Datum>>,
    #[serde(default, deserialize_with = "even_null")]
    key2: Option<Option<Datum>>,
    #[serde(rename = "liveKVs")]
    live: Option<Vec<Item>>,
    #[serde(rename = "deadKVs")]
    dead: Option<Vec<Item>>,
    #[serde(rename = "reqTS")]
    _asked: Option<i64>,
    #[serde(rename = "resTS")]
    _answered: Option<i64>,
}

/// A field that is there, even if it is null.
fn even_null<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<Datum>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

fn given<T, E: de::Error>(field: Option<T>, name: &str) -> Result<T, E> {
    let missing =
        || de::Error::custom(format_args!("an operation without \"{name}\", expected it"));
    field.ok_or_else(missing)
}

/// Key, value written, what was read before, and whether the write succeeded.
fn read_and_write<'de, A: SeqAccess<'de>>(
    list: &mut A,
) -> Result<(Datum, Datum, Seen, bool), A::Error> {
    let key = next(list, "the key")?;
    let value = next(list, "the value written")?;
    let seen = next(list, "the value read")?;
    let seen = Seen::new(seen, next(list, "whether it is dead")?);
    Ok((key, value, seen, next(list, "whether it succeeded")?))
}

/// A bound of a range.
fn bound(key: Option<Datum>) -> Option<Datum> {
    key.filter(|key| !matches!(key, Datum::Text(text) if **text == *"nil"))
}
