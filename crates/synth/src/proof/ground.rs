//! Decides whether finitely many instances of some formulas contradict each other.
//!
//! ```text
//!   ∃a ∃b …  ──►  the elements 1, 2, … (0 is the initial transaction); two of them may be equal
//!   ∀a …     ──►  the instances for all elements
//!   ∃a below a ∀  ──►  true
//! ```
//!
//! All three make the formulas weaker: values that satisfy them in a structure satisfy the
//! instances, once the elements are given values. So a contradiction between the instances is one
//! between the formulas, whatever the size of the structure.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use tristan_ground as ground;

use super::formula::{Formulas, INIT, Id, Kind, Node, Pred, Var};
use crate::gates::{Gate, SearchBudget, SearchLimits, Solved, Solver};

/// Elements of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// How many transactions there are, the initial one not counted.
    pub txns: usize,
    /// How many keys there are.
    pub keys: usize,
}

impl Scope {
    /// As many of each as the larger of the two has.
    pub(super) fn larger(self, other: Self) -> Self {
        Self { txns: self.txns.max(other.txns), keys: self.keys.max(other.keys) }
    }
}

/// More elements than this are not tried: the number of instances grows with a power of it, and
/// arguments have [`BITS`] bits each.
const MOST_ELEMENTS: usize = 10;

/// Predicates with more arguments than this are not tried.
const MOST_ARGUMENTS: usize = 16;

/// How many instances of one formula are remembered.
const MOST_REMEMBERED: usize = 1 << 14;

/// How many conflicts the solver may have before giving up.
const MOST_CONFLICTS: u64 = 20_000;

/// How much may still be looked at: instances of formulas, of all questions together. It is a
/// count and not a time, so that the same levels always get the same answer.
///
/// A budget besides ends the work early; then nothing is proved, and the search that follows a
/// failed proof tells which limit it was.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    left: Rc<Cell<usize>>,
    budget: ground::Budget,
}

/// Instances between two questions to the budget.
const STRIDE: usize = 1024;

impl Effort {
    /// This many instances.
    pub(super) fn new(instances: usize, budget: &ground::Budget) -> Self {
        Self { left: Rc::new(Cell::new(instances)), budget: budget.clone() }
    }

    /// `None` if the budget has ended.
    pub(super) fn goes_on(&self) -> Option<()> {
        self.budget.check().ok()
    }

    /// Takes some away; `None` if there are not so many left.
    fn spend(&self, instances: usize) -> Option<()> {
        let left = self.left.get();
        let rest = left.checked_sub(instances)?;
        self.left.set(rest);
        if left / STRIDE == rest / STRIDE { Some(()) } else { self.goes_on() }
    }
}

/// Formulas whose instances are asked about.
pub(super) struct Question<'a> {
    /// Where the formulas are.
    pub(super) formulas: &'a Formulas,
    /// The predicates in use, with the kinds of their arguments.
    pub(super) signature: &'a [(Pred, Vec<Kind>)],
    /// Formulas that hold anyway.
    pub(super) certain: &'a [Id],
    /// Formulas of which one wants to know which are needed for the contradiction.
    pub(super) assumed: &'a [Id],
    /// How much may be looked at.
    pub(super) effort: &'a Effort,
}

/// A contradiction between instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contradiction {
    /// The elements the instances are about.
    pub(super) scope: Scope,
    /// Which of the assumed formulas it needs, by number.
    pub(super) needed: Vec<usize>,
}

/// A contradiction between the formulas, if their instances show one within the limits.
pub(super) fn contradiction(question: &Question<'_>) -> Option<Contradiction> {
    let mut ground = Ground::new(question)?;
    for &formula in question.certain {
        let gate = ground.gate(formula)?;
        ground.solver.require(gate);
    }
    let mut switches = Vec::new();
    for &formula in question.assumed {
        let gate = ground.gate(formula)?;
        let switch = ground.solver.circuit.input();
        ground.solver.require_one(&[!switch, gate]);
        switches.push(switch);
    }
    ground.equality(question.signature)?;
    let Solved::No = ground.solver.solve(&switches) else { return None };
    let blamed = ground.solver.blamed(&switches);
    let needed = (0..switches.len()).filter(|&number| blamed.contains(&switches[number]));
    Some(Contradiction { scope: ground.scope, needed: needed.collect() })
}

