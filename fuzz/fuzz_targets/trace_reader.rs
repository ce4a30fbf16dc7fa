//! Feeds arbitrary bytes to every trace reader.
//!
//! Readers may refuse anything, with a line number, but never panic. What they accept can be
//! printed in every form and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_history::History;
use tristan_history::formats::{Format, WriteForm, read, write};

fuzz_target!(|bytes: &[u8]| {
    for format in [None, Some(Format::Native), Some(Format::Simple)] {
        match read(bytes, "fuzz", format) {
            Ok(history) => print_and_read_again(&history),
            Err(error) => assert!(error.line().is_some(), "{error}"),
        }
    }
});

fn print_and_read_again(history: &History) {
    for form in [WriteForm::Events, WriteForm::Compact, WriteForm::Simple] {
        let mut out = Vec::new();
        write(history, form, &mut out).expect("memory takes every byte");
        if out.is_empty() {
            continue; // a simple trace without transactions has nothing to print
        }
        let again = read(&out[..], "again", None).expect("what was printed can be read");
        assert_eq!(history.txns.len(), again.txns.len());
    }
}
