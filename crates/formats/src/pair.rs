//! A key with its value, written `[key, value]`.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

use super::content::Content;
use super::elements::nothing_more;
use tristan_history::Datum;

/// A key with its value.
#[derive(Debug)]
pub(crate) struct Pair(pub(crate) Datum, pub(crate) Datum);

impl<'de> Deserialize<'de> for Pair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(PairVisitor)
    }
}

struct PairVisitor;

impl<'de> Visitor<'de> for PairVisitor {
    type Value = Pair;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a pair [key, value]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pair, A::Error> {
        let too_short = |length| de::Error::invalid_length(length, &self);
        let key = list.next_element()?.ok_or_else(|| too_short(0))?;
        let Content(value) = list.next_element()?.ok_or_else(|| too_short(1))?;
        nothing_more(&mut list, 2, &self)?;
        Ok(Pair(key, value))
    }
}
