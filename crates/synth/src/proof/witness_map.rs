//! What the witnesses of the weaker level may be, in terms of the stronger one's.
//!
//! A guess costs nothing but time: whether it is a witness is proved check by check. So these are
//! the expressions that people use in such proofs: the same order, the order restricted to the
//! writers of a key, the other level's visibility, or the least one that the rules allow.

use tristan_spec::iso::{Given, IsoLevel, KeyVar, Rel, Set, WitnessKind};

use super::axioms::Shape;
use super::rewrite::{map_keys, map_parts};
use super::theory::Theory;
use crate::rewrite::least;

/// What a witness of the weaker level is, in terms of witnesses of the stronger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The key it depends on, for an order per key.
    pub key: Option<KeyVar>,
    /// The expression.
    pub rel: Rel,
}

/// The key that images of orders per key depend on; no level has so many binders.
pub(crate) const HOLE: KeyVar = KeyVar(u32::MAX);

/// The key of unions over keys that are made up here.
const OWN: KeyVar = KeyVar(u32::MAX - 1);

/// How many maps are tried.
const MOST_MAPS: usize = 256;

/// The maps worth trying, likelier ones first.
pub(super) fn maps(theory: &Theory, weaker: &IsoLevel) -> Vec<Vec<Image>> {
    let mut partial: Vec<Vec<Option<Image>>> = vec![Vec::new()];
    for witness in &weaker.witnesses {
        let choices: Vec<Option<Image>> = match witness.kind {
            WitnessKind::Order => orders(theory).into_iter().map(Some).collect(),
            WitnessKind::OrderPerKey => orders_per_key(theory).into_iter().map(Some).collect(),
            WitnessKind::Relation => vec![None],
        };
        partial = each_with_each(&partial, &choices);
    }
    let all = partial.iter().flat_map(|orders| with_relations(theory, weaker, orders));
    all.take(MOST_MAPS).collect()
}

/// The relation of the weaker level with its witnesses replaced by their images.
pub(super) fn replace(rel: &Rel, images: &[Option<Image>]) -> Option<Rel> {
    if let Rel::Witness(index, key) = rel {
        let image = images.get(*index)?.as_ref()?;
        return Some(match key {
            Some(key) => map_keys(&image.rel, &|own| if own == HOLE { *key } else { own }),
            None => image.rel.clone(),
        });
    }
    let mut complete = true;
    let replaced = map_parts(rel, &mut |part| {
        replace(part, images).unwrap_or_else(|| {
            complete = false;
            part.clone()
        })
    });
    complete.then_some(replaced)
}

/// The maps with these orders and every choice of relations.
fn with_relations(theory: &Theory, weaker: &IsoLevel, orders: &[Option<Image>]) -> Vec<Vec<Image>> {
    let mut maps: Vec<Vec<Image>> = vec![Vec::new()];
    for (index, image) in orders.iter().enumerate() {
        let choices = match image {
            Some(image) => vec![image.clone()],
            None => relations(theory, weaker, index, orders),
        };
        maps = each_with_each(&maps, &choices);
    }
    maps
}

fn each_with_each<T: Clone>(starts: &[Vec<T>], ends: &[T]) -> Vec<Vec<T>> {
    let with = |start: &Vec<T>| {
        let start = start.clone();
        ends.iter().map(move |end| [start.as_slice(), std::slice::from_ref(end)].concat())
    };
    starts.iter().flat_map(with).take(MOST_MAPS).collect()
}

fn orders(theory: &Theory) -> Vec<Image> {
    let total = |(index, shape): (usize, &Shape)| match shape {
        Shape::Order { init_first: true } => Some(plain(Rel::Witness(index, None))),
        _ => None,
    };
    theory.shapes.iter().enumerate().filter_map(total).collect()
}

fn orders_per_key(theory: &Theory) -> Vec<Image> {
    let mut found = Vec::new();
    for (index, shape) in theory.shapes.iter().enumerate() {
        if *shape == Shape::OrderOfWriters {
            found.push(Rel::Witness(index, Some(HOLE)));
        }
    }
    for (index, shape) in theory.shapes.iter().enumerate() {
        let order = match shape {
            Shape::Order { init_first: true } => Rel::Witness(index, None),
            Shape::OrderForEachKey { init_first: true } => Rel::Witness(index, Some(HOLE)),
            _ => continue,
        };
        let writers = Rel::Test(Set::Writes(HOLE));
        found.push(Rel::Seq(vec![writers.clone(), order, writers]));
    }
    found.into_iter().map(|rel| Image { key: Some(HOLE), rel }).collect()
}

fn relations(
    theory: &Theory,
    weaker: &IsoLevel,
    witness: usize,
    orders: &[Option<Image>],
) -> Vec<Image> {
    let mut found = Vec::new();
    for (index, shape) in theory.shapes.iter().enumerate() {
        if *shape == Shape::Relation {
            found.push(Rel::Witness(index, None));
        }
    }
    found.extend(least(weaker, witness).and_then(|least| replace(&least, orders)));
    found.push(base());
    found.push(Rel::Plus(Box::new(base())));
    for order in self::orders(theory) {
        found.push(Rel::Seq(vec![Rel::Opt(Box::new(order.rel.clone())), base()]));
        found.push(order.rel);
    }
    let mut images: Vec<Image> = Vec::new();
    for image in found.into_iter().map(plain) {
        if !images.contains(&image) {
            images.push(image);
        }
    }
    images
}

/// `so | wr`.
fn base() -> Rel {
    let wr = Rel::OverKeys(OWN, Box::new(Rel::Given(Given::Wr(OWN))));
    let wr = Rel::Named("wr".to_owned(), Box::new(wr));
    Rel::Union(vec![Rel::Given(Given::So), wr])
}

fn plain(rel: Rel) -> Image {
    Image { key: None, rel }
}
