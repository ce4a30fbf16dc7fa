//! Expressions without columns are computed before anything runs, as PostgreSQL's planner does.
//!
//! This shows: `SELECT 1/0 FROM t` fails even if `t` is empty, and `WHERE FALSE AND 1/0 = 1` does not
//! fail. An error that is found here is kept until all names and types are settled, because errors in
//! those come first.
//!
//! Layer `bind`; computes with `eval`.

use crate::dialect::Dialect;
use crate::error::{ErrorClass, ExecutionError, Result, ServerError};
use crate::eval::{Constants, eval};
use crate::plan::{ArrayFunction, Expr, Function, NumberFunction, StringFunction, rewrite};
use crate::types::Type;
use crate::value::{Collation, Value};

use super::binder::Binder;

/// How much is computed.
#[derive(Clone, Copy)]
struct Folding {
    dialect: Dialect,
    /// Also what depends on settings or a locale? What comes out may differ from what the server computes.
    eager: bool,
}

impl Binder<'_> {
    /// Computes what can be computed now.
    pub(super) fn fold(&mut self, mut expr: Expr) -> Expr {
        if !self.dialect.folds_constants() {
            return expr;
        }
        let how = Folding { dialect: self.dialect, eager: false };
        if let Err(ExecutionError::Server(error)) = fold(how, &mut expr) {
            self.defer(error);
        } else if self.deferred.is_none()
            && let Some(error) = self.fails_with_values(&expr).or_else(|| self.fails_eagerly(&expr))
        {
            self.deferred = Some((error, false));
        }
        expr
    }

    /// The error that shows if the server computes more than is certain to be computed now.
    pub(super) fn fails_eagerly(&self, expr: &Expr) -> Option<ServerError> {
        if !self.dialect.folds_constants() {
            return None;
        }
        let how = Folding { dialect: self.dialect, eager: true };
        match fold(how, &mut expr.clone()) {
            Err(ExecutionError::Server(error)) => Some(error),
            _ => None,
        }
    }

    /// The error that shows if variables are taken for the values that they have now. A plan may be made
    /// for these values, or for all.
    fn fails_with_values(&self, expr: &Expr) -> Option<ServerError> {
        if self.values.is_empty() {
            return None;
        }
        let (mut known, mut some) = (expr.clone(), false);
        rewrite(&mut known, 0, &mut |part: &mut Expr, _: usize| {
            if let Expr::Local(place) = part
                && let Some(value) = self.values.get(*place)
            {
                *part = Expr::Const(value.clone());
                some = true;
            }
            true
        });
        let how = Folding { dialect: self.dialect, eager: false };
        match some.then(|| fold(how, &mut known)) {
            Some(Err(ExecutionError::Server(error))) => Some(error),
            _ => None,
        }
    }

    /// Whether an expression fails with these constants in the place of columns, from a first one on.
    pub(super) fn fails_with(&self, expr: &Expr, at: usize, constants: &[Expr]) -> bool {
        let mut known = expr.clone();
        rewrite(&mut known, 0, &mut |part: &mut Expr, depth: usize| {
            if let Expr::Column { depth: own, index } = part
                && *own == depth
                && let Some(constant) = index.checked_sub(at).and_then(|place| constants.get(place))
            {
                *part = constant.clone();
            }
            true
        });
        let how = Folding { dialect: self.dialect, eager: false };
        matches!(fold(how, &mut known), Err(ExecutionError::Server(_)))
    }

    /// Keeps an error until all names and types are settled.
    pub(super) fn defer(&mut self, error: ServerError) {
        let certain = self.inner == 0;
        // Which key a conflict is about is looked up last.
        let weaker = |(before, known): &(ServerError, bool)| {
            certain && (!known || before.class == ErrorClass::NoConstraint)
        };
        if self.deferred.as_ref().is_none_or(weaker) {
            self.deferred = Some((error, certain));
        }
    }

    /// The parts of a condition, computed as far as possible.
    pub(super) fn conjuncts(&mut self, condition: Expr) -> Vec<Expr> {
        self.fold(condition).conjuncts()
    }
}

