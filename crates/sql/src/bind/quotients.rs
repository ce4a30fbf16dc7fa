//! Digits that MySQL and MariaDB compute but do not show.
//!
//! ```text
//!   a / 7                       is shown as 1.4286, and is 1.428571428 inside
//!   a / 7 * 3                   computes with all of them: 4.2857
//!   CONCAT(a / 7)               uses those that are shown, but not everywhere
//!   a / 7 IN (1.4286, 2)        compares all of them, and a / 7 = 1.4286 those that are shown
//!   z * 3, with z from (SELECT a / 7 AS z …)        depends on whether the server keeps a table for z
//! ```
//!
//! A result can also have fewer digits than are shown: a difference that is zero, or the shorter one of two numbers in
//! a CASE. A column of texts gets `0` and not `0.00` then.
//!
//! What the digits are is known for arithmetic over the columns of tables and for comparisons of numbers. Everything
//! else that would tell one from the other is refused.
//!
//! Layer `bind`; knows plans and scopes.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::plan::{
    Aggregate, AggregateFunction, Arith, Body, CastMode, Expr, Function, LooseFunction,
    LooseMoment, Query, Select, Source,
};
use crate::types::Type;

use super::aggregates::divides;
use super::binder::Binder;

/// Which digits a number has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Digits {
    /// Those of its type.
    Shown,
    /// More than its type has, and it is known which.
    Longer,
    /// Those of its type or more: that depends on the server.
    Unsure,
}

/// Says which digits columns and aggregates have.
trait Known {
    fn column(&self, depth: usize, index: usize) -> Digits;
    fn aggregate(&self, index: usize) -> Digits;
}

impl Known for Binder<'_> {
    fn column(&self, depth: usize, index: usize) -> Digits {
        let scope = self.scopes.iter().rev().nth(depth);
        let unsure = scope.is_some_and(|scope| {
            let relation = scope.relations.iter().rfind(|relation| relation.at <= index);
            let column = relation.and_then(|relation| relation.columns.get(index - relation.at));
            column.is_some_and(|column| column.unsure)
        });
        if unsure { Digits::Unsure } else { Digits::Shown }
    }

    fn aggregate(&self, index: usize) -> Digits {
        let known = self.aggregates.as_ref().and_then(|all| all.get(index));
        known.map_or(Digits::Shown, |aggregate| of_aggregate(aggregate, self))
    }
}

/// The rows of a query before they are shown.
struct Inside<'a>(&'a Select);

impl Known for Inside<'_> {
    fn column(&self, depth: usize, index: usize) -> Digits {
        let Self(select) = self;
        let source = FromSource(&select.source);
        match &select.grouping {
            _ if depth > 0 => Digits::Shown,
            None => source.column(0, index),
            Some(grouping) => {
                let (keys, all) = (grouping.keys.len(), grouping.aggregates.len());
                match index {
                    _ if index < keys => of_expr(&grouping.keys[index].0, &source),
                    _ if index < keys + all => {
                        of_aggregate(&grouping.aggregates[index - keys], &source)
                    }
                    _ => match grouping.shown.get(index - keys - all) {
                        Some(shown) => source.column(0, *shown),
                        None => Digits::Shown,
                    },
                }
            }
        }
    }

    fn aggregate(&self, _index: usize) -> Digits {
        Digits::Unsure
    }
}

struct FromSource<'a>(&'a Source);

impl Known for FromSource<'_> {
    fn column(&self, depth: usize, index: usize) -> Digits {
        match self.0 {
            _ if depth > 0 => Digits::Shown,
            Source::Join(join) => {
                let middle = join.left.width();
                match index.checked_sub(middle) {
                    None => FromSource(&join.left).column(0, index),
                    Some(index) => FromSource(&join.right).column(0, index),
                }
            }
            Source::Derived { query, .. } if shows_longer(query, index) => Digits::Unsure,
            _ => Digits::Shown,
        }
    }

    fn aggregate(&self, _index: usize) -> Digits {
        Digits::Shown
    }
}

/// Whether a column is a day of the week as a number. MariaDB believes that it has no digits, and cuts them off.
fn shows_a_day_of_the_week(query: &Query, place: usize) -> bool {
    let Body::Select(select) = &query.body else { return false };
    matches!(
        select.items.get(place),
        Some(Expr::Call {
            function: Function::Loose(LooseFunction::Moment(
                LooseMoment::DayOfWeek | LooseMoment::WeekDay
            )),
            ..
        })
    )
}

