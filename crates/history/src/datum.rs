//! Keys and values as the client saw them.
//!
//! ```text
//!   7                 an integer
//!   "x"               a text
//!   {"hex":"00ff"}    bytes that need not be a text
//!   {"json":"1.50"}   any other JSON, exactly as it was written; values only
//! ```
//!
//! Traces write other JSON as it is (`1.50`), see `tristan-formats`.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;

use crate::integer::integer;

/// A key or a value: an integer (the whole 64-bit range, signed or not), a text, or bytes. A value
/// may also be any other JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    /// An integer.
    Int(i128),
    /// A string.
    Text(Box<str>),
    /// Binary data, written `{"hex":"00ff"}`.
    Bytes(Box<[u8]>),
    /// Any other JSON but `null`, exactly as it was written: a decimal, a boolean, an integer of more
    /// than 64 bits, a list, an object. `1.5` and `1.50` are different.
    Json(Box<str>),
}

impl Datum {
    /// The bytes of a text, or the bytes; `None` for integers and other JSON.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Int(_) | Self::Json(_) => None,
            Self::Text(text) => Some(text.as_bytes()),
            Self::Bytes(bytes) => Some(bytes),
        }
    }

    /// Bytes from pairs of hexadecimal digits; `None` if they are something else.
    pub fn from_hex(digits: &str) -> Option<Self> {
        let nibbles: Vec<u8> = digits
            .chars()
            .map(|digit| digit.to_digit(16).map(|nibble| nibble as u8))
            .collect::<Option<_>>()?;
        let whole = nibbles.len().is_multiple_of(2);
        let byte = |pair: &[u8]| (pair[0] << 4) | pair[1];
        whole.then(|| Self::Bytes(nibbles.chunks_exact(2).map(byte).collect()))
    }

    /// The integer that a text spells, or else the text.
    pub fn integer_or_text(text: &str) -> Self {
        integer(text).map_or_else(|| text.into(), Self::Int)
    }

    /// The number that this is, if it is a natural one of 64 bits.
    pub fn natural(&self) -> Option<u64> {
        match self {
            Self::Int(number) => u64::try_from(*number).ok(),
            Self::Text(_) | Self::Bytes(_) | Self::Json(_) => None,
        }
    }
}

impl Datum {
    /// The value that a JSON text stands for; `None` for `null`.
    ///
    /// # Errors
    /// What was expected instead of the text.
    pub fn from_json(json: &str) -> Result<Option<Self>, &'static str> {
        let raw: &RawValue = serde_json::from_str(json).map_err(|_| "JSON")?;
        Self::from_raw(raw)
    }

    /// The same for JSON that is known to be well formed.
    pub fn from_raw(raw: &RawValue) -> Result<Option<Self>, &'static str> {
        let json = raw.get();
        Ok(match json.as_bytes().first() {
            Some(b'n') => None,
            Some(b'"') => Some(Self::Text(text(json)?)),
            Some(b'{') => match serde_json::from_str::<HexDigits>(json) {
                Ok(HexDigits { hex }) => {
                    Some(Self::from_hex(&hex).ok_or("pairs of hexadecimal digits")?)
                }
                Err(_) => Some(Self::other_json(json)),
            },
            _ => Some(integer(json).map_or_else(|| Self::other_json(json), Self::Int)),
        })
    }

    /// JSON as it was written, on one line.
    fn other_json(json: &str) -> Self {
        match json.contains(['\n', '\r']) {
            // Within texts, JSON has no line breaks.
            true => Self::Json(json.replace(['\n', '\r'], " ").into()),
            false => Self::Json(json.into()),
        }
    }
}

/// Bytes as JSON writes them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HexDigits {
    hex: String,
}

/// What a text in JSON says.
fn text(json: &str) -> Result<Box<str>, &'static str> {
    let plain = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match plain.filter(|plain| !plain.contains('\\')) {
        Some(plain) => Ok(plain.into()),
        None => serde_json::from_str(json).map_err(|_| "a text"),
    }
}

