//! A script under construction: its text, and the closures that have symbols in it.

use tristan_spec::iso::{IsoLevel, Sort};

use super::history::{HISTORY, READS, TIMES};
use super::speaks_of_reads;
use crate::proof::{Image, Proof};

/// A script under construction.
pub(super) struct Writer<'a> {
    /// The level that implies the other.
    pub(super) stronger: &'a IsoLevel,
    /// The proof that the script is about.
    pub(super) proof: &'a Proof,
    /// The closures that have symbols.
    pub(super) closures: Vec<Closure>,
    text: String,
}

impl<'a> Writer<'a> {
    /// The history alone.
    pub(super) fn new(stronger: &'a IsoLevel, weaker: &IsoLevel, proof: &'a Proof) -> Self {
        let mut text = format!("; every history that keeps {}\n", stronger.name);
        text.push_str(&format!("; keeps {}\n", weaker.name));
        text.push_str(HISTORY);
        if proof.timed {
            text.push_str(TIMES);
        }
        if speaks_of_reads(&stronger.checks) || speaks_of_reads(&weaker.checks) {
            text.push_str(READS);
        }
        Self { stronger, proof, closures: Vec::new(), text }
    }

    /// The script.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// One line.
    pub(super) fn say(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// What a witness of the weaker level is.
    pub(super) fn image(&self, index: usize) -> Option<Image> {
        self.proof.map.get(index).map(|(_, image)| image.clone())
    }
}

/// A closure that has a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Closure {
    /// One step from `a` to `b`, about keys `k0`, `k1`, ….
    pub(super) step: String,
    /// The same from `m` to `b`.
    pub(super) last: String,
    /// What it relates.
    pub(super) sort: Sort,
    /// How many keys it depends on.
    pub(super) keys: usize,
}
