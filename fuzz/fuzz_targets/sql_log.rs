//! Audits arbitrary bytes as a SQL log, for at most a second each.
//!
//! Any log may be refused, with a line, but nothing may panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan_audit::log::TextSource;
use tristan_audit::{AuditLevel, AuditOptions, audit};

fuzz_target!(|bytes: &[u8]| {
    let options = AuditOptions { time: Some(1000), ..AuditOptions::new(AuditLevel::Serializable) };
    let _ = audit(&TextSource::new("log", bytes), &options);
});
