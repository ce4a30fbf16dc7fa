//! Refinement: guess, test, and let a SAT solver learn from every cycle.
//!
//! Only choices that ever occurred in a cycle become variables. A variable is false as long as
//! the choice stays as first guessed, so the solver, which prefers false, changes as little as
//! it can. When the clauses are unsatisfiable, their conflicts are the refutation.

use batsat::interface::SolverInterface;
use batsat::{BasicSolver, Lit, Var, lbool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::assignment::{Assignment, Places};
use super::conflict::{Conflict, Literal};
use super::guess::{Decided, Guesser, is_fact};
use super::saturate::Saturated;
use super::total;
use super::versions::Versions;
use super::{automaton::Automaton, graph::Graph};
use crate::budget::{Budget, Stop};
use crate::ir::Ir;
use crate::passes::localise::localise;
use crate::threads::Threads;

/// The end of a refinement.
#[derive(Debug)]
pub enum Refined {
    /// An assignment without conflicts.
    Witness(Assignment),
    /// Conflicts that exclude every assignment.
    Refuted(Vec<Conflict>),
}

/// The problem, and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The problem.
    pub ir: &'a Ir,
    /// What it forbids.
    pub automaton: &'a Automaton,
    /// What holds whatever is chosen.
    pub known: &'a Graph,
    /// The numbers of its versions.
    pub versions: &'a Versions,
    /// What saturation derived.
    pub saturated: Option<&'a Saturated>,
    /// How many threads may work on it.
    pub threads: Threads,
}

impl<'a> Rules<'a> {
    fn guesser(&self) -> Guesser<'a> {
        Guesser::new(self)
    }
}

/// How many tests of the whole come before its knots are solved on their own. Most traces need
/// fewer, and what the knots teach makes the whole harder to guess.
const PATIENCE: usize = 64;

/// Searches until there is a witness or a refutation.
///
/// # Errors
/// If the budget is used up.
pub fn refine(
    rules: &Rules<'_>,
    localised: bool,
    budget: &Budget,
    progress: &dyn Fn(u64),
) -> Result<Refined, Stop> {
    let guesser = rules.guesser();
    let mut clauses = Clauses::new(rules.ir, rules.saturated, budget);
    let mut rounds = 0;
    loop {
        budget.check()?;
        let mut conflicts = match test(rules, &guesser, &clauses.decided()) {
            Ok(witness) => return Ok(Refined::Witness(witness)),
            Err(conflicts) => conflicts,
        };
        rounds += 1;
        if localised && rounds > PATIENCE {
            let Rules { ir, automaton, .. } = rules;
            let local = localise(ir, automaton, &conflicts, budget)?;
            conflicts.extend(local);
        }
        let news = clauses.learn(conflicts);
        debug_assert!(news, "a guess that contradicts a learnt clause");
        progress(clauses.conflicts.len() as u64);
        if let Some(core) = clauses.refuted()? {
            return Ok(Refined::Refuted(core));
        }
    }
}

/// The first guess, if it is a witness.
pub fn first_guess(rules: &Rules<'_>) -> Option<Assignment> {
    test(rules, &rules.guesser(), &Decided::default()).ok()
}

/// Every conflict that is learnt on the way to a witness or a refutation.
///
/// # Errors
/// If the budget is used up.
pub fn learn_all(rules: &Rules<'_>, budget: &Budget) -> Result<Vec<Conflict>, Stop> {
    let guesser = rules.guesser();
    let mut clauses = Clauses::new(rules.ir, rules.saturated, budget);
    while let Err(conflicts) = test(rules, &guesser, &clauses.decided()) {
        budget.check()?;
        clauses.learn(conflicts);
        if clauses.refuted()?.is_some() {
            break;
        }
    }
    Ok(clauses.conflicts)
}

/// Guesses what is not decided and tests it: a witness, or what is wrong with it.
fn test(
    rules: &Rules<'_>,
    guesser: &Guesser<'_>,
    decided: &Decided,
) -> Result<Assignment, Vec<Conflict>> {
    let (mut assignment, position) = guesser.guess(decided)?;
    let conflicts = total::conflicts(rules, &assignment, position.as_deref());
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    let states = rules.automaton.states();
    assignment.places = position.map(|position| Places { states, position });
    Ok(assignment)
}

/// What was learnt, in a SAT solver.
struct Clauses<'a> {
    ir: &'a Ir,
    saturated: Option<&'a Saturated>,
    budget: &'a Budget,
    solver: BasicSolver,
    /// The variable of each literal in canonical direction, true when the choice differs from
    /// the first guess; the flag says whether the canonical literal was the first guess.
    variables: FxHashMap<Literal, (Var, bool)>,
    /// Canonical literals in order of creation.
    created: Vec<Literal>,
    conflicts: Vec<Conflict>,
    /// One literal per conflict that switches its clause on.
    switches: Vec<Lit>,
    known: FxHashSet<Vec<Literal>>,
    /// Reads whose "one of these sources" is in the solver.
    chosen: FxHashSet<u32>,
    empty: Option<usize>,
}

