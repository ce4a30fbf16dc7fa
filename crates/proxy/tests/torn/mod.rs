//! Damaged conversations: the proxy records them without a panic, and the same in whatever pieces they come.
//!
//! Any bytes are a conversation:
//!
//! ```text
//!   size(1)                      of the pieces that are compared with whole steps
//!   how(1) length(2) bytes       a step; as many of them as there are
//! ```
//!
//! The lowest bit of `how` says who sends: 0 is the client, 1 the server. With the second bit, the bytes are a
//! message without its length, and the length is put in: otherwise hardly any change would get past the
//! framer.
#![allow(dead_code, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tristan_proxy::fuzzing::{Side, observe};
use tristan_proxy::{LogStart, Protocol, Proxy};

/// What one side sends before it listens again.
pub type Step = (Side, Vec<u8>);

const FROM_SERVER: u8 = 1;
const FRAMED: u8 = 2;
/// Pieces are at most this long.
const LONGEST_PIECE: usize = 32;
/// Few rows, so that some statements have more.
const MAX_ROWS: u64 = 2;

/// Reads bytes as a conversation: the size of pieces, and the steps.
pub fn conversation(protocol: Protocol, bytes: &[u8]) -> (usize, Vec<Step>) {
    let Some((size, mut rest)) = bytes.split_first() else { return (1, Vec::new()) };
    let mut steps = Vec::new();
    while let Some((&[how, low, high], after)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([low, high])).min(after.len());
        let (said, after) = after.split_at(length);
        let side = if how & FROM_SERVER == 0 { Side::Client } else { Side::Server };
        let is_startup = protocol == Protocol::Postgres && steps.is_empty();
        steps.push((
            side,
            if how & FRAMED == 0 { said.to_vec() } else { framed(protocol, said, is_startup) },
        ));
        rest = after;
    }
    (1 + usize::from(*size) % LONGEST_PIECE, steps)
}

/// Puts a length into a message: behind its kind in PostgreSQL, before its number in MySQL.
fn framed(protocol: Protocol, said: &[u8], is_startup: bool) -> Vec<u8> {
    let Some((&kind, body)) = said.split_first() else { return Vec::new() };
    match protocol {
        Protocol::Postgres if is_startup => [&(said.len() as u32 + 4).to_be_bytes(), said].concat(),
        Protocol::Postgres => [&[kind], &(body.len() as u32 + 4).to_be_bytes()[..], body].concat(),
        Protocol::MySql => [&(body.len() as u32).to_le_bytes()[..3], &[kind], body].concat(),
    }
}

/// Records a conversation in whole steps and in pieces of a size; log and trace say the same.
pub fn survive(protocol: Protocol, size: usize, steps: &[Step], folder: &Path) {
    let whole: Vec<(Side, &[u8])> =
        steps.iter().map(|(side, said)| (*side, said.as_slice())).collect();
    let pieces: Vec<(Side, &[u8])> = whole
        .iter()
        .flat_map(|(side, said)| said.chunks(size).map(|piece| (*side, piece)))
        .collect();
    let in_steps = record(protocol, &whole, folder);
    let in_pieces = record(protocol, &pieces, folder);
    assert_eq!(in_steps, in_pieces, "pieces of {size} bytes: {steps:?}");
}

/// The lines of log and trace, without times.
fn record(protocol: Protocol, pieces: &[(Side, &[u8])], folder: &Path) -> [Vec<Value>; 2] {
    let [log, trace] = ["log.jsonl", "trace.jsonl"].map(|name| folder.join(name));
    let proxy = Proxy {
        listen: String::new(),
        upstream: String::new(),
        protocol: Some(protocol),
        log: log.clone(),
        trace: Some(trace.clone()),
        tables: vec!["accounts:id:balance".parse().expect("a table")],
        level: None,
        max_rows: MAX_ROWS,
        start: LogStart::default(),
    };
    observe(&proxy, protocol, pieces).expect("files can be written");
    tristan_formats::open(&trace, None).expect("the trace can be read");
    [lines(&log), lines(&trace)]
}

fn lines(path: &PathBuf) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("UTF-8");
    text.lines().map(without_times).collect()
}

fn without_times(line: &str) -> Value {
    let mut line: Value = serde_json::from_str(line).expect("JSON");
    if let Value::Object(fields) = &mut line {
        for time in ["at", "wall", "started", "bound"] {
            fields.remove(time);
        }
    }
    line
}
