//! What relations and checks speak of.

use tristan_spec::iso::{Check, Given, KeyVar, Rel, Set};

/// The keys a relation mentions without binding them, in order.
pub(crate) fn free_keys(rel: &Rel) -> Vec<KeyVar> {
    let mut keys = Vec::new();
    collect_free(rel, &mut Vec::new(), &mut keys);
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn collect_free(rel: &Rel, bound: &mut Vec<KeyVar>, keys: &mut Vec<KeyVar>) {
    let mut found = Vec::new();
    match rel {
        Rel::Given(given) => found.extend(key_of(*given)),
        Rel::Witness(_, key) => found.extend(*key),
        Rel::Test(set) => keys_of(set, &mut found),
        Rel::Product(left, right) => {
            keys_of(left, &mut found);
            keys_of(right, &mut found);
        }
        Rel::OverKeys(key, inner) => {
            bound.push(*key);
            collect_free(inner, bound, keys);
            bound.pop();
        }
        other => other.parts().into_iter().for_each(|part| collect_free(part, bound, keys)),
    }
    keys.extend(found.into_iter().filter(|key| !bound.contains(key)));
}

fn key_of(given: Given) -> Option<KeyVar> {
    match given {
        Given::Wr(key) | Given::Rd(key) => Some(key),
        Given::So | Given::Rt | Given::CommitOrder | Given::BeginCommit | Given::Of | Given::Po => {
            None
        }
    }
}

fn keys_of(set: &Set, keys: &mut Vec<KeyVar>) {
    match set {
        Set::Writes(key) | Set::Reads(key) => keys.push(*key),
        Set::Union(parts) | Set::Inter(parts) => {
            parts.iter().for_each(|part| keys_of(part, keys));
        }
        Set::Diff(left, right) => {
            keys_of(left, keys);
            keys_of(right, keys);
        }
        Set::Txn | Set::Init | Set::Writers | Set::Readers | Set::Promised(_) => {}
    }
}

/// Whether a witness occurs in a relation.
pub(crate) fn mentions(rel: &Rel, witness: usize) -> bool {
    rel.any(&|inner| matches!(inner, Rel::Witness(place, _) if *place == witness))
}

/// Whether any witness occurs in a relation.
pub(crate) fn mentions_any(rel: &Rel) -> bool {
    rel.any(&|inner| matches!(inner, Rel::Witness(..)))
}

/// Whether a witness occurs in a check.
pub(crate) fn speaks_of(check: &Check, witness: usize) -> bool {
    check.rels().into_iter().any(|rel| mentions(rel, witness))
}
