//! PostgreSQL's types: their names, and what values of them look like as text and as bytes.

use super::binary;
use crate::value::Value;

/// Types that have a name here, and by which number the protocol calls them.
const TYPES: [(u32, &str); 46] = [
    (16, "bool"),
    (17, "bytea"),
    (18, "char"),
    (19, "name"),
    (20, "int8"),
    (21, "int2"),
    (23, "int4"),
    (24, "regproc"),
    (25, "text"),
    (26, "oid"),
    (27, "tid"),
    (28, "xid"),
    (29, "cid"),
    (114, "json"),
    (142, "xml"),
    (700, "float4"),
    (701, "float8"),
    (705, "unknown"),
    (790, "money"),
    (869, "inet"),
    (1000, "_bool"),
    (1005, "_int2"),
    (1007, "_int4"),
    (1009, "_text"),
    (1015, "_varchar"),
    (1016, "_int8"),
    (1022, "_float8"),
    (1042, "bpchar"),
    (1043, "varchar"),
    (1082, "date"),
    (1083, "time"),
    (1114, "timestamp"),
    (1115, "_timestamp"),
    (1182, "_date"),
    (1184, "timestamptz"),
    (1185, "_timestamptz"),
    (1186, "interval"),
    (1231, "_numeric"),
    (1266, "timetz"),
    (1560, "bit"),
    (1700, "numeric"),
    (2205, "regclass"),
    (2278, "void"),
    (2950, "uuid"),
    (2951, "_uuid"),
    (3802, "jsonb"),
];

/// The name of a type; a number if it has none here. A client that states none sends 0.
pub(super) fn name(code: u32) -> String {
    if code == 0 {
        return "unknown".to_owned();
    }
    match TYPES.binary_search_by_key(&code, |(known, _)| *known) {
        Ok(place) => TYPES[place].1.to_owned(),
        Err(_) => format!("type {code}"),
    }
}

/// A value, from how it was sent.
pub(super) fn value(bytes: Option<&[u8]>, code: u32, is_binary: bool) -> Value {
    match bytes {
        None => Value::Null,
        Some(bytes) if is_binary => {
            binary::value(bytes, code).unwrap_or_else(|| Value::Bytes(bytes.to_vec()))
        }
        Some(bytes) => from_text(bytes, code),
    }
}

fn from_text(bytes: &[u8], code: u32) -> Value {
    match (name(code).as_str(), bytes) {
        ("bool", b"t" | b"true") => Value::Bool(true),
        ("bool", b"f" | b"false") => Value::Bool(false),
        ("int2" | "int4" | "int8" | "oid", _) => Value::integer(bytes),
        ("bytea", [b'\\', b'x', digits @ ..]) => {
            unhex(digits).map_or_else(|| Value::text(bytes), Value::Bytes)
        }
        _ => Value::text(bytes),
    }
}

fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_in_order() {
        assert!(TYPES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!((name(23).as_str(), name(99_999).as_str()), ("int4", "type 99999"));
    }

    #[test]
    fn texts_become_values() {
        for (text, code, expected) in [
            ("t", 16, Value::Bool(true)),
            ("-5", 23, Value::Int(-5)),
            ("1.50", 1700, Value::Text("1.50".into())),
            ("0.1", 701, Value::Text("0.1".into())),
            ("\\x00ff", 17, Value::Bytes(vec![0, 255])),
            ("\\x0", 17, Value::Text("\\x0".into())),
            ("7", 25, Value::Text("7".into())),
        ] {
            assert_eq!(value(Some(text.as_bytes()), code, false), expected, "{text}");
        }
        assert_eq!(value(None, 23, true), Value::Null);
    }
}
