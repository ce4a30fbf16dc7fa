//! Isolation as an assertion in tests.
//!
//! ```text
//!   test ──► trace (a file, or a History made in the test) ──► assert_isolation! ──► fine
//!                                                                    │
//!                                                                    └─► a panic that says why, and
//!                                                                        a page to look at
//! ```
//!
//! ```
//! use tristan_assert::assert_isolation;
//! use tristan_history::{HistoryBuilder, Outcome};
//!
//! let mut builder = HistoryBuilder::default();
//! builder.begin("alice").put("x", 1).end(Outcome::Committed);
//! builder.begin("bob").get("x", Some(1)).end(Outcome::Committed);
//! let history = builder.finish();
//! assert_isolation!(&history, "strict-serializable");
//! ```
//!
//! A trace that cannot be read, an unknown level and an answer that is not known in time
//! are failures too, unless the [`Policy`] says that an unknown answer passes.

mod page;
mod trace;

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;
use tristan_check::budget::Limits;
use tristan_check::{Options, Silent, check};
use tristan_formats::TraceError;
use tristan_report::{ReportContext, Style};
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Verdict};

pub use trace::Trace;

/// What an answer that is not known counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// The test fails, so that a check without a result does not pass unnoticed.
    #[default]
    Fails,
    /// Fine.
    Passes,
}

/// How strict an assertion is, and what it leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// What an unknown answer counts as.
    pub unknown: Unknown,
    /// How long a check may take.
    pub time: Option<Duration>,
    /// How far apart the clocks of two clients may be.
    pub clock_drift: Duration,
    /// The folder in which a failure leaves a page. Where the macro is used in `tests/`, that is
    /// cargo's folder for files of tests if nothing else is said.
    pub reports: Option<PathBuf>,
}

impl Policy {
    /// The same, with pages in this folder unless there is one already. Used by the macro.
    #[must_use]
    pub fn or_reports_in(mut self, folder: Option<&str>) -> Self {
        self.reports = self.reports.or_else(|| folder.map(PathBuf::from));
        self
    }
}

/// Why an assertion does not hold.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AssertionError {
    /// The level is violated.
    #[error("the database violated its isolation level\n{text}{page}")]
    Violated {
        /// The verdict in words.
        text: String,
        /// A line that names the page, if one was written.
        page: String,
        /// The verdict, with the refutation.
        verdict: Box<Verdict>,
    },
    /// The verdict is unknown.
    #[error("it is unknown whether the database kept its isolation level\n{text}")]
    Unknown {
        /// The verdict in words.
        text: String,
        /// The verdict, with the reason why the level was not decided.
        verdict: Box<Verdict>,
    },
    /// The trace cannot be read.
    #[error("{0}")]
    Trace(#[from] TraceError),
    /// There is no such level.
    #[error("{0}")]
    Level(String),
}

/// Asserts that a trace can come from a correct database with this isolation level; otherwise panics
/// and says why.
///
/// The trace is a path or a history, the level one of `tristan levels --list`. A [`Policy`] may follow.
///
/// ```no_run
/// use std::time::Duration;
/// use tristan_assert::{Policy, Unknown, assert_isolation};
///
/// assert_isolation!("run.jsonl", "snapshot-isolation");
/// let policy = Policy { time: Some(Duration::from_secs(60)), ..Policy::default() };
/// assert_isolation!("run.jsonl", "serializable", policy);
/// ```
#[macro_export]
macro_rules! assert_isolation {
    ($trace:expr, $level:expr $(,)?) => {
        $crate::assert_isolation!($trace, $level, $crate::Policy::default())
    };
    ($trace:expr, $level:expr, $policy:expr $(,)?) => {{
        let policy = $crate::Policy::or_reports_in($policy, option_env!("CARGO_TARGET_TMPDIR"));
        if let ::std::result::Result::Err(error) = $crate::verify($trace, $level, &policy) {
            ::std::panic!("{error}");
        }
    }};
}

/// The same without a panic: the verdict, or why the promise was not kept.
///
/// # Errors
/// If the level is violated, if that is unknown and the policy does not let it pass, or if there is
/// nothing to check.
pub fn verify<'t>(
    trace: impl Into<Trace<'t>>,
    level: &str,
    policy: &Policy,
) -> Result<Verdict, AssertionError> {
    let trace = trace.into();
    let history = trace.history()?;
    let level =
        Catalog::default().find(level).map_err(|error| AssertionError::Level(error.to_string()))?;
    let options = Options {
        drift: i64::try_from(policy.clock_drift.as_nanos()).unwrap_or(i64::MAX),
        limits: Limits { time: policy.time, memory: None },
        within: Default::default(),
        trace_name: trace.name(),
        withhold_vacuous: true,
        ..Options::default()
    };
    let verdict = check(&history, &level, &options, &Silent).verdict;
    let text = tristan_report::text(&verdict, &ReportContext::default(), Style::default());
    match (&verdict.answer, policy.unknown) {
        (Answer::Accept { .. }, _) | (Answer::Unknown { .. }, Unknown::Passes) => Ok(verdict),
        (Answer::Unknown { .. }, Unknown::Fails) => {
            Err(AssertionError::Unknown { text, verdict: Box::new(verdict) })
        }
        (Answer::Reject { .. }, _) => {
            let mut verdict = verdict;
            let page = policy.reports.as_ref().map_or_else(String::new, |folder| {
                page::write(folder, &history, &level, &options, &mut verdict)
            });
            Err(AssertionError::Violated { text, page, verdict: Box::new(verdict) })
        }
    }
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
