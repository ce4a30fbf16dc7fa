//! How a relation leads from one transaction to another: the steps it is made of.
//!
//! ```text
//!   (b | ww) ; rw?   from T1 to T3:   T1 ─wr(x)→ T2 ─rw(y)→ T3
//! ```

use std::collections::VecDeque;

use tristan_spec::iso::{Given, IsoLevel, KeyVar, Rel};

use crate::evaluate::{Atoms, Bound, Evaluator, Matrix};
use crate::gates::{Circuit, Gate};
use crate::scene::Cast;
use crate::syntax::mentions_any;

/// One step from a transaction to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it starts.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// The relation, by name.
    pub relation: String,
    /// The key it is about, if there is one.
    pub key: Option<usize>,
}

/// Finds steps in a scene of constants.
pub(super) struct Guide<'a> {
    level: &'a IsoLevel,
    keys: usize,
    evaluator: Evaluator<'a, Cast<'a>>,
    circuit: Circuit,
}

impl<'a> Guide<'a> {
    pub(super) fn new(level: &'a IsoLevel, cast: &'a Cast<'a>) -> Self {
        let (keys, evaluator) = (cast.keys(), Evaluator::new(cast));
        Self { level, keys, evaluator, circuit: Circuit::default() }
    }

    /// How many keys there are.
    pub(super) fn keys(&self) -> usize {
        self.keys
    }

    /// The relation, as constants.
    pub(super) fn matrix(&mut self, rel: &Rel, bound: &Bound) -> Matrix {
        self.evaluator.rel(&mut self.circuit, rel, bound).as_ref().clone()
    }

    fn holds(&mut self, rel: &Rel, bound: &Bound, from: usize, to: usize) -> bool {
        self.evaluator.rel(&mut self.circuit, rel, bound).at(from, to) == Gate::TRUE
    }

    /// The steps by which a relation that holds between the two leads from one to the other.
    pub(super) fn steps(&mut self, rel: &Rel, bound: &Bound, from: usize, to: usize) -> Vec<Step> {
        match rel {
            Rel::Given(given) => {
                let (name, key) = given_name(*given);
                vec![self.step(rel, name.to_owned(), key, bound, from, to)]
            }
            Rel::Witness(place, key) => {
                let name = self.level.witnesses.get(*place).map(|witness| witness.name.clone());
                vec![self.step(rel, name.unwrap_or_default(), *key, bound, from, to)]
            }
            Rel::Id(_) | Rel::Test(_) => Vec::new(),
            Rel::Product(..) => vec![self.step(rel, "*".to_owned(), None, bound, from, to)],
            Rel::Union(parts) => self.shortest(parts, bound, from, to),
            Rel::Inter(parts) => {
                parts.first().map_or(Vec::new(), |part| self.steps(part, bound, from, to))
            }
            Rel::Diff(left, _) => self.steps(left, bound, from, to),
            Rel::Seq(parts) => self.in_sequence(parts, bound, from, to),
            Rel::Inverse(inner) => turned(self.steps(inner, bound, to, from)),
            Rel::Opt(inner) if !self.holds(inner, bound, from, to) => Vec::new(),
            // No step at all is the shortest way from somewhere to itself.
            Rel::Star(_) if from == to => Vec::new(),
            Rel::Opt(inner) => self.steps(inner, bound, from, to),
            Rel::Plus(inner) | Rel::Star(inner) => {
                let path = path(&self.matrix(inner, bound), from, to);
                let pairs = path.windows(2).map(|pair| (pair[0], pair[1]));
                pairs.flat_map(|(a, b)| self.steps(inner, bound, a, b)).collect()
            }
            Rel::OverKeys(var, inner) => self.over_keys(*var, inner, bound, from, to),
            Rel::Named(name, inner) => {
                let inside = self.steps(inner, bound, from, to);
                self.named(rel, name, inside, from, to)
            }
        }
    }

    fn step(
        &self,
        rel: &Rel,
        relation: String,
        key: Option<KeyVar>,
        bound: &Bound,
        from: usize,
        to: usize,
    ) -> Step {
        let (from, to) = self.txns(rel, from, to);
        Step { from, to, relation, key: key.map(|key| bound.key(key)) }
    }

