//! The tables and routines that statements speak of.
//!
//! Layer `catalog`, above `plan`: a table keeps its CHECKs and DEFAULTs bound, and a routine its steps
//! as they were read. It says what there is; how a definition is bound and how a routine is run is
//! known further up.

mod data_type;
mod name;
mod routine;
mod step;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dialect::Dialect;
use crate::plan::{Expr, rewrite};
use crate::rows::TableId;
use crate::types::Type;
use crate::value::{Collation, Letters};

pub(crate) use data_type::read_type;
pub(crate) use name::{is_of_the_system, short_name, table_name};
pub(crate) use routine::{HIDDEN, Mode, Parameter, Routine};
pub(crate) use step::{Step, Target};

/// A table as a `CREATE TABLE` statement defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub(crate) id: TableId,
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) keys: Vec<Key>,
    pub(crate) checks: Vec<Expr>,
}

impl Table {
    /// The number of the table in its catalog.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// The name without quotes, with its schema if the definition names one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name that columns have in front of them.
    pub fn short_name(&self) -> &str {
        short_name(&self.name)
    }

    /// Its columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Its keys, the primary one first.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Whether a change of its rows may call routines: a default or a check does.
    pub fn calls_routines(&self) -> bool {
        let defaults = self.columns.iter().filter_map(|column| match &column.default {
            DefaultValue::Expr(expr) => Some(expr),
            _ => None,
        });
        let mut found = false;
        for expr in defaults.chain(&self.checks) {
            rewrite(&mut expr.clone(), 0, &mut |part: &mut Expr, _: usize| {
                found |= matches!(part, Expr::Routine { .. });
                true
            });
        }
        found
    }

    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }
}

/// A column of a table: its name, type and default value.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) not_null: bool,
    pub(crate) default: DefaultValue,
}

impl Column {
    /// The name without quotes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its type.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// Whether NULL is refused.
    pub fn is_not_null(&self) -> bool {
        self.not_null
    }
}

/// What a column holds if the statement gives no value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DefaultValue {
    /// NULL, or an error if it may not be NULL.
    Nothing,
    Expr(Expr),
    /// The next number of the server; `always` if a statement may not give one.
    Sequence {
        always: bool,
    },
}

/// Columns by which rows are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub(crate) name: String,
    pub(crate) columns: Vec<usize>,
    pub(crate) unique: bool,
    pub(crate) primary: bool,
}

impl Key {
    /// The numbers of its columns.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Whether no two rows have the same values in it.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// Whether it is the primary one.
    pub fn is_primary(&self) -> bool {
        self.primary
    }
}

/// All tables and routines at one moment.
#[derive(Debug, Clone)]
pub struct Catalog {
    dialect: Dialect,
    /// How texts of columns compare that say nothing else.
    database: Collation,
    /// How texts of all columns compare; not known if they differ.
    collation: Option<Collation>,
    /// The schema of names without a schema, as far as it is known.
    home: Option<String>,
    tables: BTreeMap<String, Arc<Table>>,
    by_id: Vec<Option<Arc<Table>>>,
    routines: BTreeMap<String, Arc<Routine>>,
    /// Names of routines of which there were several, with different parameters.
    overloaded: BTreeSet<String>,
    /// Names of routines that were replaced by others or dropped.
    changed: BTreeSet<String>,
    foreign_keys: bool,
    utc: bool,
}

