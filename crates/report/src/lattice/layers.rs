//! Where the boxes of the picture stand: the stronger a level, the higher.
//!
//! A level stands one layer below the lowest of those directly above it. A line that crosses
//! layers gets a place of its own in each of them, so that it does not run through boxes. Within
//! a layer, each node moves towards the middle of its neighbours, a few times down and up.

use super::Hasse;

/// A node with a place: a class, or a line passing through a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Class(usize),
    /// The cover with this number.
    Line(usize),
}

/// The layers, highest first, each from left to right.
pub(super) fn layers(hasse: &Hasse) -> Vec<Vec<Spot>> {
    let depth = depths(hasse);
    let height = depth.iter().max().map_or(0, |deepest| deepest + 1);
    let mut layers: Vec<Vec<Spot>> = vec![Vec::new(); height];
    for (class, &layer) in depth.iter().enumerate() {
        layers[layer].push(Spot::Class(class));
    }
    for (number, cover) in hasse.covers.iter().enumerate() {
        for layer in &mut layers[depth[cover.above] + 1..depth[cover.below]] {
            layer.push(Spot::Line(number));
        }
    }
    for _ in 0..SWEEPS {
        (1..height).for_each(|layer| settle(hasse, &mut layers, layer, layer - 1));
        (1..height).rev().for_each(|layer| settle(hasse, &mut layers, layer - 1, layer));
    }
    layers
}

const SWEEPS: usize = 8;

/// How far below the top each class stands. Classes come strongest first, so a class above
/// another one has been seen before it.
fn depths(hasse: &Hasse) -> Vec<usize> {
    let mut depth = vec![0; hasse.classes.len()];
    for class in 0..depth.len() {
        let above = hasse.covers.iter().filter(|cover| cover.below == class);
        depth[class] = above.map(|cover| depth[cover.above] + 1).max().unwrap_or(0);
    }
    depth
}

/// Orders a layer by the middle of each one's neighbours in another layer.
fn settle(hasse: &Hasse, layers: &mut [Vec<Spot>], layer: usize, other: usize) {
    let fixed = layers[other].clone();
    let scale = 2.0 / fixed.len().max(1) as f64;
    let own_scale = 2.0 / layers[layer].len().max(1) as f64;
    let mut placed: Vec<(f64, Spot)> = Vec::new();
    for (place, &spot) in layers[layer].iter().enumerate() {
        let near = fixed.iter().enumerate().filter(|(_, other)| hasse.joins(spot, **other));
        let near: Vec<f64> = near.map(|(place, _)| (place as f64 + 0.5) * scale).collect();
        let middle = match near.len() {
            0 => (place as f64 + 0.5) * own_scale,
            count => near.iter().sum::<f64>() / count as f64,
        };
        placed.push((middle, spot));
    }
    placed.sort_by(|a, b| a.0.total_cmp(&b.0));
    layers[layer] = placed.into_iter().map(|(_, spot)| spot).collect();
}

impl Hasse {
    /// Whether two that stand in neighbouring layers belong to one line.
    pub(super) fn joins(&self, one: Spot, other: Spot) -> bool {
        let ends = |number: usize, class: usize| {
            let cover = self.covers[number];
            cover.above == class || cover.below == class
        };
        match (one, other) {
            (Spot::Class(a), Spot::Class(b)) => {
                (0..self.covers.len()).any(|number| ends(number, a) && ends(number, b))
            }
            (Spot::Class(class), Spot::Line(number)) | (Spot::Line(number), Spot::Class(class)) => {
                ends(number, class)
            }
            (Spot::Line(a), Spot::Line(b)) => a == b,
        }
    }
}
