//! Parameters and fields of rows, as the log shows them.
//!
//! ```text
//!   null   true   42   "any text, and every number that is no integer"   {"hex":"00ff"}
//! ```

use std::io::Write;

use tristan_history::Datum;

/// A parameter or a field of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The SQL value NULL.
    Null,
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A text, and whatever the database wrote as one.
    Text(String),
    /// Bytes that are no text, or whose meaning is not known.
    Bytes(Vec<u8>),
}

impl Value {
    /// A text, if the bytes are one.
    pub(crate) fn text(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes(bytes.to_vec()),
        }
    }

    /// An integer, if the bytes are one in decimal digits.
    pub(crate) fn integer(bytes: &[u8]) -> Self {
        let number = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
        number.map_or_else(|| Self::text(bytes), Self::Int)
    }

    /// Appends it as JSON.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(true) => out.extend_from_slice(b"true"),
            Self::Bool(false) => out.extend_from_slice(b"false"),
            // Writing to a vector does not fail.
            Self::Int(number) => drop(write!(out, "{number}")),
            Self::Text(text) => write_text(out, text),
            Self::Bytes(bytes) => write_hex(out, bytes),
        }
    }

    /// The key or value of a trace that stands for it; `None` for NULL.
    pub(crate) fn datum(&self) -> Option<Datum> {
        match self {
            Self::Null => None,
            Self::Bool(truth) => Some(Datum::Int((*truth).into())),
            Self::Int(number) => Some(Datum::Int(*number)),
            Self::Text(text) => {
                Some(plain_integer(text).map_or_else(|| text.as_str().into(), Datum::Int))
            }
            Self::Bytes(bytes) => Some(Datum::Bytes(bytes.as_slice().into())),
        }
    }
}

/// The integer that a text writes in the one usual way.
pub(crate) fn plain_integer(text: &str) -> Option<i128> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then(|| number.into())
}

/// Appends a text as JSON.
pub(crate) fn write_text(out: &mut Vec<u8>, text: &str) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, text).is_err() {
        // Neither a vector nor a text can make this fail; the line stays valid all the same.
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

fn write_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"{\"hex\":\"");
    for byte in bytes {
        let digits = [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
        out.extend_from_slice(&digits);
    }
    out.extend_from_slice(b"\"}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json() {
        for (value, json) in [
            (Value::Null, "null"),
            (Value::Bool(true), "true"),
            (Value::Int(i128::from(u64::MAX)), "18446744073709551615"),
            (Value::text("a\"\n".as_bytes()), r#""a\"\n""#),
            (Value::text(&[0xff, 0]), r#"{"hex":"ff00"}"#),
            (Value::integer(b"-7"), "-7"),
            (Value::integer(b"seven"), "\"seven\""),
        ] {
            let mut out = Vec::new();
            value.write_json(&mut out);
            assert_eq!(String::from_utf8(out).as_deref(), Ok(json));
        }
    }

    #[test]
    fn integers_are_the_same_key_as_text_or_not() {
        assert_eq!(Value::text(b"7").datum(), Some(Datum::Int(7)));
        assert_eq!(Value::text(b"07").datum(), Some(Datum::from("07")));
        assert_eq!(Value::Null.datum(), None);
    }
}