/// Integers by value, then texts and bytes by their bytes, then other JSON by its text; of a text and
/// bytes that are the same, the text comes first.
impl Ord for Datum {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => left.cmp(right),
            (Self::Json(left), Self::Json(right)) => left.cmp(right),
            (Self::Json(_), _) => Ordering::Greater,
            (_, Self::Json(_)) => Ordering::Less,
            _ => {
                let is_bytes = |datum: &Self| matches!(datum, Self::Bytes(_));
                let same = || is_bytes(self).cmp(&is_bytes(other));
                self.bytes().cmp(&other.bytes()).then_with(same)
            }
        }
    }
}

impl PartialOrd for Datum {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(out, "{number}"),
            Self::Text(text) | Self::Json(text) => out.write_str(text),
            Self::Bytes(bytes) => write!(out, "0x{}", Hex(bytes)),
        }
    }
}

/// Bytes as hexadecimal digits.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl From<i64> for Datum {
    fn from(number: i64) -> Self {
        Self::Int(number.into())
    }
}

impl From<i32> for Datum {
    fn from(number: i32) -> Self {
        Self::Int(number.into())
    }
}

impl From<u32> for Datum {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<u64> for Datum {
    fn from(number: u64) -> Self {
        Self::Int(number.into())
    }
}

/// JSON: `true` or `false`.
impl From<bool> for Datum {
    fn from(truth: bool) -> Self {
        Self::Json(truth.to_string().into())
    }
}

/// JSON with the fewest digits that give the number back (`0.1`, `1.0`); `NaN`, `inf` and `-inf`,
/// which JSON has no numbers for, are texts.
impl From<f64> for Datum {
    fn from(number: f64) -> Self {
        match serde_json::Number::from_f64(number) {
            Some(number) => Self::Json(number.to_string().into()),
            None => Self::Text(number.to_string().into()),
        }
    }
}

impl From<Vec<u8>> for Datum {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

/// The value as a trace would give it: strings are texts, integers of 64 bits are integers,
/// `{"hex":"00ff"}` is bytes, and everything else remains JSON. It is an error if the value is
/// `null`, which stands for no value, or if it has the form of bytes without being any.
impl TryFrom<serde_json::Value> for Datum {
    type Error = &'static str;

    /// # Errors
    /// What was expected instead of the value.
    fn try_from(value: serde_json::Value) -> Result<Self, Self::Error> {
        match value {
            serde_json::Value::String(text) => Ok(text.into()),
            value => Self::from_json(&value.to_string())?.ok_or("a value other than null"),
        }
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<&[u8]> for Datum {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(number) => match i64::try_from(*number) {
                Ok(small) => serializer.serialize_i64(small),
                Err(_) => serializer.serialize_u64(u64::try_from(*number).unwrap_or(u64::MAX)),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => serializer.collect_map([("hex", Hex(bytes).to_string())]),
            Self::Json(text) => serializer.collect_map([("json", text)]),
        }
    }
}

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DatumVisitor)
    }
}

/// Reads a datum from JSON.
pub struct DatumVisitor;

