//! Statements that were prepared, and the parameters that they are executed with.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use tristan_sqltext::{Control, Dialect, TokenKind, control, tokens};

use super::types::{self, binary, is_null};
use crate::bytes::Bytes;
use crate::result::Columns;
use crate::value::Value;

/// So much of a parameter that comes in pieces is kept.
const MOST: usize = 1 << 20;

/// A statement that was prepared.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub(super) sql: String,
    pub(super) control: Control,
    pub(super) whole: bool,
    /// How many parameters there are, as far as the text tells.
    params: usize,
    /// The columns of the last result, for those who fetch the rows later.
    pub(super) columns: OnceLock<Columns>,
}

/// What clients have sent ahead for a statement.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Types of parameters, which are sent only when they change.
    types: Vec<u32>,
    /// Parameters that came in pieces.
    pieces: BTreeMap<u16, Vec<u8>>,
}

impl Prepared {
    pub(super) fn new(sql: String, whole: bool, dialect: Dialect) -> Self {
        let tokens = tokens(&sql, dialect);
        let params =
            tokens.iter().filter(|token| matches!(token.kind, TokenKind::Param(_))).count();
        let control = control(&tokens, dialect);
        drop(tokens);
        Self { sql, control, whole, params, columns: OnceLock::new() }
    }

    /// A statement whose text never came over this connection.
    pub(super) fn unseen(number: u32) -> Arc<Self> {
        Arc::new(Self::new(format!("EXECUTE `{number}`"), true, Dialect::MySql))
    }

    /// The parameters, from what comes behind the statement's number; `None` if they make no sense.
    pub(super) fn params(&self, mut body: Bytes<'_>, ahead: &mut Ahead) -> Option<Vec<Value>> {
        if self.params == 0 {
            return Some(Vec::new());
        }
        // Which kind of cursor, and a number that is always 1.
        body.take(5)?;
        let nulls = body.take(self.params.div_ceil(8))?;
        if body.u8()? == 1 {
            ahead.types = (0..self.params)
                .map(|_| body.u16_le().map(types::of_param))
                .collect::<Option<_>>()?;
        }
        let pieces = std::mem::take(&mut ahead.pieces);
        let mut values = Vec::with_capacity(self.params);
        for place in 0..self.params {
            let piece = u16::try_from(place).ok().and_then(|place| pieces.get(&place));
            values.push(match (is_null(nulls, place), piece) {
                (_, Some(piece)) => Value::text(piece),
                (true, None) => Value::Null,
                (false, None) => binary(&mut body, *ahead.types.get(place)?)?,
            });
        }
        Some(values)
    }
}

impl Ahead {
    /// A piece of a parameter came.
    pub(super) fn piece(&mut self, place: u16, bytes: &[u8]) {
        let piece = self.pieces.entry(place).or_default();
        let room = MOST - piece.len().min(MOST);
        piece.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    pub(super) fn type_names(&self) -> Vec<String> {
        self.types.iter().map(|code| types::name(*code)).collect()
    }
}
