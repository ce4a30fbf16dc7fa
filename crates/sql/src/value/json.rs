//! JSON in the form in which PostgreSQL's `jsonb` keeps it.
//!
//! Spaces are gone, of members with the same name the last one is left, and members are in the order of
//! their names: shorter ones first, then byte by byte. Numbers keep their digits, but not their
//! exponents.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::Decimal;

/// Deeper values are not read.
const DEEPEST: usize = 64;

/// A value of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Decimal),
    /// A string.
    Text(Arc<str>),
    /// An array.
    Array(Vec<Json>),
    /// An object: its members in the order in which they are written.
    Object(Vec<(Arc<str>, Json)>),
}

/// Why a text is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonError {
    /// It is no JSON.
    Syntax,
    /// It is JSON that PostgreSQL may take or not: very deep, or with letters that cannot be kept.
    Unclear,
}

impl Json {
    /// Reads a text.
    pub(crate) fn parse(text: &str) -> Result<Self, JsonError> {
        // A letter zero and half of a pair are refused by `jsonb` with errors of their own.
        if text.to_ascii_lowercase().contains("\\u0000") {
            return Err(JsonError::Unclear);
        }
        read(text, 0)
    }

    /// The member with this name, or the element with this number, counted from the end if it is negative.
    pub(crate) fn member(&self, step: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => {
                members.iter().find(|(name, _)| **name == *step).map(|(_, value)| value)
            }
            // C's rules: spaces and a sign may come before the digits.
            Self::Array(_) => self.element(step.trim_ascii_start().parse().ok()?),
            _ => None,
        }
    }

    /// The element with this number, counted from the end if it is negative.
    pub(crate) fn element(&self, index: i64) -> Option<&Self> {
        let Self::Array(elements) = self else { return None };
        let length = i64::try_from(elements.len()).ok()?;
        let place = if index < 0 { length + index } else { index };
        elements.get(usize::try_from(place).ok()?)
    }

    /// A string without its quotes, and everything else as it is written; `None` for `null`.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Null => None,
            Self::Text(text) => Some(text.to_string()),
            other => Some(other.to_string()),
        }
    }

    /// Whether all of another value is in this one, as `@>` asks.
    pub(crate) fn contains(&self, part: &Self) -> bool {
        match (self, part) {
            // An array contains a string or a number that is one of its elements, but only on top.
            (Self::Array(elements), scalar) if !scalar.is_nested() => elements.contains(scalar),
            _ => self.contains_part(part),
        }
    }

    fn contains_part(&self, part: &Self) -> bool {
        match (self, part) {
            (Self::Object(whole), Self::Object(parts)) => parts.iter().all(|(name, value)| {
                whole.iter().any(|(other, own)| other == name && own.contains_part(value))
            }),
            (Self::Array(whole), Self::Array(parts)) => {
                parts.iter().all(|part| whole.iter().any(|own| own.contains_part(part)))
            }
            (a, b) => a == b,
        }
    }

    /// Whether its parts are nested no deeper than this.
    pub(crate) fn is_within(&self, depth: usize) -> bool {
        let below = |part: &Self| depth > 0 && part.is_within(depth - 1);
        match self {
            Self::Array(elements) => elements.iter().all(below),
            Self::Object(members) => members.iter().all(|(_, value)| below(value)),
            _ => true,
        }
    }

    fn is_nested(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }

    /// Equal values have one such form: numbers without zeros at their ends.
    pub(crate) fn canonical(&self) -> Self {
        match self {
            Self::Number(number) => Self::Number(number.canonical()),
            Self::Array(elements) => Self::Array(elements.iter().map(Self::canonical).collect()),
            Self::Object(members) => Self::Object(
                members.iter().map(|(name, value)| (name.clone(), value.canonical())).collect(),
            ),
            other => other.clone(),
        }
    }

    /// An object of these members; of those with the same name the last one is left.
    pub(crate) fn object(members: impl IntoIterator<Item = (Arc<str>, Self)>) -> Self {
        let last: BTreeMap<(usize, Arc<str>), Self> =
            members.into_iter().map(|(name, value)| ((name.len(), name), value)).collect();
        Self::Object(last.into_iter().map(|((_, name), value)| (name, value)).collect())
    }
}

