//! A store of our own (`tristan-store`), inside this process, that can be told to be wrong: the
//! database to try Tristan on.
//!
//! ```text
//!   memory:                                      right, at four levels
//!   memory:?fault=lost-update:0.01               wrong at every hundredth opportunity
//!   memory:?fault=stale-read:0.1,lost-commit:0.1&seed=7
//! ```
//!
//! | fault | what goes wrong | what breaks first |
//! |---|---|---|
//! | `lost-update` | a conflict that should end a transaction is overlooked | snapshot isolation |
//! | `stale-read` | a read returns the version before the one it should | snapshot isolation |
//! | `read-skew` | a read returns what was committed after the snapshot | snapshot isolation |
//! | `dirty-read` | a read returns an uncommitted value | read committed |
//! | `lost-commit` | a commit is acknowledged, and nothing is written | snapshot isolation |
//! | `skipped-item` | a range read leaves out a key | serializable |
//! | `unknown-commit` | the answer to a commit is lost; half of them took effect | nothing |
//!
//! The number is the share of opportunities that are taken. Which ones, the seed decides, as far as
//! the threads that ask come in the same order.

mod client;
mod fault;

use std::sync::{Arc, Mutex, PoisonError};

use tristan_store::{Level, Store};

use super::{Kind, OpenError};
use crate::url::UrlError;
use crate::{Connection, Database, DatabaseError, DatabaseLevel, Offers, Url};
use client::Client;
use fault::RandomFaults;

const LEVELS: &[DatabaseLevel] = &[
    DatabaseLevel { name: "serializable", claims: "strict-serializable" },
    DatabaseLevel { name: "snapshot-isolation", claims: "snapshot-isolation" },
    DatabaseLevel { name: "read-committed", claims: "read-committed" },
    DatabaseLevel { name: "read-uncommitted", claims: "read-uncommitted" },
];

pub(super) const KIND: Kind = Kind {
    schemes: &["memory"],
    example: "memory:?fault=lost-update:0.01",
    about: "a built-in in-process store that can inject anomalies",
    port: None,
    open,
};

/// Makes a fresh store.
fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    url.only_options(&["fault", "seed"])?;
    if let Some(path) = url.path() {
        return Err(UrlError::new(format!("the path \"{path}\""), "no path").into());
    }
    let faults = RandomFaults::parse(url.option("fault"), url.option("seed"))?;
    let name = match url.option("fault") {
        Some(faults) => format!("memory {} with {faults}", env!("CARGO_PKG_VERSION")),
        None => format!("memory {}", env!("CARGO_PKG_VERSION")),
    };
    Ok(Arc::new(Memory { name, store: Arc::new(Mutex::new(Store::new(faults))) }))
}

/// The store, which all clients share.
type SharedStore = Arc<Mutex<Store<i64, RandomFaults>>>;

struct Memory {
    name: String,
    store: SharedStore,
}

impl Database for Memory {
    fn describe(&self) -> String {
        self.name.clone()
    }

    fn levels(&self) -> &'static [DatabaseLevel] {
        LEVELS
    }

    fn offers(&self) -> Offers {
        Offers { deletes: true, ranges: true, lists: true, locks: false }
    }

    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner).fill(initial.iter().copied());
        Ok(())
    }

    fn connect(&self, level: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError> {
        let level = match level.name {
            "serializable" => Level::Serializable,
            "snapshot-isolation" => Level::Snapshot,
            "read-committed" => Level::ReadCommitted,
            "read-uncommitted" => Level::ReadUncommitted,
            other => return Err(DatabaseError::Unsupported(format!("the level {other}"))),
        };
        Ok(Box::new(Client::new(Arc::clone(&self.store), level)))
    }
}
