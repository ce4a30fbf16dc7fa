//! `pg_typeof(value)`: the name of a type.
//!
//! The result is of the type REGTYPE, which is written as a name; it is taken for a text here, and may only be shown.
//!
//! Layer `bind`; knows types.

use crate::error::{Result, unsupported};
use crate::plan::Expr;
use crate::types::Type;
use crate::value::Value;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    pub(super) fn type_of(&self, args: Vec<Typed>) -> Result<Typed> {
        let Some((_, ty)) = args.first() else { return unsupported("pg_typeof() of nothing") };
        if self.catalog.has_domains() {
            return unsupported("pg_typeof() where there are domains");
        }
        match name_of(*ty) {
            Some(name) => Ok((Expr::Const(Value::text(&name)), Type::VARCHAR)),
            None => unsupported(format!("the name of the type {ty:?}")),
        }
    }
}

fn name_of(ty: Type) -> Option<String> {
    let name = match ty {
        Type::Unknown => "unknown",
        Type::Bool => "boolean",
        Type::INT2 => "smallint",
        Type::INT4 => "integer",
        Type::INT8 => "bigint",
        Type::Decimal(_) => "numeric",
        Type::Real => "real",
        Type::Double => "double precision",
        Type::Text { limit: None, .. } => "text",
        Type::Text { .. } => "character varying",
        Type::Char(_) => "character",
        Type::Date => "date",
        Type::Timestamp(_) => "timestamp without time zone",
        Type::Instant(_) => "timestamp with time zone",
        Type::TimeOfDay(_) => "time without time zone",
        Type::Interval => "interval",
        Type::Bytea => "bytea",
        Type::Uuid => "uuid",
        Type::Json => "jsonb",
        Type::JsonText => "json",
        Type::Array(element) => return name_of(element.ty()).map(|name| format!("{name}[]")),
        Type::Enum(of) => of.name(),
        Type::Range(of) => of.name(),
        Type::Network { is_cidr: true } => "cidr",
        Type::Network { is_cidr: false } => "inet",
        // Or the type of the rows of a table.
        Type::Record => return None,
        Type::Int(_) | Type::Time(_) | Type::Special(_) => return None,
    };
    Some(name.to_owned())
}
