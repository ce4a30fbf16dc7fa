//! The drawing of an anomaly: transactions as cards, dependencies as arrows between operations.
//!
//! ```text
//!   edges ──► cards with rows, arrows between rows   (cards.rs)
//!         ──► where the cards stand                  (place.rs)
//!         ──► how the arrows run                     (route.rs)
//!         ──► where their labels stand               (label.rs)
//!         ──► lines, boxes and words                 (draw.rs)
//! ```
//!
//! A cycle runs clockwise: the first card stands at the top left, its successors come down the right
//! side and return up the left side, so that neighbours in the cycle are neighbours in the drawing.

mod cards;
mod draw;
mod label;
mod place;
mod route;

use tristan_verdict::{Bad, Edge};

use crate::markup::escaped;
use crate::names::Names;

/// The style of drawings, for light and dark backgrounds.
pub(crate) const STYLE: &str = include_str!("figure.css");

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) cards: Vec<Card>,
    pub(crate) arrows: Vec<Arrow>,
}

/// A transaction, drawn as a card with its operations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Card {
    /// Its number in the trace; `None` for the card that stands for many.
    pub(crate) txn: Option<u32>,
    pub(crate) title: String,
    pub(crate) note: String,
    pub(crate) rows: Vec<Row>,
}

/// An operation, or several that are left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// The operation within its transaction; `None` for a row that stands for several.
    pub(crate) op: Option<u32>,
    pub(crate) text: String,
    /// All of it, for those who point at it.
    pub(crate) full: String,
    /// Whether a range is read, which looks different.
    pub(crate) range: bool,
    /// Whether it is the operation that is wrong.
    pub(crate) wrong: bool,
}

/// A dependency, drawn as an arrow between two cards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrow {
    /// Which step of the argument it is, from 1.
    pub(crate) step: usize,
    pub(crate) from: Port,
    pub(crate) to: Port,
    /// The kind, which is the class of the style, too.
    pub(crate) kind: &'static str,
    pub(crate) label: String,
    /// Whether the trace leaves it open and it was derived.
    pub(crate) derived: bool,
    pub(crate) title: String,
}

/// Where an arrow begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    pub(crate) card: usize,
    /// The row; `None` for the transaction as a whole.
    pub(crate) row: Option<usize>,
}

/// How many layouts are tried, each with more room than the one before.
const ROOMS: u32 = 6;

/// The room that arrows have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Room {
    /// Between the columns.
    channel: f64,
    /// How far an arrow around the outside swings out.
    swing: f64,
}

impl Room {
    /// The room of a layout, given its number and the widest label.
    fn of(step: u32, widest_label: f64) -> Self {
        let more = f64::from(step);
        Self { channel: (widest_label + 76.0).max(204.0) + 60.0 * more, swing: 44.0 + 36.0 * more }
    }
}

/// A drawing: its size and what is in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) body: String,
}

impl Drawing {
    /// The drawing as a file of its own, on a sheet of paper.
    pub(crate) fn file(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" viewBox=\"0 0 {w:.0} {h:.0}\" \
             width=\"{w:.0}\" height=\"{h:.0}\">\n<style>\n{STYLE}.sheet{{fill:var(--paper)}}</style>\n\
             <rect class=\"sheet\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
            self.body,
            w = self.width,
            h = self.height
        )
    }

    /// The drawing as part of a page; it scrolls where there is too little room.
    pub(crate) fn markup(&self, title: &str) -> String {
        format!(
            "<div class=\"scroll\"><svg class=\"drawing\" role=\"img\" aria-label=\"{}\" \
             viewBox=\"0 0 {w:.0} {h:.0}\" width=\"{w:.0}\" height=\"{h:.0}\">\n{}\n</svg></div>",
            escaped(title),
            self.body,
            w = self.width,
            h = self.height
        )
    }
}

impl Figure {
    /// A cycle; `derived` says which of its edges the trace leaves open.
    pub(crate) fn of_cycle(
        names: Names<'_>,
        edges: &[Edge],
        derived: impl Fn(&Edge) -> bool,
    ) -> Self {
        cards::of_cycle(names, edges, derived)
    }

    /// A read that is wrong by itself, with the transactions that wrote or read the same.
    pub(crate) fn of_bad(names: Names<'_>, bad: &Bad) -> Self {
        cards::of_bad(names, bad)
    }

    pub(crate) fn draw(&self) -> Drawing {
        let (places, routes) = self.laid_out();
        draw::draw(self, &places, &routes)
    }

    /// The first layout in which every label stands clear, or else the one with the most room.
    fn laid_out(&self) -> (Vec<place::Place>, Vec<label::Route>) {
        let widest = self.arrows.iter().map(label::label_width).fold(0.0, f64::max);
        let mut last = (Vec::new(), Vec::new());
        for step in 0..ROOMS {
            let room = Room::of(step, widest);
            let places = place::places(&self.cards, room);
            let curves = route::curves(&self.arrows, &places, room);
            let (routes, all_clear) = label::labelled(&self.arrows, &curves, &places);
            last = (places, routes);
            if all_clear {
                break;
            }
        }
        last
    }
}
