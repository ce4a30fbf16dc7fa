//! The proxy, with servers that only play their part and with real ones.
//!
//! One program for all of it: linking is what takes long. Tests that need a server look for its address in
//! `TRISTAN_POSTGRES` or `TRISTAN_MARIADB` (`scripts/servers run cargo test`).

mod audit;
mod common;
mod django;
mod features;
mod kills;
mod mysql;
mod nonsense;
mod pgbench;
mod pieces;
mod pipelines;
mod postgres;
mod python;
mod snapshot;
#[path = "../torn/mod.rs"]
mod torn;
mod unknown_values;
