//! Runs arbitrary text as SQL in all three dialects.
//!
//! The first byte selects the dialect; the rest are statements, one per line, that run one after the
//! other on one database. Any statement may be refused, but nothing may panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_sql::{Dialect, Memory};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let dialects = [Dialect::PostgreSql, Dialect::MySql, Dialect::MariaDb];
    let mut database = Memory::new(dialects[usize::from(*first) % dialects.len()]);
    for statement in String::from_utf8_lossy(rest).lines() {
        let _ = database.run(statement);
    }
});
