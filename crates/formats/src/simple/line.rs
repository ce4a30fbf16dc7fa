//! One line of the simple format, typed.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::content::Content;
use crate::elements::next;
use crate::error::ContentError;
use crate::pair::Pair;
use tristan_history::{Datum, Presence, Range};

/// A transaction as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TxnLine {
    pub(super) s: Datum,
    pub(super) i: Option<i64>,
    pub(super) id: Option<Datum>,
    pub(super) t0: Option<i64>,
    pub(super) t1: Option<i64>,
    pub(super) st: Status,
    pub(super) ops: Vec<OpItem>,
    pub(super) err: Option<String>,
}

/// The optional first line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderLine {
    pub(super) initial: Option<InitialItem>,
    pub(super) own: Option<String>,
    pub(super) order: Option<String>,
    pub(super) times: Option<String>,
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum Status {
    #[serde(rename = "c")]
    Committed,
    #[serde(rename = "a")]
    Aborted,
    #[serde(rename = "u")]
    Unknown,
}

/// The initial state as written.
#[derive(Debug)]
pub(super) enum InitialItem {
    Every(Datum),
    Keys(BTreeMap<String, Datum>),
}

/// An operation as written.
#[derive(Debug)]
pub(super) enum OpItem {
    Read(Datum, Option<Datum>),
    Write(Datum, Datum),
    WriteIf(Presence, Datum, Datum, u32),
    Delete(Datum, Option<u32>),
    Scan(Range, Vec<Pair>),
    Iterate(Range, Vec<Pair>, bool),
    Savepoint(Datum),
    Rollback(Datum),
    Append(Datum, Datum),
    List(Datum, Vec<Datum>),
    ReadModifyWrite(Datum, Option<Datum>, Datum),
}

/// Parses a line, in the words of this crate when it fails.
pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ContentError> {
    serde_json::from_str(text).map_err(|error| ContentError::from_json(&error, text, None))
}

impl<'de> Deserialize<'de> for InitialItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        if raw.get().starts_with('{') {
            let mut object = serde_json::Deserializer::from_str(raw.get());
            return object.deserialize_map(InitialVisitor).map_err(de::Error::custom);
        }
        match Datum::from_raw(raw) {
            Ok(Some(value)) => Ok(InitialItem::Every(value)),
            _ => Err(de::Error::invalid_type(de::Unexpected::Other(raw.get()), &InitialVisitor)),
        }
    }
}

struct InitialVisitor;

impl<'de> Visitor<'de> for InitialVisitor {
    type Value = InitialItem;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("one value for every key, or an object with a value per key")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InitialItem, A::Error> {
        let mut pairs = BTreeMap::new();
        while let Some((key, Content(value))) = map.next_entry::<String, Content>()? {
            if pairs.insert(key.clone(), value).is_some() {
                let twice = format_args!("initial key \"{key}\" twice, expected it once");
                return Err(de::Error::custom(twice));
            }
        }
        Ok(InitialItem::Keys(pairs))
    }
}

impl<'de> Deserialize<'de> for OpItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(OpVisitor)
    }
}

struct OpVisitor;

