//! Functions of texts. No argument is NULL.
//!
//! Layer `eval`; knows values and the names of functions.

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Function;
use crate::value::Value;

/// More than any server lets a text grow here.
const MAX_LENGTH: usize = 1 << 20;

pub(super) fn text_call(dialect: Dialect, function: Function, args: &[Value]) -> Result<Value> {
    let text = |index: usize| match args.get(index) {
        Some(Value::Text(text)) => Ok(&**text),
        _ => unsupported("a function of something that is not a string"),
    };
    let number = |index: usize| match args.get(index).and_then(Value::as_integer) {
        Some(number) => Ok(number.clamp(-(1 << 40), 1 << 40)),
        None => unsupported("a function with a number of characters that is not a number"),
    };
    let first = text(0)?;
    let count = |length: usize| Value::Int(i64::try_from(length).unwrap_or(i64::MAX));
    Ok(match function {
        Function::Length if dialect.length_counts_bytes() => count(first.len()),
        Function::Length | Function::CharLength => count(first.chars().count()),
        Function::OctetLength => count(first.len()),
        Function::Lower => Value::text(&change_case(dialect, first, false)),
        Function::Upper => Value::text(&change_case(dialect, first, true)),
        Function::Concat | Function::Append => {
            let mut all = String::new();
            for index in 0..args.len() {
                all.push_str(text(index)?);
            }
            Value::text(&all)
        }
        Function::Substring => {
            let length = if args.len() > 2 { Some(number(2)?) } else { None };
            substring(dialect, first, number(1)?, length)?
        }
        Function::Left => Value::text(&left(dialect, first, number(1)?)),
        Function::Right => {
            let reversed: String = first.chars().rev().collect();
            Value::text(&left(dialect, &reversed, number(1)?).chars().rev().collect::<String>())
        }
        Function::TrimBoth => Value::text(first.trim_matches(' ')),
        Function::TrimLeft => Value::text(first.trim_start_matches(' ')),
        Function::TrimRight => Value::text(first.trim_end_matches(' ')),
        Function::Replace if text(1)?.is_empty() => Value::text(first),
        Function::Replace => Value::text(&first.replace(text(1)?, text(2)?)),
        Function::Repeat => {
            let times = usize::try_from(number(1)?).unwrap_or(0);
            if times.saturating_mul(first.len()) > MAX_LENGTH {
                return unsupported("a string this long");
            }
            Value::text(&first.repeat(times))
        }
        Function::Reverse => Value::text(&first.chars().rev().collect::<String>()),
        Function::LeftPad | Function::RightPad => {
            pad(dialect, function, first, number(1)?, text(2)?)?
        }
        Function::Ascii => ascii(dialect, first),
        _ => return unsupported("this function of texts"),
    })
}

/// PostgreSQL's C locale knows only ASCII.
fn change_case(dialect: Dialect, text: &str, up: bool) -> String {
    match (dialect.is_strictly_typed(), up) {
        (true, true) => text.to_ascii_uppercase(),
        (true, false) => text.to_ascii_lowercase(),
        (false, true) => text.to_uppercase(),
        (false, false) => text.to_lowercase(),
    }
}

fn ascii(dialect: Dialect, text: &str) -> Value {
    let first = match dialect.length_counts_bytes() {
        true => text.bytes().next().map_or(0, i64::from),
        false => text.chars().next().map_or(0, |letter| i64::from(u32::from(letter))),
    };
    Value::Int(first)
}

/// The first characters; PostgreSQL counts from the end for numbers below zero.
fn left(dialect: Dialect, text: &str, length: i128) -> String {
    let all = i128::try_from(text.chars().count()).unwrap_or(i128::MAX);
    let length = match length {
        0.. => length,
        _ if dialect.is_strictly_typed() => all + length,
        _ => 0,
    };
    text.chars().take(usize::try_from(length).unwrap_or(0)).collect()
}

fn substring(dialect: Dialect, text: &str, from: i128, length: Option<i128>) -> Result<Value> {
    let letters: Vec<char> = text.chars().collect();
    let all = i128::try_from(letters.len()).unwrap_or(i128::MAX);
    let (start, end) = if dialect.is_strictly_typed() {
        match length {
            Some(length) if length < 0 => {
                return fail(ErrorClass::InvalidSubstring, "a negative length");
            }
            Some(length) => (from - 1, from - 1 + length),
            None => (from - 1, all),
        }
    } else {
        let start = match from {
            0 => return Ok(Value::text("")),
            1.. => from - 1,
            _ if from + all < 0 => return Ok(Value::text("")),
            _ => all + from,
        };
        (start, length.map_or(all, |length| start + length.max(0)))
    };
    let place = |at: i128| usize::try_from(at.clamp(0, all)).unwrap_or(0);
    let (start, end) = (place(start), place(end));
    Ok(Value::text(&letters.get(start..end).unwrap_or_default().iter().collect::<String>()))
}

fn pad(
    dialect: Dialect,
    function: Function,
    text: &str,
    length: i128,
    fill: &str,
) -> Result<Value> {
    let Ok(length) = usize::try_from(length) else {
        return Ok(if dialect.is_strictly_typed() { Value::text("") } else { Value::Null });
    };
    if length > MAX_LENGTH {
        return unsupported("a string this long");
    }
    let have = text.chars().count();
    if have >= length {
        return Ok(Value::text(&text.chars().take(length).collect::<String>()));
    }
    if fill.is_empty() {
        return if dialect.is_strictly_typed() {
            Ok(Value::text(text))
        } else {
            unsupported("padding with an empty string")
        };
    }
    let padding: String = fill.chars().cycle().take(length - have).collect();
    Ok(Value::text(&match function {
        Function::LeftPad => format!("{padding}{text}"),
        _ => format!("{text}{padding}"),
    }))
}