/// Instances under construction.
struct Ground<'a> {
    formulas: &'a Formulas,
    scope: Scope,
    /// The element each variable stands for at the moment.
    values: Vec<Option<u8>>,
    /// What was found out, by formula and values of its free variables.
    known: Vec<Vec<Option<Gate>>>,
    /// Gates that are to become parts of others.
    pending: Vec<Gate>,
    atoms: FxHashMap<(Pred, u64), Gate>,
    solver: Solver,
    effort: &'a Effort,
}

impl<'a> Ground<'a> {
    fn new(question: &Question<'a>) -> Option<Self> {
        let formulas = question.formulas;
        let mut values = vec![None; formulas.variables()];
        values[INIT.0 as usize] = Some(0);
        let within = question.effort.budget.clone();
        let limits = SearchLimits { time: None, conflicts: Some(MOST_CONFLICTS), within };
        let mut ground = Self {
            formulas,
            scope: Scope::default(),
            values,
            known: vec![Vec::new(); formulas.len()],
            pending: Vec::new(),
            atoms: FxHashMap::default(),
            solver: Solver::new(&SearchBudget::start(&limits)),
            effort: question.effort,
        };
        let all = question.certain.iter().chain(question.assumed);
        let scope = all.fold(Scope::default(), |taken, &id| ground.name(id, taken));
        ground.scope = scope;
        let many = |(_, kinds): &(Pred, Vec<Kind>)| kinds.len() > MOST_ARGUMENTS;
        let few = scope.txns.max(scope.keys) < MOST_ELEMENTS;
        (few && !question.signature.iter().any(many)).then_some(ground)
    }

    /// Gives each variable that is said to exist, not depending on others, an element after
    /// those already taken. Of a disjunction one part holds, so its parts share elements.
    fn name(&mut self, id: Id, taken: Scope) -> Scope {
        match self.formulas.node(id) {
            Node::Atom { .. } | Node::ForAll(..) => taken,
            Node::All(parts) => parts.iter().fold(taken, |taken, &part| self.name(part, taken)),
            Node::Any(parts) => {
                parts.iter().fold(taken, |most, &part| most.larger(self.name(part, taken)))
            }
            Node::Exists(var, body) => {
                let mut after = taken;
                let element = match self.formulas.kind(*var) {
                    Kind::Txn => {
                        after.txns += 1;
                        after.txns
                    }
                    Kind::Key => {
                        after.keys += 1;
                        taken.keys
                    }
                };
                self.values[var.0 as usize] = u8::try_from(element).ok();
                self.name(*body, after)
            }
        }
    }

    fn count(&self, kind: Kind) -> u8 {
        let count = match kind {
            Kind::Txn => self.scope.txns + 1,
            Kind::Key => self.scope.keys,
        };
        u8::try_from(count).expect("fewer elements than the limit")
    }

    /// What the instances of the formula say, for the present values of its free variables;
    /// `None` if there are too many.
    fn gate(&mut self, id: Id) -> Option<Gate> {
        self.effort.spend(1)?;
        let place = self.place(id);
        if let Some(known) = self.known[id.0 as usize].get(place).copied().flatten() {
            return Some(known);
        }
        let gate = self.work_out(id)?;
        self.remember(id, place, gate);
        Some(gate)
    }

    fn remember(&mut self, id: Id, place: usize, gate: Gate) {
        let known = &mut self.known[id.0 as usize];
        if known.len() <= place && place < MOST_REMEMBERED {
            known.resize(place + 1, None);
        }
        if let Some(known) = known.get_mut(place) {
            *known = Some(gate);
        }
    }

    fn work_out(&mut self, id: Id) -> Option<Gate> {
        let formulas = self.formulas;
        match formulas.node(id) {
            Node::Atom { holds, pred: Pred::Same(kind), args } => {
                let (a, b) = (self.value(*args.first()?), self.value(*args.last()?));
                let gate = self.same(*kind, a, b);
                Some(if *holds { gate } else { !gate })
            }
            Node::Atom { holds, pred, args } => {
                let gate = self.atom(*pred, pack(args.iter().map(|&arg| self.value(arg))));
                Some(if *holds { gate } else { !gate })
            }
            Node::All(parts) => {
                let first = self.several(parts)?;
                Some(self.solver.circuit.and(self.pending.drain(first..)))
            }
            Node::Any(parts) => {
                let first = self.several(parts)?;
                Some(self.solver.circuit.or(self.pending.drain(first..)))
            }
            Node::ForAll(var, body) => self.instances(*var, *body),
            Node::Exists(var, body) => match self.values[var.0 as usize] {
                Some(_) => self.gate(*body),
                None => Some(Gate::TRUE),
            },
        }
    }

