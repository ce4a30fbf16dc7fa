//! Reads arbitrary text as a litmus case and as an abstract history.
//!
//! Any text may be refused, but nothing may panic. The text of a history reads as the same text again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_synth::AbstractHistory;

fuzz_target!(|text: &str| {
    let _ = tristan_record::litmus::parse("case", text);
    if let Ok(history) = text.parse::<AbstractHistory>() {
        let printed = history.to_string();
        let again = printed.parse::<AbstractHistory>().map(|history| history.to_string());
        assert_eq!(again, Ok(printed));
    }
});
