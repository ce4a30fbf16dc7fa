//! Regular expressions, as far as PostgreSQL's mean what they seem to.
//!
//! ```text
//!   pattern ──parse──► Node ──► states ──► where a match ends
//! ```
//!
//! A match is the leftmost one, and the longest of those. Of its parts, each takes as much as leaves a match for
//! those behind it, from left to right. Whatever else a pattern may have, such as back references, lookahead or
//! non-greedy quantifiers, is refused by the parser. What is a letter depends on the locale, so a text that is not
//! ASCII is refused if the pattern asks for that.
//!
//! Layer `eval`; knows only errors.

mod parse;
mod set;

use std::ops::Range;

use crate::error::{Result, unsupported};

use parse::{Node, Parsed, parse};
use set::Set;

pub(super) use parse::Flavour;

/// More states than a sane pattern has.
const MAX_STATES: usize = 5_000;
/// A longer text takes too long.
const MAX_LETTERS: usize = 20_000;

/// A pattern that is ready to be matched.
pub(super) struct Regex {
    whole: Program,
    /// The pattern in parts, each with the number of its group, if it is one; `None` if groups are nested or
    /// repeated.
    parts: Option<Vec<(Program, bool)>>,
    pub(super) groups: usize,
    is_local: bool,
}

/// A match: where it is, and where its groups are.
pub(super) type Found = (Range<usize>, Vec<Range<usize>>);

enum State {
    Letter(Set, usize),
    Either(usize, usize),
    Start(usize),
    End(usize),
    Done,
}

struct Program {
    states: Vec<State>,
    first: usize,
}

impl Regex {
    pub(super) fn new(pattern: &str, flavour: Flavour, folds: bool) -> Result<Self> {
        let Parsed { node, groups, is_local } = parse(pattern, flavour, folds)?;
        let parts = match &node {
            Node::Concat(nodes) => split(nodes)?,
            other => split(std::slice::from_ref(other))?,
        };
        Ok(Self { whole: Program::new(&node)?, parts, groups, is_local })
    }

    /// The letters of a text, if it can be matched.
    pub(super) fn letters(&self, text: &str) -> Result<Vec<char>> {
        if self.is_local && !text.bytes().all(|byte| byte < 0x80 && !(0x1c..0x20).contains(&byte)) {
            return unsupported("a pattern that depends on the locale");
        }
        let letters: Vec<char> = text.chars().collect();
        match letters.len() <= MAX_LETTERS {
            true => Ok(letters),
            false => unsupported("a pattern for a string this long"),
        }
    }

    /// Whether the pattern matches anywhere.
    pub(super) fn is_match(&self, letters: &[char]) -> bool {
        !self.whole.ends(letters, 0, true).is_empty()
    }

    /// Whether the pattern matches all of the text.
    pub(super) fn is_whole_match(&self, letters: &[char]) -> bool {
        self.whole.ends(letters, 0, false).last() == Some(&letters.len())
    }

    /// The leftmost and longest match that begins at `from` or behind it.
    pub(super) fn find(&self, letters: &[char], from: usize) -> Option<Range<usize>> {
        (from..=letters.len())
            .find_map(|start| self.whole.ends(letters, start, false).last().map(|end| start..*end))
    }

    /// The same with its groups.
    pub(super) fn find_groups(&self, letters: &[char], from: usize) -> Result<Option<Found>> {
        let Some(found) = self.find(letters, from) else { return Ok(None) };
        if self.groups == 0 {
            return Ok(Some((found, Vec::new())));
        }
        let Some(parts) = &self.parts else {
            return unsupported("groups inside groups or repetitions");
        };
        match dissect(parts, letters, found.clone()) {
            Some(groups) => Ok(Some((found, groups.into_iter().rev().collect()))),
            None => unsupported("groups of this pattern"),
        }
    }
}

/// Groups, and what is between them. `None` if a group holds another one, or is repeated.
fn split(nodes: &[Node]) -> Result<Option<Vec<(Program, bool)>>> {
    let mut parts = Vec::new();
    let mut plain: Vec<Node> = Vec::new();
    for node in nodes {
        let inner = match node {
            Node::Group(inner) => inner,
            other if other.has_groups() => return Ok(None),
            other => {
                plain.push(other.clone());
                continue;
            }
        };
        if inner.has_groups() {
            return Ok(None);
        }
        parts.push((Program::new(&Node::Concat(std::mem::take(&mut plain)))?, false));
        parts.push((Program::new(inner)?, true));
    }
    parts.push((Program::new(&Node::Concat(plain))?, false));
    Ok(Some(parts))
}

/// Where the groups are in a match, the last one first.
fn dissect(
    parts: &[(Program, bool)],
    letters: &[char],
    found: Range<usize>,
) -> Option<Vec<Range<usize>>> {
    let Some(((program, is_group), rest)) = parts.split_first() else {
        return found.is_empty().then(Vec::new);
    };
    for end in program.ends(letters, found.start, false).into_iter().rev() {
        if end > found.end {
            continue;
        }
        if let Some(mut groups) = dissect(rest, letters, end..found.end) {
            if *is_group {
                groups.push(found.start..end);
            }
            return Some(groups);
        }
    }
    None
}

