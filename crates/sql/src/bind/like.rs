//! `LIKE t` among the columns of a new table of PostgreSQL.
//!
//! Layer `bind`; knows drafts of tables. The columns come with their types and NOT NULL; everything else only if an
//! option asks for it. Foreign keys never come along.

use crate::catalog::{Catalog, Check, DefaultValue, Key};
use crate::error::{ErrorClass, Result, fail, unsupported};

use super::draft::Draft;
use super::renumber::renumber;

/// Which parts of a table are copied.
#[derive(Debug, Default, Clone, Copy)]
struct Including {
    defaults: bool,
    identity: bool,
    generated: bool,
    constraints: bool,
    indexes: bool,
}

impl Including {
    /// Reads `INCLUDING a EXCLUDING b`; later options win.
    fn read(options: &str) -> Result<Self> {
        let mut including = Self::default();
        let words: Vec<&str> = options.split_whitespace().collect();
        for pair in words.chunks(2) {
            let [verb, part] = pair else { return unsupported(format!("LIKE … {options}")) };
            let on = *verb == "INCLUDING";
            match *part {
                "ALL" => {
                    let (defaults, identity, generated) = (on, on, on);
                    including =
                        Self { defaults, identity, generated, constraints: on, indexes: on };
                }
                "DEFAULTS" => including.defaults = on,
                "IDENTITY" => including.identity = on,
                "GENERATED" => including.generated = on,
                "CONSTRAINTS" => including.constraints = on,
                "INDEXES" => including.indexes = on,
                "COMMENTS" | "COMPRESSION" | "STATISTICS" | "STORAGE" => {}
                _ => return unsupported(format!("LIKE … {options}")),
            }
        }
        Ok(including)
    }

    fn copied(self, default: &DefaultValue) -> Result<DefaultValue> {
        let (nothing, copied) = (Ok(DefaultValue::Nothing), Ok(default.clone()));
        match default {
            DefaultValue::Nothing => nothing,
            DefaultValue::Expr(_) if self.defaults => copied,
            DefaultValue::Generated(_) if self.generated => copied,
            DefaultValue::Expr(_) | DefaultValue::Generated(_) => nothing,
            _ if self.defaults && self.identity => copied,
            _ if !self.defaults && !self.identity => nothing,
            _ => unsupported("LIKE with only a part of the numbers that the server chooses"),
        }
    }
}

impl Draft<'_> {
    /// Copies the columns of another table, and what the options say.
    pub(super) fn like(&mut self, catalog: &Catalog, model: &str, options: &str) -> Result<()> {
        let Some(model) = catalog.named(model)?.cloned() else {
            return match catalog.view(model) {
                Some(_) => unsupported("LIKE of a view"),
                None => fail(ErrorClass::UndefinedTable, format!("{model} does not exist")),
            };
        };
        if model.nature.partitions.is_some() {
            return unsupported("LIKE of a table with partitions");
        }
        let including = Including::read(options)?;
        let at = self.table.columns.len();
        for column in &model.columns {
            if self.table.column(&column.name).is_some() {
                return fail(
                    ErrorClass::DuplicateColumn,
                    format!("{} is there twice", column.name),
                );
            }
            let mut copy = column.clone();
            copy.default = including.copied(&column.default)?;
            if let DefaultValue::Generated(expr) = &mut copy.default {
                renumber(expr, &|column| column + at);
            }
            self.table.columns.push(copy);
        }
        for check in model.checks.iter().filter(|_| including.constraints) {
            let mut expr = check.expr.clone();
            renumber(&mut expr, &|column| column + at);
            self.table.checks.push(Check { name: check.name.clone(), expr, valid: true });
        }
        for key in model.keys.iter().filter(|key| including.indexes && key.is_exclusive()) {
            self.like_key(key, at);
        }
        Ok(())
    }

    /// The server chooses a name for the copy of a key.
    fn like_key(&mut self, key: &Key, at: usize) {
        let mut copy = key.clone();
        copy.name = if key.primary { self.primary_name() } else { String::new() };
        copy.columns.iter_mut().for_each(|column| *column += at);
        copy.bound_mut().for_each(|expr| renumber(expr, &|column| column + at));
        if copy.primary { self.table.keys.insert(0, copy) } else { self.table.keys.push(copy) }
    }
}
