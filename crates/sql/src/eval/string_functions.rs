//! Functions of texts in PostgreSQL. No argument is NULL, except where a function takes it.
//!
//! Layer `eval`; knows values and the names of functions.

use md5::{Digest, Md5};

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::StringFunction;
use crate::value::Value;

use super::environment::Environment;
use super::trigrams::similarity;

pub(super) fn string_call(
    env: &mut impl Environment,
    function: StringFunction,
    args: &[Value],
) -> Result<Value> {
    use StringFunction as S;
    use Value::{Int, Text};
    Ok(match (function, args) {
        (S::Similarity, [Text(a), Text(b)]) => similarity(a, b)?,
        (S::SplitPart, [Text(text), Text(between), Int(number)]) => {
            Value::text(split_part(text, between, *number)?)
        }
        (S::Position, [Text(text), Text(part)]) => match text.find(&**part) {
            Some(at) => count(text[..at].chars().count() + 1),
            None => Int(0),
        },
        (S::Initcap, [Text(text)]) => {
            // What a letter is depends on the locale.
            if !text.is_ascii() {
                env.doubt(text, text);
            }
            Value::text(&initcap(text))
        }
        (S::Translate, [Text(text), Text(from), Text(to)]) => {
            Value::text(&translate(text, from, to))
        }
        (S::Overlay, [Text(text), Text(part), Int(from), length @ ..]) => {
            let length = length.first().and_then(Value::as_integer);
            overlay(text, part, i128::from(*from), length)?
        }
        (S::Chr, [Int(number)]) => match u32::try_from(*number).ok().and_then(char::from_u32) {
            Some(letter) if letter != '\0' => Value::text(letter.encode_utf8(&mut [0; 4])),
            _ => return unsupported(format!("chr({number})")),
        },
        #[allow(clippy::cast_possible_truncation, reason = "it has four bytes")]
        (S::Hex4, [Int(number)]) => Value::text(&format!("{:x}", *number as i32)),
        (S::Hex8, [Int(number)]) => Value::text(&format!("{number:x}")),
        (S::StartsWith, [Text(text), Text(start)]) => Value::Bool(text.starts_with(&**start)),
        (S::TrimBoth, [Text(text), Text(set)]) => {
            Value::text(text.trim_matches(|letter| set.contains(letter)))
        }
        (S::TrimLeft, [Text(text), Text(set)]) => {
            Value::text(text.trim_start_matches(|letter| set.contains(letter)))
        }
        (S::TrimRight, [Text(text), Text(set)]) => {
            Value::text(text.trim_end_matches(|letter| set.contains(letter)))
        }
        (S::BitLength, [Text(text)]) => count(text.len() * 8),
        (S::QuoteLiteral | S::QuoteNullable, [Text(text)]) => Value::text(&quote_literal(text)),
        (S::QuoteNullable, [Value::Null]) => Value::text("NULL"),
        (S::QuoteIdent, [Text(text)]) => Value::text(&quote_ident(text)?),
        (S::Md5, [Text(text)]) => {
            let hash = Md5::digest(text.as_bytes());
            Value::text(&hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        (S::Format, [Value::Null, ..]) => Value::Null,
        (S::Format, [Text(format), rest @ ..]) => Value::text(&format_text(format, rest)?),
        _ => return unsupported("a function of something that is not a string"),
    })
}

fn count(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Counts from the end for numbers below zero.
fn split_part<'a>(text: &'a str, between: &str, number: i64) -> Result<&'a str> {
    let index = usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX);
    let Some(index) = index.checked_sub(1) else {
        return fail(ErrorClass::InvalidArgument, "the parts of a text are counted from one");
    };
    if between.is_empty() {
        return Ok(if index == 0 { text } else { "" });
    }
    let part = match number {
        1.. => text.split(between).nth(index),
        // Counted from the end, but split from the beginning.
        _ => text.split(between).collect::<Vec<_>>().into_iter().rev().nth(index),
    };
    Ok(part.unwrap_or(""))
}

