//! Types that statements define: enumerations and domains.
//!
//! Layer `catalog`; knows types, plans and the syntax tree of SQL.

use std::sync::Arc;

use sqlparser::ast::{ArrayElemTypeDef, DataType};

use crate::error::{Result, unsupported};
use crate::types::{Element, Type};
use crate::value::Enumeration;

use super::data_type::read_type;
use super::default::Domain;
use super::name::table_name;
use super::{Catalog, Table};

/// A type with a name of its own.
#[derive(Debug, Clone)]
pub(crate) enum NamedType {
    Enum(Enumeration),
    Domain(Arc<Domain>),
}

impl Catalog {
    /// The type that is meant.
    pub(crate) fn read_type(&self, written: &DataType) -> Result<Type> {
        match written {
            DataType::Custom(name, _) if self.dialect().is_strictly_typed() => {
                match self.named_type(&table_name(name)?) {
                    Some(NamedType::Enum(of)) => Ok(Type::Enum(*of)),
                    Some(NamedType::Domain(_)) => {
                        unsupported(format!("the domain {name} outside of a table"))
                    }
                    None => read_type(self.dialect(), written),
                }
            }
            DataType::Array(ArrayElemTypeDef::SquareBracket(element, _))
                if matches!(**element, DataType::Custom(..)) =>
            {
                match Element::of(self.read_type(element)?) {
                    Some(element) => Ok(Type::Array(element)),
                    None => unsupported(format!("the type {written}")),
                }
            }
            other => read_type(self.dialect(), other),
        }
    }

    /// The domain that a column is of, if its type is one.
    pub(crate) fn domain(&self, written: &DataType) -> Result<Option<Arc<Domain>>> {
        let DataType::Custom(name, _) = written else { return Ok(None) };
        Ok(match self.named_type(&table_name(name)?) {
            Some(NamedType::Domain(domain)) => Some(Arc::clone(domain)),
            _ => None,
        })
    }

    pub(crate) fn named_type(&self, name: &str) -> Option<&NamedType> {
        self.types.get(&self.key(name))
    }

    /// A name means this type from now on.
    pub(crate) fn set_type(&mut self, name: &str, named: NamedType) {
        let key = self.key(name);
        self.types.insert(key, named);
    }

    pub(crate) fn remove_type(&mut self, name: &str) {
        let key = self.key(name);
        self.types.remove(&key);
    }

    /// Whether there are domains, which types here do not tell from the types that they are made of.
    pub(crate) fn has_domains(&self) -> bool {
        self.types.values().any(|named| matches!(named, NamedType::Domain(_)))
    }

    /// Whether a column of a table is of an enumeration, or a routine or a view may use it.
    pub(crate) fn uses_enum(&self, of: Enumeration) -> bool {
        let is = |ty: Type| ty == Type::Enum(of) || ty == Type::Array(Element::Enum(of));
        let in_table = |table: &Arc<Table>| table.columns().iter().any(|column| is(column.ty));
        self.tables().any(in_table) || !self.routines.is_empty() || !self.views.is_empty()
    }
}
