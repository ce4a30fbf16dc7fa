//! The shapes a level forbids, as a small automaton.
//!
//! A formula forbids cycles whose edges, read in order, spell a word of its expression. The
//! automaton of the expression turns that into plain reachability: a node is a transaction in a
//! state, an arc moves along a dependency from state to state.
//!
//! ```text
//!   acyclic((b | ww) ; rw?)          b, ww
//!                               C ─────────► B      two states per transaction: the
//!                               ▲ ◄───────── │      begin/commit graph of Viper falls out
//!                               └─── rw ─────┘
//! ```
//!
//! `acyclic` must not have a cycle through its start state. `irreflexive` allows cycles as
//! long as the last arc of the word, the *jump* back to the start, is not used exactly once.

use tristan_spec::{Constraint, Expr, Formula, Rel, Set};

use crate::ir::{Read, ReadKind};

/// Index of a state.
pub(crate) type State = u8;

/// A move along a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Arc {
    /// The kind of dependency.
    pub(crate) rel: Rel,
    /// The state of the earlier transaction.
    pub(crate) from: State,
    /// The state of the later transaction.
    pub(crate) to: State,
    /// Whether it ends a word of an `irreflexive` expression.
    pub(crate) jump: bool,
}

impl Arc {
    /// Whether an anti-dependency of the read runs along the arc.
    pub(crate) fn counts(self, read: &Read) -> bool {
        self.rel != Rel::ItemRw || read.kind != ReadKind::Predicate
    }
}

/// A move within one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Inside {
    /// From this state …
    pub(crate) from: State,
    /// … to this one, …
    pub(crate) to: State,
    /// … if the transaction is in this set.
    pub(crate) test: Option<Set>,
    /// Whether it ends a word of an `irreflexive` expression.
    pub(crate) jump: bool,
}

/// How a walk that one jump closes gets from the version that was missed back to the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Return {
    /// By a single step of one of these relations.
    One(Vec<Rel>),
    /// By any number of such steps.
    Many(Vec<Rel>),
}

/// The compiled formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Automaton {
    /// Per state: whether a cycle through it is forbidden.
    pub(crate) acyclic: Vec<bool>,
    /// Moves between transactions.
    pub(crate) arcs: Vec<Arc>,
    /// Moves within a transaction.
    pub(crate) inside: Vec<Inside>,
    /// Whether loops of `otv` are forbidden.
    pub(crate) vanishing: bool,
    /// Whether loops of `cursor` are forbidden.
    pub(crate) cursor: bool,
}

impl Automaton {
    /// Compiles a formula.
    pub(crate) fn compile(formula: &Formula) -> Self {
        let mut automaton = Self::default();
        for constraint in &formula.constraints {
            match constraint {
                Constraint::Irreflexive(Expr::Rel(Rel::Vanishing)) => automaton.vanishing = true,
                Constraint::Irreflexive(Expr::Rel(Rel::Cursor)) => automaton.cursor = true,
                Constraint::Acyclic(expr) => {
                    let start = automaton.state(true);
                    automaton.build(without_closure(expr), start, start);
                }
                Constraint::Irreflexive(expr) => automaton.irreflexive(expr),
            }
        }
        automaton.collapse();
        automaton.merge_equal_loops();
        automaton.arcs.sort_unstable();
        automaton.arcs.dedup();
        automaton.inside.sort_unstable();
        automaton.inside.dedup();
        automaton
    }

    /// Number of states.
    pub(crate) fn states(&self) -> usize {
        self.acyclic.len()
    }

