//! The sequences of a catalog: those with names, and those of columns that count.
//!
//! Layer `catalog`; knows what a sequence is from the ground.

use std::sync::Arc;

use super::Catalog;
use super::default::DefaultValue;
use super::table::Table;
use crate::sequence::{Sequence, SequenceId};

impl Catalog {
    /// The sequence with this number.
    pub(crate) fn sequence(&self, id: SequenceId) -> Option<&Sequence> {
        self.sequences.get(&id).map(|sequence| &**sequence)
    }

    /// The sequence with this name; the newest one, since those of dropped tables are not told from others.
    pub(crate) fn sequence_named(&self, name: &str) -> Option<&Sequence> {
        let mut all = self.sequences.values().rev();
        all.find(|sequence| self.is_same(&sequence.name, name)).map(|sequence| &**sequence)
    }

    /// The number of a sequence that is made now.
    pub(crate) fn next_sequence(&self) -> SequenceId {
        let named = self.sequences.keys().rfind(|id| !id.is_of_a_column());
        SequenceId(named.map_or(0, |id| id.0 + 1))
    }

    /// Adds a sequence, or changes one.
    pub(crate) fn put_sequence(&mut self, sequence: Sequence) {
        self.sequences.insert(sequence.id, Arc::new(sequence));
    }

    /// Says whether it was there.
    pub(crate) fn remove_sequence(&mut self, name: &str) -> bool {
        let id = self.sequence_named(name).map(|sequence| sequence.id);
        id.is_some_and(|id| self.sequences.remove(&id).is_some())
    }

    /// The sequences of columns go with their table.
    pub(crate) fn remove_sequences_of(&mut self, table: &Table) {
        for column in &table.columns {
            if let DefaultValue::Sequence { sequence, .. } = column.default
                && sequence.is_of_a_column()
            {
                self.sequences.remove(&sequence);
            }
        }
    }
}
