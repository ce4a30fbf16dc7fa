//! Amounts of money: whole cents here, decimal numbers with two digits there.

use crate::statements::Value;

/// Cents, as the database writes them.
pub(super) fn written(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

/// Cents, as a value.
pub(super) fn value(cents: i64) -> Value {
    Value::Text(written(cents))
}

/// The cents of a value that has two digits behind the point. Returns `None` if it is not such a value.
pub(super) fn cents(value: &Value) -> Option<i64> {
    let (whole, fraction) = value.text()?.split_once('.')?;
    let minus = whole.starts_with('-');
    let (whole, fraction): (i64, i64) = (whole.parse().ok()?, fraction.parse().ok()?);
    Some(whole * 100 + if minus { -fraction } else { fraction })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_go_there_and_back() {
        for (amount, text) in [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (-1_234, "-12.34")] {
            assert_eq!(written(amount), text);
            assert_eq!(cents(&value(amount)), Some(amount));
        }
        assert_eq!((cents(&Value::Null), cents(&Value::from("x.y"))), (None, None));
    }
}
