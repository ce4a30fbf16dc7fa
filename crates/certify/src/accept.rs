//! An accept is replayed: the witness must be an execution that explains every read, and the
//! level's formula must hold on its dependencies.

use tristan_history::{History, KeyId, Outcome, TxnId};
use tristan_spec::Level;
use tristan_verdict::{Fate, PointKind, Source, Witness};

use crate::error::CertifyError;
use crate::evaluation;
use crate::execution::{Dependence, Execution};
use crate::fates;
use crate::operations::Seen;
use crate::promises::Promises;
use crate::reading::{Read, Reading};

/// Checks the witness of an accept. Returns whether its begin points, if it has any, are places
/// from which every read is that of a snapshot.
pub(crate) fn check(
    history: &History,
    level: &Level,
    drift: i64,
    witness: &Witness,
) -> Result<bool, CertifyError> {
    let effects = fates::read(history, &witness.effects)?;
    if let Some(Fate { txn, op, .. }) = witness.effects.iter().find(|fate| !fate.effect) {
        let problem = "it is listed among the effects, but said to have had none";
        return Err(CertifyError::Fate { txn: *txn, op: *op, problem });
    }
    let history = &*fates::resolve(history, &effects);
    let reading = Reading::new(history, Promises::of(history, level)?);
    let execution = replay(&reading, drift, witness)?;
    match evaluation::violation(&level.formula, &execution)? {
        None => Ok(reads_are_of_snapshots(&execution, witness)),
        Some((constraint, node)) => Err(CertifyError::Violated {
            constraint: constraint.to_string(),
            txn: execution.effective[node as usize].0,
        }),
    }
}

/// The execution that the witness describes, every read explained.
pub(crate) fn replay<'r>(
    reading: &'r Reading<'r>,
    drift: i64,
    witness: &Witness,
) -> Result<Execution<'r>, CertifyError> {
    let took_effect = took_effect(reading.history, witness)?;
    let order = commit_order(&took_effect, witness)?;
    let mut execution = Execution::new(reading, drift, order);
    every_result_is_interpreted(&execution)?;
    let sources = chosen_sources(&execution, witness)?;
    let mut initial = explain_reads(&mut execution, &sources)?;
    initial.extend(explain_dirty_reads(&execution)?);
    one_initial_state(reading, initial)?;
    Ok(execution)
}

/// Whether every read returned the last version that was committed before its transaction's
/// begin point.
fn reads_are_of_snapshots(execution: &Execution<'_>, witness: &Witness) -> bool {
    let mut begin = vec![None; execution.effective.len()];
    let mut commit = vec![0; execution.effective.len()];
    for (place, point) in witness.order.iter().enumerate() {
        let Some(node) = execution.number[point.txn as usize] else { continue };
        match point.at {
            PointKind::Begin => begin[node as usize] = Some(place),
            PointKind::Whole | PointKind::Commit => commit[node as usize] = place,
        }
    }
    execution.reads.iter().all(|read| {
        let Some(begin) = begin[read.reader as usize] else { return true };
        let before = |node: u32| commit[node as usize] < begin;
        read.source.is_none_or(before) && !execution.overwriters(read).next().is_some_and(before)
    })
}

/// Which transactions took effect.
fn took_effect(history: &History, witness: &Witness) -> Result<Vec<bool>, CertifyError> {
    let mut took_effect: Vec<bool> =
        history.txns.iter().map(|txn| txn.outcome == Outcome::Committed).collect();
    for &txn in &witness.committed {
        let Some(mark) = took_effect.get_mut(txn as usize) else {
            return Err(CertifyError::NoSuchTxn { txn });
        };
        if history.txn(TxnId(txn)).outcome != Outcome::Unknown {
            let problem = "is listed as committed, but its outcome is known";
            return Err(CertifyError::Order { txn, problem });
        }
        if std::mem::replace(mark, true) {
            return Err(CertifyError::Order { txn, problem: "is listed as committed twice" });
        }
    }
    Ok(took_effect)
}

