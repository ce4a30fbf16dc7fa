//! What a MariaDB or MySQL database holds at one moment.
//!
//! The server itself writes the definitions (`SHOW CREATE …`). InnoDB's snapshot covers rows, not definitions:
//! a table that is altered meanwhile is an error of the server, which ends the attempt.

use std::fmt::Write as _;

use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::{Row, Value};

use super::link::Link;
use crate::DatabaseError;
use crate::snapshot::{Cell, Snapshot, TableRows};

/// The character set of bytes.
const BINARY: u16 = 63;

/// Moments are written in UTC.
const IN_UTC: &str = "SET time_zone = '+00:00'";

/// Reads everything.
pub(super) fn snapshot(link: &mut Link) -> Result<Snapshot, DatabaseError> {
    let about: Vec<(Option<String>, Option<String>, Option<String>)> =
        link.rows("SELECT @@collation_database, @@global.time_zone, @@system_time_zone")?;
    let (collation, zone, system) = about.into_iter().next().unwrap_or_default();
    let timezone = zone.and_then(|zone| if zone == "SYSTEM" { system } else { Some(zone) });
    link.script("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")?;
    link.script("SET NAMES utf8mb4")?;
    link.script(IN_UTC)?;
    link.script("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")?;
    let names: Vec<(String, String)> = link.rows("SHOW FULL TABLES")?;
    let (tables, views): (Vec<_>, Vec<_>) =
        names.into_iter().partition(|(_, kind)| kind.contains("TABLE") || kind == "SEQUENCE");
    let mut snapshot = Snapshot { collation, timezone, ..Snapshot::default() };
    snapshot.before.push(IN_UTC.to_owned());
    for (name, _) in &tables {
        let name = quoted(name);
        snapshot.before.extend(created(link, "TABLE", &name)?);
    }
    for (name, _) in tables.iter().filter(|(_, kind)| kind != "SEQUENCE") {
        snapshot.tables.push(rows_of(link, name)?);
    }
    for (name, _) in &views {
        snapshot.after.extend(created(link, "VIEW", &quoted(name))?);
    }
    let routines: Vec<(String, String)> = link.rows(
        "SELECT routine_type, routine_name FROM information_schema.routines \
         WHERE routine_schema = DATABASE() AND routine_type IN ('FUNCTION', 'PROCEDURE') ORDER BY 1, 2",
    )?;
    let triggers: Vec<(String, String)> = link.rows(
        "SELECT 'TRIGGER', trigger_name FROM information_schema.triggers \
         WHERE trigger_schema = DATABASE() ORDER BY action_order, 2",
    )?;
    for (kind, name) in routines.iter().chain(&triggers) {
        snapshot.after.extend(created(link, kind, &quoted(name))?);
    }
    link.script("COMMIT")?;
    Ok(snapshot)
}

/// The statement that creates something.
fn created(link: &mut Link, kind: &str, name: &str) -> Result<Option<String>, DatabaseError> {
    let answer: Vec<Row> = link.rows(&format!("SHOW CREATE {kind} {name}"))?;
    let text = answer.first().and_then(|row| {
        let mut places = 0..row.len();
        let starts = |text: &String| text.to_uppercase().starts_with("CREATE ");
        places.find_map(|place| row.get_opt::<String, _>(place)?.ok().filter(starts))
    });
    Ok(text.map(|text| undefined(&text)))
}

/// A definition without the user who wrote it.
fn undefined(text: &str) -> String {
    let Some(start) = text.find(" DEFINER=") else { return text.to_owned() };
    let rest = &text[start + 1..];
    let end = rest.find("` ").map_or(rest.len(), |end| end + 1);
    format!("{}{}", &text[..start], &rest[end..])
}

fn rows_of(link: &mut Link, name: &str) -> Result<TableRows, DatabaseError> {
    let columns: Vec<(String,)> = link.rows(&format!(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() \
         AND table_name = '{}' AND COALESCE(generation_expression, '') = '' ORDER BY ordinal_position",
        name.replace('\\', "\\\\").replace('\'', "''")
    ))?;
    let columns: Vec<String> = columns.iter().map(|(column,)| quoted(column)).collect();
    let name = quoted(name);
    let rows: Vec<Row> = link.rows(&format!("SELECT {} FROM {name}", columns.join(", ")))?;
    let rows = rows.into_iter().map(cells).collect();
    Ok(TableRows { name, columns, rows })
}

fn cells(row: Row) -> Vec<Cell> {
    let columns = row.columns();
    let is_binary = |place: usize| {
        let column = &columns[place];
        let texts = [
            ColumnType::MYSQL_TYPE_STRING,
            ColumnType::MYSQL_TYPE_VAR_STRING,
            ColumnType::MYSQL_TYPE_BLOB,
        ];
        column.column_type() == ColumnType::MYSQL_TYPE_BIT
            || column.character_set() == BINARY
                && column.flags().contains(ColumnFlags::BINARY_FLAG)
                && texts.contains(&column.column_type())
    };
    row.unwrap()
        .into_iter()
        .enumerate()
        .map(|(place, value)| cell(value, is_binary(place)))
        .collect()
}

/// A value as it comes in a plain answer, which has only texts.
fn cell(value: Value, binary: bool) -> Cell {
    match value {
        Value::NULL => Cell::Null,
        Value::Bytes(bytes) => match String::from_utf8(bytes) {
            Ok(text) if !binary => Cell::Text(text),
            Ok(text) => Cell::Bytes { hex: hex(text.as_bytes()) },
            Err(error) => Cell::Bytes { hex: hex(error.as_bytes()) },
        },
        other => Cell::Text(other.as_sql(true).trim_matches('\'').to_owned()),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_lose_their_users() {
        let text =
            "CREATE ALGORITHM=UNDEFINED DEFINER=`me`@`%` SQL SECURITY DEFINER VIEW `v` AS select 1";
        let plain = "CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW `v` AS select 1";
        assert_eq!(undefined(text), plain);
        assert_eq!(undefined(plain), plain);
    }

    #[test]
    fn bytes_are_told_from_texts() {
        assert_eq!(cell(Value::Bytes(b"a".to_vec()), false), Cell::Text("a".into()));
        assert_eq!(cell(Value::Bytes(b"a".to_vec()), true), Cell::Bytes { hex: "61".into() });
        assert_eq!(cell(Value::Bytes(vec![255]), false), Cell::Bytes { hex: "ff".into() });
        assert_eq!(cell(Value::NULL, true), Cell::Null);
    }
}
