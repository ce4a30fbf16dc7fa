//! Reads arbitrary text as SQL in all dialects, without executing it.
//!
//! The first byte selects the dialect. Any text has pieces, which joined are the text again, and nothing
//! may panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_sqltext::{
    Dialect, control, cursor, effects, locks_rows, pieces, plain, split, subject,
};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let dialect = Dialect::ALL[usize::from(*first) % Dialect::ALL.len()];
    let text = String::from_utf8_lossy(rest);
    let joined: String = pieces(&text, dialect).map(|piece| piece.text).collect();
    assert_eq!(joined, text);
    if let Ok(plain) = plain(&text, dialect) {
        assert_eq!(plain.len(), text.len());
    }
    for part in split(&text, dialect) {
        let _ = control(&part.tokens, dialect);
        let _ = subject(&part.tokens, dialect);
        let _ = effects(&part.tokens, dialect);
        let _ = cursor(&part.tokens);
        let _ = locks_rows(&part.tokens);
    }
});
