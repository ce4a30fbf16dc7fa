//! All integration tests of the crate in one program, because linking takes longer than they do.

#![allow(clippy::panic, clippy::print_stderr)]

mod browser;
#[path = "../../../report/tests/it/browser/chromium.rs"]
mod chromium;
mod common;
mod http;
