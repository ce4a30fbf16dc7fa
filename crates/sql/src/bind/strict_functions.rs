//! Functions that only PostgreSQL has, found by the types of their arguments.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::error::{ErrorClass, Result, arguments, fail, unsupported};
use crate::plan::{CastMode, Expr, Function, NumberFunction, StringFunction};
use crate::types::{IntType, Type};

use super::binder::{Binder, Typed};
use super::chars::converted;
use super::strict::common_number;
use super::text_functions::letter_of;

impl Binder<'_> {
    /// A function by its name, if it is one of PostgreSQL's.
    pub(super) fn strict_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        match name {
            "power" | "pow" | "sqrt" | "pi" | "degrees" | "radians" | "div" | "gcd" | "lcm"
            | "factorial" | "width_bucket" | "to_number" => self.number_function(name, args),
            "date_trunc" | "date_part" | "make_date" | "make_timestamp" | "to_timestamp"
            | "to_date" | "to_char" | "isfinite" | "timezone" => self.date_function(name, args),
            "regexp_replace"
            | "regexp_like"
            | "regexp_substr"
            | "regexp_count"
            | "regexp_match"
            | "regexp_split_to_array" => self.pattern_function(name, args),
            _ => self.string_function(name, args),
        }
    }

    fn string_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use StringFunction as S;
        const TEXT: Type = Type::TEXT;
        const INT: Type = Type::INT4;
        let call = |function, params: &[Type], result, args| {
            self.called(Function::String(function), params, result, args)
        };
        match (name, args.len()) {
            ("split_part", 3) => call(S::SplitPart, &[TEXT, TEXT, INT], TEXT, args),
            ("strpos", 2) => call(S::Position, &[TEXT, TEXT], INT, args),
            ("initcap", 1) => call(S::Initcap, &[TEXT], TEXT, args),
            ("translate", 3) => call(S::Translate, &[TEXT, TEXT, TEXT], TEXT, args),
            ("overlay", 3) => call(S::Overlay, &[TEXT, TEXT, INT], TEXT, args),
            ("overlay", 4) => call(S::Overlay, &[TEXT, TEXT, INT, INT], TEXT, args),
            ("chr", 1) => call(S::Chr, &[INT], TEXT, args),
            ("to_hex", 1) if args[0].1 == INT => call(S::Hex4, &[INT], TEXT, args),
            ("to_hex", 1) if args[0].1 == Type::INT8 => call(S::Hex8, &[Type::INT8], TEXT, args),
            ("starts_with", 2) => call(S::StartsWith, &[TEXT, TEXT], Type::Bool, args),
            ("trim" | "btrim", 2) => call(S::TrimBoth, &[TEXT, TEXT], TEXT, args),
            ("ltrim", 2) => call(S::TrimLeft, &[TEXT, TEXT], TEXT, args),
            ("rtrim", 2) => call(S::TrimRight, &[TEXT, TEXT], TEXT, args),
            ("bit_length", 1) => call(S::BitLength, &[TEXT], INT, args),
            ("quote_ident", 1) => call(S::QuoteIdent, &[TEXT], TEXT, args),
            ("quote_literal", 1) => self.quoted(S::QuoteLiteral, args),
            ("quote_nullable", 1) => self.quoted(S::QuoteNullable, args),
            ("md5", 1) => call(S::Md5, &[TEXT], TEXT, args),
            ("similarity", 2) => call(S::Similarity, &[TEXT, TEXT], Type::Real, args),
            ("format", 1..) => self.format(args),
            _ => unsupported(format!("the function {name} with {}", arguments(args.len()))),
        }
    }

    /// A function with parameters of these types.
    pub(super) fn called(
        &self,
        function: Function,
        params: &[Type],
        result: Type,
        args: Vec<Typed>,
    ) -> Result<Typed> {
        let args = args.into_iter().zip(params).map(|(arg, to)| self.argument(arg, *to));
        Ok((Expr::Call { function, result, args: args.collect::<Result<_>>()? }, result))
    }

    /// An argument for a parameter of a type, if PostgreSQL converts it without being asked.
    pub(super) fn argument(&self, (expr, ty): Typed, to: Type) -> Result<Expr> {
        match (ty, to) {
            (Type::Unknown, _) => self.resolve(expr, to),
            (Type::Text { .. }, Type::Text { .. })
            | (Type::Decimal(_), Type::Decimal(_))
            | (Type::Double, Type::Double) => Ok(expr),
            (Type::Char(_), Type::Text { .. }) => Ok(converted((expr, ty), to, CastMode::Implicit)),
            (Type::Int(from), Type::Int(to)) if from.bytes <= to.bytes => Ok(expr),
            (Type::Int(_), Type::Decimal(_))
            | (Type::Int(_) | Type::Decimal(_) | Type::Real, Type::Double) => {
                Ok(expr.cast(to, CastMode::Implicit))
            }
            _ if ty == to => Ok(expr),
            _ if [ty, to].iter().any(|one| one.is_partly_known()) => {
                unsupported(format!("{ty:?} where {to:?} is expected"))
            }
            _ => fail(ErrorClass::UndefinedFunction, format!("{ty:?} where {to:?} is expected")),
        }
    }

    /// Quotes the text of any value.
    fn quoted(&self, function: StringFunction, args: Vec<Typed>) -> Result<Typed> {
        let args = args.into_iter().map(|arg| self.as_text(arg)).collect::<Result<_>>()?;
        let result = Type::TEXT;
        Ok((Expr::Call { function: Function::String(function), result, args }, result))
    }

    /// `format(text, …)`, which writes booleans with one letter.
    fn format(&self, args: Vec<Typed>) -> Result<Typed> {
        let mut bound = Vec::new();
        for (place, arg) in args.into_iter().enumerate() {
            bound.push(match arg.1 {
                _ if place == 0 => self.argument(arg, Type::TEXT)?,
                Type::Bool => letter_of(arg.0),
                Type::Char(_) => super::chars::as_shown(arg),
                _ => self.as_text(arg)?,
            });
        }
        let function = Function::String(StringFunction::Format);
        Ok((Expr::Call { function, result: Type::TEXT, args: bound }, Type::TEXT))
    }

    /// `trim(LEADING 'x' FROM text)`, `trim(text, 'x')`.
    pub(super) fn trim(
        &mut self,
        side: Option<&ast::TrimWhereField>,
        what: Option<&ast::Expr>,
        expr: &ast::Expr,
        characters: Option<&[ast::Expr]>,
    ) -> Result<Typed> {
        let name = match side {
            Some(ast::TrimWhereField::Leading) => "ltrim",
            Some(ast::TrimWhereField::Trailing) => "rtrim",
            _ => "btrim",
        };
        let set = match (what, characters) {
            (Some(set), None) | (None, Some([set])) => set,
            _ => return unsupported("this form of TRIM"),
        };
        let args = vec![self.expr(expr)?, self.expr(set)?];
        self.strict_function(name, args)
    }

    fn number_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use NumberFunction as N;
        const NUMERIC: Type = Type::NUMERIC;
        const DOUBLE: Type = Type::Double;
        let call = |function, params: &[Type], result, args| {
            self.called(Function::Number(function), params, result, args)
        };
        let exact = match name {
            "to_number" => Ok(NUMERIC),
            _ => exact_or_double(&args[..args.len().min(3)]),
        };
        match (name, args.len()) {
            ("power" | "pow", 2) => {
                let ty = exact?;
                call(N::Power, &[ty, ty], ty, args)
            }
            ("sqrt", 1) => {
                let ty = exact?;
                call(N::Sqrt, &[ty], ty, args)
            }
            ("pi", 0) => call(N::Pi, &[], DOUBLE, args),
            ("degrees", 1) => call(N::Degrees, &[DOUBLE], DOUBLE, args),
            ("radians", 1) => call(N::Radians, &[DOUBLE], DOUBLE, args),
            ("div", 2) => call(N::Quotient, &[NUMERIC, NUMERIC], NUMERIC, args),
            ("gcd" | "lcm", 2) => {
                let function = if name == "gcd" { N::Gcd } else { N::Lcm };
                let ty = whole_pair(args[0].1, args[1].1)?;
                call(function, &[ty, ty], ty, args)
            }
            ("to_number", 2) => call(N::Read, &[Type::TEXT, Type::TEXT], NUMERIC, args),
            ("factorial", 1) => call(N::Factorial, &[Type::INT8], NUMERIC, args),
            ("width_bucket", 4) => {
                let ty = exact?;
                call(N::WidthBucket, &[ty, ty, ty, Type::INT4], Type::INT4, args)
            }
            _ => unsupported(format!("the function {name} with {}", arguments(args.len()))),
        }
    }
}

/// The type that a function takes of which there is one for NUMERIC and one for DOUBLE PRECISION. The second is
/// preferred, unless an argument is a NUMERIC.
fn exact_or_double(args: &[Typed]) -> Result<Type> {
    let mut exact = false;
    for (_, ty) in args {
        match ty {
            Type::Real | Type::Double => return Ok(Type::Double),
            Type::Decimal(_) => exact = true,
            Type::Int(_) | Type::Unknown => {}
            _ => return fail(ErrorClass::UndefinedFunction, "expected a number"),
        }
    }
    Ok(if exact { Type::NUMERIC } else { Type::Double })
}

/// The type of a function of two whole numbers, for four or eight bytes.
fn whole_pair(left: Type, right: Type) -> Result<Type> {
    match (left, right) {
        (Type::Int(IntType { bytes: 4 | 8, .. }), Type::Int(IntType { bytes: 4 | 8, .. })) => {
            Ok(common_number(left, right))
        }
        _ => unsupported("a common divisor of numbers that are not INTEGER or BIGINT"),
    }
}
