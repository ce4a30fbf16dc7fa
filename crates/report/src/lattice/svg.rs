//! The lattice as a picture.
//!
//! Boxes stand in layers. Between two layers lines may run as they like, within a layer they run
//! straight down through a place of their own: so no line ever touches a box that is not its end.

use super::columns::{Wish, settled};
use super::layers::{Spot, layers};
use super::{Cover, Hasse, Lattice};
use crate::figure::Drawing;
use crate::layout::{fold, width};
use crate::svg::{Anchor, Svg};

const LETTER: f64 = 7.9;
const BOX_HEIGHT: f64 = 32.0;
const LAYER_HEIGHT: f64 = 92.0;
const GAP: f64 = 26.0;
const LINE_WIDTH: f64 = 8.0;
const MARGIN: f64 = 16.0;
/// How far apart lines stand that leave or reach the same box.
const APART: f64 = 18.0;
/// Longer names lose their middle.
const LONGEST: usize = 70;
const SWEEPS: usize = 48;

/// A picture: stronger levels above, dashed lines where no proof is known. Lines show the history
/// that tells their ends apart when pointed at.
pub fn svg(lattice: &Lattice) -> String {
    draw(lattice).file()
}

/// The same as part of a page.
pub(super) fn draw(lattice: &Lattice) -> Drawing {
    let hasse = lattice.hasse();
    let labels: Vec<String> =
        hasse.classes.iter().map(|class| fold(&lattice.label(class), LONGEST)).collect();
    let places = Places::of(&hasse, &labels);
    let mut svg = Svg::new(0.0, 0.0);
    for (number, &cover) in hasse.covers.iter().enumerate() {
        let class = if cover.proved { "class=\"cover\"" } else { "class=\"cover open\"" };
        svg.open("class=\"join\"");
        svg.title(&told_apart(lattice, &hasse, cover));
        svg.smooth(&places.line(&hasse, number), class);
        svg.close();
    }
    for (class, label) in labels.iter().enumerate() {
        let (x, y) = places.of_class(class);
        let wide = box_width(label);
        let corner = (x - wide / 2.0, y - BOX_HEIGHT / 2.0);
        svg.styled_rect(corner, (wide, BOX_HEIGHT), 7.0, "class=\"box\"");
        svg.styled_text((x, y + 4.8), Anchor::Middle, "class=\"level\"", label);
    }
    Drawing { width: places.width, height: places.height(), body: svg.into_body() }
}

pub(super) fn told_apart(lattice: &Lattice, hasse: &Hasse, cover: Cover) -> String {
    let [above, below] = [cover.above, cover.below].map(|c| lattice.label(&hasse.classes[c]));
    match lattice.separation(hasse, cover) {
        Some(history) => format!("{below} allows and {above} forbids: {history}"),
        None if cover.proved => format!("{above} implies {below}"),
        None => format!("no history is known that {above} allows and {below} forbids"),
    }
}

fn box_width(label: &str) -> f64 {
    width(label) as f64 * LETTER + 22.0
}

/// Where everything stands.
struct Places {
    layers: Vec<Vec<(Spot, f64)>>,
    width: f64,
}

impl Places {
    fn of(hasse: &Hasse, labels: &[String]) -> Self {
        let room = |spot: Spot| match spot {
            Spot::Class(class) => box_width(&labels[class]),
            Spot::Line(_) => LINE_WIDTH,
        };
        let mut layers: Vec<Vec<(Spot, f64)>> =
            layers(hasse).into_iter().map(|layer| packed(&layer, room)).collect();
        let count = layers.len();
        for _ in 0..SWEEPS {
            (1..count).for_each(|layer| settle(hasse, &mut layers, layer, layer - 1, room));
            (1..count).rev().for_each(|layer| settle(hasse, &mut layers, layer - 1, layer, room));
        }
        let ends = |side: f64| {
            let all = layers.iter().flatten();
            all.map(|&(spot, x)| x + side * room(spot) / 2.0).collect::<Vec<f64>>()
        };
        let left = ends(-1.0).into_iter().fold(f64::INFINITY, f64::min);
        let right = ends(1.0).into_iter().fold(left, f64::max);
        let shift = if left.is_finite() { MARGIN - left } else { 0.0 };
        layers.iter_mut().flatten().for_each(|(_, x)| *x += shift);
        Self { layers, width: (right + shift + MARGIN).max(2.0 * MARGIN) }
    }

