//! Building relations without clutter, and telling what they are.

use tristan_spec::iso::{Given, KeyVar, Rel, Set, Sort};

/// The relation behind its names.
pub(super) fn bare(rel: &Rel) -> &Rel {
    match rel {
        Rel::Named(_, inner) => bare(inner),
        other => other,
    }
}

/// The union; of one relation, that relation.
pub(super) fn union(mut parts: Vec<Rel>) -> Rel {
    parts.dedup();
    match parts.len() {
        1 => parts.remove(0),
        _ => Rel::Union(parts),
    }
}

/// The composition; of none, the identity.
pub(super) fn seq(parts: Vec<Rel>) -> Rel {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Rel::Seq(inner) => flat.extend(inner),
            Rel::Id(Sort::Txn) => {}
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => identity(),
        1 => flat.remove(0),
        _ => Rel::Seq(flat),
    }
}

/// The intersection.
pub(super) fn inter(mut parts: Vec<Rel>) -> Rel {
    match parts.len() {
        1 => parts.remove(0),
        _ => Rel::Inter(parts),
    }
}

/// The relation without its loops.
pub(super) fn without_loops(rel: Rel) -> Rel {
    match &rel {
        Rel::Diff(_, right) if is_identity(right) => rel,
        _ => Rel::Diff(Box::new(rel), Box::new(identity())),
    }
}

/// The identity of transactions.
pub(super) fn identity() -> Rel {
    Rel::Id(Sort::Txn)
}

/// Whether it is the identity of transactions.
pub(super) fn is_identity(rel: &Rel) -> bool {
    matches!(bare(rel), Rel::Id(Sort::Txn))
}

/// From the initial transaction to all others.
pub(super) fn initial_first() -> Rel {
    let others = Set::Diff(Box::new(Set::Txn), Box::new(Set::Init));
    Rel::Product(Set::Init, others)
}

/// Whether one sees without thinking that the relation has no loop.
pub(super) fn is_plainly_irreflexive(rel: &Rel) -> bool {
    match bare(rel) {
        Rel::Diff(left, right) => is_identity(right) || is_plainly_irreflexive(left),
        Rel::Union(parts) => parts.iter().all(is_plainly_irreflexive),
        Rel::Inter(parts) => parts.iter().any(is_plainly_irreflexive),
        Rel::Inverse(inner) | Rel::OverKeys(_, inner) => is_plainly_irreflexive(inner),
        Rel::Given(given) => !matches!(given, Given::Rd(_) | Given::Of),
        _ => false,
    }
}

/// The key that everything in the set writes, if one sees it without thinking.
pub(super) fn written_key(set: &Set) -> Option<KeyVar> {
    match set {
        Set::Writes(key) => Some(*key),
        Set::Inter(parts) => parts.iter().find_map(written_key),
        Set::Diff(left, _) => written_key(left),
        _ => None,
    }
}

/// The key that everything the relation starts from writes.
pub(super) fn starts_at_writers(rel: &Rel) -> Option<KeyVar> {
    match bare(rel) {
        Rel::Test(set) | Rel::Product(set, _) => written_key(set),
        Rel::Given(Given::Wr(key)) | Rel::Witness(_, Some(key)) => Some(*key),
        Rel::Inverse(inner) => ends_at_writers(inner),
        Rel::Seq(parts) => parts.first().and_then(starts_at_writers),
        Rel::Inter(parts) => parts.iter().find_map(starts_at_writers),
        Rel::Diff(left, _) => starts_at_writers(left),
        _ => None,
    }
}

/// The key that everything the relation leads to writes.
pub(super) fn ends_at_writers(rel: &Rel) -> Option<KeyVar> {
    match bare(rel) {
        Rel::Test(set) | Rel::Product(_, set) => written_key(set),
        Rel::Witness(_, Some(key)) => Some(*key),
        Rel::Inverse(inner) => starts_at_writers(inner),
        Rel::Seq(parts) => parts.last().and_then(ends_at_writers),
        Rel::Inter(parts) => parts.iter().find_map(ends_at_writers),
        Rel::Diff(left, _) => ends_at_writers(left),
        _ => None,
    }
}
