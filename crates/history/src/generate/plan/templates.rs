//! Transactions of one's own: templates, of which the heavier ones are chosen more often.

use super::{Draw, Planner, Rng, Step};

/// How often other keys are drawn before two names may stand for one key.
const PATIENCE: usize = 100;

/// A kind of transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// How often it is chosen, compared with the others.
    pub weight: u32,
    /// How many keys are chosen for it.
    pub keys: usize,
    /// What it does.
    pub parts: Vec<Part>,
}

/// A step on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Read it.
    Read(Place),
    /// Write it.
    Write(Place),
    /// Read it and write what it held plus an amount.
    Add(Place, i64),
    /// Delete it.
    Delete(Place),
    /// Read all keys.
    ScanEverything,
    /// Read so many keys from there on.
    Scan(Place, i64),
    /// Read the first of so many keys, at most a number of them.
    Iterate(Place, i64, usize),
    /// Append to it.
    Append(Place),
    /// Read it as a list.
    ReadList(Place),
}

/// Which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This one.
    Key(i64),
    /// One of those that were chosen for the transaction, by number.
    Chosen(usize),
}

pub(super) struct Templates {
    pub(super) templates: Vec<Template>,
    pub(super) keys: Draw,
}

impl Planner for Templates {
    fn plan(&mut self, rng: &mut Rng, steps: &mut Vec<Step>) {
        let Some(template) = self.choose(rng) else { return };
        let chosen = self.distinct(template.keys, rng);
        steps.extend(template.parts.iter().map(|part| part.on(&chosen)));
    }
}

impl Templates {
    fn choose(&self, rng: &mut Rng) -> Option<&Template> {
        let total: u64 = self.templates.iter().map(|template| u64::from(template.weight)).sum();
        let mut dice = rng.below(total.max(1));
        self.templates.iter().find(|template| {
            let hit = dice < u64::from(template.weight);
            dice = dice.saturating_sub(u64::from(template.weight));
            hit
        })
    }

    fn distinct(&self, count: usize, rng: &mut Rng) -> Vec<i64> {
        let mut chosen: Vec<i64> = Vec::with_capacity(count);
        for _ in 0..count {
            let mut keys = std::iter::repeat_with(|| self.keys.key(rng)).take(PATIENCE);
            let key = keys.find(|key| !chosen.contains(key)).unwrap_or(1);
            chosen.push(key);
        }
        chosen
    }
}

impl Part {
    /// Whether it does nothing but read and write a key.
    pub(in crate::generate) fn is_plain(&self) -> bool {
        matches!(self, Self::Read(_) | Self::Write(_) | Self::Add(..))
    }

    fn on(self, chosen: &[i64]) -> Step {
        let key = |place: Place| match place {
            Place::Key(key) => key,
            Place::Chosen(number) => chosen[number],
        };
        match self {
            Self::Read(place) => Step::Read(key(place)),
            Self::Write(place) => Step::Write(key(place)),
            Self::Add(place, amount) => Step::Add(key(place), amount),
            Self::Delete(place) => Step::Delete(key(place)),
            Self::ScanEverything => Step::ScanEverything,
            Self::Scan(place, width) => Step::Scan(key(place), key(place).saturating_add(width)),
            Self::Iterate(place, width, most) => {
                Step::Iterate(key(place), key(place).saturating_add(width), most)
            }
            Self::Append(place) => Step::Append(key(place)),
            Self::ReadList(place) => Step::ReadList(key(place)),
        }
    }
}