/// Whether a column of a query may have more digits than its type.
pub(super) fn shows_longer(query: &Query, place: usize) -> bool {
    match &query.body {
        Body::Select(select) => {
            let item = select.items.get(place);
            item.is_some_and(|item| of_expr(item, &Inside(select)) != Digits::Shown)
        }
        Body::Set { left, right, .. } => shows_longer(left, place) || shows_longer(right, place),
        Body::Recursive { base, step, .. } => {
            shows_longer(base, place) || shows_longer(step, place)
        }
        Body::Values(rows) => rows.iter().any(|row| row.get(place).is_some_and(divides)),
    }
}

fn of_aggregate(aggregate: &Aggregate, known: &dyn Known) -> Digits {
    if !matches!(aggregate.result, Type::Decimal(_)) {
        return Digits::Shown;
    }
    let arg = aggregate.args.first().map_or(Digits::Shown, |arg| of_expr(arg, known));
    match aggregate.function {
        AggregateFunction::Avg => arg.max(Digits::Longer),
        _ => arg,
    }
}

fn of_expr(expr: &Expr, known: &dyn Known) -> Digits {
    let both = |left, right| of_expr(left, known).max(of_expr(right, known));
    match expr {
        Expr::Column { depth, index } => known.column(*depth, *index),
        Expr::Aggregate(index) => known.aggregate(*index),
        Expr::Arith { op: Arith::Div, result: Type::Decimal(_), left, right } => {
            both(left, right).max(Digits::Longer)
        }
        Expr::Arith { result: Type::Decimal(_), left, right, .. } => both(left, right),
        Expr::Neg(Type::Decimal(_), inner) => of_expr(inner, known),
        Expr::Cast { to: Type::Decimal(_), mode: CastMode::Implicit, expr } => of_expr(expr, known),
        Expr::Case { branches, otherwise } => {
            let results = branches.iter().map(|(_, result)| result).chain([&**otherwise]);
            one_of(results, known)
        }
        Expr::Coalesce(args) => one_of(args.iter(), known),
        Expr::Call { function, result: Type::Decimal(_), args } => match function {
            Function::Round | Function::Truncate | Function::Floor | Function::Ceil => {
                Digits::Shown
            }
            _ => one_of(args.iter(), known),
        },
        Expr::Scalar { query, .. } if shows_longer(query, 0) => Digits::Unsure,
        _ => Digits::Shown,
    }
}

/// One of several values.
fn one_of<'e>(values: impl Iterator<Item = &'e Expr>, known: &dyn Known) -> Digits {
    let mut values = values.map(|value| of_expr(value, known));
    if values.any(|digits| digits != Digits::Shown) { Digits::Unsure } else { Digits::Shown }
}

/// An expression without the implicit conversions around it.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Cast { mode: CastMode::Implicit, expr, .. } => bare(expr),
        other => other,
    }
}