    /// The arcs of a relation.
    pub(crate) fn arcs_of(&self, rel: Rel) -> impl Iterator<Item = Arc> + '_ {
        self.arcs.iter().copied().filter(move |arc| arc.rel == rel)
    }

    /// The arcs that follow anti-dependencies, of all reads or of items only.
    pub(crate) fn missing(&self) -> impl Iterator<Item = Arc> + '_ {
        self.arcs.iter().copied().filter(|arc| matches!(arc.rel, Rel::Rw | Rel::ItemRw))
    }

    /// Whether a walk along `rel` that is in state `to` after one step of the arc can go on
    /// with further steps of the same arc: then a chain of single steps stands for the
    /// transitive relation. `writers_only` says the walk visits only writers.
    pub(crate) fn chains(&self, arc: Arc, writers_only: bool) -> bool {
        !arc.jump && self.slides(arc.to, arc.from, writers_only)
    }

    /// Whether a unit in `state` can step along `ww` and be in `state` again.
    pub(crate) fn carries_ww(&self, state: State) -> bool {
        self.arcs_of(Rel::Ww).any(|arc| {
            !arc.jump && self.slides(state, arc.from, true) && self.slides(arc.to, state, true)
        })
    }

    /// Whether session order carries what is read from one transaction of a session to the next:
    /// what reaches the first by a read reaches the second in the same state, and whatever
    /// the second misses the first misses too; if the second is what the first misses, it comes
    /// later all the same.
    pub(crate) fn carries_sessions(&self) -> bool {
        let leads = |from: State, to: State| {
            self.arcs_of(Rel::So).any(|arc| {
                !arc.jump && self.slides(from, arc.from, false) && self.slides(arc.to, to, false)
            })
        };
        let plain = !self.cursor && !self.vanishing;
        plain
            && self.arcs_of(Rel::Wr).all(|arc| !arc.jump && leads(arc.to, arc.to))
            && self
                .missing()
                .all(|arc| !arc.jump && leads(arc.from, arc.from) && leads(arc.from, arc.to))
    }

    /// One state, in which no cycle of these relations is allowed.
    pub(super) fn closure(rels: &[Rel]) -> Self {
        let arc = |&rel: &Rel| Arc { rel, from: 0, to: 0, jump: false };
        let arcs = rels.iter().map(arc).collect();
        Self { acyclic: vec![true], arcs, ..Self::default() }
    }

    /// The same without the moves along a relation.
    pub(super) fn without(&self, rel: Rel) -> Self {
        let mut automaton = self.clone();
        automaton.arcs.retain(|arc| arc.rel != rel);
        automaton
    }

    /// The state whose order all steps go along, alone with its steps and the jumps, and how
    /// these are closed.
    pub(super) fn flat(&self) -> Option<(Self, Return)> {
        let (spine, returns) = self.returns()?;
        let on_spine = |arc: &&Arc| arc.jump || (arc.from, arc.to) == (spine, spine);
        let arcs = self.arcs.iter().filter(on_spine).map(|arc| Arc { from: 0, to: 0, ..*arc });
        let flat = Self { acyclic: vec![true], arcs: arcs.collect(), ..Self::default() };
        Some((flat, returns))
    }

    /// The state whose order all steps go along, and how jumps are closed, if there is such a
    /// state: then a version that comes after its reader in that order cannot be missed.
    pub(super) fn returns(&self) -> Option<(State, Return)> {
        let (jumps, steps): (Vec<Arc>, Vec<Arc>) = self.arcs.iter().partition(|arc| arc.jump);
        let spine = (0..self.states() as State).find(|&state| self.acyclic[state as usize])?;
        let is_loop = |arc: &&Arc| (arc.from, arc.to) == (spine, spine);
        let ordered: Vec<Rel> = steps.iter().filter(is_loop).map(|arc| arc.rel).collect();
        let &Arc { from: last, to: first, .. } = jumps.first()?;
        let shared = last == spine;
        let back = |arc: &&Arc| (arc.from, arc.to) == (first, last);
        let rels: Vec<Rel> = steps.iter().filter(back).map(|arc| arc.rel).collect();
        let known = |rel: &Rel| matches!(rel, Rel::So | Rel::Wr | Rel::Ww | Rel::Rt);
        let simple = self.inside.is_empty()
            && self.acyclic.iter().filter(|&&acyclic| acyclic).count() == 1
            && jumps.iter().all(|arc| (arc.from, arc.to) == (last, first))
            && jumps.iter().all(|arc| matches!(arc.rel, Rel::Rw | Rel::ItemRw))
            && steps.len() == ordered.len() + if shared { 0 } else { rels.len() }
            && ordered.contains(&Rel::Ww)
            && ordered.iter().all(known)
            && rels.iter().all(|rel| ordered.contains(rel));
        let returns = if first == last { Return::Many(rels) } else { Return::One(rels) };
        simple.then_some((spine, returns))
    }

    /// Whether one can get from one state to the other within a transaction.
    fn slides(&self, from: State, to: State, writers_only: bool) -> bool {
        let open = |test: Option<Set>| test.is_none() || writers_only && test == Some(Set::Writers);
        let mut seen = vec![false; self.states()];
        let mut stack = vec![from];
        while let Some(state) = stack.pop() {
            if state == to {
                return true;
            }
            if !std::mem::replace(&mut seen[state as usize], true) {
                let moves =
                    self.inside.iter().filter(|inside| inside.from == state && !inside.jump);
                stack.extend(moves.filter(|inside| open(inside.test)).map(|inside| inside.to));
            }
        }
        false
    }

    fn state(&mut self, acyclic: bool) -> State {
        self.acyclic.push(acyclic);
        State::try_from(self.acyclic.len() - 1).expect("formulas have few states")
    }

    /// Adds moves so that exactly the words of `expr` lead from one state to the other.
    fn build(&mut self, expr: &Expr, from: State, to: State) {
        match expr {
            Expr::Rel(rel) => self.arcs.push(Arc { rel: *rel, from, to, jump: false }),
            Expr::Test(set) => self.slide(from, to, Some(*set)),
            Expr::Seq(parts) => {
                let mut at = from;
                for (position, part) in parts.iter().enumerate() {
                    let next = if position + 1 == parts.len() { to } else { self.state(false) };
                    self.build(part, at, next);
                    at = next;
                }
            }
            Expr::Alt(parts) => parts.iter().for_each(|part| self.build(part, from, to)),
            Expr::Opt(inner) => {
                self.build(inner, from, to);
                self.slide(from, to, None);
            }
            Expr::Plus(inner) => {
                let middle = self.state(false);
                self.build(inner, from, middle);
                self.build(inner, middle, middle);
                self.slide(middle, to, None);
            }
            Expr::Star(inner) => {
                let middle = self.state(false);
                self.slide(from, middle, None);
                self.build(inner, middle, middle);
                self.slide(middle, to, None);
            }
        }
    }

    fn slide(&mut self, from: State, to: State, test: Option<Set>) {
        if from != to {
            self.inside.push(Inside { from, to, test, jump: false });
        }
    }

    /// The moves into the accepting state become jumps to the start; if the start then differs
    /// from a state only by jumps it lacks, it is that state, because no dependency leads from
    /// a transaction to itself.
    fn irreflexive(&mut self, expr: &Expr) {
        let start = self.state(false);
        let accept = self.state(false);
        self.build(expr, start, accept);
        for arc in self.arcs.iter_mut().filter(|arc| arc.to == accept) {
            (arc.to, arc.jump) = (start, true);
        }
        self.collapse_keeping(accept);
        for arc in self.arcs.iter_mut().filter(|arc| arc.to == accept) {
            (arc.to, arc.jump) = (start, true);
        }
        for inside in self.inside.iter_mut().filter(|inside| inside.to == accept) {
            (inside.to, inside.jump) = (start, true);
        }
        let twin = (0..self.states() as State).find(|&state| self.is_twin(start, state));
        if let Some(twin) = twin {
            self.arcs.retain(|arc| arc.from != start);
            self.redirect(start, twin);
        }
    }

    fn is_twin(&self, start: State, state: State) -> bool {
        let moves = |of: State| {
            let arcs = self.arcs.iter().filter(move |arc| arc.from == of);
            arcs.map(|arc| (arc.rel, arc.to, arc.jump)).collect::<Vec<_>>()
        };
        let slides = self.inside.iter().any(|inside| [start, state].contains(&inside.from));
        let (first, second) = (moves(start), moves(state));
        state != start
            && !slides
            && !first.is_empty()
            && first.iter().all(|one| second.contains(one))
            && second.iter().all(|one| one.2 || first.contains(one))
    }

    /// Removes unconditional slides where one of the two states is reached or left by nothing else.
    fn collapse(&mut self) {
        self.collapse_keeping(State::MAX);
    }

    fn collapse_keeping(&mut self, kept: State) {
        while let Some(slide) =
            self.inside.iter().copied().find(|slide| self.collapses(slide, kept))
        {
            self.inside.retain(|inside| *inside != slide);
            if self.entries(slide.to) == 0 {
                self.redirect(slide.to, slide.from);
            } else {
                self.redirect(slide.from, slide.to);
            }
        }
    }

    fn collapses(&self, slide: &Inside, kept: State) -> bool {
        let plain = slide.test.is_none() && !slide.jump && slide.from != slide.to;
        let fixed = |state: State| state == kept || self.acyclic[state as usize];
        let sole_entry = self.entries(slide.to) == 1 && !fixed(slide.to);
        let sole_exit =
            self.exits(slide.from) == 1 && !fixed(slide.from) && self.entries(slide.from) > 0;
        plain && slide.to != kept && slide.from != kept && (sole_entry || sole_exit)
    }

    fn entries(&self, state: State) -> usize {
        self.arcs.iter().filter(|arc| arc.to == state).count()
            + self.inside.iter().filter(|inside| inside.to == state).count()
    }

    fn exits(&self, state: State) -> usize {
        self.arcs.iter().filter(|arc| arc.from == state).count()
            + self.inside.iter().filter(|inside| inside.from == state).count()
    }

    fn redirect(&mut self, old: State, new: State) {
        let fix = |state: &mut State| {
            if *state == old {
                *state = new;
            }
        };
        for arc in &mut self.arcs {
            fix(&mut arc.from);
            fix(&mut arc.to);
        }
        for inside in &mut self.inside {
            fix(&mut inside.from);
            fix(&mut inside.to);
        }
        self.inside.retain(|inside| inside.from != inside.to || inside.jump);
    }

    /// Two states with the same loops and no other way in or out but jumps see the same graph:
    /// one copy serves both. Then states are numbered without gaps.
    fn merge_equal_loops(&mut self) {
        for first in 0..self.states() as State {
            for second in 0..self.states() as State {
                if first != second && self.acyclic[first as usize] && self.same_loops(first, second)
                {
                    self.arcs.retain(|arc| arc.from != first);
                    self.acyclic[first as usize] = false;
                    self.acyclic[second as usize] = true;
                }
            }
        }
        let used = |state: State| self.entries(state) + self.exits(state) > 0;
        let kept: Vec<State> = (0..self.states() as State).filter(|&state| used(state)).collect();
        for (new, &old) in kept.iter().enumerate() {
            self.redirect(old, new as State);
        }
        self.acyclic = kept.iter().map(|&state| self.acyclic[state as usize]).collect();
    }

    fn same_loops(&self, first: State, second: State) -> bool {
        let moves = |of: State| {
            let touching = self.arcs.iter().filter(|arc| arc.from == of || arc.to == of);
            let mut moves: Vec<_> = touching.filter(|arc| !arc.jump).collect();
            moves.sort_unstable();
            let loops = moves.iter().all(|arc| arc.from == arc.to);
            let mut rels: Vec<Rel> = moves.iter().map(|arc| arc.rel).collect();
            rels.dedup();
            (loops, rels)
        };
        let slides = |inside: &Inside| {
            [inside.from, inside.to].iter().any(|state| [first, second].contains(state))
        };
        let (one, two) = (moves(first), moves(second));
        one.0 && two.0 && !one.1.is_empty() && one.1 == two.1 && !self.inside.iter().any(slides)
    }
}

