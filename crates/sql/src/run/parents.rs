//! Whether the rows that INSERT IGNORE stores refer to rows that exist.
//!
//! MySQL and MariaDB leave out a row whose foreign key refers to nothing, and warn. InnoDB looks for the row that is
//! referred to among the newest rows and locks it, or the gap where it is missing, until the transaction ends:
//!
//! ```text
//!   article 1, 2      INSERT IGNORE INTO tagged (article, tag) VALUES (1, 5), (3, 5), (NULL, 5)
//!   tag 5                                                          stored  left out   stored
//! ```
//!
//! Elsewhere, foreign keys are not checked at all. So only a row that is certainly referred to decides something: the
//! new row is stored. Where none is found, in the newest state or in the one that the statement sees, both remain
//! possible, because the session may not check foreign keys, and the table may belong to an engine that has none.
//!
//! Layer `run`; knows the foreign keys of tables.

use std::sync::Arc;

use crate::catalog::{DefaultValue, ForeignKey, Table};
use crate::error::{Result, unsupported};
use crate::plan::{Expr, Fill};
use crate::value::{Row, Value};

use super::frame::Frame;
use super::region::{Referring, Region, Spot, is_constant};
use super::state::Run;

impl Run<'_> {
    /// Whether a row is stored, as far as its foreign keys go.
    pub(super) fn may_refer(&mut self, table: &Table, row: &[Value]) -> Result<bool> {
        for key in &table.foreign {
            if !self.has_parent(key, row) {
                return match self.choices.stores_orphan() {
                    Some(stored) => Ok(stored),
                    None => unsupported("INSERT IGNORE of a row that refers to no other one"),
                };
            }
        }
        Ok(true)
    }

    /// Whether a row certainly exists that a row refers to, or none has to. Rows of the same statement are not
    /// looked at: whether one comes first may depend on the order of rows, or of indexes.
    fn has_parent(&mut self, key: &ForeignKey, row: &[Value]) -> bool {
        if key.columns.iter().any(|column| row[*column].is_null()) {
            return true;
        }
        let Some(parent) = self.catalog.by_id(key.parent).map(Arc::clone) else { return false };
        let mut values = Vec::with_capacity(key.columns.len());
        for (column, referred) in key.columns.iter().zip(&key.referred) {
            let collation = self.catalog.collation_of(&parent.columns()[*referred]);
            self.doubt_text(&row[*column], collation);
            values.push(row[*column].canonical(collation));
        }
        let catalog = self.catalog;
        let same = |row: &Row| {
            key.referred.iter().zip(&values).all(|(column, value)| {
                let collation = catalog.collation_of(&parent.columns()[*column]);
                row[*column].canonical(collation) == *value
            })
        };
        let newest = self.holders(parent.id(), &key.referred, &values);
        let seen = self.lookup(parent.id(), &key.referred, &values);
        newest.iter().any(|(_, row)| same(row)) && seen.iter().any(|(_, row)| same(row))
    }

    /// The rows that a new row may refer to.
    pub(super) fn parent_region(&mut self, spot: &Spot, referring: &Referring) -> Option<Region> {
        let child = self.catalog.by_id(referring.child)?.clone();
        let key = child.foreign.get(referring.key)?;
        let parent = self.catalog.by_id(key.parent)?.clone();
        let mut fixed = Vec::with_capacity(spot.fixed.len());
        for (place, expr) in &spot.fixed {
            let (column, referred) = (key.columns[*place], key.referred[*place]);
            // MySQL counts instead of storing NULL or 0.
            if matches!(child.columns()[column].default, DefaultValue::Sequence { .. }) {
                continue;
            }
            let Ok(value) = self.eval(expr, &Frame::EMPTY) else { continue };
            let Ok(value) = self.given_value(&child, column, value) else { continue };
            if !value.is_null() {
                let collation = self.catalog.collation_of(&parent.columns()[referred]);
                fixed.push((referred, self.canonical(&value, collation)));
            }
        }
        Some(Region { table: key.parent, fixed })
    }
}

/// The rows that new rows of a table may refer to; all rows if it is not known yet which values they have.
pub(super) fn parents(table: &Table, fills: &[Fill], row: Option<&[Option<Expr>]>) -> Vec<Spot> {
    let given = |column: usize| match (fills.get(column)?, row) {
        (Fill::Given(place), Some(row)) => row.get(*place)?.as_ref(),
        _ => None,
    };
    let spot = |(number, key): (usize, &ForeignKey)| {
        let values = key.columns.iter().map(|column| given(*column)).enumerate();
        let known = values.filter_map(|(place, value)| Some((place, value?.clone())));
        Spot {
            table: key.parent,
            fixed: known.filter(|(_, value)| is_constant(value)).collect(),
            stored: false,
            referring: Some(Referring { child: table.id(), key: number }),
        }
    };
    table.foreign.iter().enumerate().map(spot).collect()
}
