//! The databases that can be recorded, one file or folder each.

mod etcd;
mod fjall;
mod home;
mod http;
mod memory;
mod mysql;
mod order;
mod postgres;
mod server;
mod sqlite;
mod surrealkv;

use std::sync::Arc;

use thiserror::Error;

use crate::url::UrlError;
use crate::{Database, Failure, Url};
pub(crate) use mysql::failures as mysql_failures;
pub(crate) use postgres::failures as postgres_failures;

/// A kind of database, by the scheme of its addresses.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The schemes that mean it; the first is the usual one.
    pub schemes: &'static [&'static str],
    /// An address, as an example.
    pub example: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The port its servers usually listen on; `None` if it has no server.
    pub port: Option<u16>,
    open: fn(&Url) -> Result<Arc<dyn Database>, OpenError>,
}

/// Why a database cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// The address makes no sense.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The database does not answer as it should.
    #[error(transparent)]
    Failure(#[from] Failure),
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    postgres::KIND,
    mysql::KIND,
    etcd::KIND,
    sqlite::KIND,
    fjall::KIND,
    surrealkv::KIND,
    memory::KIND,
];

/// Opens the database at an address.
///
/// # Errors
/// If the address makes no sense or the database cannot be reached.
pub fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    let kind = kind_of(url).ok_or_else(|| {
        let schemes: Vec<&str> = KINDS.iter().map(|kind| kind.schemes[0]).collect();
        UrlError::new(format!("the scheme \"{}\"", url.scheme), schemes.join(", "))
    })?;
    (kind.open)(url)
}

/// The port that an address means; `None` if there is no server to connect to.
pub fn port(url: &Url) -> Option<u16> {
    url.port().or_else(|| kind_of(url).and_then(|kind| kind.port))
}

fn kind_of(url: &Url) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.schemes.contains(&url.scheme.as_str()))
}
