//! Which expressions can fail: only there the server's order of evaluation shows.
//!
//! Layer `plan`; knows the tree.

use super::tree::Expr;

/// Whether evaluating an expression can end in an error.
pub(crate) fn may_fail(expr: &Expr) -> bool {
    match expr {
        // Parameters are read before anything runs, whatever becomes of the rows.
        Expr::Const(_)
        | Expr::Param { .. }
        | Expr::Column { .. }
        | Expr::Local(_)
        | Expr::Session(_)
        | Expr::Open { .. } => false,
        Expr::Not(inner) | Expr::IsNull { expr: inner, .. } | Expr::IsTruth { expr: inner, .. } => {
            may_fail(inner)
        }
        Expr::And(left, right)
        | Expr::Or(left, right)
        | Expr::Xor(left, right)
        | Expr::Compare { left, right, .. }
        | Expr::Distinct { left, right, .. } => may_fail(left) || may_fail(right),
        Expr::In { list, .. } => {
            list.iter().any(|(left, right, _)| may_fail(left) || may_fail(right))
        }
        Expr::Coalesce(args) => args.iter().any(may_fail),
        Expr::Case { branches, otherwise } => {
            may_fail(otherwise)
                || branches.iter().any(|(test, result)| may_fail(test) || may_fail(result))
        }
        _ => true,
    }
}
