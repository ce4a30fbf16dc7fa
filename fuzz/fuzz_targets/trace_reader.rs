//! Feeds arbitrary bytes to every trace reader.
//!
//! Readers may refuse anything, with a line number or an offset, but never panic. What they accept
//! can be printed in every form and read again. The tests judge damaged traces in the same way, with
//! the same code.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_formats::Format;

#[path = "../../crates/formats/tests/torn/mod.rs"]
mod torn;

fuzz_target!(|bytes: &[u8]| {
    let file = vec![("fuzz".to_owned(), bytes.to_vec())];
    for format in Format::ALL.map(Some).into_iter().chain([None]) {
        let _ = torn::survive(&file, format);
    }
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let folder = vec![("1.log".to_owned(), first.to_vec()), ("2.log".to_owned(), second.to_vec())];
    for format in [None, Some(Format::Cobra), Some(Format::Viper)] {
        let _ = torn::survive(&folder, format);
    }
});
