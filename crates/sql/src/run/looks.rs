//! Whether a query looks at rows of its tables, whatever the server knows before it looks.
//!
//! ```text
//!   SELECT v FROM t                           looks
//!   SELECT v FROM t WHERE k > 3 AND v = 0     looks: some row may meet this
//!   SELECT v FROM t WHERE k > 3 AND k <= 3    need not look: no row meets this
//! ```
//!
//! MySQL and MariaDB take the snapshot of a transaction when it first looks at a table. If they see that no row can meet
//! the conditions of a query, they do not look. How well they see that depends on the version, so the answer is *yes*
//! only for conditions that clearly may be met: each compares another column with a small number, or, if there is but
//! one of these, two columns are said to be equal.
//!
//! Layer `run`; reads plans and the types of columns.

use std::collections::BTreeSet;

use crate::catalog::Catalog;
use crate::plan::{Body, CompareOp, Expr, JoinKind, Plan, Source};
use crate::types::Type;
use crate::value::Value;

/// Every type of integers that has four bytes and a sign can hold them, and what is above and below.
const SMALL: std::ops::Range<i64> = -1_000_000_000..1_000_000_000;

/// Whether a query looks at rows of a table in whatever way it is carried out.
pub(crate) fn surely_looks(catalog: &Catalog, plan: &Plan, params: &[Value]) -> bool {
    let Plan::Query(query) = plan else { return false };
    let Body::Select(select) = &query.body else { return false };
    let all = query.limit.is_none() && query.offset.is_none() && select.having.is_none();
    let mut looked = Looked { catalog, params, columns: Vec::new(), conditions: Vec::new() };
    looked.conditions.extend(&select.filter);
    all && looked.source(&select.source).is_some() && looked.may_be_met()
}

/// The columns that a query looks at, and its conditions.
struct Looked<'a> {
    catalog: &'a Catalog,
    params: &'a [Value],
    columns: Vec<Type>,
    conditions: Vec<&'a Expr>,
}

impl<'a> Looked<'a> {
    /// Returns `None` if something else than a table is looked at.
    fn source(&mut self, source: &'a Source) -> Option<()> {
        match source {
            Source::Table { table, filter, numbered: false, .. } => {
                let columns = self.catalog.by_id(*table)?.columns();
                self.columns.extend(columns.iter().map(|column| column.ty()));
                self.conditions.extend(filter);
            }
            Source::Join(join) if matches!(join.kind, JoinKind::Inner | JoinKind::Left) => {
                self.source(&join.left)?;
                self.source(&join.right)?;
                self.conditions.extend(&join.on);
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether no condition rules out what others ask for.
    fn may_be_met(&self) -> bool {
        let (mut limited, mut equal) = (BTreeSet::new(), false);
        let clear = self.conditions.iter().all(|condition| {
            let Expr::Compare { op, left, right, .. } = condition else { return false };
            match (self.column(left), self.column(right)) {
                (Some(_), Some(_)) => {
                    equal = true;
                    *op == CompareOp::Eq
                }
                (Some(column), None) => self.is_small(right) && limited.insert(column),
                (None, Some(column)) => self.is_small(left) && limited.insert(column),
                (None, None) => false,
            }
        });
        clear && (!equal || limited.len() <= 1)
    }

    /// The column of whole numbers that an expression is.
    fn column(&self, expr: &Expr) -> Option<usize> {
        let Expr::Column { depth: 0, index } = expr else { return None };
        let Type::Int(ty) = self.columns.get(*index)? else { return None };
        (ty.bytes >= 4 && !ty.unsigned).then_some(*index)
    }

    fn is_small(&self, expr: &Expr) -> bool {
        let value = match expr {
            Expr::Const(value) => Some(value),
            Expr::Param { index, .. } => self.params.get(*index),
            _ => None,
        };
        matches!(value, Some(Value::Int(number)) if SMALL.contains(number))
    }
}
