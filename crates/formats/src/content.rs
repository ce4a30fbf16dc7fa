//! Values in JSON: any JSON but `null`, which is no value.

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use tristan_history::Datum;

/// A value as it is read.
#[derive(Debug)]
pub(crate) struct Content(pub(crate) Datum);

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        let found = || de::Unexpected::Other(raw.get());
        match Datum::from_raw(raw) {
            Ok(Some(datum)) => Ok(Self(datum)),
            Ok(None) => Err(de::Error::invalid_type(de::Unexpected::Unit, &"a value")),
            Err(expected) => Err(de::Error::invalid_value(found(), &expected)),
        }
    }
}

/// A value as it is printed.
#[derive(Debug)]
pub(crate) struct Shown<'a>(pub(crate) &'a Datum);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Datum::Json(text) => {
                let raw = RawValue::from_string(text.to_string()).map_err(S::Error::custom)?;
                raw.serialize(serializer)
            }
            other => other.serialize(serializer),
        }
    }
}
