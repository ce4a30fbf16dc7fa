//! Relations turned into other relations: keys renamed, witnesses replaced, closures unrolled.

use tristan_spec::iso::{Check, Given, KeyVar, Rel, Set};

/// The relation with `change` applied to each of its direct parts.
pub(super) fn map_parts(rel: &Rel, change: &mut dyn FnMut(&Rel) -> Rel) -> Rel {
    match rel {
        Rel::Given(_) | Rel::Witness(..) | Rel::Id(_) | Rel::Test(_) | Rel::Product(..) => {
            rel.clone()
        }
        Rel::Union(parts) => Rel::Union(parts.iter().map(change).collect()),
        Rel::Inter(parts) => Rel::Inter(parts.iter().map(change).collect()),
        Rel::Seq(parts) => Rel::Seq(parts.iter().map(change).collect()),
        Rel::Diff(left, right) => Rel::Diff(Box::new(change(left)), Box::new(change(right))),
        Rel::Inverse(inner) => Rel::Inverse(Box::new(change(inner))),
        Rel::Opt(inner) => Rel::Opt(Box::new(change(inner))),
        Rel::Plus(inner) => Rel::Plus(Box::new(change(inner))),
        Rel::Star(inner) => Rel::Star(Box::new(change(inner))),
        Rel::OverKeys(key, inner) => Rel::OverKeys(*key, Box::new(change(inner))),
        Rel::Named(name, inner) => Rel::Named(name.clone(), Box::new(change(inner))),
    }
}

/// The check with `change` applied to each of its relations.
pub(super) fn map_rels(check: &Check, change: &mut dyn FnMut(&Rel) -> Rel) -> Check {
    match check {
        Check::In(left, right) => Check::In(change(left), change(right)),
        Check::Acyclic(rel) => Check::Acyclic(change(rel)),
        Check::Irreflexive(rel) => Check::Irreflexive(change(rel)),
        Check::Empty(rel) => Check::Empty(change(rel)),
        Check::Total(rel) => Check::Total(change(rel)),
        Check::Not(inner) => Check::Not(Box::new(map_rels(inner, change))),
        Check::All(parts) => Check::All(parts.iter().map(|part| map_rels(part, change)).collect()),
        Check::Any(parts) => Check::Any(parts.iter().map(|part| map_rels(part, change)).collect()),
        Check::ForAll(key, inner) => Check::ForAll(*key, Box::new(map_rels(inner, change))),
    }
}

/// The relation with every key renamed, bound ones too.
pub(super) fn map_keys(rel: &Rel, rename: &dyn Fn(KeyVar) -> KeyVar) -> Rel {
    match rel {
        Rel::Given(Given::Wr(key)) => Rel::Given(Given::Wr(rename(*key))),
        Rel::Given(Given::Rd(key)) => Rel::Given(Given::Rd(rename(*key))),
        Rel::Witness(index, key) => Rel::Witness(*index, key.map(rename)),
        Rel::Test(set) => Rel::Test(map_set_keys(set, rename)),
        Rel::Product(from, to) => {
            Rel::Product(map_set_keys(from, rename), map_set_keys(to, rename))
        }
        Rel::OverKeys(key, inner) => Rel::OverKeys(rename(*key), Box::new(map_keys(inner, rename))),
        _ => map_parts(rel, &mut |part| map_keys(part, rename)),
    }
}

fn map_set_keys(set: &Set, rename: &dyn Fn(KeyVar) -> KeyVar) -> Set {
    let all = |parts: &[Set]| parts.iter().map(|part| map_set_keys(part, rename)).collect();
    match set {
        Set::Writes(key) => Set::Writes(rename(*key)),
        Set::Reads(key) => Set::Reads(rename(*key)),
        Set::Union(parts) => Set::Union(all(parts)),
        Set::Inter(parts) => Set::Inter(all(parts)),
        Set::Diff(left, right) => {
            Set::Diff(Box::new(map_set_keys(left, rename)), Box::new(map_set_keys(right, rename)))
        }
        Set::Txn | Set::Init | Set::Writers | Set::Readers | Set::Promised(_) => set.clone(),
    }
}

/// The keys that occur in the relation without being bound there, in order of appearance.
pub(super) fn free_keys(rel: &Rel) -> Vec<KeyVar> {
    let mut found = Vec::new();
    collect_free(rel, &mut Vec::new(), &mut found);
    found
}

fn collect_free(rel: &Rel, bound: &mut Vec<KeyVar>, found: &mut Vec<KeyVar>) {
    if let Rel::OverKeys(key, inner) = rel {
        bound.push(*key);
        collect_free(inner, bound, found);
        bound.pop();
        return;
    }
    for key in own_keys(rel) {
        if !bound.contains(&key) && !found.contains(&key) {
            found.push(key);
        }
    }
    rel.parts().into_iter().for_each(|part| collect_free(part, bound, found));
}

/// The keys a relation mentions itself, not through its parts.
fn own_keys(rel: &Rel) -> Vec<KeyVar> {
    let mut keys = Vec::new();
    match rel {
        Rel::Given(Given::Wr(key) | Given::Rd(key)) | Rel::Witness(_, Some(key)) => keys.push(*key),
        Rel::Test(set) => set_keys(set, &mut keys),
        Rel::Product(from, to) => {
            set_keys(from, &mut keys);
            set_keys(to, &mut keys);
        }
        _ => {}
    }
    keys
}

