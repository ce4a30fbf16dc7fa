//! Certifies arbitrary verdicts on one small trace.
//!
//! The trace is a write skew: no verdict that accepts it at `serializable` may be certified, and nothing
//! may panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tristan::{Certified, HistoryBuilder, Outcome, Verdict};

fuzz_target!(|text: &str| {
    let Ok(verdict) = Verdict::from_json(text) else { return };
    let mut builder = HistoryBuilder::default();
    builder.begin("a").get("x", None).put("y", 1).end(Outcome::Committed);
    builder.begin("b").get("y", None).put("x", 1).end(Outcome::Committed);
    let certificate = tristan::certify(&builder.finish(), &verdict);
    if let (Ok(certificate), "serializable") = (certificate, verdict.level.as_str()) {
        assert_ne!(certificate.certified, Certified::Accept);
    }
});
