//! Looks for a proof: tries the witness maps one after the other.

use rustc_hash::FxHashMap;
use tristan_ground::{Budget, Limits};
use tristan_spec::ReadRule;
use tristan_spec::iso::{Check, Given, IsoLevel, Rel, WitnessKind};

use super::axioms::Shape;
use super::checks::for_all_keys;
use super::conjuncts::{Conjunct, conjuncts, conjuncts_for};
use super::facts::{Fact, Learnt};
use super::induction::{Induction, Unrolled, unroll};
use super::premises::Premises;
use super::rewrite::map_rels;
use super::theory::{Entailment, Theory};
use super::witness_map::{Image, maps, replace};
use super::{Obligation, Proof};

/// A proof that every history that keeps the first level keeps the second, whatever its size;
/// `None` if none was found, which says nothing.
pub fn prove(stronger: &IsoLevel, weaker: &IsoLevel) -> Option<Proof> {
    prove_within(stronger, weaker, &Budget::default())
}

/// The same, as long as the budget allows; `None` also if the budget has ended.
pub fn prove_within(stronger: &IsoLevel, weaker: &IsoLevel, budget: &Budget) -> Option<Proof> {
    if !may_read_no_more(stronger.reads, weaker.reads) {
        return None;
    }
    let budget = &budget.within(&Limits::default());
    let _proving = budget.scope("prove");
    let with = |timed: bool| Search::new(stronger, weaker, timed, budget).run();
    with(false).or_else(|| if asks_for_time(stronger) { with(true) } else { None })
}

/// Whether the level says something about the clock.
fn asks_for_time(level: &IsoLevel) -> bool {
    let clock =
        |rel: &Rel| matches!(rel, Rel::Given(Given::Rt | Given::CommitOrder | Given::BeginCommit));
    level.checks.iter().any(|check| check.any_rel(&clock))
}

/// Whether every read that the first rule allows, the second allows.
fn may_read_no_more(stronger: ReadRule, weaker: ReadRule) -> bool {
    stronger == weaker || stronger == ReadRule::Committed || weaker == ReadRule::Dirty
}

/// What all attempts share.
struct Search<'a> {
    weaker: &'a IsoLevel,
    names: Vec<String>,
    premises: Premises,
    induction: Induction,
    goals: Vec<Conjunct>,
    /// Goals without closures that were asked before.
    settled: FxHashMap<Check, Option<Entailment>>,
}

/// A goal that was reached.
struct Reached {
    entailment: Entailment,
    check: Check,
}

impl<'a> Search<'a> {
    fn new(stronger: &IsoLevel, weaker: &'a IsoLevel, timed: bool, budget: &Budget) -> Self {
        let mut premises = Premises::of(stronger, timed, budget);
        if lacks_order(&premises.theory, weaker) {
            premises.add_order_of_history();
        }
        let mut induction = Induction::default();
        induction.learn(&mut premises.theory, None);
        let witnesses = stronger.witnesses.iter().map(|witness| witness.name.clone());
        let orders = premises.orders.iter().map(|order| order.name.clone());
        Self {
            weaker,
            names: witnesses.chain(orders).collect(),
            premises,
            induction,
            goals: weaker.checks.iter().flat_map(conjuncts).collect(),
            settled: FxHashMap::default(),
        }
    }

    /// A proof with any map.
    fn run(mut self) -> Option<Proof> {
        let maps = maps(&self.premises.theory, self.weaker);
        maps.iter().find_map(|map| self.attempt(map))
    }

    /// A proof with this map.
    fn attempt(&mut self, map: &[Image]) -> Option<Proof> {
        let goals = self.goals_about(map)?;
        let (closed, plain): (Vec<_>, Vec<_>) = goals.into_iter().partition(has_closure);
        let mut reached = Vec::new();
        for goal in plain {
            reached.push(self.reach_plain(goal.closed())?);
        }
        let (mut theory, mut induction) = (self.premises.theory.clone(), self.induction.clone());
        for goal in closed {
            reached.extend(reach(&mut theory, &mut induction, &goal)?);
        }
        Some(self.proof(map, &induction.learnt, reached))
    }

    /// The checks of the weaker level about the images of its witnesses.
    fn goals_about(&self, map: &[Image]) -> Option<Vec<Conjunct>> {
        let images: Vec<Option<Image>> = map.iter().cloned().map(Some).collect();
        let about = |goal: &Conjunct| {
            let mut complete = true;
            let check = map_rels(&goal.check, &mut |rel| {
                replace(rel, &images).unwrap_or_else(|| {
                    complete = false;
                    rel.clone()
                })
            });
            complete.then(|| Conjunct { keys: goal.keys.clone(), check })
        };
        self.goals.iter().map(about).collect()
    }

