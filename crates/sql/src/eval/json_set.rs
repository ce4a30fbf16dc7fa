//! JSON with one part changed: `jsonb_set`, `jsonb_insert`, `#-`.
//!
//! A path that leads nowhere changes nothing. Elements of arrays are counted from the end if their number is
//! negative; a number behind the end means the place behind the last element, and one before the beginning the place
//! in front of the first.
//!
//! Layer `eval`; knows values only.

use std::sync::Arc;

use crate::error::{ErrorClass, Result, fail, unsupported};
use crate::value::Json;

/// What happens to the part at the end of a path.
pub(super) enum Change {
    /// Another value, also if there is none yet.
    Set(Json),
    /// Another value, if there is one.
    Replace(Json),
    /// A new element before the one that is there, or a new member.
    InsertBefore(Json),
    /// A new element after the one that is there, or a new member.
    InsertAfter(Json),
    Remove,
}

impl Change {
    /// The value that is put where there is none.
    fn created(&self) -> Option<&Json> {
        match self {
            Self::Set(new) | Self::InsertBefore(new) | Self::InsertAfter(new) => Some(new),
            Self::Replace(_) | Self::Remove => None,
        }
    }
}

pub(super) fn change(json: &Json, path: &[Arc<str>], what: &Change) -> Result<Json> {
    match json {
        Json::Object(_) | Json::Array(_) => inside(json, path, what),
        _ => fail(ErrorClass::InvalidArgument, "a part of JSON that has no parts"),
    }
}

fn inside(json: &Json, path: &[Arc<str>], what: &Change) -> Result<Json> {
    match (json, path) {
        (Json::Object(members), [name, rest @ ..]) => member(members, name, rest, what),
        (Json::Array(elements), [index, rest @ ..]) => element(elements, index, rest, what),
        _ => Ok(json.clone()),
    }
}

fn member(
    members: &[(Arc<str>, Json)],
    name: &Arc<str>,
    rest: &[Arc<str>],
    what: &Change,
) -> Result<Json> {
    let mut members = members.to_vec();
    match (members.iter().position(|(other, _)| other == name), rest) {
        (Some(place), []) => match what {
            Change::Set(new) | Change::Replace(new) => members[place].1 = new.clone(),
            Change::Remove => drop(members.remove(place)),
            Change::InsertBefore(_) | Change::InsertAfter(_) => {
                return fail(ErrorClass::InvalidArgument, "a member that is already there");
            }
        },
        (Some(place), _) => members[place].1 = inside(&members[place].1, rest, what)?,
        (None, []) => members.extend(what.created().map(|new| (name.clone(), new.clone()))),
        (None, _) => {}
    }
    Ok(Json::object(members))
}

fn element(elements: &[Json], index: &str, rest: &[Arc<str>], what: &Change) -> Result<Json> {
    let Ok(index) = index.parse::<i32>() else {
        // A document without parts stays as it is if nothing is added to it.
        if index.trim() != index || elements.is_empty() && what.created().is_none() {
            return unsupported("an element of JSON whose place is not a number");
        }
        return fail(ErrorClass::InvalidText, "an element of JSON whose place is not a number");
    };
    let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
    let place = i64::from(index) + if index < 0 { length } else { 0 };
    let mut elements = elements.to_vec();
    let there = usize::try_from(place).ok().filter(|place| *place < elements.len());
    match (there, rest) {
        (Some(place), []) => match what {
            Change::Set(new) | Change::Replace(new) => elements[place] = new.clone(),
            Change::Remove => drop(elements.remove(place)),
            Change::InsertBefore(new) => elements.insert(place, new.clone()),
            Change::InsertAfter(new) => elements.insert(place + 1, new.clone()),
        },
        (Some(place), _) => elements[place] = inside(&elements[place], rest, what)?,
        (None, []) => {
            if let Some(new) = what.created() {
                let place = if place < 0 { 0 } else { elements.len() };
                elements.insert(place, new.clone());
            }
        }
        (None, _) => {}
    }
    Ok(Json::Array(elements))
}
