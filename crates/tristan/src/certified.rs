//! Re-checking a verdict against its trace.

use tristan_certify::Certificate;
use tristan_history::History;
use tristan_spec::Catalog;
use tristan_verdict::Verdict;

use crate::{Checker, Error};

/// Re-checks a verdict that [`crate::check`] or [`crate::levels`] gave, from the definitions alone.
///
/// ```
/// # let mut builder = tristan::HistoryBuilder::default();
/// # builder.begin("a").put("x", 1).end(tristan::Outcome::Committed);
/// # builder.begin("b").get("x", None).end(tristan::Outcome::Committed);
/// # let history = builder.finish();
/// let verdict = tristan::check(&history, "serializable")?;
/// let certificate = tristan::certify(&history, &verdict)?;
/// assert_eq!(certificate.certified, tristan::Certified::Accept);
/// # Ok::<(), tristan::Error>(())
/// ```
///
/// # Errors
/// If the verdict is about a level that does not exist, or if its evidence does not show what it
/// claims.
pub fn certify(history: &History, verdict: &Verdict) -> Result<Certificate, Error> {
    Checker::default().certify(history, verdict)
}

impl Checker {
    /// Re-checks a verdict that this checker gave.
    ///
    /// # Errors
    /// If the verdict is about a level that does not exist, or if its evidence does not show what it
    /// claims.
    pub fn certify(&self, history: &History, verdict: &Verdict) -> Result<Certificate, Error> {
        let level = Catalog::default().find(&verdict.level)?;
        let read_as = self.options.interpretation.apply(history);
        let drift = self.options.drift;
        Ok(tristan_certify::examine((history, &read_as), &level, drift, verdict)?)
    }
}
