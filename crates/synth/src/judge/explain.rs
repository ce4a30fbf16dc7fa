//! Why a level is violated.
//!
//! No choice of witnesses is right, so which wrong one should be shown? The one that gets
//! furthest: checks are demanded one after the other, and of a relation that must have no cycle
//! one part after the other, as long as some choice meets them all. What that choice still
//! violates is the explanation; a cycle that any choice of version orders runs into, say.
//!
//! The level is taken in its textbook form ([`textbook`]), so that a missing commit order, too, is
//! explained by a cycle of dependencies.

use tristan_spec::iso::{Check, IsoLevel, Rel};

use super::shown::{Shown, shown};
use super::steps::{Guide, Step, path};
use crate::evaluate::{Bound, Evaluator, Matrix};
use crate::gates::{Gate, Model, SearchLimitError, Solver};
use crate::rewrite::{flatten, mentioned, textbook};
use crate::scene::{Cast, Scene};
use crate::text::Printer;

/// A check that the best choice of witnesses violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolatedCheck {
    /// The check of the level that does not hold.
    pub check: Check,
    /// The witnesses under which it is shown.
    pub witnesses: Vec<Shown>,
    /// What violates it.
    pub evidence: Evidence,
}

impl ViolatedCheck {
    /// The check, as it could stand in a file with the level.
    pub fn text(&self, level: &IsoLevel) -> String {
        let names: Vec<String> = level.witnesses.iter().map(|one| one.name.clone()).collect();
        Printer::new(&names).check(&self.check)
    }
}

/// What violates a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Steps that end where they start.
    Cycle(Vec<Step>),
    /// Steps from a transaction to another that should not be there.
    Path(Vec<Step>),
    /// Two transactions that should be related and are not.
    Unrelated(usize, usize),
    /// Something holds that must not, or none of several things does.
    Whole,
}

/// What the best choice violates. The level must be violated by every choice.
pub(crate) fn explain(
    solver: &mut Solver,
    scene: &Scene,
    level: &IsoLevel,
) -> Result<ViolatedCheck, SearchLimitError> {
    let level = textbook(level);
    let checks = flatten(&level.checks);
    let cast = Cast::free(solver, scene, &level, &mentioned(&level));
    let Some(model) = furthest(solver, &cast, &checks)? else {
        return Ok(ViolatedCheck {
            check: Check::All(checks),
            witnesses: vec![],
            evidence: Evidence::Whole,
        });
    };
    let scene = scene.settled(&model);
    let witnesses = cast.witnesses.iter().map(|chosen| chosen.settled(&model)).collect();
    let cast = Cast { scene: &scene, witnesses };
    let mut guide = Guide::new(&level, &cast);
    let witnesses = shown(&level, &scene, &cast.witnesses);
    let violated = checks.iter().find_map(|check| {
        let evidence = evidence(&mut guide, check, &Bound::default())?;
        Some(ViolatedCheck { check: check.clone(), witnesses: witnesses.clone(), evidence })
    });
    let whole =
        ViolatedCheck { check: Check::All(checks.clone()), witnesses, evidence: Evidence::Whole };
    Ok(violated.unwrap_or(whole))
}

/// The choice that meets as many checks as it can, earlier ones first; `None` if there is nothing
/// to choose from.
fn furthest(
    solver: &mut Solver,
    cast: &Cast<'_>,
    checks: &[Check],
) -> Result<Option<Model>, SearchLimitError> {
    let mut evaluator = Evaluator::new(cast);
    let mut met: Vec<Gate> = Vec::new();
    let mut best = solver.ask(&[])?;
    for check in checks {
        let mut claimed = None;
        let mut kept = Vec::new();
        for piece in pieces(check) {
            let wanted = together(&kept, &piece);
            let claim = evaluator.claim(&mut solver.circuit, &wanted, &Bound::default(), true);
            met.push(claim);
            let found = solver.ask(&met)?;
            met.pop();
            if found.is_some() {
                best = found;
                claimed = Some(claim);
                kept.push(piece);
            }
        }
        met.extend(claimed);
    }
    Ok(best)
}

/// Checks that together are this one, to be met one after the other.
fn pieces(check: &Check) -> Vec<Check> {
    match check {
        Check::Acyclic(rel) => split(rel).into_iter().map(Check::Acyclic).collect(),
        other => vec![other.clone()],
    }
}

