//! Sources that reads cannot have, and why: sixteen bytes for each possible source of a read that has lost one.
//!
//! Where values repeat, millions of sources are excluded, and the proof of almost none of them is ever
//! needed. So only the units and states at the ends of the cycle are kept, and the [`Derivation`] is put
//! together when a proof needs it.

use super::conflict::Literal;
use super::derivation::Derivation;
use super::graph::{Graph, LinkId, Via};
use super::paths::Dep;
use crate::automaton::State;
use crate::ir::{Ir, ReadId, Source, Unit};

/// The states of two units at the ends of a path from the first to the second.
pub(super) type Ends = (State, State);

/// Why a read cannot have a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The reader reaches the unit that wrote the version.
    Later { ends: Ends },
    /// A writer of a later version reaches the reader. The source reaches that writer, if this is how the
    /// order of their versions is known.
    Overwritten { by: Unit, ends: Ends, order: Option<Ends> },
}

/// What is known of one source of a read.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// It may be the one.
    Open,
    /// It is not.
    Out { why: Why, before: LinkId },
}

/// Marks a read of which no source is excluded.
const NONE: u32 = u32::MAX;

/// The sources that are excluded.
#[derive(Clone, Debug)]
pub(crate) struct Exclusions {
    /// Per read, its first entry, or [`NONE`].
    first: Vec<u32>,
    /// One for each possible source, as they are listed.
    entries: Vec<Entry>,
}

impl Exclusions {
    /// Nothing is excluded.
    pub(super) fn new(reads: usize) -> Self {
        Self { first: vec![NONE; reads], entries: Vec::new() }
    }

    /// Excludes the source at a place in the list of a read; the reason uses only links older than `before`.
    pub(super) fn exclude(
        &mut self,
        ir: &Ir,
        (read, place): (ReadId, u32),
        why: Why,
        before: LinkId,
    ) {
        if self.first[read.index()] == NONE {
            let first = u32::try_from(self.entries.len()).ok().filter(|&first| first != NONE);
            self.first[read.index()] = first.expect("fewer than 4 billion possible sources");
            let count = self.entries.len() + ir.reads[read.index()].sources.len();
            self.entries.resize(count, Entry::Open);
        }
        let first = self.first[read.index()] as usize;
        self.entries[first + place as usize] = Entry::Out { why, before };
    }

    /// Whether any source of a read is excluded.
    pub(super) fn concern(&self, read: ReadId) -> bool {
        self.first[read.index()] != NONE
    }

    /// Whether the source at a place in the list of a read is excluded.
    pub(super) fn hold(&self, read: ReadId, place: usize) -> bool {
        matches!(self.entry(read, place), Entry::Out { .. })
    }

    /// Whether a possible source of a read is excluded.
    pub(super) fn contain(&self, ir: &Ir, read: ReadId, source: Source) -> bool {
        let place = || ir.reads[read.index()].sources.binary_search(&source);
        self.concern(read) && place().is_ok_and(|place| self.hold(read, place))
    }

    fn entry(&self, read: ReadId, place: usize) -> Entry {
        match self.first[read.index()] {
            NONE => Entry::Open,
            first => self.entries[first as usize + place],
        }
    }

    /// How the source at a place in the list of a read was excluded; `None` if it was not. If the exclusion
    /// depends on an order of two versions that only a path shows, that order and its derivation come second.
    pub(super) fn derivation(
        &self,
        (ir, graph): (&Ir, &Graph),
        read: ReadId,
        place: usize,
    ) -> Option<(Derivation, Option<(Literal, Derivation)>)> {
        let Entry::Out { why, before } = self.entry(read, place) else { return None };
        let (reader, source) = (ir.reads[read.index()].unit, ir.reads[read.index()].sources[place]);
        let along = |closing: Dep, first: Unit, second: Unit, ends: Ends| {
            let (from, to) = (graph.node(first, ends.0), graph.node(second, ends.1));
            Derivation { closing, from, to, before }
        };
        let order = ir.reads[read.index()].order;
        Some(match (why, source) {
            (Why::Later { ends }, Source::Unit(unit)) => {
                let closing = Dep { from: unit, to: reader, via: Via::Wr(read) };
                (along(closing, reader, unit, ends), None)
            }
            (Why::Later { .. }, Source::Initial) => return None,
            (Why::Overwritten { by, ends, order: path }, source) => {
                let closing = Dep { from: reader, to: by, via: Via::Rw(read) };
                let unit = match source {
                    Source::Unit(unit) => Some(unit),
                    Source::Initial => None,
                };
                let known = path.zip(unit).map(|(path, unit)| {
                    let closing = Dep { from: by, to: unit, via: Via::Ww(order) };
                    (Literal::Before(order, unit, by), along(closing, unit, by, path))
                });
                (along(closing, by, reader, ends), known)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_small() {
        assert_eq!(size_of::<Entry>(), 16);
    }
}