fn fold(how: Folding, expr: &mut Expr) -> Result<()> {
    match expr {
        Expr::And(..) | Expr::Or(..) => fold_logic(how, expr),
        Expr::Case { .. } => fold_case(how, expr),
        Expr::Coalesce(_) => fold_coalesce(how, expr),
        _ => {
            for part in parts(expr) {
                fold(how, part)?;
            }
            fold_node(how, expr)
        }
    }
}

/// The parts that are always computed.
fn parts(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Not(inner)
        | Expr::Neg(_, inner)
        | Expr::IsNull { expr: inner, .. }
        | Expr::IsTruth { expr: inner, .. }
        | Expr::Cast { expr: inner, .. } => vec![inner],
        Expr::Arith { left, right, .. }
        | Expr::Compare { left, right, .. }
        | Expr::Distinct { left, right, .. }
        | Expr::Like { expr: left, pattern: right, .. } => vec![left, right],
        Expr::In { list, .. } => {
            list.iter_mut().flat_map(|(left, right, _)| [left, right]).collect()
        }
        Expr::Call { args, .. } | Expr::Routine { args, .. } => args.iter_mut().collect(),
        Expr::Quantified { left, .. } => left.iter_mut().collect(),
        _ => Vec::new(),
    }
}

fn fold_node(how: Folding, expr: &mut Expr) -> Result<()> {
    if !is_foldable(expr) || is_unstable(expr) && !how.eager {
        return Ok(());
    }
    let is_strict = is_strict(expr);
    let parts = parts(expr);
    let constant = parts.iter().all(|part| matches!(part, Expr::Const(_)));
    let null = is_strict && parts.iter().any(|part| matches!(part, Expr::Const(Value::Null)));
    if null {
        *expr = Expr::null();
    } else if constant {
        *expr = Expr::Const(eval(&mut Constants { dialect: how.dialect }, expr)?);
    }
    Ok(())
}

/// Whether it is computed from its parts alone.
fn is_foldable(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Not(_)
            | Expr::Neg(..)
            | Expr::IsNull { .. }
            | Expr::IsTruth { .. }
            | Expr::Cast { .. }
            | Expr::Arith { .. }
            | Expr::Compare { .. }
            | Expr::Distinct { .. }
            | Expr::Like { .. }
            | Expr::In { .. }
            | Expr::Call { .. }
    )
}