fn set_keys(set: &Set, keys: &mut Vec<KeyVar>) {
    match set {
        Set::Writes(key) | Set::Reads(key) => keys.push(*key),
        Set::Union(parts) | Set::Inter(parts) => {
            parts.iter().for_each(|part| set_keys(part, keys));
        }
        Set::Diff(left, right) => {
            set_keys(left, keys);
            set_keys(right, keys);
        }
        Set::Txn | Set::Init | Set::Writers | Set::Readers | Set::Promised(_) => {}
    }
}

/// Where the numbers of bound keys begin in a [`canonical`] relation.
const BOUND: u32 = 1 << 20;

/// A [`flat`] relation with its keys numbered: free ones 0, 1, … in the order of [`free_keys`],
/// bound ones by depth. It is the same for relations that differ only in names and nesting.
pub(super) fn canonical(rel: &Rel) -> Rel {
    let free = free_keys(rel);
    let number = |key: KeyVar| free.iter().position(|&own| own == key);
    let renamed = map_keys(rel, &|key| match number(key) {
        Some(place) => KeyVar(u32::try_from(place).expect("a level has few keys")),
        None => KeyVar(key.0.saturating_add(2 * BOUND)),
    });
    bind_by_depth(&flat(&renamed), 0)
}

/// Bound keys numbered by how many binders are around them.
fn bind_by_depth(rel: &Rel, depth: u32) -> Rel {
    match rel {
        Rel::OverKeys(key, inner) => {
            let mine = KeyVar(BOUND + depth);
            let inner = map_keys(&bind_by_depth(inner, depth + 1), &|own| {
                if own == *key { mine } else { own }
            });
            Rel::OverKeys(mine, Box::new(inner))
        }
        _ => map_parts(rel, &mut |part| bind_by_depth(part, depth)),
    }
}

/// The same relation without names, nested unions and compositions, and with every closure
/// written as `e+` or `(e+)?`, where `e` is neither a closure nor optional.
pub(super) fn flat(rel: &Rel) -> Rel {
    let flattened = map_parts(rel, &mut flat);
    match flattened {
        Rel::Named(_, inner) => *inner,
        Rel::Star(inner) => optional(plus(*inner)),
        Rel::Plus(inner) => plus(*inner),
        Rel::Opt(inner) => optional(*inner),
        Rel::Union(parts) => {
            let mut all: Vec<Rel> = Vec::new();
            for part in parts {
                match part {
                    Rel::Union(inner) => all.extend(inner),
                    other => all.push(other),
                }
            }
            single(all, Rel::Union)
        }
        Rel::Seq(parts) => {
            let mut all: Vec<Rel> = Vec::new();
            for part in parts {
                match part {
                    Rel::Seq(inner) => all.extend(inner),
                    other => all.push(other),
                }
            }
            single(all, Rel::Seq)
        }
        other => other,
    }
}

fn single(mut parts: Vec<Rel>, several: fn(Vec<Rel>) -> Rel) -> Rel {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            several(parts)
        }
        None => several(parts),
    }
}

/// The transitive closure of a [`flat`] relation.
pub(super) fn plus(inner: Rel) -> Rel {
    match inner {
        Rel::Plus(_) => inner,
        Rel::Opt(inner) => optional(plus(*inner)),
        other => Rel::Plus(Box::new(other)),
    }
}

fn optional(inner: Rel) -> Rel {
    match inner {
        Rel::Opt(_) => inner,
        other => Rel::Opt(Box::new(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wr(key: u32) -> Rel {
        Rel::OverKeys(KeyVar(key), Box::new(Rel::Given(Given::Wr(KeyVar(key)))))
    }

    fn named(name: &str, rel: Rel) -> Rel {
        Rel::Named(name.to_owned(), Box::new(rel))
    }

    #[test]
    fn names_of_keys_and_definitions_do_not_matter() {
        let so = Rel::Given(Given::So);
        let one = Rel::Union(vec![named("reads", wr(3)), Rel::Union(vec![so.clone(), wr(7)])]);
        let other = Rel::Union(vec![wr(1), named("o", so), wr(1)]);
        assert_eq!(canonical(&one), canonical(&other));
        let of_key = |key| Rel::Seq(vec![Rel::Witness(0, Some(KeyVar(key))), wr(9)]);
        assert_eq!(canonical(&of_key(4)), canonical(&of_key(5)));
        assert_eq!(free_keys(&of_key(4)), [KeyVar(4)]);
        assert_ne!(canonical(&Rel::Witness(0, Some(KeyVar(4)))), canonical(&Rel::Witness(0, None)));
    }

    #[test]
    fn a_key_may_be_bound_inside_its_own_scope() {
        let inner = Rel::OverKeys(KeyVar(2), Box::new(Rel::Given(Given::Wr(KeyVar(2)))));
        let outer = Rel::Seq(vec![Rel::Given(Given::Wr(KeyVar(2))), inner]);
        assert_eq!(free_keys(&outer), [KeyVar(2)]);
        let apart = Rel::Seq(vec![Rel::Given(Given::Wr(KeyVar(5))), wr(6)]);
        assert_eq!(canonical(&outer), canonical(&apart));
    }

    #[test]
    fn closures_are_written_in_one_way() {
        let so = || Box::new(Rel::Given(Given::So));
        let plus = Rel::Plus(so());
        let star = Rel::Opt(Box::new(plus.clone()));
        assert_eq!(flat(&Rel::Star(so())), star);
        assert_eq!(flat(&Rel::Plus(Box::new(Rel::Opt(so())))), star);
        assert_eq!(flat(&Rel::Star(Box::new(Rel::Star(so())))), star);
        assert_eq!(flat(&Rel::Plus(Box::new(Rel::Plus(so())))), plus);
    }
}
