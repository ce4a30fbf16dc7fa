//! Functions that only MySQL and MariaDB have, found by their names.
//!
//! Arguments are converted as the servers do: to texts from everything, to floating point numbers from everything.
//! Where a whole number is wanted, only whole numbers are taken, because texts and fractions are cut or rounded in
//! ways that differ from function to function.
//!
//! Layer `bind`; knows types and plans.

use sqlparser::ast;

use crate::dialect::Dialect;
use crate::error::{Result, arguments, unsupported};
use crate::plan::{CastMode, Expr, Function, LooseFunction, LooseNumber, LooseText};
use crate::types::Type;
use crate::value::{Collation, Value};

use super::aggregates::divides;
use super::binder::{Binder, Typed};

/// What a parameter takes.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    Text,
    Whole,
    Double,
    /// Nothing is converted.
    Any,
}

impl Binder<'_> {
    /// A function by its name, if it is one of MySQL's.
    pub(super) fn loose_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use LooseText as T;
        use Takes::{Text, Whole};
        let text = |function, takes: &[Takes], args: Vec<Typed>| {
            let result = self.text_of(&args)?;
            self.loosely(LooseFunction::Text(function), takes, result, args)
        };
        // Digits and the like compare as all texts do, whatever they were made of.
        let plain = |function, takes: &[Takes], args| {
            self.loosely(LooseFunction::Text(function), takes, Type::TEXT, args)
        };
        let number = |function, takes: &[Takes], args| {
            self.loosely(LooseFunction::Text(function), takes, Type::INT8, args)
        };
        match (name, args.len()) {
            ("isnull", 1) => {
                let expr = args.into_iter().next().map_or_else(Expr::null, |arg| arg.0);
                Ok((Expr::IsNull { negated: false, expr: Box::new(expr) }, self.boolean()))
            }
            ("substring_index", 3) => text(T::SubstringIndex, &[Text, Text, Whole], args),
            ("insert", 4) => text(T::Insert, &[Text, Whole, Whole, Text], args),
            ("space", 1) => plain(T::Space, &[Whole], args),
            ("elt", 2..) => text(T::Elt, &[Whole, Text], args),
            ("quote", 1) => text(T::Quote, &[Text], args),
            ("hex", 1) if args[0].1.is_text() => plain(T::Hex, &[Text], args),
            ("md5", 1) => plain(T::Md5, &[Text], args),
            ("sha" | "sha1", 1) => plain(T::Sha1, &[Text], args),
            ("sha2", 2) if matches!(args[1].0, Expr::Const(Value::Int(_))) => {
                plain(T::Sha2, &[Text, Whole], args)
            }
            ("to_base64", 1) => plain(T::ToBase64, &[Text], args),
            ("char_using", 2..) => self.char_using(args),
            ("trim_both", 2) => text(T::TrimBoth, &[Text, Text], args),
            ("trim_leading", 2) => text(T::TrimLeading, &[Text, Text], args),
            ("trim_trailing", 2) => text(T::TrimTrailing, &[Text, Text], args),
            ("crc32", 1) => number(T::Crc32, &[Text], args),
            ("bit_length", 1) => number(T::BitLength, &[Text], args),
            ("inet_aton", 1) => number(T::InetAton, &[Text], args),
            ("locate", 2 | 3) => {
                let collation = self.collation_among(&args[..2])?;
                let mut args = args;
                if args.len() == 3
                    && let Some(from) = args.pop()
                {
                    args.push(or_zero(from));
                }
                number(T::Locate(collation), &[Text, Text, Whole], args)
            }
            ("instr", 2) => {
                let mut args = args;
                args.swap(0, 1);
                self.loose_function("locate", args)
            }
            ("find_in_set", 2) => {
                let collation = self.collation_among(&args)?;
                number(T::FindInSet(collation), &[Text, Text], args)
            }
            ("strcmp", 2) if args.iter().all(|arg| arg.1.is_text()) => {
                let collation = self.collation_among(&args)?;
                number(T::StrCmp(collation), &[Text, Text], args)
            }
            ("field", 2..) => {
                let collation = self.collation_among(&args)?;
                let same = |test: fn(Type) -> bool| args.iter().all(|arg| test(arg.1));
                let whole = |ty: Type| matches!(ty, Type::Int(_));
                if !same(Type::is_text) && !same(whole) {
                    return unsupported("FIELD of texts and numbers");
                }
                number(T::Field(collation), &[Takes::Any], args)
            }
            ("regexp_replace", 3) => {
                let folds = self.folds(&args)?;
                text(T::ReplaceMatches { folds }, &[Text], args)
            }
            ("regexp_substr", 2) => {
                let folds = self.folds(&args)?;
                text(T::MatchedPart { folds }, &[Text], args)
            }
            ("regexp_instr", 2) => {
                let folds = self.folds(&args)?;
                number(T::MatchedPlace { folds }, &[Text], args)
            }
            _ => self.loose_number_function(name, args),
        }
    }

    fn loose_number_function(&self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        use LooseNumber as N;
        use Takes::{Double, Text, Whole};
        let call = |function, takes: &[Takes], result, args| {
            self.loosely(LooseFunction::Number(function), takes, result, args)
        };
        let exact = |ty: Type| matches!(ty, Type::Int(_) | Type::Decimal(_));
        let whole = |ty: Type| matches!(ty, Type::Int(_));
        match (name, args.len()) {
            ("pow" | "power", 2) => call(N::Power, &[Double, Double], Type::Double, args),
            ("sqrt", 1) => call(N::Sqrt, &[Double], Type::Double, args),
            ("pi", 0) => call(N::Pi, &[], Type::Double, args),
            ("format", 2) if exact(args[0].1) => {
                call(N::Format, &[Takes::Any, Whole], Type::TEXT, args)
            }
            ("conv", 3) if whole(args[0].1) || args[0].1.is_text() => {
                call(N::Conv, &[Text, Whole, Whole], Type::TEXT, args)
            }
            ("hex", 1) if whole(args[0].1) => call(N::InBase(16), &[Whole], Type::TEXT, args),
            ("bin", 1) => call(N::InBase(2), &[Whole], Type::TEXT, args),
            ("oct", 1) => call(N::InBase(8), &[Whole], Type::TEXT, args),
            ("bit_count", 1) => call(N::BitCount, &[Whole], Type::INT8, args),
            ("inet_ntoa", 1) => call(N::InetNtoa, &[Whole], Type::TEXT, args),
            _ => self.loose_moment_function(name, args),
        }
    }

    /// A function whose parameters take this; the last of them stands for all that follow.
    pub(super) fn loosely(
        &self,
        function: LooseFunction,
        takes: &[Takes],
        result: Type,
        args: Vec<Typed>,
    ) -> Result<Typed> {
        let mut bound = Vec::new();
        for (place, arg) in args.into_iter().enumerate() {
            let takes = takes.get(place).or(takes.last()).copied().unwrap_or(Takes::Any);
            bound.push(self.taken(arg, takes)?);
        }
        Ok((Expr::Call { function: Function::Loose(function), result, args: bound }, result))
    }

    fn taken(&self, (expr, ty): Typed, takes: Takes) -> Result<Expr> {
        match (takes, ty) {
            (Takes::Any, _)
            | (Takes::Text, Type::Text { .. })
            | (Takes::Whole, Type::Int(_))
            | (Takes::Double, Type::Double) => Ok(expr),
            (Takes::Text, Type::Unknown) => self.resolve(expr, Type::TEXT),
            (Takes::Whole, Type::Unknown) => self.resolve(expr, Type::INT8),
            (Takes::Double, Type::Unknown) => self.resolve(expr, Type::Double),
            (Takes::Text, _) if divides(&expr) || self.is_longer(&expr) => {
                unsupported("a quotient as a text")
            }
            (Takes::Text, _) => Ok(expr.cast(Type::TEXT, CastMode::Implicit)),
            (Takes::Double, _) => Ok(expr.cast(Type::Double, CastMode::Implicit)),
            (Takes::Whole, _) => unsupported("a number that is not an integer"),
        }
    }

    /// How the texts among some arguments compare.
    pub(super) fn collation_among(&self, args: &[Typed]) -> Result<Collation> {
        let mut common = Type::TEXT;
        for (_, ty) in args.iter().filter(|arg| arg.1.is_text()) {
            if ty.collation(Collation::Unknown) != Collation::Unknown {
                let collation = Some(self.collation_of(common, *ty)?);
                common = Type::Text { limit: None, collation, trims: false };
            }
        }
        Ok(common.collation(self.catalog.collation()))
    }

    /// The type of a text that is made of arguments: it compares as they do.
    pub(super) fn text_of(&self, args: &[Typed]) -> Result<Type> {
        let stated = |ty: Type| matches!(ty, Type::Text { collation: Some(_), .. });
        match args.iter().any(|arg| stated(arg.1)) {
            false => Ok(Type::TEXT),
            true => {
                let collation = Some(self.collation_among(args)?);
                Ok(Type::Text { limit: None, collation, trims: false })
            }
        }
    }

    /// Whether patterns ignore case, as the texts do.
    fn folds(&self, args: &[Typed]) -> Result<bool> {
        match self.collation_among(&args[..2])? {
            _ if !self.is_mariadb() => unsupported("patterns of MySQL"),
            Collation::Bytes | Collation::PaddedBytes => Ok(false),
            Collation::General { .. } | Collation::Folded { .. } => Ok(true),
            _ => unsupported("a pattern in this collation"),
        }
    }

    /// `text REGEXP pattern`.
    pub(super) fn regexp(
        &mut self,
        negated: bool,
        text: &ast::Expr,
        pattern: &ast::Expr,
    ) -> Result<Typed> {
        let args = vec![self.expr(text)?, self.expr(pattern)?];
        let folds = self.folds(&args)?;
        let function = LooseFunction::Text(LooseText::Matches { negated, folds });
        self.loosely(function, &[Takes::Text], self.boolean(), args)
    }

    /// `CHAR(code, … USING charset)`.
    fn char_using(&self, mut args: Vec<Typed>) -> Result<Typed> {
        match args.remove(0).0 {
            Expr::Const(Value::Text(name)) if matches!(&*name, "utf8mb4" | "utf8" | "ascii") => {
                let function = LooseFunction::Text(LooseText::Char);
                self.loosely(function, &[Takes::Whole], Type::TEXT, args)
            }
            _ => unsupported("CHAR() in this character set"),
        }
    }

    /// `TRIM(LEADING part FROM text)`.
    pub(super) fn loose_trim(
        &mut self,
        side: Option<&ast::TrimWhereField>,
        part: Option<&ast::Expr>,
        text: &ast::Expr,
    ) -> Result<Typed> {
        let Some(part) = part else { return unsupported("this form of TRIM") };
        let name = match side {
            Some(ast::TrimWhereField::Leading) => "trim_leading",
            Some(ast::TrimWhereField::Trailing) => "trim_trailing",
            _ => "trim_both",
        };
        let args = vec![self.expr(text)?, self.expr(part)?];
        self.loose_function(name, args)
    }

    pub(super) fn unknown_function(&self, name: &str, args: &[Typed]) -> Result<Typed> {
        unsupported(format!("the function {name} with {}", arguments(args.len())))
    }

    /// Whether the server is MariaDB, whose functions of JSON and patterns are not those of MySQL.
    pub(super) fn is_mariadb(&self) -> bool {
        self.dialect == Dialect::MariaDb
    }
}

/// A number that is zero if it is NULL.
pub(super) fn or_zero((expr, ty): Typed) -> Typed {
    (Expr::Coalesce(vec![expr, Expr::Const(Value::Int(0))]), ty)
}
