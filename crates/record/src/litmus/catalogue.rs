//! The cases that come with Tristan, weakest anomaly first.

use super::case::Case;
use super::error::CaseError;
use super::parse::parse;

macro_rules! case {
    ($name:literal) => {
        ($name, include_str!(concat!("../../litmus/", $name)))
    };
}

const FILES: [(&str, &str); 23] = [
    case!("g0.litmus"),
    case!("g1a.litmus"),
    case!("g1b.litmus"),
    case!("g1c.litmus"),
    case!("otv.litmus"),
    case!("pmp.litmus"),
    case!("pmp-write.litmus"),
    case!("p4.litmus"),
    case!("g-single.litmus"),
    case!("g-single-predicate.litmus"),
    case!("g-single-write-1.litmus"),
    case!("g-single-write-2.litmus"),
    case!("long-fork.litmus"),
    case!("read-only.litmus"),
    case!("g2-item.litmus"),
    case!("g2.litmus"),
    case!("own-update-newer.litmus"),
    case!("own-update-phantom.litmus"),
    case!("delete-unseen.litmus"),
    case!("locking-read.litmus"),
    case!("mdev-26642.litmus"),
    case!("mdev-32898.litmus"),
    case!("pk-twice.litmus"),
];

/// All built-in cases.
///
/// # Errors
/// If one of them is wrong, which the tests rule out.
pub fn catalogue() -> Result<Vec<Case>, CaseError> {
    FILES.iter().map(|(file, text)| parse(file, text)).collect()
}
