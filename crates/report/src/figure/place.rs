//! Where the cards stand: two columns, and one card below if their number is odd.
//!
//! ```text
//!    0 ─► 1         0 ─► 1        0 ─► 1
//!    ▲    │         ▲    ▼        ▲    ▼
//!    3 ◄─ 2         └─ 2 ◄        4    2
//!                                 └─ 3 ◄
//! ```

use super::{Card, Room};
use crate::layout::width;

/// How wide a letter of a row is.
pub(super) const LETTER: f64 = 7.9;
/// The height of a row, and of the head above the rows.
pub(super) const ROW: f64 = 25.0;
pub(super) const HEAD: f64 = 34.0;
const FOOT: f64 = 7.0;
/// The room between the cards of a column.
const GAP: f64 = 42.0;
const NARROWEST: f64 = 200.0;

/// In which column a card stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Left,
    Right,
    /// Below both.
    Middle,
}

/// Where a card stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) column: Column,
    /// Which one in its column, from the top.
    pub(super) level: usize,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Place {
    /// The middle of a row, or of the head.
    pub(super) fn row(&self, row: Option<usize>) -> f64 {
        match row {
            Some(row) => self.y + HEAD + ROW * (row as f64 + 0.5),
            None => self.y + HEAD / 2.0,
        }
    }
}

/// A place for every card, in their order.
pub(super) fn places(cards: &[Card], room: Room) -> Vec<Place> {
    let card_width = cards.iter().map(wanted_width).fold(NARROWEST, f64::max);
    let heights: Vec<f64> = cards.iter().map(height).collect();
    let spots = spots(cards.len());
    let levels = spots.iter().map(|(_, level)| level + 1).max().unwrap_or(0);
    let mut tops = vec![0.0; levels + 1];
    for level in 0..levels {
        let tallest = spots.iter().zip(&heights).filter(|((_, own), _)| *own == level);
        let tallest = tallest.map(|(_, height)| *height).fold(0.0, f64::max);
        tops[level + 1] = tops[level] + tallest + GAP;
    }
    let x = |column: Column| match column {
        Column::Left => 0.0,
        Column::Right => card_width + room.channel,
        Column::Middle => (card_width + room.channel) / 2.0,
    };
    let place = |(&(column, level), &height): (&(Column, usize), &f64)| Place {
        column,
        level,
        x: x(column),
        y: tops[level],
        width: card_width,
        height,
    };
    spots.iter().zip(&heights).map(place).collect()
}

/// The column and the level of every card of a cycle.
fn spots(count: usize) -> Vec<(Column, usize)> {
    if count == 1 {
        return vec![(Column::Left, 0)];
    }
    let levels = count / 2;
    let is_odd = count % 2 == 1;
    let spot = |number: usize| match number {
        0 => (Column::Left, 0),
        _ if number <= levels => (Column::Right, number - 1),
        _ if is_odd && number == levels + 1 => (Column::Middle, levels),
        _ => (Column::Left, count - number),
    };
    (0..count).map(spot).collect()
}

fn wanted_width(card: &Card) -> f64 {
    let row = card.rows.iter().map(|row| width(&row.text)).max().unwrap_or(0) as f64;
    let head = width(&card.title) as f64 * 11.6 + width(&card.note) as f64 * 7.3 + 16.0;
    (row * LETTER).max(head) + 22.0
}

fn height(card: &Card) -> f64 {
    HEAD + ROW * card.rows.len() as f64 + FOOT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_the_cycle_are_neighbours_in_the_drawing() {
        use Column::{Left, Middle, Right};
        assert_eq!(spots(2), [(Left, 0), (Right, 0)]);
        assert_eq!(spots(3), [(Left, 0), (Right, 0), (Middle, 1)]);
        assert_eq!(spots(4), [(Left, 0), (Right, 0), (Right, 1), (Left, 1)]);
        assert_eq!(spots(5), [(Left, 0), (Right, 0), (Right, 1), (Middle, 2), (Left, 1)]);
    }
}
