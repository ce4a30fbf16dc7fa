//! Values between PostgreSQL's bytes and ours.
//!
//! Parameters are sent as texts, which the server reads as whatever type it has found out for them.
//! Values of rows come as bytes, in a form of their own for each type.

use std::error::Error;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{Format, FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::statements::Value;

/// Days from the beginning of March of the year 0 to 2000, when PostgreSQL's time starts.
const TO_2000: i64 = 730_425;
/// Days of 400 years, after which the calendar repeats.
const DAYS_OF_400_YEARS: i64 = 146_097;

impl ToSql for Value {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => return Ok(IsNull::Yes),
            Self::Bool(truth) => out.extend_from_slice(if *truth { b"t" } else { b"f" }),
            Self::Int(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Self::Text(text) => out.extend_from_slice(text.as_bytes()),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *ty {
            Type::BOOL => Self::Bool(bool::from_sql(ty, raw)?),
            Type::INT2 => Self::Int(i16::from_sql(ty, raw)?.into()),
            Type::INT4 => Self::Int(i32::from_sql(ty, raw)?.into()),
            Type::INT8 => Self::Int(i64::from_sql(ty, raw)?),
            Type::NUMERIC => Self::Text(numeric(raw).ok_or("a number that is cut off")?),
            Type::DATE => {
                let days: [u8; 4] = raw.try_into()?;
                Self::Text(date(i32::from_be_bytes(days).into()))
            }
            _ => Self::Text(std::str::from_utf8(raw)?.to_owned()),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        let known = [
            Type::BOOL,
            Type::INT2,
            Type::INT4,
            Type::INT8,
            Type::NUMERIC,
            Type::DATE,
            Type::TEXT,
            Type::VARCHAR,
            Type::BPCHAR,
            Type::NAME,
        ];
        known.contains(ty)
    }
}

/// Groups of four decimal digits, with a weight, a sign and a number of digits behind the point.
fn numeric(raw: &[u8]) -> Option<String> {
    let mut parts = raw.chunks_exact(2).map(|part| i16::from_be_bytes([part[0], part[1]]));
    let (count, weight) = (parts.next()?, i32::from(parts.next()?));
    let (sign, scale) = (parts.next()? as u16, usize::try_from(parts.next()?).ok()?);
    match sign {
        0xc000 => return Some("NaN".into()),
        0xd000 => return Some("Infinity".into()),
        0xf000 => return Some("-Infinity".into()),
        _ => {}
    }
    let groups: Vec<i16> = parts.collect();
    if groups.len() != usize::try_from(count).ok()? {
        return None;
    }
    let digits = |from: i32, to: i32| -> String {
        let group = |place| usize::try_from(place).ok().and_then(|place: usize| groups.get(place));
        (from..to).map(|place| format!("{:04}", group(place).copied().unwrap_or(0))).collect()
    };
    let whole = digits(0, weight + 1);
    let whole = whole.trim_start_matches('0');
    let sign = if sign == 0x4000 { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    if scale == 0 {
        return Some(format!("{sign}{whole}"));
    }
    let fraction = digits(weight + 1, weight + 1 + scale.div_ceil(4) as i32);
    Some(format!("{sign}{whole}.{}", fraction.get(..scale)?))
}

/// A date, so many days after the first of 2000. Years are counted from March on, so that the odd day
/// comes last.
fn date(days: i64) -> String {
    let days = days + TO_2000;
    let (era, day) = (days.div_euclid(DAYS_OF_400_YEARS), days.rem_euclid(DAYS_OF_400_YEARS));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_are_read_from_bytes() {
        let minus = [0, 3, 0, 1, 0x40, 0, 0, 2, 0, 1, 0x09, 0x29, 0x15, 0xe0];
        assert_eq!(numeric(&minus).as_deref(), Some("-12345.56"));
        assert_eq!(numeric(&[0, 0, 0, 0, 0, 0, 0, 2]).as_deref(), Some("0.00"));
        assert_eq!(numeric(&[0, 1, 0, 0, 0, 0, 0, 0, 0, 7]).as_deref(), Some("7"));
        assert_eq!(numeric(&[0, 1, 0xff, 0xff, 0, 0, 0, 4, 0, 5]).as_deref(), Some("0.0005"));
        assert_eq!(numeric(&[0, 0, 0, 0, 0xc0, 0, 0, 0]).as_deref(), Some("NaN"));
        assert_eq!((numeric(&minus[..10]), numeric(&[])), (None, None));
        for (days, expected) in [(0, "2000-01-01"), (59, "2000-02-29"), (9_875, "2027-01-14")] {
            assert_eq!(date(days), expected);
        }
        assert_eq!(date(-1), "1999-12-31");
    }
}