/// `acyclic(X+)` is `acyclic(X)`.
fn without_closure(expr: &Expr) -> &Expr {
    match expr {
        Expr::Plus(inner) | Expr::Star(inner) => without_closure(inner),
        _ => expr,
    }
}

#[cfg(test)]
mod tests {
    use tristan_spec::Catalog;

    use super::*;

    fn shape(level: &str) -> (usize, usize, usize) {
        let level = Catalog::default().find(level).expect(level);
        let automaton = Automaton::compile(&level.formula);
        let jumps = automaton.arcs.iter().filter(|arc| arc.jump).count();
        (automaton.states(), automaton.inside.len(), jumps)
    }

    #[test]
    fn levels_that_forbid_one_missed_version_are_known() {
        let returns = |level: &str| {
            let level = Catalog::default().find(level).expect(level);
            Automaton::compile(&level.formula).returns().map(|(_, returns)| returns)
        };
        let (wr, ww, so) = (Rel::Wr, Rel::Ww, Rel::So);
        assert_eq!(returns("read-atomic"), Some(Return::One(vec![wr, so])));
        assert_eq!(returns("causal"), Some(Return::Many(vec![wr, so])));
        assert_eq!(returns("plain-causal"), Some(Return::Many(vec![wr])));
        assert_eq!(returns("parallel-si"), Some(Return::Many(vec![wr, ww, so])));
        assert_eq!(returns("update-atomic"), Some(Return::One(vec![wr, ww, so])));
        for other in ["serializable", "snapshot-isolation", "read-committed"] {
            assert_eq!(returns(other), None, "{other}");
        }
        assert_eq!(returns("forward-consistent-view"), None, "time is no order of versions");
    }