fn initcap(text: &str) -> String {
    let mut inside = false;
    let letter = |letter: char| {
        let changed =
            if inside { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
        inside = letter.is_ascii_alphanumeric();
        changed
    };
    text.chars().map(letter).collect()
}

fn translate(text: &str, from: &str, to: &str) -> String {
    let letter = |letter: char| match from.chars().position(|one| one == letter) {
        Some(place) => to.chars().nth(place),
        None => Some(letter),
    };
    text.chars().filter_map(letter).collect()
}

fn overlay(text: &str, part: &str, from: i128, length: Option<i128>) -> Result<Value> {
    let length = length.unwrap_or(i128::try_from(part.chars().count()).unwrap_or(i128::MAX));
    if from <= 0 {
        return fail(ErrorClass::InvalidSubstring, "a place before the text");
    }
    if i32::try_from(from + length).is_err() {
        return fail(ErrorClass::OutOfRange, "a place that is too large");
    }
    let place = |at: i128| usize::try_from(at - 1).unwrap_or(0);
    let before: String = text.chars().take(place(from)).collect();
    let after: String = text.chars().skip(place(from + length)).collect();
    Ok(Value::text(&format!("{before}{part}{after}")))
}

fn quote_literal(text: &str) -> String {
    let escape = if text.contains('\\') { "E" } else { "" };
    format!("{escape}'{}'", text.replace('\'', "''").replace('\\', "\\\\"))
}

/// Keywords that are not names without quotes, in PostgreSQL 15.
const KEYWORDS: &str = " all analyse analyze and any array as asc asymmetric authorization between \
    bigint binary bit boolean both case cast char character check coalesce collate collation column \
    concurrently constraint create cross current_catalog current_date current_role current_schema \
    current_time current_timestamp current_user dec decimal default deferrable desc distinct do \
    else end except exists extract false fetch float for foreign freeze from full grant greatest \
    group grouping having ilike in initially inner inout int integer intersect interval into is \
    isnull join lateral leading least left like limit localtime localtimestamp national natural \
    nchar none normalize not notnull null nullif numeric offset on only or order out outer overlaps \
    overlay placing position precision primary real references returning right row select \
    session_user setof similar smallint some substring symmetric table tablesample then time \
    timestamp to trailing treat trim true union unique user using values varchar variadic verbose \
    when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces \
    xmlparse xmlpi xmlroot xmlserialize xmltable ";

fn quote_ident(name: &str) -> Result<String> {
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
    let plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    if !begins || !name.chars().all(plain) || KEYWORDS.contains(&format!(" {name} ")) {
        return Ok(format!("\"{}\"", name.replace('"', "\"\"")));
    }
    // Keywords of later versions.
    if name.starts_with("json") || matches!(name, "merge_action" | "system_user") {
        return unsupported(format!("quote_ident('{name}'), which depends on the version"));
    }
    Ok(name.to_owned())
}

/// `%[position$][-][width]type`.
fn format_text(format: &str, args: &[Value]) -> Result<String> {
    let bad = || fail(ErrorClass::InvalidArgument, format!("the format {format}"));
    let mut text = String::new();
    let mut next = 0;
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            text.push('%');
            rest = after;
            continue;
        }
        let (number, mut at) = leading_digits(after)?;
        let mut width = number;
        if let Some(after) = at.strip_prefix('$') {
            match number {
                Some(number @ 1..) => next = number - 1,
                _ => return bad(),
            }
            (width, at) = (None, after);
        }
        let mut left = false;
        if width.is_none() {
            let flags = at.trim_start_matches('-');
            left = flags.len() < at.len();
            (width, at) = leading_digits(flags)?;
        }
        let Some(kind) = at.chars().next() else { return bad() };
        if !matches!(kind, 's' | 'I' | 'L') {
            return match kind {
                '*' => unsupported(format!("the format {format}")),
                _ => bad(),
            };
        }
        let Some(arg) = args.get(next) else { return bad() };
        next += 1;
        rest = &at[1..];
        let shown = formatted(kind, arg)?;
        let width = width.unwrap_or(0);
        text.push_str(&if left { format!("{shown:<width$}") } else { format!("{shown:>width$}") });
    }
    Ok(text + rest)
}

/// A number that a text begins with, and what is behind it.
fn leading_digits(text: &str) -> Result<(Option<usize>, &str)> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    match digits.parse() {
        Ok(number) if number < 10_000 => Ok((Some(number), rest)),
        _ if digits.is_empty() => Ok((None, rest)),
        _ => unsupported(format!("the width {digits}")),
    }
}

fn formatted(kind: char, arg: &Value) -> Result<String> {
    match (kind, arg) {
        ('s', Value::Null) => Ok(String::new()),
        ('L', Value::Null) => Ok("NULL".to_owned()),
        ('s', Value::Text(text)) => Ok((**text).to_owned()),
        ('L', Value::Text(text)) => Ok(quote_literal(text)),
        ('I', Value::Text(text)) => quote_ident(text),
        _ => unsupported("format() of this value"),
    }
}
