//! Expressions that need more than a row.
//!
//! Layer `bind`; knows plans only.

use crate::plan::{Expr, rewrite};

/// Whether an expression needs more than the row: it calls a routine, asks the server or contains a query.
pub(super) fn asks(expr: &mut Expr) -> bool {
    let mut found = false;
    rewrite(expr, 0, &mut |part: &mut Expr, _: usize| {
        found |= matches!(
            part,
            Expr::Routine { .. }
                | Expr::Open { .. }
                | Expr::Exists { .. }
                | Expr::Scalar { .. }
                | Expr::Quantified { .. }
        );
        true
    });
    found
}
