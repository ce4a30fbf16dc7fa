//! Texts that are no numbers, in statements of MySQL that change rows.
//!
//! `UPDATE t SET … WHERE id = 'ab'` fails, because the text is no number. The server may find this while
//! it plans, although no row is ever compared with it.
//!
//! Layer `bind`; knows plans only.

use crate::error::{ErrorClass, ServerError};
use crate::plan::{
    CastMode, Expr, InsertSource, Locate, Plan, Visit, rewrite, rewrite_query, rewrite_source,
};
use crate::types::Type;
use crate::value::{Value, leading_number_text};

/// The error of comparing a number with a text that is none, if there is such a comparison.
pub(super) fn early_conversion(plan: &mut Plan) -> Option<ServerError> {
    let (mut found, mut constant, mut read) = (None, None, false);
    let mut visit = |part: &mut Expr, _: usize| {
        if let Expr::Const(Value::Text(text)) = part
            && is_no_number(text)
        {
            constant = Some(text.to_string());
        }
        let sides: Vec<&Expr> = match part {
            Expr::Compare { left, right, .. } | Expr::Distinct { left, right, .. } => {
                vec![left, right]
            }
            Expr::In { list, .. } => {
                list.iter().flat_map(|(left, right, _)| [left, right]).collect()
            }
            _ => Vec::new(),
        };
        // A column of a query in FROM may be a constant.
        read |= sides.iter().any(|side| reads_number(side));
        if let Some(text) = sides.into_iter().find_map(no_number) {
            let detail = format!("{text} is not a number");
            found = Some(ServerError { class: ErrorClass::InvalidText, detail });
        }
        true
    };
    match plan {
        Plan::Insert(insert) => {
            if let InsertSource::Query(query) = &mut insert.source {
                rewrite_query(query, 0, &mut visit);
            }
        }
        Plan::Update(update) => {
            rewrite_locate(&mut update.locate, &mut visit);
            let values = update.assignments.iter_mut().filter_map(|one| one.value.as_mut());
            values.for_each(|value| rewrite(value, 0, &mut visit));
        }
        Plan::Delete(delete) => rewrite_locate(&mut delete.locate, &mut visit),
        _ => {}
    }
    match constant.filter(|_| read) {
        Some(text) if found.is_none() => {
            let detail = format!("{text} may be compared with a number");
            Some(ServerError { class: ErrorClass::InvalidText, detail })
        }
        _ => found,
    }
}

fn rewrite_locate(locate: &mut Locate, visit: &mut impl Visit) {
    rewrite_source(&mut locate.source, 0, visit);
    locate.filter.iter_mut().for_each(|part| rewrite(part, 0, visit));
}

/// The text that becomes a number here and is none.
fn no_number(expr: &Expr) -> Option<&str> {
    let Expr::Cast { to, mode: CastMode::Implicit, expr } = expr else { return None };
    let Expr::Const(Value::Text(text)) = &**expr else { return None };
    (is_number(*to) && is_no_number(text)).then_some(&**text)
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Double | Type::Int(_) | Type::Decimal(_))
}

fn is_no_number(text: &str) -> bool {
    let rest = text.trim_start()[leading_number_text(text).len()..].trim_end();
    !rest.is_empty() || text.trim().is_empty()
}

/// Whether a column becomes a number here.
fn reads_number(expr: &Expr) -> bool {
    let Expr::Cast { to, mode: CastMode::Implicit, expr } = expr else { return false };
    is_number(*to) && matches!(**expr, Expr::Column { .. })
}
