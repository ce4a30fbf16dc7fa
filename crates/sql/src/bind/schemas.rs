//! CREATE SCHEMA and DROP SCHEMA.
//!
//! Layer `bind`; changes the catalog. In MySQL a schema is a database, and sessions are asked which one they use.

use sqlparser::ast;

use crate::catalog::Catalog;
use crate::error::{Result, unsupported};
use crate::parse::last_name;

pub(super) fn create_schema(
    catalog: &mut Catalog,
    name: &ast::SchemaName,
    if_not_exists: bool,
) -> Result<()> {
    let ast::SchemaName::Simple(name) = name else {
        return unsupported("CREATE SCHEMA … AUTHORIZATION");
    };
    if !catalog.dialect().is_strictly_typed() {
        return unsupported("CREATE SCHEMA");
    }
    let name = last_name(name)?;
    if !if_not_exists && !catalog.is_empty_schema(&name) {
        return unsupported(format!("CREATE SCHEMA {name}, which has tables"));
    }
    catalog.add_schema(&name);
    Ok(())
}

/// Everything that is in the schema goes. A schema that is not known to exist may be there.
pub(super) fn drop_schema(catalog: &mut Catalog, name: &str, cascade: bool) -> Result<()> {
    if !catalog.dialect().is_strictly_typed() || catalog.has_routines() {
        return unsupported("DROP SCHEMA next to routines");
    }
    if !cascade && !catalog.is_empty_schema(name) {
        return unsupported(format!("DROP SCHEMA {name}, which has tables"));
    }
    for table in catalog.remove_schema(name) {
        if catalog.referrers(table.id()).next().is_some() {
            return unsupported("DROP SCHEMA of tables that foreign keys of others refer to");
        }
    }
    Ok(())
}
