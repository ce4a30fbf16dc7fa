//! All tests of this crate as one program: linking one takes a fraction of the time of linking many.
//! `cargo test -p PACKAGE --test it NAME::` runs those of one file.

mod anomalies;
#[path = "common/bank.rs"]
mod bank;
mod collations;
mod common;
mod definitions;
mod errors;
mod faults;
mod follow;
mod impossible;
mod limits;
mod oracle;
mod orders;
mod questions;
mod random_rc;
mod rows;
mod server_values;
mod sqlancer;
mod stamps;
mod texts;
mod turns;
mod unseen_values;
mod versions;
mod waits;
mod worked_example;
