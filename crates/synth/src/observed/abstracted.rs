//! From a history that clients saw to an abstract one.

use tristan_history::{History, KeyId, TxnId};
use tristan_spec::ReadRule;

use super::error::JudgeError;
use super::scenes::Facts;
use super::sources::{SourceError, Sources, promise};
use super::{effective_sets, fates, programs};
use crate::history::{AbstractHistory, AbstractTxn, Read};

/// The abstract history that clients saw, if it is clear which one that was. Times are left out.
///
/// # Errors
/// If more than one would do, or the judge would not look at it.
pub fn abstracted(history: &History) -> Result<AbstractHistory, JudgeError> {
    let unsure = fates::count(history);
    if unsure > 0 {
        return Err(JudgeError::UnknownEffects(unsure));
    }
    let programs = programs(history)?;
    let sets = effective_sets(history)?;
    let [effective] = sets.as_slice() else {
        return Err(JudgeError::UnknownOutcomes(sets.len().ilog2() as usize));
    };
    let rule = ReadRule::Committed;
    let sources = Sources { history, programs: &programs, effective, rule, matter: true };
    let unclear = |txn: TxnId| JudgeError::Source { label: history.label(txn) };
    let reads = sources.all().map_err(|error| match error {
        SourceError::Judge(error) => error,
        SourceError::WrongRead(wrong) => unclear(wrong.op.txn),
    })?;
    let facts = Facts::of(history, &programs, effective.clone(), reads, true)?;
    let key_of = |key: &KeyId| facts.keys.binary_search(key).unwrap_or(0);
    let mut txns = Vec::new();
    for (number, &txn) in (1..).zip(effective) {
        let mut reads = Vec::new();
        for one in facts.reads.iter().filter(|one| one.reader == number) {
            let [from] = one.from[..] else { return Err(unclear(txn)) };
            reads.push(Read { key: key_of(&one.read.key), from });
        }
        let written = programs[txn.index()].writes.iter();
        let mut writes: Vec<usize> = written.map(|(key, _)| key_of(key)).collect();
        writes.sort_unstable();
        writes.dedup();
        txns.push(AbstractTxn { reads, writes, promise: promise(history, txn) });
    }
    let keys = facts.keys.iter().map(|key| history.key(*key).to_string()).collect();
    Ok(AbstractHistory { keys, txns, sessions: sessions(history, effective), events: Vec::new() })
}

fn sessions(history: &History, effective: &[TxnId]) -> Vec<Vec<usize>> {
    let number = |txn: &TxnId| effective.iter().position(|other| other == txn).map(|at| at + 1);
    let sessions = history.sessions.iter();
    let sessions = sessions.map(|session| session.txns.iter().filter_map(number).collect());
    sessions.filter(|session: &Vec<usize>| !session.is_empty()).collect()
}
