//! The tables and routines that statements speak of.
//!
//! Layer `catalog`, above `plan`: a table keeps its CHECKs and DEFAULTs bound, and a routine its steps
//! as they were read. It says what there is; how a definition is bound and how a routine is run is
//! known further up.

mod apart;
mod blur;
mod data_type;
mod default;
mod followers;
mod foreign;
mod name;
mod named_type;
mod nature;
mod partition;
mod routine;
mod schema;
mod sequences;
mod step;
mod table;
mod trigger;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dialect::Dialect;
use crate::error::{Result, unsupported};
use crate::rows::TableId;
use crate::sequence::{Sequence, SequenceId};
use crate::types::Type;
use crate::value::{Collation, Letters, Zone};

pub(crate) use data_type::read_type;
pub(crate) use default::{DefaultValue, Domain};
pub(crate) use foreign::{Action, ForeignKey};
pub(crate) use name::{is_of_the_system, table_name};
pub(crate) use named_type::NamedType;
pub(crate) use nature::Nature;
pub(crate) use partition::{Partition, Partitions, Strategy};
pub(crate) use routine::{HIDDEN, Mode, Parameter, Routine, RowType};
pub(crate) use step::{Step, Target};
pub(crate) use table::{Check, short_name};
pub use table::{Column, Key, Table};
pub(crate) use trigger::{Event, Timing, Trigger, TriggerAction, add_in_order};
pub(crate) use view::{View, ViewFilter, ViewTarget};

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
    /// Where names without a schema are looked up instead.
    path: Option<Vec<String>>,
    /// The schema of the temporary tables of the session.
    temporary: Option<String>,
    /// Schemas that were made.
    schemas: BTreeSet<String>,
    /// The queries of materialized views.
    queries: BTreeMap<TableId, Arc<View>>,
    tables: BTreeMap<String, Arc<Table>>,
    views: BTreeMap<String, Arc<View>>,
    /// Types that statements define.
    types: BTreeMap<String, NamedType>,
    /// Every table that there ever was: a statement that was bound before a table was dropped still runs.
    by_id: Vec<Arc<Table>>,
    sequences: BTreeMap<SequenceId, Arc<Sequence>>,
    routines: BTreeMap<String, Arc<Routine>>,
    /// Names of routines of which there were several, with different parameters.
    overloaded: BTreeSet<String>,
    /// Names of routines of which there were several, in different schemas.
    ambiguous: BTreeSet<String>,
    /// Names of routines that were dropped.
    dropped: BTreeSet<String>,
    foreign_keys: bool,
    /// The time zone of the session whose statements are bound, if it is known.
    zone: Option<Zone>,
    /// Whether no trigger fires.
    silent: bool,
}

/// What names meant at one moment.
#[derive(Debug, Clone)]
pub struct Names {
    tables: BTreeMap<String, Arc<Table>>,
    views: BTreeMap<String, Arc<View>>,
    sequences: BTreeMap<SequenceId, Arc<Sequence>>,
    types: BTreeMap<String, NamedType>,
    routines: BTreeMap<String, Arc<Routine>>,
    schemas: BTreeSet<String>,
}

impl Catalog {
    /// Nothing yet.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            database: dialect.collation(),
            collation: None,
            home: dialect.usual_home().map(str::to_owned),
            path: None,
            temporary: None,
            schemas: BTreeSet::new(),
            queries: BTreeMap::new(),
            tables: BTreeMap::new(),
            views: BTreeMap::new(),
            types: BTreeMap::new(),
            by_id: Vec::new(),
            sequences: BTreeMap::new(),
            routines: BTreeMap::new(),
            overloaded: BTreeSet::new(),
            ambiguous: BTreeSet::new(),
            dropped: BTreeSet::new(),
            foreign_keys: false,
            zone: None,
            silent: false,
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

    /// Whether the time zone of the session is known to be UTC.
    pub fn is_in_utc(&self) -> bool {
        self.zone == Some(Zone::UTC)
    }

    /// The time zone of all sessions is UTC.
    pub fn set_utc(&mut self) {
        self.zone = Some(Zone::UTC);
    }

    /// The time zone of the session, if it is known.
    pub fn zone(&self) -> Option<Zone> {
        self.zone
    }

    /// The session whose statements are bound from now on has this time zone, if it is known.
    pub fn set_zone(&mut self, zone: Option<Zone>) {
        self.zone = zone;
    }

