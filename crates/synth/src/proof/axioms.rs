//! What holds in every history, written as checks.
//!
//! All of them are universal: they say nothing of transactions or keys that would have to exist.
//! They are fewer than what one knows of histories; each is needed in some proof.

use tristan_spec::Promise;
use tristan_spec::iso::{Check, Given, KeyVar, Rel, Set, Sort};

use super::checks::transitive;
use super::formula::Pred;

/// The bound key of axioms about all keys.
const X: KeyVar = KeyVar(0);

/// What a witness of the stronger level, or an order that one of its checks gives, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A strict total order of the transactions; whether the initial one comes first.
    Order { init_first: bool },
    /// The same for every key.
    OrderForEachKey { init_first: bool },
    /// For every key a strict total order of those that write it, the initial one first.
    OrderOfWriters,
    /// Any relation.
    Relation,
}

/// What is known of a predicate that occurs.
pub(super) fn about(pred: Pred) -> Vec<Check> {
    match pred {
        Pred::So => session_order(),
        Pred::Rt => real_time(),
        Pred::CommitOrder => first_and_strict(&given(Given::CommitOrder)),
        Pred::BeginCommit => first(&given(Given::BeginCommit)),
        Pred::Wr => read_sources(),
        Pred::Po => read_order(),
        Pred::Writes => vec![
            for_all(inside(test(Set::Init), test(Set::Writes(X)))),
            for_all(inside(test(Set::Writes(X)), test(Set::Writers))),
        ],
        Pred::Reads => vec![for_all(inside(test(Set::Reads(X)), test(Set::Readers)))],
        Pred::Readers => {
            vec![Check::Empty(test(Set::Inter(vec![Set::Readers, Set::Init])))]
        }
        Pred::Writers => vec![inside(test(Set::Init), test(Set::Writers))],
        Pred::Promised(promise) => promises(promise),
        Pred::Same(_) | Pred::Witness(_) | Pred::Closure(_) | Pred::Abbreviation(_) => Vec::new(),
    }
}

/// What is known of witness number `index`.
pub(super) fn about_witness(index: usize, shape: Shape) -> Vec<Check> {
    let plain = Rel::Witness(index, None);
    let keyed = Rel::Witness(index, Some(X));
    match shape {
        Shape::Order { init_first } => total_order(&plain, init_first),
        Shape::OrderForEachKey { init_first } => {
            total_order(&keyed, init_first).into_iter().map(for_all).collect()
        }
        Shape::OrderOfWriters => order_of_writers(&keyed).into_iter().map(for_all).collect(),
        Shape::Relation => Vec::new(),
    }
}

fn total_order(order: &Rel, init_first: bool) -> Vec<Check> {
    let mut checks = strict(order);
    checks.push(Check::Total(order.clone()));
    if init_first {
        checks.extend(first(order));
    }
    checks
}

fn order_of_writers(order: &Rel) -> Vec<Check> {
    let writers = Rel::Product(Set::Writes(X), Set::Writes(X));
    let different = Rel::Diff(Box::new(writers.clone()), Box::new(Rel::Id(Sort::Txn)));
    let either = Rel::Union(vec![order.clone(), inverse(order)]);
    let mut checks = strict(order);
    checks.push(inside(order.clone(), writers));
    checks.push(inside(different, either));
    checks.push(inside(
        Rel::Product(Set::Init, Set::Inter(vec![Set::Writes(X), later()])),
        order.clone(),
    ));
    checks
}

/// Irreflexive and transitive.
fn strict(order: &Rel) -> Vec<Check> {
    vec![Check::Irreflexive(order.clone()), transitive(order)]
}

/// The initial transaction comes before all others, and none before it.
fn first(order: &Rel) -> Vec<Check> {
    vec![inside(Rel::Product(Set::Init, later()), order.clone()), Check::Empty(into_init(order))]
}

/// What of the relation leads to the initial transaction.
pub(super) fn into_init(rel: &Rel) -> Rel {
    Rel::Seq(vec![rel.clone(), test(Set::Init)])
}

fn first_and_strict(order: &Rel) -> Vec<Check> {
    [first(order), strict(order)].concat()
}

