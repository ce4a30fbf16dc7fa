//! SurrealKV, inside this process: a log-structured store with snapshot isolation.
//!
//! A transaction reads the state at its start, overlaid with its own writes; it is refused if
//! another transaction has committed a write of a key that it writes too. What it has only read may have
//! changed in the meantime, and so two transactions can each read what the other is about to write:
//! write skew.
//!
//! ```text
//!   session 1 ── commit ──┐
//!   session 2 ── commit ──┼──► driver: the store's own tasks, on a thread of its own
//! ```
//!
//! Reads happen on the thread that asks. A commit is handed to a task of the store and waited for;
//! that task must run even if no session is waiting, so a thread does nothing but drive it.

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use surrealkv::{Error, LSMIterator, Transaction, Tree, TreeBuilder};
use tokio::runtime::{Builder, Handle};
use tokio::task::AbortHandle;

use super::home::Home;
use super::order;
use super::{Kind, OpenError};
use crate::connection::{Committed, Iterated, Range};
use crate::{Connection, Database, DatabaseError, DatabaseLevel, Offers, Url};

/// The crate does not tell its version; a test compares this one with `Cargo.lock`.
const VERSION: &str = "1.2.0";

const LEVELS: &[DatabaseLevel] =
    &[DatabaseLevel { name: "snapshot-isolation", claims: "snapshot-isolation" }];

/// There is one space of keys; the first byte tells what a key is for.
const VALUES: u8 = b'v';
const LISTS: u8 = b'l';

pub(super) const KIND: Kind = Kind {
    schemes: &["surrealkv"],
    example: "surrealkv:folder",
    about: "SurrealKV, in this process; without a path, in a temporary folder",
    port: None,
    open,
};

/// Opens the folder of an address, or a fresh one.
fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    url.only_options(&[])?;
    let home = Home::of(url)?;
    let driver = Driver::start().map_err(|error| DatabaseError::Lost(error.to_string()))?;
    let tree = {
        let _tasks_run_there = driver.handle.enter();
        TreeBuilder::new().with_path(home.path().into()).build().map_err(lost)?
    };
    Ok(Arc::new(SurrealKv { store: Arc::new(Store { tree, driver, _home: home }) }))
}

struct SurrealKv {
    store: Arc<Store>,
}

/// Fields are dropped in this order: the files go last.
struct Store {
    tree: Tree,
    driver: Driver,
    _home: Home,
}

impl Drop for Store {
    fn drop(&mut self) {
        // A database that is dropped is no longer needed.
        let _ = self.driver.handle.block_on(self.tree.close());
    }
}

impl Store {
    fn fill(&self, initial: &[(i64, i64)]) -> Result<(), Error> {
        let mut transaction = self.tree.begin()?;
        for key in all_keys(&transaction)? {
            transaction.delete(key)?;
        }
        for (key, value) in initial {
            transaction.set(name(VALUES, *key), order::to_bytes(*value).to_vec())?;
        }
        self.driver.handle.block_on(transaction.commit())
    }
}

/// A thread that runs the store's tasks until it is told to stop.
struct Driver {
    handle: Handle,
    stop: AbortHandle,
    thread: Option<JoinHandle<()>>,
}

impl Driver {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_time().build()?;
        let handle = runtime.handle().clone();
        let until_stopped = runtime.spawn(pending::<()>());
        let stop = until_stopped.abort_handle();
        let drive = move || drop(runtime.block_on(until_stopped));
        let thread = thread::Builder::new().name("surrealkv".into()).spawn(drive)?;
        Ok(Self { handle, stop, thread: Some(thread) })
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.stop.abort();
        if let Some(thread) = self.thread.take() {
            // If one of the store's tasks has panicked, that has been reported already.
            let _ = thread.join();
        }
    }
}

impl Database for SurrealKv {
    fn describe(&self) -> String {
        format!("SurrealKV {VERSION}")
    }

    fn levels(&self) -> &'static [DatabaseLevel] {
        LEVELS
    }

    fn offers(&self) -> Offers {
        Offers { deletes: true, ranges: true, lists: true, locks: true }
    }

    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError> {
        self.store.fill(initial).map_err(lost)
    }

    fn connect(&self, _: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError> {
        Ok(Box::new(Client { transaction: None, store: Arc::clone(&self.store) }))
    }
}

