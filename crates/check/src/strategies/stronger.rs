//! Stronger: accept a level that is hard to decide because a stronger one accepts.
//!
//! Some formulas have a part that no order of transactions decides (`irreflexive`): a search for a
//! witness then looks at pairs of dependencies instead of following one order. Snapshot isolation
//! and serializability are one graph without cycles, and most traces meet them. So these are tried
//! first, as far as [`attempt`] goes.
//!
//! Why this is right: the lattice ([`Lattice`]) holds the implications that are proved for histories of
//! any size *with the same witness*. In formulas: a cycle of `(b | ww)+ ; rw` is a cycle of
//! `(b | ww) ; rw?`, and every cycle that an update-serializable history may not have is one of
//! `b | ww | rw`. Hence versions and sources that meet the stronger formula meet the weaker one, and
//! the certifier checks the witness against the weaker one. Nothing follows if the stronger level
//! does not accept: then the level is decided as if this had not been tried.

use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level, ReadRule, Rel};

use super::ambiguity::Ambiguity;
use super::assumptions::{assume_sessions, with_sessions};
use crate::asg::Asg;
use crate::automaton::Automaton;
use crate::budget::Stop;
use crate::decision::Decision;
use crate::lower::{lower_within, uses_clock};
use crate::observer::Observer;
use crate::options::{Options, Pass};
use crate::passes::succession;
use crate::solve::attempt::attempt;

/// Families that are hard to decide, and the family that is tried first.
const FIRST: [(&str, &str); 9] = [
    ("consistent-view", "snapshot-isolation"),
    ("parallel-si", "snapshot-isolation"),
    ("forward-consistent-view", "snapshot-isolation"),
    ("update-atomic", "snapshot-isolation"),
    ("update-serializable", "serializable"),
    ("read-your-writes", "read-atomic"),
    ("monotonic-reads", "causal"),
    ("monotonic-writes", "causal"),
    ("writes-follow-reads", "causal"),
];

/// The same for families whose levels are hard to decide only with real time.
const FIRST_WITH_TIMES: [(&str, &str); 1] = [("read-atomic", "snapshot-isolation")];

/// The decision, if a stronger level accepts; `None` if the level must be decided itself.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn stronger_accepts(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Decision>, Stop> {
    if !options.passes.has(Pass::Strengthen) || !options.passes.has(Pass::Saturate) {
        return Ok(None);
    }
    let misses = Automaton::compile(&level.formula).missing().next().is_some();
    let whole = misses && options.passes.has(Pass::Serial) && Ambiguity::of(asg).is_common();
    for mut stronger in stronger(level, whole) {
        if let Some(decision) = accepts(asg, &mut stronger, options, observer)? {
            return Ok(Some(decision));
        }
    }
    Ok(None)
}

/// The decision, if this level accepts.
fn accepts(
    asg: &Asg<'_>,
    stronger: &mut Level,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Option<Decision>, Stop> {
    if let Some(formula) = with_sessions(stronger, options) {
        stronger.formula = formula;
    }
    let mut ir = lower_within(asg, stronger, options, &options.within)?;
    if ir.uses(Rel::So) {
        assume_sessions(&mut ir);
        succession::assume(&mut ir);
    }
    observer.problem(&ir);
    let found = attempt(&ir, &options.passes, options.threads(), &options.within, observer)?;
    // The witness is one of the stronger level, and is shown as such.
    Ok(found.map(|assignment| Decision::Accepted(ir, assignment)))
}

/// Whether a stronger level is easier to decide.
pub(crate) fn is_hard(level: &Level) -> bool {
    first(level).is_some()
}

/// Whether a stronger level is easier to decide than this one, even with the hints of the trace: the sources of
/// reads are known, so hints help little.
pub(crate) fn comes_before_hints(asg: &Asg<'_>, level: &Level) -> bool {
    is_hard(level) && !Ambiguity::of(asg).is_common()
}

/// The family that is tried before a level that is hard to decide.
fn first(level: &Level) -> Option<&'static str> {
    let with_times = FIRST_WITH_TIMES.iter().filter(|_| uses_clock(level));
    let mut pairs = FIRST.iter().chain(with_times);
    pairs.find(|(family, _)| *family == level.family).map(|(_, first)| *first)
}

/// The levels to try first. One of them is serializability if a `whole` execution is easier to find
/// than the sources of all reads (see [`super::serial`]).
fn stronger(level: &Level, whole: bool) -> Vec<Level> {
    let mut families: Vec<&str> =
        whole.then_some("serializable").into_iter().chain(first(level)).collect();
    families.retain(|family| *family != level.family);
    families.dedup();
    families.into_iter().filter_map(|family| weakest_of(family, level)).collect()
}

/// The weakest level of a family that implies this one. Levels of a user's own that have the name of
/// another are left alone.
pub(super) fn weakest_of(family: &str, level: &Level) -> Option<Level> {
    let catalog = Catalog::default();
    let is_ours = |known: &Level| known.formula == level.formula && known.reads == level.reads;
    catalog.find(&level.name).ok().filter(is_ours)?;
    if level.reads != ReadRule::Committed {
        return None;
    }
    let implies = |one: &Level| {
        one.family == family
            && one.reads == level.reads
            && Lattice::library().implies(&one.name, &level.name)
    };
    let candidates: Vec<Level> = catalog.levels().into_iter().filter(implies).collect();
    let is_weakest = |one: &&Level| {
        let weaker = |other: &Level| {
            other.name != one.name && Lattice::library().implies(&one.name, &other.name)
        };
        !candidates.iter().any(weaker)
    };
    candidates.iter().find(is_weakest).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weakest_of_the_stronger_levels_is_tried() {
        let tried = |name: &str| {
            let level = Catalog::default().find(name).expect("a level");
            stronger(&level, false).pop().map(|level| level.name)
        };
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(tried("consistent-view"), name("snapshot-isolation"));
        assert_eq!(tried("parallel-si"), name("strong-session-snapshot-isolation"));
        assert_eq!(tried("update-serializable"), name("serializable"));
        assert_eq!(tried("forward-consistent-view"), name("strong-snapshot-isolation"));
        assert_eq!(tried("serializable"), None);
        assert_eq!(tried("strong-read-atomic"), name("strong-snapshot-isolation"));
        assert_eq!(tried("writes-follow-reads"), name("causal"));
        assert_eq!(tried("read-atomic"), None);
        assert_eq!(tried("causal"), None);
    }

    #[test]
    fn a_level_of_the_same_name_and_another_formula_is_left_alone() {
        let catalog = Catalog::default();
        let formula = catalog.find("causal").expect("a level").formula;
        let level = catalog.find("consistent-view").expect("a level");
        assert!(stronger(&Level { formula, ..level }, true).is_empty());
    }
}
