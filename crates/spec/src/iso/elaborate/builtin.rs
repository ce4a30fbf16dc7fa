//! The names every file knows.

use super::super::model::{Given, KeyVar, Rel, Set, Sort};
use super::value::Value;
use crate::{Promise, Strength};

/// Names without a key.
pub(crate) const NAMES: [&str; 21] = [
    "so", "rt", "cc", "bc", "wr", "rd", "of", "po", "b", "o", "id", "none", "Txn", "Init",
    "Update", "ReadOnly", "W", "R", "C", "I", "S",
];

/// Names that also exist for one key.
pub(crate) const PER_KEY: [&str; 4] = ["wr", "rd", "W", "R"];

/// The keys that `wr` and `rd` bind, wherever they occur: equal names give equal relations.
const WR_KEY: KeyVar = KeyVar(0);
const RD_KEY: KeyVar = KeyVar(1);

/// The first key that nothing built in binds.
pub(super) const FIRST_KEY: u32 = 2;

/// What a name without a key means at a strength.
pub(super) fn plain(name: &str, strength: Strength) -> Option<Value> {
    Some(match name {
        "Txn" => Value::Set(Set::Txn),
        "Init" => Value::Set(Set::Init),
        "W" => Value::Set(Set::Writers),
        "R" => Value::Set(Set::Readers),
        "C" => Value::Set(Set::Promised(Promise::ReadCommitted)),
        "I" => Value::Set(Set::Promised(Promise::RepeatableRead)),
        "S" => Value::Set(Set::Promised(Promise::Serializable)),
        "Update" => Value::Set(Set::Diff(Box::new(Set::Writers), Box::new(Set::Init))),
        "ReadOnly" => Value::Set(Set::Diff(Box::new(Set::Txn), Box::new(Set::Writers))),
        _ => Value::Rel(relation(name, strength)?),
    })
}

/// What a name means for one key.
pub(super) fn per_key(name: &str, key: KeyVar) -> Option<Value> {
    Some(match name {
        "wr" => Value::Rel(Rel::Given(Given::Wr(key))),
        "rd" => Value::Rel(Rel::Given(Given::Rd(key))),
        "W" => Value::Set(Set::Writes(key)),
        "R" => Value::Set(Set::Reads(key)),
        _ => return None,
    })
}

fn relation(name: &str, strength: Strength) -> Option<Rel> {
    Some(match name {
        "so" => Rel::Given(Given::So),
        "rt" => Rel::Given(Given::Rt),
        "cc" => Rel::Given(Given::CommitOrder),
        "bc" => Rel::Given(Given::BeginCommit),
        "of" => Rel::Given(Given::Of),
        "po" => Rel::Given(Given::Po),
        "id" => Rel::Id(Sort::Txn),
        "none" => Rel::Union(Vec::new()),
        "wr" => over_keys("wr", Given::Wr, WR_KEY),
        "rd" => over_keys("rd", Given::Rd, RD_KEY),
        "o" => named("o", union(orders(strength))),
        "b" => {
            let wr = over_keys("wr", Given::Wr, WR_KEY);
            named("b", union([vec![wr], orders(strength)].concat()))
        }
        _ => return None,
    })
}

fn orders(strength: Strength) -> Vec<Rel> {
    match strength {
        Strength::Plain => Vec::new(),
        Strength::Session => vec![Rel::Given(Given::So)],
        Strength::Strong => vec![Rel::Given(Given::So), Rel::Given(Given::Rt)],
    }
}

fn union(mut parts: Vec<Rel>) -> Rel {
    match parts.len() {
        1 => parts.remove(0),
        _ => Rel::Union(parts),
    }
}

fn over_keys(name: &str, given: fn(KeyVar) -> Given, key: KeyVar) -> Rel {
    named(name, Rel::OverKeys(key, Box::new(Rel::Given(given(key)))))
}

fn named(name: &str, rel: Rel) -> Rel {
    Rel::Named(name.to_owned(), Box::new(rel))
}
