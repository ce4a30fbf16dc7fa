//! Which statement and which portal a name stands for.
//!
//! ```text
//!   client ──► Parse, Bind, Close ──► expected: as if all of it worked
//!   server ──► ParseComplete, …   ──► confirmed: what the server has
//! ```
//!
//! Clients name what they have just sent, before the server has answered. If the server skips some of
//! it after an error, the names are again what the server confirmed, plus what is still under way.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::Waiting;
use super::prepared::{Portal, Prepared};

/// Statements and portals by name.
#[derive(Debug, Default)]
pub(super) struct Names {
    expected: Known,
    confirmed: Known,
}

#[derive(Clone, Debug, Default)]
struct Known {
    statements: HashMap<String, Arc<Prepared>>,
    portals: HashMap<String, Arc<Portal>>,
}

impl Names {
    /// The statement that a name will stand for when what was sent so far is carried out.
    pub(super) fn statement(&self, name: &str) -> Option<Arc<Prepared>> {
        self.expected.statements.get(name).cloned()
    }

    /// The same for a portal.
    pub(super) fn portal(&self, name: &str) -> Option<Arc<Portal>> {
        self.expected.portals.get(name).cloned()
    }

    /// The client has sent something that changes names.
    pub(super) fn sent(&mut self, waiting: &Waiting) {
        self.expected.apply(waiting);
    }

    /// The server has carried it out.
    pub(super) fn done(&mut self, waiting: &Waiting) {
        self.confirmed.apply(waiting);
    }

    /// The server has skipped something; this is what it has yet to answer.
    pub(super) fn skipped(&mut self, waiting: &VecDeque<Waiting>) {
        self.expected = self.confirmed.clone();
        waiting.iter().for_each(|waiting| self.expected.apply(waiting));
    }

    /// Nothing is under way and no transaction is open: portals do not outlive their transaction.
    pub(super) fn forget_portals(&mut self) {
        self.expected.portals.clear();
        self.confirmed.portals.clear();
    }
}

impl Known {
    fn apply(&mut self, waiting: &Waiting) {
        match waiting {
            Waiting::Parse(name, prepared) => {
                self.statements.insert(name.clone(), Arc::clone(prepared));
            }
            Waiting::Bind(name, portal) => {
                self.portals.insert(name.clone(), Arc::clone(portal));
            }
            Waiting::CloseStatement(name) => drop(self.statements.remove(name)),
            Waiting::ClosePortal(name) => drop(self.portals.remove(name)),
            _ => {}
        }
    }
}
