//! What the script of a proof says of the two levels, piece by piece.

use tristan_spec::iso::{Check, KeyVar, Rel, Set, WitnessKind};

use super::keys::free_keys;
use super::relations::Around;
use super::writer::Writer;
use crate::proof::Fact;

impl Writer<'_> {
    /// The witnesses of the stronger level.
    pub(super) fn witnesses(&mut self) {
        for (index, witness) in self.stronger.witnesses.iter().enumerate() {
            self.say(&format!("; {}", witness.name));
            match witness.kind {
                WitnessKind::Order => {
                    self.total_order(index, false);
                    self.begins_with_init(index, false);
                }
                WitnessKind::OrderPerKey => self.order_of_writers(index),
                WitnessKind::Relation => {
                    self.say(&format!("(declare-fun w{index} (Txn Txn) Bool)"));
                }
            }
        }
    }

    /// The checks of the stronger level; those that the proof replaces by an order are said too,
    /// as it contains what must have no cycle.
    pub(super) fn premises(&mut self) {
        for check in &self.stronger.checks {
            let term = self.check(check, &Around::default());
            self.say(&format!("(assert {term})"));
        }
    }

    /// An order that exists because something has no cycle, and that it may begin with the
    /// initial transaction.
    pub(super) fn order(&mut self, place: usize) {
        let index = self.stronger.witnesses.len() + place;
        let order = self.proof.orders[place].clone();
        let keys: Vec<KeyVar> = order.key.into_iter().collect();
        self.say(&format!("; {}", order.name));
        self.total_order(index, order.key.is_some());
        let inside = Check::In(order.contains.clone(), Rel::Witness(index, order.key));
        let term = self.check(&for_all(&keys, inside), &Around::default());
        self.say(&format!("(assert {term})"));
        if order.init_first {
            let into_init = Rel::Seq(vec![order.contains, Rel::Test(Set::Init)]);
            let term = self.check(&for_all(&keys, Check::Empty(into_init)), &Around::default());
            self.ask(&term);
            self.begins_with_init(index, order.key.is_some());
        }
    }

    /// The reasons for a fact, then the fact.
    pub(super) fn fact(&mut self, fact: &Fact) {
        let (reason, conclusion) = match fact {
            Fact::Inside { step, bound, .. } => inside(step, bound),
            Fact::Around { order, rest, starts, .. } => around(order, rest, starts),
        };
        let conclusion = self.check(&conclusion, &Around::default());
        let reason = self.check(&reason, &Around::default());
        self.question(&reason);
        self.say(&format!("(assert {conclusion})"));
    }

    /// A check of the weaker level.
    pub(super) fn goal(&mut self, check: &Check) {
        let around = Around { weaker: true, ..Around::default() };
        let term = self.check(check, &around);
        self.question(&term);
    }

    fn ask(&mut self, term: &str) {
        self.question(term);
        self.say(&format!("(assert {term})"));
    }

    fn question(&mut self, term: &str) {
        self.say("(push 1)");
        self.say(&format!("(assert (not {term}))"));
        self.say("(check-sat)");
        self.say("(pop 1)");
    }

    /// A strict total order of transactions, for every key if `keyed`.
    fn total_order(&mut self, index: usize, keyed: bool) {
        let (kind, bound, arg) = key_parts(keyed);
        let less = |a: &str, b: &str| format!("(w{index} {a} {b}{arg})");
        let (ab, ba, bc, ac, aa) =
            (less("a", "b"), less("b", "a"), less("b", "c"), less("a", "c"), less("a", "a"));
        self.say(&format!("(declare-fun w{index} (Txn Txn{kind}) Bool)"));
        self.say(&format!("(assert (forall ((a Txn){bound}) (not {aa})))"));
        self.say(&format!(
            "(assert (forall ((a Txn) (b Txn) (c Txn){bound}) (=> (and {ab} {bc}) {ac})))"
        ));
        self.say(&format!("(assert (forall ((a Txn) (b Txn){bound}) (or (= a b) {ab} {ba})))"));
    }

    fn begins_with_init(&mut self, index: usize, keyed: bool) {
        let (_, bound, arg) = key_parts(keyed);
        self.say(&format!(
            "(assert (forall ((a Txn){bound}) (or (= a init) (w{index} init a{arg}))))"
        ));
    }

    /// For every key a strict total order of its writers, the initial transaction first.
    fn order_of_writers(&mut self, index: usize) {
        self.say(&format!("(declare-fun w{index} (Txn Txn Key) Bool)"));
        for law in [
            "(=> (w# a b x) (and (writes a x) (writes b x)))",
            "(not (w# a a x))",
            "(=> (and (w# a b x) (w# b c x)) (w# a c x))",
            "(=> (and (writes a x) (writes b x)) (or (= a b) (w# a b x) (w# b a x)))",
            "(=> (writes a x) (or (= a init) (w# init a x)))",
        ] {
            let law = law.replace('#', &index.to_string());
            self.say(&format!("(assert (forall ((a Txn) (b Txn) (c Txn) (x Key)) {law}))"));
        }
    }
}

/// The kind, the binder and the argument of a key, if there is one.
fn key_parts(keyed: bool) -> (&'static str, &'static str, &'static str) {
    if keyed { (" Key", " (x Key)", " x") } else { ("", "", "") }
}

/// What is closed is inside, and whatever contains it is transitive; so the closure is inside.
fn inside(step: &Rel, bound: &Rel) -> (Check, Check) {
    let keys = free_keys(step);
    let twice = Rel::Seq(vec![bound.clone(), bound.clone()]);
    let reason =
        Check::All(vec![Check::In(step.clone(), bound.clone()), Check::In(twice, bound.clone())]);
    let conclusion = Check::In(Rel::Plus(Box::new(step.clone())), bound.clone());
    (for_all(&keys, reason), for_all(&keys, conclusion))
}

/// An order is strict, and there is no cycle of the rest with at most one step of it in between.
fn around(order: &Rel, rest: &Rel, starts: &Set) -> (Check, Check) {
    let twice = Rel::Seq(vec![order.clone(), order.clone()]);
    let start = Rel::Test(starts.clone());
    let between = Rel::Seq(vec![rest.clone(), Rel::Opt(Box::new(order.clone())), start.clone()]);
    let reason = Check::All(vec![
        Check::Irreflexive(order.clone()),
        Check::In(twice, order.clone()),
        Check::In(rest.clone(), Rel::Seq(vec![start, rest.clone()])),
        Check::Acyclic(between),
    ]);
    (reason, Check::Acyclic(Rel::Union(vec![order.clone(), rest.clone()])))
}

fn for_all(keys: &[KeyVar], check: Check) -> Check {
    keys.iter().rev().fold(check, |check, &key| Check::ForAll(key, Box::new(check)))
}
