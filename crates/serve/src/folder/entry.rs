//! A line of the list.

use tristan_report::{Fingerprint, audit, fingerprint, sentence};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};
use tristan_verdict::{Answer, Verdict};

/// Something that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The file below the folder, with slashes.
    pub(crate) name: String,
    /// Which verdict of the file it is, from 0.
    pub(crate) number: usize,
    /// In seconds since 1970.
    pub(crate) modified: u64,
    pub(crate) size: u64,
    pub(crate) kind: Kind,
}

/// What a line of the list is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A verdict on a trace.
    Verdict(Summary),
    /// A verdict on a SQL log.
    Audit(Summary),
    Trace,
    SqlLog,
    /// It looks like a verdict and cannot be read, for this reason.
    Broken(String),
}

/// A verdict in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// `accept`, `reject` or `unknown`.
    pub(crate) word: &'static str,
    pub(crate) level: String,
    /// The trace or the log that was judged.
    pub(crate) trace: String,
    pub(crate) transactions: usize,
    /// The anomaly's class, and its everyday name.
    pub(crate) anomaly: Option<(String, Option<String>)>,
    pub(crate) sentence: String,
    pub(crate) print: Option<Fingerprint>,
}

impl Summary {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        let (word, anomaly) = match &verdict.answer {
            Answer::Accept { .. } => ("accept", None),
            Answer::Unknown { .. } => ("unknown", None),
            Answer::Reject { anomaly, .. } => {
                ("reject", Some((anomaly.class.clone(), anomaly.title.clone())))
            }
        };
        Self {
            word,
            level: verdict.level.clone(),
            trace: verdict.trace.name.clone(),
            transactions: verdict.trace.transactions,
            anomaly,
            sentence: sentence(verdict),
            print: fingerprint(verdict),
        }
    }

    /// The same for a verdict on a SQL log.
    pub(crate) fn of_audit(verdict: &AuditVerdict) -> Self {
        let (word, anomaly) = match &verdict.answer {
            AuditAnswer::Accept { .. } => ("accept", None),
            AuditAnswer::Unknown { .. } => ("unknown", None),
            AuditAnswer::Reject { rejection } => {
                let what =
                    if rejection.statement.is_some() { "wrong answer" } else { "wrong commit" };
                let place = format!("transaction {}", rejection.transaction);
                ("reject", Some((what.to_owned(), Some(place))))
            }
        };
        Self {
            word,
            level: verdict.title.clone(),
            trace: verdict.log.name.clone(),
            transactions: usize::try_from(verdict.log.transactions).unwrap_or(usize::MAX),
            anomaly,
            sentence: audit::sentence(verdict),
            print: None,
        }
    }
}

impl Entry {
    /// The word that the filter for verdicts knows it by.
    pub(crate) fn word(&self) -> &'static str {
        match &self.kind {
            Kind::Verdict(summary) | Kind::Audit(summary) => summary.word,
            Kind::Trace => "trace",
            Kind::SqlLog => "SQL log",
            Kind::Broken(_) => "broken",
        }
    }

    /// Its verdict in short, if it is one.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        match &self.kind {
            Kind::Verdict(summary) | Kind::Audit(summary) => Some(summary),
            Kind::Trace | Kind::SqlLog | Kind::Broken(_) => None,
        }
    }
}
