//! Did the database keep its isolation promise?
//!
//! ```text
//!   trace ──read──► History ──check, levels──► Verdict ──certify──► Certificate
//!                      ▲                          │
//!               HistoryBuilder                    └──explain, html──► words, a page
//!
//!   SQL log ──audit──► AuditVerdict            two levels ──compare──► Comparison
//! ```
//!
//! A history says what clients did and what they saw. It is read from a file in any of the formats
//! that the command-line tool reads, or built call by call:
//!
//! ```
//! use tristan::{HistoryBuilder, Outcome};
//!
//! let mut builder = HistoryBuilder::default();
//! builder.begin("alice").get("x", None).put("y", "paid").end(Outcome::Committed);
//! builder.begin("bob").get("y", None).put("x", "shipped").end(Outcome::Committed);
//! let history = builder.finish();
//!
//! let verdict = tristan::check(&history, "serializable")?;
//! assert!(verdict.answer.is_reject());
//! assert!(tristan::explain(&verdict).contains("write skew"));
//! # Ok::<(), tristan::Error>(())
//! ```
//!
//! A verdict is *accept* with a witness, *reject* with a refutation, or *unknown* with a reason;
//! [`certify`] re-checks the first two with code that shares nothing with the search. A violated
//! level is a verdict, never an [`Error`].

mod audited;
mod certified;
mod checker;
mod compared;
mod error;

use std::path::Path;

pub use audited::{audit, audit_text};
pub use certified::certify;
pub use checker::{Checker, check, levels};
pub use compared::{Comparison, Implication, compare};
pub use error::Error;
pub use tristan_certify::{Certificate, Certified, CertifyError};
pub use tristan_formats::TraceError;
pub use tristan_history::builder::TxnBuilder;
pub use tristan_history::{Datum, History, HistoryBuilder, Outcome, Seen};
pub use tristan_spec::UnknownLevelError;
pub use tristan_verdict::audit::{AuditAnswer, AuditVerdict};
pub use tristan_verdict::{Answer, Verdict};

use tristan_report::{ReportContext, Style};

/// Reads a trace: a file in any of the supported formats, or a folder that is a trace. The format is
/// recognised by the content.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("tristan-read-{}.jsonl", std::process::id()));
/// # std::fs::write(&path, r#"{"s":1,"st":"c","ops":[["w","x",1]]}"#).unwrap();
/// let history = tristan::read(&path)?;
/// assert_eq!(history.txns.len(), 1);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), tristan::Error>(())
/// ```
///
/// # Errors
/// If the trace cannot be read; the message names the file and the line.
pub fn read(path: impl AsRef<Path>) -> Result<History, Error> {
    Ok(tristan_formats::open(path.as_ref(), None)?)
}

/// The verdict in words, as the command-line tool prints it.
pub fn explain(verdict: &Verdict) -> String {
    tristan_report::text(verdict, &ReportContext::default(), Style::default())
}

/// Verdicts on one trace as a self-contained HTML page.
///
/// ```
/// # let mut builder = tristan::HistoryBuilder::default();
/// # builder.begin("a").put("x", 1).end(tristan::Outcome::Committed);
/// # let history = builder.finish();
/// let verdict = tristan::check(&history, "read-committed")?;
/// assert!(tristan::html(&[verdict]).starts_with("<!doctype html>"));
/// # Ok::<(), tristan::Error>(())
/// ```
pub fn html(verdicts: &[Verdict]) -> String {
    tristan_report::html(verdicts)
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
