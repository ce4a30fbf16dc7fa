//! The first line of a trace.

use std::io;

use serde::{Serialize, Serializer};

/// What a trace says about itself.
#[derive(Clone, Debug, Default)]
pub struct Header<'a> {
    /// The database's name and version.
    pub database: &'a str,
    /// The level that it promises, if any.
    pub level: Option<&'a str>,
    /// What is in it before the first transaction; other keys are absent.
    pub initial: &'a [(i64, i64)],
    /// Whether its contents before the first transaction are unknown.
    pub initial_unknown: bool,
    /// Whether no value is written twice to one key.
    pub unique_values: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    tristan: &'a str,
    initial: Initial<'a>,
    database: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    assume: &'a [&'a str],
}

enum Initial<'a> {
    Known(&'a [(i64, i64)]),
    Unknown,
}

impl Serialize for Initial<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known([]) => serializer.serialize_str("empty"),
            Self::Known(pairs) => serializer.collect_map([("keys", pairs)]),
            Self::Unknown => serializer.serialize_str("unknown"),
        }
    }
}

impl Header<'_> {
    pub(crate) fn line(&self) -> io::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(&Line {
            tristan: "trace/1",
            initial: match self.initial_unknown {
                true => Initial::Unknown,
                false => Initial::Known(self.initial),
            },
            database: self.database,
            level: self.level,
            assume: if self.unique_values { &["unique-values"] } else { &[] },
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}
