//! Reading JSON paths:
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
//! Layer `eval`; knows the parts of a path.

use crate::error::{Result, unsupported};
use crate::plan::CompareOp;
use crate::value::{Decimal, Json};

use super::json_path::{Condition, JsonPath, Operand, Start, Step};

/// Deeper conditions are refused.
const DEEPEST: usize = 32;

/// Reads a path.
pub(super) fn read_path(text: &str) -> Result<JsonPath> {
    let mut reader = Reader { letters: text.chars().collect(), at: 0, depth: 0 };
    match reader.path() {
        Some(path) if reader.is_done() => Ok(path),
        _ => unsupported(format!("the JSON path {text}")),
    }
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
