//! The lattice as a picture.

use super::layers::{Spot, layers};
use super::{Cover, Hasse, Lattice};
use crate::layout::width;
use crate::svg::{Anchor, Svg};

const LETTER: f64 = 7.2;
const BOX_HEIGHT: f64 = 28.0;
const LAYER_HEIGHT: f64 = 74.0;
const GAP: f64 = 26.0;
const LINE_WIDTH: f64 = 12.0;
const MARGIN: f64 = 20.0;

/// A picture: stronger levels above, dashed lines where no proof is known. Lines show the history
/// that tells their ends apart when pointed at.
pub fn svg(lattice: &Lattice) -> String {
    let hasse = lattice.hasse();
    let places = Places::of(lattice, &hasse);
    let mut svg = Svg::new(places.width + 2.0 * MARGIN, places.height() + 2.0 * MARGIN);
    for (number, &cover) in hasse.covers.iter().enumerate() {
        let dashes = if cover.proved { "" } else { " stroke-dasharray=\"5 4\"" };
        let style = format!("stroke=\"#808080\" stroke-width=\"1.5\"{dashes}");
        let title = told_apart(lattice, &hasse, cover);
        svg.titled_path(&places.line(number, cover), &style, &title);
    }
    for (class, levels) in hasse.classes.iter().enumerate() {
        let (x, y) = places.of_spot(Spot::Class(class));
        let label = lattice.label(levels);
        let box_width = box_width(&label);
        svg.rect((x - box_width / 2.0, y - BOX_HEIGHT / 2.0), (box_width, BOX_HEIGHT));
        svg.text((x, y + 4.5), Anchor::Middle, 13.0, &label);
    }
    svg.finish()
}

fn told_apart(lattice: &Lattice, hasse: &Hasse, cover: Cover) -> String {
    let [above, below] = [cover.above, cover.below].map(|c| lattice.label(&hasse.classes[c]));
    match lattice.separation(hasse, cover) {
        Some(history) => format!("{below} allows and {above} forbids: {history}"),
        None => format!("{above} implies {below}"),
    }
}

fn box_width(label: &str) -> f64 {
    width(label) as f64 * LETTER + 18.0
}

/// Where everything stands.
struct Places {
    layers: Vec<Vec<(Spot, f64)>>,
    width: f64,
}

impl Places {
    fn of(lattice: &Lattice, hasse: &Hasse) -> Self {
        let room = |spot: Spot| match spot {
            Spot::Class(class) => box_width(&lattice.label(&hasse.classes[class])),
            Spot::Line(_) => LINE_WIDTH,
        };
        let layers = layers(hasse);
        let total = |layer: &Vec<Spot>| {
            layer.iter().map(|&spot| room(spot)).sum::<f64>()
                + GAP * (layer.len().max(1) - 1) as f64
        };
        let widest = layers.iter().map(total).fold(0.0, f64::max);
        let placed = layers.iter().map(|layer| {
            let mut left = MARGIN + (widest - total(layer)) / 2.0;
            let place = |&spot: &Spot| {
                let middle = left + room(spot) / 2.0;
                left += room(spot) + GAP;
                (spot, middle)
            };
            layer.iter().map(place).collect()
        });
        Self { layers: placed.collect(), width: widest }
    }

    fn height(&self) -> f64 {
        BOX_HEIGHT + LAYER_HEIGHT * (self.layers.len().max(1) - 1) as f64
    }

    fn y(layer: usize) -> f64 {
        MARGIN + BOX_HEIGHT / 2.0 + LAYER_HEIGHT * layer as f64
    }

    /// The middle of somebody's first place.
    fn of_spot(&self, wanted: Spot) -> (f64, f64) {
        let mut all = self.layers.iter().enumerate().flat_map(|(layer, spots)| {
            spots.iter().map(move |&(spot, x)| (spot, (x, Self::y(layer))))
        });
        all.find(|(spot, _)| *spot == wanted).map_or((0.0, 0.0), |(_, at)| at)
    }

    /// From the lower edge of one box to the upper edge of the other, through its own places.
    fn line(&self, number: usize, cover: Cover) -> Vec<(f64, f64)> {
        let (x, y) = self.of_spot(Spot::Class(cover.above));
        let mut points = vec![(x, y + BOX_HEIGHT / 2.0)];
        for (layer, spots) in self.layers.iter().enumerate() {
            let own = spots.iter().filter(|(spot, _)| *spot == Spot::Line(number));
            points.extend(own.map(|&(_, x)| (x, Self::y(layer))));
        }
        let (x, y) = self.of_spot(Spot::Class(cover.below));
        points.push((x, y - BOX_HEIGHT / 2.0));
        points
    }
}
