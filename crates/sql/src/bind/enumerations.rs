//! Enumerations of PostgreSQL: `CREATE TYPE … AS ENUM`, `ALTER TYPE`, and their functions.
//!
//! A table keeps the labels that its type had when the table was defined, so a type is not altered or dropped while a
//! table uses it.
//!
//! Layer `bind`; changes the catalog.

use sqlparser::ast;

use crate::catalog::{Catalog, NamedType, table_name};
use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::plan::Expr;
use crate::types::{Element, Type};
use crate::value::{Enumeration, Value};

use super::binder::{Binder, Typed};

pub(super) fn create_type(
    catalog: &mut Catalog,
    name: &ast::ObjectName,
    representation: Option<&ast::UserDefinedTypeRepresentation>,
) -> Result<()> {
    let name = table_name(name)?;
    let Some(ast::UserDefinedTypeRepresentation::Enum { labels }) = representation else {
        return unsupported("a type that is not an enumeration");
    };
    if catalog.named_type(&name).is_some() {
        return fail(ErrorClass::DuplicateObject, format!("type {name} already exists"));
    }
    let labels: Vec<String> = labels.iter().map(|label| label.value.clone()).collect();
    let named = NamedType::Enum(Enumeration::new(&name, labels));
    catalog.set_type(&name, named);
    Ok(())
}

pub(super) fn alter_type(catalog: &mut Catalog, alter: &ast::AlterType) -> Result<()> {
    let name = table_name(&alter.name)?;
    let Some(NamedType::Enum(before)) = catalog.named_type(&name).cloned() else {
        return unsupported(format!("ALTER TYPE {name}, which the log does not show"));
    };
    if catalog.uses_enum(before) {
        return unsupported(format!("ALTER TYPE {name}, which a table uses"));
    }
    let mut labels = before.labels().to_vec();
    let place =
        |label: &ast::Ident| match before.labels().iter().position(|one| *one == label.value) {
            Some(place) => Ok(place),
            None => fail(ErrorClass::InvalidArgument, format!("{label} is not a label of {name}")),
        };
    match &alter.operation {
        ast::AlterTypeOperation::AddValue(added) => {
            if labels.contains(&added.value.value) {
                return match added.if_not_exists {
                    true => Ok(()),
                    false => fail(ErrorClass::DuplicateObject, format!("{} exists", added.value)),
                };
            }
            let at = match &added.position {
                None => labels.len(),
                Some(ast::AlterTypeAddValuePosition::Before(neighbor)) => place(neighbor)?,
                Some(ast::AlterTypeAddValuePosition::After(neighbor)) => place(neighbor)? + 1,
            };
            labels.insert(at, added.value.value.clone());
        }
        ast::AlterTypeOperation::RenameValue(renamed) => {
            if labels.contains(&renamed.to.value) {
                return fail(ErrorClass::DuplicateObject, format!("{} exists", renamed.to));
            }
            labels[place(&renamed.from)?].clone_from(&renamed.to.value);
        }
        ast::AlterTypeOperation::Rename(_) => return unsupported("ALTER TYPE … RENAME TO"),
    }
    let named = NamedType::Enum(Enumeration::new(&name, labels));
    catalog.set_type(&name, named);
    Ok(())
}

/// Says whether it was there.
pub(super) fn drop_type(catalog: &mut Catalog, name: &str, cascade: bool) -> Result<bool> {
    let used = match catalog.named_type(name) {
        None => return Ok(false),
        Some(NamedType::Enum(of)) => catalog.uses_enum(*of),
        Some(NamedType::Domain(_)) => true,
    };
    if used || cascade {
        return unsupported("DROP TYPE of a type that a table may use");
    }
    catalog.remove_type(name);
    Ok(true)
}

impl Binder<'_> {
    /// A function of enumerations; `None` if it is none.
    pub(super) fn enum_function(&self, name: &str, args: &[Typed]) -> Result<Option<Typed>> {
        if !matches!(name, "enum_first" | "enum_last" | "enum_range") {
            return Ok(None);
        }
        let of = args.iter().find_map(|arg| match arg.1 {
            Type::Enum(of) => Some(of),
            _ => None,
        });
        let Some(of) = of else { return unsupported(format!("{name} of this type")) };
        let label = |label| (Expr::Const(Value::Label(label)), Type::Enum(of));
        let all = || (of.values().map(Value::Label).collect(), Type::Array(Element::Enum(of)));
        match (name, args) {
            // What the argument is does not matter, only its type; it must not fail.
            ("enum_first", [(Expr::Const(_), _)]) => match of.values().next() {
                Some(first) => Ok(Some(label(first))),
                None => unsupported("an enumeration without labels"),
            },
            ("enum_last", [(Expr::Const(_), _)]) => match of.values().next_back() {
                Some(last) => Ok(Some(label(last))),
                None => unsupported("an enumeration without labels"),
            },
            ("enum_range", [(Expr::Const(_), _)]) => {
                let (values, ty) = all();
                Ok(Some((Expr::Const(Value::Array(values)), ty)))
            }
            ("enum_range", [from, to]) => {
                let ends = [from, to].map(|arg| self.argument(arg.clone(), Type::Enum(of)));
                let [Ok(Expr::Const(from)), Ok(Expr::Const(to))] = ends else {
                    return unsupported("enum_range() of values that are not constant");
                };
                let place = |end: &Value| match end {
                    Value::Label(end) => of.values().position(|one| one == *end),
                    _ => None,
                };
                let (first, last) = (place(&from).unwrap_or(0), place(&to).unwrap_or(usize::MAX));
                let within = of.values().enumerate().filter(|(at, _)| (first..=last).contains(at));
                let values = within.map(|(_, one)| Value::Label(one)).collect();
                Ok(Some((Expr::Const(Value::Array(values)), all().1)))
            }
            _ => unsupported(format!("{name} of a value that is not constant")),
        }
    }
}
