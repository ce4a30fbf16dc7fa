//! Looks things up in the columns of a batch.

use super::data::{datum, is_json};
use super::dictionaries::{Dictionaries, id};
use super::ipc::array::{Array, Data, is_set};
use super::ipc::schema::{Field, Type};
use super::layout::Role;
use crate::error::{ContentError, quote};
use tristan_history::{Datum, HistoryBuilder};

/// Stands for a null among numbers.
pub(super) const NONE: u32 = u32::MAX;

/// Columns side by side.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    pub(super) fields: &'a [Field],
    pub(super) arrays: &'a [Array<'a>],
    pub(super) dictionaries: &'a Dictionaries,
}

/// A column of a table, with what is needed to read its values.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    field: &'a Field,
    array: &'a Array<'a>,
    dictionaries: &'a Dictionaries,
}

/// Something wrong in a row.
pub(super) type RowError = (usize, ContentError);

impl<'a> Columns<'a> {
    /// The column with a name.
    pub(super) fn named(self, name: &str) -> Option<Column<'a>> {
        let place = self.fields.iter().position(|field| field.name == name)?;
        let (field, array) = (self.fields.get(place)?, self.arrays.get(place)?);
        Some(Column { field, array, dictionaries: self.dictionaries })
    }
}

impl<'a> Column<'a> {
    /// Whether there is something in a row.
    pub(super) fn has(self, row: usize) -> bool {
        self.array.has(row)
    }

    /// The numbers that stand for data in their role, `NONE` for nulls.
    pub(super) fn ids(self, builder: &mut HistoryBuilder) -> Result<Vec<u32>, RowError> {
        self.ids_as(Role::of(&self.field.name), builder)
    }

    fn ids_as(self, role: Role, builder: &mut HistoryBuilder) -> Result<Vec<u32>, RowError> {
        let rows = 0..self.array.length;
        let Some(encoding) = self.field.dictionary else {
            let json = is_json(self.field);
            let one = |row: usize| match self.has(row) {
                true => id(role, datum(self.array, row, json)?, builder),
                false => Ok(NONE),
            };
            return rows.map(with_row(one)).collect();
        };
        let ids = self.dictionaries.ids(encoding.id, role);
        let places = self.places();
        let one = |row: usize| match (ids.get(places[row] as usize), self.has(row)) {
            (_, false) => Ok(NONE),
            (Some(&id), true) => Ok(id),
            (None, true) => Err(self.outside(places[row])),
        };
        rows.map(with_row(one)).collect()
    }

    /// Places in the dictionary.
    fn places(self) -> Vec<u32> {
        match &self.array.data {
            Data::Ints(ints) => ints.places(),
            _ => Vec::new(),
        }
    }

    fn outside(self, place: u32) -> ContentError {
        let name = quote(&self.field.name);
        let found = format!("place {place} of a dictionary in column {name}");
        ContentError::new(found, "a place that the dictionary has")
    }

    /// The datum in a row.
    pub(super) fn datum(self, row: usize) -> Result<Option<Datum>, ContentError> {
        if !self.has(row) {
            return Ok(None);
        }
        let Some(encoding) = self.field.dictionary else {
            return datum(self.array, row, is_json(self.field)).map(Some);
        };
        let Data::Ints(ints) = &self.array.data else { return Ok(None) };
        let place = usize::try_from(ints.get(row)).unwrap_or(usize::MAX);
        let known = self.dictionaries.datum(encoding.id, place);
        known.cloned().map(Some).ok_or_else(|| self.outside(place.try_into().unwrap_or(NONE)))
    }

    /// The text in a row.
    pub(super) fn text(self, row: usize) -> Result<Option<String>, ContentError> {
        match self.datum(row)? {
            None => Ok(None),
            Some(Datum::Text(text)) => Ok(Some(text.into())),
            Some(_) => Err(ContentError::new("something else", "a text")),
        }
    }

    /// The number in a row.
    pub(super) fn number<T: TryFrom<i128>>(self, row: usize) -> Result<Option<T>, ContentError> {
        let Data::Ints(ints) = &self.array.data else { return Ok(None) };
        if !self.has(row) {
            return Ok(None);
        }
        let number = ints.get(row);
        let too_large = |_| {
            let name = quote(&self.field.name);
            ContentError::new(format!("{number} in column {name}"), "a number that fits")
        };
        T::try_from(number).map(Some).map_err(too_large)
    }

    /// Whether a row says yes.
    pub(super) fn flag(self, row: usize) -> bool {
        matches!(&self.array.data, Data::Bools(bits) if self.has(row) && is_set(bits, row))
    }

    /// The items of the list in a row.
    pub(super) fn list(self, row: usize) -> Option<std::ops::Range<usize>> {
        match &self.array.data {
            Data::List(offsets, _) if self.has(row) => Some(offsets[row]..offsets[row + 1]),
            _ => None,
        }
    }

    /// The items of all lists.
    pub(super) fn items(self) -> Option<Column<'a>> {
        match (&self.field.kind, &self.array.data) {
            (Type::List(_, field), Data::List(_, array)) => {
                Some(Column { field, array, dictionaries: self.dictionaries })
            }
            _ => None,
        }
    }

    /// The parts of structs.
    pub(super) fn parts(self) -> Option<Columns<'a>> {
        match (&self.field.kind, &self.array.data) {
            (Type::Struct(fields), Data::Struct(arrays)) => {
                Some(Columns { fields, arrays, dictionaries: self.dictionaries })
            }
            _ => None,
        }
    }

    /// How many rows there are.
    pub(super) fn length(self) -> usize {
        self.array.length
    }

    /// The numbers that stand for the elements of all lists.
    pub(super) fn element_ids(self, builder: &mut HistoryBuilder) -> Result<Vec<u32>, RowError> {
        let role = Role::of(&self.field.name);
        self.items().map_or(Ok(Vec::new()), |items| items.ids_as(role, builder))
    }
}

/// Says in which row something is wrong.
fn with_row<T>(
    mut one: impl FnMut(usize) -> Result<T, ContentError>,
) -> impl FnMut(usize) -> Result<T, RowError> {
    move |row| one(row).map_err(|problem| (row, problem))
}
