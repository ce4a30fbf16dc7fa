//! The dependencies, each as a matrix of terms over the choices: the last section of
//! `docs/semantics.md`, word by word.

use tristan_spec::Rel;

use super::choices::Choices;
use super::matrix::Matrix;
use super::term::{FALSE, TRUE, Term, and, or};
use crate::ir::{Ir, OrderId, Read, ReadId, ReadKind, Source, Unit};

/// The relation, between units that took effect.
pub(super) fn relation(ir: &Ir, choices: &Choices<'_>, rel: Rel) -> Matrix {
    let size = ir.units.len();
    let known = known(ir, choices, rel);
    let derived = Matrix::new(size, |a, b| {
        let pair = (Unit::new(a), Unit::new(b));
        match rel {
            Rel::Wr => wr(ir, choices, pair),
            Rel::Ww => ww(ir, choices, pair),
            Rel::Rw => rw(ir, choices, pair, |_| true),
            Rel::ItemRw => rw(ir, choices, pair, is_item),
            Rel::Rt | Rel::CommitOrder | Rel::BeginCommit => clock(ir, choices, rel, pair),
            Rel::Vanishing => vanishing(ir, choices, pair),
            Rel::Cursor => cursor(ir, choices, pair),
            // The edges are all there is to know; levels are lowered with `o` and `b` replaced.
            Rel::So | Rel::Order | Rel::Base => FALSE.to_owned(),
        }
    });
    known.union(&derived)
}

/// The edges of the relation. Session order is transitive and its edges are single steps; only
/// the last step of a walk can lead to a unit that may not have taken effect.
fn known(ir: &Ir, choices: &Choices<'_>, rel: Rel) -> Matrix {
    let size = ir.units.len();
    let mut given = vec![false; size * size];
    for edge in ir.edges.iter().filter(|edge| edge.rel == rel) {
        given[edge.from.index() * size + edge.to.index()] = true;
    }
    let cell = |a: usize, b: usize, known: bool| match known {
        true => choices.both_live(Unit::new(a), Unit::new(b)),
        false => FALSE.to_owned(),
    };
    if rel != Rel::So {
        return Matrix::new(size, |a, b| cell(a, b, given[a * size + b]));
    }
    let step = |a: usize, b: usize| if given[a * size + b] { TRUE } else { FALSE };
    let reach = Matrix::new(size, |a, b| step(a, b).to_owned()).reachable();
    Matrix::new(size, |a, b| cell(a, b, reach[a][b]))
}

/// The second has a read whose source is the first.
fn wr(ir: &Ir, choices: &Choices<'_>, (a, b): (Unit, Unit)) -> Term {
    or(reads_of(ir, b).map(|read| choices.reads(read, Source::Unit(a))))
}

/// Both installed a version of a key, the first one's earlier.
fn ww(ir: &Ir, choices: &Choices<'_>, (a, b): (Unit, Unit)) -> Term {
    or(OrderId::all(ir.orders.len()).map(|order| choices.before(order, a, b)))
}

/// The second overwrote what the first read.
fn rw(
    ir: &Ir,
    choices: &Choices<'_>,
    (a, b): (Unit, Unit),
    counts: impl Fn(&Read) -> bool,
) -> Term {
    or(reads_of(ir, a)
        .filter(|&read| counts(&ir.reads[read.index()]))
        .map(|read| choices.overwrites(read, b)))
}

fn clock(ir: &Ir, choices: &Choices<'_>, rel: Rel, (a, b): (Unit, Unit)) -> Term {
    let (first, second) = (ir.times(a), ir.times(b));
    let (early, late) = match rel {
        Rel::Rt => (first.end_by, second.begin_from),
        Rel::CommitOrder => (first.end_by, second.end_from),
        _ => (first.begin_by, second.end_from),
    };
    let ordered = match (early, late) {
        (Some(early), Some(late)) => i128::from(early) + i128::from(ir.drift) < i128::from(late),
        _ => false,
    };
    if a != b && ordered { choices.both_live(a, b) } else { FALSE.to_owned() }
}

/// Some unit read a key from the first, and by a later operation missed the second's version of
/// another key.
fn vanishing(ir: &Ir, choices: &Choices<'_>, (a, b): (Unit, Unit)) -> Term {
    let pairs = ReadId::all(ir.reads.len()).flat_map(|saw| {
        let read = &ir.reads[saw.index()];
        let later = reads_of(ir, read.unit).filter(|&other| {
            let other = &ir.reads[other.index()];
            other.op > read.op && other.order != read.order
        });
        later.map(move |missed| (saw, missed))
    });
    or(pairs.map(|(saw, missed)| {
        and([choices.reads(saw, Source::Unit(a)), choices.overwrites(missed, b)])
    }))
}

/// On one key, the first read a version, another overwrote it, and the second overwrote that.
fn cursor(ir: &Ir, choices: &Choices<'_>, (a, b): (Unit, Unit)) -> Term {
    or(reads_of(ir, a).filter(|&read| is_item(&ir.reads[read.index()])).flat_map(|read| {
        let order = ir.reads[read.index()].order;
        let writers = ir.orders[order.index()].writers.iter();
        writers.map(move |&between| {
            and([choices.overwrites(read, between), choices.before(order, between, b)])
        })
    }))
}

fn is_item(read: &Read) -> bool {
    read.kind != ReadKind::Predicate
}

fn reads_of(ir: &Ir, unit: Unit) -> impl Iterator<Item = ReadId> + '_ {
    ReadId::all(ir.reads.len()).filter(move |&read| ir.reads[read.index()].unit == unit)
}
