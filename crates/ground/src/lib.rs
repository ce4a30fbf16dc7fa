//! What every stage stands on: limits on time and memory, the budget it checks, threads, typed ids
//! ([`id!`]), the calendar, and input that may be compressed ([`unzip`]).
//!
//! ```text
//!   Limits ──start──► Budget ──within──► Budget of one step ──check, tick, reserve──► Ok, or Stop
//!                        │                                                              │
//!                      Meter (clock, resident memory)                     Stopped (limit, stage, how far)
//! ```
//!
//! A command starts one [`Budget`] and hands clones of it to every stage, reading included. A stage
//! calls [`Budget::check`] between its steps and [`Ticker::tick`] in tight loops, passes the
//! [`Stop`] up, and the command turns it into the answer `unknown`. [`Budget::stopped`] tells which
//! limit was hit, in which stage, and how far the stage had come.
//!
//! All other crates may use this one; it uses none of them.

mod budget;
mod calendar;
mod id;
mod limits;
mod meter;
mod place;
mod progress;
mod random;
mod stage;
mod threads;
mod unzip;

pub use budget::{Budget, Scope, Stopped, Ticker};
pub use calendar::{Civil, days_in_month};
pub use limits::{Limits, Stop};
pub use meter::{Meter, Steps, System, resident};
pub use place::Place;
pub use progress::{Progress, Silent};
pub use random::{Random, scrambled};
pub use threads::{Threads, cut, joined};
pub use unzip::{is_zipped, unzip};

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
