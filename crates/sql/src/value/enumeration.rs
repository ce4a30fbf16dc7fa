//! Enumerations of PostgreSQL: a type with a list of labels, and one of them as a value.
//!
//! A type is copied into every node of a plan, so it refers to its labels and does not own them. A definition lives
//! as long as the program; equal ones are kept once, so their number is that of the types that a log defines.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Definition {
    name: String,
    labels: Vec<String>,
}

/// An enumeration, by its name and its labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Enumeration(&'static Definition);

/// A value of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label {
    of: Enumeration,
    place: usize,
}

static KNOWN: Mutex<BTreeSet<&'static Definition>> = Mutex::new(BTreeSet::new());

impl Enumeration {
    /// The enumeration with this name and these labels, in their order.
    pub(crate) fn new(name: &str, labels: Vec<String>) -> Self {
        let wanted = Definition { name: name.to_owned(), labels };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(definition) = known.get(&wanted) {
            return Self(definition);
        }
        let definition: &'static Definition = Box::leak(Box::new(wanted));
        known.insert(definition);
        Self(definition)
    }

    pub(crate) fn name(self) -> &'static str {
        &self.0.name
    }

    pub(crate) fn labels(self) -> &'static [String] {
        &self.0.labels
    }

    /// All values, in their order.
    pub(crate) fn values(self) -> impl DoubleEndedIterator<Item = Label> {
        (0..self.0.labels.len()).map(move |place| Label { of: self, place })
    }

    /// The value with this label; labels are told apart letter by letter.
    pub(crate) fn labelled(self, text: &str) -> Option<Label> {
        let place = self.0.labels.iter().position(|label| label == text)?;
        Some(Label { of: self, place })
    }
}

impl Label {
    /// The text of the value.
    pub(crate) fn text(self) -> &'static str {
        &self.of.0.labels[self.place]
    }

    /// Which of two values comes first; `None` if they are of different types.
    pub(crate) fn compare(self, other: Self) -> Option<std::cmp::Ordering> {
        (self.of == other.of).then(|| self.place.cmp(&other.place))
    }
}
