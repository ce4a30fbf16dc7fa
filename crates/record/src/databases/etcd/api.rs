//! The calls of etcd that transactions are made of, as its JSON gateway takes them.

use std::io;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::DatabaseError;
use crate::databases::http::HttpClient;

/// A connection to a server.
pub(super) struct Api {
    http: HttpClient,
}

/// What a key holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its value; `None` if it is not there.
    pub(super) value: Option<Vec<u8>>,
    /// The revision that wrote it; 0 if it is not there.
    pub(super) written: i64,
    /// The newest revision of the whole store.
    pub(super) newest: i64,
}

/// What must be true of a key for a transaction to take effect.
#[derive(Debug, Serialize)]
pub(super) struct Compare {
    key: String,
    target: &'static str,
    result: &'static str,
    #[serde(rename = "mod_revision")]
    revision: String,
}

impl Compare {
    /// The key was last written by this revision; 0 says that it is not there.
    pub(super) fn written_by(key: &str, revision: i64) -> Self {
        Self::new(key, "EQUAL", revision)
    }

    /// The key was not written after this revision. It says nothing about deletion.
    pub(super) fn not_written_after(key: &str, revision: i64) -> Self {
        Self::new(key, "LESS", revision.saturating_add(1))
    }

    fn new(key: &str, result: &'static str, revision: i64) -> Self {
        let key = BASE64.encode(key.as_bytes());
        Self { key, target: "MOD", result, revision: revision.to_string() }
    }
}

/// A part of a transaction.
#[derive(Debug, Serialize)]
pub(super) enum Change {
    #[serde(rename = "request_put")]
    Put { key: String, value: String },
    #[serde(rename = "request_delete_range")]
    Delete { key: String },
}

impl Change {
    pub(super) fn put(key: &str, value: &str) -> Self {
        let [key, value] = [key, value].map(|text| BASE64.encode(text.as_bytes()));
        Self::Put { key, value }
    }

    pub(super) fn delete(key: &str) -> Self {
        Self::Delete { key: BASE64.encode(key.as_bytes()) }
    }
}

#[derive(Serialize)]
struct RangeRequest<'a> {
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
}

#[derive(Serialize)]
struct DeleteRequest<'a> {
    key: &'a str,
    range_end: &'a str,
}

#[derive(Serialize)]
struct TxnRequest<'a> {
    compare: &'a [Compare],
    success: &'a [Change],
}

#[derive(Deserialize)]
struct Header {
    #[serde(deserialize_with = "number")]
    revision: i64,
}

#[derive(Deserialize)]
struct Pair {
    #[serde(default)]
    value: String,
    #[serde(alias = "modRevision", deserialize_with = "number")]
    mod_revision: i64,
}

#[derive(Deserialize)]
struct RangeAnswer {
    header: Header,
    #[serde(default)]
    kvs: Vec<Pair>,
}

#[derive(Deserialize)]
struct TxnAnswer {
    header: Header,
    /// Left out if it is false.
    #[serde(default)]
    succeeded: bool,
}

#[derive(Deserialize)]
struct VersionAnswer {
    etcdserver: String,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    #[serde(alias = "message")]
    error: String,
}

impl Api {
    pub(super) fn new(http: HttpClient) -> Self {
        Self { http }
    }

    /// The server's version.
    pub(super) fn version(&mut self) -> Result<String, DatabaseError> {
        let answer = self.http.get("/version").map_err(lost)?;
        if answer.status != 200 {
            return Err(failure(answer.status, &answer.body));
        }
        read::<VersionAnswer>(&answer.body).map(|answer| answer.etcdserver)
    }

    /// Reads a key, as it was at a revision or as it is now.
    pub(super) fn range(
        &mut self,
        key: &str,
        revision: Option<i64>,
    ) -> Result<Found, DatabaseError> {
        let key = &BASE64.encode(key.as_bytes());
        let request = RangeRequest { key, revision: revision.map(|number| number.to_string()) };
        let answer: RangeAnswer = self.post("/v3/kv/range", &request)?;
        let newest = answer.header.revision;
        let Some(pair) = answer.kvs.first() else {
            return Ok(Found { value: None, written: 0, newest });
        };
        let value = BASE64.decode(&pair.value).map_err(|_| odd("a value that is not base64"))?;
        Ok(Found { value: Some(value), written: pair.mod_revision, newest })
    }

    /// Deletes all keys from one up to, and without, another.
    pub(super) fn delete_range(&mut self, from: &str, until: &str) -> Result<(), DatabaseError> {
        let [key, range_end] = [from, until].map(|text| BASE64.encode(text.as_bytes()));
        let request = DeleteRequest { key: &key, range_end: &range_end };
        self.post::<de::IgnoredAny>("/v3/kv/deleterange", &request).map(drop)
    }

    /// Makes all changes at once if everything compared is true; returns the revision, or
    /// `None` if something compared was not true.
    pub(super) fn txn(
        &mut self,
        compare: &[Compare],
        success: &[Change],
    ) -> Result<Option<i64>, DatabaseError> {
        let answer: TxnAnswer = self.post("/v3/kv/txn", &TxnRequest { compare, success })?;
        Ok(answer.succeeded.then_some(answer.header.revision))
    }

    fn post<A: DeserializeOwned>(
        &mut self,
        path: &str,
        request: &impl Serialize,
    ) -> Result<A, DatabaseError> {
        let body = serde_json::to_vec(request).map_err(|error| odd(&error.to_string()))?;
        let answer = self.http.post(path, &body).map_err(lost)?;
        match answer.status {
            200 => read(&answer.body),
            status => Err(failure(status, &answer.body)),
        }
    }
}

fn read<A: DeserializeOwned>(body: &[u8]) -> Result<A, DatabaseError> {
    serde_json::from_slice(body).map_err(|error| odd(&error.to_string()))
}

/// What an answer that is an error means. A request that makes no sense to the server (400), or
/// that it has no room for (429), has done nothing; anything else may have.
fn failure(status: u16, body: &[u8]) -> DatabaseError {
    let text = serde_json::from_slice::<ErrorAnswer>(body)
        .map_or_else(|_| String::from_utf8_lossy(body).trim().to_owned(), |answer| answer.error);
    let text = format!("etcd answers {status}: {text}");
    match status {
        400 | 429 => DatabaseError::Refused(text),
        _ => DatabaseError::Lost(text),
    }
}

fn lost(error: io::Error) -> DatabaseError {
    DatabaseError::Lost(error.to_string())
}

fn odd(text: &str) -> DatabaseError {
    DatabaseError::Lost(format!("an invalid answer from etcd: {text}"))
}

/// Numbers of 64 bits are texts in this JSON.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| de::Error::custom(format!("found \"{text}\", expected a number")))
}
