//! Values between PostgreSQL's bytes and ours.
//!
//! Parameters are sent as texts, which the server reads as whatever type it has found out for them.
//! Values of rows come as bytes, in a form of their own for each type.

use std::error::Error;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{Format, FromSql, IsNull, ToSql, Type, to_sql_checked};
use tristan_recorder::postgres;

use crate::statements::Value;

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
            Type::NUMERIC | Type::DATE => {
                Self::Text(postgres::text(raw, ty.oid()).ok_or("bytes that do not fit the type")?)
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
