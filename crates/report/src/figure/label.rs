//! Where labels stand: on their own arrow, and on no card, no other label and no other arrow.
//!
//! Every label gets a place on its own curve. The label with the fewest places to choose from is
//! placed first. Where the drawing is too crowded for all of them, the caller tries again with more
//! room.

use super::Arrow;
use super::place::Place;
use super::route::{Curve, point};
use crate::layout::width;

pub(super) const LABEL_HEIGHT: f64 = 24.0;
/// How many points of a curve stand for the curve.
const POINTS: u32 = 96;
/// How much of an arrow its head takes.
const HEAD: f64 = 9.0;

/// A curve with a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Route {
    pub(super) curve: Curve,
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

/// The width of a label with its number.
pub(super) fn label_width(arrow: &Arrow) -> f64 {
    width(&arrow.label) as f64 * 7.6 + 36.0
}

/// A label on every curve, and whether each stands clear of everything else.
pub(super) fn labelled(arrows: &[Arrow], curves: &[Curve], places: &[Place]) -> (Vec<Route>, bool) {
    let widths: Vec<f64> = arrows.iter().map(label_width).collect();
    let board = Board { curves, places, widths: &widths };
    let choices: Vec<Vec<Area>> = (0..curves.len()).map(|number| board.choices(number)).collect();
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by_key(|&number| choices[number].len());
    let mut taken: Vec<Option<Area>> = vec![None; curves.len()];
    let mut all_clear = true;
    for number in order {
        let is_free = |area: &&Area| taken.iter().flatten().all(|other| area.is_clear_of(other));
        let clear = choices[number].iter().find(is_free).copied();
        all_clear &= clear.is_some();
        taken[number] = clear.or_else(|| board.best(number, &taken));
    }
    let route = |number: usize| {
        let middle = taken[number].map_or_else(|| point(curves[number], 0.5), |area| area.middle());
        Route { curve: curves[number], label: middle, label_width: widths[number] }
    };
    ((0..curves.len()).map(route).collect(), all_clear)
}

struct Board<'a> {
    curves: &'a [Curve],
    places: &'a [Place],
    widths: &'a [f64],
}

impl Board<'_> {
    /// The places along a curve, from its middle outwards.
    fn along(&self, number: usize) -> impl Iterator<Item = Area> {
        let (curve, wide) = (self.curves[number], self.widths[number]);
        let percents = (0..=42).flat_map(|step: i32| [50 - step, 50 + step]).skip(1);
        percents.map(move |percent| {
            let (x, y) = point(curve, f64::from(percent) / 100.0);
            Area::around((x, y), wide, LABEL_HEIGHT)
        })
    }

    /// The places along a curve at which a label covers nothing.
    fn choices(&self, number: usize) -> Vec<Area> {
        let is_clear = |area: &Area| self.is_off_cards(area) && self.covered(number, area) == 0;
        self.along(number).filter(is_clear).collect()
    }

    /// The place that covers least, for a drawing that is too crowded.
    fn best(&self, number: usize, taken: &[Option<Area>]) -> Option<Area> {
        let cost = |area: &Area| {
            let labels = taken.iter().flatten().filter(|other| !area.is_clear_of(other)).count();
            let cards = usize::from(!self.is_off_cards(area));
            (labels, cards, self.covered(number, area))
        };
        self.along(number).min_by_key(cost)
    }

    fn is_off_cards(&self, area: &Area) -> bool {
        let card = |place: &Place| Area {
            left: place.x,
            top: place.y,
            right: place.x + place.width,
            bottom: place.y + place.height,
        };
        self.places.iter().all(|place| area.is_clear_of(&card(place)))
    }

    /// How many points of other arrows, and of the heads of all, lie below a label.
    fn covered(&self, number: usize, area: &Area) -> usize {
        let others = self.curves.iter().enumerate().filter(|(other, _)| *other != number);
        let along = |curve: Curve| {
            (0..=POINTS).map(move |at| point(curve, f64::from(at) / f64::from(POINTS)))
        };
        let heads = self.curves.iter().map(|curve| {
            let back = if curve[3].0 > curve[2].0 { -HEAD } else { HEAD };
            (curve[3].0 + back, curve[3].1)
        });
        let points = others.flat_map(|(_, curve)| along(*curve)).chain(heads);
        points.filter(|at| !area.is_clear_of(&Area::around(*at, 0.0, 0.0))).count()
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn around((x, y): (f64, f64), wide: f64, tall: f64) -> Self {
        let (wide, tall) = (wide / 2.0, tall / 2.0);
        Self { left: x - wide, top: y - tall, right: x + wide, bottom: y + tall }
    }

    fn middle(&self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    /// Whether there is some air between this area and another. Labels at neighbouring rows have
    /// little.
    fn is_clear_of(&self, other: &Self) -> bool {
        const BESIDE: f64 = 3.0;
        const ABOVE: f64 = 0.5;
        self.right + BESIDE < other.left
            || other.right + BESIDE < self.left
            || self.bottom + ABOVE < other.top
            || other.bottom + ABOVE < self.top
    }
}