/// The transactions in the order of their commit (or only) points.
fn commit_order(took_effect: &[bool], witness: &Witness) -> Result<Vec<TxnId>, CertifyError> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Progress {
        New,
        Begun,
        Over,
    }
    let mut progress = vec![Progress::New; took_effect.len()];
    let mut order = Vec::new();
    for point in &witness.order {
        let txn = point.txn;
        let wrong = |problem| Err(CertifyError::Order { txn, problem });
        match took_effect.get(txn as usize) {
            None => return Err(CertifyError::NoSuchTxn { txn }),
            Some(false) => return wrong("is in the order, but did not take effect"),
            Some(true) => {}
        }
        let state = &mut progress[txn as usize];
        match (*state, point.at) {
            (Progress::New, PointKind::Begin) => *state = Progress::Begun,
            (Progress::New, PointKind::Whole) | (Progress::Begun, PointKind::Commit) => {
                *state = Progress::Over;
                order.push(TxnId(txn));
            }
            (Progress::New, PointKind::Commit) => return wrong("commits before it begins"),
            _ => return wrong("has a point too many in the order"),
        }
    }
    for (txn, (&effective, &state)) in (0u32..).zip(took_effect.iter().zip(&progress)) {
        if effective && state != Progress::Over {
            let problem = "took effect, but the order does not commit it";
            return Err(CertifyError::Order { txn, problem });
        }
    }
    Ok(order)
}

fn every_result_is_interpreted(execution: &Execution<'_>) -> Result<(), CertifyError> {
    let reading = execution.reading;
    let effective = |&&(txn, _): &&(TxnId, u32)| execution.number[txn.index()].is_some();
    if let Some(&(txn, op)) = reading.opaque.iter().find(effective) {
        let what = "its result is not interpreted, so nothing can be accepted";
        return Err(CertifyError::NotInterpreted { txn: txn.0, op, what });
    }
    if let Some(&(txn, op)) = reading.faulty.iter().find(effective) {
        let problem = "a key is outside its range, there twice or out of order";
        return Err(CertifyError::Read { txn: txn.0, op, key: None, problem });
    }
    let mut violations = reading.own_violations.iter();
    if let Some(&(txn, op, key)) = violations.find(|&&(txn, op, _)| effective(&&(txn, op))) {
        let problem = "it does not return the transaction's own last write";
        let key = Some(reading.history.key(key).clone());
        return Err(CertifyError::Read { txn: txn.0, op, key, problem });
    }
    Ok(())
}

/// The sources the witness chose, by number of the read.
fn chosen_sources(
    execution: &Execution<'_>,
    witness: &Witness,
) -> Result<Vec<Option<Source>>, CertifyError> {
    let reading = execution.reading;
    let mut sources = vec![None; reading.reads.len()];
    for chosen in &witness.sources {
        let (txn, op) = (chosen.txn, chosen.op);
        let named = match chosen.from {
            Source::Initial => vec![txn],
            Source::Txn(writer) => vec![txn, writer],
        };
        if let Some(txn) = named.into_iter().find(|&t| t as usize >= reading.history.txns.len()) {
            return Err(CertifyError::NoSuchTxn { txn });
        }
        let wrong = |problem| CertifyError::Read { txn, op, key: chosen.key.clone(), problem };
        let named = reading.named_read(TxnId(txn), op, chosen.key.as_ref());
        let (index, read) = named.map_err(wrong)?;
        if execution.number[txn as usize].is_none() {
            return Err(wrong("its source is given, but the reader did not take effect"));
        }
        if !reading.allows(&read, chosen.from) {
            return Err(wrong("it cannot have read from the source given"));
        }
        if sources[index].replace(chosen.from).is_some() {
            return Err(wrong("its source is given twice"));
        }
    }
    Ok(sources)
}

/// Gives every read of the execution that may not be dirty its source. Returns the reads of the
/// initial state.
fn explain_reads(
    execution: &mut Execution<'_>,
    sources: &[Option<Source>],
) -> Result<Vec<(KeyId, Read)>, CertifyError> {
    let reading = execution.reading;
    let mut initial = Vec::new();
    let mut reads = Vec::new();
    for (index, read) in reading.reads.iter().enumerate() {
        let Some(reader) = execution.number[read.txn.index()] else { continue };
        if reading.is_dirty(read.txn) {
            continue;
        }
        let source = source_of(reading, read, sources[index])?;
        let (source, later) = match source {
            Source::Initial => {
                initial.push((read.key, *read));
                (None, 0)
            }
            Source::Txn(writer) => {
                let number = execution.number[writer as usize];
                let unreal = || reading.refuse(read, "its source did not take effect");
                let number = number.ok_or_else(unreal)?;
                let place = execution.place(TxnId(writer), read.key);
                (Some(number), place.map_or(0, |place| place + 1))
            }
        };
        if let Seen::List(_) = read.seen {
            list_comes_first(execution, read)?;
        }
        let Read { op, key, predicate, .. } = *read;
        reads.push(Dependence { reader, op, key, predicate, source, later });
    }
    execution.reads = reads;
    Ok(initial)
}

