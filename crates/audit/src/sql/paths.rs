//! Where the sessions of a log look up names without a schema.
//!
//! ```text
//!   session 1   t means public.t
//!   session 2   SET search_path TO shop     t means shop.t
//!   session 3   CREATE TEMP TABLE t …       t means a table of its own
//! ```
//!
//! A catalog has one home for such names. In PostgreSQL, each session may look elsewhere, and so the catalog is told
//! where before a statement is bound. A log of MySQL in which two sessions look in different places is refused. So
//! is one of PostgreSQL if the tables that were there at its beginning have no schemas in front of their names, and
//! the first session looks for them in a schema that it chose: they are taken to be in that one.

use rustc_hash::FxHashMap;
use tristan_sql::{Catalog, Dialect};
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

    /// What a session chose, to go back to it if it is undone.
    pub(super) fn chosen(&self, session: u64) -> Option<SearchPath> {
        self.chosen.get(&session).cloned()
    }

    /// A session looks again where it looked before.
    pub(super) fn restore(&mut self, session: u64, path: Option<SearchPath>) {
        match path {
            Some(path) => drop(self.chosen.insert(session, path)),
            None => drop(self.chosen.remove(&session)),
        }
    }

    /// A session is about to name tables, for the first time or not.
    pub(super) fn enter(
        &mut self,
        session: u64,
        catalog: &Catalog,
    ) -> Result<Place, UnsupportedError> {
        let path = self.chosen.get(&session).unwrap_or(&SearchPath::Usual).clone();
        let each = catalog.dialect() == Dialect::PostgreSql;
        let settled = self.home.is_some();
        let home = self.home.get_or_insert_with(|| match &path {
            SearchPath::In(schemas) if !each || catalog.has_plain_names() => {
                SearchPath::In(schemas.clone())
            }
            _ if each => SearchPath::Usual,
            _ => path.clone(),
        });
        match (*home == path, &path, &*home) {
            (true, SearchPath::In(schemas), _) if !settled && schemas.len() == 1 => {
                Ok(Place::NewHome(schemas[0].clone()))
            }
            (true, ..) => Ok(Place::Home),
            (false, SearchPath::In(schemas), SearchPath::Usual)
                if each
                    && schemas.iter().any(|schema| catalog.knows_schema(schema))
                    && !schemas.iter().any(|schema| schema.starts_with("pg_")) =>
            {
                Ok(Place::Path(schemas.clone()))
            }
            _ => Err(UnsupportedError(format!(
                "sessions that look up names in different places are not supported: {} and {}",
                shown(home),
                shown(&path)
            ))),
        }
    }
}

/// Where a session looks up names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Home,
    /// In this schema, which is the home from now on.
    NewHome(String),
    Path(Vec<String>),
}

fn shown(path: &SearchPath) -> String {
    match path {
        SearchPath::In(schemas) => schemas.join(", "),
        SearchPath::Usual | SearchPath::Unclear => "the server's default".to_owned(),
    }
}
