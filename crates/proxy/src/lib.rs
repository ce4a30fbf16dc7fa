//! A proxy that sits between an application and its database, passes everything on unchanged, and
//! writes down what was said.
//!
//! ```text
//!   application ◄──► proxy ◄──► PostgreSQL, MySQL, MariaDB
//!                      ├──► SQL log: statements, parameters, rows, outcomes, times
//!                      └──► trace of keys and values, for tables that were declared
//! ```
//!
//! Bytes come first: they are passed on as they are, whether they were understood or not. A statement
//! is in the log before the server hears of it, and its end before the client does. So whatever either side
//! was told can be found there, even if the proxy is killed.
//!
//! ```no_run
//! use tristan_proxy::{LogStart, Proxy};
//!
//! let proxy = Proxy {
//!     listen: "127.0.0.1:6432".into(),
//!     upstream: "127.0.0.1:5432".into(),
//!     protocol: None,
//!     log: "log.jsonl".into(),
//!     trace: None,
//!     tables: Vec::new(),
//!     level: None,
//!     max_rows: Proxy::MAX_ROWS,
//!     start: LogStart::default(),
//! };
//! let stop = std::sync::atomic::AtomicBool::new(false);
//! proxy.bind()?.run(&stop)?;
//! # Ok::<(), tristan_proxy::ProxyError>(())
//! ```

mod bytes;
mod connection;
mod connections;
mod counts;
mod decoder;
mod ending;
mod error;
mod framer;
#[doc(hidden)]
pub mod fuzzing;
mod keyvalue;
mod line;
mod log;
mod mysql;
mod postgres;
mod probe;
mod protocol;
mod proxy;
mod result;
mod said;
mod session;
mod transactions;
mod value;

pub use counts::{Count, Counts};
pub use error::ProxyError;
pub use keyvalue::{Table, TableError};
pub use log::LogStart;
pub use protocol::Protocol;
pub use proxy::{BoundProxy, Proxy};
