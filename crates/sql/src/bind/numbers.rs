//! MariaDB's tables of numbers: `seq_1_to_10`, `seq_1_to_10_step_3`.
//!
//! Layer `bind`; knows scopes.

use sqlparser::ast;

use crate::catalog::table_name;
use crate::error::{Result, unsupported};
use crate::plan::{Expr, Source};
use crate::types::{IntType, Type};
use crate::value::Value;

use super::binder::Binder;
use super::from::rename;
use super::scope::{Relation, ScopeColumn};

const NUMBER: Type = Type::Int(IntType { bytes: 8, unsigned: true });

/// More numbers are refused.
const MOST: i64 = 100_000;

/// The first number, the last one, and how far they are apart.
pub(super) type Numbers = [i64; 3];

impl Binder<'_> {
    /// The numbers that a name stands for, unless there is a table with that name.
    pub(super) fn numbers_named(&self, name: &ast::ObjectName) -> Result<Option<Numbers>> {
        let [ast::ObjectNamePart::Identifier(ident)] = name.0.as_slice() else { return Ok(None) };
        let Some(numbers) = read(&ident.value).filter(|_| self.is_mariadb()) else {
            return Ok(None);
        };
        if self.catalog.named(&table_name(name)?)?.is_some() {
            return Ok(None);
        }
        let [from, to, step] = numbers;
        match from <= to && step > 0 && (to - from) / step < MOST {
            true => Ok(Some(numbers)),
            false => unsupported(format!("the numbers {name}")),
        }
    }

    pub(super) fn numbers(
        &mut self,
        numbers: Numbers,
        name: &str,
        alias: Option<&ast::TableAlias>,
    ) -> Result<Source> {
        self.refuse_lateral()?;
        let shown = alias.map_or(name, |alias| &alias.name.value).to_owned();
        let mut columns = vec![ScopeColumn::new("seq", NUMBER)];
        rename(&mut columns, alias)?;
        let at = self.scope()?.width();
        self.enter(Relation { name: shown, columns, at })?;
        let args = numbers.into_iter().map(|number| Expr::Const(Value::Int(number))).collect();
        Ok(Source::Series { args, ty: NUMBER })
    }
}

/// Reads `seq_1_to_10_step_3`.
fn read(name: &str) -> Option<Numbers> {
    let lower = name.to_ascii_lowercase();
    let (from, rest) = lower.strip_prefix("seq_")?.split_once("_to_")?;
    let (to, step) = rest.split_once("_step_").unwrap_or((rest, "1"));
    let number = |text: &str| match text.len() {
        1..=9 if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    };
    Some([number(from)?, number(to)?, number(step)?])
}
