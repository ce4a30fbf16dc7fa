//! `CREATE DOMAIN`: another type with conditions.
//!
//! Layer `bind`; changes the catalog.

use std::sync::Arc;

use sqlparser::ast;

use crate::catalog::{Catalog, Column, DefaultValue, Domain, NamedType, Table, table_name};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::{Expr, rewrite};

use super::binder::Binder;

pub(super) fn create_domain(catalog: &mut Catalog, create: &ast::CreateDomain) -> Result<()> {
    let name = table_name(&create.name)?;
    if catalog.named_type(&name).is_some() {
        return fail(ErrorClass::DuplicateObject, format!("type {name} already exists"));
    }
    if create.collation.is_some() || catalog.domain(&create.data_type)?.is_some() {
        return unsupported("a domain with a collation, or over another domain");
    }
    let base = catalog.read_type(&create.data_type)?;
    let default = match &create.default {
        None => DefaultValue::Nothing,
        Some(default) => {
            let (expr, _) = Binder::new(catalog, &[], &[]).lone_expr(default, Some(base))?;
            DefaultValue::Expr(expr)
        }
    };
    // In its conditions, VALUE stands for the value.
    let value = Column {
        name: "value".to_owned(),
        ty: base,
        not_null: false,
        default: DefaultValue::Nothing,
        renewed: false,
        domain: None,
        blurred: false,
    };
    let alone = Table { columns: vec![value], ..Table::empty(catalog.next_id(), name.clone()) };
    let mut checks = Vec::new();
    for constraint in &create.constraints {
        let ast::TableConstraint::Check(check) = constraint else {
            return unsupported(format!("the constraint {constraint} of a domain"));
        };
        let (expr, _) = Binder::new(catalog, &[], &[]).table_expr(&alone, &check.expr)?;
        checks.push(plain(expr)?);
    }
    let domain = Domain { name: name.clone(), base, default, checks };
    catalog.set_type(&name, NamedType::Domain(Arc::new(domain)));
    Ok(())
}

/// A condition that calls no routine: what it does would have to be followed.
fn plain(mut expr: Expr) -> Result<Expr> {
    let mut calls = false;
    rewrite(&mut expr, 0, &mut |part: &mut Expr, _: usize| {
        calls |= matches!(part, Expr::Routine { .. });
        true
    });
    match calls {
        true => unsupported("a domain whose condition calls a routine"),
        false => Ok(expr),
    }
}
