//! What is known if a history keeps a level, and what follows from it.

use tristan_spec::iso::{Check, Rel};

use super::axioms::{self, Shape};
use super::checks::{for_all_keys, transitive};
use super::formula::{Id, Pred};
use super::ground::{Effort, Question, Scope, contradiction};
use super::rewrite::free_keys;
use super::translate::{IllFormedError, Numbered, Translation};

/// Checks that hold, about witnesses of known shapes.
#[derive(Clone, Debug)]
pub(super) struct Theory {
    /// The witnesses, by number.
    pub(super) shapes: Vec<Shape>,
    /// What holds.
    pub(super) known: Vec<Check>,
    /// Whether all times are known.
    pub(super) timed: bool,
    /// How much may be looked at.
    pub(super) effort: Effort,
}

/// Why a check follows from what is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entailment {
    /// How many transactions and keys a violation would be about.
    pub(super) scope: Scope,
    /// What it follows from, by place in [`Theory::known`].
    pub(super) from: Vec<usize>,
}

impl Theory {
    /// Whether the check holds in every history in which everything known holds; `None` also if
    /// that cannot be decided.
    pub(super) fn entails(&self, goal: &Check) -> Option<Entailment> {
        self.effort.goes_on()?;
        let (translation, certain, assumed) = self.question(goal).ok()?;
        let found = contradiction(&Question {
            formulas: &translation.formulas,
            signature: translation.signature(),
            certain: &certain,
            assumed: &assumed,
            effort: &self.effort,
        })?;
        Some(Entailment { scope: found.scope, from: found.needed })
    }

    /// The relations whose transitive closures occur in what is known or in the goal.
    pub(super) fn closed_relations(&self, goal: Option<&Check>) -> Vec<Rel> {
        let mut translation = Translation::new(Numbered::default());
        for check in self.known.iter().chain(goal) {
            if translation.statement(check, true).is_err() {
                return Vec::new();
            }
        }
        let mut done = 0;
        while let Some(step) = translation.closures.all().get(done).cloned() {
            if translation.statement(&contains_steps(&step), true).is_err() {
                return Vec::new();
            }
            done += 1;
        }
        translation.closures.all().to_vec()
    }

    /// What is to contradict itself if the goal holds. Abbreviations are to be known before the
    /// first formula is made, so all is made again until there are no new ones.
    fn question(&self, goal: &Check) -> Result<(Translation, Vec<Id>, Vec<Id>), IllFormedError> {
        let mut abbreviations = Numbered::default();
        loop {
            let mut translation = Translation::new(abbreviations.clone());
            let (certain, assumed) = self.formulas(&mut translation, goal)?;
            if translation.abbreviations == abbreviations {
                return Ok((translation, certain, assumed));
            }
            abbreviations = translation.abbreviations;
        }
    }

    /// That the goal fails, with everything that holds of what occurs in it; and what is known.
    fn formulas(
        &self,
        translation: &mut Translation,
        goal: &Check,
    ) -> Result<(Vec<Id>, Vec<Id>), IllFormedError> {
        let mut certain = vec![translation.statement(goal, false)?];
        let assumed: Result<Vec<Id>, _> =
            self.known.iter().map(|check| translation.statement(check, true)).collect();
        if self.timed {
            for axiom in axioms::about_time() {
                certain.push(translation.statement(&axiom, true)?);
            }
        }
        let (mut predicates, mut closures, mut abbreviations) = (0, 0, 0);
        loop {
            if let Some(&(pred, _)) = translation.signature().get(predicates) {
                for axiom in self.axioms(pred)? {
                    certain.push(translation.statement(&axiom, true)?);
                }
                predicates += 1;
            } else if let Some(step) = translation.closures.all().get(closures).cloned() {
                certain.push(translation.statement(&contains_steps(&step), true)?);
                certain.push(translation.statement(&is_transitive(&step), true)?);
                closures += 1;
            } else if abbreviations < translation.abbreviations.all().len() {
                certain.push(translation.abbreviation(abbreviations)?);
                abbreviations += 1;
            } else {
                return Ok((certain, assumed?));
            }
        }
    }

    /// What holds of a predicate in every history.
    fn axioms(&self, pred: Pred) -> Result<Vec<Check>, IllFormedError> {
        match pred {
            Pred::Witness(index) => {
                let shape = self.shapes.get(index).ok_or(IllFormedError)?;
                Ok(axioms::about_witness(index, *shape))
            }
            _ => Ok(axioms::about(pred)),
        }
    }
}

/// `E in E+`.
fn contains_steps(step: &Rel) -> Check {
    let closure = Rel::Plus(Box::new(step.clone()));
    for_all_keys(&free_keys(step), Check::In(step.clone(), closure))
}

/// `E+ ; E+ in E+`.
fn is_transitive(step: &Rel) -> Check {
    let closure = Rel::Plus(Box::new(step.clone()));
    for_all_keys(&free_keys(step), transitive(&closure))
}
