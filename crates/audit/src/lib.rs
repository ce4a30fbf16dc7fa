//! Are the results of SQL statements right?

mod assumptions;
mod engine;
mod error;
mod explain;
mod follow;
mod ladder;
mod level;
mod load;
pub mod log;
pub mod model;
mod options;
mod passes;
mod rejection;
mod replay;
mod search;
mod sql;
mod statement;
mod store;
mod watched_budget;
mod witness;
mod world;

pub use engine::{audit, audit_watched, audit_within};
pub use error::Error;
pub use follow::{FollowOptions, FollowReport, Followed, Follower};
pub use level::AuditLevel;
pub use options::{AuditOptions, CommitOrder, ConflictRule, Heuristics};

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
