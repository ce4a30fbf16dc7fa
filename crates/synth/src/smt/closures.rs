//! Transitive closures: a function symbol each.

use tristan_spec::iso::{Given, KeyVar, Rel, Set, Sort};

use super::level::Writer;
use super::relations::{Around, sort_name};

/// A closure that has a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Closure {
    /// One step from `a` to `b`, about keys `k0`, `k1`, ….
    step: String,
    /// The same from `m` to `b`.
    last: String,
    /// What it relates.
    sort: Sort,
    /// How many keys it depends on.
    keys: usize,
}

impl Writer<'_> {
    /// That the closure of the relation holds between two named ends.
    pub(super) fn closure(&mut self, step: &Rel, from: &str, to: &str, around: &Around) -> String {
        match step {
            Rel::Named(_, inner) | Rel::Plus(inner) => self.closure(inner, from, to, around),
            Rel::Opt(inner) | Rel::Star(inner) => {
                format!("(or (= {from} {to}) {})", self.closure(inner, from, to, around))
            }
            _ => {
                let keys = free_keys(step);
                let number = self.symbol(step, &keys, around.weaker);
                let keys: String =
                    keys.iter().map(|&key| format!(" {}", around.key(key))).collect();
                format!("(plus{number} {from} {to}{keys})")
            }
        }
    }

    fn symbol(&mut self, step: &Rel, keys: &[KeyVar], weaker: bool) -> usize {
        let named = keys.iter().enumerate().map(|(place, &key)| (key, format!("k{place}")));
        let inner = Around { keys: named.collect(), depth: 0, weaker };
        let closure = Closure {
            step: self.rel(step, "a", "b", &inner),
            last: self.rel(step, "m", "b", &inner),
            sort: step.sorts().0,
            keys: keys.len(),
        };
        if let Some(known) = self.closures.iter().position(|own| *own == closure) {
            return known;
        }
        let number = self.closures.len();
        self.declare(number, &closure);
        self.closures.push(closure);
        number
    }

    /// The symbol, and what is known of every closure.
    fn declare(&mut self, number: usize, closure: &Closure) {
        let Closure { step, last, sort, keys } = closure;
        let sort = sort_name(*sort);
        let args: String = (0..*keys).map(|key| format!(" k{key}")).collect();
        let bound: String = (0..*keys).map(|key| format!(" (k{key} Key)")).collect();
        let kinds = " Key".repeat(*keys);
        let plus = |from: &str, to: &str| format!("(plus{number} {from} {to}{args})");
        let (ab, bc, ac, am) = (plus("a", "b"), plus("b", "c"), plus("a", "c"), plus("a", "m"));
        self.say(&format!("(declare-fun plus{number} ({sort} {sort}{kinds}) Bool)"));
        self.say(&format!("(assert (forall ((a {sort}) (b {sort}){bound}) (=> {step} {ab})))"));
        self.say(&format!(
            "(assert (forall ((a {sort}) (b {sort}) (c {sort}){bound}) (=> (and {ab} {bc}) {ac})))"
        ));
        self.say(&format!(
            "(assert (forall ((a {sort}) (b {sort}){bound}) \
             (=> {ab} (or {step} (exists ((m {sort})) (and {am} {last}))))))"
        ));
    }
}

/// The keys that a relation mentions and does not bind, in order of appearance.
pub(super) fn free_keys(rel: &Rel) -> Vec<KeyVar> {
    let mut keys = match rel {
        Rel::Given(Given::Wr(key) | Given::Rd(key)) | Rel::Witness(_, Some(key)) => vec![*key],
        Rel::Test(set) => keys_of_set(set),
        Rel::Product(left, right) => [keys_of_set(left), keys_of_set(right)].concat(),
        _ => rel.parts().into_iter().flat_map(free_keys).collect(),
    };
    if let Rel::OverKeys(bound, _) = rel {
        keys.retain(|key| key != bound);
    }
    let mut once = Vec::new();
    for key in keys {
        if !once.contains(&key) {
            once.push(key);
        }
    }
    once
}

fn keys_of_set(set: &Set) -> Vec<KeyVar> {
    match set {
        Set::Writes(key) | Set::Reads(key) => vec![*key],
        Set::Union(parts) | Set::Inter(parts) => parts.iter().flat_map(keys_of_set).collect(),
        Set::Diff(left, right) => [keys_of_set(left), keys_of_set(right)].concat(),
        Set::Txn | Set::Init | Set::Writers | Set::Readers | Set::Promised(_) => Vec::new(),
    }
}
