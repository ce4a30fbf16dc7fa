//! Finds out what a trace is written in, from its first bytes.
//!
//! JSON formats are told apart by how many brackets come first and by the field names of the
//! first object, as far as the bytes at hand reach: first lines can be very long.

use super::{Folder, Format, arrow, awdit, cobra, dbcop, elle, plume};
use crate::TraceError;

/// The format a trace that starts with these bytes is in.
///
/// ```
/// use tristan_formats::{Format, detect};
/// assert_eq!(detect(br#"{"tristan":"trace/1"}"#), Some(Format::Native));
/// assert_eq!(detect(br#"{"s":1,"st":"c","ops":[]}"#), Some(Format::Simple));
/// assert_eq!(detect(b"{:type :ok, :value [[:w 1 2]]}"), Some(Format::Elle));
/// assert_eq!(detect(b"once upon a time"), None);
/// ```
pub fn detect(head: &[u8]) -> Option<Format> {
    let opening = Opening::of(head).and_then(|opening| opening.format());
    opening.or_else(|| OTHERS.iter().find(|other| (other.1)(head)).map(|other| other.0))
}

/// A format that is not JSON, and whether a trace starts like it.
type Other = (Format, fn(&[u8]) -> bool);

/// In the order in which they are asked: a log of Cobra is known by hardly more than one byte, with
/// which a binary history of dbcop may start as well.
const OTHERS: [Other; 6] = [
    (Format::Arrow, arrow::is_likely),
    (Format::Dbcop, dbcop::is_likely),
    (Format::Elle, elle::starts_like_edn),
    (Format::Cobra, cobra::is_likely),
    (Format::Plume, plume::is_likely),
    (Format::Awdit, awdit::is_likely),
];

/// Whether a file that starts with these bytes is a log of SQL statements, which is no trace.
pub(crate) fn is_sql_log(head: &[u8]) -> bool {
    let first = head.split(|&byte| byte == b'\n').next().unwrap_or(head);
    let named =
        Opening::of(first).is_some_and(|opening| opening.fields.contains(&"tristan".into()));
    named && first.windows(LOG.len()).any(|part| part == LOG)
}

/// What the first line of a log of SQL statements contains.
const LOG: &[u8] = b"\"sql-log/";

/// The format of a folder that is one trace, from its first file that is not empty.
pub(crate) fn detect_folder(folder: &Folder) -> Result<Option<Format>, TraceError> {
    for part in folder.parts() {
        let head = part.head()?;
        if !head.is_empty() {
            return Ok(detect(&head).filter(|format| format.is_folder()));
        }
    }
    Ok(None)
}

/// How a JSON text starts.
struct Opening {
    /// The number of `[` before the first object.
    brackets: usize,
    /// The field names of the first object, as far as they can be seen.
    fields: Vec<String>,
}

impl Opening {
    fn format(&self) -> Option<Format> {
        let has = |name: &str| self.fields.iter().any(|field| field == name);
        match self.brackets {
            0 if has("tristan") => Some(Format::Native),
            0 if ["initial", "own", "order", "times", "ops"].into_iter().any(has) => {
                Some(Format::Simple)
            }
            0 | 1 if has("type") && ["process", "f", "value"].into_iter().any(has) => {
                Some(Format::Elle)
            }
            0 if has("value") && !has("type") => Some(Format::Viper),
            0 if has("params") && has("data") => Some(Format::Dbcop),
            1 if ["sts", "cts"].into_iter().any(has) => Some(Format::TimeKiller),
            2 if ["events", "committed"].into_iter().any(has) => Some(Format::Dbcop),
            _ => None,
        }
    }

    fn of(head: &[u8]) -> Option<Self> {
        let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
        let is_open = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'[';
        let start = text.iter().position(|byte| !is_open(byte))?;
        let brackets = text[..start].iter().filter(|&&byte| byte == b'[').count();
        let object = text[start..].strip_prefix(b"{")?;
        Some(Self { brackets, fields: fields(object) })
    }
}

/// The names of the fields of an object whose `{` has been read.
fn fields(mut text: &[u8]) -> Vec<String> {
    let mut fields = Vec::new();
    let mut depth = 0usize;
    while let Some((&byte, rest)) = text.split_first() {
        text = rest;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => break,
            b'}' | b']' => depth -= 1,
            b'"' => {
                let Some(length) = string_length(text) else { break };
                let (string, rest) = text.split_at(length);
                text = &rest[1..];
                let is_name = text.trim_ascii_start().starts_with(b":");
                if depth == 0 && is_name {
                    fields.push(String::from_utf8_lossy(string).into_owned());
                }
            }
            _ => {}
        }
    }
    fields
}

/// How long a string is whose opening quote has been read; `None` if it does not end here.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_at_the_top_level_only_and_before_a_cut() {
        let opening = Opening::of(br#" [ [{"a":{"b":1},"c\"d" : ["e"],"f":"g","h"#).expect("JSON");
        assert_eq!(opening.brackets, 2);
        assert_eq!(opening.fields, ["a", "c\\\"d", "f"]);
    }

    #[test]
    fn a_very_long_first_line_is_recognised() {
        let long = format!("{{\"initial\":{{\"k\":\"{}\"", "x".repeat(100_000));
        assert_eq!(detect(&long.as_bytes()[..1 << 16]), Some(Format::Simple));
    }
}