impl<'de> Visitor<'de> for OpVisitor {
    type Value = OpItem;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an operation like [\"r\",key,value]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OpItem, A::Error> {
        let tag: Tag = next(&mut list, "the kind of operation")?;
        let op = match tag {
            Tag::Read => OpItem::Read(key(&mut list)?, seen(&mut list, "the value read or null")?),
            Tag::Write => OpItem::Write(key(&mut list)?, value(&mut list, "the value written")?),
            Tag::Update => write_if(Presence::Present, &mut list)?,
            Tag::Insert => write_if(Presence::Absent, &mut list)?,
            Tag::Delete => OpItem::Delete(key(&mut list)?, list.next_element()?),
            Tag::Scan => OpItem::Scan(range(&mut list, false)?, items(&mut list)?),
            Tag::ReverseScan => OpItem::Scan(range(&mut list, true)?, items(&mut list)?),
            Tag::Iterate => iterate(&mut list, false)?,
            Tag::ReverseIterate => iterate(&mut list, true)?,
            Tag::Savepoint => OpItem::Savepoint(next(&mut list, "the savepoint")?),
            Tag::Rollback => OpItem::Rollback(next(&mut list, "the savepoint")?),
            Tag::Append => OpItem::Append(key(&mut list)?, value(&mut list, "the element")?),
            Tag::List => {
                let key = key(&mut list)?;
                let elements: Option<Vec<Content>> = next(&mut list, "a list of elements")?;
                let elements = elements.unwrap_or_default().into_iter();
                OpItem::List(key, elements.map(|element| element.0).collect())
            }
            Tag::ReadModifyWrite => OpItem::ReadModifyWrite(
                key(&mut list)?,
                seen(&mut list, "the old value or null")?,
                value(&mut list, "the new value")?,
            ),
        };
        finish(list, op)
    }
}

/// The first element of an operation.
#[derive(Clone, Copy, Debug, Deserialize)]
enum Tag {
    #[serde(rename = "r")]
    Read,
    #[serde(rename = "w")]
    Write,
    #[serde(rename = "u")]
    Update,
    #[serde(rename = "i")]
    Insert,
    #[serde(rename = "d")]
    Delete,
    #[serde(rename = "s")]
    Scan,
    #[serde(rename = "sr")]
    ReverseScan,
    #[serde(rename = "it")]
    Iterate,
    #[serde(rename = "itr")]
    ReverseIterate,
    #[serde(rename = "a")]
    Append,
    #[serde(rename = "l")]
    List,
    #[serde(rename = "rw")]
    ReadModifyWrite,
    #[serde(rename = "sp")]
    Savepoint,
    #[serde(rename = "rb")]
    Rollback,
}

/// Why an iterator stopped.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stop {
    End,
    More,
}

fn key<'de, A: SeqAccess<'de>>(list: &mut A) -> Result<Datum, A::Error> {
    next(list, "the key")
}

fn value<'de, A: SeqAccess<'de>>(list: &mut A, what: &str) -> Result<Datum, A::Error> {
    next(list, what).map(|Content(datum)| datum)
}

fn seen<'de, A: SeqAccess<'de>>(list: &mut A, what: &str) -> Result<Option<Datum>, A::Error> {
    next(list, what).map(|seen: Option<Content>| seen.map(|Content(datum)| datum))
}

fn range<'de, A: SeqAccess<'de>>(list: &mut A, reverse: bool) -> Result<Range, A::Error> {
    let bounds = "the bounds of the range";
    Ok(Range { lo: next(list, bounds)?, hi: next(list, bounds)?, reverse })
}

fn iterate<'de, A: SeqAccess<'de>>(list: &mut A, reverse: bool) -> Result<OpItem, A::Error> {
    let (range, items) = (range(list, reverse)?, items(list)?);
    let stop: Stop = next(list, "\"end\" or \"more\"")?;
    Ok(OpItem::Iterate(range, items, matches!(stop, Stop::End)))
}

fn write_if<'de, A: SeqAccess<'de>>(when: Presence, list: &mut A) -> Result<OpItem, A::Error> {
    let (key, value) = (key(list)?, value(list, "the value written")?);
    Ok(OpItem::WriteIf(when, key, value, next(list, "the number of rows")?))
}

fn items<'de, A: SeqAccess<'de>>(list: &mut A) -> Result<Vec<Pair>, A::Error> {
    next(list, "the items returned")
}

/// Nothing may follow a whole operation.
fn finish<'de, A: SeqAccess<'de>>(mut list: A, op: OpItem) -> Result<OpItem, A::Error> {
    match list.next_element::<de::IgnoredAny>()? {
        None => Ok(op),
        Some(_) => Err(de::Error::custom("an operation with extra elements, expected its end")),
    }
}