    fn height(&self) -> f64 {
        BOX_HEIGHT + LAYER_HEIGHT * (self.layers.len().max(1) - 1) as f64 + 2.0 * MARGIN
    }

    fn y(layer: usize) -> f64 {
        MARGIN + BOX_HEIGHT / 2.0 + LAYER_HEIGHT * layer as f64
    }

    /// The middle of a class.
    fn of_class(&self, class: usize) -> (f64, f64) {
        self.spots(Spot::Class(class)).next().unwrap_or((0.0, 0.0))
    }

    /// All places of a node, from the top.
    fn spots(&self, wanted: Spot) -> impl Iterator<Item = (f64, f64)> {
        let all = self.layers.iter().enumerate().flat_map(|(layer, spots)| {
            spots.iter().map(move |&(spot, x)| (spot, (x, Self::y(layer))))
        });
        all.filter(move |(spot, _)| *spot == wanted).map(|(_, at)| at)
    }

    /// From the lower edge of one box to the upper edge of the other; straight through the layers
    /// between, from the first of each two points to the second.
    fn line(&self, hasse: &Hasse, number: usize) -> Vec<(f64, f64)> {
        let cover = hasse.covers[number];
        let half = BOX_HEIGHT / 2.0;
        let (above, below) = (self.of_class(cover.above), self.of_class(cover.below));
        let mut points = vec![(self.port(hasse, number, true), above.1 + half)];
        for (x, y) in self.spots(Spot::Line(number)) {
            points.extend([(x, y - half), (x, y + half)]);
        }
        points.push((self.port(hasse, number, false), below.1 - half));
        points
    }

    /// Where a line leaves the box above it, or reaches the one below: beside the others there, in
    /// the order of where they go.
    fn port(&self, hasse: &Hasse, number: usize, upper: bool) -> f64 {
        let own = hasse.covers[number];
        let class = if upper { own.above } else { own.below };
        let joined = hasse.covers.iter().enumerate().filter(|(_, cover)| match upper {
            true => cover.above == class,
            false => cover.below == class,
        });
        let mut there: Vec<(f64, usize)> = joined
            .map(|(line, cover)| {
                let mut spots = self.spots(Spot::Line(line));
                let next = if upper { spots.next() } else { spots.last() };
                let end = if upper { cover.below } else { cover.above };
                (next.unwrap_or_else(|| self.of_class(end)).0, line)
            })
            .collect();
        there.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let place = there.iter().position(|(_, line)| *line == number).unwrap_or(0);
        self.of_class(class).0 + (place as f64 - (there.len() - 1) as f64 / 2.0) * APART
    }
}

/// A layer from left to right, as close as it may stand.
fn packed(layer: &[Spot], room: impl Fn(Spot) -> f64) -> Vec<(Spot, f64)> {
    let wish = |&spot: &Spot| Wish { at: 0.0, weight: 1.0, width: room(spot) };
    let wishes: Vec<Wish> = layer.iter().map(wish).collect();
    layer.iter().copied().zip(settled(&wishes, GAP)).collect()
}

