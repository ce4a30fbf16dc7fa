//! Functions of texts.
//!
//! Layer `eval`; knows values and collations.

use std::cmp::Ordering;

use crate::error::{Result, unsupported};
use crate::plan::LooseText;
use crate::value::{Asked, Collation, Value};

use super::super::compare::compare;
use super::super::environment::Environment;
use super::hashes;
use super::patterns::pattern_call;

/// More than any server lets a text grow here.
const MAX_LENGTH: usize = 1 << 20;

pub(super) fn text_call(
    env: &mut impl Environment,
    function: LooseText,
    args: &[Value],
) -> Result<Value> {
    use LooseText as T;
    use Value::Text;
    Ok(match (function, args) {
        (T::SubstringIndex, [Text(text), Text(delimiter), count]) => {
            Value::text(substring_index(text, delimiter, whole(count)?)?)
        }
        (T::Insert, [Text(text), from, length, Text(part)]) => {
            Value::text(&insert(text, whole(from)?, whole(length)?, part))
        }
        (T::Space, [count]) => match usize::try_from(whole(count)?.max(0)) {
            Ok(count) if count <= MAX_LENGTH => Value::text(&" ".repeat(count)),
            _ => return unsupported("a string this long"),
        },
        (T::Locate(collation), [Text(part), Text(text), from @ ..]) => {
            let from = from.first().map(whole).transpose()?;
            locate(env, collation, part, text, from)?
        }
        (T::FindInSet(collation), [Text(text), Text(list)]) => {
            find_in_set(env, collation, text, list)?
        }
        (T::Field(collation), [wanted, candidates @ ..]) => {
            field(env, collation, wanted, candidates)?
        }
        (T::Elt, [number, texts @ ..]) => elt(number, texts)?,
        (T::StrCmp(collation), [left, right]) => {
            match compare(env, Asked::Order, left, right, collation)? {
                Some(order) => Value::Int(order as i64),
                None => Value::Null,
            }
        }
        (T::TrimBoth, [Text(text), Text(part)]) => {
            Value::text(trim_end(trim_start(text, part), part))
        }
        (T::TrimLeading, [Text(text), Text(part)]) => Value::text(trim_start(text, part)),
        (T::TrimTrailing, [Text(text), Text(part)]) => Value::text(trim_end(text, part)),
        (T::Hex, [Text(text)]) => Value::text(&hashes::hex(text.as_bytes(), true)),
        (T::Md5, [Text(text)]) => Value::text(&hashes::md5(text.as_bytes())),
        (T::Sha1, [Text(text)]) => Value::text(&hashes::sha1(text.as_bytes())),
        (T::Sha2, [Text(text), bits]) => {
            let hash = hashes::sha2(text.as_bytes(), whole(bits)?);
            hash.map_or(Value::Null, |hash| Value::text(&hash))
        }
        (T::Crc32, [Text(text)]) => Value::Int(i64::from(hashes::crc32(text.as_bytes()))),
        (T::ToBase64, [Text(text)]) => Value::text(&hashes::base64(text.as_bytes())),
        (T::Quote, [Text(text)]) => Value::text(&quote(text)),
        (T::Quote, [Value::Null]) => Value::text("NULL"),
        (T::BitLength, [Text(text)]) => count(text.len().saturating_mul(8)),
        (T::Char, codes) => Value::text(&from_codes(codes)?),
        (T::InetAton, [Text(text)]) => inet_aton(text)?,
        _ => return pattern_call(function, args),
    })
}

fn whole(value: &Value) -> Result<i128> {
    match value.as_integer() {
        Some(number) => Ok(number),
        None => unsupported("a number of characters that is not an integer"),
    }
}

fn count(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// What stands before the delimiter with this number, or behind it if it is counted from the end. Delimiters do
/// not overlap: they are always found from left to right.
fn substring_index<'a>(text: &'a str, delimiter: &str, count: i128) -> Result<&'a str> {
    if count.unsigned_abs() > 1 << 30 {
        return unsupported("a number of delimiters this large");
    }
    if count == 0 || delimiter.is_empty() {
        return Ok("");
    }
    let found: Vec<usize> = text.match_indices(delimiter).map(|(at, _)| at).collect();
    let all = i128::try_from(found.len()).unwrap_or(i128::MAX);
    let number = if count > 0 { count - 1 } else { all + count };
    let at = usize::try_from(number).ok().and_then(|number| found.get(number));
    Ok(match at {
        None => text,
        Some(at) if count > 0 => &text[..*at],
        Some(at) => &text[at + delimiter.len()..],
    })
}

/// A position outside of the text changes nothing.
fn insert(text: &str, from: i128, length: i128, part: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let start = match usize::try_from(from - 1) {
        Ok(start) if start < letters.len() => start,
        _ => return text.to_owned(),
    };
    let rest = letters.len() - start;
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest);
    let (before, behind) = (&letters[..start], &letters[start + length..]);
    before.iter().copied().chain(part.chars()).chain(behind.iter().copied()).collect()
}

