//! Judging histories that clients saw, if they are small.
//!
//! ```text
//!   History ──program──► reads of others, writes ──sources──► who may have been read
//!           ──scene────► gates: what is known is a constant, what is not is the solver's choice
//! ```
//!
//! A value written twice leaves open who was read; a transaction of unknown outcome leaves open
//! whether it was there at all. A level is kept if *some* way to fill the gaps keeps it. Every set
//! of transactions that may have taken effect is judged on its own, and so is every choice of
//! operations that may have.

mod abstracted;
mod error;
mod fates;
mod program;
mod scenes;
mod sources;

use tristan_history::{History, Outcome, TxnId};
use tristan_spec::iso::IsoLevel;

use crate::gates::{SearchBudget, Solver};
use crate::judge::{Shown, ViolatedCheck, explain, shown, speaks_of_reads, witness};
use program::Program;
use scenes::Facts;
use sources::{SourceError, Sources, speaks_of_sources};

pub use abstracted::abstracted;
pub use error::{JudgeError, MOST_TXNS, MOST_UNKNOWN, WrongRead, WrongReadKind};

/// What the judge says about a history that clients saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObservedVerdict {
    /// The level was kept.
    Holds(Numbered<Vec<Shown>>),
    /// It was not: no witnesses will do.
    Violated(Numbered<ViolatedCheck>),
    /// It was not: a read returned what no level of its kind allows.
    WrongRead(WrongRead),
    /// The judge does not know.
    Unknown(JudgeError),
}

/// Something about transactions and keys by numbers, and what the numbers stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered<T> {
    /// What is said.
    pub about: T,
    /// The transactions that took effect; number 1 is the first of them, 0 the initial one.
    pub txns: Vec<TxnId>,
    /// The keys, from number 0 on.
    pub keys: Vec<tristan_history::KeyId>,
}

/// Judges a level. Operations that may or may not have taken effect are tried both ways.
pub fn judge_history(
    level: &IsoLevel,
    history: &History,
    budget: &SearchBudget,
) -> ObservedVerdict {
    let resolved = match fates::resolved(history) {
        Ok(resolved) => resolved,
        Err(error) => return ObservedVerdict::Unknown(error),
    };
    let (mut unknown, mut rejected) = (None, None);
    for history in &resolved {
        match verdict(level, history, budget).unwrap_or_else(ObservedVerdict::Unknown) {
            holds @ ObservedVerdict::Holds(_) => return holds,
            open @ ObservedVerdict::Unknown(_) => unknown = unknown.or(Some(open)),
            // A violated level says more than a read that nothing explains.
            violated @ ObservedVerdict::Violated(_) => rejected = Some(violated),
            wrong @ ObservedVerdict::WrongRead(_) => rejected = rejected.or(Some(wrong)),
        }
    }
    let none = ObservedVerdict::Unknown(JudgeError::Transactions(0));
    unknown.or(rejected).unwrap_or(none)
}

fn verdict(
    level: &IsoLevel,
    history: &History,
    budget: &SearchBudget,
) -> Result<ObservedVerdict, JudgeError> {
    let programs = programs(history)?;
    let mut wrong_read = None;
    let mut violated = None;
    for effective in effective_sets(history)? {
        let facts = match facts(level, history, &programs, effective)? {
            Ok(facts) => facts,
            Err(wrong) => {
                wrong_read.get_or_insert(wrong);
                continue;
            }
        };
        let mut solver = Solver::new(budget);
        let scene = facts.scene(&mut solver);
        if solver.ask(&[])?.is_none() {
            wrong_read = wrong_read.or(facts.wrong_start());
            continue;
        }
        if let Some((scene, chosen)) = witness(&mut solver, &scene, level)? {
            return Ok(ObservedVerdict::Holds(facts.numbered(shown(level, &scene, &chosen))));
        }
        violated = Some(facts);
    }
    match (violated, wrong_read) {
        (Some(facts), _) => {
            let mut solver = Solver::new(budget);
            let scene = facts.scene(&mut solver);
            let violated = explain(&mut solver, &scene, level)?;
            Ok(ObservedVerdict::Violated(facts.numbered(violated)))
        }
        (None, Some(wrong)) => Ok(ObservedVerdict::WrongRead(wrong)),
        // Some set of transactions took effect, and one of the above was found for it.
        (None, None) => Ok(ObservedVerdict::Unknown(JudgeError::Transactions(0))),
    }
}

/// What is known if exactly these transactions took effect, or the read that shows that it was not
/// so.
fn facts<'a>(
    level: &IsoLevel,
    history: &'a History,
    programs: &'a [Program],
    effective: Vec<TxnId>,
) -> Result<Result<Facts<'a>, WrongRead>, JudgeError> {
    let (rule, matter) = (level.reads, speaks_of_sources(level));
    let sources = Sources { history, programs, effective: &effective, rule, matter };
    match sources.all() {
        Ok(reads) => Facts::of(history, programs, effective, reads, speaks_of_reads(level)).map(Ok),
        Err(SourceError::WrongRead(wrong)) => Ok(Err(wrong)),
        Err(SourceError::Judge(error)) => Err(error),
    }
}

fn programs(history: &History) -> Result<Vec<Program>, JudgeError> {
    history.txn_ids().map(|txn| Program::of(history, txn)).collect()
}

/// The sets of transactions that may have taken effect, the largest last.
fn effective_sets(history: &History) -> Result<Vec<Vec<TxnId>>, JudgeError> {
    let outcome = |txn: TxnId| history.txn(txn).outcome;
    let live = history.txn_ids().filter(|&txn| outcome(txn) != Outcome::Aborted).count();
    if live > MOST_TXNS {
        return Err(JudgeError::Transactions(live));
    }
    let unknown: Vec<TxnId> =
        history.txn_ids().filter(|&txn| outcome(txn) == Outcome::Unknown).collect();
    if unknown.len() > MOST_UNKNOWN {
        return Err(JudgeError::UnknownOutcomes(unknown.len()));
    }
    let chosen = |subset: usize, txn: TxnId| match outcome(txn) {
        Outcome::Committed => true,
        Outcome::Aborted => false,
        Outcome::Unknown => {
            unknown.iter().position(|&other| other == txn).is_some_and(|at| subset >> at & 1 == 1)
        }
    };
    let subsets = 0..1usize << unknown.len();
    Ok(subsets
        .map(|subset| history.txn_ids().filter(|&txn| chosen(subset, txn)).collect())
        .collect())
}
