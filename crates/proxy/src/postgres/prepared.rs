//! Statements that were parsed and portals that were bound, with what the server said about them.

use std::sync::{Arc, OnceLock};

use tristan_sqltext::{Control, Dialect, Part, control, tokens};

use super::types;
use crate::bytes::{Bytes, lossy};
use crate::result::{Column, Columns};
use crate::said::Said;
use crate::session::Moment;
use crate::value::Value;

/// A statement that was parsed.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub(super) sql: String,
    pub(super) control: Control,
    /// Whether the text is all there.
    pub(super) whole: bool,
    /// Types of parameters as the client gave them; 0 if it left that to the server.
    given: Vec<u32>,
    /// Types of parameters as the server told them.
    pub(super) types: OnceLock<Vec<u32>>,
    pub(super) columns: OnceLock<Columns>,
}

/// A statement with parameters.
#[derive(Debug, Default)]
pub(super) struct Portal {
    pub(super) prepared: Arc<Prepared>,
    pub(super) params: Vec<Value>,
    pub(super) columns: OnceLock<Columns>,
    /// Which columns are sent as bytes: none, all if there is one, or each.
    formats: Vec<i16>,
    /// When it was bound.
    pub(super) bound: Moment,
}

impl Prepared {
    /// From `Parse`; also the name that it goes by.
    pub(super) fn read(mut body: Bytes<'_>, whole: bool) -> Option<(String, Self)> {
        let name = body.text_until_zero()?;
        let sql = match body.until_zero() {
            Some(sql) => lossy(sql),
            // It was too long to be kept.
            None if !whole => lossy(body.0),
            None => return None,
        };
        let count = body.i16_be().unwrap_or(0);
        let given = (0..count).map_while(|_| body.u32_be()).collect();
        let control = control(&tokens(&sql, Dialect::PostgreSql), Dialect::PostgreSql);
        Some((name, Self { sql, control, whole, given, ..Self::default() }))
    }

    /// A statement whose text never came over this connection, such as one that SQL's `PREPARE` made.
    pub(super) fn unseen(name: &str) -> Arc<Self> {
        let sql = format!("EXECUTE \"{}\"", name.replace('"', "\"\""));
        Arc::new(Self { sql, ..Self::default() })
    }

    /// The type of a parameter; 0 if the client did not state it.
    fn type_of(&self, place: usize) -> u32 {
        let told = self.types.get().and_then(|types| types.get(place));
        told.or_else(|| self.given.get(place)).copied().unwrap_or(0)
    }

    /// The names of the parameters' types, if any is known.
    pub(super) fn type_names(&self, count: usize) -> Vec<String> {
        let codes: Vec<u32> = (0..count).map(|place| self.type_of(place)).collect();
        match codes.iter().all(|code| *code == 0) {
            true => Vec::new(),
            false => codes.into_iter().map(types::name).collect(),
        }
    }
}

impl Portal {
    /// A portal of which only the statement is known.
    pub(super) fn of(prepared: Arc<Prepared>) -> Self {
        Self { prepared, ..Self::default() }
    }

    /// What it says when it is executed.
    pub(super) fn said<'a>(&'a self, part: &'a Part<'a>, types: &'a [String]) -> Said<'a> {
        let plain = Said::plain(part, self.prepared.whole);
        Said { control: &self.prepared.control, params: &self.params, types, ..plain }
    }

    /// From `Bind`, behind the names of portal and statement.
    pub(super) fn read(mut body: Bytes<'_>, prepared: Arc<Prepared>) -> Option<Self> {
        let codes = formats(&mut body)?;
        let count = body.i16_be()?;
        let mut params = Vec::new();
        for place in 0..usize::try_from(count).ok()? {
            let bytes = field(&mut body)?;
            params.push(types::value(bytes, prepared.type_of(place), is_binary(&codes, place)));
        }
        let formats = formats(&mut body)?;
        Some(Self { prepared, params, formats, ..Self::default() })
    }

    /// The columns of its rows, if the server told them.
    pub(super) fn columns(&self) -> Option<&Columns> {
        self.columns.get().or_else(|| self.prepared.columns.get())
    }

    /// The values of a row.
    pub(super) fn row(&self, body: Bytes<'_>) -> Option<Vec<Value>> {
        row(body, self.columns(), &self.formats)
    }
}

/// The values of a row.
pub(super) fn row(
    mut body: Bytes<'_>,
    columns: Option<&Columns>,
    formats: &[i16],
) -> Option<Vec<Value>> {
    let count = usize::try_from(body.i16_be()?).ok()?;
    let mut values = Vec::with_capacity(count.min(64));
    for place in 0..count {
        let bytes = field(&mut body)?;
        let code =
            columns.and_then(|columns| columns.get(place)).map_or(0, |column| column.type_code);
        values.push(types::value(bytes, code, is_binary(formats, place)));
    }
    Some(values)
}

/// The columns in a `RowDescription`, and how each is sent.
pub(super) fn columns(mut body: Bytes<'_>) -> Option<(Columns, Vec<i16>)> {
    let count = body.i16_be()?;
    let mut columns = Vec::new();
    let mut formats = Vec::new();
    for _ in 0..count {
        let name = body.text_until_zero()?;
        body.take(6)?;
        let type_code = body.u32_be()?;
        body.take(6)?;
        formats.push(body.i16_be()?);
        columns.push(Column { name, type_name: types::name(type_code), type_code });
    }
    Some((columns.into(), formats))
}

fn formats(body: &mut Bytes<'_>) -> Option<Vec<i16>> {
    let count = body.i16_be()?;
    (0..count).map(|_| body.i16_be()).collect()
}

fn is_binary(formats: &[i16], place: usize) -> bool {
    match formats {
        [] => false,
        [all] => *all == 1,
        each => each.get(place) == Some(&1),
    }
}

/// A field with its length before it; -1 is NULL.
fn field<'a>(body: &mut Bytes<'a>) -> Option<Option<&'a [u8]>> {
    match body.i32_be()? {
        -1 => Some(None),
        length => body.take(usize::try_from(length).ok()?).map(Some),
    }
}
