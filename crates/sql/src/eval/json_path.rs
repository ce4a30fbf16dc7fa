//! The common forms of PostgreSQL's JSON paths, in lax mode:
//! `$.items[*].price`, `$.items[*] ? (@.price > 10 && @.name == "x")`, `$.items[1].price > 10`.
//!
//! Lax mode forgives: a member of an array is that member of its elements, an element of something else is that
//! thing itself, and what is not there is left out. Conditions have three values; a comparison of values of different
//! types is neither true nor false.
//!
//! Layer `eval`; knows values only.

use std::cmp::Ordering;

use crate::error::{Result, unsupported};
use crate::plan::CompareOp;
use crate::value::Json;

use super::logic::{and, or};

/// A path that was read.
pub(super) enum JsonPath {
    Value(Operand),
    Condition(Condition),
}

pub(super) struct Operand {
    pub(super) start: Start,
    pub(super) steps: Vec<Step>,
}

pub(super) enum Start {
    Root,
    Current,
    Literal(Json),
}

pub(super) enum Step {
    Member(String),
    AllMembers,
    Element(usize),
    AllElements,
    Filter(Condition),
}

pub(super) enum Condition {
    Compare(CompareOp, Operand, Operand),
    Exists(Operand),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl JsonPath {
    /// What the path finds.
    pub(super) fn query(&self, root: &Json) -> Result<Vec<Json>> {
        match self {
            Self::Value(operand) => Ok(operand.find(root, root)?.into_iter().cloned().collect()),
            Self::Condition(condition) => {
                Ok(vec![condition.holds(root, root)?.map_or(Json::Null, Json::Bool)])
            }
        }
    }
}

impl Operand {
    fn find<'j>(&'j self, root: &'j Json, current: &'j Json) -> Result<Vec<&'j Json>> {
        let mut found = vec![match &self.start {
            Start::Root => root,
            Start::Current => current,
            Start::Literal(json) => json,
        }];
        for step in &self.steps {
            let mut next = Vec::new();
            for json in found {
                step.apply(root, json, &mut next)?;
            }
            found = next;
        }
        Ok(found)
    }
}

impl Step {
    fn apply<'j>(&'j self, root: &'j Json, json: &'j Json, next: &mut Vec<&'j Json>) -> Result<()> {
        match (self, json) {
            (Self::AllElements, Json::Array(elements)) => next.extend(elements),
            (Self::AllElements, other) => next.push(other),
            (Self::Element(place), Json::Array(elements)) => next.extend(elements.get(*place)),
            (Self::Element(0), other) => next.push(other),
            (Self::Element(_), _) => {}
            (_, Json::Array(elements)) => {
                for element in elements {
                    self.apply_to_one(root, element, next)?;
                }
            }
            (_, other) => self.apply_to_one(root, other, next)?,
        }
        Ok(())
    }

    /// Arrays inside arrays are not looked into.
    fn apply_to_one<'j>(
        &'j self,
        root: &'j Json,
        json: &'j Json,
        next: &mut Vec<&'j Json>,
    ) -> Result<()> {
        match (self, json) {
            (Self::Member(name), Json::Object(_)) => next.extend(json.member(name)),
            (Self::AllMembers, Json::Object(members)) => {
                next.extend(members.iter().map(|(_, value)| value));
            }
            (Self::Filter(condition), _) if condition.holds(root, json)? == Some(true) => {
                next.push(json);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Condition {
    fn holds(&self, root: &Json, current: &Json) -> Result<Option<bool>> {
        Ok(match self {
            Self::Exists(operand) => Some(!operand.find(root, current)?.is_empty()),
            Self::Not(inner) => inner.holds(root, current)?.map(|truth| !truth),
            Self::And(left, right) => and(left.holds(root, current)?, right.holds(root, current)?),
            Self::Or(left, right) => or(left.holds(root, current)?, right.holds(root, current)?),
            Self::Compare(op, left, right) => {
                let (left, right) = (left.find(root, current)?, right.find(root, current)?);
                compare_all(*op, &unwrapped(left), &unwrapped(right))?
            }
        })
    }
}

/// Arrays stand for their elements in a comparison.
fn unwrapped(found: Vec<&Json>) -> Vec<&Json> {
    found
        .into_iter()
        .flat_map(|json| match json {
            Json::Array(elements) => elements.iter().collect(),
            other => vec![other],
        })
        .collect()
}

/// True if any pair is, and otherwise not known if any pair is not.
fn compare_all(op: CompareOp, left: &[&Json], right: &[&Json]) -> Result<Option<bool>> {
    let mut unknown = false;
    for a in left {
        for b in right {
            match compare(op, a, b)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => unknown = true,
            }
        }
    }
    Ok(if unknown { None } else { Some(false) })
}

fn compare(op: CompareOp, a: &Json, b: &Json) -> Result<Option<bool>> {
    let equality = matches!(op, CompareOp::Eq | CompareOp::NotEq);
    let order = match (a, b) {
        (Json::Null, Json::Null) => Ordering::Equal,
        (Json::Null, _) | (_, Json::Null) => return Ok(Some(op == CompareOp::NotEq)),
        (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
        (Json::Number(a), Json::Number(b)) => a.compare(b),
        (Json::Text(a), Json::Text(b)) if equality || (a.is_ascii() && b.is_ascii()) => a.cmp(b),
        (Json::Text(_), Json::Text(_)) => {
            return unsupported("the order of strings in a JSON path");
        }
        _ => return Ok(None),
    };
    Ok(Some(op.holds(order)))
}
