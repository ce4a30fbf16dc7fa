//! Clients of the user, with a recorder in between: the same calls as before, each with a word on
//! what it means for a key.
//!
//! ```text
//!   test ──► Recorded…Client ──► tokio-postgres, mysql_async ──► database
//!                  │
//!                  └──► SessionLog
//! ```
//!
//! A statement can do anything; a trace speaks of keys. So the caller says which key a statement
//! reads or writes, and the wrapper does the rest: times, results, errors, outcomes.

#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
mod value;

#[cfg(feature = "mysql")]
pub use mysql::RecordedMysql;
#[cfg(feature = "postgres")]
pub use postgres::RecordedPostgres;
pub use value::Value;
