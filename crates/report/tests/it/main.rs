//! All integration tests of the crate in one program, because linking takes longer than they do.

#![allow(clippy::panic, clippy::print_stderr)]

mod browser;
mod common;
mod labels;
mod levels;
mod outputs;
mod pictures;
mod snapshots;
mod text;
mod versions;
