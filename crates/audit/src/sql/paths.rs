//! Where the sessions of a log look up names without a schema.
//!
//! A catalog has one home for such names. A log in which two sessions look in different places is
//! refused: `t` would be two tables.

use rustc_hash::FxHashMap;
use tristan_sqltext::SearchPath;

use crate::model::{Call, Observed, Txn};
use crate::statement::UnsupportedError;

/// Where each session looks, and where the statements before looked.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// The places that sessions chose.
    chosen: FxHashMap<u64, SearchPath>,
    /// The place of the first statement.
    home: Option<SearchPath>,
}

impl Paths {
    /// Whether no session has chosen a place.
    pub(super) fn are_usual(&self) -> bool {
        self.chosen.is_empty() && self.home.as_ref().is_none_or(|home| *home == SearchPath::Usual)
    }

    /// A session chooses a place.
    pub(super) fn choose(
        &mut self,
        txn: &Txn,
        call: &Call,
        path: &SearchPath,
    ) -> Result<(), UnsupportedError> {
        match (path, &call.observed) {
            (_, Observed::Error(_)) => Ok(()),
            (SearchPath::Unclear, _) => Err(UnsupportedError(format!(
                "a search path for one transaction is not supported: {}",
                call.sql
            ))),
            _ => {
                self.chosen.insert(txn.session, path.clone());
                Ok(())
            }
        }
    }

    /// A session is about to name tables. Returns the schema in which all sessions look, if the session is
    /// the first to name tables and chose one.
    pub(super) fn home(&mut self, session: u64) -> Result<Option<&str>, UnsupportedError> {
        let path = self.chosen.get(&session).unwrap_or(&SearchPath::Usual);
        match &self.home {
            Some(home) if home == path => return Ok(None),
            Some(home) => {
                return Err(UnsupportedError(format!(
                    "sessions that look up names in different places are not supported: {} and {}",
                    shown(home),
                    shown(path)
                )));
            }
            None => self.home = Some(path.clone()),
        }
        match &self.home {
            Some(SearchPath::In(schemas)) if schemas.len() == 1 => Ok(Some(&schemas[0])),
            _ => Ok(None),
        }
    }
}

fn shown(path: &SearchPath) -> String {
    match path {
        SearchPath::In(schemas) => schemas.join(", "),
        SearchPath::Usual | SearchPath::Unclear => "the server's default".to_owned(),
    }
}
