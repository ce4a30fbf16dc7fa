//! The connections that are open, so that all of them can be ended when the proxy stops.

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Both ends of each connection.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    open: Mutex<Open>,
    is_over: AtomicBool,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    ends: BTreeMap<u64, [TcpStream; 2]>,
}

/// A connection that is open until this is dropped.
pub(crate) struct Guard<'a> {
    connections: &'a Connections,
    number: u64,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection was opened.
    ///
    /// # Errors
    /// If the system has no room for it, or the proxy is about to end.
    pub(crate) fn add(&self, client: &TcpStream, server: &TcpStream) -> io::Result<Guard<'_>> {
        let ends = [client.try_clone()?, server.try_clone()?];
        let mut open = self.lock();
        if self.is_over() {
            return Err(io::Error::other("the proxy ends"));
        }
        open.next += 1;
        let number = open.next;
        open.ends.insert(number, ends);
        Ok(Guard { connections: self, number })
    }

    /// Whether the proxy is about to end.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Ends all of them, and those that come later. Each still writes down how it ended.
    pub(crate) fn shut(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        for end in self.lock().ends.values().flatten() {
            // One that has gone already need not be told.
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.connections.lock().ends.remove(&self.number);
    }
}
