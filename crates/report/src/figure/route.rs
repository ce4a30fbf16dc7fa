//! How arrows run: through the channel between the columns, or around the outside of one.

use super::place::{Column, Place};
use super::{Arrow, Room};

/// How much further an arrow around the outside swings out for each card it passes.
const FURTHER: f64 = 16.0;
/// How far arrows that share an end stand apart there, and how much more on their way.
const APART: f64 = 9.0;
const FAN: f64 = 5.0;

/// A curve: its start, two points that pull, and its end.
pub(super) type Curve = [(f64, f64); 4];

/// A side of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// One end of an arrow: which card, which row, which side.
type End = (usize, Option<usize>, Side);

/// The curves of all arrows. Those that share an end leave it a little apart and fan out.
pub(super) fn curves(arrows: &[Arrow], places: &[Place], room: Room) -> Vec<Curve> {
    let ends: Vec<[End; 2]> = arrows
        .iter()
        .map(|arrow| {
            let (out, into) = sides(&places[arrow.from.card], &places[arrow.to.card]);
            [(arrow.from.card, arrow.from.row, out), (arrow.to.card, arrow.to.row, into)]
        })
        .collect();
    let height = |(card, row, _): End| places[card].row(row);
    // Those that share an end are ordered by where they lead, so that they need not cross.
    let shift = |number: usize, end: usize| {
        let own = ends[number][end];
        let mut sharing: Vec<(f64, usize)> = Vec::new();
        for (other, both) in ends.iter().enumerate() {
            let shared = (0..2).filter(|&end| both[end] == own);
            sharing.extend(shared.map(|end| (height(both[1 - end]), other)));
        }
        sharing.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let place = sharing.iter().position(|(_, other)| *other == number).unwrap_or(0);
        (place as f64 - (sharing.len() - 1) as f64 / 2.0) * APART
    };
    let spot = |number: usize, end: usize| {
        let (card, row, side) = ends[number][end];
        let (card, shift) = (&places[card], shift(number, end));
        let x = if side == Side::Left { card.x } else { card.x + card.width };
        ((x, card.row(row) + shift), side, shift * FAN)
    };
    (0..arrows.len())
        .map(|number| {
            let [(from, ..), (to, ..)] = ends[number];
            let levels = places[from].level.abs_diff(places[to].level);
            curve(spot(number, 0), spot(number, 1), levels, room)
        })
        .collect()
}

/// Where a curve begins or ends, on which side, and how far it is pulled up or down there.
type Spot = ((f64, f64), Side, f64);

fn curve((start, out, up): Spot, (end, into, down): Spot, levels: usize, room: Room) -> Curve {
    if out != into {
        let pull = room.channel * 0.55 * if out == Side::Right { 1.0 } else { -1.0 };
        return [start, (start.0 + pull, start.1 + up), (end.0 - pull, end.1 + down), end];
    }
    let swing = room.swing + FURTHER * levels.saturating_sub(1) as f64;
    let turn = match out {
        Side::Left => start.0.min(end.0) - swing,
        Side::Right => start.0.max(end.0) + swing,
    };
    [start, (turn, start.1 + up), (turn, end.1 + down), end]
}

/// Where an arrow leaves one card and reaches the other.
fn sides(from: &Place, to: &Place) -> (Side, Side) {
    use Column::{Left, Middle, Right};
    match (from.column, to.column) {
        (Left, Right) => (Side::Right, Side::Left),
        (Right, Left) => (Side::Left, Side::Right),
        (Right | Middle, Middle | Right) => (Side::Right, Side::Right),
        (Left | Middle, Middle | Left) => (Side::Left, Side::Left),
    }
}

/// The point of a curve after a part of its way.
pub(super) fn point(curve: Curve, part: f64) -> (f64, f64) {
    let rest = 1.0 - part;
    let weights =
        [rest.powi(3), 3.0 * rest.powi(2) * part, 3.0 * rest * part.powi(2), part.powi(3)];
    let sum = |coordinate: fn(&(f64, f64)) -> f64| {
        curve.iter().map(coordinate).zip(weights).map(|(value, weight)| value * weight).sum()
    };
    (sum(|point| point.0), sum(|point| point.1))
}