    /// The transactions at both ends; of a read, the one that makes it.
    fn txns(&self, rel: &Rel, from: usize, to: usize) -> (usize, usize) {
        use tristan_spec::iso::Sort;
        let (first, second) = rel.sorts();
        let txn = |sort, node: usize| match sort {
            Sort::Txn => node,
            Sort::Read => node / self.keys.max(1),
        };
        (txn(first, from), txn(second, to))
    }

    /// A relation with a name: one step by that name, unless it is a single step of the history, or
    /// goes nowhere.
    fn named(&self, rel: &Rel, name: &str, inside: Vec<Step>, from: usize, to: usize) -> Vec<Step> {
        match inside.as_slice() {
            [] => inside,
            [_] if !mentions_any(rel) => inside,
            _ if from == to => inside,
            [first, rest @ ..] => {
                let key = first.key.filter(|_| rest.iter().all(|step| step.key == first.key));
                let (from, to) = self.txns(rel, from, to);
                vec![Step { from, to, relation: name.to_owned(), key }]
            }
        }
    }

    fn shortest(&mut self, parts: &[Rel], bound: &Bound, from: usize, to: usize) -> Vec<Step> {
        let mut ways = Vec::new();
        for part in parts {
            if self.holds(part, bound, from, to) {
                ways.push(self.steps(part, bound, from, to));
            }
        }
        ways.into_iter().min_by_key(Vec::len).unwrap_or_default()
    }

    fn in_sequence(&mut self, parts: &[Rel], bound: &Bound, from: usize, to: usize) -> Vec<Step> {
        let [first, rest @ ..] = parts else { return Vec::new() };
        if rest.is_empty() {
            return self.steps(first, bound, from, to);
        }
        let after = match rest {
            [only] => only.clone(),
            several => Rel::Seq(several.to_vec()),
        };
        let middles = 0..self.matrix(first, bound).cols();
        let mut ways = Vec::new();
        for middle in middles {
            if self.holds(first, bound, from, middle) && self.holds(&after, bound, middle, to) {
                let mut way = self.steps(first, bound, from, middle);
                way.extend(self.in_sequence(rest, bound, middle, to));
                ways.push(way);
            }
        }
        ways.into_iter().min_by_key(Vec::len).unwrap_or_default()
    }

    fn over_keys(
        &mut self,
        var: KeyVar,
        inner: &Rel,
        bound: &Bound,
        from: usize,
        to: usize,
    ) -> Vec<Step> {
        for key in 0..self.keys {
            let bound = bound.with(var, key);
            if self.holds(inner, &bound, from, to) {
                return self.steps(inner, &bound, from, to);
            }
        }
        Vec::new()
    }
}

fn given_name(given: Given) -> (&'static str, Option<KeyVar>) {
    match given {
        Given::So => ("so", None),
        Given::Rt => ("rt", None),
        Given::CommitOrder => ("cc", None),
        Given::BeginCommit => ("bc", None),
        Given::Wr(key) => ("wr", Some(key)),
        Given::Rd(key) => ("rd", Some(key)),
        Given::Of => ("of", None),
        Given::Po => ("po", None),
    }
}

/// Steps taken backwards.
fn turned(steps: Vec<Step>) -> Vec<Step> {
    let turn = |Step { from, to, relation, key }: Step| {
        let relation = match relation.strip_suffix("^-1") {
            Some(straight) => straight.to_owned(),
            None => format!("{relation}^-1"),
        };
        Step { from: to, to: from, relation, key }
    };
    steps.into_iter().rev().map(turn).collect()
}

/// A shortest path of one step or more, with both its ends; empty if there is none.
pub(super) fn path(rel: &Matrix, from: usize, to: usize) -> Vec<usize> {
    let mut came_from = vec![None; rel.rows()];
    let mut open = VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        for next in (0..rel.cols()).filter(|&next| rel.at(node, next) == Gate::TRUE) {
            if next == to {
                let mut path = vec![to, node];
                let mut at = node;
                while at != from {
                    at = came_from[at].unwrap_or(from);
                    path.push(at);
                }
                path.reverse();
                return path;
            }
            if next != from && came_from[next].is_none() {
                came_from[next] = Some(node);
                open.push_back(next);
            }
        }
    }
    Vec::new()
}
