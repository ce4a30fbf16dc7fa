//! Judging a history: at one level, or at all of them.

use std::time::Duration;

use tristan_check::{Options, Silent};
use tristan_ground::Limits;
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_verdict::Verdict;

use crate::Error;

/// How histories are judged. The default has no limits and uses every CPU.
///
/// ```
/// use std::time::Duration;
/// use tristan::{Checker, HistoryBuilder, Outcome};
///
/// let mut builder = HistoryBuilder::default();
/// builder.begin("a").put("x", 1).end(Outcome::Committed);
/// builder.begin("b").get("x", 1).end(Outcome::Committed);
/// let checker = Checker::default().time(Duration::from_secs(60)).threads(1);
/// let verdict = checker.check(&builder.finish(), "strict-serializable")?;
/// assert!(verdict.answer.is_accept());
/// # Ok::<(), tristan::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    pub(crate) options: Options,
}

impl Default for Checker {
    fn default() -> Self {
        Self { options: Options { withhold_vacuous: true, ..Options::default() } }
    }
}

impl Checker {
    /// Ends every check after this time; what is not decided by then is *unknown*.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.options.limits = Limits { time: Some(limit), ..self.options.limits };
        self
    }

    /// Ends a check when the process uses this many bytes of memory; what is not decided by then is *unknown*.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.options.limits = Limits { memory: Some(bytes), ..self.options.limits };
        self
    }

    /// How far apart the clocks of two clients may be.
    #[must_use]
    pub fn clock_drift(mut self, drift: Duration) -> Self {
        self.options.drift = i64::try_from(drift.as_nanos()).unwrap_or(i64::MAX);
        self
    }

    /// The largest number of threads; 0 stands for one per CPU. It changes no verdict.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.options.threads = count;
        self
    }

    /// Judges a history at a level, by any of its names.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn check(&self, history: &History, level: &str) -> Result<Verdict, Error> {
        let level = Catalog::default().find(level)?;
        Ok(tristan_check::check(history, &level, &self.options, &Silent).verdict)
    }

    /// Judges a history at every level of the library.
    pub fn levels(&self, history: &History) -> Vec<Verdict> {
        let levels = Catalog::default().levels();
        let reports = tristan_check::check_levels(history, &levels, &self.options, &Silent);
        reports.into_iter().map(|report| report.verdict).collect()
    }
}

/// Judges a history at a level without limits; [`Checker`] has options.
///
/// # Errors
/// If there is no such level.
pub fn check(history: &History, level: &str) -> Result<Verdict, Error> {
    Checker::default().check(history, level)
}

/// Judges a history at every level of the library. An answer settles all levels that it implies, so this
/// costs only a few times as much as the most expensive level alone.
///
/// ```
/// # let mut builder = tristan::HistoryBuilder::default();
/// # builder.begin("a").get("x", None).put("y", 1).end(tristan::Outcome::Committed);
/// # builder.begin("b").get("y", None).put("x", 1).end(tristan::Outcome::Committed);
/// # let history = builder.finish();
/// let kept = tristan::levels(&history).into_iter().filter(|verdict| verdict.answer.is_accept());
/// let names: Vec<String> = kept.map(|verdict| verdict.level).collect();
/// assert!(names.contains(&"snapshot-isolation".to_owned()));
/// assert!(!names.contains(&"serializable".to_owned()));
/// ```
pub fn levels(history: &History) -> Vec<Verdict> {
    Checker::default().levels(history)
}