    /// Puts the gates of the parts after those that are pending, and says where they begin.
    fn several(&mut self, parts: &[Id]) -> Option<usize> {
        let first = self.pending.len();
        for &part in parts {
            let gate = self.gate(part)?;
            self.pending.push(gate);
        }
        Some(first)
    }

    fn instances(&mut self, var: Var, body: Id) -> Option<Gate> {
        let first = self.pending.len();
        for element in 0..self.count(self.formulas.kind(var)) {
            self.values[var.0 as usize] = Some(element);
            let gate = self.gate(body)?;
            self.pending.push(gate);
        }
        self.values[var.0 as usize] = None;
        Some(self.solver.circuit.and(self.pending.drain(first..)))
    }

    fn value(&self, var: Var) -> u8 {
        self.values[var.0 as usize].expect("quantifiers give a value before their bodies are met")
    }

    /// The values of the free variables in one number.
    fn place(&self, id: Id) -> usize {
        self.formulas.free(id).iter().fold(0, |place, &var| {
            let count = usize::from(self.count(self.formulas.kind(var)));
            place * count + usize::from(self.value(var))
        })
    }

    fn atom(&mut self, pred: Pred, args: u64) -> Gate {
        *self.atoms.entry((pred, args)).or_insert_with(|| self.solver.circuit.input())
    }

    /// Two elements of a kind are equal.
    fn same(&mut self, kind: Kind, a: u8, b: u8) -> Gate {
        if a == b { Gate::TRUE } else { self.atom(Pred::Same(kind), pack([a.min(b), a.max(b)])) }
    }

    /// Elements that are equal have everything in common.
    fn equality(&mut self, signature: &[(Pred, Vec<Kind>)]) -> Option<()> {
        for kind in [Kind::Txn, Kind::Key] {
            self.equality_is_transitive(kind);
        }
        for (pred, kinds) in signature {
            let counts = kinds.iter().map(|&kind| usize::from(self.count(kind)));
            self.effort.spend(counts.fold(kinds.len(), usize::saturating_mul))?;
            for args in self.tuples(kinds) {
                self.equals_agree(*pred, kinds, args);
            }
        }
        Some(())
    }

    fn equality_is_transitive(&mut self, kind: Kind) {
        let all = 0..self.count(kind);
        for (a, b) in all.clone().flat_map(|a| all.clone().map(move |b| (a, b))) {
            for c in all.clone().filter(|&c| a < c && a != b && b != c) {
                let first = self.same(kind, a, b);
                let second = self.same(kind, b, c);
                let both = self.same(kind, a, c);
                self.solver.require_one(&[!first, !second, both]);
            }
        }
    }

    /// The atom says the same of any element equal to one of its arguments.
    fn equals_agree(&mut self, pred: Pred, kinds: &[Kind], args: u64) {
        let here = self.atom(pred, args);
        for (place, &kind) in kinds.iter().rev().enumerate() {
            let own = unpack(args, place);
            for other in (0..self.count(kind)).filter(|&other| other != own) {
                let same = self.same(kind, own, other);
                let changed = args ^ pack([own ^ other]) << (BITS * place);
                let there = self.atom(pred, changed);
                self.solver.require_one(&[!same, !here, there]);
            }
        }
    }

    /// All arguments of these kinds.
    fn tuples(&self, kinds: &[Kind]) -> Vec<u64> {
        kinds.iter().fold(vec![0], |tuples, &kind| {
            let elements = 0..u64::from(self.count(kind));
            let longer = |tuple: u64| elements.clone().map(move |element| tuple << BITS | element);
            tuples.into_iter().flat_map(longer).collect()
        })
    }
}

/// How many bits an element takes among the arguments of an atom.
const BITS: usize = 4;

