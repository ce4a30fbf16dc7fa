//! Generalized snapshot isolation as a graph of begin and commit events.
//!
//! ```text
//!   commit s ─► begin t    t depends on s: its snapshot contains s
//!   begin s  ─► commit t   t overwrote what s read, or the clock says so
//!   commit s ─► commit t   the clock says so
//!   begin t  ─► commit t
//! ```
//!
//! If the graph has no cycle, its events can be put on a line that explains every snapshot.

use crate::{reading::Scene, relations::Rel};

/// Whether the events cannot be put on a line. `depends` orders a commit before a begin,
/// `anti` a begin before a commit.
pub(crate) fn cyclic(scene: &Scene, depends: Rel, anti: Rel) -> bool {
    let mut left: Vec<Event> =
        (0..scene.count).flat_map(|txn| [Event::Begin(txn), Event::Commit(txn)]).collect();
    let edge = |from: Event, to: Event| match (from, to) {
        (Event::Begin(s), Event::Commit(t)) => s == t || anti.has(s, t) || scene.bc.has(s, t),
        (Event::Commit(s), Event::Begin(t)) => depends.has(s, t),
        (Event::Commit(s), Event::Commit(t)) => scene.cc.has(s, t),
        (Event::Begin(_), Event::Begin(_)) => false,
    };
    // Take away events that nothing left comes before; a cycle never goes away.
    loop {
        let before = left.len();
        if before == 0 {
            return false;
        }
        let rest: Vec<Event> =
            left.iter().copied().filter(|&to| left.iter().any(|&from| edge(from, to))).collect();
        if rest.len() == before {
            return true;
        }
        left = rest;
    }
}

#[derive(Clone, Copy)]
enum Event {
    Begin(usize),
    Commit(usize),
}