impl Binder<'_> {
    fn digits(&self, expr: &Expr) -> Digits {
        if self.dialect.is_strictly_typed() { Digits::Shown } else { of_expr(bare(expr), self) }
    }

    /// Whether a number has, or may have, more digits than are shown.
    pub(super) fn is_longer(&self, expr: &Expr) -> bool {
        self.digits(expr) != Digits::Shown
    }

    /// An operand of arithmetic, or a value that is stored.
    pub(super) fn refuse_unsure(&self, expr: &Expr) -> Result<()> {
        match self.digits(expr) {
            Digits::Unsure => {
                unsupported("more than showing a quotient of another query, or of several values")
            }
            Digits::Shown | Digits::Longer => Ok(()),
        }
    }

    /// Two sides of a comparison with their types.
    pub(super) fn refuse_inexact(&self, number: &Expr, other: Type) -> Result<()> {
        let exact = matches!(
            other,
            Type::Int(_) | Type::Decimal(_) | Type::Bool | Type::Unknown | Type::Special(_)
        );
        if !exact && self.is_longer(number) {
            return unsupported("a comparison of a quotient with something that is not exact");
        }
        Ok(())
    }

    /// A value that becomes one of several of a type.
    pub(super) fn refuse_as_text(&self, expr: &Expr, from: Type, to: Type) -> Result<()> {
        if to.is_text() && !from.is_text() && self.is_longer(expr) {
            return unsupported("a quotient as a text");
        }
        Ok(())
    }

    /// A value that a table keeps, be it one that the server makes for a query.
    pub(super) fn refuse_stored(&self, expr: &Expr, from: Type, to: Type) -> Result<()> {
        let exact = matches!(from, Type::Decimal(Some(digits)) if digits.scale > 0);
        let computed = !matches!(bare(expr), Expr::Column { .. } | Expr::Const(_));
        if exact && to.is_text() && !self.dialect.is_strictly_typed() && computed {
            return unsupported("a computed decimal number in a column of texts");
        }
        Ok(())
    }

    /// The column of a query that becomes one of a type.
    pub(super) fn refuse_shown(&self, query: &Query, place: usize, to: Type) -> Result<()> {
        if matches!(to, Type::Decimal(_)) && shows_a_day_of_the_week(query, place) {
            return unsupported("a day of the week as a DECIMAL in a set operation");
        }
        if self.dialect.is_strictly_typed() || matches!(to, Type::Decimal(_)) {
            return Ok(());
        }
        if shows_longer(query, place) {
            return unsupported("a quotient as something else in a set operation");
        }
        // MariaDB forgets the digit before the point when it computes how long such a text can be.
        let from = query.output[place].ty;
        if let Body::Select(select) = &query.body
            && let Some(item) = select.items.get(place)
        {
            self.refuse_stored(item, from, to)?;
        }
        match from {
            Type::Decimal(Some(digits)) if to.is_text() && digits.precision == digits.scale => {
                unsupported("a fraction such as DECIMAL(4,4) as a text in a set operation")
            }
            _ => Ok(()),
        }
    }

    /// What an aggregate computes.
    pub(super) fn refuse_aggregated(&self, aggregate: &Aggregate) -> Result<()> {
        use AggregateFunction as F;
        let unsure = || aggregate.args.iter().try_for_each(|arg| self.refuse_unsure(arg));
        match aggregate.function {
            F::Min | F::Max => Ok(()),
            F::Count if !aggregate.distinct => Ok(()),
            F::Count | F::Sum | F::Avg => unsure(),
            _ if aggregate.args.iter().any(|arg| self.is_longer(arg)) => {
                unsupported("an aggregate of quotients")
            }
            _ => Ok(()),
        }
    }

    /// Groups that are made by a quotient: what is computed from their keys depends on the plan.
    pub(super) fn refuse_grouped<'e>(
        &self,
        keys: &[Expr],
        mut exprs: impl Iterator<Item = &'e Expr>,
    ) -> Result<()> {
        if !keys.iter().any(|key| self.is_longer(key)) {
            return Ok(());
        }
        match exprs.any(|expr| divides(expr) && !keys.contains(expr)) {
            true => unsupported("an expression over a quotient that makes groups"),
            false => Ok(()),
        }
    }

    /// An expression as it was written, and as it is bound.
    pub(super) fn refuse_digits(&self, written: &ast::Expr, bound: &Expr) -> Result<()> {
        use ast::Expr as E;
        if self.dialect.is_strictly_typed() {
            return Ok(());
        }
        match (written, bound) {
            (
                E::Between { .. }
                | E::InList { .. }
                | E::Like { .. }
                | E::RLike { .. }
                | E::Case { operand: Some(_), .. },
                _,
            ) if self.tests_longer(bound) => {
                unsupported("a quotient in BETWEEN, IN, LIKE, or behind CASE")
            }
            (_, Expr::Call { function: Function::Greatest | Function::Least, .. }) => Ok(()),
            (E::BinaryOp { .. } | E::UnaryOp { .. } | E::Nested(_), _) => Ok(()),
            (_, Expr::Call { args, .. }) => args.iter().try_for_each(|arg| self.refuse_unsure(arg)),
            (E::Cast { .. } | E::Convert { .. }, Expr::Cast { expr, .. }) => {
                self.refuse_unsure(expr)
            }
            _ => Ok(()),
        }
    }

    /// Whether a condition looks at a number with more digits than are shown.
    fn tests_longer(&self, condition: &Expr) -> bool {
        match condition {
            Expr::Not(inner) => self.tests_longer(inner),
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.tests_longer(left) || self.tests_longer(right)
            }
            Expr::Compare { left, right, .. } | Expr::Distinct { left, right, .. } => {
                self.is_longer(left) || self.is_longer(right)
            }
            Expr::Like { expr, pattern, .. } => self.is_longer(expr) || self.is_longer(pattern),
            Expr::In { list, .. } => {
                list.iter().any(|(left, right, _)| self.is_longer(left) || self.is_longer(right))
            }
            Expr::Case { branches, .. } => branches.iter().any(|(test, _)| self.tests_longer(test)),
            Expr::Call { args, .. } => args.iter().any(|arg| self.is_longer(arg)),
            _ => false,
        }
    }
}
