//! Who is told how far a check has come.

use crate::ir::Ir;

/// Told how far the work has come.
pub trait Observer {
    /// A stage begins.
    fn stage(&self, name: &'static str);
    /// So much is done of so much; a total of 0 is unknown.
    fn progress(&self, done: u64, total: u64);
    /// A problem that is about to be solved.
    fn problem(&self, _: &Ir) {}
}

/// An observer that does not look.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn stage(&self, _: &'static str) {}
    fn progress(&self, _: u64, _: u64) {}
}