    /// Whether no trigger fires, because rows are loaded as they were stored.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent
    }

    /// From now on, triggers fire or do not.
    pub(crate) fn set_silent(&mut self, silent: bool) {
        self.silent = silent;
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

    /// The table with this number, also if it was dropped.
    pub fn by_id(&self, id: TableId) -> Option<&Arc<Table>> {
        self.by_id.get(id.0 as usize)
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
        self.tables.insert(self.own_key(&table.name), Arc::clone(&table));
        self.by_id.push(table);
    }

    /// An expression has the collation of its columns, and a type here forgets it. So it is that of all columns,
    /// or not known if they differ.
    fn notice_collations(&mut self, table: &Table) {
        for column in table.columns.iter().filter(|column| matches!(column.ty, Type::Text { .. })) {
            let own = column.ty.collation(self.database);
            let common = self.collation.unwrap_or(self.database);
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

    /// A table means something else from now on, and may have another name and number than before.
    pub(crate) fn change(&mut self, before: &Table, table: Table) {
        self.tables.remove(&self.own_key(&before.name));
        if table.id != before.id {
            return self.add(table);
        }
        self.notice_collations(&table);
        let table = Arc::new(table);
        self.by_id[table.id.0 as usize] = Arc::clone(&table);
        self.tables.insert(self.own_key(&table.name), table);
    }

    /// Says whether it was there.
    pub(crate) fn remove(&mut self, name: &str) -> bool {
        self.tables.remove(&self.key(name)).is_some()
    }

    /// What names mean now, to come back to it with [`Catalog::undo_to`].
    pub fn names(&self) -> Names {
        Names {
            tables: self.tables.clone(),
            views: self.views.clone(),
            sequences: self.sequences.clone(),
            types: self.types.clone(),
            routines: self.routines.clone(),
            schemas: self.schemas.clone(),
        }
    }

    /// Names mean again what they meant before. Tables that were made since keep their numbers.
    pub fn undo_to(&mut self, names: &Names) {
        self.tables.clone_from(&names.tables);
        self.views.clone_from(&names.views);
        self.sequences.clone_from(&names.sequences);
        self.types.clone_from(&names.types);
        self.routines.clone_from(&names.routines);
        self.schemas.clone_from(&names.schemas);
        for table in names.tables.values() {
            self.by_id[table.id.0 as usize] = Arc::clone(table);
        }
    }

    /// Whether there is a routine with this name.
    pub fn has_routine(&self, name: &str) -> bool {
        self.routine(name).is_some()
    }

    pub(crate) fn routine(&self, name: &str) -> Option<&Arc<Routine>> {
        self.routines.get(&name.to_lowercase())
    }

    /// Adds a routine. In PostgreSQL, one of the same name with other parameters stays; then each is kept under its
    /// name and the types of its parameters as well.
    pub(crate) fn add_routine(&mut self, mut routine: Routine) {
        let name = routine.name.to_lowercase();
        let named = routine.schema.take();
        routine.schema = self.schema_of_routine(named.as_deref());
        let before = self.routines.get(&name).cloned();
        if before.as_ref().is_some_and(|other| self.is_elsewhere(other, named.as_deref())) {
            self.ambiguous.insert(name.clone());
        }
        let twin = before.as_ref().filter(|other| signature(other) != signature(&routine));
        let routine = Arc::new(routine);
        if self.dialect.is_strictly_typed() && (twin.is_some() || self.is_overloaded(&name)) {
            for one in twin.into_iter().chain([&routine]) {
                self.routines.insert(signature(one), Arc::clone(one));
            }
            self.overloaded.insert(name.clone());
        }
        self.routines.insert(name, routine);
    }

    /// The one of several routines of a name whose parameters have exactly these types.
    pub(crate) fn routine_for(&self, name: &str, types: &[Type]) -> Option<(String, Arc<Routine>)> {
        let prefix = format!("{}(", name.to_lowercase());
        let mut found = self.routines.iter().filter(|(key, routine)| {
            key.starts_with(&prefix)
                && routine.params.len() == types.len()
                && routine.params.iter().zip(types).all(|(param, ty)| is_kind(param.ty, *ty))
        });
        let (key, routine) = found.next()?;
        found.next().is_none().then(|| (key.clone(), Arc::clone(routine)))
    }

    /// Whether there were several routines of this name, with different parameters.
    pub(crate) fn is_overloaded(&self, name: &str) -> bool {
        self.overloaded.contains(&name.to_lowercase())
    }

    /// The schema of a routine that is made or dropped: the one that the statement names, or else the first one of the
    /// path.
    fn schema_of_routine(&self, named: Option<&str>) -> Option<String> {
        let first = self.path.as_ref().and_then(|path| path.first());
        let schema = named.or_else(|| first.or(self.home.as_ref()).map(String::as_str));
        schema.map(|schema| self.dialect.fold_name(schema))
    }

    /// Whether a routine may be in another schema than one that a statement makes or drops. As long as it is not known
    /// where names without a schema are looked up, all of them are in the same one.
    fn is_elsewhere(&self, routine: &Routine, named: Option<&str>) -> bool {
        match (&routine.schema, self.schema_of_routine(named)) {
            (None, Some(_)) => named.is_some(),
            (known, other) => *known != other,
        }
    }

    /// Refuses a call of a routine if there were several of its name in different schemas.
    pub(crate) fn refuse_ambiguous(&self, name: &str) -> Result<()> {
        let plain = name.split('(').next().unwrap_or(name).to_lowercase();
        match self.ambiguous.contains(&plain) {
            true => unsupported(format!("the routine {plain}, which several schemas have")),
            false => Ok(()),
        }
    }

    /// Removes a routine. If there were several of this name, which one is not known.
    pub(crate) fn remove_routine(&mut self, name: &str, schema: Option<&str>) -> Option<bool> {
        let name = name.to_lowercase();
        let known = self.routines.get(&name);
        let elsewhere = known.is_some_and(|one| self.is_elsewhere(one, schema));
        if self.is_overloaded(&name) || self.ambiguous.contains(&name) || elsewhere {
            return None;
        }
        let there = self.routines.remove(&name).is_some();
        if there {
            self.dropped.insert(name);
        }
        Some(there)
    }

    /// Whether a routine of this name was dropped.
    pub(crate) fn was_dropped(&self, name: &str) -> bool {
        self.dropped.contains(&name.to_lowercase())
    }
}

/// The name of a routine with the types of its parameters.
fn signature(routine: &Routine) -> String {
    let types: Vec<String> = routine.params.iter().map(|param| format!("{:?}", param.ty)).collect();
    format!("{}({})", routine.name, types.join(", ")).to_lowercase()
}

/// Whether a value of a type is what a parameter wants, without a conversion.
fn is_kind(param: Type, ty: Type) -> bool {
    let text = |one: Type| matches!(one, Type::Text { .. });
    let number = |one: Type| matches!(one, Type::Decimal(_));
    param == ty || text(param) && text(ty) || number(param) && number(ty)
}