/// The source of a read: the chosen one, if it is allowed, or the only one.
fn source_of(
    reading: &Reading<'_>,
    read: &Read,
    chosen: Option<Source>,
) -> Result<Source, CertifyError> {
    let wrong = |problem| reading.refuse(read, problem);
    match chosen {
        Some(source) if reading.allows(read, source) => Ok(source),
        Some(_) => Err(wrong("it cannot have read from the source given")),
        None => match reading.only_source(read) {
            Some(only) => Ok(only),
            None if reading.sources(read).is_empty() => Err(wrong("it has no possible source")),
            None => Err(wrong("it has several possible sources and none is given")),
        },
    }
}

/// A list shows that its writers installed the first versions of the key, in this order.
fn list_comes_first(execution: &Execution<'_>, read: &Read) -> Result<(), CertifyError> {
    let writers = execution.reading.list_writers(read).unwrap_or_default();
    let versions = execution.versions[read.key.index()].iter().copied().map(Some);
    if writers.iter().map(|txn| execution.number[txn.index()]).eq(versions.take(writers.len())) {
        return Ok(());
    }
    let problem = "the list is not a prefix of the key's versions";
    Err(execution.reading.refuse(read, problem))
}

/// Some transaction must have written what a dirty read saw, and lists must follow the order of
/// those that committed. Returns the reads of the initial state.
fn explain_dirty_reads(execution: &Execution<'_>) -> Result<Vec<(KeyId, Read)>, CertifyError> {
    let reading = execution.reading;
    let mut initial = Vec::new();
    let committed = |txn: TxnId| reading.history.txn(txn).outcome == Outcome::Committed;
    let effective = |read: &Read| execution.number[read.txn.index()].is_some();
    let dirty = reading.reads.iter().filter(|read| reading.is_dirty(read.txn));
    for read in dirty.filter(|read| effective(read)) {
        let wrong = |problem| Err(reading.refuse(read, problem));
        if reading.is_unexplained(read) {
            return wrong("no transaction wrote what it returned, or it contains an element twice");
        }
        if let Seen::List(_) = read.seen {
            let writers = reading.element_writers(read).into_iter().filter(|&txn| committed(txn));
            if committed(read.txn)
                && !writers.filter_map(|txn| execution.number[txn.index()]).is_sorted()
            {
                return wrong("the list contradicts the order of the key's versions");
            }
            continue;
        }
        if reading.only_source(read) == Some(Source::Initial) {
            initial.push((read.key, *read));
        }
    }
    Ok(initial)
}

/// All reads of the initial state of one key must have seen the same thing.
fn one_initial_state(
    reading: &Reading<'_>,
    mut initial: Vec<(KeyId, Read)>,
) -> Result<(), CertifyError> {
    initial.retain(|(key, read)| {
        reading.initial(*key).is_none() && !matches!(read.seen, Seen::List(_))
    });
    // Of each key, reads with a full result first: a row count is compared with one of them.
    initial.sort_by_key(|(key, read)| (*key, read.seen == Seen::Present));
    for same_key in initial.chunk_by(|one, next| one.0 == next.0) {
        let (_, first) = same_key[0];
        if let Some((_, read)) = same_key.iter().find(|(_, r)| !first.seen.compatible(r.seen)) {
            let problem = "another read saw a different initial state of the key";
            return Err(reading.refuse(read, problem));
        }
    }
    Ok(())
}

impl Reading<'_> {
    /// The refusal of a witness because of this read.
    fn refuse(&self, read: &Read, problem: &'static str) -> CertifyError {
        CertifyError::Read { txn: read.txn.0, op: read.op, key: self.name_of(read), problem }
    }
}
