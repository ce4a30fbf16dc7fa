//! What an answer at one level says about others: what is weaker than a level that holds, holds,
//! and what is stronger than a level that is violated, is violated. A level that holds only because
//! the trace lacks what it is about is not said to hold.

use tristan_history::History;
use tristan_spec::lattice::Lattice;
use tristan_verdict::{Answer, LevelMark, Standing, Verdict};

/// The levels that people know, weakest first.
pub(crate) const WELL_KNOWN: [&str; 10] = [
    "read-uncommitted",
    "read-committed",
    "read-atomic",
    "causal",
    "repeatable-read",
    "parallel-si",
    "snapshot-isolation",
    "serializable",
    "strong-session-serializable",
    "strong-serializable",
];

/// Marks the well-known levels in every verdict on one trace, from all of the verdicts together.
pub(crate) fn mark<'v>(history: &History, verdicts: impl Iterator<Item = &'v mut Verdict>) {
    let senses = Senses::of(history);
    let mut verdicts: Vec<&mut Verdict> = verdicts.collect();
    let known: Vec<(String, Standing)> =
        verdicts.iter().map(|verdict| (verdict.level.clone(), standing(&verdict.answer))).collect();
    let common: Vec<LevelMark> = WELL_KNOWN
        .iter()
        .map(|&level| LevelMark { level: level.to_owned(), standing: seen(level, &known) })
        .collect();
    for verdict in &mut verdicts {
        let mut marks = with_asked(&common, &verdict.level, standing(&verdict.answer));
        for mark in marks.iter_mut().filter(|mark| mark.standing == Standing::Holds) {
            if !senses.test(&mark.level) {
                mark.standing = Standing::Untested;
            }
        }
        verdict.context.levels = marks;
    }
}

/// What a trace tells apart.
#[derive(Clone, Copy, Debug)]
struct Senses {
    /// Some transactions have times.
    times: bool,
    /// Some session has two transactions.
    sessions: bool,
}

impl Senses {
    fn of(history: &History) -> Self {
        Self {
            times: history.txns.iter().any(|txn| txn.times.is_some()),
            sessions: history.sessions.iter().any(|session| session.txns.len() > 1),
        }
    }

    /// Whether the trace can tell a level from the same level without its order of sessions or of
    /// real time.
    fn test(self, level: &str) -> bool {
        match level.strip_prefix("strong-") {
            Some(rest) if rest.starts_with("session-") => self.sessions,
            Some(_) => self.times,
            None => true,
        }
    }
}

fn standing(answer: &Answer) -> Standing {
    match answer {
        Answer::Accept { .. } => Standing::Holds,
        Answer::Reject { .. } => Standing::Violated,
        Answer::Unknown { .. } => Standing::Open,
    }
}

/// How a level stands, given how others do.
fn seen(level: &str, known: &[(String, Standing)]) -> Standing {
    let lattice = Lattice::library();
    let follows = |(other, standing): &&(String, Standing)| match standing {
        Standing::Holds => lattice.implies(other, level),
        Standing::Violated => lattice.implies(level, other),
        Standing::Untested | Standing::Open => false,
    };
    known.iter().find(follows).map_or(Standing::Open, |(_, standing)| *standing)
}

/// The marks, with the level that was asked for put before the first well-known one above it.
fn with_asked(common: &[LevelMark], asked: &str, standing: Standing) -> Vec<LevelMark> {
    let mut marks = common.to_vec();
    if !marks.iter().any(|mark| mark.level == asked) {
        let above = |mark: &LevelMark| Lattice::library().implies(&mark.level, asked);
        let place = marks.iter().position(above).unwrap_or(marks.len());
        marks.insert(place, LevelMark { level: asked.to_owned(), standing });
    }
    marks
}

#[cfg(test)]
mod tests {
    use tristan_spec::Catalog;

    use super::*;

    #[test]
    fn the_well_known_levels_exist() {
        let catalog = Catalog::default();
        for name in WELL_KNOWN {
            assert_eq!(catalog.find(name).map(|level| level.name), Ok(name.to_owned()));
        }
    }

    #[test]
    fn what_the_trace_cannot_show_is_not_tested() {
        let blind = Senses { times: false, sessions: false };
        assert!(blind.test("serializable") && !blind.test("strong-session-serializable"));
        assert!(!Senses { sessions: true, ..blind }.test("strong-serializable"));
        assert!(Senses { times: true, ..blind }.test("strong-serializable"));
    }

    #[test]
    fn one_answer_settles_others() {
        let known = [("snapshot-isolation".to_owned(), Standing::Violated)];
        assert_eq!(seen("serializable", &known), Standing::Violated);
        assert_eq!(seen("read-committed", &known), Standing::Open);
        let known = [("snapshot-isolation".to_owned(), Standing::Holds)];
        assert_eq!(seen("read-committed", &known), Standing::Holds);
        assert_eq!(seen("serializable", &known), Standing::Open);
        let marks = with_asked(&[], "mine", Standing::Holds);
        assert_eq!(marks[0].level, "mine");
    }
}
