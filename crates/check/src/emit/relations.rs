//! The dependencies, each as a matrix of terms over the constants: the last section of
//! `docs/semantics.md`, word by word.

use tristan_spec::Rel;

use super::constants::Constants;
use super::matrix::Matrix;
use super::term::{FALSE, TRUE, Term, and, or};
use crate::ir::{Ir, OrderId, Read, ReadId, ReadKind, Source, Unit};

/// The relation, between units that took effect.
pub(super) fn relation(ir: &Ir, constants: &Constants<'_>, rel: Rel) -> Matrix {
    let size = ir.units.len();
    let known = known(ir, constants, rel);
    let derived = Matrix::new(size, |a, b| {
        let pair = (Unit::new(a), Unit::new(b));
        match rel {
            Rel::Wr => wr(ir, constants, pair),
            Rel::Ww => ww(ir, constants, pair),
            Rel::Rw => rw(ir, constants, pair, |_| true),
            Rel::ItemRw => rw(ir, constants, pair, is_item),
            Rel::Rt | Rel::CommitOrder | Rel::BeginCommit => clock(ir, constants, rel, pair),
            Rel::Vanishing => vanishing(ir, constants, pair),
            Rel::Cursor => cursor(ir, constants, pair),
            // The edges are all there is to know; levels are lowered with `o` and `b` replaced.
            Rel::So | Rel::Order | Rel::Base => FALSE.to_owned(),
        }
    });
    known.union(&derived)
}

/// The edges of the relation. Session order is transitive and its edges are single steps; only
/// the last step of a walk can lead to a unit that may not have taken effect.
fn known(ir: &Ir, constants: &Constants<'_>, rel: Rel) -> Matrix {
    let size = ir.units.len();
    let mut given = vec![false; size * size];
    for edge in ir.edges.iter().filter(|edge| edge.rel == rel) {
        given[edge.from.index() * size + edge.to.index()] = true;
    }
    let cell = |a: usize, b: usize, known: bool| match known {
        true => constants.both_live(Unit::new(a), Unit::new(b)),
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
fn wr(ir: &Ir, constants: &Constants<'_>, (a, b): (Unit, Unit)) -> Term {
    or(reads_of(ir, b).map(|read| constants.reads(read, Source::Unit(a))))
}

/// Both installed a version of a key, the first one's earlier.
fn ww(ir: &Ir, constants: &Constants<'_>, (a, b): (Unit, Unit)) -> Term {
    or(OrderId::all(ir.orders.len()).map(|order| constants.before(order, a, b)))
}

/// The second overwrote what the first read.
fn rw(
    ir: &Ir,
    constants: &Constants<'_>,
    (a, b): (Unit, Unit),
    counts: impl Fn(&Read) -> bool,
) -> Term {
    or(reads_of(ir, a)
        .filter(|&read| counts(&ir.reads[read.index()]))
        .map(|read| constants.overwrites(read, b)))
}

fn clock(ir: &Ir, constants: &Constants<'_>, rel: Rel, (a, b): (Unit, Unit)) -> Term {
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
    if a != b && ordered { constants.both_live(a, b) } else { FALSE.to_owned() }
}

/// Some unit read a key from the first, and by a later operation missed the second's version of
/// another key.
fn vanishing(ir: &Ir, constants: &Constants<'_>, (a, b): (Unit, Unit)) -> Term {
    let pairs = ReadId::all(ir.reads.len()).flat_map(|saw| {
        let read = &ir.reads[saw.index()];
        let later = reads_of(ir, read.unit).filter(|&other| {
            let other = &ir.reads[other.index()];
            other.op > read.op && other.order != read.order
        });
        later.map(move |missed| (saw, missed))
    });
    or(pairs.map(|(saw, missed)| {
        and([constants.reads(saw, Source::Unit(a)), constants.overwrites(missed, b)])
    }))
}

/// On one key, the first read a version, another overwrote it, and the second overwrote that.
fn cursor(ir: &Ir, constants: &Constants<'_>, (a, b): (Unit, Unit)) -> Term {
    or(reads_of(ir, a).filter(|&read| is_item(&ir.reads[read.index()])).flat_map(|read| {
        let order = ir.reads[read.index()].order;
        let writers = ir.orders[order.index()].writers.iter();
        writers.map(move |&between| {
            and([constants.overwrites(read, between), constants.before(order, between, b)])
        })
    }))
}

fn is_item(read: &Read) -> bool {
    read.kind != ReadKind::Predicate
}

fn reads_of(ir: &Ir, unit: Unit) -> impl Iterator<Item = ReadId> + '_ {
    ReadId::all(ir.reads.len()).filter(move |&read| ir.reads[read.index()].unit == unit)
}