/// Whether the result depends on settings, as CONCAT and the text of a date do, or on a locale.
fn is_unstable(expr: &Expr) -> bool {
    match expr {
        Expr::Call { function, args, .. } => match function {
            Function::Concat | Function::ConcatWs | Function::Elements { .. } => true,
            Function::Lower | Function::Upper => {
                matches!(args.first(), Some(Expr::Const(Value::Text(text))) if !text.is_ascii())
            }
            Function::Date(function) => {
                function.depends_on_session()
                    || args.iter().any(|arg| matches!(arg, Expr::Const(Value::Instant(_))))
            }
            Function::String(StringFunction::Initcap) => {
                matches!(args.first(), Some(Expr::Const(Value::Text(text))) if !text.is_ascii())
            }
            Function::String(function) => function.takes_nulls(),
            Function::Number(NumberFunction::Format | NumberFunction::Read) => true,
            Function::Array(function) => function == &ArrayFunction::Join,
            Function::Json(function) => function.depends_on_session(),
            Function::Interval(_) => {
                args.iter().any(|arg| matches!(arg, Expr::Const(Value::Instant(_))))
            }
            // The order of texts may depend on a collation that is not known.
            Function::Greatest | Function::Least => {
                args.iter().any(|arg| matches!(arg, Expr::Const(Value::Text(_))))
            }
            _ => false,
        },
        Expr::Compare { op, collation, left, right } => match (&**left, &**right) {
            (Expr::Const(Value::Text(a)), Expr::Const(Value::Text(b))) => {
                !collation.is_certain(op.asks(), a, b)
            }
            // Their elements may be texts.
            (Expr::Const(Value::Array(_)), _) | (_, Expr::Const(Value::Array(_))) => true,
            _ => false,
        },
        Expr::Like { collation, .. } => *collation == Collation::Caseless,
        Expr::Cast { to, expr, .. } => match &**expr {
            Expr::Const(
                Value::Date(_)
                | Value::Timestamp(_)
                | Value::TimeOfDay(_)
                | Value::Interval(_)
                | Value::Bytea(_)
                | Value::Label(_)
                | Value::Range(_)
                | Value::Array(_),
            ) => to.is_text(),
            Expr::Const(Value::Text(_)) => {
                let read_early =
                    matches!(to, Type::Bytea | Type::Interval | Type::Enum(_) | Type::Range(_));
                to.is_time() || to.is_instant() || to.is_partly_known() && !read_early
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether it is NULL if any of its parts is.
fn is_strict(expr: &Expr) -> bool {
    match expr {
        Expr::Arith { .. }
        | Expr::Compare { .. }
        | Expr::Neg(..)
        | Expr::Like { .. }
        | Expr::Cast { .. }
        | Expr::Not(_) => true,
        Expr::Call { function: Function::Range(function), .. } => !function.takes_nulls(),
        Expr::Call { function, .. } => !matches!(
            function,
            Function::Greatest
                | Function::Least
                | Function::MakeArray
                | Function::MakeRecord
                | Function::Elements { .. }
                | Function::Array(_)
                | Function::Interval(_)
                | Function::Json(_)
        ),
        _ => false,
    }
}

fn fold_logic(how: Folding, expr: &mut Expr) -> Result<()> {
    let (left, right, decides) = match expr {
        Expr::And(left, right) => (left, right, false),
        Expr::Or(left, right) => (left, right, true),
        _ => return Ok(()),
    };
    let decided = Expr::Const(Value::Bool(decides));
    let neutral = Expr::Const(Value::Bool(!decides));
    fold(how, left)?;
    if **left == decided {
        *expr = decided;
        return Ok(());
    }
    fold(how, right)?;
    let kept = if **right == decided {
        Some(decided)
    } else if **right == neutral {
        Some(std::mem::replace(&mut **left, Expr::null()))
    } else if **left == neutral {
        Some(std::mem::replace(&mut **right, Expr::null()))
    } else {
        None
    };
    if let Some(kept) = kept {
        *expr = kept;
    }
    Ok(())
}

/// Results behind conditions that never hold are not looked at.
fn fold_case(how: Folding, expr: &mut Expr) -> Result<()> {
    let Expr::Case { branches, otherwise } = expr else { return Ok(()) };
    let mut kept = Vec::new();
    for (mut test, mut result) in std::mem::take(branches) {
        fold(how, &mut test)?;
        match &test {
            Expr::Const(Value::Bool(true)) => {
                fold(how, &mut result)?;
                **otherwise = result;
                if kept.is_empty() {
                    *expr = std::mem::replace(&mut **otherwise, Expr::null());
                } else {
                    *branches = kept;
                }
                return Ok(());
            }
            Expr::Const(_) => {}
            _ => {
                fold(how, &mut result)?;
                kept.push((test, result));
            }
        }
    }
    fold(how, otherwise)?;
    if kept.is_empty() {
        *expr = std::mem::replace(&mut **otherwise, Expr::null());
    } else {
        *branches = kept;
    }
    Ok(())
}

fn fold_coalesce(how: Folding, expr: &mut Expr) -> Result<()> {
    let Expr::Coalesce(args) = expr else { return Ok(()) };
    let mut kept = Vec::new();
    for mut arg in std::mem::take(args) {
        fold(how, &mut arg)?;
        match &arg {
            Expr::Const(Value::Null) => {}
            Expr::Const(_) => {
                kept.push(arg);
                break;
            }
            _ => kept.push(arg),
        }
    }
    *expr = match kept.len() {
        0 => Expr::null(),
        1 => kept.swap_remove(0),
        _ => Expr::Coalesce(kept),
    };
    Ok(())
}