/// Moves a layer towards its neighbours in another one.
fn settle(
    hasse: &Hasse,
    layers: &mut [Vec<(Spot, f64)>],
    layer: usize,
    other: usize,
    room: impl Fn(Spot) -> f64,
) {
    let wish = |&(spot, x): &(Spot, f64)| {
        let near = layers[other].iter().filter(|(other, _)| hasse.joins(spot, *other));
        let near: Vec<f64> = near.map(|(_, x)| *x).collect();
        let at = match near.len() {
            0 => x,
            count => near.iter().sum::<f64>() / count as f64,
        };
        let weight = if matches!(spot, Spot::Line(_)) { 4.0 } else { 1.0 };
        Wish { at, weight, width: room(spot) }
    };
    let wishes: Vec<Wish> = layers[layer].iter().map(wish).collect();
    let settled = settled(&wishes, GAP);
    layers[layer].iter_mut().zip(settled).for_each(|((_, x), place)| *x = place);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Implication;

    /// A random order on some levels: a level that implies another implies what that one implies.
    fn random(seed: u64) -> Lattice {
        let mut state = seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut below = |limit: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % limit
        };
        let count = 3 + below(9) as usize;
        let mut implied = vec![vec![false; count]; count];
        for one in (0..count).rev() {
            implied[one][one] = true;
            for other in one + 1..count {
                if below(3) == 0 {
                    let more = implied[other].clone();
                    implied[one].iter_mut().zip(more).for_each(|(own, more)| *own |= more);
                }
            }
        }
        let no = || Implication::Refuted { txns: 2, keys: 1, history: "w(x)".to_owned() };
        let told = |&implied: &bool| if implied { Implication::Proved } else { no() };
        let names = (0..count).map(|number| "level".repeat(1 + number % 4) + &number.to_string());
        Lattice {
            names: names.collect(),
            rows: implied.iter().map(|row| row.iter().map(told).collect()).collect(),
        }
    }

    /// Where a line is after a part of the way between two of its points: the points that pull lie
    /// half way down, one below the start, one above the end.
    fn between(from: (f64, f64), to: (f64, f64), part: f64) -> (f64, f64) {
        let rest = 1.0 - part;
        let near = rest.powi(2) * (rest + 3.0 * part);
        let pulled = 3.0 * rest * part;
        let middle = (from.1 + to.1) / 2.0;
        let y = rest.powi(3) * from.1 + pulled * middle + part.powi(3) * to.1;
        (near * from.0 + (1.0 - near) * to.0, y)
    }

    /// Whether a point lies within a box.
    fn inside((x, y): (f64, f64), (middle, level): (f64, f64), wide: f64) -> bool {
        (x - middle).abs() < wide / 2.0 && (y - level).abs() < BOX_HEIGHT / 2.0
    }

    #[test]
    fn lines_run_through_no_box() {
        for seed in 0..300 {
            let lattice = random(seed);
            let hasse = lattice.hasse();
            let labels: Vec<String> = hasse.classes.iter().map(|c| lattice.label(c)).collect();
            let places = Places::of(&hasse, &labels);
            for number in 0..hasse.covers.len() {
                let line = places.line(&hasse, number);
                for piece in line.windows(2) {
                    assert!(piece[0].1 <= piece[1].1, "seed {seed}: a line goes up: {line:?}");
                    for step in 0..=40 {
                        let part = f64::from(step) / 40.0;
                        let at = between(piece[0], piece[1], part);
                        for (class, label) in labels.iter().enumerate() {
                            let hit = inside(at, places.of_class(class), box_width(label));
                            assert!(!hit, "seed {seed}: line {number} runs through {label}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn boxes_stand_apart_and_inside_the_picture() {
        for seed in 0..300 {
            let lattice = random(seed);
            let hasse = lattice.hasse();
            let labels: Vec<String> = hasse.classes.iter().map(|c| lattice.label(c)).collect();
            let places = Places::of(&hasse, &labels);
            for layer in &places.layers {
                let mut edge = MARGIN - 0.01;
                for &(spot, x) in layer {
                    let wide = match spot {
                        Spot::Class(class) => box_width(&labels[class]),
                        Spot::Line(_) => LINE_WIDTH,
                    };
                    assert!(x - wide / 2.0 >= edge, "seed {seed}: {spot:?} stands too far left");
                    edge = x + wide / 2.0 + GAP - 0.01;
                }
                assert!(edge - GAP <= places.width - MARGIN, "seed {seed}: a layer is too wide");
            }
        }
    }
}
