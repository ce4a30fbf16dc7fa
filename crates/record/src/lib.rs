//! Runs workloads on databases and writes down what the clients saw.
//!
//! ```text
//!   Workload ──► plan ──► session ──► Connection ──► database
//!  (generate)   (steps)  (a thread)       │ before and after every call
//!                                         ▼
//!                                     Recorder ──► trace
//! ```
//!
//! Workloads and databases are two lists that know nothing of each other: a workload plans steps
//! ([`tristan_generate`]), a database carries them out ([`Database`], [`Connection`]), and
//! [`run`] brings them together. The [`Recorder`] is of use without either, for clients
//! of one's own.

// What drivers share is of no use to a build that leaves some of them out.
#![cfg_attr(
    not(all(feature = "fjall", feature = "mysql", feature = "postgres", feature = "sqlite")),
    allow(dead_code, unused_imports)
)]

pub mod applications;
pub mod clients;
pub mod connection;
pub mod database;
pub mod databases;
mod dialect;
pub mod faults;
pub mod litmus;
pub mod run;
pub mod snapshot;
pub mod sql;
pub mod statements;
pub mod templates;
pub mod url;

pub use connection::Connection;
pub use database::{Database, DatabaseLevel, Offers};
pub use tristan_recorder::{DatabaseError, Header, Recorder, SessionLog};
pub use url::{Url, UrlError};

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
