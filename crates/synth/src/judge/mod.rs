//! Does a given history keep a level?
//!
//! ```text
//!   history ──constants──► Scene ┐
//!   level, as it was written ────┴──► is there a choice of witnesses?
//! ```
//!
//! The level is taken exactly as it was written: witnesses are free, every check is demanded. None
//! of the shortcuts of the search are used here, so the judge can tell whether they were right.

mod explain;
mod shown;
mod steps;

use tristan_spec::iso::{Check, IsoLevel, Rel};

use crate::evaluate::{Bound, Evaluator};
use crate::gates::{SearchBudget, SearchLimitError, Solver};
use crate::history::AbstractHistory;
use crate::rewrite::mentioned;
use crate::scene::{Cast, Chosen, Scene};

pub use explain::{Evidence, ViolatedCheck};
pub use shown::{Shown, WitnessValue};
pub use steps::Step;

pub(crate) use explain::explain;
pub(crate) use shown::shown;

/// What the judge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// These witnesses show that the level was kept.
    Holds(Vec<Shown>),
    /// There are no such witnesses.
    Violated(ViolatedCheck),
    /// A limit was hit.
    Unknown(SearchLimitError),
}

/// Judges one level.
///
/// ```
/// use tristan_spec::iso::Library;
/// use tristan_synth::{AbstractHistory, Judgement, gates::SearchBudget, judge};
///
/// let lost_update: AbstractHistory = "r(x,0) w(x) | r(x,0) w(x)".parse()?;
/// let level = Library::standard().find("snapshot-isolation")?;
/// let judgement = judge(&level, &lost_update, &SearchBudget::default());
/// assert!(matches!(judgement, Judgement::Violated(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(level: &IsoLevel, history: &AbstractHistory, budget: &SearchBudget) -> Judgement {
    let mut solver = Solver::new(budget);
    let scene = Scene::of(history);
    let judged = match witness(&mut solver, &scene, level) {
        Ok(Some((scene, chosen))) => Ok(Judgement::Holds(shown(level, &scene, &chosen))),
        Ok(None) => why(level, history, budget).map(Judgement::Violated),
        Err(stop) => Err(stop),
    };
    judged.unwrap_or_else(Judgement::Unknown)
}

/// Whether the history keeps the level, without saying why not.
///
/// # Errors
/// If a limit is hit.
pub fn keeps(
    level: &IsoLevel,
    history: &AbstractHistory,
    budget: &SearchBudget,
) -> Result<bool, SearchLimitError> {
    let scene = Scene::of(history);
    witness(&mut Solver::new(budget), &scene, level).map(|found| found.is_some())
}

/// Why a history that violates a level does so.
fn why(
    level: &IsoLevel,
    history: &AbstractHistory,
    budget: &SearchBudget,
) -> Result<ViolatedCheck, SearchLimitError> {
    explain(&mut Solver::new(budget), &Scene::of(history), level)
}

/// Witnesses of a level for a scene, if there are any, with the scene as it then is: what it left
/// open is the solver's choice as well.
pub(crate) fn witness(
    solver: &mut Solver,
    scene: &Scene,
    level: &IsoLevel,
) -> Result<Option<(Scene, Vec<Chosen>)>, SearchLimitError> {
    let cast = Cast::free(solver, scene, level, &mentioned(level));
    let mut evaluator = Evaluator::new(&cast);
    for check in &level.checks {
        let claim = evaluator.claim(&mut solver.circuit, check, &Bound::default(), true);
        solver.require(claim);
    }
    let found = solver.ask(&[])?;
    Ok(found.map(|model| {
        let chosen = cast.witnesses.iter().map(|one| one.settled(&model)).collect();
        (scene.settled(&model), chosen)
    }))
}

/// Whether a level speaks of single reads, or of their order.
pub(crate) fn speaks_of_reads(level: &IsoLevel) -> bool {
    use tristan_spec::iso::Given;
    let is_read = |rel: &Rel| matches!(rel, Rel::Given(Given::Po | Given::Rd(_) | Given::Of));
    level.checks.iter().any(|check: &Check| check.any_rel(&is_read))
}
