//! Dictionaries: what the places in them stand for, looked up once.

use std::collections::BTreeMap;

use super::data::{datum, is_json};
use super::error::ArrowError;
use super::ipc::array::values;
use super::ipc::frames::Dictionary;
use super::ipc::schema::{Field, Schema, Type};
use super::layout::Role;
use super::vocabulary::{CONDITIONS, OUTCOMES, STATUSES, VERBS};
use crate::error::{ContentError, short};
use tristan_history::{Datum, HistoryBuilder};

/// The dictionaries of a file.
#[derive(Debug, Default)]
pub(super) struct Dictionaries {
    by_id: BTreeMap<i64, Known>,
}

/// The dictionary of a column, as far as it has been read.
#[derive(Debug)]
struct Known {
    kind: Type,
    json: bool,
    /// It was read.
    is_there: bool,
    /// By role, the numbers that places stand for.
    ids: Vec<(Role, Vec<u32>)>,
    /// The data themselves, if they are needed.
    data: Option<Vec<Datum>>,
}

impl Dictionaries {
    /// The dictionaries that columns speak of, all empty.
    pub(super) fn of(schema: &Schema) -> Result<Self, ContentError> {
        let mut dictionaries = Self::default();
        schema.fields.iter().try_for_each(|field| dictionaries.expect(field, &field.name))?;
        Ok(dictionaries)
    }

    fn expect(&mut self, field: &Field, name: &str) -> Result<(), ContentError> {
        match (&field.kind, field.dictionary) {
            (kind, Some(encoding)) => self.expect_for(encoding.id, kind, is_json(field), name),
            (Type::List(_, item), None) => self.expect(item, name),
            (Type::Struct(fields), None) => {
                fields.iter().try_for_each(|field| self.expect(field, &field.name))
            }
            _ => Ok(()),
        }
    }

    fn expect_for(
        &mut self,
        id: i64,
        kind: &Type,
        json: bool,
        name: &str,
    ) -> Result<(), ContentError> {
        let new = || Known { kind: kind.clone(), json, is_there: false, ids: vec![], data: None };
        let known = self.by_id.entry(id).or_insert_with(new);
        if known.kind != *kind || known.json != json {
            return Err(ContentError::new(format!("dictionary {id} of two types"), "one type"));
        }
        let role = Role::of(name);
        match role {
            Role::Datum => drop(known.data.get_or_insert_default()),
            _ if known.ids.iter().all(|(other, _)| *other != role) => {
                known.ids.push((role, Vec::new()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a dictionary, or more of one.
    pub(super) fn add(
        &mut self,
        dictionary: &Dictionary<'_>,
        builder: &mut HistoryBuilder,
    ) -> Result<(), ArrowError> {
        let id = dictionary.id;
        let unknown =
            || ContentError::new(format!("dictionary {id}"), "one that a column refers to");
        let known = self.by_id.get_mut(&id).ok_or_else(unknown)?;
        if known.is_there && !dictionary.is_delta {
            return Err(ContentError::new(format!("dictionary {id} again"), "it once").into());
        }
        known.is_there = true;
        let array = values(&dictionary.values, &known.kind)?;
        for place in 0..array.length {
            let null = || ContentError::new(format!("a null in dictionary {id}"), "a value");
            if !array.has(place) {
                return Err(null().into());
            }
            known.push(datum(&array, place, known.json)?, builder)?;
        }
        Ok(())
    }

    /// The numbers that the places in a dictionary stand for.
    pub(super) fn ids(&self, id: i64, role: Role) -> &[u32] {
        let known = self.by_id.get(&id);
        let ids = known.and_then(|known| known.ids.iter().find(|(other, _)| *other == role));
        ids.map_or(&[], |(_, ids)| ids)
    }

    /// The datum that a place in a dictionary stands for.
    pub(super) fn datum(&self, id: i64, place: usize) -> Option<&Datum> {
        self.by_id.get(&id)?.data.as_ref()?.get(place)
    }
}

impl Known {
    fn push(&mut self, datum: Datum, builder: &mut HistoryBuilder) -> Result<(), ContentError> {
        if let Some(data) = &mut self.data {
            data.push(datum.clone());
        }
        if let [(role, ids)] = &mut self.ids[..] {
            ids.push(id(*role, datum, builder)?);
            return Ok(());
        }
        for (role, ids) in &mut self.ids {
            ids.push(id(*role, datum.clone(), builder)?);
        }
        Ok(())
    }
}

/// The number of a datum in its role.
pub(super) fn id(
    role: Role,
    datum: Datum,
    builder: &mut HistoryBuilder,
) -> Result<u32, ContentError> {
    match role {
        Role::Key if matches!(datum, Datum::Json(_)) => {
            Err(ContentError::new(short(&datum), "a key that is an integer, a string or bytes"))
        }
        Role::Key => Ok(builder.key(datum).0),
        Role::Value => Ok(builder.value(datum).0),
        Role::Session => Ok(builder.session(datum).0),
        Role::Outcome => word(&OUTCOMES, &datum),
        Role::Verb => word(&VERBS, &datum),
        Role::Status => word(&STATUSES, &datum),
        Role::Condition => word(&CONDITIONS, &datum),
        Role::Datum => Ok(u32::MAX),
    }
}

/// The place of a word among those that are known.
fn word<T>(words: &[(&str, T)], datum: &Datum) -> Result<u32, ContentError> {
    let same = |(word, _): &(&str, T)| *datum == Datum::from(*word);
    let place = words.iter().position(same).map(|place| place as u32);
    place.ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        ContentError::new(short(datum), format!("one of {}", known.join(", ")))
    })
}
