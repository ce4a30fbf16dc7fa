//! The keys that a relation is about.

use tristan_spec::iso::{Given, KeyVar, Rel, Set};

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
