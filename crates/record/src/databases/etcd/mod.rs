//! etcd, through the JSON gateway that every server has.
//!
//! etcd itself knows no transactions that read, think and write: it knows one request that makes
//! changes if comparisons hold, all at once. Its client libraries build the rest on top of that
//! ("software transactional memory"), and so does this one; see [`transaction`].
//!
//! ```text
//!   serializable-snapshot   reads of one revision; nothing that was read has changed since
//!   snapshot                reads of one revision; nothing that is written has changed since
//!   read-committed          reads of the newest revision; no comparison at all
//! ```
//!
//! The path of an address is a prefix for all keys, so that several users may share a server.

mod api;
mod transaction;

use std::sync::Arc;

use super::http::HttpClient;
use super::{Kind, OpenError};
use crate::{Connection, Database, DatabaseError, DatabaseLevel, Offers, Url};
use api::{Api, Change};
use transaction::{Client, Isolation};

const LEVELS: &[DatabaseLevel] = &[
    DatabaseLevel { name: "serializable-snapshot", claims: "serializable" },
    DatabaseLevel { name: "snapshot", claims: "snapshot-isolation" },
    DatabaseLevel { name: "read-committed", claims: "read-committed" },
];

/// The port that servers usually have.
pub(super) const PORT: u16 = 2379;
/// Keys that are written at once when the store is filled; a server allows 128 by default.
const AT_ONCE: usize = 100;

pub(super) const KIND: Kind = Kind {
    schemes: &["etcd"],
    example: "etcd://127.0.0.1:2379",
    about: "etcd 3.4 or newer, with transactions as its client libraries implement them",
    port: Some(PORT),
    open,
};

/// Asks the server at an address for its version.
fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    url.only_options(&[])?;
    let mut etcd = Etcd {
        host: url.host().into(),
        port: url.port().unwrap_or(PORT),
        keys: Keys { prefix: url.path().unwrap_or("tristan").into() },
        version: String::new(),
    };
    etcd.version = etcd.api().version()?;
    Ok(Arc::new(etcd))
}

struct Etcd {
    host: String,
    port: u16,
    keys: Keys,
    version: String,
}

/// How keys are called.
#[derive(Clone, Debug)]
struct Keys {
    prefix: String,
}

impl Keys {
    /// Where the value of a key is.
    fn value(&self, key: i64) -> String {
        format!("{}/value/{key}", self.prefix)
    }

    /// A key that is written whenever another is deleted. It is never deleted itself, and so it
    /// remembers when that was.
    fn grave(&self, key: i64) -> String {
        format!("{}/grave/{key}", self.prefix)
    }

    /// All of them: from the first up to, and without, the second.
    fn all(&self) -> (String, String) {
        // The character after a slash is a zero.
        (format!("{}/", self.prefix), format!("{}0", self.prefix))
    }
}

impl Etcd {
    fn api(&self) -> Api {
        Api::new(HttpClient::new(&self.host, self.port))
    }
}

impl Database for Etcd {
    fn describe(&self) -> String {
        format!("etcd {}", self.version)
    }

    fn levels(&self) -> &'static [DatabaseLevel] {
        LEVELS
    }

    fn offers(&self) -> Offers {
        Offers { deletes: true, ranges: false, lists: false, locks: false }
    }

    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError> {
        let mut api = self.api();
        let (from, until) = self.keys.all();
        api.delete_range(&from, &until)?;
        for some in initial.chunks(AT_ONCE) {
            let put =
                |(key, value): &(i64, i64)| Change::put(&self.keys.value(*key), &value.to_string());
            api.txn(&[], &some.iter().map(put).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn connect(&self, level: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError> {
        let isolation = match level.name {
            "serializable-snapshot" => Isolation::Serializable,
            "snapshot" => Isolation::Snapshot,
            "read-committed" => Isolation::ReadCommitted,
            other => return Err(DatabaseError::Unsupported(format!("the level {other}"))),
        };
        Ok(Box::new(Client::new(self.api(), self.keys.clone(), isolation)))
    }
}