/// Where a part begins, counted from one; zero if it is nowhere. Servers compare as many bytes as the part has,
/// which is only simple if all letters have one.
fn locate(
    env: &mut impl Environment,
    collation: Collation,
    part: &str,
    text: &str,
    from: Option<i128>,
) -> Result<Value> {
    if !text.is_ascii() || !part.is_ascii() {
        return unsupported("a search in letters outside ASCII");
    }
    let start = match from {
        None => 0,
        Some(from) => match usize::try_from(from - 1) {
            Ok(start) if start < text.len() => start,
            Ok(0) if !part.is_empty() => 0,
            Ok(0) => return unsupported("a search for nothing in nothing"),
            _ => return Ok(Value::Int(0)),
        },
    };
    if part.is_empty() {
        return Ok(count(start + 1));
    }
    doubt(env, collation, text, part);
    let same = |window: &[u8]| {
        let pairs = window.iter().zip(part.as_bytes());
        let mut pairs = pairs.map(|(a, b)| (char::from(*a), char::from(*b)));
        pairs.all(|(a, b)| collation.same_letter(a, b))
    };
    let at = text.as_bytes()[start..].windows(part.len()).position(same);
    Ok(at.map_or(Value::Int(0), |at| count(start + at + 1)))
}

fn doubt(env: &mut impl Environment, collation: Collation, a: &str, b: &str) {
    if !collation.is_certain_of(a) || !collation.is_certain_of(b) {
        env.doubt(a, b);
    }
}

/// The place of a text in a list with commas. Unlike in comparisons, spaces at the end count.
fn find_in_set(
    env: &mut impl Environment,
    collation: Collation,
    text: &str,
    list: &str,
) -> Result<Value> {
    if !text.is_ascii() || !list.is_ascii() {
        return unsupported("a search in letters outside ASCII");
    }
    if list.is_empty() || text.contains(',') {
        return Ok(Value::Int(0));
    }
    doubt(env, collation, text, list);
    let same = |member: &str| {
        member.len() == text.len()
            && member.chars().zip(text.chars()).all(|(a, b)| collation.same_letter(a, b))
    };
    let at = list.split(',').position(same);
    Ok(at.map_or(Value::Int(0), |at| count(at + 1)))
}

/// The place of a value among others.
fn field(
    env: &mut impl Environment,
    collation: Collation,
    wanted: &Value,
    candidates: &[Value],
) -> Result<Value> {
    for (place, candidate) in candidates.iter().enumerate() {
        if compare(env, Asked::Equality, wanted, candidate, collation)? == Some(Ordering::Equal) {
            return Ok(count(place + 1));
        }
    }
    Ok(Value::Int(0))
}

fn elt(number: &Value, texts: &[Value]) -> Result<Value> {
    if number.is_null() {
        return Ok(Value::Null);
    }
    let place = usize::try_from(whole(number)? - 1).ok();
    Ok(place.and_then(|place| texts.get(place)).cloned().unwrap_or(Value::Null))
}

fn trim_start<'a>(text: &'a str, part: &str) -> &'a str {
    if part.is_empty() { text } else { text.trim_start_matches(part) }
}

fn trim_end<'a>(text: &'a str, part: &str) -> &'a str {
    if part.is_empty() { text } else { text.trim_end_matches(part) }
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("'");
    for letter in text.chars() {
        match letter {
            '\\' | '\'' => quoted.extend(['\\', letter]),
            '\0' => quoted.push_str("\\0"),
            '\u{1a}' => quoted.push_str("\\Z"),
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    quoted
}

/// The letters with these codes, without NULLs. Codes of several bytes are not supported.
fn from_codes(codes: &[Value]) -> Result<String> {
    let mut text = String::new();
    for code in codes.iter().filter(|code| !code.is_null()) {
        match u8::try_from(whole(code)?) {
            Ok(code @ 1..=127) => text.push(char::from(code)),
            _ => return unsupported("CHAR() of a code outside ASCII"),
        }
    }
    Ok(text)
}

/// The number of an address with four parts; other forms are not supported.
fn inet_aton(text: &str) -> Result<Value> {
    let part = |part: &str| match part.len() {
        1..=3 if part.bytes().all(|byte| byte.is_ascii_digit()) => part.parse::<u8>().ok(),
        _ => None,
    };
    let parts: Option<Vec<u8>> = text.split('.').map(part).collect();
    match parts.as_deref() {
        Some([a, b, c, d]) => Ok(Value::Int(i64::from(u32::from_be_bytes([*a, *b, *c, *d])))),
        _ => unsupported(format!("the address {text}")),
    }
}