/// The pieces of one check, and one more of them.
fn together(kept: &[Check], piece: &Check) -> Check {
    let rel = |check: &Check| match check {
        Check::Acyclic(rel) => Some(rel.clone()),
        _ => None,
    };
    match rel(piece) {
        Some(last) => {
            Check::Acyclic(Rel::Union(kept.iter().filter_map(rel).chain([last]).collect()))
        }
        None => piece.clone(),
    }
}

/// Relations whose union is this one: `a | b;c?` is `a`, `b` and `b;c`.
fn split(rel: &Rel) -> Vec<Rel> {
    match rel {
        Rel::Union(parts) => parts.iter().flat_map(split).collect(),
        Rel::Seq(parts) => {
            let optional = parts.iter().position(|part| matches!(part, Rel::Opt(_)));
            let Some((place, Rel::Opt(inner))) = optional.map(|place| (place, &parts[place]))
            else {
                return vec![rel.clone()];
            };
            let (mut with, mut without) = (parts.clone(), parts.clone());
            without.remove(place);
            with[place] = inner.as_ref().clone();
            let without = match without.len() {
                1 => without.remove(0),
                _ => Rel::Seq(without),
            };
            [split(&without), split(&Rel::Seq(with))].concat()
        }
        other => vec![other.clone()],
    }
}

/// What violates a check, if something does.
fn evidence(guide: &mut Guide<'_>, check: &Check, bound: &Bound) -> Option<Evidence> {
    match check {
        Check::Acyclic(rel) => {
            let cycle = shortest_cycle(&guide.matrix(rel, bound))?;
            let pairs = cycle.windows(2).map(|pair| (pair[0], pair[1]));
            let steps = pairs.flat_map(|(a, b)| guide.steps(rel, bound, a, b)).collect();
            Some(Evidence::Cycle(steps))
        }
        Check::Irreflexive(rel) => {
            let matrix = guide.matrix(rel, bound);
            let loops = (0..matrix.rows()).filter(|&node| matrix.at(node, node) == Gate::TRUE);
            let ways = loops.map(|node| guide.steps(rel, bound, node, node));
            ways.min_by_key(Vec::len).map(Evidence::Cycle)
        }
        Check::Empty(rel) => pair(guide, rel, None, bound),
        Check::In(left, right) => pair(guide, left, Some(right), bound),
        Check::Total(rel) => {
            let matrix = guide.matrix(rel, bound);
            let related = |a, b| matrix.at(a, b) == Gate::TRUE || matrix.at(b, a) == Gate::TRUE;
            let mut pairs = (0..matrix.rows()).flat_map(|b| (0..b).map(move |a| (a, b)));
            pairs.find(|&(a, b)| !related(a, b)).map(|(a, b)| Evidence::Unrelated(a, b))
        }
        Check::ForAll(var, inner) => {
            (0..guide.keys()).find_map(|key| evidence(guide, inner, &bound.with(*var, key)))
        }
        Check::All(parts) => parts.iter().find_map(|part| evidence(guide, part, bound)),
        Check::Any(parts) => {
            let all = parts.iter().all(|part| evidence(guide, part, bound).is_some());
            all.then_some(Evidence::Whole)
        }
        Check::Not(inner) => evidence(guide, inner, bound).is_none().then_some(Evidence::Whole),
    }
}

/// A pair of one relation that is not in the other.
fn pair(
    guide: &mut Guide<'_>,
    rel: &Rel,
    outside: Option<&Rel>,
    bound: &Bound,
) -> Option<Evidence> {
    let held = guide.matrix(rel, bound);
    let allowed = outside.map(|outside| guide.matrix(outside, bound));
    let is_allowed = |a, b| allowed.as_ref().is_some_and(|allowed| allowed.at(a, b) == Gate::TRUE);
    let (a, b, _) = held.possible().find(|&(a, b, _)| !is_allowed(a, b))?;
    Some(Evidence::Path(guide.steps(rel, bound, a, b)))
}

/// The transactions of a shortest cycle, the first one again at its end.
fn shortest_cycle(rel: &Matrix) -> Option<Vec<usize>> {
    let around = (0..rel.rows()).map(|node| path(rel, node, node));
    around.filter(|path| !path.is_empty()).min_by_key(Vec::len)
}
