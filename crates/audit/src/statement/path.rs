//! A transaction on its way: what it has written, and how it came here.

use tristan_sql::Session;

use super::ran::Ran;
use super::script::Script;
use crate::model::Time;
use crate::world::{At, Earlier, Key, Own, StepRead, Write};

/// Bits of the numbers of new rows: how many rows a transaction may insert before numbers of two of them could be the
/// same. The number of the transaction is above them.
pub(crate) const NEW_ROWS: u32 = 24;

/// What a transaction did so far.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) own: Own,
    savepoints: Vec<(String, Own)>,
    pub(crate) steps: Vec<StepRead>,
    /// The number of the next row that it inserts. It is the same in all worlds.
    pub(crate) fresh: u64,
    /// What the session remembers.
    pub(crate) session: Session,
    /// What each change replaced.
    undo: Vec<(Key, Earlier)>,
}

/// A place on the way to come back to.
pub(crate) struct Mark {
    undo: usize,
    steps: usize,
    fresh: u64,
    session: Session,
}

impl Path {
    /// A path before the first step of a transaction.
    pub(crate) fn new(serial: u32) -> Self {
        Self {
            own: Own::default(),
            savepoints: Vec::new(),
            steps: Vec::new(),
            fresh: u64::from(serial) << NEW_ROWS,
            session: Session::default(),
            undo: Vec::new(),
        }
    }

    pub(crate) fn save(&mut self, name: &str) {
        self.savepoints.push((name.to_owned(), self.own.clone()));
    }

    /// Undoes everything after a savepoint, which stays.
    pub(crate) fn roll_back(&mut self, name: &str) {
        let Some(place) = self.savepoints.iter().rposition(|(other, _)| other == name) else {
            return;
        };
        self.savepoints.truncate(place + 1);
        self.own = self.savepoints[place].1.clone();
    }

    /// One more statement.
    pub(crate) fn add(&mut self, ran: Ran, at: &At, script: &Script, known: Time) {
        self.session = ran.session;
        self.fresh += ran.inserted;
        for change in ran.changes {
            let write = Write { key: change.key, row: change.new, before: change.old, known };
            self.undo.push((change.key, self.own.put(write)));
        }
        self.steps.push((at.clone(), script.answers.clone()));
    }

    /// Where it is now.
    pub(crate) fn mark(&self) -> Mark {
        let (undo, steps) = (self.undo.len(), self.steps.len());
        Mark { undo, steps, fresh: self.fresh, session: self.session.clone() }
    }

    /// Goes back over statements.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        for (key, before) in self.undo.drain(mark.undo..).rev() {
            self.own.restore(key, before);
        }
        self.steps.truncate(mark.steps);
        self.fresh = mark.fresh;
        self.session = mark.session;
    }
}