impl Program {
    fn new(node: &Node) -> Result<Self> {
        let mut program = Self { states: vec![State::Done], first: 0 };
        program.first = program.add(node, 0)?;
        Ok(program)
    }

    fn push(&mut self, state: State) -> Result<usize> {
        if self.states.len() >= MAX_STATES {
            return unsupported("a pattern this large");
        }
        self.states.push(state);
        Ok(self.states.len() - 1)
    }

    /// Adds states that match a node and go on with `next`; returns the first of them.
    fn add(&mut self, node: &Node, next: usize) -> Result<usize> {
        match node {
            Node::Letter(set) => self.push(State::Letter(set.clone(), next)),
            Node::Start => self.push(State::Start(next)),
            Node::End => self.push(State::End(next)),
            Node::Group(inner) => self.add(inner, next),
            Node::Concat(nodes) => {
                nodes.iter().rev().try_fold(next, |next, node| self.add(node, next))
            }
            Node::Either(nodes) => {
                let mut firsts = Vec::new();
                for node in nodes {
                    firsts.push(self.add(node, next)?);
                }
                let last = firsts.pop().unwrap_or(next);
                firsts
                    .into_iter()
                    .rev()
                    .try_fold(last, |rest, first| self.push(State::Either(first, rest)))
            }
            Node::Repeat { node, least, most } => self.repeat(node, *least, *most, next),
        }
    }

    fn repeat(
        &mut self,
        node: &Node,
        least: usize,
        most: Option<usize>,
        next: usize,
    ) -> Result<usize> {
        let mut first = match most {
            None => {
                let again = self.push(State::Either(next, next))?;
                let body = self.add(node, again)?;
                self.states[again] = State::Either(body, next);
                again
            }
            Some(most) => {
                let mut first = next;
                for _ in least..most {
                    let body = self.add(node, first)?;
                    first = self.push(State::Either(body, next))?;
                }
                first
            }
        };
        for _ in 0..least {
            first = self.add(node, first)?;
        }
        Ok(first)
    }

    /// Where matches end that begin at `from`, or anywhere behind it; in ascending order.
    fn ends(&self, letters: &[char], from: usize, anywhere: bool) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut now: Vec<usize> = vec![self.first];
        for at in from..=letters.len() {
            if anywhere && at > from {
                now.push(self.first);
            }
            let (reached, done) = self.closure(&now, at, letters.len());
            if done {
                ends.push(at);
                if anywhere {
                    return ends;
                }
            }
            let Some(letter) = letters.get(at) else { break };
            now = reached
                .into_iter()
                .filter_map(|state| match &self.states[state] {
                    State::Letter(set, next) if set.contains(*letter) => Some(*next),
                    _ => None,
                })
                .collect();
            if now.is_empty() && !anywhere {
                break;
            }
        }
        ends
    }

    /// The states that wait for a letter, and whether there is a match already.
    fn closure(&self, from: &[usize], at: usize, length: usize) -> (Vec<usize>, bool) {
        let mut seen = vec![false; self.states.len()];
        let mut open = from.to_vec();
        let mut reached = Vec::new();
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            match &self.states[state] {
                State::Letter(..) => reached.push(state),
                State::Either(a, b) => open.extend([*a, *b]),
                State::Start(next) if at == 0 => open.push(*next),
                State::End(next) if at == length => open.push(*next),
                State::Start(_) | State::End(_) | State::Done => {}
            }
        }
        (reached, seen[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<String> {
        let regex = Regex::new(pattern, Flavour::Advanced, false).ok()?;
        let letters = regex.letters(text).ok()?;
        regex.find(&letters, 0).map(|range| letters[range].iter().collect())
    }

    #[test]
    fn finds_the_leftmost_and_longest_match() {
        for (pattern, text, wanted) in [
            ("a|ab", "xab", Some("ab")),
            ("a?(ab)?", "ab", Some("ab")),
            ("b*", "abb", Some("")),
            ("^[a-c]+$", "abc", Some("abc")),
            ("^[a-c]+$", "abcd", None),
            (r"\d{2,3}", "1 2345", Some("234")),
            ("(ab|c){2}", "abcab", Some("abc")),
            ("[^]a]+", "]b]", Some("b")),
            (r"[\w.-]+", "a.b-c d", Some("a.b-c")),
        ] {
            assert_eq!(found(pattern, text).as_deref(), wanted, "{pattern} {text}");
        }
    }

    #[test]
    fn refuses_what_may_mean_something_else() {
        for pattern in [
            r"(a)\1",
            "a*?",
            "(?=a)",
            "(?i)a",
            "a**",
            r"\ma",
            "[[:punct:]]",
            "a{300}",
            "x{",
            "***=a",
        ] {
            assert!(Regex::new(pattern, Flavour::Advanced, false).is_err(), "{pattern}");
        }
    }
}
