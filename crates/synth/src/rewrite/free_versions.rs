//! Where no version order has to be chosen.
//!
//! Let `ww` be the union of all `vo[x]`, and let a level use `vo` in no other way than
//!
//! ```text
//!   acyclic E | ww                        once
//!   irreflexive F ; wr[x]^-1 ; vo[x]      as often as it likes, for every key
//! ```
//!
//! with no `vo` in `E` and `F`. The second says that no reader knows, through `F`, a version newer
//! than the one it reads: if `a` writes `x`, is known to `b`, and `b` reads `x` from `s`, then not
//! `s` but `a` is the older one, unless they are the same. So it is a list of pairs of writers of
//! `x` that `vo[x]` must contain: `([W[x]] ; F ; wr[x]^-1) \ id`. Orders that contain these pairs,
//! begin with the initial transaction, and do not run against `E` exist exactly if
//!
//! ```text
//!   acyclic E | ([W[x]] ; F ; wr[x]^-1) \ id | Init * (W \ Init)
//! ```
//!
//! because any order of all transactions that contains all this gives an order of the writers of
//! each key. Nothing is left to choose: read atomic and causal consistency are such levels.

use tristan_spec::iso::{Check, Given, IsoLevel, KeyVar, Rel, Set, Witness, WitnessKind};

use super::flat::flatten;
use super::shape::{bare, is_identity, seq, union, without_loops};
use super::terms::over;
use crate::syntax::{mentions, speaks_of};

/// The level without a version order; `None` if it uses it in some other way.
pub fn without_versions(level: &IsoLevel, versions: usize) -> Option<IsoLevel> {
    let per_key = |known: &Witness| known.kind == WitnessKind::OrderPerKey;
    level.witnesses.get(versions).filter(|known| per_key(known))?;
    let (with, mut checks): (Vec<Check>, Vec<Check>) =
        flatten(&level.checks).into_iter().partition(|check| speaks_of(check, versions));
    let mut older = Vec::new();
    let mut around = None;
    for check in &with {
        match check {
            Check::Acyclic(rel) => {
                let rest = beside_versions(rel, versions)?;
                if around.replace(rest).is_some() {
                    return None;
                }
            }
            Check::Irreflexive(rel) => older.extend(known_older(rel, versions)?),
            _ => return None,
        }
    }
    let mut parts = around?;
    parts.extend(older);
    let others = Set::Diff(Box::new(Set::Writers), Box::new(Set::Init));
    parts.push(Rel::Product(Set::Init, others));
    checks.push(Check::Acyclic(union(parts)));
    Some(IsoLevel { checks, ..level.clone() })
}

/// `E` in `E | ww`.
fn beside_versions(rel: &Rel, versions: usize) -> Option<Vec<Rel>> {
    let parts = match bare(rel) {
        Rel::Union(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let (own, others): (Vec<&Rel>, Vec<&Rel>) =
        parts.iter().partition(|part| is_all_versions(part, versions));
    let plain = others.iter().all(|part| !mentions(part, versions));
    (!own.is_empty() && plain).then(|| others.into_iter().cloned().collect())
}

/// `U x. vo[x]`.
fn is_all_versions(rel: &Rel, versions: usize) -> bool {
    match bare(rel) {
        Rel::OverKeys(key, inner) => is_version_order(inner, versions) == Some(*key),
        _ => false,
    }
}

fn is_version_order(rel: &Rel, versions: usize) -> Option<KeyVar> {
    match bare(rel) {
        Rel::Witness(place, key) if *place == versions => *key,
        _ => None,
    }
}

/// For a relation that must have no loop: the pairs that version orders must contain.
fn known_older(rel: &Rel, versions: usize) -> Option<Vec<Rel>> {
    match bare(rel) {
        Rel::Union(parts) => {
            let all: Option<Vec<Vec<Rel>>> =
                parts.iter().map(|part| known_older(part, versions)).collect();
            all.map(|all| all.concat())
        }
        Rel::OverKeys(key, inner) => {
            let inside = known_older(inner, versions)?.into_iter();
            Some(inside.map(|rel| Rel::OverKeys(*key, Box::new(rel))).collect())
        }
        Rel::Seq(parts) => {
            let missed = ending(parts, versions)?;
            let plain = missed.known.iter().all(|part| !mentions(part, versions));
            plain.then(|| vec![missed.older()])
        }
        _ => None,
    }
}

/// `F ; wr[x]^-1 ; vo[x]`.
struct Missed {
    /// The factors of `F`.
    known: Vec<Rel>,
    /// `x`, and whether it is bound here.
    key: KeyVar,
    bound: bool,
    /// Whether the loops of the last two factors are left out.
    without_loops: bool,
}

impl Missed {
    /// `([W[x]] ; F ; wr[x]^-1) \ id`.
    fn older(&self) -> Rel {
        let known = seq(self.known.clone());
        // A loop of the end would make the reader itself the newer writer.
        let known = if self.without_loops { without_loops(known) } else { known };
        let reads = Rel::Inverse(Box::new(Rel::Given(Given::Wr(self.key))));
        let pairs = without_loops(seq(vec![Rel::Test(Set::Writes(self.key)), known, reads]));
        if self.bound { over(&[self.key], pairs) } else { pairs }
    }
}

/// How a composition ends, if it ends as it should.
fn ending(parts: &[Rel], versions: usize) -> Option<Missed> {
    let missed = |known: &[Rel], key: KeyVar, bound: bool, without_loops: bool| {
        Some(Missed { known: known.to_vec(), key, bound, without_loops })
    };
    if let [known @ .., reads, order] = parts
        && let Some(key) = is_version_order(order, versions)
    {
        return is_reads(reads, key).then(|| missed(known, key, false, false))?;
    }
    let (last, known) = parts.split_last()?;
    let (inner, without_loops) = match bare(last) {
        Rel::Diff(left, right) if is_identity(right) => (bare(left), true),
        other => (other, false),
    };
    match inner {
        Rel::OverKeys(key, inner) => {
            let pair = anti_dependency(inner, versions)?;
            (pair == *key).then(|| missed(known, *key, true, without_loops))?
        }
        other => missed(known, anti_dependency(other, versions)?, false, without_loops),
    }
}

/// The key of `wr[x]^-1 ; vo[x]`.
fn anti_dependency(rel: &Rel, versions: usize) -> Option<KeyVar> {
    let Rel::Seq(parts) = bare(rel) else { return None };
    let [reads, order] = parts.as_slice() else { return None };
    is_version_order(order, versions).filter(|key| is_reads(reads, *key))
}

fn is_reads(rel: &Rel, key: KeyVar) -> bool {
    match bare(rel) {
        Rel::Inverse(inner) => *bare(inner) == Rel::Given(Given::Wr(key)),
        _ => false,
    }
}
