//! Records arbitrary bytes as a conversation between a client and a MySQL server.
//!
//! Bytes may make no sense, but nothing may panic, and log and trace are the same in whatever pieces the
//! bytes come. The tests judge damaged conversations in the same way, with the same code.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tristan_proxy::Protocol;
use tristan_proxy::fuzzing::{Side, strip_greeting};

#[path = "../../crates/proxy/tests/torn/mod.rs"]
mod torn;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("tristan-wire-mysql-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
});

fuzz_target!(|bytes: &[u8]| {
    let (size, steps) = torn::conversation(Protocol::MySql, bytes);
    if let Some((Side::Server, greeting)) = steps.first() {
        let _ = strip_greeting(&mut greeting.clone());
    }
    torn::survive(Protocol::MySql, size, &steps, &FOLDER);
});