/// A session is a chain: of two transactions that follow or precede a third one in its session,
/// one comes first.
fn session_order() -> Vec<Check> {
    let so = given(Given::So);
    let comparable = Rel::Union(vec![so.clone(), inverse(&so), Rel::Id(Sort::Txn)]);
    let later = test(later());
    let before = Rel::Seq(vec![later.clone(), so.clone(), inverse(&so), later.clone()]);
    let after = Rel::Seq(vec![inverse(&so), later, so.clone()]);
    let mut checks = first_and_strict(&so);
    checks.push(inside(before, comparable.clone()));
    checks.push(inside(after, comparable));
    checks
}

/// `rt` is an interval order: if `a` ended before `b` began and `c` before `d`, then `a` ended
/// before `d` began or `c` before `b`, whichever of `a` and `c` ended first. That sessions do one
/// thing after the other is not used, since times may be missing.
fn real_time() -> Vec<Check> {
    let rt = given(Given::Rt);
    let any_two = Rel::Product(Set::Txn, Set::Txn);
    let not_before = Rel::Diff(Box::new(any_two), Box::new(inverse(&rt)));
    let mut checks = first_and_strict(&rt);
    checks.push(inside(Rel::Seq(vec![rt.clone(), not_before, rt.clone()]), rt));
    checks
}

/// What holds besides if the begin and commit of every transaction were recorded and sessions do one thing
/// after the other.
pub(super) fn about_time() -> Vec<Check> {
    let [so, rt, cc, bc] =
        [Given::So, Given::Rt, Given::CommitOrder, Given::BeginCommit].map(given);
    let different =
        Rel::Diff(Box::new(Rel::Product(Set::Txn, Set::Txn)), Box::new(Rel::Id(Sort::Txn)));
    let began = Rel::Diff(Box::new(different), Box::new(inverse(&rt)));
    vec![
        inside(so, rt.clone()),
        inside(rt.clone(), cc.clone()),
        Check::Total(cc.clone()),
        inside(Rel::Seq(vec![cc.clone(), rt.clone()]), rt.clone()),
        inside(Rel::Seq(vec![rt.clone(), bc.clone()]), cc),
        inside(began, bc.clone()),
        Check::Empty(Rel::Inter(vec![bc, inverse(&rt)])),
    ]
}

/// A transaction that is read from wrote the key; a key is read once, from another transaction.
fn read_sources() -> Vec<Check> {
    let wr = given(Given::Wr(X));
    let once = inside(Rel::Seq(vec![wr.clone(), inverse(&wr)]), Rel::Id(Sort::Txn));
    vec![
        for_all(inside(wr.clone(), Rel::Product(Set::Writes(X), Set::Reads(X)))),
        for_all(once),
        for_all(Check::Irreflexive(wr)),
    ]
}

/// The reads of one transaction are in a strict total order.
fn read_order() -> Vec<Check> {
    let (po, of) = (given(Given::Po), given(Given::Of));
    let together = Rel::Seq(vec![of.clone(), inverse(&of)]);
    let different = Rel::Diff(Box::new(together), Box::new(Rel::Id(Sort::Read)));
    let mut checks = strict(&po);
    checks.push(inside(different, Rel::Union(vec![po.clone(), inverse(&po)])));
    checks
}

/// A transaction that was promised a level was promised every weaker one.
fn promises(promise: Promise) -> Vec<Check> {
    let weaker = Promise::ALL.into_iter().filter(|weaker| *weaker < promise);
    weaker.map(|weaker| inside(test(Set::Promised(promise)), test(Set::Promised(weaker)))).collect()
}

/// All transactions but the initial one.
fn later() -> Set {
    Set::Diff(Box::new(Set::Txn), Box::new(Set::Init))
}

fn given(given: Given) -> Rel {
    Rel::Given(given)
}

fn test(set: Set) -> Rel {
    Rel::Test(set)
}

fn inverse(rel: &Rel) -> Rel {
    Rel::Inverse(Box::new(rel.clone()))
}

fn inside(left: Rel, right: Rel) -> Check {
    Check::In(left, right)
}

fn for_all(check: Check) -> Check {
    Check::ForAll(X, Box::new(check))
}
