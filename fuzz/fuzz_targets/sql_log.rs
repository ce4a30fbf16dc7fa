//! Audits arbitrary bytes as a SQL log.
//!
//! Any log may be refused, with a line, but nothing may panic, and whatever is accepted has a witness.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = tristan::audit_text("log", text, "serializable");
});
