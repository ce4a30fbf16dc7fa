//! One line of a trace as loose fields: types are right, nothing else is checked yet.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::initial::InitialState;
use super::scalar::{At, LogicalTime, Payload, Whole, Written};
use super::vocabulary::{Field, FieldSet, Verb, describe, suggest_field};
use crate::content::Content;
use crate::error::{ContentError, quote};
use crate::pair::Pair;
use tristan_history::Datum;

/// The fields of a line. `present` says which were written, even if their value is `null`.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) present: FieldSet,
    /// The field being read, for error messages.
    current: Option<Field>,
    pub(super) tristan: Option<String>,
    pub(super) initial: Option<InitialState>,
    pub(super) database: Option<String>,
    pub(super) level: Option<String>,
    pub(super) assume: Option<Vec<String>>,
    pub(super) open: Option<String>,
    pub(super) own: Option<String>,
    pub(super) order: Option<String>,
    pub(super) times: Option<String>,
    pub(super) call: Option<Whole>,
    pub(super) ret: Option<Whole>,
    pub(super) session: Option<Datum>,
    pub(super) txn: Option<Datum>,
    pub(super) verb: Option<Verb>,
    pub(super) key: Option<Datum>,
    pub(super) value: Option<Written>,
    pub(super) condition: Option<String>,
    pub(super) name: Option<Datum>,
    pub(super) old: Option<Content>,
    pub(super) rows: Option<Whole>,
    pub(super) lo: Option<Datum>,
    pub(super) hi: Option<Datum>,
    pub(super) reverse: bool,
    pub(super) lock: bool,
    pub(super) items: Option<Vec<Pair>>,
    pub(super) end: bool,
    pub(super) unseen: bool,
    pub(super) error: Option<String>,
    pub(super) aborted: bool,
    pub(super) at: Option<At>,
    pub(super) note: Option<String>,
    pub(super) from: Option<Payload<Option<Datum>>>,
    pub(super) dead: Option<Payload<Pair>>,
    pub(super) stamp: Option<LogicalTime>,
    pub(super) hint: Option<String>,
    pub(super) txns: Option<Vec<Datum>>,
}

impl Line {
    /// Reads the fields of a line.
    pub(super) fn parse(text: &str) -> Result<Self, ContentError> {
        let mut line = Self::default();
        let mut json = serde_json::Deserializer::from_str(text);
        let outcome = line.deserialize(&mut json).and_then(|()| json.end());
        match outcome {
            Ok(()) => Ok(line),
            Err(error) => Err(ContentError::from_json(&error, text, line.current.map(Field::name))),
        }
    }

    /// Complains about a field outside `allowed` or missing from `needed`.
    pub(super) fn check(
        &self,
        what: fmt::Arguments<'_>,
        needed: FieldSet,
        allowed: FieldSet,
    ) -> Result<(), ContentError> {
        if let Some(extra) = self.present.first_outside(allowed.and(needed)) {
            let found = format!("\"{}\" on {what}", extra.name());
            return Err(ContentError::new(found, format!("{what} without it")));
        }
        if let Some(missing) = needed.first_outside(self.present) {
            let found = format!("{what} without \"{}\"", missing.name());
            return Err(ContentError::new(found, describe(missing)));
        }
        Ok(())
    }

    /// Whether the answer on this line came and was recorded.
    pub(super) fn was_seen(&self) -> bool {
        self.error.is_none() && !self.unseen
    }

    /// The time of a line that speaks of one instant.
    pub(super) fn instant(&self) -> Result<Option<i64>, ContentError> {
        match self.at {
            None => Ok(None),
            Some(At::Instant(time)) => Ok(Some(time)),
            Some(At::Pair(..)) => {
                Err(ContentError::new("a pair of times in \"at\"", "one time in nanoseconds"))
            }
        }
    }

    /// The times of a line that speaks of a call and its return.
    pub(super) fn span(&self) -> (Option<i64>, Option<i64>) {
        match self.at {
            None => (None, None),
            Some(At::Instant(time)) => (Some(time), Some(time)),
            Some(At::Pair(call, ret)) => (call, ret),
        }
    }

    /// A line that is none of the known kinds.
    pub(super) fn stranger(text: &str) -> ContentError {
        ContentError::new(quote(text), "\"call\", \"return\", \"op\", \"note\" or \"hint\"")
    }
}

impl<'de> DeserializeSeed<'de> for &mut Line {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Line {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(field) = map.next_key_seed(FieldName)? {
            if !self.present.insert(field) {
                let name = field.name();
                return Err(de::Error::custom(format_args!("a second \"{name}\", expected one")));
            }
            self.current = Some(field);
            self.take(field, &mut map)?;
            self.current = None;
        }
        Ok(())
    }
}

impl Line {
    fn take<'de, A: MapAccess<'de>>(&mut self, field: Field, map: &mut A) -> Result<(), A::Error> {
        match field {
            Field::Tristan => self.tristan = Some(map.next_value()?),
            Field::Initial => self.initial = Some(map.next_value()?),
            Field::Database => self.database = Some(map.next_value()?),
            Field::Level => self.level = Some(map.next_value()?),
            Field::Assume => self.assume = Some(map.next_value()?),
            Field::Open => self.open = Some(map.next_value()?),
            Field::Own => self.own = Some(map.next_value()?),
            Field::Order => self.order = Some(map.next_value()?),
            Field::Times => self.times = Some(map.next_value()?),
            Field::Call => self.call = Some(map.next_value()?),
            Field::Return => self.ret = Some(map.next_value()?),
            Field::Session => self.session = Some(map.next_value()?),
            Field::Txn => self.txn = Some(map.next_value()?),
            Field::Op => self.verb = Some(map.next_value()?),
            Field::Key => self.key = Some(map.next_value()?),
            Field::Value => self.value = Some(map.next_value()?),
            Field::If => self.condition = Some(map.next_value()?),
            Field::Name => self.name = Some(map.next_value()?),
            Field::Old => self.old = map.next_value()?,
            Field::Rows => self.rows = Some(map.next_value()?),
            Field::Lo => self.lo = map.next_value()?,
            Field::Hi => self.hi = map.next_value()?,
            Field::Reverse => self.reverse = map.next_value()?,
            Field::Lock => self.lock = map.next_value()?,
            Field::Items => self.items = Some(map.next_value()?),
            Field::End => self.end = map.next_value()?,
            Field::Unseen => self.unseen = map.next_value()?,
            Field::Error => self.error = Some(map.next_value()?),
            Field::Aborted => self.aborted = map.next_value()?,
            Field::At => self.at = map.next_value()?,
            Field::Note => self.note = Some(map.next_value()?),
            Field::From => self.from = Some(map.next_value()?),
            Field::Dead => self.dead = Some(map.next_value()?),
            Field::Stamp => self.stamp = Some(map.next_value()?),
            Field::Hint => self.hint = Some(map.next_value()?),
            Field::Txns => self.txns = Some(map.next_value()?),
            Field::Context => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Reads the name of a field.
struct FieldName;

impl<'de> DeserializeSeed<'de> for FieldName {
    type Value = Field;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Field, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldName {
    type Value = Field;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Field, E> {
        Field::from_name(text).ok_or_else(|| {
            E::custom(format_args!("field \"{text}\", expected {}", suggest_field(text)))
        })
    }
}
