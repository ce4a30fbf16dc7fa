//! Feeds arbitrary bytes to the reader, the linter and the formatter of level files.
//!
//! Any bytes may be refused, with a place, but nothing may panic. What can be laid out says the
//! same afterwards. The tests judge damaged files in the same way, with the same code.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/spec/tests/torn/mod.rs"]
mod torn;

fuzz_target!(|bytes: &[u8]| {
    torn::survive(bytes);
});
