//! The script: commands one after the other.

use super::term::{TRUE, Term};

#[derive(Default)]
pub(super) struct Script {
    text: String,
}

impl Script {
    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(super) fn comment(&mut self, text: &str) {
        self.line(&format!("; {text}"));
    }

    /// A new constant; gives its name back.
    pub(super) fn declare(&mut self, name: String, sort: &str) -> Term {
        self.line(&format!("(declare-const {name} {sort})"));
        name
    }

    /// A name for a term, if it is worth one.
    pub(super) fn define(&mut self, name: String, term: Term) -> Term {
        if !term.starts_with('(') {
            return term;
        }
        self.line(&format!("(define-fun {name} () Bool {term})"));
        name
    }

    pub(super) fn assert(&mut self, term: &str) {
        if term != TRUE {
            self.line(&format!("(assert {term})"));
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
