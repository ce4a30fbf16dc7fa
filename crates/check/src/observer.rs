//! Who is told how far a check has come.

use tristan_ground::{Progress, Silent};

use crate::ir::Ir;

/// Is told how far a check has come, and which problems it solves.
pub trait Observer: Progress {
    /// A problem that is about to be solved.
    fn problem(&self, _: &Ir) {}
}

impl Observer for Silent {}