    #[test]
    fn well_known_graphs_fall_out() {
        assert_eq!(shape("serializable"), (1, 0, 0), "the serialization graph");
        assert_eq!(shape("snapshot-isolation"), (2, 1, 0), "the begin/commit graph");
        assert_eq!(shape("prefix"), (2, 1, 0));
        assert_eq!(shape("consistent-view"), (1, 0, 1), "one graph, anti-dependencies jump");
        assert_eq!(shape("causal"), (2, 0, 1), "one graph to order, one to see");
        assert_eq!(shape("read-atomic"), (3, 0, 1));
        assert_eq!(shape("forward-consistent-view"), (2, 0, 1));
    }

    /// The last reader of a run may be the one that overwrites what the others read; then session order
    /// must lead to where the anti-dependency leads.
    #[test]
    fn reads_are_merged_only_where_session_order_says_as_much() {
        let carries = |formula: &str| {
            let formula: Formula = formula.parse().expect("a formula");
            Automaton::compile(&formula).carries_sessions()
        };
        assert!(carries("acyclic(wr | so | ww | rw)"));
        assert!(carries("acyclic((wr | so | ww) ; rw?)"));
        assert!(carries("acyclic(wr | so | ww | rwi)"));
        assert!(!carries("acyclic(wr | ww | rw)"), "no session order");
        assert!(!carries("acyclic(so* ; rw | ww)"), "nothing leads to the overwriter");
        assert!(!carries("acyclic(wr | so | ww), irreflexive((wr | so) ; rw)"), "one step only");
    }
}
