//! Values that are sent as bytes instead of text.

use tristan_recorder::postgres;

use crate::bytes::Bytes;
use crate::value::Value;

/// A value; `None` if the bytes do not fit the type, or the type is not known here.
pub(super) fn value(bytes: &[u8], code: u32) -> Option<Value> {
    let mut rest = Bytes(bytes);
    let value = match code {
        16 => Value::Bool(rest.u8()? != 0),
        20 => Value::Int(rest.i64_be()?.into()),
        21 => Value::Int(rest.i16_be()?.into()),
        23 => Value::Int(rest.i32_be()?.into()),
        26 => Value::Int(rest.u32_be()?.into()),
        3802 => return (rest.u8()? == 1).then(|| Value::text(rest.0)),
        18 | 19 | 25 | 114 | 142 | 705 | 1042 | 1043 => return Some(Value::text(bytes)),
        _ => return postgres::text(bytes, code).map(Value::Text),
    };
    rest.is_empty().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8], code: u32) -> Option<String> {
        match value(bytes, code)? {
            Value::Text(text) => Some(text),
            other => Some(format!("{other:?}")),
        }
    }

    #[test]
    fn known_values() {
        for (bytes, code, expected) in [
            (&[0, 0, 0, 7][..], 23, "Int(7)"),
            (&[0, 0, 0x22, 0x4d], 1082, "2024-01-16"),
            (b"\x01{}", 3802, "{}"),
        ] {
            assert_eq!(text(bytes, code).as_deref(), Some(expected), "{code}");
        }
    }

    #[test]
    fn bytes_that_do_not_fit_are_no_value() {
        for code in [16, 20, 21, 23, 26, 3802] {
            assert_eq!(value(&[], code), None, "{code}");
            assert_eq!(value(&[1; 3], code).is_none(), code != 3802, "{code}");
        }
    }
}
