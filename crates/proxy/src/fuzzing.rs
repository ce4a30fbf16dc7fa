//! What fuzz targets and the tests of damaged streams call: the part of a connection that decodes and
//! records, without sockets and threads.
//!
//! On a real connection, the network decides in which pieces bytes arrive. Here the caller decides, so that
//! the records of the same bytes in different pieces can be compared. Fuzz targets and integration tests
//! are crates of their own, so this module has to be public. Nothing else uses it, and it may change at any
//! time.

use std::io;

use crate::connection::Wire;
use crate::error::ProxyError;
use crate::mysql::{MySql, greeting};
use crate::postgres::Postgres;
use crate::probe::Found;
use crate::protocol::Protocol;
use crate::proxy::Proxy;
use crate::session::Session;

pub use crate::connection::Side;

/// Records one connection, piece by piece, in the log and the trace of a proxy that does not run.
///
/// # Errors
/// When a file cannot be written.
pub fn observe(
    proxy: &Proxy,
    protocol: Protocol,
    pieces: &[(Side, &[u8])],
) -> Result<(), ProxyError> {
    let write_error = |error: io::Error| ProxyError::Write { path: proxy.log.clone(), error };
    let shared = proxy.share(&Found { protocol, version: None })?;
    let session = Session::new(shared, "client".to_owned(), None);
    let wire = match protocol {
        Protocol::Postgres => Wire::new(Box::new(Postgres::new(session))),
        Protocol::MySql => Wire::new(Box::new(MySql::new(session, None))),
    };
    for (side, bytes) in pieces {
        wire.heard(bytes, *side).map_err(write_error)?;
    }
    wire.closed().map_err(write_error)
}

/// Takes encryption and the like out of the greeting of a MySQL server, without the head of its packet.
/// Returns the version of the server; `None` if this is no greeting.
pub fn strip_greeting(greeting: &mut [u8]) -> Option<String> {
    greeting::strip(greeting)
}
