//! Relations, sets and checks as terms.
//!
//! Bound variables are named by depth (`v0`, `v1`, …), so relations that differ only in the names
//! of their bound keys become the same term. The terms of closures are compared like that.

mod closures;

use tristan_spec::Promise;
use tristan_spec::iso::{Check, Given, KeyVar, Rel, Set, Sort};

use super::writer::Writer;
use crate::proof::Image;

/// What is around a term.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// The names of the keys in scope, innermost last.
    pub(super) keys: Vec<(KeyVar, String)>,
    /// How many variables are bound.
    pub(super) depth: usize,
    /// Whether witnesses are those of the weaker level.
    pub(super) weaker: bool,
}

impl Around {
    /// A name that nothing around has.
    fn fresh(&mut self) -> String {
        self.depth += 1;
        format!("v{}", self.depth - 1)
    }

    /// With one more key, and its name.
    fn with_key(&self, key: KeyVar) -> (Self, String) {
        let mut inner = self.clone();
        let name = inner.fresh();
        inner.keys.push((key, name.clone()));
        (inner, name)
    }

    /// The name of a key in scope.
    fn key(&self, key: KeyVar) -> &str {
        let found = self.keys.iter().rev().find(|(own, _)| *own == key);
        found.map_or("unbound", |(_, name)| name)
    }
}

fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Txn => "Txn",
        Sort::Read => "Read",
    }
}

/// `(and …)` or `(or …)`, without it for one part.
fn join(operator: &str, parts: &[String]) -> String {
    match (parts, operator) {
        ([], "and") => "true".to_owned(),
        ([], _) => "false".to_owned(),
        ([only], _) => only.clone(),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}

impl Writer<'_> {
    /// The check as a sentence.
    pub(super) fn check(&mut self, check: &Check, around: &Around) -> String {
        match check {
            Check::In(left, right) => {
                let mut inner = around.clone();
                let (from, to) = (inner.fresh(), inner.fresh());
                let (first, second) = left.sorts();
                let left = self.rel(left, &from, &to, &inner);
                let right = self.rel(right, &from, &to, &inner);
                let (first, second) = (sort_name(first), sort_name(second));
                format!("(forall (({from} {first}) ({to} {second})) (=> {left} {right}))")
            }
            Check::Empty(rel) => {
                let nothing = Rel::Union(Vec::new());
                self.check(&Check::In(rel.clone(), nothing), around)
            }
            Check::Irreflexive(rel) => {
                let mut inner = around.clone();
                let end = inner.fresh();
                let sort = sort_name(rel.sorts().0);
                let loops = self.rel(rel, &end, &end, &inner);
                format!("(forall (({end} {sort})) (not {loops}))")
            }
            Check::Acyclic(rel) => {
                self.check(&Check::Irreflexive(Rel::Plus(Box::new(rel.clone()))), around)
            }
            Check::Total(rel) => {
                let mut inner = around.clone();
                let (a, b) = (inner.fresh(), inner.fresh());
                let forth = self.rel(rel, &a, &b, &inner);
                let back = self.rel(rel, &b, &a, &inner);
                format!("(forall (({a} Txn) ({b} Txn)) (or (= {a} {b}) {forth} {back}))")
            }
            Check::Not(inner) => format!("(not {})", self.check(inner, around)),
            Check::All(parts) => self.checks("and", parts, around),
            Check::Any(parts) => self.checks("or", parts, around),
            Check::ForAll(key, inner) => {
                let (around, name) = around.with_key(*key);
                format!("(forall (({name} Key)) {})", self.check(inner, &around))
            }
        }
    }

    fn checks(&mut self, operator: &str, parts: &[Check], around: &Around) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.check(part, around)).collect();
        join(operator, &parts)
    }

    /// That the relation holds between two named ends.
    fn rel(&mut self, rel: &Rel, from: &str, to: &str, around: &Around) -> String {
        match rel {
            Rel::Given(given) => self.given(*given, from, to, around),
            Rel::Witness(index, key) => self.witness(*index, *key, from, to, around),
            Rel::Id(_) => format!("(= {from} {to})"),
            Rel::Test(set) => format!("(and (= {from} {to}) {})", set_term(set, from, around)),
            Rel::Product(left, right) => {
                let (left, right) = (set_term(left, from, around), set_term(right, to, around));
                format!("(and {left} {right})")
            }
            Rel::Union(_) => {
                let parts = alternatives(rel);
                let parts: Vec<String> =
                    parts.into_iter().map(|part| self.rel(part, from, to, around)).collect();
                join("or", &parts)
            }
            Rel::Inter(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.rel(part, from, to, around)).collect();
                join("and", &parts)
            }
            Rel::Diff(left, right) => {
                let left = self.rel(left, from, to, around);
                format!("(and {left} (not {}))", self.rel(right, from, to, around))
            }
            Rel::Seq(_) => self.sequence(&steps(rel), from, to, around),
            Rel::Inverse(inner) => self.rel(inner, to, from, around),
            Rel::Opt(inner) => {
                format!("(or (= {from} {to}) {})", self.rel(inner, from, to, around))
            }
            Rel::Star(inner) => {
                let closed = self.closure(inner, from, to, around);
                format!("(or (= {from} {to}) {closed})")
            }
            Rel::Plus(inner) => self.closure(inner, from, to, around),
            Rel::OverKeys(key, inner) => {
                let (around, name) = around.with_key(*key);
                format!("(exists (({name} Key)) {})", self.rel(inner, from, to, &around))
            }
            Rel::Named(_, inner) => self.rel(inner, from, to, around),
        }
    }

    fn sequence(&mut self, parts: &[&Rel], from: &str, to: &str, around: &Around) -> String {
        match parts {
            [] => format!("(= {from} {to})"),
            [only] => self.rel(only, from, to, around),
            [first, rest @ ..] => {
                let mut inner = around.clone();
                let middle = inner.fresh();
                let sort = sort_name(first.sorts().1);
                let first = self.rel(first, from, &middle, &inner);
                let rest = self.sequence(rest, &middle, to, &inner);
                format!("(exists (({middle} {sort})) (and {first} {rest}))")
            }
        }
    }

    fn given(&mut self, given: Given, from: &str, to: &str, around: &Around) -> String {
        match given {
            Given::So => format!("(so {from} {to})"),
            Given::Rt => format!("(rt {from} {to})"),
            Given::CommitOrder => format!("(cc {from} {to})"),
            Given::BeginCommit => format!("(bc {from} {to})"),
            Given::Wr(key) => format!("(wr {from} {to} {})", around.key(key)),
            Given::Rd(key) => {
                let key = around.key(key);
                format!("(and (= (item {to}) {key}) (wr {from} (of {to}) {key}))")
            }
            Given::Of => format!("(= (of {from}) {to})"),
            Given::Po => format!("(po {from} {to})"),
        }
    }

    fn witness(
        &mut self,
        index: usize,
        key: Option<KeyVar>,
        from: &str,
        to: &str,
        around: &Around,
    ) -> String {
        let key_name = key.map(|key| around.key(key).to_owned());
        if !around.weaker {
            let key = key_name.map(|key| format!(" {key}")).unwrap_or_default();
            return format!("(w{index} {from} {to}{key})");
        }
        let Some(Image { key: hole, rel }) = self.image(index) else { return "false".to_owned() };
        let keys = hole.into_iter().zip(key_name).collect();
        let inner = Around { keys, depth: around.depth, weaker: false };
        self.rel(&rel, from, to, &inner)
    }
}

