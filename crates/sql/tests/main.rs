//! SQL, with and without servers to compare with.
//!
//! One program for all of it: linking is what takes long.

mod definitions;
mod differential;
mod error_order;
mod errors;
mod functions;
mod mariadb;
mod pitfalls;
mod routines;
mod shown;
mod soup;
mod sqlancer;
mod texts;
mod triggers;
mod types;
