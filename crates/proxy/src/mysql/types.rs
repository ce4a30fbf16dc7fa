//! MySQL's types: their names, and what values of them look like as text and as bytes.

use crate::bytes::{Bytes, lossy};
use crate::result::Column;
use crate::value::Value;

/// Flags that are kept above a type's number.
const UNSIGNED: u32 = 1 << 8;
const BINARY: u32 = 1 << 9;
/// The character set of bytes that are not text.
const NO_CHARACTERS: u16 = 63;

fn type_name(code: u32) -> &'static str {
    match code & 0xff {
        0 | 246 => "decimal",
        1 => "tinyint",
        2 => "smallint",
        3 => "int",
        4 => "float",
        5 => "double",
        6 => "null",
        7 => "timestamp",
        8 => "bigint",
        9 => "mediumint",
        10 | 14 => "date",
        11 => "time",
        12 => "datetime",
        13 => "year",
        15 | 253 => "varchar",
        16 => "bit",
        245 => "json",
        247 => "enum",
        248 => "set",
        249..=252 if code & BINARY != 0 => "blob",
        249..=252 => "text",
        254 => "char",
        255 => "geometry",
        _ => "unknown",
    }
}

/// The name of a type.
pub(super) fn name(code: u32) -> String {
    let name = type_name(code);
    if code & UNSIGNED != 0 { format!("{name} unsigned") } else { name.to_owned() }
}

/// The type of a parameter, from the two bytes that say it.
pub(super) fn of_param(code: u16) -> u32 {
    let unsigned = if code & 0x8000 != 0 { UNSIGNED } else { 0 };
    u32::from(code & 0xff) | unsigned
}

/// A column, from its definition.
pub(super) fn column(mut body: Bytes<'_>) -> Option<Column> {
    // Catalogue, schema, table, and the table's real name.
    for _ in 0..4 {
        body.counted()?;
    }
    let name = lossy(body.counted()?);
    body.counted()?;
    body.u8()?;
    let characters = body.u16_le()?;
    body.u32_le()?;
    let mut type_code = u32::from(body.u8()?);
    let flags = body.u16_le()?;
    let numeric = matches!(type_code, 1..=5 | 8 | 9 | 13 | 246);
    if numeric && flags & 0x20 != 0 {
        type_code |= UNSIGNED;
    }
    if characters == NO_CHARACTERS {
        type_code |= BINARY;
    }
    Some(Column { name, type_name: self::name(type_code), type_code })
}

/// The values of a row that is sent as text.
pub(super) fn text_row(mut body: Bytes<'_>, columns: &[Column]) -> Option<Vec<Value>> {
    let mut field = |column: &Column| {
        if body.0.first() == Some(&0xfb) {
            body.u8();
            return Some(Value::Null);
        }
        Some(from_text(body.counted()?, column.type_code))
    };
    columns.iter().map(&mut field).collect()
}

fn from_text(bytes: &[u8], code: u32) -> Value {
    match type_name(code) {
        "tinyint" | "smallint" | "int" | "bigint" | "mediumint" | "year" => Value::integer(bytes),
        "blob" | "bit" | "geometry" => Value::Bytes(bytes.to_vec()),
        _ => Value::text(bytes),
    }
}

/// The values of a row that is sent as bytes.
pub(super) fn binary_row(mut body: Bytes<'_>, columns: &[Column]) -> Option<Vec<Value>> {
    body.u8()?;
    let nulls = body.take((columns.len() + 9) / 8)?;
    let mut values = Vec::with_capacity(columns.len());
    for (place, column) in columns.iter().enumerate() {
        values.push(match is_null(nulls, place + 2) {
            true => Value::Null,
            false => binary(&mut body, column.type_code)?,
        });
    }
    Some(values)
}

/// Whether a bit is set in a map of NULLs.
pub(super) fn is_null(map: &[u8], place: usize) -> bool {
    map.get(place / 8).is_some_and(|byte| byte & 1 << (place % 8) != 0)
}