impl<'a> Clauses<'a> {
    fn new(ir: &'a Ir, saturated: Option<&'a Saturated>, budget: &'a Budget) -> Self {
        let mut solver = BasicSolver::default();
        let watched = budget.clone();
        solver.cb_mut().set_stop(move || watched.check().is_err());
        Self {
            ir,
            saturated,
            budget,
            solver,
            variables: FxHashMap::default(),
            created: Vec::new(),
            conflicts: Vec::new(),
            switches: Vec::new(),
            known: FxHashSet::default(),
            chosen: FxHashSet::default(),
            empty: None,
        }
    }

    /// The choices in the solver's current model.
    fn decided(&self) -> Decided {
        let mut decided = Decided::default();
        for &literal in &self.created {
            let (variable, first_guess) = self.variables[&literal];
            let flipped = self.solver.value_var(variable) == lbool::TRUE;
            match (literal, flipped != first_guess) {
                (Literal::Before(order, a, b), true) => decided.orders.push((order, a, b)),
                (Literal::Before(order, a, b), false) => decided.orders.push((order, b, a)),
                (Literal::Reads(read, source), true) => decided.sources.push((read, source)),
                (Literal::Reads(..), false) => {}
            }
        }
        decided
    }

    /// Adds conflicts; says whether any was new.
    fn learn(&mut self, conflicts: Vec<Conflict>) -> bool {
        let mut news = false;
        for conflict in conflicts {
            let open: Vec<Literal> = conflict
                .literals
                .iter()
                .copied()
                .filter(|&literal| !is_fact(self.saturated, literal))
                .collect();
            if !self.known.insert(open.clone()) {
                continue;
            }
            news = true;
            if open.is_empty() {
                self.empty.get_or_insert(self.conflicts.len());
            }
            let switch = Lit::new(self.solver.new_var_default(), true);
            let mut clause: Vec<Lit> = vec![!switch];
            clause.extend(open.iter().map(|&literal| !self.literal(literal)));
            self.solver.add_clause_reuse(&mut clause);
            self.switches.push(switch);
            self.conflicts.push(conflict);
        }
        news
    }

    fn literal(&mut self, literal: Literal) -> Lit {
        let (canonical, same) = canonical(literal);
        if let Literal::Reads(read, _) = literal {
            self.choose(read, literal);
        }
        let (variable, first_guess) = match self.variables.get(&canonical) {
            Some(&known) => known,
            // A literal enters because the guess made it true.
            None => self.create(canonical, same),
        };
        // The variable is true when the canonical literal is not as first guessed.
        let lit = Lit::new(variable, !first_guess);
        if same { lit } else { !lit }
    }

    fn create(&mut self, canonical: Literal, first_guess: bool) -> (Var, bool) {
        let variable = self.solver.new_var_default();
        self.variables.insert(canonical, (variable, first_guess));
        self.created.push(canonical);
        (variable, first_guess)
    }

    /// A live reader has one of its sources.
    fn choose(&mut self, read: u32, guessed: Literal) {
        if !self.chosen.insert(read) {
            return;
        }
        let sources = self.ir.reads[read as usize].sources.clone();
        let mut clause = Vec::new();
        for &source in &sources {
            let literal = Literal::Reads(read, source);
            let excluded = |saturated: &Saturated| saturated.excluded.contains_key(&(read, source));
            if self.saturated.is_some_and(excluded) {
                continue;
            }
            let (variable, first_guess) = match self.variables.get(&literal) {
                Some(&known) => known,
                None => self.create(literal, literal == guessed),
            };
            clause.push(Lit::new(variable, !first_guess));
        }
        // A reader that may not have taken effect needs a source only if somebody reads from
        // it; but every conflict about its reads also names that somebody, so demanding a source
        // always excludes nothing.
        self.solver.add_clause_reuse(&mut clause);
    }

    /// The conflicts of an unsatisfiable core, if the clauses are unsatisfiable.
    ///
    /// # Errors
    /// If the budget was used up before the solver knew.
    fn refuted(&mut self) -> Result<Option<Vec<Conflict>>, Stop> {
        if let Some(empty) = self.empty {
            return Ok(Some(vec![self.conflicts[empty].clone()]));
        }
        let switches = self.switches.clone();
        let answer = self.solver.solve_limited(&switches);
        if answer == lbool::TRUE {
            return Ok(None);
        }
        if answer != lbool::FALSE {
            // Only the budget makes the solver stop, and it stays used up.
            self.budget.check()?;
        }
        let core: Vec<Conflict> = self
            .switches
            .iter()
            .zip(&self.conflicts)
            .filter(|(switch, _)| self.solver.unsat_core_contains_var(switch.var()))
            .map(|(_, conflict)| conflict.clone())
            .collect();
        Ok(Some(core))
    }
}

/// Two versions are always compared in the same direction; says whether that is the given one.
fn canonical(literal: Literal) -> (Literal, bool) {
    match literal {
        Literal::Before(order, a, b) if a > b => (Literal::Before(order, b, a), false),
        other => (other, true),
    }
}
