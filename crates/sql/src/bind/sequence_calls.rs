//! Calls that ask a sequence for a number: `nextval`, `currval`, `lastval`, `setval`, `LAST_INSERT_ID(n)`.
//!
//! Layer `bind`. PostgreSQL names a sequence in a text, `nextval('s')`, or asks for that of a column with
//! `pg_get_serial_sequence('t', 'id')`; MariaDB names it like a column, `NEXTVAL(s)`.

use sqlparser::ast;

use crate::catalog::{Catalog, DefaultValue};
use crate::error::{Result, unsupported};
use crate::parse::last_name;
use crate::plan::{Expr, NumberCall};
use crate::sequence::Sequence;
use crate::types::Type;

use super::binder::{Binder, Typed};

impl Binder<'_> {
    /// A call of a function about sequences; `None` if it is about something else.
    pub(super) fn sequence_call(
        &mut self,
        name: &str,
        args: &[ast::Expr],
    ) -> Result<Option<Typed>> {
        let strict = self.dialect.is_strictly_typed();
        let about_sequences = ["nextval", "currval", "lastval", "setval"].contains(&name);
        // Functions of the user often have these names in MySQL.
        let named = args.first().is_none_or(|first| strict || is_name(first));
        let unknown = !strict && !self.is_mariadb() || !named || self.catalog.has_routine(name);
        if about_sequences && unknown {
            return Ok(None);
        }
        let done = match (name, args) {
            ("nextval", [sequence]) => self.asked_number(sequence, NumberCall::Next, Vec::new())?,
            ("currval", [sequence]) if strict => {
                self.asked_number(sequence, NumberCall::Current, Vec::new())?
            }
            ("lastval", [sequence]) if !strict => {
                self.asked_number(sequence, NumberCall::Current, Vec::new())?
            }
            ("lastval", []) if strict => {
                (Expr::Number { call: NumberCall::Last, args: Vec::new() }, Type::INT8)
            }
            ("setval", [sequence, rest @ ..]) if (1..=2).contains(&rest.len()) => {
                let mut bound = Vec::new();
                for (arg, to) in rest.iter().zip([Type::INT8, Type::Bool]) {
                    let arg = self.expr(arg)?;
                    let to = if strict { to } else { Type::INT8 };
                    bound.push(self.assign(arg, to)?);
                }
                self.asked_number(sequence, NumberCall::Set, bound)?
            }
            ("last_insert_id", [number]) if !strict => {
                let number = self.expr(number)?;
                if !matches!(number.1, Type::Int(_)) {
                    return unsupported("LAST_INSERT_ID of what is no integer");
                }
                let number = self.assign(number, Type::INT8)?;
                (Expr::Number { call: NumberCall::Remember, args: vec![number] }, Type::INT8)
            }
            _ => return Ok(None),
        };
        Ok(Some(done))
    }

    fn asked_number(
        &mut self,
        written: &ast::Expr,
        call: impl Fn(crate::sequence::SequenceId) -> NumberCall,
        args: Vec<Expr>,
    ) -> Result<Typed> {
        match called_sequence(self.catalog, written) {
            Some(sequence) => Ok((Expr::Number { call: call(sequence.id), args }, Type::INT8)),
            // It may have been there before the log, or be a table.
            None => unsupported(format!("the sequence {written}, which the log does not define")),
        }
    }
}

/// The sequence that the first argument of such a call means, if it is known.
pub(super) fn called_sequence<'c>(
    catalog: &'c Catalog,
    written: &ast::Expr,
) -> Option<&'c Sequence> {
    let strict = catalog.dialect().is_strictly_typed();
    if let Some(name) = sequence_name(strict, written) {
        return catalog.sequence_named(&name);
    }
    let ast::Expr::Function(function) = uncast(written) else { return None };
    let of_a_column = last_name(&function.name).ok()?;
    if !of_a_column.eq_ignore_ascii_case("pg_get_serial_sequence") {
        return None;
    }
    let ast::FunctionArguments::List(list) = &function.args else { return None };
    let args = super::functions::unnamed_args(list).ok()?;
    let [table, column] = args.as_slice() else { return None };
    let table = catalog.table(&read_name(&text(table)?))?;
    let column = text(column)?;
    let column = table.columns().iter().find(|one| one.name() == column)?;
    match column.default {
        DefaultValue::Sequence { sequence, .. } => catalog.sequence(sequence),
        _ => None,
    }
}

/// The first argument of a call.
pub(super) fn first_argument(call: &ast::Expr) -> Option<&ast::Expr> {
    let ast::Expr::Function(function) = call else { return None };
    let ast::FunctionArguments::List(list) = &function.args else { return None };
    match list.args.first()? {
        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// Whether an argument is a name, as MariaDB names sequences.
fn is_name(written: &ast::Expr) -> bool {
    matches!(written, ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_))
}

/// The name of a sequence: a text of PostgreSQL, or a name of MariaDB.
fn sequence_name(strict: bool, written: &ast::Expr) -> Option<String> {
    match uncast(written) {
        ast::Expr::Identifier(ident) if !strict => Some(ident.value.clone()),
        ast::Expr::CompoundIdentifier(parts) if !strict => {
            Some(parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join("."))
        }
        other if strict => text(other).map(|name| read_name(&name)),
        _ => None,
    }
}

/// A value without `::regclass` and the like behind it.
fn uncast(expr: &ast::Expr) -> &ast::Expr {
    match expr {
        ast::Expr::Cast { expr, .. } => uncast(expr),
        ast::Expr::Nested(expr) => uncast(expr),
        other => other,
    }
}

fn text(expr: &ast::Expr) -> Option<String> {
    let ast::Expr::Value(value) = uncast(expr) else { return None };
    match &value.value {
        ast::Value::SingleQuotedString(text) => Some(text.clone()),
        _ => None,
    }
}

/// A name in a text: letters are small unless the name is in quotes.
fn read_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => name.push(letter),
            _ => name.extend(letter.to_lowercase()),
        }
    }
    name
}
