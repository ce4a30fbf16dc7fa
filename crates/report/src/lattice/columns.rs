//! How far to the right each node of a layer is placed.
//!
//! Each node is placed as close as possible to the middle of those it is joined with; lines that cross several
//! layers have precedence, so that they run straight. No node may come closer to a neighbour than both need.
//! The places that are nearest to the wishes are found layer by layer, a few times down and up: wherever
//! two get too close they are joined into a block that stands at the middle of their wishes.

/// A node in a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// Where its middle would like to be.
    pub(super) at: f64,
    /// How much that matters.
    pub(super) weight: f64,
    /// How wide it is.
    pub(super) width: f64,
}

/// The middles of all, in their order, at least `gap` apart from edge to edge.
pub(super) fn settled(wishes: &[Wish], gap: f64) -> Vec<f64> {
    // Without what lies between them, the only condition is that no node overtakes another.
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(wishes.len());
    for (place, wish) in wishes.iter().enumerate() {
        if place > 0 {
            offset += (wishes[place - 1].width + wish.width) / 2.0 + gap;
        }
        offsets.push(offset);
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        blocks.push(Block { sum: (wish.at - offset) * wish.weight, weight: wish.weight, count: 1 });
        while let [.., before, last] = blocks.as_slice() {
            if before.middle() <= last.middle() {
                break;
            }
            let joined = Block {
                sum: before.sum + last.sum,
                weight: before.weight + last.weight,
                count: before.count + last.count,
            };
            blocks.truncate(blocks.len() - 2);
            blocks.push(joined);
        }
    }
    let middles = blocks.iter().flat_map(|block| std::iter::repeat_n(block.middle(), block.count));
    middles.zip(offsets).map(|(middle, offset)| middle + offset).collect()
}

/// Nodes that are as close to each other as they may be.
struct Block {
    sum: f64,
    weight: f64,
    count: usize,
}

impl Block {
    fn middle(&self) -> f64 {
        self.sum / self.weight.max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_stands_as_near_as_possible_and_not_too_near() {
        let wish = |at: f64, weight: f64| Wish { at, weight, width: 10.0 };
        assert_eq!(settled(&[], 5.0), [0.0; 0]);
        assert_eq!(settled(&[wish(3.0, 1.0)], 5.0), [3.0]);
        assert_eq!(settled(&[wish(0.0, 1.0), wish(100.0, 1.0)], 5.0), [0.0, 100.0]);
        assert_eq!(settled(&[wish(50.0, 1.0), wish(50.0, 1.0)], 5.0), [42.5, 57.5]);
        assert_eq!(settled(&[wish(50.0, 1.0), wish(50.0, 4.0)], 5.0), [38.0, 53.0]);
        let crossed = settled(&[wish(90.0, 1.0), wish(10.0, 1.0), wish(200.0, 1.0)], 5.0);
        assert_eq!(crossed, [42.5, 57.5, 200.0]);
    }
}
