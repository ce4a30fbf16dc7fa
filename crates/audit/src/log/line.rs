//! One line of a log, as JSON has it.

use serde::Deserialize;
use serde_json::Value as Json;

use super::item::Header;
use crate::model::Observed;

/// What a line is refused for: what was found, and what was expected.
pub(super) type LineError = (String, &'static str);

/// All fields that lines have. Which ones are there says what the line is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Line {
    pub(super) tristan: Option<String>,
    dialect: Option<String>,
    collation: Option<String>,
    timezone: Option<String>,
    server: Option<String>,
    sorted: bool,
    pub(super) schema: Option<String>,
    pub(super) open: Option<u64>,
    pub(super) call: Option<u64>,
    pub(super) end: Option<u64>,
    pub(super) finish: Option<u64>,
    pub(super) close: Option<u64>,
    pub(super) unheard: bool,
    pub(super) note: Option<Json>,
    pub(super) stamp: Option<u64>,
    pub(super) c: Option<u64>,
    pub(super) txn: Option<u64>,
    pub(super) auto: bool,
    pub(super) level: Option<String>,
    pub(super) sql: Option<String>,
    pub(super) text_cut: bool,
    pub(super) bound: Option<i64>,
    pub(super) params: Vec<Json>,
    pub(super) types: Vec<String>,
    columns: Option<Json>,
    rows: Option<Json>,
    before: Vec<Before>,
    values: Option<Json>,
    pub(super) cut: u64,
    pub(super) affected: Option<u64>,
    tag: Option<String>,
    error: Option<ServerError>,
    skipped: bool,
    pub(super) suspended: bool,
    lost: bool,
    pub(super) outcome: Option<String>,
    pub(super) at: Option<Json>,
    pub(super) commit: Option<Json>,
    #[serde(rename = "do")]
    pub(super) steps: Option<Vec<Line>>,
}

/// A result of a procedure that is not its last one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Before {
    rows: Option<Json>,
    cut: u64,
}

/// `{"code":"40001","message":"…"}`
#[derive(Debug, Deserialize)]
struct ServerError {
    code: Json,
}

impl Line {
    /// What the first line says.
    pub(super) fn header(self) -> Header {
        let maria = self.server.as_deref().is_some_and(|server| server.contains("MariaDB"));
        let dialect = if maria { Some("mariadb".to_owned()) } else { self.dialect };
        Header {
            dialect,
            collation: self.collation,
            timezone: self.timezone,
            level: self.level,
            sorted: self.sorted,
        }
    }

    /// The version of the server, if this line says that it is MariaDB.
    pub(super) fn is_mariadb(&self) -> bool {
        self.server.as_deref().is_some_and(|server| server.contains("MariaDB"))
    }

    /// The table, columns and rows of a line that says what is there from the start.
    #[allow(clippy::type_complexity, reason = "three parts of one line, taken apart at once")]
    pub(super) fn start_rows(
        &self,
    ) -> Option<Result<(String, Vec<String>, Vec<Vec<Json>>), String>> {
        let Some(Json::String(table)) = &self.rows else { return None };
        let columns = match &self.columns {
            None => Vec::new(),
            Some(json) => match serde_json::from_value(json.clone()) {
                Ok(columns) => columns,
                Err(_) => return Some(Err(format!("columns {json}"))),
            },
        };
        let values = self.values.clone().map(table_of);
        Some(match values {
            Some(Ok(values)) => Ok((table.clone(), columns, values)),
            Some(Err(found)) => Err(found),
            None => Err("no values".to_owned()),
        })
    }

    /// The time of a line.
    pub(super) fn time(&self) -> Option<i64> {
        self.at.as_ref()?.as_i64()
    }

    /// What the client was told.
    pub(super) fn observed(&mut self) -> Result<Observed, String> {
        if self.skipped {
            return Ok(Observed::Skipped);
        }
        if self.lost {
            return Ok(Observed::Nothing);
        }
        if let Some(error) = self.error.take() {
            let code = error.code;
            return Ok(Observed::Error(code.as_str().map_or(code.to_string(), str::to_owned)));
        }
        if let Some(rows) = self.rows.take() {
            return Ok(Observed::Rows { rows: table_of(rows)?, cut: self.cut });
        }
        // The results of a procedure come before its end.
        if let Some(Before { rows: Some(rows), cut }) = self.before.pop() {
            return Ok(Observed::Rows { rows: table_of(rows)?, cut });
        }
        let select = self.tag.as_deref().is_some_and(|tag| tag.starts_with("SELECT"));
        Ok(match self.affected {
            Some(count) if !select => Observed::Affected(count),
            _ => Observed::Done,
        })
    }
}

fn table_of(json: Json) -> Result<Vec<Vec<Json>>, String> {
    let Json::Array(rows) = json else { return Err(format!("rows {json}")) };
    rows.into_iter()
        .map(|row| match row {
            Json::Array(values) => Ok(values),
            other => Err(format!("a row {other}")),
        })
        .collect()
}
