//! Functions of JSON in MariaDB, where JSON is a text.
//!
//! Whether a text that becomes a part of JSON is a string or JSON already depends on where it comes from: what a
//! function of JSON returns is JSON, and other texts are strings. A column of the type JSON is JSON, too, but it is
//! a text with a collation here, like others: what looks like one is refused.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{Result, unsupported};
use crate::plan::{CastMode, Expr, Function, LooseFunction, LooseJson};
use crate::types::Type;
use crate::value::Collation;

use super::aggregates::divides;
use super::binder::{Binder, Typed};
use super::loose_functions::Takes;

impl Binder<'_> {
    /// Functions that take values as parts of JSON; `None` for others.
    pub(super) fn loose_json_maker(
        &mut self,
        name: &str,
        args: &[ast::Expr],
    ) -> Result<Option<Typed>> {
        use LooseJson as J;
        // The number of arguments in front, and whether names or paths stand before the values.
        let (function, first, named) = match name {
            _ if !self.is_mariadb() => return Ok(None),
            "json_array" => (J::Array, 0, false),
            "json_object" => (J::Object, 0, true),
            "json_set" => (J::Set, 1, true),
            "json_insert" => (J::Insert, 1, true),
            "json_replace" => (J::Replace, 1, true),
            "json_array_append" => (J::ArrayAppend, 1, true),
            _ => return Ok(None),
        };
        if named && args.len() % 2 != first || args.len() < first {
            return unsupported(format!("{name} with this many arguments"));
        }
        let mut bound = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            bound.push(match named && (place < first || (place - first) % 2 == 0) {
                true => self.expr(arg)?,
                false => self.json_part(arg)?,
            });
        }
        let result = self.text_of(&bound)?;
        self.loosely(LooseFunction::Json(function), &[Takes::Text], result, bound).map(Some)
    }

    pub(super) fn loose_json_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use LooseJson as J;
        if !self.is_mariadb() {
            return self.unknown_function(name, &args);
        }
        let (function, counts) = match (name, args.len()) {
            ("json_valid", 1) => (J::Valid, true),
            ("json_extract", 2..) => (J::Extract, false),
            ("json_unquote", 1) => (J::Unquote, false),
            ("json_value", 2) => (J::Scalar, false),
            ("json_query", 2) => (J::Query, false),
            ("json_remove", 2..) => (J::Remove, false),
            ("json_contains", 2 | 3) => (J::Contains, true),
            ("json_contains_path", 3..) => (J::ContainsPath, true),
            ("json_exists", 2) => (J::Exists, true),
            ("json_length", 1 | 2) => (J::Length, true),
            ("json_keys", 1 | 2) => (J::Keys, false),
            ("json_type", 1) => (J::Type, false),
            ("json_depth", 1) => (J::Depth, true),
            ("json_merge_patch", 2..) => (J::MergePatch, false),
            ("json_search", 3) => (J::Search, false),
            ("json_quote", 1) if args[0].1.is_text() => (J::Quote, false),
            _ => return self.unknown_function(name, &args),
        };
        let result = if counts { Type::INT8 } else { self.text_of(&args[..1])? };
        self.loosely(LooseFunction::Json(function), &[Takes::Text], result, args)
    }

    /// A value that becomes a part of JSON, as its text.
    fn json_part(&mut self, arg: &ast::Expr) -> Result<Typed> {
        let literal =
            matches!(arg, ast::Expr::Value(value) if matches!(value.value, ast::Value::Boolean(_)));
        let (expr, ty) = self.expr(arg)?;
        if is_json(&expr) {
            return Ok((expr, ty));
        }
        if matches!(
            expr,
            Expr::Quantified { .. } | Expr::In { .. } | Expr::IsTruth { .. } | Expr::Like { .. }
        ) {
            return unsupported("a condition of this kind as a part of JSON");
        }
        let boolean = literal || is_condition(&expr);
        let stored =
            matches!(ty, Type::Text { limit: None, collation: Some(Collation::PaddedBytes), .. });
        if stored || divides(&expr) || self.is_longer(&expr) {
            return unsupported("a value that may be JSON, or a quotient, as a part of JSON");
        }
        let value = match ty {
            Type::Unknown | Type::Int(_) | Type::Decimal(_) | Type::Text { .. } => expr,
            Type::Date | Type::Timestamp(0) | Type::Time(0) => {
                expr.cast(Type::TEXT, CastMode::Implicit)
            }
            _ => return unsupported("a value of this type as a part of JSON"),
        };
        let function = LooseFunction::Json(LooseJson::Value { boolean });
        let result = match ty {
            Type::Text { collation, .. } => Type::Text { limit: None, collation, trims: false },
            _ => Type::TEXT,
        };
        self.loosely(function, &[Takes::Any], result, vec![(value, ty)])
    }

    /// Both sides of a comparison. `JSON_EXTRACT(…) = 'text'` compares what the string says; other comparisons
    /// of JSON are refused.
    pub(super) fn json_compared(&self, left: Typed, right: Typed) -> Result<(Typed, Typed)> {
        match (is_extracted(&left.0), is_extracted(&right.0)) {
            (false, false) => Ok((left, right)),
            (true, false) => Ok((comparable(left, right.1)?, right)),
            (false, true) => {
                let right = comparable(right, left.1)?;
                Ok((left, right))
            }
            (true, true) => unsupported("a comparison of JSON with JSON"),
        }
    }

    /// What `JSON_EXTRACT` returns is a text, except where it is compared or counts as true or false.
    pub(super) fn refuse_extracted(&self, typed: &Typed) -> Result<()> {
        match is_extracted(&typed.0) {
            true => unsupported("JSON_EXTRACT in this condition"),
            false => Ok(()),
        }
    }
}

/// What MariaDB checks in a column of the type JSON.
pub(super) fn json_check(index: usize) -> Expr {
    let function = Function::Loose(LooseFunction::Json(LooseJson::Valid));
    Expr::Call { function, result: Type::INT8, args: vec![Expr::column(index)] }
}

fn comparable((expr, ty): Typed, other: Type) -> Result<Typed> {
    let Expr::Call { args, result, .. } = expr else { return Ok((expr, ty)) };
    let function = match other {
        Type::Text { .. } if args.len() == 2 => LooseJson::Comparable,
        Type::Int(_) | Type::Decimal(_) if args.len() == 2 => LooseJson::Number,
        _ => return unsupported("a comparison of JSON with something else"),
    };
    let function = Function::Loose(LooseFunction::Json(function));
    Ok((Expr::Call { function, result, args }, ty))
}

fn json_function(expr: &Expr) -> Option<LooseJson> {
    match expr {
        Expr::Call { function: Function::Loose(LooseFunction::Json(function)), .. } => {
            Some(*function)
        }
        _ => None,
    }
}

fn is_extracted(expr: &Expr) -> bool {
    json_function(expr) == Some(LooseJson::Extract)
}

/// Whether a function returns JSON.
fn is_json(expr: &Expr) -> bool {
    use LooseJson as J;
    let makes = |function| {
        matches!(
            function,
            J::Extract
                | J::Query
                | J::Object
                | J::Array
                | J::Set
                | J::Insert
                | J::Replace
                | J::Remove
                | J::ArrayAppend
                | J::MergePatch
        )
    };
    json_function(expr).is_some_and(makes)
}

/// Whether a number is true or false to the server.
fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::Compare { .. }
        | Expr::And(..)
        | Expr::Or(..)
        | Expr::Not(_)
        | Expr::IsNull { .. }
        | Expr::Exists { .. } => true,
        other => json_function(other) == Some(LooseJson::Valid),
    }
}
