//! Reads arbitrary text as the text form of an IR.
//!
//! Any text may be refused, but nothing may panic. The text of an IR reads as the same text again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_check::internals::{parse, print, verify};

fuzz_target!(|text: &str| {
    let Ok(ir) = parse(text) else { return };
    let _ = verify(&ir);
    let printed = print(&ir);
    let again = parse(&printed).map(|ir| print(&ir));
    assert_eq!(again.as_ref(), Ok(&printed));
});
