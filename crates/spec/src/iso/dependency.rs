//! Levels of the framework `dependency` as formulas for the fast engine.
//!
//! ```text
//!   Acyclic(Seq[Union[Named b, Named ww], Opt(Named rw)])  ──►  acyclic((b | ww) ; rw?)
//! ```
//!
//! The names of that framework are the dependencies that [`crate::Formula`] is about. They can
//! be trusted: nothing in a level can give them another meaning.

use super::model::{Check, Given, IsoLevel, Rel, Set};
use crate::{Constraint, Expr, Formula, Promise, Strength, atoms};

/// The framework whose levels can become formulas.
const FRAMEWORK: &str = "dependency";

/// Why a level is no formula over dependencies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DependencyFormError {
    /// It is written in another framework.
    #[error("it is written in framework `{0}`, not in `{FRAMEWORK}`")]
    Framework(String),
    /// It is about the history alone.
    #[error("it is written in no framework, not in `{FRAMEWORK}`")]
    NoFramework,
    /// It asks for nothing.
    #[error("it has no checks")]
    NoChecks,
    /// It asks for something else than the absence of cycles or loops.
    #[error("it uses checks other than `acyclic` and `irreflexive`")]
    Check,
    /// It uses something that formulas do not have.
    #[error("{0} cannot be expressed with dependencies alone")]
    Relation(&'static str),
}

impl IsoLevel {
    /// The formula over dependencies that says the same, if there is one.
    ///
    /// # Errors
    /// If there is none; the error says why.
    pub fn to_formula(&self) -> Result<Formula, DependencyFormError> {
        Ok(self.formula_with_strength()?.at_strength(self.strength.unwrap_or(Strength::Plain)))
    }

    /// The same where `b` and `o` still stand for whatever the strength makes of them.
    pub(super) fn formula_with_strength(&self) -> Result<Formula, DependencyFormError> {
        match self.framework.as_str() {
            FRAMEWORK => {}
            "" => return Err(DependencyFormError::NoFramework),
            other => return Err(DependencyFormError::Framework(other.to_owned())),
        }
        if self.checks.is_empty() {
            return Err(DependencyFormError::NoChecks);
        }
        let mut constraints = Vec::new();
        for check in &self.checks {
            add(check, &mut constraints)?;
        }
        Ok(Formula { constraints })
    }
}

fn add(check: &Check, constraints: &mut Vec<Constraint>) -> Result<(), DependencyFormError> {
    match check {
        Check::Acyclic(rel) => constraints.push(Constraint::Acyclic(expr(rel)?)),
        Check::Irreflexive(rel) => constraints.push(Constraint::Irreflexive(expr(rel)?)),
        Check::All(parts) => parts.iter().try_for_each(|part| add(part, constraints))?,
        _ => return Err(DependencyFormError::Check),
    }
    Ok(())
}

fn expr(rel: &Rel) -> Result<Expr, DependencyFormError> {
    let all = |parts: &[Rel]| parts.iter().map(expr).collect::<Result<Vec<_>, _>>();
    Ok(match rel {
        Rel::Named(name, inner) => match dependency(name) {
            Some(dependency) => Expr::Rel(dependency),
            None => expr(inner)?,
        },
        Rel::Given(given) => Expr::Rel(order(*given)?),
        Rel::Test(tested) => Expr::Test(set(tested)?),
        Rel::Union(parts) => Expr::Alt(all(parts)?),
        Rel::Seq(parts) => Expr::Seq(all(parts)?),
        Rel::Opt(inner) => Expr::Opt(Box::new(expr(inner)?)),
        Rel::Plus(inner) => Expr::Plus(Box::new(expr(inner)?)),
        Rel::Star(inner) => Expr::Star(Box::new(expr(inner)?)),
        Rel::Witness(..) => {
            return Err(DependencyFormError::Relation("a version order on its own"));
        }
        Rel::Id(_) => return Err(DependencyFormError::Relation("`id`")),
        Rel::Product(..) => return Err(DependencyFormError::Relation("`*` between sets")),
        Rel::Inter(_) => return Err(DependencyFormError::Relation("`&`")),
        Rel::Diff(..) => return Err(DependencyFormError::Relation("`\\`")),
        Rel::Inverse(_) => return Err(DependencyFormError::Relation("`^-1`")),
        Rel::OverKeys(..) => return Err(DependencyFormError::Relation("`U`")),
    })
}

/// The dependency of this name; `so` and the like are no definitions and come by themselves.
fn dependency(name: &str) -> Option<atoms::Rel> {
    let known = atoms::Rel::ALL.into_iter().find(|(_, known)| *known == name);
    known.map(|(dependency, _)| dependency)
}

fn order(given: Given) -> Result<atoms::Rel, DependencyFormError> {
    match given {
        Given::So => Ok(atoms::Rel::So),
        Given::Rt => Ok(atoms::Rel::Rt),
        Given::CommitOrder => Ok(atoms::Rel::CommitOrder),
        Given::BeginCommit => Ok(atoms::Rel::BeginCommit),
        Given::Wr(_) => Err(DependencyFormError::Relation("`wr` of one key")),
        Given::Rd(_) | Given::Of | Given::Po => {
            Err(DependencyFormError::Relation("a single read (`rd`, `of`, `po`)"))
        }
    }
}

fn set(tested: &Set) -> Result<atoms::Set, DependencyFormError> {
    match tested {
        Set::Writers => Ok(atoms::Set::Writers),
        Set::Readers => Ok(atoms::Set::Readers),
        Set::Promised(Promise::ReadCommitted) => Ok(atoms::Set::Committed),
        Set::Promised(Promise::RepeatableRead) => Ok(atoms::Set::Repeatable),
        Set::Promised(Promise::Serializable) => Ok(atoms::Set::Serializable),
        _ => Err(DependencyFormError::Relation("a set other than R, W, C, I and S")),
    }
}
