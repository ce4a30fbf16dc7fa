//! The recorder on embedded databases and on servers.
//!
//! One program for all of it: linking is what takes long. Tests that need a server look for its address in
//! `TRISTAN_POSTGRES`, `TRISTAN_MARIADB` or `TRISTAN_ETCD` (`scripts/servers run cargo test`).

mod applications;
mod clients;
mod common;
mod etcd;
mod fjall;
mod litmus_order;
mod litmus_parse;
mod litmus_removal;
mod litmus_servers;
mod litmus_sqlite;
mod mariadb;
mod memory;
mod postgres;
mod sqlite;
mod surrealkv;
mod witness;
