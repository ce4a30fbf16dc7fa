//! Queries inside expressions.
//!
//! Layer `run`; knows queries and how values compare.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::error::{ErrorClass, ExecutionError, Result, fail, unsupported};
use crate::eval::{and, or, value_of};
use crate::plan::{Body, CastMode, CompareOp, Expr, Quantifier, Query};
use crate::types::Type;
use crate::value::{Asked, Collation, Value};

use super::frame::Frame;
use super::state::{Decision, Run};

impl Run<'_> {
    pub(super) fn subquery(&mut self, expr: &Expr, frame: &Frame<'_>) -> Result<Value> {
        match expr {
            Expr::Exists { closed, query } => {
                let rows = self.inner_rows(*closed, query, frame, Some(1))?;
                Ok(self.dialect.boolean(!rows.is_empty()))
            }
            Expr::Scalar { closed, query } => {
                let rows = self.inner_rows(*closed, query, frame, None)?;
                match rows.as_slice() {
                    [] => Ok(Value::Null),
                    [row] => Ok(row.first().cloned().unwrap_or(Value::Null)),
                    _ => fail(ErrorClass::Cardinality, "a subquery with more than one row"),
                }
            }
            Expr::Quantified { closed, quantifier, op, left, casts, collations, query } => {
                let left = left.iter().map(|one| self.eval(one, frame)).collect::<Result<Vec<_>>>();
                let rows = self.inner_rows(*closed, query, frame, None);
                let all = *quantifier == Quantifier::All;
                let (left, rows, error) = match (left, rows) {
                    (Ok(left), Ok(rows)) => (left, rows, None),
                    // Without rows, what they are compared with need not be computed.
                    (Err(ExecutionError::Server(error)), Ok(rows)) if rows.is_empty() => {
                        (Vec::new(), rows, Some(error))
                    }
                    // The server need not read on behind a row that decides.
                    (Ok(left), Err(ExecutionError::Server(error))) if !self.forgiving => {
                        self.forgiving = true;
                        let rows = self.chosen_rows(query, Some(frame));
                        self.forgiving = false;
                        match rows {
                            Ok(rows) => (left, Arc::new(rows), Some(error)),
                            Err(_) => return Err(ExecutionError::Server(error)),
                        }
                    }
                    (Err(error), _) | (_, Err(error)) => return Err(error),
                };
                let mut result = Some(all);
                for row in rows.iter() {
                    let holds = self.row_compares(*op, &left, row, casts, collations)?;
                    result = if all { and(result, holds) } else { or(result, holds) };
                    if result == Some(!all) {
                        break;
                    }
                }
                if let Some(error) = error {
                    let decided = rows.is_empty() && left.is_empty() || result == Some(!all);
                    if !decided || self.decide(Decision::MeetsError(query.id)) {
                        return Err(ExecutionError::Server(error));
                    }
                }
                Ok(value_of(self.dialect, result))
            }
            _ => unsupported("this subquery"),
        }
    }

    /// A query that looks nowhere outside is evaluated once.
    pub(super) fn inner_rows(
        &mut self,
        closed: bool,
        query: &Query,
        frame: &Frame<'_>,
        wanted: Option<u64>,
    ) -> Result<Arc<Vec<Vec<Value>>>> {
        if closed && let Some(rows) = self.memo.subqueries.get(&query.id) {
            return Ok(Arc::clone(rows));
        }
        let rows = match (&query.body, wanted) {
            (Body::Select(select), Some(wanted))
                if query.limit.is_none() && query.offset.is_none() =>
            {
                self.select_some(select, Some(frame), wanted)?
            }
            _ => self.chosen_rows(query, Some(frame))?,
        };
        let rows = Arc::new(rows);
        // Rows that were passed over because of an error are not gone for good.
        if closed && !self.forgiving {
            self.memo.subqueries.insert(query.id, Arc::clone(&rows));
        }
        Ok(rows)
    }

    fn row_compares(
        &mut self,
        op: CompareOp,
        left: &[Value],
        row: &[Value],
        casts: &[(Type, Option<Type>)],
        collations: &[Collation],
    ) -> Result<Option<bool>> {
        let mut equal = Some(true);
        let single = left.len() == 1;
        for (index, value) in left.iter().enumerate() {
            let right = match casts[index].1 {
                Some(to) => self.cast(&row[index], to, CastMode::Implicit)?,
                None => row[index].clone(),
            };
            let asked = if single { op.asks() } else { Asked::Equality };
            let order = self.compare(asked, value, &right, collations[index])?;
            if single {
                return Ok(order.map(|order| op.holds(order)));
            }
            equal = and(equal, order.map(Ordering::is_eq));
        }
        match op {
            CompareOp::Eq => Ok(equal),
            CompareOp::NotEq => Ok(equal.map(|equal| !equal)),
            _ => unsupported("an order of rows in parentheses"),
        }
    }
}
