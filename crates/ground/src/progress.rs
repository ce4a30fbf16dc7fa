//! Receivers of progress: a line on a terminal, JSON for tools, a page, or none at all.

/// Receives how far the work has come.
pub trait Progress {
    /// A stage begins.
    fn stage(&self, name: &'static str);

    /// The stage has done `done` of `total`; a total of 0 is unknown.
    fn progress(&self, done: u64, total: u64);
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &'static str) {}
    fn progress(&self, _: u64, _: u64) {}
}
