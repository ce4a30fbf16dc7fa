//! Which columns of its own query a condition uses.
//!
//! Layer `bind`; knows plans only.

use crate::plan::{Expr, rewrite};

/// The last column of this query that a condition uses. One with a subquery or with something of the
/// server's own waits until the end.
pub(super) fn last_column(part: &Expr) -> usize {
    let mut last = 0;
    rewrite(&mut part.clone(), 0, &mut |part: &mut Expr, depth: usize| {
        match part {
            Expr::Column { depth: out, index } if *out == depth => last = last.max(*index),
            Expr::Exists { .. }
            | Expr::Scalar { .. }
            | Expr::Quantified { .. }
            | Expr::Open { .. }
            | Expr::Number { .. }
            | Expr::Routine { .. } => {
                last = usize::MAX - 1;
            }
            _ => {}
        }
        true
    });
    last
}

/// The first column of this query that a condition uses.
pub(super) fn first_column(part: &Expr) -> usize {
    let mut first = usize::MAX - 1;
    rewrite(&mut part.clone(), 0, &mut |part: &mut Expr, depth: usize| {
        if let Expr::Column { depth: out, index } = part
            && *out == depth
        {
            first = first.min(*index);
        }
        true
    });
    first
}

/// Whether an expression depends on the row of its own query, or on something of the server's own.
pub(super) fn uses_own_query(expr: &Expr) -> bool {
    let mut uses = false;
    rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, depth: usize| {
        uses |= match part {
            Expr::Column { depth: out, .. } => *out == depth,
            Expr::Exists { .. }
            | Expr::Scalar { .. }
            | Expr::Quantified { .. }
            | Expr::Open { .. }
            | Expr::Number { .. }
            | Expr::Routine { .. } => true,
            _ => false,
        };
        true
    });
    uses
}

/// Whether an expression has values of the server's own, which may be different each time.
pub(super) fn has_own_values(expr: &Expr) -> bool {
    let mut found = false;
    rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
        found |= matches!(part, Expr::Open { .. } | Expr::Number { .. } | Expr::Routine { .. });
        !found
    });
    found
}
