//! Compiles an expression to a finite automaton: a pair (a, b) is in the relation exactly if a
//! path from a to b spells a word the automaton accepts.
//!
//! Invariant of [`Automaton::add`]: it never adds a step into `from` or out of `to`, except
//! when both are the same fresh state of a star. That is why alternatives can share their ends.

use tristan_spec::{Expr, Rel, Set};

/// What a step of the automaton follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Nothing.
    Free,
    /// Nothing, if the transaction is in the set.
    Test(Set),
    /// A dependency.
    Rel(Rel),
}

/// A step between two states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) from: usize,
    pub(crate) label: Label,
    pub(crate) to: usize,
}

/// An automaton that starts in [`Automaton::START`] and accepts in [`Automaton::ACCEPT`].
#[derive(Debug)]
pub(crate) struct Automaton {
    pub(crate) states: usize,
    pub(crate) steps: Vec<Step>,
}

impl Automaton {
    pub(crate) const START: usize = 0;
    pub(crate) const ACCEPT: usize = 1;

    /// The automaton of an expression.
    pub(crate) fn new(expr: &Expr) -> Self {
        let mut automaton = Self { states: 2, steps: Vec::new() };
        automaton.add(expr, Self::START, Self::ACCEPT);
        automaton
    }

    fn add(&mut self, expr: &Expr, from: usize, to: usize) {
        match expr {
            Expr::Rel(rel) => self.step(from, Label::Rel(*rel), to),
            Expr::Test(set) => self.step(from, Label::Test(*set), to),
            Expr::Seq(parts) => self.add_all(parts, from, to),
            Expr::Alt(parts) => {
                for part in parts {
                    self.add(part, from, to);
                }
            }
            Expr::Opt(inner) => {
                self.step(from, Label::Free, to);
                self.add(inner, from, to);
            }
            Expr::Plus(inner) => {
                let (before, after) = (self.state(), self.state());
                self.step(from, Label::Free, before);
                self.add(inner, before, after);
                self.step(after, Label::Free, before);
                self.step(after, Label::Free, to);
            }
            Expr::Star(inner) => {
                let between = self.state();
                self.step(from, Label::Free, between);
                self.add(inner, between, between);
                self.step(between, Label::Free, to);
            }
        }
    }

    fn add_all(&mut self, parts: &[Expr], from: usize, to: usize) {
        match parts {
            [] => self.step(from, Label::Free, to),
            [only] => self.add(only, from, to),
            [first, rest @ ..] => {
                let between = self.state();
                self.add(first, from, between);
                self.add_all(rest, between, to);
            }
        }
    }

    fn state(&mut self) -> usize {
        self.states += 1;
        self.states - 1
    }

    fn step(&mut self, from: usize, label: Label, to: usize) {
        self.steps.push(Step { from, label, to });
    }
}