impl Catalog {
    /// Nothing yet.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            database: dialect.collation(),
            collation: None,
            home: dialect.usual_home().map(str::to_owned),
            tables: BTreeMap::new(),
            by_id: Vec::new(),
            routines: BTreeMap::new(),
            overloaded: BTreeSet::new(),
            changed: BTreeSet::new(),
            foreign_keys: false,
            utc: false,
        }
    }

    /// Whose SQL it is.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How texts compare that are not just the value of a column.
    pub fn collation(&self) -> Collation {
        self.collation.unwrap_or(self.database)
    }

    /// How the texts of a column compare.
    pub fn collation_of(&self, column: &Column) -> Collation {
        column.ty.collation(self.database)
    }

    /// The collation of the database is known. What is bound already does not change.
    pub fn collate(&mut self, collation: Collation) {
        self.database = collation;
    }

    /// Whether the time zone of all sessions is known to be UTC.
    pub fn is_in_utc(&self) -> bool {
        self.utc
    }

    /// The time zone of all sessions is UTC.
    pub fn set_utc(&mut self) {
        self.utc = true;
    }

    /// Whether there are foreign keys. They are not checked: a statement may fail that works here.
    pub fn has_foreign_keys(&self) -> bool {
        self.foreign_keys
    }

    pub(crate) fn note_foreign_keys(&mut self, found: bool) {
        self.foreign_keys |= found;
    }

    /// The table with this name.
    pub fn table(&self, name: &str) -> Option<&Arc<Table>> {
        self.tables.get(&self.key(name))
    }

    /// The table with this number, unless it was dropped.
    pub fn by_id(&self, id: TableId) -> Option<&Arc<Table>> {
        self.by_id.get(id.0 as usize)?.as_ref()
    }

    /// All tables, by name.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    pub(crate) fn next_id(&self) -> TableId {
        TableId(u32::try_from(self.by_id.len()).unwrap_or(u32::MAX))
    }

    pub(crate) fn add(&mut self, table: Table) {
        self.notice_collations(&table);
        let table = Arc::new(table);
        self.tables.insert(self.key(&table.name), Arc::clone(&table));
        self.by_id.push(Some(table));
    }

    /// An expression has the collation of its columns, and a type here forgets it. So it is that of all columns,
    /// or not known if they differ.
    fn notice_collations(&mut self, table: &Table) {
        for column in table.columns.iter().filter(|column| matches!(column.ty, Type::Text { .. })) {
            let own = column.ty.collation(self.database);
            let common = self.collation.unwrap_or(own);
            self.collation = Some(if common == own { own } else { self.either(common, own) });
        }
    }

    /// What is certain in both of two collations. In PostgreSQL, all that are not user-defined agree on equality.
    fn either(&self, a: Collation, b: Collation) -> Collation {
        let known = a != Collation::Unknown && b != Collation::Unknown;
        match known && self.dialect.is_strictly_typed() {
            true => Collation::Language { letters: Letters::Unknown },
            false => Collation::Unknown,
        }
    }

    pub(crate) fn change(&mut self, table: Table) {
        self.notice_collations(&table);
        let table = Arc::new(table);
        self.by_id[table.id.0 as usize] = Some(Arc::clone(&table));
        self.tables.insert(self.key(&table.name), table);
    }

    /// Says whether it was there.
    pub(crate) fn remove(&mut self, name: &str) -> bool {
        let Some(table) = self.tables.remove(&self.key(name)) else { return false };
        self.by_id[table.id.0 as usize] = None;
        true
    }

    /// Whether there is a routine with this name.
    pub fn has_routine(&self, name: &str) -> bool {
        self.routine(name).is_some()
    }

    pub(crate) fn routine(&self, name: &str) -> Option<&Arc<Routine>> {
        self.routines.get(&name.to_lowercase())
    }

    /// Adds a routine. One of the same name with other parameters stays, and then neither can be called here.
    pub(crate) fn add_routine(&mut self, routine: Routine) {
        let name = routine.name.to_lowercase();
        let types = |routine: &Routine| -> Vec<Type> {
            routine.params.iter().map(|param| param.ty).collect()
        };
        let twin = self.routines.get(&name).is_some_and(|other| types(other) != types(&routine));
        if twin && self.dialect.is_strictly_typed() {
            self.overloaded.insert(name.clone());
        }
        if self.routines.get(&name).is_some_and(|other| **other != routine) {
            self.changed.insert(name.clone());
        }
        self.routines.insert(name, Arc::new(routine));
    }

    /// Whether there were several routines of this name, with different parameters.
    pub(crate) fn is_overloaded(&self, name: &str) -> bool {
        self.overloaded.contains(&name.to_lowercase())
    }

    pub(crate) fn remove_routine(&mut self, name: &str) -> bool {
        let name = name.to_lowercase();
        let there = self.routines.remove(&name).is_some();
        if there {
            self.changed.insert(name);
        }
        there
    }

    /// Whether a routine was replaced or dropped. A call may then mean another one than is known now: a statement can
    /// be carried out long after later definitions were read.
    pub(crate) fn is_changed(&self, name: &str) -> bool {
        self.changed.contains(&name.to_lowercase())
    }
}