impl<'de> de::Visitor<'de> for DatumVisitor {
    type Value = Datum;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an integer, a string or {\"hex\":\"…\"}")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Datum, E> {
        Ok(Datum::Int(number.into()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Datum, E> {
        Ok(Datum::Int(number.into()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Datum, E> {
        Ok(Datum::Text(text.into()))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Datum, A::Error> {
        let other = || de::Error::invalid_type(de::Unexpected::Map, &DatumVisitor);
        let name = map.next_key::<String>()?.filter(|name| name == "hex" || name == "json");
        let name = name.ok_or_else(other)?;
        let digits: String = map.next_value()?;
        if map.next_key::<de::IgnoredAny>()?.is_some() {
            return Err(other());
        }
        if name == "json" {
            let parsed = Datum::from_json(&digits).ok().flatten();
            return parsed.filter(|datum| matches!(datum, Datum::Json(_))).ok_or_else(other);
        }
        Datum::from_hex(&digits).ok_or_else(|| {
            let expected = &"pairs of hexadecimal digits";
            de::Error::invalid_value(de::Unexpected::Str(&digits), expected)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_rust_become_what_a_trace_says() {
        let json = |text: &str| Datum::from_json(text).ok().flatten().expect("a value");
        assert_eq!(Datum::from(7_u32), json("7"));
        assert_eq!(Datum::from(u64::MAX), json("18446744073709551615"));
        assert_eq!((Datum::from(true), Datum::from(false)), (json("true"), json("false")));
        assert_eq!((Datum::from(0.1), Datum::from(-2.0)), (json("0.1"), json("-2.0")));
        assert_eq!(Datum::from(1e300), json("1e+300"));
        assert_eq!(Datum::from(f64::NAN), json("\"NaN\""));
        assert_eq!(Datum::from(f64::NEG_INFINITY), json("\"-inf\""));
        assert_eq!(Datum::from(vec![0_u8, 255]), json(r#"{"hex":"00ff"}"#));
    }

    #[test]
    fn json_becomes_what_a_trace_says() {
        for text in ["7", "-7", "\"x\"", "1.5", "true", "[1,null]", r#"{"a":1}"#, r#"{"hex":"0f"}"#]
        {
            let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(Datum::try_from(value).map(Some), Datum::from_json(text), "{text}");
        }
        let null = Datum::try_from(serde_json::Value::Null);
        assert_eq!(null, Err("a value other than null"));
        assert!(Datum::try_from(serde_json::json!({ "hex": "0" })).is_err());
    }

    #[test]
    fn integers_then_texts_and_bytes_by_their_bytes() {
        let bytes = |bytes: &[u8]| Datum::from(bytes);
        let ascending = [
            Datum::Int(-1),
            Datum::Int(10),
            bytes(b""),
            bytes(b"\x00"),
            "a".into(),
            bytes(b"a"),
            bytes(b"a\xff"),
            "b".into(),
            "é".into(),
            bytes(b"\xff"),
            Datum::Json("1.5".into()),
            Datum::Json("1.50".into()),
        ];
        assert!(ascending.is_sorted_by(|left, right| left < right));
    }

    #[test]
    fn other_json_is_kept_as_it_is() {
        let parse = |json: &str| Datum::from_json(json).expect(json);
        assert_eq!(parse("null"), None);
        assert_eq!(parse(" 7 "), Some(Datum::Int(7)));
        assert_eq!(parse(r#""a\u0062\"""#), Some("ab\"".into()));
        assert_eq!(parse(r#"{"hex":"00ff"}"#), Some(Datum::from(&b"\x00\xff"[..])));
        let others = [
            "1.5",
            "1.50",
            "-0",
            "1e3",
            "1E+3",
            "18446744073709551616",
            "true",
            "false",
            "[]",
            "[null, 1.0]",
            r#"{"a":{"b":[true]}}"#,
            r#"{"hex":"00","more":1}"#,
            r#"{"json":"1"}"#,
        ];
        for json in others {
            let datum = parse(json).expect("a value");
            assert_eq!((&datum, datum.to_string().as_str()), (&Datum::Json(json.into()), json));
            let told = serde_json::to_string(&datum).expect("JSON");
            assert_eq!(serde_json::from_str::<Datum>(&told).expect("a datum"), datum);
        }
        assert_eq!(parse("[1,\n2]"), Some(Datum::Json("[1, 2]".into())));
        for wrong in ["", "tru", "1.", "[1", r#"{"hex":"0g"}"#, "\"a"] {
            assert!(Datum::from_json(wrong).is_err(), "{wrong}");
        }
        for not_other in [r#"{"json":"7"}"#, r#"{"json":"null"}"#, r#"{"json":"tru"}"#] {
            assert!(serde_json::from_str::<Datum>(not_other).is_err(), "{not_other}");
        }
    }

    #[test]
    fn only_the_usual_spelling_of_an_integer_is_one() {
        assert_eq!(Datum::integer_or_text("7"), Datum::Int(7));
        assert_eq!(Datum::integer_or_text("07"), "07".into());
    }

    #[test]
    fn bytes_are_written_in_hexadecimal_digits() {
        let datum = Datum::from(&b"\x00\xff"[..]);
        assert_eq!(datum.to_string(), "0x00ff");
        let json = serde_json::to_string(&datum).expect("JSON");
        assert_eq!(json, r#"{"hex":"00ff"}"#);
        assert_eq!(serde_json::from_str::<Datum>(r#"{"hex":"00FF"}"#).expect("a datum"), datum);
        for odd in ["0", "0g", "é", "+1"] {
            assert_eq!(Datum::from_hex(odd), None, "{odd}");
        }
    }
}
