//! Histories of a known kind, made without a database.
//!
//! ```text
//!   Workload::run   many clients against a multi-version store  serializable, or snapshot isolated
//!   atomic_store    the same, one transaction at a time         strictly serializable
//!   anomalies::hide such a run, with an anomaly in the middle   neither
//!   faults::inject  such a run, then one lie                    neither
//! ```
//!
//! Everything is decided by a seed: the same parameters give the same history on every platform.

pub mod anomalies;
mod atomic;
pub mod faults;
mod listing;
mod named;
mod plan;
mod rng;
mod run;
mod skew;
mod stage;
mod template;
mod workload;

use std::borrow::Borrow;

use tristan_history::Datum;

pub use atomic::{Shape, atomic_store};
pub use listing::{into_listed_by_session, listed_at_random, listed_by_session};
pub use plan::{Planner, Step};
pub use rng::Rng;
pub use skew::{Draw, Skew};
pub use template::{Part, Place, Template};
pub use workload::{Aborted, Mix, Pattern, StoreLevel, Turns, Values, Workload};

/// The first number above all that were used.
fn above(used: impl Iterator<Item = impl Borrow<Datum>>) -> i64 {
    used.filter_map(|datum| number(datum.borrow())).max().map_or(1, |largest| largest + 1)
}

fn number(datum: &Datum) -> Option<i64> {
    match datum {
        Datum::Int(number) => i64::try_from(*number).ok(),
        Datum::Text(_) | Datum::Bytes(_) | Datum::Json(_) => None,
    }
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
