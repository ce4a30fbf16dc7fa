//! The databases that can be recorded, one file or folder each. Those that need a driver or a library
//! have a Cargo feature.

mod etcd;
#[cfg(feature = "fjall")]
mod fjall;
#[cfg(any(feature = "fjall", feature = "sqlite", feature = "surrealkv"))]
mod home;
mod http;
mod memory;
#[cfg(feature = "mysql")]
mod mysql;
mod order;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "mysql", feature = "postgres"))]
mod server;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "surrealkv")]
mod surrealkv;

use std::sync::Arc;

use thiserror::Error;

use crate::url::UrlError;
use crate::{Database, DatabaseError, Url};
#[cfg(feature = "mysql")]
pub(crate) use mysql::failures as mysql_failures;
#[cfg(feature = "postgres")]
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
    Database(#[from] DatabaseError),
}

/// The databases that this build can record.
pub const KINDS: &[Kind] = &[
    #[cfg(feature = "postgres")]
    postgres::KIND,
    #[cfg(feature = "mysql")]
    mysql::KIND,
    etcd::KIND,
    #[cfg(feature = "sqlite")]
    sqlite::KIND,
    #[cfg(feature = "fjall")]
    fjall::KIND,
    #[cfg(feature = "surrealkv")]
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
        UrlError::new(unknown_scheme(url), schemes.join(", "))
    })?;
    (kind.open)(url)
}

/// A scheme that no database here has.
pub(crate) fn unknown_scheme(url: &Url) -> String {
    let scheme = &url.scheme;
    match FEATURES.iter().find(|(_, schemes)| schemes.contains(&scheme.as_str())) {
        Some((feature, _)) => {
            format!(
                "the scheme \"{scheme}\", which needs a build with the Cargo feature \"{feature}\""
            )
        }
        None => format!("the scheme \"{scheme}\""),
    }
}

/// The Cargo features, and the schemes that each one adds.
const FEATURES: &[(&str, &[&str])] = &[
    ("fjall", &["fjall"]),
    ("mysql", &["mysql", "mariadb"]),
    ("postgres", &["postgres", "postgresql"]),
    ("sqlite", &["sqlite"]),
    ("surrealkv", &["surrealkv"]),
];

/// The port that an address means; `None` if there is no server to connect to.
pub fn port(url: &Url) -> Option<u16> {
    url.port().or_else(|| kind_of(url).and_then(|kind| kind.port))
}

fn kind_of(url: &Url) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.schemes.contains(&url.scheme.as_str()))
}