/// Arguments in one number, the last one lowest.
fn pack(args: impl IntoIterator<Item = u8>) -> u64 {
    args.into_iter().fold(0, |all, arg| all << BITS | u64::from(arg))
}

/// The argument at a place, counted from the last.
fn unpack(args: u64, place: usize) -> u8 {
    let arg = args >> (BITS * place) & ((1 << BITS) - 1);
    u8::try_from(arg).expect("four bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the formulas contradict each other, and how many elements that takes.
    fn contradict(formulas: &Formulas, all: &[Id]) -> Option<Scope> {
        let unary = [Pred::Writers, Pred::Readers].map(|pred| (pred, vec![Kind::Txn]));
        let question = Question {
            formulas,
            signature: &[unary.as_slice(), &[(Pred::So, vec![Kind::Txn; 2])]].concat(),
            certain: &[],
            assumed: all,
            effort: &Effort::new(10_000, &ground::Budget::default()),
        };
        contradiction(&question).map(|found| found.scope)
    }

    /// The predicate holds of some transaction, or of none.
    fn some(formulas: &mut Formulas, pred: Pred, holds: bool) -> Id {
        let var = formulas.fresh(Kind::Txn);
        let atom = formulas.atom(holds, pred, vec![var]);
        formulas.quantify(holds, var, atom)
    }

    #[test]
    fn what_exists_is_an_instance_of_what_holds_for_all() {
        let mut formulas = Formulas::new();
        let writer = some(&mut formulas, Pred::Writers, true);
        let no_writer = some(&mut formulas, Pred::Writers, false);
        let no_reader = some(&mut formulas, Pred::Readers, false);
        assert_eq!(contradict(&formulas, &[writer, no_writer]), Some(Scope { txns: 1, keys: 0 }));
        assert_eq!(contradict(&formulas, &[writer, no_reader]), None);
    }

    #[test]
    fn parts_of_a_disjunction_share_elements() {
        let mut formulas = Formulas::new();
        let writer = some(&mut formulas, Pred::Writers, true);
        let reader = some(&mut formulas, Pred::Readers, true);
        let either = formulas.join(false, vec![writer, reader]);
        let no_writer = some(&mut formulas, Pred::Writers, false);
        let no_reader = some(&mut formulas, Pred::Readers, false);
        let all = [either, no_writer, no_reader];
        assert_eq!(contradict(&formulas, &all), Some(Scope { txns: 1, keys: 0 }));
        assert_eq!(contradict(&formulas, &all[..2]), None);
    }

    #[test]
    fn equal_elements_have_everything_in_common() {
        let mut formulas = Formulas::new();
        let writer = some(&mut formulas, Pred::Writers, true);
        let var = formulas.fresh(Kind::Txn);
        let is_init = formulas.same(true, var, INIT);
        let only_init = formulas.quantify(false, var, is_init);
        let init_writes_not = formulas.atom(false, Pred::Writers, vec![INIT]);
        assert!(contradict(&formulas, &[writer, only_init, init_writes_not]).is_some());
        assert!(contradict(&formulas, &[writer, init_writes_not]).is_none());
    }

    #[test]
    fn nothing_follows_from_what_exists_for_everybody() {
        let mut formulas = Formulas::new();
        let (a, b) = (formulas.fresh(Kind::Txn), formulas.fresh(Kind::Txn));
        let follows = formulas.atom(true, Pred::So, vec![a, b]);
        let followed = formulas.quantify(true, b, follows);
        let all_followed = formulas.quantify(false, a, followed);
        let (c, d) = (formulas.fresh(Kind::Txn), formulas.fresh(Kind::Txn));
        let not = formulas.atom(false, Pred::So, vec![c, d]);
        let none_from = formulas.quantify(false, d, not);
        let none = formulas.quantify(false, c, none_from);
        assert_eq!(contradict(&formulas, &[all_followed, none]), None, "weaker than it could be");
    }

    #[test]
    fn effort_has_an_end() {
        let mut formulas = Formulas::new();
        let writer = some(&mut formulas, Pred::Writers, true);
        let question = Question {
            formulas: &formulas,
            signature: &[(Pred::Writers, vec![Kind::Txn])],
            certain: &[],
            assumed: &[writer],
            effort: &Effort::new(1, &ground::Budget::default()),
        };
        assert_eq!(contradiction(&question), None);
    }
}