fn read(text: &str, depth: usize) -> Result<Json, JsonError> {
    if depth > DEEPEST {
        return Err(JsonError::Unclear);
    }
    let part = |raw: &RawValue| read(raw.get(), depth + 1);
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let syntax = |_| JsonError::Syntax;
    match text.as_bytes().first() {
        Some(b'{') => {
            let members: Members<'_> = serde_json::from_str(text).map_err(syntax)?;
            let members =
                members.0.into_iter().map(|(name, raw)| Ok((Arc::from(name), part(raw)?)));
            Ok(Json::object(members.collect::<Result<Vec<_>, JsonError>>()?))
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(syntax)?;
            Ok(Json::Array(elements.into_iter().map(part).collect::<Result<_, _>>()?))
        }
        Some(b'"') => {
            let text: String = serde_json::from_str(text).map_err(syntax)?;
            Ok(Json::Text(Arc::from(text)))
        }
        Some(b'-' | b'0'..=b'9') => {
            let raw: &RawValue = serde_json::from_str(text).map_err(syntax)?;
            // What is written with an exponent is kept without it.
            match Decimal::parse(raw.get()) {
                Some(number) if number.whole_digits() < 1000 => Ok(Json::Number(number)),
                _ => Err(JsonError::Unclear),
            }
        }
        _ => match text {
            "null" => Ok(Json::Null),
            "true" => Ok(Json::Bool(true)),
            "false" => Ok(Json::Bool(false)),
            _ => Err(JsonError::Syntax),
        },
    }
}

/// The members of an object in the order in which they were written, all of them.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'t> serde::Deserialize<'t> for Members<'t> {
    fn deserialize<D: serde::Deserializer<'t>>(source: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'t> serde::de::Visitor<'t> for Visitor {
            type Value = Members<'t>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'t>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        source.deserialize_map(Visitor)
    }
}

/// As `jsonb` is written: a space after each colon and each comma.
impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(truth) => write!(f, "{truth}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => quoted(f, text),
            Self::Array(elements) => {
                f.write_str("[")?;
                for (place, element) in elements.iter().enumerate() {
                    let between = if place > 0 { ", " } else { "" };
                    write!(f, "{between}{element}")?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (place, (name, value)) in members.iter().enumerate() {
                    f.write_str(if place > 0 { ", " } else { "" })?;
                    quoted(f, name)?;
                    write!(f, ": {value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A string as JSON writes it.
pub(crate) fn quoted_json(text: &str) -> String {
    Json::Text(Arc::from(text)).to_string()
}

fn quoted(f: &mut std::fmt::Formatter<'_>, text: &str) -> std::fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{c}' => f.write_str("\\f")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            control if control < ' ' => write!(f, "\\u{:04x}", u32::from(control))?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        Json::parse(text).map_or_else(|error| format!("{error:?}"), |json| json.to_string())
    }

    #[test]
    fn is_kept_as_jsonb_keeps_it() {
        for (text, expected) in [
            (
                r#" {"bb":1, "a" : [1, 2.50,-0.0] ,"c":{}} "#,
                r#"{"a": [1, 2.50, 0.0], "c": {}, "bb": 1}"#,
            ),
            (r#"{"a":1,"a":2}"#, r#"{"a": 2}"#),
            ("1e2", "100"),
            ("1.5E-2", "0.015"),
            (r#""\u0041\n\/""#, r#""A\n/""#),
            ("[]", "[]"),
            ("[null,true,false]", "[null, true, false]"),
            ("", "Syntax"),
            ("{a:1}", "Syntax"),
            ("[1,]", "Syntax"),
            ("01", "Syntax"),
            ("nul", "Syntax"),
            (r#""\u0000""#, "Unclear"),
        ] {
            assert_eq!(kept(text), expected, "{text}");
        }
    }

    #[test]
    fn contains_what_its_parts_contain() {
        let json = |text: &str| Json::parse(text).expect(text);
        for (whole, part, expected) in [
            (r#"{"a":1,"b":[1,{"c":2,"d":3}]}"#, r#"{"b":[{"c":2}]}"#, true),
            (r#"{"a":1}"#, r#"{"a":1.0}"#, true),
            (r#"{"a":1}"#, r#"{"a":2}"#, false),
            ("[1,2,3]", "[3,1]", true),
            ("[1,2]", "2", true),
            ("[[1,2]]", "[1]", false),
            (r#"{"a":[1]}"#, r#"{"a":1}"#, false),
            ("1", "[1]", false),
        ] {
            let holds = json(whole).canonical().contains(&json(part).canonical());
            assert_eq!(holds, expected, "{whole} @> {part}");
        }
    }
}
