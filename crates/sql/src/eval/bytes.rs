//! Functions of PostgreSQL's `bytea`. No argument is NULL.
//!
//! Layer `eval`; knows values and the names of functions.

use md5::Md5;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use crate::error::{Result, unsupported};
use crate::plan::BytesFunction;
use crate::value::Value;

use super::convert_newer::from_hex;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// How many bytes PostgreSQL writes on a line of Base64, with 76 letters.
const LINE: usize = 57;

pub(super) fn bytes_call(function: BytesFunction, args: &[Value]) -> Result<Value> {
    use BytesFunction as B;
    let made = |bytes: &[u8]| Ok(Value::Bytea(bytes.into()));
    match (function, args) {
        (B::Length, [Value::Bytea(bytes)]) => {
            Ok(Value::Int(i64::try_from(bytes.len()).unwrap_or(i64::MAX)))
        }
        (B::Encode, [Value::Bytea(bytes), Value::Text(format)]) => match &*format.to_lowercase() {
            "hex" => Ok(Value::text(&to_hex(bytes))),
            "base64" => Ok(Value::text(&to_base64(bytes))),
            other => unsupported(format!("bytes as {other}")),
        },
        (B::Decode, [Value::Text(text), Value::Text(format)]) => {
            let bytes = match &*format.to_lowercase() {
                "hex" => from_hex(text),
                "base64" => from_base64(text),
                _ => None,
            };
            match bytes {
                Some(bytes) => made(&bytes),
                None => unsupported(format!("the text {text} as {format}")),
            }
        }
        (B::Append, [Value::Bytea(left), Value::Bytea(right)]) => {
            made(&[left.as_ref(), right.as_ref()].concat())
        }
        (B::Md5, [Value::Bytea(bytes)]) => Ok(Value::text(&to_hex(&Md5::digest(bytes)))),
        (B::Sha224, [Value::Bytea(bytes)]) => made(&Sha224::digest(bytes)),
        (B::Sha256, [Value::Bytea(bytes)]) => made(&Sha256::digest(bytes)),
        (B::Sha384, [Value::Bytea(bytes)]) => made(&Sha384::digest(bytes)),
        (B::Sha512, [Value::Bytea(bytes)]) => made(&Sha512::digest(bytes)),
        (B::FromUtf8, [Value::Bytea(bytes), encoding]) if is_utf8(encoding) => {
            match std::str::from_utf8(bytes) {
                Ok(text) if !text.contains('\0') => Ok(Value::text(text)),
                _ => unsupported("bytes that are not UTF-8"),
            }
        }
        (B::ToUtf8, [Value::Text(text), encoding]) if is_utf8(encoding) => made(text.as_bytes()),
        (B::Substring, [Value::Bytea(bytes), start, rest @ ..]) => {
            match part(bytes, start, rest.first()) {
                Some(part) => made(part),
                None => unsupported("a part of bytes with a negative length"),
            }
        }
        (B::Get, [Value::Bytea(bytes), place]) => {
            let place = place.as_integer().and_then(|place| usize::try_from(place).ok());
            match place.and_then(|place| bytes.get(place)) {
                Some(byte) => Ok(Value::Int(i64::from(*byte))),
                None => unsupported("a byte that is not there"),
            }
        }
        _ => unsupported("this function of bytes"),
    }
}

fn is_utf8(encoding: &Value) -> bool {
    matches!(encoding, Value::Text(name) if matches!(&*name.to_lowercase(), "utf8" | "utf-8"))
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// From a place that is counted from one and may be in front of the bytes.
fn part<'b>(bytes: &'b [u8], start: &Value, length: Option<&Value>) -> Option<&'b [u8]> {
    let start = start.as_integer()?;
    let end = match length {
        Some(length) => start + length.as_integer().filter(|length| *length >= 0)?,
        None => i128::MAX,
    };
    let total = i128::try_from(bytes.len()).ok()?;
    let place = |number: i128| usize::try_from((number - 1).clamp(0, total)).ok();
    bytes.get(place(start)?..place(end)?)
}

/// A line that is full ends with a line break, even the last one.
fn to_base64(bytes: &[u8]) -> String {
    let mut letters = String::new();
    for line in bytes.chunks(LINE) {
        for three in line.chunks(3) {
            let at = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
            let bits = at(0) << 16 | at(1) << 8 | at(2);
            for place in 0..4 {
                let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
                letters.push(if place <= three.len() { char::from(letter) } else { '=' });
            }
        }
        if line.len() == LINE {
            letters.push('\n');
        }
    }
    letters
}

/// `None` if it is not written as the server writes it, line breaks aside.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let letters: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let mut bytes = Vec::new();
    for four in letters.chunks(4) {
        let kept = four.iter().take_while(|letter| **letter != b'=').count();
        let digit = |letter: &u8| LETTERS.iter().position(|one| one == letter);
        let mut bits = 0;
        for letter in &four[..kept] {
            bits = bits << 6 | digit(letter)?;
        }
        bits <<= 6 * (4 - kept);
        let three = [bits >> 16, bits >> 8, bits].map(|one| u8::try_from(one & 255).unwrap_or(0));
        bytes.extend_from_slice(three.get(..kept.checked_sub(1)?)?);
    }
    (letters.len().is_multiple_of(4) && to_base64(&bytes).replace('\n', "").as_bytes() == letters)
        .then_some(bytes)
}
