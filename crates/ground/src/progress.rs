//! Receivers of progress: a line on a terminal, JSON for tools, a page, or none at all.

use crate::Place;

/// Receives how far the work has come.
pub trait Progress {
    /// A stage begins.
    fn stage(&self, name: &'static str);

    /// The stage has come so far, at the rate that the [`Place`] knows. It comes from
    /// [`Budget::progress`](crate::Budget::progress), which counts for all receivers.
    fn progress(&self, place: &Place);
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &'static str) {}
    fn progress(&self, _: &Place) {}
}
