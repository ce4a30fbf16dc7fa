//! What was learnt from conflicts, as clauses of a SAT solver.
//!
//! Only choices that ever occurred in a conflict become variables. A variable is false as long as
//! the choice stays as first guessed, so the solver, which tries false first, changes as little as
//! it can. Every clause has a switch: when the clauses have no model, the switches that the solver
//! blames name the conflicts that exclude every assignment.

use rustc_hash::{FxHashMap, FxHashSet};

use super::choices::Decided;
use super::conflict::{Conflict, Literal};
use super::context::Context;
use super::saturated::Saturated;
use crate::budget::{Budget, Stop};
use crate::ir::{Ir, ReadId};
use crate::sat::{Lit, Sat, SatResult, Var};

/// What was learnt, in a SAT solver.
pub(super) struct Clauses<'a, S> {
    ir: &'a Ir,
    saturated: Option<&'a Saturated>,
    budget: &'a Budget,
    solver: S,
    /// The variable of each literal in canonical direction, true when the choice differs from
    /// the first guess; the flag says whether the canonical literal was the first guess.
    variables: FxHashMap<Literal, (Var, bool)>,
    /// Canonical literals in order of creation.
    created: Vec<Literal>,
    pub(super) conflicts: Vec<Conflict>,
    /// One literal per conflict that switches its clause on.
    switches: Vec<Lit>,
    known: FxHashSet<Vec<Literal>>,
    /// Reads whose "one of these sources" is in the solver.
    chosen: FxHashSet<ReadId>,
    empty: Option<usize>,
}

impl<'a, S: Sat> Clauses<'a, S> {
    /// Nothing was learnt yet.
    pub(super) fn new(context: &Context<'a>, budget: &'a Budget) -> Self {
        Self {
            ir: context.ir,
            saturated: context.saturated,
            budget,
            solver: S::within(budget),
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
    pub(super) fn decided(&self) -> Decided {
        let mut decided = Decided::default();
        for &literal in &self.created {
            let (variable, first_guess) = self.variables[&literal];
            let flipped = self.solver.value(variable);
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
    pub(super) fn learn(&mut self, conflicts: Vec<Conflict>) -> bool {
        let mut news = false;
        for conflict in conflicts {
            let open: Vec<Literal> = conflict
                .literals
                .iter()
                .copied()
                .filter(|&literal| !self.saturated.is_some_and(|saturated| saturated.has(literal)))
                .collect();
            if !self.known.insert(open.clone()) {
                continue;
            }
            news = true;
            if open.is_empty() {
                self.empty.get_or_insert(self.conflicts.len());
            }
            let switch = Lit::new(self.solver.variable(None), true);
            let mut clause: Vec<Lit> = vec![!switch];
            clause.extend(open.iter().map(|&literal| !self.literal(literal)));
            self.solver.add(&clause);
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
        let variable = self.solver.variable(None);
        self.variables.insert(canonical, (variable, first_guess));
        self.created.push(canonical);
        (variable, first_guess)
    }

    /// A live reader has one of its sources.
    fn choose(&mut self, read: ReadId, guessed: Literal) {
        if !self.chosen.insert(read) {
            return;
        }
        let sources = self.ir.reads[read.index()].sources.clone();
        let mut clause = Vec::new();
        for (place, &source) in sources.iter().enumerate() {
            let literal = Literal::Reads(read, source);
            let excluded = |saturated: &Saturated| saturated.excluded.hold(read, place);
            if self.saturated.is_some_and(excluded) {
                continue;
            }
            let (variable, first_guess) = match self.variables.get(&literal) {
                Some(&known) => known,
                None => self.create(literal, literal == guessed),
            };
            clause.push(Lit::new(variable, !first_guess));
        }
        // A reader that may not have taken effect needs a source only if another unit reads
        // from it; but every conflict about its reads also names that unit, so demanding a source
        // always excludes nothing.
        self.solver.add(&clause);
    }

    /// The conflicts of an unsatisfiable core, if the clauses are unsatisfiable.
    ///
    /// # Errors
    /// If the budget was used up before the solver knew.
    pub(super) fn refuted(&mut self) -> Result<Option<Vec<Conflict>>, Stop> {
        if let Some(empty) = self.empty {
            return Ok(Some(vec![self.conflicts[empty].clone()]));
        }
        match self.solver.solve(&self.switches) {
            SatResult::Model => return Ok(None),
            // Only the budget makes the solver stop, and it stays used up.
            SatResult::Stopped => self.budget.check()?,
            SatResult::Unsatisfiable => {}
        }
        let core: Vec<Conflict> = self
            .switches
            .iter()
            .zip(&self.conflicts)
            .filter(|(switch, _)| self.solver.blames(**switch))
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
