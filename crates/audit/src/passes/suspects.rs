//! Mistakes beyond the place where the greedy pass gets stuck.
//!
//! ```text
//!   T1 … T77 ✗     T78 … T211 ✗     …        T77: another order explains it    T211: a slice shows that nothing does
//!     greedy         greedy
//! ```
//!
//! Where the greedy pass gets stuck, the fault may be that of the order it took, and to mend that order can take long. A
//! mistake of the database somewhere else need not wait for it. So the greedy pass is repeated, passes over answers that
//! it cannot explain, and goes on as if they were right. Whatever it does not explain is only a suspect: it may be
//! unexplained because of what was passed over. Slices, in which every answer counts, tell whether nothing explains it.

use super::pass::Pass;
use super::run::Run;
use super::stuck::{Stuck, refute_rows};
use crate::error::Error;
use crate::explain::Effort;
use crate::search::Extent;

/// How many suspects there may be.
const MOST: usize = 12;

/// A pass over a part of the log that nothing explains, if one of the suspects has one that shows this soon.
pub(super) fn refute_a_suspect(run: &Run<'_>) -> Result<Option<(Pass, Effort)>, Error> {
    let extent = Extent { pardons: MOST, ..Extent::default() };
    let pass = run.pass(Effort::GREEDY, extent)?;
    for unexplained in &pass.search.passed_over {
        if let Some(found) = refute_rows(run, &Stuck::of(&pass, unexplained))? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use tristan_ground::{Budget, Silent};

    use super::*;
    use crate::level::AuditLevel;
    use crate::load::Source;
    use crate::log::TextSource;
    use crate::options::AuditOptions;
    use crate::watched_budget::WatchedBudget;

    /// Two wrong answers, with a right one between them.
    const LOG: &str = r#"{"tristan": "sql-log/1", "dialect": "postgresql"}
{"schema": "CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 10), (2, 20)"}
{"txn": 1, "c": 1, "at": [0, 9], "do": [{"sql": "SELECT v FROM t WHERE k = 1", "rows": [[20]]}]}
{"txn": 2, "c": 1, "at": [10, 19], "do": [{"sql": "UPDATE t SET v = v + 5 WHERE k = 1", "affected": 1}]}
{"txn": 3, "c": 1, "at": [20, 29], "do": [{"sql": "SELECT v FROM t ORDER BY k", "rows": [[10], [20]]}]}
"#;

    #[test]
    fn goes_on_after_what_nothing_explains() {
        let source = TextSource::new("log", LOG.as_bytes().to_vec());
        let options = AuditOptions::new(AuditLevel::Serializable);
        let limits = Budget::default();
        let budget = WatchedBudget::new(None, &Silent, &limits);
        let run = Run { source: Source::Log(&source), options: &options, budget: &budget };
        let extent = Extent { pardons: 5, ..Extent::default() };
        let pass = run.pass(Effort::GREEDY, extent).expect("a pass");
        let numbers: Vec<u64> =
            pass.search.passed_over.iter().map(|one| one.task.txn.number).collect();
        assert_eq!(numbers, [1, 3]);
        let (found, _) = refute_a_suspect(&run).expect("a pass").expect("a mistake");
        assert!(matches!(found.end, super::super::pass::End::Unexplained(_)));
    }
}
