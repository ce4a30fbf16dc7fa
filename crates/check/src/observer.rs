//! Receivers of the progress of a check.

use tristan_ground::{Progress, Silent};

use crate::ir::Ir;

/// Receives how far a check has come, and which problems it solves.
pub trait Observer: Progress {
    /// A problem that is about to be solved.
    fn problem(&self, _: &Ir) {}
}

impl Observer for Silent {}