/// The parts of a union, of unions within it too.
fn alternatives(rel: &Rel) -> Vec<&Rel> {
    match rel {
        Rel::Union(parts) => parts.iter().flat_map(alternatives).collect(),
        Rel::Named(_, inner) => alternatives(inner),
        _ => vec![rel],
    }
}

/// The parts of a composition, of compositions within it too.
fn steps(rel: &Rel) -> Vec<&Rel> {
    match rel {
        Rel::Seq(parts) => parts.iter().flat_map(steps).collect(),
        Rel::Named(_, inner) => steps(inner),
        _ => vec![rel],
    }
}

fn set_term(set: &Set, txn: &str, around: &Around) -> String {
    let all = |parts: &[Set]| -> Vec<String> {
        parts.iter().map(|part| set_term(part, txn, around)).collect()
    };
    match set {
        Set::Txn => "true".to_owned(),
        Set::Init => format!("(= {txn} init)"),
        Set::Writes(key) => format!("(writes {txn} {})", around.key(*key)),
        Set::Reads(key) => format!("(reads {txn} {})", around.key(*key)),
        Set::Writers => format!("(writer {txn})"),
        Set::Readers => format!("(reader {txn})"),
        Set::Promised(Promise::ReadUncommitted) => format!("(promised1 {txn})"),
        Set::Promised(Promise::ReadCommitted) => format!("(promised2 {txn})"),
        Set::Promised(Promise::RepeatableRead) => format!("(promised3 {txn})"),
        Set::Promised(Promise::Serializable) => format!("(promised4 {txn})"),
        Set::Union(parts) => join("or", &all(parts)),
        Set::Inter(parts) => join("and", &all(parts)),
        Set::Diff(left, right) => {
            let left = set_term(left, txn, around);
            format!("(and {left} (not {}))", set_term(right, txn, around))
        }
    }
}
