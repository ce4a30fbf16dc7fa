//! How arrows run: through the channel between the columns, or around the outside of one; and where
//! their labels stand, so that none covers another.

use super::place::{CHANNEL, Column, Place};
use super::{Arrow, Figure};
use crate::layout::width;

/// How far an arrow around the outside swings out, and how much more for each card it passes.
const SWING: f64 = 44.0;
const FURTHER: f64 = 16.0;
pub(super) const LABEL_HEIGHT: f64 = 24.0;
/// How far arrows that share an end stand apart.
const APART: f64 = 9.0;

/// A curve with a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Route {
    /// Start, two points that pull, and end; the curve ends horizontally.
    pub(super) curve: [(f64, f64); 4],
    /// The middle of the label.
    pub(super) label: (f64, f64),
    pub(super) label_width: f64,
}

impl Route {
    /// Whether the arrow arrives from the left.
    pub(super) fn ends_rightwards(&self) -> bool {
        self.curve[3].0 > self.curve[2].0
    }
}

/// A side of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A route for every arrow, in their order.
pub(super) fn routes(figure: &Figure, places: &[Place]) -> Vec<Route> {
    let curves = curves(&figure.arrows, places);
    let mut routes: Vec<Route> = Vec::new();
    for (number, arrow) in figure.arrows.iter().enumerate() {
        let curve = curves[number];
        let label_width = label_width(&arrow.label);
        let others = curves.iter().enumerate().filter(|(other, _)| *other != number);
        let along = |curve| (0..=24).map(move |at| point(curve, f64::from(at) / 24.0));
        let lines: Vec<(f64, f64)> = others.flat_map(|(_, curve)| along(*curve)).collect();
        let label = Labels { places, routes: &routes, lines: &lines }.place(curve, label_width);
        routes.push(Route { curve, label, label_width });
    }
    routes
}

/// The width of a label with its number.
fn label_width(label: &str) -> f64 {
    width(label) as f64 * 7.6 + 36.0
}

/// One end of an arrow: which card, which row, which side.
type End = (usize, Option<usize>, Side);

/// The curves of all arrows. Those that share an end stand a little apart.
fn curves(arrows: &[Arrow], places: &[Place]) -> Vec<[(f64, f64); 4]> {
    let ends: Vec<[End; 2]> = arrows
        .iter()
        .map(|arrow| {
            let (out, into) = sides(&places[arrow.from.card], &places[arrow.to.card]);
            [(arrow.from.card, arrow.from.row, out), (arrow.to.card, arrow.to.row, into)]
        })
        .collect();
    let all: Vec<End> = ends.iter().flatten().copied().collect();
    let shift = |place: usize| {
        let same = |upto: usize| all[..upto].iter().filter(|end| **end == all[place]).count();
        (same(place) as f64 - (same(all.len()) - 1) as f64 / 2.0) * APART
    };
    let spot = |place: usize| {
        let (card, row, side) = all[place];
        let card = &places[card];
        let x = if side == Side::Left { card.x } else { card.x + card.width };
        (x, card.row(row) + shift(place))
    };
    (0..arrows.len())
        .map(|number| {
            let [(from, _, out), (to, _, into)] = ends[number];
            let (start, end) = (spot(2 * number), spot(2 * number + 1));
            curve((start, out), (end, into), places[from].level.abs_diff(places[to].level))
        })
        .collect()
}

fn curve(
    (start, out): ((f64, f64), Side),
    (end, into): ((f64, f64), Side),
    levels: usize,
) -> [(f64, f64); 4] {
    if out != into {
        let pull = CHANNEL * 0.55 * if out == Side::Right { 1.0 } else { -1.0 };
        return [start, (start.0 + pull, start.1), (end.0 - pull, end.1), end];
    }
    let swing = SWING + FURTHER * levels.saturating_sub(1) as f64;
    let turn = match out {
        Side::Left => start.0.min(end.0) - swing,
        Side::Right => start.0.max(end.0) + swing,
    };
    [start, (turn, start.1), (turn, end.1), end]
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

/// What a label must not cover, and what it had better not.
struct Labels<'a> {
    places: &'a [Place],
    routes: &'a [Route],
    /// Points of the other arrows.
    lines: &'a [(f64, f64)],
}

impl Labels<'_> {
    /// The place along a curve where the label covers neither a card nor another label, and as
    /// little as possible of other arrows.
    fn place(&self, curve: [(f64, f64); 4], label_width: f64) -> (f64, f64) {
        let along = [50, 42, 58, 36, 64, 30, 70, 25, 75, 20, 80];
        let beside = [0.0, -26.0, 26.0];
        let mut best: Option<(usize, (f64, f64))> = None;
        for shift in beside {
            for percent in along {
                let (x, y) = point(curve, f64::from(percent) / 100.0);
                let spot = Spot { x, y: y + shift, half: label_width / 2.0 };
                let cost = self.covered(&spot) + if shift == 0.0 { 0 } else { 4 };
                if self.is_free(&spot) && best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, (spot.x, spot.y)));
                }
            }
        }
        best.map_or_else(|| point(curve, 0.5), |(_, spot)| spot)
    }

    fn is_free(&self, spot: &Spot) -> bool {
        let cards = self.places.iter().map(|card| (card.x, card.y, card.width, card.height));
        let labels = self.routes.iter().map(|other| {
            let (wide, (x, y)) = (other.label_width, other.label);
            (x - wide / 2.0, y - LABEL_HEIGHT / 2.0, wide, LABEL_HEIGHT)
        });
        cards.chain(labels).all(|area| spot.is_clear_of(area))
    }

    /// How much of other arrows the label would cover.
    fn covered(&self, spot: &Spot) -> usize {
        self.lines.iter().filter(|(x, y)| !spot.is_clear_of((*x, *y, 0.0, 0.0))).count()
    }
}

/// Where a label may stand.
struct Spot {
    x: f64,
    y: f64,
    half: f64,
}

impl Spot {
    /// Whether the label does not touch an area, given by left, top, width and height.
    fn is_clear_of(&self, (left, top, wide, tall): (f64, f64, f64, f64)) -> bool {
        const AIR: f64 = 2.0;
        let height = LABEL_HEIGHT / 2.0;
        self.x + self.half + AIR < left
            || left + wide < self.x - self.half - AIR
            || self.y + height + AIR < top
            || top + tall < self.y - height - AIR
    }
}

/// The point of a curve after a part of its way.
fn point(curve: [(f64, f64); 4], part: f64) -> (f64, f64) {
    let rest = 1.0 - part;
    let weights =
        [rest.powi(3), 3.0 * rest.powi(2) * part, 3.0 * rest * part.powi(2), part.powi(3)];
    let sum = |coordinate: fn(&(f64, f64)) -> f64| {
        curve.iter().map(coordinate).zip(weights).map(|(value, weight)| value * weight).sum()
    };
    (sum(|point| point.0), sum(|point| point.1))
}