struct Client {
    transaction: Option<Transaction>,
    store: Arc<Store>,
}

impl Client {
    fn open(&mut self) -> Result<&mut Transaction, DatabaseError> {
        self.transaction.as_mut().ok_or_else(no_transaction)
    }

    fn take(&mut self) -> Result<Transaction, DatabaseError> {
        self.transaction.take().ok_or_else(no_transaction)
    }
}

impl Connection for Client {
    fn begin(&mut self) -> Result<(), DatabaseError> {
        self.transaction = Some(self.store.tree.begin().map_err(lost)?);
        Ok(())
    }

    /// With `lock`, the transaction is refused in the end if another transaction has changed the key.
    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError> {
        let (transaction, key) = (self.open()?, name(VALUES, key));
        let found = match lock {
            true => transaction.get_for_update(key),
            false => transaction.get(key),
        };
        found.map_err(lost)?.map(|bytes| order::from_bytes(&bytes)).transpose()
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError> {
        let value = order::to_bytes(value).to_vec();
        self.open()?.set(name(VALUES, key), value).map_err(lost)
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        self.open()?.delete(name(VALUES, key)).map_err(lost)?;
        Ok(None)
    }

    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, DatabaseError> {
        Ok(self.iterate(range, usize::MAX)?.items)
    }

    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        let transaction = self.open()?;
        match order::ends(range) {
            Some(ends) => first_of(transaction, ends, most),
            None => Ok(Iterated { items: Vec::new(), end: true }),
        }
    }

    fn append(&mut self, key: i64, element: i64) -> Result<(), DatabaseError> {
        let (transaction, key) = (self.open()?, name(LISTS, key));
        let held = transaction.get(&key).map_err(lost)?;
        let mut elements = held.map_or_else(Vec::new, |held| held.to_vec());
        elements.extend(order::to_bytes(element));
        transaction.set(key, elements).map_err(lost)
    }

    fn list(&mut self, key: i64) -> Result<Vec<i64>, DatabaseError> {
        let held = self.open()?.get(name(LISTS, key)).map_err(lost)?;
        held.map_or_else(|| Ok(Vec::new()), |held| order::list_from_bytes(&held))
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        let mut transaction = self.take()?;
        match self.store.driver.handle.block_on(transaction.commit()) {
            Ok(()) => Ok(Committed::default()),
            Err(error @ (Error::TransactionWriteConflict | Error::TransactionRetry)) => {
                Err(DatabaseError::Refused(error.to_string()))
            }
            Err(error) => Err(lost(error)),
        }
    }

    fn abort(&mut self) -> Result<(), DatabaseError> {
        self.take()?.rollback();
        Ok(())
    }
}

fn name(table: u8, key: i64) -> Vec<u8> {
    let mut name = vec![table];
    name.extend(order::to_bytes(key));
    name
}

fn all_keys(transaction: &Transaction) -> Result<Vec<Vec<u8>>, Error> {
    let mut keys = Vec::new();
    let mut found = transaction.iter()?;
    found.seek_first()?;
    while found.valid() {
        keys.push(found.key().user_key().to_vec());
        found.next()?;
    }
    Ok(keys)
}

fn first_of(
    transaction: &Transaction,
    (first, last): (i64, i64),
    most: usize,
) -> Result<Iterated, DatabaseError> {
    let mut items = Vec::new();
    let mut found = transaction.scan(name(VALUES, first)..=name(VALUES, last)).map_err(lost)?;
    found.seek_first().map_err(lost)?;
    while items.len() < most && found.valid() {
        // The first byte tells that it is a value.
        let key = order::from_bytes(&found.key().user_key()[1..])?;
        let value = order::from_bytes(&found.value().map_err(lost)?)?;
        items.push((key, value));
        if items.len() < most {
            found.next().map_err(lost)?;
        }
    }
    Ok(Iterated { end: items.len() < most, items })
}

fn no_transaction() -> DatabaseError {
    DatabaseError::Failed("no transaction is open".into())
}

fn lost(error: Error) -> DatabaseError {
    DatabaseError::Lost(error.to_string())
}
