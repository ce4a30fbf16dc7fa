//! What names mean in the session whose statements are being read: its search path, and its temporary tables.
//!
//! A temporary table is in a schema that only its session looks into, first of all. Transactions of a session come one
//! after the other, so its rows can be kept like those of any other table. Its definition may make it go away when
//! the transaction commits.

use std::rc::Rc;

use tristan_sqltext::{Words, tokens};

use super::machine::Sql;
use super::paths::Place;
use crate::model::{Call, Outcome, Txn};
use crate::statement::UnsupportedError;

impl Sql {
    /// A session is about to name tables.
    pub(super) fn enter_session(&mut self, session: u64) -> Result<(), UnsupportedError> {
        let path = match self.paths.enter(session, &self.catalog)? {
            Place::Home => None,
            Place::NewHome(schema) => {
                Rc::make_mut(&mut self.catalog).set_home(&schema);
                None
            }
            Place::Path(schemas) => Some(schemas),
        };
        let own = format!("pg_temp_{session}");
        let temporary = self.temporaries.then(|| own.clone());
        let place = (path, temporary.filter(|own| self.catalog.has_schema(own)));
        if self.sessions.place != place {
            let next = u32::try_from(self.sessions.numbers.len()).unwrap_or(u32::MAX) + 1;
            let home = place == (None, None);
            let number = match home {
                true => 0,
                false => *self.sessions.numbers.entry(place.clone()).or_insert(next),
            };
            self.sessions.number = number;
            self.sessions.place = place;
        }
        self.sessions.own = own;
        Ok(())
    }

    /// Names mean what they mean in the session, also to a definition that makes a temporary table.
    pub(super) fn look_up(&mut self, defines: bool) {
        let (path, temporary) = self.sessions.place.clone();
        let makes = defines && self.undoes_settings();
        let temporary = temporary.or_else(|| makes.then(|| self.sessions.own.clone()));
        let (known, own) = self.catalog.looked_up();
        if known != path.as_deref() || own != temporary.as_deref() {
            Rc::make_mut(&mut self.catalog).look_up(path, temporary);
        }
    }

    /// A definition was carried out; a session may have temporary tables now, or none any more.
    pub(super) fn note_temporaries(&mut self) {
        self.temporaries = self.temporaries || self.catalog.has_schema(&self.sessions.own);
        let session = self.sessions.own.trim_start_matches("pg_temp_").parse();
        if let Ok(session) = session {
            // A schema of the path may be gone; the next statement of the session finds that out.
            drop(self.enter_session(session));
        }
    }

    /// A transaction is over, and so are tables that last until a commit.
    pub(super) fn end_temporaries(&mut self, txn: &Txn) {
        let schema = format!("pg_temp_{}", txn.session);
        if self.temporaries && txn.outcome != Outcome::Aborted && self.catalog.has_schema(&schema) {
            Rc::make_mut(&mut self.catalog).drop_temporary(&schema, false);
            self.plans.clear();
        }
    }

    /// `DISCARD ALL` and `DISCARD TEMP` drop the temporary tables of a session.
    pub(super) fn discard(&mut self, txn: &Txn, call: &Call) {
        if !self.temporaries || !self.undoes_settings() {
            return;
        }
        let tokens = tokens(&call.sql, self.catalog.dialect().text());
        let discards = ["discard all", "discard temp", "discard temporary"];
        if discards.iter().any(|text| Words::new(&tokens).eat(text)) {
            let schema = format!("pg_temp_{}", txn.session);
            Rc::make_mut(&mut self.catalog).drop_temporary(&schema, true);
            self.plans.clear();
        }
    }
}
