//! A connection to the store in memory.

use std::sync::{MutexGuard, PoisonError};

use tristan_store::{Commit, Interval, Level, Store, Transaction};

use super::SharedStore;
use super::fault::RandomFaults;
use crate::connection::{Committed, Iterated, Range};
use crate::{Connection, DatabaseError};

type Guard<'a> = MutexGuard<'a, Store<i64, RandomFaults>>;

pub(super) struct Client {
    store: SharedStore,
    level: Level,
    running: Option<Transaction<i64>>,
}

impl Client {
    pub(super) fn new(store: SharedStore, level: Level) -> Self {
        Self { store, level, running: None }
    }

    /// The store and the open transaction.
    fn open(&mut self) -> Result<(Guard<'_>, &mut Transaction<i64>), DatabaseError> {
        let running = self.running.as_mut().ok_or_else(no_transaction)?;
        Ok((lock(&self.store), running))
    }
}

impl Connection for Client {
    fn begin(&mut self) -> Result<(), DatabaseError> {
        let mut store = lock(&self.store);
        if let Some(forgotten) = self.running.take() {
            store.abort(forgotten);
        }
        self.running = Some(store.begin(self.level));
        Ok(())
    }

    fn get(&mut self, key: i64, lock: bool) -> Result<Option<i64>, DatabaseError> {
        if lock {
            return Err(DatabaseError::Unsupported("the store has no locking reads".into()));
        }
        let (mut store, running) = self.open()?;
        Ok(store.get(running, key))
    }

    fn put(&mut self, key: i64, value: i64) -> Result<(), DatabaseError> {
        let (mut store, running) = self.open()?;
        store.put(running, key, Some(value));
        Ok(())
    }

    fn delete(&mut self, key: i64) -> Result<Option<u64>, DatabaseError> {
        let (mut store, running) = self.open()?;
        store.put(running, key, None);
        Ok(None)
    }

    fn scan(&mut self, range: Range) -> Result<Vec<(i64, i64)>, DatabaseError> {
        Ok(self.iterate(range, usize::MAX)?.items)
    }

    fn iterate(&mut self, range: Range, most: usize) -> Result<Iterated, DatabaseError> {
        let (mut store, running) = self.open()?;
        let interval = Interval { lo: range.lo, hi: range.hi };
        let (items, end) = store.iterate(running, interval, most);
        Ok(Iterated { items, end })
    }

    fn append(&mut self, key: i64, element: i64) -> Result<(), DatabaseError> {
        let (store, running) = self.open()?;
        store.append(running, key, element);
        Ok(())
    }

    fn list(&mut self, key: i64) -> Result<Vec<i64>, DatabaseError> {
        let (store, running) = self.open()?;
        Ok(store.list(running, key))
    }

    fn commit(&mut self) -> Result<Committed, DatabaseError> {
        let running = self.running.take().ok_or_else(no_transaction)?;
        match lock(&self.store).commit(running) {
            Commit::Done(time) => Ok(Committed { stamp: time.map(|time| time as i64), tag: None }),
            Commit::Refused => {
                Err(DatabaseError::Refused("another transaction committed first".into()))
            }
            Commit::Unknown => Err(DatabaseError::Lost("the answer is lost".into())),
        }
    }

    fn abort(&mut self) -> Result<(), DatabaseError> {
        let running = self.running.take().ok_or_else(no_transaction)?;
        lock(&self.store).abort(running);
        Ok(())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            lock(&self.store).abort(running);
        }
    }
}

fn lock(store: &SharedStore) -> Guard<'_> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_transaction() -> DatabaseError {
    DatabaseError::Failed("no transaction is open".into())
}
