//! The formats of dbcop (Biswas and Enea, *On the Complexity of Checking Transactional Consistency*,
//! OOPSLA 2019), of which PolySI and VeriStrong read the binary one.
//!
//! ```text
//!   bincode   history.bincode: numbers, flags and three texts
//!   yaml      - - events: [{write: true, variable: 0, value: 1, success: true}]
//!                 success: true
//!   json      [[{"events":[{"Write":{"variable":0,"version":1}}],"committed":true}]]
//!   text      [x:=1 y==?] [x==1]!
//! ```
//!
//! The first two know values, and every key starts with 0. The last two know versions: a key starts
//! without one, and version 0 means just that, unless a transaction writes it.
//!
//! An event can fail although its transaction commits. It then neither saw nor did anything; the
//! value 0 that comes with a failed read does not mean the initial state.

mod bincode;
mod json;
mod text;
mod writer;
mod yaml;

use std::io::BufRead;

use crate::TraceError;
use crate::initial::keys_put;
use tristan_history::{Datum, History, Observed, OpKind, ValueId};
pub(crate) use writer::{losses, write};

/// The four ways to write a history down.
#[derive(Clone, Copy)]
enum Encoding {
    Bincode,
    Json,
    Yaml,
    Text,
}

/// Reads a whole trace that starts with `head`.
pub(crate) fn read(input: impl BufRead, head: &[u8], file: &str) -> Result<History, TraceError> {
    let encoding = Encoding::of(head);
    let mut history = match encoding {
        Encoding::Bincode => bincode::read(input, file)?,
        Encoding::Json => json::read(input, file)?,
        Encoding::Yaml => yaml::read(input, file)?,
        Encoding::Text => text::read(input, file)?,
    };
    if history.txns.is_empty() {
        return Err(TraceError::content(file, 1, "a file without transactions", "a transaction"));
    }
    if matches!(encoding, Encoding::Json | Encoding::Text) {
        read_version_zero_as_nothing(&mut history);
    }
    Ok(history)
}

/// Whether a file starts like one of these; JSON is recognised elsewhere.
pub(crate) fn is_likely(head: &[u8]) -> bool {
    bincode::is_likely(head)
        || opening(head).is_some_and(|start| text::is_likely(start) || yaml::is_likely(start))
}

impl Encoding {
    /// The only encoding that a file with this beginning can be in.
    fn of(head: &[u8]) -> Self {
        let Some(start) = opening(head) else { return Self::Bincode };
        match start.as_bytes() {
            [b'{', ..] => Self::Json,
            [b'-'] | [b'-', b' ' | b'\r' | b'\n', ..] => Self::Yaml,
            [b'[', ..] => Self::in_brackets(start),
            _ => Self::Text,
        }
    }

    fn in_brackets(start: &str) -> Self {
        let inside = start.trim_start_matches(['[', ']', ',', ' ', '\t', '\r', '\n']);
        match inside.strip_prefix('{').map(str::trim_start) {
            None if inside.is_empty() => Self::Json,
            None => Self::Text,
            Some(object) if object.is_empty() || object.starts_with('"') => Self::Json,
            Some(_) => Self::Yaml,
        }
    }
}

/// The beginning of a text, without blank lines, remarks and rules above it; `None` if it is none.
fn opening(head: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The last character may be cut in two.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    if rest.starts_with(char::is_control) || rest.contains('\0') {
        return None;
    }
    while rest.starts_with("//") || rest.starts_with('#') || rest.starts_with("---") {
        rest = rest.split_once('\n').map_or("", |(_, below)| below).trim_start();
    }
    Some(rest)
}

/// Takes version 0 of a key for its initial state, unless a transaction writes it.
fn read_version_zero_as_nothing(history: &mut History) {
    let Some(zero) = history.values.find(&Datum::Int(0)).map(ValueId) else { return };
    let written = keys_put(history, zero);
    for op in &mut history.ops {
        if let OpKind::Get { key, seen, .. } = &mut op.kind
            && *seen == Observed::Value(zero)
            && !written.contains(key)
        {
            *seen = Observed::Absent;
        }
    }
}