/// A value that is sent as bytes.
pub(super) fn binary(body: &mut Bytes<'_>, code: u32) -> Option<Value> {
    let unsigned = code & UNSIGNED != 0;
    let int = |signed: i128, other: i128| Value::Int(if unsigned { other } else { signed });
    Some(match code & 0xff {
        1 => {
            let byte = body.u8()?;
            int((byte as i8).into(), byte.into())
        }
        2 | 13 => {
            let number = body.u16_le()?;
            int((number as i16).into(), number.into())
        }
        3 | 9 => {
            let number = body.u32_le()?;
            int((number as i32).into(), number.into())
        }
        8 => {
            let number = body.u64_le()?;
            int((number as i64).into(), number.into())
        }
        4 => Value::Text(f32::from_bits(body.u32_le()?).to_string()),
        5 => Value::Text(f64::from_bits(body.u64_le()?).to_string()),
        6 => Value::Null,
        7 | 10 | 12 | 14 => Value::Text(date(body)?),
        11 => Value::Text(time(body)?),
        _ => from_text(body.counted()?, code),
    })
}

fn date(body: &mut Bytes<'_>) -> Option<String> {
    let length = body.u8()?;
    let mut rest = Bytes(body.take(length.into())?);
    let (year, month, day) = match length {
        0 => (0, 0, 0),
        _ => (rest.u16_le()?, rest.u8()?, rest.u8()?),
    };
    let day = format!("{year:04}-{month:02}-{day:02}");
    Some(if length > 4 { format!("{day} {}", clock(&mut rest, 0)?) } else { day })
}

fn time(body: &mut Bytes<'_>) -> Option<String> {
    let length = body.u8()?;
    let mut rest = Bytes(body.take(length.into())?);
    if length == 0 {
        return Some("00:00:00".into());
    }
    let sign = if rest.u8()? == 1 { "-" } else { "" };
    let days = rest.u32_le()?;
    Some(format!("{sign}{}", clock(&mut rest, days)?))
}

fn clock(rest: &mut Bytes<'_>, days: u32) -> Option<String> {
    let hours = u64::from(days) * 24 + u64::from(rest.u8()?);
    let (minutes, seconds) = (rest.u8()?, rest.u8()?);
    let micros = rest.u32_le().unwrap_or(0);
    let fraction = if micros > 0 { format!(".{micros:06}") } else { String::new() };
    Some(format!("{hours:02}:{minutes:02}:{seconds:02}{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(bytes: &[u8], code: u32) -> Option<Value> {
        binary(&mut Bytes(bytes), code)
    }

    #[test]
    fn known_values() {
        let text = |text: &str| Some(Value::Text(text.into()));
        assert_eq!(value(&[0xff], 1), Some(Value::Int(-1)));
        assert_eq!(value(&[0xff], 1 | UNSIGNED), Some(Value::Int(255)));
        assert_eq!(value(&[0xff; 8], 8 | UNSIGNED), Some(Value::Int(u64::MAX.into())));
        assert_eq!(value(&[0, 0, 0, 0, 0, 0, 0xe0, 0x3f], 5), text("0.5"));
        assert_eq!(value(&[4, 0xe8, 7, 2, 29], 10), text("2024-02-29"));
        assert_eq!(value(&[7, 0xe8, 7, 2, 29, 1, 2, 3], 12), text("2024-02-29 01:02:03"));
        assert_eq!(value(&[8, 1, 1, 0, 0, 0, 1, 2, 3], 11), text("-25:02:03"));
        assert_eq!(value(b"\x02hi", 253), text("hi"));
        assert_eq!(value(b"\x02hi", 252 | BINARY), Some(Value::Bytes(b"hi".to_vec())));
    }

    #[test]
    fn short_bytes_are_no_value() {
        for code in 0..=255 {
            for length in 0..12 {
                value(&vec![0xff; length], code);
                value(&vec![length as u8; length], code);
            }
        }
        assert_eq!(value(&[11, 0], 12), None);
        assert_eq!(text_row(Bytes(&[0xfd, 1]), &[]), Some(Vec::new()));
    }
}
