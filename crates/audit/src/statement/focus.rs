//! The rows of a table that have one key.
//!
//! They are those whose primary key has given values, in the form that equal values share. Two rows that the key has to
//! tell apart are both in it or both outside.

use tristan_sql::{Catalog, Collation, ObservedValue, Type, Value};

use super::reach::Region;
use crate::world::{Key, Row, TableId, canonical, pick};

/// The rows of a table that have one key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Focus {
    pub(super) region: Region,
}

/// What a query shows of rows that were there when it read.
#[derive(Clone, Debug)]
pub(crate) struct Shows {
    pub(crate) focus: Focus,
    /// The columns that it shows as they are, each with its place in the answer.
    pub(crate) columns: Vec<(usize, usize, Type)>,
    /// Their values in each of the rows.
    pub(crate) rows: Vec<Vec<ObservedValue>>,
}

impl Shows {
    /// The same columns of a row of the table.
    pub(crate) fn of(&self, row: &Row) -> Vec<ObservedValue> {
        let value = |&(_, column, ty): &(usize, usize, Type)| match row.get(column) {
            Some(value) => ObservedValue::of(value, ty),
            None => ObservedValue::Null,
        };
        self.columns.iter().map(value).collect()
    }

    /// Whether all that is shown is among some rows of the table.
    pub(crate) fn are_among(&self, rows: &[Row]) -> bool {
        let there: Vec<Vec<ObservedValue>> = rows.iter().map(|row| self.of(row)).collect();
        self.rows.iter().all(|shown| there.contains(shown))
    }
}

impl Focus {
    /// The rows with the primary key that a region has.
    pub(super) fn inside(catalog: &Catalog, region: &Region) -> Option<Self> {
        let key = key_of(catalog, region.table)?;
        let columns = catalog.by_id(region.table)?.columns();
        let fixed = |column: &usize| {
            let (_, value) = region.fixed.iter().find(|(own, _)| own == column)?;
            let own = match columns[*column].ty() {
                Type::Int(_) => matches!(value, Value::Int(_)),
                _ => matches!(value, Value::Text(_)),
            };
            own.then(|| (*column, value.clone()))
        };
        let fixed = key.iter().map(fixed).collect::<Option<_>>()?;
        Some(Self { region: Region { table: region.table, fixed } })
    }

    /// The rows with the primary key that an answer shows in these places.
    pub(super) fn of_row(
        catalog: &Catalog,
        table: TableId,
        places: &[(usize, usize)],
        row: &[ObservedValue],
    ) -> Option<Self> {
        let columns = catalog.by_id(table)?.columns();
        let value = |&(column, place): &(usize, usize)| {
            let value = value_of(row.get(place)?, columns[column].ty())?;
            Some((column, canonical(&value)))
        };
        let fixed = places.iter().map(value).collect::<Option<_>>()?;
        Some(Self { region: Region { table, fixed } })
    }

    /// The rows with the primary key of a row.
    pub(crate) fn of(catalog: &Catalog, (table, _): Key, row: &Row) -> Option<Self> {
        let columns = key_of(catalog, table)?;
        let values = pick(row, &columns)?;
        let fixed = columns.into_iter().zip(values).collect();
        Some(Self { region: Region { table, fixed } })
    }

    /// Whether the key is the primary key of its table.
    pub(super) fn is_key_in(&self, catalog: &Catalog) -> bool {
        key_of(catalog, self.table()).is_some_and(|key| key.into_iter().eq(self.columns()))
    }

    /// Whether a row is one of them.
    pub(crate) fn has(&self, (table, _): Key, row: &Row) -> bool {
        let columns: Vec<usize> = self.columns().collect();
        table == self.region.table
            && pick(row, &columns).is_some_and(|own| own.iter().eq(self.values()))
    }

    /// The table that the rows belong to.
    pub(crate) fn table(&self) -> TableId {
        self.region.table
    }

    /// The columns of the key.
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        self.region.fixed.iter().map(|(column, _)| *column)
    }

    /// The values of the key.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.region.fixed.iter().map(|(_, value)| value)
    }

    /// Whether a region has one key, this one or another.
    pub(super) fn gives_key(&self, region: &Region) -> bool {
        let fixed = |column| region.fixed.iter().any(|(own, _)| *own == column);
        region.table == self.table() && self.columns().all(fixed)
    }
}

/// The columns of the primary key of a table, if clients see their values in one form, and it is certain which ones are
/// equal.
pub(super) fn key_of(catalog: &Catalog, table: TableId) -> Option<Vec<usize>> {
    let table = catalog.by_id(table)?;
    let key = table.keys().iter().find(|key| key.is_primary() && key.is_unique())?;
    let clear = |&column: &usize| {
        let column = &table.columns()[column];
        let certain = match column.ty() {
            Type::Int(_) => true,
            Type::Text { .. } => !matches!(
                catalog.collation_of(column),
                Collation::Folded { .. } | Collation::Caseless | Collation::Unknown
            ),
            _ => false,
        };
        certain && column.is_not_null()
    };
    key.columns().iter().all(clear).then(|| key.columns().to_vec())
}

/// The value of a key that is shown so.
fn value_of(seen: &ObservedValue, ty: Type) -> Option<Value> {
    match (seen.normal(ty), ty) {
        (ObservedValue::Int(whole), Type::Int(_)) => Some(Value::Int(i64::try_from(whole).ok()?)),
        (ObservedValue::Text(text), Type::Text { .. }) => Some(Value::Text(text.into())),
        _ => None,
    }
}
