//! A transaction on its way: what it has written, and how it came here.

use tristan_sql::Session;

use crate::machine::{Ran, Script};
use crate::model::Time;
use crate::store::{At, Own, Write};

/// How many rows a transaction may insert before numbers of two of them could be the same.
const ROWS: u32 = 24;

/// What a transaction did so far.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) own: Own,
    savepoints: Vec<(String, Own)>,
    pub(crate) steps: Vec<(At, Vec<usize>)>,
    /// The number of the next row that it inserts. It is the same in all worlds.
    pub(crate) fresh: u64,
    /// What the session remembers.
    pub(crate) session: Session,
}

impl Path {
    /// The beginning.
    pub(crate) fn new(serial: u32) -> Self {
        Self {
            own: Own::default(),
            savepoints: Vec::new(),
            steps: Vec::new(),
            fresh: u64::from(serial) << ROWS,
            session: Session::default(),
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

    /// The same after one more statement.
    pub(crate) fn after(
        &self,
        ran: Ran,
        session: Session,
        at: &At,
        script: &Script,
        known: Time,
    ) -> Self {
        let mut next = Self { session, ..self.clone() };
        for change in ran.changes {
            if change.old.is_none() {
                next.fresh += 1;
            }
            next.own.put(Write { key: change.key, row: change.new, before: change.old, known });
        }
        next.steps.push((at.clone(), script.answers.clone()));
        next
    }
}
