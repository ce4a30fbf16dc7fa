//! User-defined transactions: templates, of which the heavier ones are chosen more often.

use super::{Draw, Planner, Rng, Step};
use crate::{Part, Place, Template};

/// How often other keys are drawn before two names may stand for one key.
const PATIENCE: usize = 100;

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
