//! What every form of a verdict about a SQL log says in the same words.

use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

use crate::layout::{count, fold};

/// The answer in one word.
pub(crate) fn word(answer: &AuditAnswer) -> &'static str {
    match answer {
        AuditAnswer::Accept { .. } => "ACCEPT",
        AuditAnswer::Reject { .. } => "REJECT",
        AuditAnswer::Unknown { .. } => "UNKNOWN",
    }
}

/// The answer in one sentence.
pub fn sentence(verdict: &AuditVerdict) -> String {
    match &verdict.answer {
        AuditAnswer::Accept { .. } => "A correct execution explains every answer.".to_owned(),
        AuditAnswer::Reject { rejection } => fold(&rejection.sentence, 600),
        AuditAnswer::Unknown { reason, .. } => {
            format!("Not decided: {}.", fold(reason, 400))
        }
    }
}

/// A number of things.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}
