//! Texts that are no numbers and no dates, in statements of MySQL that change rows.
//!
//! `UPDATE t SET … WHERE id = 'ab'` fails, because the text is no number. The server may find this while
//! it plans, although no row is ever compared with it. The same goes for `day = 'ab'`.
//!
//! Layer `bind`; knows plans only.

use crate::error::{ErrorClass, ServerError};
use crate::plan::{
    CastMode, Expr, InsertSource, Locate, Plan, Visit, rewrite, rewrite_query, rewrite_source,
};
use crate::types::Type;
use crate::value::{Value, leading_number_text, parse_timestamp};

/// The error of comparing a number or a date with something that is none, if there is such a comparison.
pub(super) fn early_conversion(plan: &mut Plan) -> Option<ServerError> {
    let (mut found, mut constant, mut read) = (None, None, false);
    let mut visit = |part: &mut Expr, _: usize| {
        if let Expr::Const(Value::Text(text)) = part
            && is_no_number(text)
        {
            constant = Some(text.to_string());
        }
        // A column of a query in FROM may be a constant.
        read |= compared(part).into_iter().flatten().any(reads_number);
        found = mismatch(part).or(found.take());
        true
    };
    visit_change(plan, &mut visit);
    match constant.filter(|_| read) {
        Some(text) if found.is_none() => {
            let detail = format!("{text} may be compared with a number");
            Some(ServerError { class: ErrorClass::InvalidText, detail })
        }
        _ => found,
    }
}

/// Visits what a change of rows computes to find them, and to change them.
fn visit_change(plan: &mut Plan, visit: &mut impl Visit) {
    match plan {
        Plan::Insert(insert) => {
            if let InsertSource::Query(query) = &mut insert.source {
                rewrite_query(query, 0, visit);
            }
        }
        Plan::Update(update) => {
            rewrite_locate(&mut update.locate, visit);
            let values = update.assignments.iter_mut().filter_map(|one| one.value.as_mut());
            values.for_each(|value| rewrite(value, 0, visit));
        }
        Plan::Delete(delete) => rewrite_locate(&mut delete.locate, visit),
        // A change of several tables.
        Plan::With { changes, last } => {
            changes.iter_mut().for_each(|(_, change)| visit_change(change, visit));
            visit_change(last, visit);
        }
        _ => {}
    }
}

/// The same for the condition of a view through which rows are inserted.
pub(super) fn conversion_in(condition: &Expr) -> Option<ServerError> {
    let mut found = None;
    rewrite(&mut condition.clone(), 0, &mut |part: &mut Expr, _: usize| {
        found = mismatch(part).or(found.take());
        true
    });
    found
}

/// The error of one comparison.
fn mismatch(part: &Expr) -> Option<ServerError> {
    let pairs = compared(part);
    pairs.iter().flatten().find_map(|side| no_number(side).or_else(|| no_moment(side)))
}

/// What is compared with each other.
fn compared(part: &Expr) -> Vec<[&Expr; 2]> {
    match part {
        Expr::Compare { left, right, .. } | Expr::Distinct { left, right, .. } => {
            vec![[left, right]]
        }
        Expr::In { list, .. } => list.iter().map(|(left, right, _)| [left, right]).collect(),
        _ => Vec::new(),
    }
}

fn rewrite_locate(locate: &mut Locate, visit: &mut impl Visit) {
    rewrite_source(&mut locate.source, 0, visit);
    locate.filter.iter_mut().for_each(|part| rewrite(part, 0, visit));
}

/// The error of a text that becomes a number here and is none.
fn no_number(expr: &Expr) -> Option<ServerError> {
    let (text, to) = converted_text(expr)?;
    let detail = || format!("{text} is not a number");
    let error = || ServerError { class: ErrorClass::InvalidText, detail: detail() };
    (is_number(to) && is_no_number(text)).then(error)
}

/// The error of a text that becomes a moment here and is none.
fn no_moment(expr: &Expr) -> Option<ServerError> {
    let (text, to) = converted_text(expr)?;
    let detail = || format!("{text} is not a date");
    let error = || ServerError { class: ErrorClass::InvalidDate, detail: detail() };
    (to.is_time() && parse_timestamp(text).is_none()).then(error)
}

/// A constant text that is compared as something else.
fn converted_text(expr: &Expr) -> Option<(&str, Type)> {
    let Expr::Cast { to, mode: CastMode::Implicit, expr } = expr else { return None };
    let Expr::Const(Value::Text(text)) = &**expr else { return None };
    Some((text, *to))
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
