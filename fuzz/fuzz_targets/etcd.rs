//! Answers the requests of the etcd client with arbitrary bytes.
//!
//! Any answer may be refused, but nothing may panic.

#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

use libfuzzer_sys::fuzz_target;
use tristan_record::{Database, DatabaseError, Url, databases};

static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A server that says the same to everybody and then hangs up.
static SERVER: LazyLock<Url> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a client");
            let answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner).clone();
            // A client that has gone already need not be told.
            let _ = stream.write_all(&answer);
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    format!("etcd://{address}").parse().expect("an address")
});

fuzz_target!(|bytes: &[u8]| {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = bytes.to_vec();
    if let Ok(database) = databases::open(&SERVER) {
        let _ = database.prepare(&[(1, 1)]);
        for level in database.levels() {
            let _ = transaction(&*database, *level);
        }
    }
});

fn transaction(
    database: &dyn Database,
    level: tristan_record::DatabaseLevel,
) -> Result<(), DatabaseError> {
    let mut connection = database.connect(level)?;
    connection.begin()?;
    connection.get(1, false)?;
    connection.get(2, false)?;
    connection.put(1, 2)?;
    connection.delete(3)?;
    connection.commit().map(drop)
}
