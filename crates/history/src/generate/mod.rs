//! Histories of a known kind, made without a database.
//!
//! ```text
//!   atomic_store    one map, one transaction at a time          strictly serializable
//!   Workload::run   many clients against a multi-version store  serializable, or snapshot isolated
//!   faults::inject  such a run, then one lie                    neither
//! ```
//!
//! Everything is decided by a seed: the same parameters give the same history on every platform.

mod atomic;
pub mod faults;
mod listing;
mod rng;
mod run;
mod stage;
mod store;
mod workload;

pub use atomic::{Shape, atomic_store};
pub use listing::listed_by_session;
pub use rng::Rng;
pub use store::StoreLevel;
pub use workload::{Aborted, Mix, Values, Workload};
