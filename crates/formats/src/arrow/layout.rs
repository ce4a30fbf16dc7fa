//! Whether the columns of a file are those of a trace, and what each is read as.

use super::ipc::schema::{Field, Schema, Type};
use super::vocabulary::{OpColumn, TxnColumn};
use crate::error::{ContentError, quote};

/// What the data in a column stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Key,
    Value,
    Session,
    Outcome,
    Verb,
    Status,
    Condition,
    /// Anything.
    Datum,
}

impl Role {
    /// What a column of this name holds; lists hold what their name says.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "key" => Self::Key,
            "value" | "old" | "elements" => Self::Value,
            "session" => Self::Session,
            "outcome" => Self::Outcome,
            "op" => Self::Verb,
            "status" => Self::Status,
            "if" => Self::Condition,
            _ => Self::Datum,
        }
    }
}

/// Complains about columns that a trace does not have, or not in this way.
pub(super) fn check(schema: &Schema) -> Result<(), ContentError> {
    let txns = TxnColumn::ALL.iter().map(|column| column.name());
    check_names(&schema.fields, txns.collect(), &["session", "outcome", "ops"])?;
    for field in &schema.fields {
        match TxnColumn::named(&field.name) {
            Some(TxnColumn::Ops) => check_operations(records(field)?)?,
            Some(column) if column.is_number() => expect(field, is_number, "integers")?,
            _ => expect(field, is_data, "integers, strings or bytes")?,
        }
    }
    Ok(())
}

fn check_operations(fields: &[Field]) -> Result<(), ContentError> {
    let ops = OpColumn::ALL.iter().map(|column| column.name());
    check_names(fields, ops.collect(), &["op"])?;
    for field in fields {
        match OpColumn::named(&field.name) {
            Some(OpColumn::Rows) => expect(field, is_number, "integers")?,
            Some(column) if column.is_flag() => expect(field, is_flag, "true or false")?,
            Some(OpColumn::Items) => check_data(records(field)?, &["key", "value"])?,
            Some(OpColumn::From) => check_data(records(field)?, &["key", "txn"])?,
            Some(OpColumn::Elements) => match &field.kind {
                Type::List(_, item) => expect(item, is_data, "integers, strings or bytes")?,
                _ => return Err(wrong(field, "lists")),
            },
            _ => expect(field, is_data, "integers, strings or bytes")?,
        }
    }
    Ok(())
}

/// Checks records of data, all of which must be there.
fn check_data(fields: &[Field], names: &[&str]) -> Result<(), ContentError> {
    check_names(fields, names.to_vec(), names)?;
    fields.iter().try_for_each(|field| match field.name.as_str() {
        "txn" => expect(field, is_number, "integers"),
        _ => expect(field, is_data, "integers, strings or bytes"),
    })
}

fn check_names(fields: &[Field], known: Vec<&str>, needed: &[&str]) -> Result<(), ContentError> {
    for (place, field) in fields.iter().enumerate() {
        if !known.contains(&field.name.as_str()) {
            let found = format!("column {}", quote(&field.name));
            return Err(ContentError::new(found, format!("one of {}", known.join(", "))));
        }
        if fields[..place].iter().any(|other| other.name == field.name) {
            return Err(ContentError::new(
                format!("column {} twice", quote(&field.name)),
                "it once",
            ));
        }
    }
    let missing = needed.iter().find(|name| fields.iter().all(|field| field.name != **name));
    match missing {
        Some(name) => Err(ContentError::new("a table without it", format!("the column {name}"))),
        None => Ok(()),
    }
}

/// The parts of what a list of records has in it.
pub(super) fn records(field: &Field) -> Result<&[Field], ContentError> {
    match &field.kind {
        Type::List(_, item) if item.dictionary.is_none() => match &item.kind {
            Type::Struct(fields) => Ok(fields),
            _ => Err(wrong(field, "lists of structs")),
        },
        _ => Err(wrong(field, "lists of structs")),
    }
}

fn expect(field: &Field, fits: fn(&Field) -> bool, expected: &str) -> Result<(), ContentError> {
    if fits(field) { Ok(()) } else { Err(wrong(field, expected)) }
}

fn is_data(field: &Field) -> bool {
    matches!(field.kind, Type::Int(_) | Type::Text(_) | Type::Bytes(_))
}

fn is_number(field: &Field) -> bool {
    matches!(field.kind, Type::Int(_)) && field.dictionary.is_none()
}

fn is_flag(field: &Field) -> bool {
    field.kind == Type::Bool && field.dictionary.is_none()
}

fn wrong(field: &Field, expected: &str) -> ContentError {
    ContentError::new(format!("a column {} of another type", quote(&field.name)), expected)
}
