//! One line of the log.

use serde::Serialize;

use crate::statements::Value;

/// The first line.
#[derive(Serialize)]
pub(super) struct Opening<'a> {
    pub(super) tristan: &'a str,
    pub(super) dialect: &'a str,
    pub(super) server: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) collation: Option<&'a str>,
    pub(super) level: &'a str,
    pub(super) wall: u64,
}

/// Any other line. Which fields it has says what it is.
#[derive(Default, Serialize)]
pub(super) struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) open: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) close: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) finish: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stamp: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) c: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) txn: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sql: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) params: &'a [Value],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rows: Option<&'a [Vec<Value>]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) affected: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ServerError<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) lost: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<u64>,
}

/// What a server says if it does not do something.
#[derive(Serialize)]
pub(super) struct ServerError<'a> {
    code: &'a str,
    message: &'a str,
}

impl<'a> ServerError<'a> {
    /// From a text like `40001 could not serialize access`.
    pub(super) fn new(text: &'a str) -> Self {
        let (code, message) = text.split_once(' ').unwrap_or((text, ""));
        Self { code, message }
    }
}
