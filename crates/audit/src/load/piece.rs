//! A piece of a log, and the state in which it begins.

use std::rc::Rc;

use crate::log::Header;
use crate::model::Txn;
use crate::sql::Sql;
use crate::world::{Key, Row, RowId};

/// The tables and rows with which a piece begins.
#[derive(Debug)]
pub(crate) struct Start {
    /// The tables, and what else is known from the log before the piece.
    pub(crate) sql: Sql,
    /// The rows, in the order of their keys.
    pub(crate) rows: Vec<(Key, Row)>,
    /// The statements that make the tables.
    pub(crate) schema: Vec<String>,
}

impl Start {
    /// Rows get the numbers of those that were always there: a piece numbers its own transactions, and rows are
    /// numbered by the transactions that insert them.
    pub(crate) fn new(sql: Sql, mut rows: Vec<(Key, Row)>, schema: Vec<String>) -> Self {
        let (mut table, mut next) = (None, 0);
        for (key, _) in &mut rows {
            if table != Some(key.0) {
                (table, next) = (Some(key.0), 0);
            }
            key.1 = RowId(next);
            next += 1;
        }
        Self { sql, rows, schema }
    }
}

/// Some transactions of a log that come one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The name of the log.
    pub(crate) name: String,
    pub(crate) header: Header,
    pub(crate) start: Rc<Start>,
    /// In the order of their begins.
    pub(crate) txns: Vec<Rc<Txn>>,
    /// So many of them, the first ones, are counted in an earlier piece.
    pub(crate) carried: usize,
}
