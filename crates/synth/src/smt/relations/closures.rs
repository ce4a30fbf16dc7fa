//! Transitive closures: a function symbol each.

use tristan_spec::iso::{KeyVar, Rel};

use super::{Around, sort_name};
use crate::smt::keys::free_keys;
use crate::smt::writer::{Closure, Writer};

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
