//! A line of the list.

use tristan_report::{Fingerprint, fingerprint, sentence};
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
    Verdict(Summary),
    Trace,
    /// It looks like a verdict and cannot be read, for this reason.
    Broken(String),
}

/// A verdict in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// `accept`, `reject` or `unknown`.
    pub(crate) word: &'static str,
    pub(crate) level: String,
    /// The trace that was judged.
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
}

impl Entry {
    /// The word that the filter for verdicts knows it by.
    pub(crate) fn word(&self) -> &'static str {
        match &self.kind {
            Kind::Verdict(summary) => summary.word,
            Kind::Trace => "trace",
            Kind::Broken(_) => "broken",
        }
    }

    /// Its verdict in short, if it is one.
    pub(crate) fn summary(&self) -> Option<&Summary> {
        match &self.kind {
            Kind::Verdict(summary) => Some(summary),
            Kind::Trace | Kind::Broken(_) => None,
        }
    }
}