    fn reach_plain(&mut self, check: Check) -> Option<Reached> {
        let theory = &self.premises.theory;
        let known = self.settled.entry(check.clone()).or_insert_with(|| theory.entails(&check));
        known.clone().map(|entailment| Reached { entailment, check })
    }

    fn proof(&self, map: &[Image], learnt: &[Learnt], reached: Vec<Reached>) -> Proof {
        let used = used_facts(learnt, &reached);
        let names = self.weaker.witnesses.iter().map(|witness| witness.name.clone());
        let obligation =
            |goal: Reached| Obligation { check: goal.check, scope: goal.entailment.scope };
        Proof {
            timed: self.premises.theory.timed,
            names: self.names.clone(),
            orders: self.premises.orders.clone(),
            map: names.zip(map.iter().cloned()).collect(),
            facts: used,
            obligations: reached.into_iter().map(obligation).collect(),
        }
    }
}

/// Whether the weaker level needs an order and the stronger one gives none.
fn lacks_order(theory: &Theory, weaker: &IsoLevel) -> bool {
    let needs = |kind: WitnessKind| weaker.witnesses.iter().any(|witness| witness.kind == kind);
    let has = |shape: Shape| theory.shapes.contains(&shape);
    let total = has(Shape::Order { init_first: true });
    needs(WitnessKind::Order) && !total
        || needs(WitnessKind::OrderPerKey) && !total && !has(Shape::OrderOfWriters)
}

/// Whether a transitive closure has to be known for the goal: `acyclic` speaks of one, too.
fn has_closure(goal: &Conjunct) -> bool {
    let closes = |rel: &Rel| matches!(rel, Rel::Plus(_) | Rel::Star(_));
    has_acyclic(&goal.check) || goal.check.any_rel(&closes)
}

fn has_acyclic(check: &Check) -> bool {
    match check {
        Check::Acyclic(_) => true,
        Check::Not(inner) | Check::ForAll(_, inner) => has_acyclic(inner),
        Check::All(parts) | Check::Any(parts) => parts.iter().any(has_acyclic),
        Check::In(..) | Check::Irreflexive(_) | Check::Empty(_) | Check::Total(_) => false,
    }
}

/// Tries the goal as it is; then, if it is a disjunction, one of its parts for all histories.
fn reach(theory: &mut Theory, induction: &mut Induction, goal: &Conjunct) -> Option<Vec<Reached>> {
    if let Some(reached) = reach_closed(theory, induction, goal) {
        return Some(vec![reached]);
    }
    let Check::Any(parts) = &goal.check else { return None };
    parts.iter().find_map(|part| {
        let mut reached = Vec::new();
        for goal in conjuncts_for(&goal.keys, part) {
            reached.extend(reach(theory, induction, &goal)?);
        }
        Some(reached)
    })
}

/// Tries the goal after learning about its closures, and in other ways if it says that something
/// has no cycle.
fn reach_closed(
    theory: &mut Theory,
    induction: &mut Induction,
    goal: &Conjunct,
) -> Option<Reached> {
    let closed = goal.closed();
    induction.learn(theory, Some(&closed));
    if let Some(reached) = reach_unrolled(theory, goal) {
        return Some(reached);
    }
    let Check::Acyclic(rel) = &closed else { return None };
    if !induction.set_apart(theory, rel) {
        return None;
    }
    induction.learn(theory, Some(&closed));
    reach_unrolled(theory, goal)
}

/// Tries the goal with its closures unrolled in every way.
fn reach_unrolled(theory: &Theory, goal: &Conjunct) -> Option<Reached> {
    Unrolled::ALL.into_iter().find_map(|how| {
        let check = for_all_keys(&goal.keys, unroll(&goal.check, how)?);
        let entailment = theory.entails(&check)?;
        Some(Reached { entailment, check: goal.closed() })
    })
}

/// The facts that goals follow from, directly or through other facts.
fn used_facts(learnt: &[Learnt], reached: &[Reached]) -> Vec<Fact> {
    let mut needed: Vec<usize> =
        reached.iter().flat_map(|goal| goal.entailment.from.iter().copied()).collect();
    let mut used = Vec::new();
    for known in learnt.iter().rev() {
        if needed.contains(&known.place) {
            needed.extend(&known.from);
            used.push(known.fact.clone());
        }
    }
    used.reverse();
    used
}
