//! The common forms of PostgreSQL's JSON paths, in lax mode:
//! `$.items[*].price`, `$.items[*] ? (@.price > 10 && @.name == "x")`, `$.items[1].price > 10`.
//!
//! Lax mode forgives: a member of an array is that member of its elements, an element of something else is that
//! thing itself, and what is not there is left out. Conditions have three values; a comparison of values of different
//! types is neither true nor false.
//!
//! ```text
//!   path       = value [ comparison ]
//!   value      = ("$" | "@") step* | literal
//!   step       = "." name | ".*" | "[*]" | "[" number "]" | "? (" condition ")"
//!   condition  = and ("||" and)*        and = not ("&&" not)*
//!   not        = "!" "(" condition ")" | "(" condition ")" | "exists (" value ")" | value operator value
//! ```
//!
//! All else is refused.
//!
//! Layer `eval`; knows values only.

use std::cmp::Ordering;

use crate::error::{Result, unsupported};
use crate::plan::CompareOp;
use crate::value::{Decimal, Json};

use super::logic::{and, or};

/// Deeper conditions are refused.
const DEEPEST: usize = 32;

/// A path that was read.
pub(super) enum JsonPath {
    Value(Operand),
    Condition(Condition),
}

pub(super) struct Operand {
    start: Start,
    steps: Vec<Step>,
}

enum Start {
    Root,
    Current,
    Literal(Json),
}

enum Step {
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
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader { letters: text.chars().collect(), at: 0, depth: 0 };
        match reader.path() {
            Some(path) if reader.is_done() => Ok(path),
            _ => unsupported(format!("the JSON path {text}")),
        }
    }

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

/// Reads a path; everything is `None` if it is not one of the forms above.
struct Reader {
    letters: Vec<char>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Takes a text if it is next.
    fn take(&mut self, wanted: &str) -> bool {
        self.skip_spaces();
        let there = wanted
            .chars()
            .enumerate()
            .all(|(place, letter)| self.letters.get(self.at + place) == Some(&letter));
        if there {
            self.at += wanted.chars().count();
        }
        there
    }

    fn is_done(&mut self) -> bool {
        self.skip_spaces();
        self.at == self.letters.len()
    }

    fn path(&mut self) -> Option<JsonPath> {
        let start = self.at;
        let operand = self.operand()?;
        if self.is_done() {
            return Some(JsonPath::Value(operand));
        }
        self.at = start;
        self.condition().map(JsonPath::Condition)
    }

    fn condition(&mut self) -> Option<Condition> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut left = self.conjunction()?;
        while self.take("||") {
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        self.depth -= 1;
        Some(left)
    }

    fn conjunction(&mut self) -> Option<Condition> {
        let mut left = self.single()?;
        while self.take("&&") {
            left = Condition::And(Box::new(left), Box::new(self.single()?));
        }
        Some(left)
    }

    fn single(&mut self) -> Option<Condition> {
        if self.take("!") {
            return self.nested().map(|inner| Condition::Not(Box::new(inner)));
        }
        if self.take("exists") {
            if !self.take("(") {
                return None;
            }
            let operand = self.operand()?;
            return self.take(")").then_some(Condition::Exists(operand));
        }
        self.skip_spaces();
        if self.peek() == Some('(') {
            return self.nested();
        }
        let left = self.operand()?;
        let op = self.operator()?;
        Some(Condition::Compare(op, left, self.operand()?))
    }

    fn nested(&mut self) -> Option<Condition> {
        if !self.take("(") {
            return None;
        }
        let inner = self.condition()?;
        self.take(")").then_some(inner)
    }

    fn operator(&mut self) -> Option<CompareOp> {
        let operators = [
            ("==", CompareOp::Eq),
            ("!=", CompareOp::NotEq),
            ("<>", CompareOp::NotEq),
            ("<=", CompareOp::LessEq),
            (">=", CompareOp::GreaterEq),
            ("<", CompareOp::Less),
            (">", CompareOp::Greater),
        ];
        operators.into_iter().find(|(text, _)| self.take(text)).map(|(_, op)| op)
    }

    fn operand(&mut self) -> Option<Operand> {
        self.skip_spaces();
        let start = match self.peek()? {
            '$' => {
                self.at += 1;
                // A variable.
                if self.peek().is_some_and(|letter| letter.is_alphanumeric() || letter == '"') {
                    return None;
                }
                Start::Root
            }
            '@' => {
                self.at += 1;
                Start::Current
            }
            _ => {
                return Some(Operand { start: Start::Literal(self.literal()?), steps: Vec::new() });
            }
        };
        let mut steps = Vec::new();
        while let Some(step) = self.step()? {
            steps.push(step);
        }
        Some(Operand { start, steps })
    }

    /// The next step; `Some(None)` if there is none.
    fn step(&mut self) -> Option<Option<Step>> {
        if self.take("?") {
            return self.nested().map(|condition| Some(Step::Filter(condition)));
        }
        if self.take("[") {
            let step = match self.take("*") {
                true => Step::AllElements,
                false => Step::Element(self.digits()?.parse().ok()?),
            };
            return self.take("]").then_some(Some(step));
        }
        if !self.take(".") {
            return Some(None);
        }
        if self.take("*") {
            // `.**` is another step.
            return (self.peek() != Some('*')).then_some(Some(Step::AllMembers));
        }
        let name = match self.peek()? {
            '"' => self.quoted()?,
            _ => self.word()?,
        };
        // A method.
        self.skip_spaces();
        (self.peek() != Some('(')).then_some(Some(Step::Member(name)))
    }

    fn digits(&mut self) -> Option<String> {
        self.skip_spaces();
        let start = self.at;
        while self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then(|| self.letters[start..self.at].iter().collect())
    }

    fn word(&mut self) -> Option<String> {
        let start = self.at;
        while self.peek().is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            self.at += 1;
        }
        let word: String = self.letters[start..self.at].iter().collect();
        word.starts_with(|letter: char| !letter.is_ascii_digit()).then_some(word)
    }

    /// A string without escapes.
    fn quoted(&mut self) -> Option<String> {
        if !self.take("\"") {
            return None;
        }
        let start = self.at;
        while self.peek()? != '"' {
            if self.peek()? == '\\' {
                return None;
            }
            self.at += 1;
        }
        self.at += 1;
        Some(self.letters[start..self.at - 1].iter().collect())
    }

    fn literal(&mut self) -> Option<Json> {
        if self.peek()? == '"' {
            return self.quoted().map(|text| Json::Text(text.into()));
        }
        if let Some(whole) = self.digits() {
            let fraction = match self.peek() {
                Some('.') => {
                    self.at += 1;
                    format!(".{}", self.digits()?)
                }
                _ => String::new(),
            };
            // A leading zero or an exponent.
            let odd = whole.len() > 1 && whole.starts_with('0');
            if odd || self.peek().is_some_and(char::is_alphanumeric) {
                return None;
            }
            return Decimal::parse(&format!("{whole}{fraction}")).map(Json::Number);
        }
        match self.word()?.as_str() {
            "true" => Some(Json::Bool(true)),
            "false" => Some(Json::Bool(false)),
            "null" => Some(Json::Null),
            _ => None,
        }
    }
}
