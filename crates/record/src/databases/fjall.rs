//! fjall, inside this process: a log-structured store with optimistic transactions.
//!
//! A transaction reads the state at its start, overlaid with its own writes, and remembers the keys
//! and ranges that it read. When it commits, it is refused if another transaction has written there since. So
//! all that a writer has read is still true when it commits, and a transaction that wrote nothing
//! belongs where its snapshot was taken: serializable.

use std::sync::Arc;

use fjall::{
    Error, Iter, KeyspaceCreateOptions, OptimisticTxDatabase, OptimisticTxKeyspace,
    OptimisticWriteTx, Readable,
};

use super::home::Home;
use super::order;
use super::{Kind, OpenError};
use crate::connection::{Committed, Iterated, Range};
use crate::{Connection, Database, DatabaseError, DatabaseLevel, Offers, Url};

/// The crate does not tell its version; a test compares this one with `Cargo.lock`.
const VERSION: &str = "3.1.13";

const LEVELS: &[DatabaseLevel] = &[DatabaseLevel { name: "serializable", claims: "serializable" }];

pub(super) const KIND: Kind = Kind {
    schemes: &["fjall"],
    example: "fjall:folder",
    about: "fjall, in this process; without a path, in a temporary folder",
    port: None,
    open,
};

/// Opens the folder of an address, or a fresh one.
fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    url.only_options(&[])?;
    let home = Home::of(url)?;
    let database = OptimisticTxDatabase::builder(home.path()).open().map_err(lost)?;
    let keyspace = |name| database.keyspace(name, KeyspaceCreateOptions::default).map_err(lost);
    let (values, lists) = (keyspace("values")?, keyspace("lists")?);
    Ok(Arc::new(Fjall { store: Arc::new(Store { values, lists, database, _home: home }) }))
}

struct Fjall {
    store: Arc<Store>,
}

/// Fields are dropped in this order: the files go last.
struct Store {
    values: OptimisticTxKeyspace,
    lists: OptimisticTxKeyspace,
    database: OptimisticTxDatabase,
    _home: Home,
}

impl Store {
    fn fill(&self, initial: &[(i64, i64)]) -> fjall::Result<()> {
        self.values.inner().clear()?;
        self.lists.inner().clear()?;
        for (key, value) in initial {
            self.values.insert(order::to_bytes(*key), order::to_bytes(*value))?;
        }
        Ok(())
    }
}

impl Database for Fjall {
    fn describe(&self) -> String {
        format!("fjall {VERSION}")
    }

    fn levels(&self) -> &'static [DatabaseLevel] {
        LEVELS
    }

    fn offers(&self) -> Offers {
        Offers { deletes: true, ranges: true, lists: true, locks: false }
    }

    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError> {
        self.store.fill(initial).map_err(lost)
    }

    fn connect(&self, _: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError> {
        Ok(Box::new(Client { transaction: None, store: Arc::clone(&self.store) }))
    }
}

struct Client {
    transaction: Option<OptimisticWriteTx>,
    store: Arc<Store>,
}

impl Client {
    fn open(&mut self) -> Result<(&mut OptimisticWriteTx, &Store), DatabaseError> {
        let transaction = self.transaction.as_mut();
        transaction.map(|transaction| (transaction, &*self.store)).ok_or_else(no_transaction)
    }

    fn take(&mut self) -> Result<OptimisticWriteTx, DatabaseError> {
        self.transaction.take().ok_or_else(no_transaction)
    }
}

impl Connection for Client {
    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.transaction = Some(self.store.database.write_tx().map_err(lost)?);
        Ok(())
    }

    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError> {
        if lock {
            return Err(DatabaseError::Unsupported("fjall has no locking reads".into()));
        }
        let (transaction, store) = self.open()?;
        let found = transaction.get(&store.values, order::to_bytes(key)).map_err(lost)?;
        found.map(|bytes| order::from_bytes(&bytes)).transpose()
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError> {
        let (transaction, store) = self.open()?;
        transaction.insert(&store.values, order::to_bytes(key), order::to_bytes(value));
        Ok(())
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        let (transaction, store) = self.open()?;
        transaction.remove(&store.values, order::to_bytes(key));
        Ok(None)
    }

    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, DatabaseError> {
        Ok(self.iterate(range, usize::MAX)?.items)
    }

    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        let (transaction, store) = self.open()?;
        let Some((first, last)) = order::ends(range) else {
            return Ok(Iterated { items: Vec::new(), end: true });
        };
        let bounds = order::to_bytes(first)..=order::to_bytes(last);
        first_of(transaction.range(&store.values, bounds), most)
    }

    fn append(&mut self, key: i64, element: i64) -> Result<(), DatabaseError> {
        let (transaction, store) = self.open()?;
        let key = order::to_bytes(key);
        let held = transaction.get(&store.lists, key).map_err(lost)?;
        let mut elements = held.map_or_else(Vec::new, |held| held.to_vec());
        elements.extend(order::to_bytes(element));
        transaction.insert(&store.lists, key, elements);
        Ok(())
    }

    fn list(&mut self, key: i64) -> Result<Vec<i64>, DatabaseError> {
        let (transaction, store) = self.open()?;
        let held = transaction.get(&store.lists, order::to_bytes(key)).map_err(lost)?;
        held.map_or_else(|| Ok(Vec::new()), |held| order::list_from_bytes(&held))
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        match self.take()?.commit() {
            Ok(Ok(())) => Ok(Committed::default()),
            Ok(Err(conflict)) => Err(DatabaseError::Refused(conflict.to_string())),
            Err(error) => Err(lost(error)),
        }
    }

    fn abort(&mut self) -> Result<(), DatabaseError> {
        self.take()?.rollback();
        Ok(())
    }
}

fn first_of(mut found: Iter, most: usize) -> Result<Iterated, DatabaseError> {
    let mut items = Vec::new();
    while items.len() < most {
        match found.next() {
            Some(item) => {
                let (key, value) = item.into_inner().map_err(lost)?;
                items.push((order::from_bytes(&key)?, order::from_bytes(&value)?));
            }
            None => return Ok(Iterated { items, end: true }),
        }
    }
    Ok(Iterated { items, end: false })
}

fn no_transaction() -> DatabaseError {
    DatabaseError::Failed("no transaction is open".into())
}

fn lost(error: Error) -> DatabaseError {
    DatabaseError::Lost(error.to_string())
}
