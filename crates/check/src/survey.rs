//! How the well-known levels stand, for a report about one of them.

use tristan_ground::Silent;
use tristan_history::History;
use tristan_spec::{Catalog, Level};
use tristan_verdict::Verdict;

use crate::explain::level_marks::{WELL_KNOWN, mark};
use crate::options::Options;
use crate::pipeline::check_levels;

/// Judges the well-known levels and puts what comes out into the context of a verdict on the same
/// trace. The verdict itself stays as it is.
pub fn survey(history: &History, options: &Options, verdict: &mut Verdict) {
    let catalog = Catalog::default();
    let levels: Vec<Level> = WELL_KNOWN.iter().filter_map(|name| catalog.find(name).ok()).collect();
    let reports = check_levels(history, &levels, options, &Silent);
    let mut others: Vec<Verdict> = reports.into_iter().map(|report| report.verdict).collect();
    mark(history, others.iter_mut().chain(std::iter::once(verdict)));
}

#[cfg(test)]
mod tests {
    use tristan_history::{HistoryBuilder, Outcome};
    use tristan_verdict::Standing;

    use super::*;
    use crate::pipeline::check;

    #[test]
    fn a_survey_leaves_no_level_open() {
        let mut builder = HistoryBuilder::default();
        builder.begin("a").get("x", None).put("y", 1).end(Outcome::Committed);
        builder.begin("b").get("y", None).put("x", 1).end(Outcome::Committed);
        let history = builder.finish();
        let level = Catalog::default().find("serializable").expect("a level");
        let options = Options::default();
        let mut verdict = check(&history, &level, &options, &Silent).verdict;
        let standing = |verdict: &Verdict, name: &str| {
            let mark = verdict.context.levels.iter().find(|mark| mark.level == name);
            mark.map(|mark| mark.standing)
        };
        assert_eq!(standing(&verdict, "snapshot-isolation"), Some(Standing::Open));
        survey(&history, &options, &mut verdict);
        assert_eq!(standing(&verdict, "snapshot-isolation"), Some(Standing::Holds));
        assert_eq!(standing(&verdict, "strong-serializable"), Some(Standing::Violated));
        assert!(verdict.context.levels.iter().all(|mark| mark.standing != Standing::Open));
    }
}
