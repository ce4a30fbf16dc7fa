//! Collations that a statement names: of the columns of a table, and of an expression.
//!
//! Layer `bind`; knows dialects and collations.

use sqlparser::ast::{self, CreateTableOptions, SqlOption};

use crate::dialect::Dialect;
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::types::Type;
use crate::value::Collation;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// An expression that is compared or sorted, which may say how: `name COLLATE "C"`. Inside other expressions,
    /// a collation is not supported, because it would show in their results.
    pub(super) fn collated(&mut self, expr: &ast::Expr) -> Result<Typed> {
        let (inner, name) = match expr {
            ast::Expr::Nested(inner) if says_how(inner) => {
                return self.collated(inner);
            }
            ast::Expr::Collate { expr, collation } if self.dialect.is_strictly_typed() => {
                (expr, collation)
            }
            ast::Expr::Collate { expr, collation } => {
                return self.loosely_collated(expr, collation);
            }
            ast::Expr::Cast { expr, data_type: ast::DataType::Binary(None), .. }
                if !self.dialect.is_strictly_typed() =>
            {
                return self.as_bytes(expr);
            }
            other => return self.raw(other),
        };
        if !matches!(name.to_string().as_str(), "\"C\"" | "\"POSIX\"") {
            return unsupported(format!("COLLATE {name}"));
        }
        let bound = self.expr(inner)?;
        let (expr, ty) = self.settle(bound);
        match ty {
            Type::Text { limit, .. } => {
                Ok((expr, Type::Text { limit, collation: Some(Collation::Bytes), trims: false }))
            }
            Type::Char(_) => unsupported("COLLATE of a CHAR"),
            _ => fail(ErrorClass::TypeMismatch, "COLLATE of something that is not a string"),
        }
    }
}

impl Binder<'_> {
    /// `name COLLATE utf8mb4_bin`.
    fn loosely_collated(&mut self, expr: &ast::Expr, name: &ast::ObjectName) -> Result<Typed> {
        let collation = self.dialect.collation_named(&unquoted(&name.to_string()));
        match self.expr(expr)? {
            (expr, Type::Text { limit, trims, .. }) => {
                Ok((expr, Type::Text { limit, collation: Some(collation), trims }))
            }
            _ => unsupported("COLLATE of something that is not a string"),
        }
    }

    /// `BINARY name`: compared byte by byte, with the spaces at the end.
    fn as_bytes(&mut self, expr: &ast::Expr) -> Result<Typed> {
        match self.expr(expr)? {
            (expr, Type::Text { limit, trims, .. }) => {
                Ok((expr, Type::Text { limit, collation: Some(Collation::Bytes), trims }))
            }
            _ => unsupported("BINARY before something that is not a string"),
        }
    }

    /// Two sides that are compared. One that says how itself wins over the column on the other side.
    pub(super) fn collated_pair(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
    ) -> Result<(Typed, Typed)> {
        let (mut l, mut r) = (self.collated(left)?, self.collated(right)?);
        if !self.dialect.is_strictly_typed() {
            match (says_how(left), says_how(right)) {
                (true, false) => r.1 = silent(r.1),
                (false, true) => l.1 = silent(l.1),
                _ => {}
            }
        }
        Ok((l, r))
    }
}

/// Whether an expression says how it is compared.
fn says_how(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::Nested(inner) => says_how(inner),
        ast::Expr::Collate { .. } => true,
        ast::Expr::Cast { data_type, .. } => *data_type == ast::DataType::Binary(None),
        _ => false,
    }
}

/// A type that does not say how it is compared.
fn silent(ty: Type) -> Type {
    match ty {
        Type::Text { limit, trims, .. } => Type::Text { limit, collation: None, trims },
        other => other,
    }
}

/// What the options behind the columns say: `COLLATE utf8mb4_bin`, or only `CHARSET utf8mb4`. Returns `None` if
/// they say nothing.
pub(super) fn table_collation(dialect: Dialect, options: &CreateTableOptions) -> Option<Collation> {
    let CreateTableOptions::Plain(options) = options else { return None };
    let option = |wanted: &[&str]| {
        options.iter().find_map(|option| match option {
            SqlOption::KeyValue { key, value } => {
                let name = key.value.to_uppercase();
                wanted.iter().any(|word| name.ends_with(word)).then(|| value.to_string())
            }
            _ => None,
        })
    };
    let named = option(&["COLLATE"]).map(|name| dialect.collation_named(&unquoted(&name)));
    named.or_else(|| Some(of_charset(dialect, &unquoted(&option(&["CHARSET", "CHARACTER SET"])?))))
}

/// The collation of texts in a character set, if nothing else is said.
pub(super) fn of_charset(dialect: Dialect, name: &str) -> Collation {
    match name.to_lowercase().as_str() {
        "binary" => Collation::Bytes,
        "utf8mb4" => dialect.collation(),
        "ascii" | "latin1" | "utf8" | "utf8mb3" => Collation::Folded { padded: true },
        _ => Collation::Unknown,
    }
}

fn unquoted(name: &str) -> String {
    name.trim_matches(['\'', '"', '`']).to_owned()
}
