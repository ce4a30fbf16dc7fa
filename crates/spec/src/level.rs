//! A level: a family of definitions at one strength.

use crate::names::Nameable;
use crate::{Formula, FormulaError, Strength};

/// Which versions a read may return at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadRule {
    /// Only final versions of committed transactions (no G1a, no G1b).
    Committed,
    /// Any version that was ever written, dirty and intermediate ones included.
    Dirty,
    /// What each transaction was promised: the second at read uncommitted, the first elsewhere.
    Promised,
}

/// A definition that exists in one or three strengths.
#[derive(Clone, Debug)]
pub struct Family {
    /// The name used by the source, e.g. `snapshot-isolation`.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// One line for people.
    pub title: String,
    /// What the bare name means; `None` when the formula mentions neither `b` nor `o`: there
    /// is only one form then.
    pub natural: Option<Strength>,
    /// The definition as text, with `b` and `o` for the orders of each strength.
    pub formula: String,
    /// Which versions may be read.
    pub reads: ReadRule,
    /// A smallest history the level rejects, as a trace (in the `simple` form if that can say it);
    /// empty if there is none.
    pub smallest_rejected: String,
}

/// One isolation level, ready to be judged.
#[derive(Clone, Debug)]
pub struct Level {
    /// Its full name, e.g. `strong-session-serializable`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The definition with `b` replaced by its meaning.
    pub formula: Formula,
    /// Which versions may be read.
    pub reads: ReadRule,
    /// The family it belongs to.
    pub family: String,
    /// Its strength; `None` if the family has only one form.
    pub strength: Option<Strength>,
    /// For plain levels: the definition if sessions counted, which is harder to meet but often
    /// met, and easier to decide.
    pub with_sessions: Option<Formula>,
}

impl Level {
    /// Whether it can only be judged if every transaction says what it was promised.
    pub fn asks_promises(&self) -> bool {
        self.reads == ReadRule::Promised || self.formula.asks_promises()
    }
}

impl Family {
    /// The level of this family at `strength`.
    ///
    /// # Errors
    /// If the formula cannot be read.
    pub fn level(&self, strength: Strength) -> Result<Level, FormulaError> {
        let formula: Formula = self.formula.parse()?;
        let plain = self.natural.is_some() && strength == Strength::Plain;
        Ok(Level {
            name: self.name_at(strength),
            title: self.title.clone(),
            formula: formula.at_strength(strength),
            reads: self.reads,
            family: self.name.clone(),
            strength: self.natural.map(|_| strength),
            with_sessions: plain.then(|| formula.at_strength(Strength::Session)),
        })
    }

    /// The shortest exact name of this family at `strength`.
    pub fn name_at(&self, strength: Strength) -> String {
        Nameable::name_at(self, strength)
    }

    /// The strengths this family exists in.
    pub fn strengths(&self) -> &'static [Strength] {
        Nameable::strengths(self)
    }
}

impl Nameable for Family {
    fn name(&self) -> &str {
        &self.name
    }

    fn aliases(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().map(String::as_str)
    }

    fn natural(&self) -> Option<Strength> {
        self.natural
    }
}
