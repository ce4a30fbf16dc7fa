//! Reads arbitrary text as a litmus case and as an abstract history.
//!
//! Any text may be refused, but nothing may panic. A history that is read prints as it was read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_synth::AbstractHistory;

fuzz_target!(|text: &str| {
    let _ = tristan_record::litmus::parse("case", text);
    if let Ok(history) = text.parse::<AbstractHistory>() {
        let again = history.to_string().parse::<AbstractHistory>();
        assert_eq!(again.as_ref(), Ok(&history));
    }
});
