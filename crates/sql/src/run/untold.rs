//! What is computed without a server: a result counts only if the server had nothing to decide.
//!
//! Layer `run`.

use crate::choices::{Choices, Open};
use crate::value::Value;

/// Decides nothing, and remembers whether it was asked.
#[derive(Default)]
pub(super) struct Untold {
    pub(super) asked: bool,
}

impl Choices for Untold {
    fn choose(&mut self, _: usize) -> usize {
        self.asked = true;
        0
    }

    fn open(&mut self, _: &Open) -> Value {
        self.asked = true;
        Value::Null
    }

    fn collate(&mut self, _: &str, _: &str) {
        self.asked = true;
    }
}
