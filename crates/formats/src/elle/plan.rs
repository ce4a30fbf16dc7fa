//! The order in which the entries of a history are printed.
//!
//! Elle tells time by the order of entries, and a process does one thing after the other. If every
//! transaction has times that fit into that (its entries then say when they were, if times are
//! nanoseconds), it gets two entries: where it began and where it
//! ended. Where two events of different sessions happened at the same time, beginnings come first, so that
//! nothing becomes ordered that was not. Otherwise only ends are printed, which says nothing
//! about times.
//!
//! A transaction that is not known to have ended at a certain time ends right before the next one of
//! its session begins, or when all is over: the end time of a transaction that did not commit is not used.

use super::sayable::list_keys;
use tristan_history::{Clock, Datum, History, Initial, KeyId, Outcome, Txn, TxnId, ValueId};

/// What is printed in which order.
pub(super) struct Plan {
    /// What a transaction writes first that stands for the initial state.
    pub(super) initial: Vec<(KeyId, ValueId)>,
    pub(super) steps: Vec<Step>,
    /// Steps have indexes, which keep the names of transactions.
    pub(super) indexed: bool,
    pub(super) times: Times,
}

/// One entry.
pub(super) struct Step {
    pub(super) txn: TxnId,
    pub(super) part: Part,
    /// The index, if there are indexes and this entry has one.
    pub(super) index: Option<i64>,
    /// When it was, in nanoseconds, if times are.
    pub(super) time: Option<i64>,
}

/// Which of the entries of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Invocation,
    Completion,
}

/// What becomes of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    /// There are none, or they stay as they are.
    Kept,
    /// They are an order, which stays; the numbers change.
    Ordered,
    /// Some transactions have none, so the others lose theirs.
    Incomplete,
    /// A session begins a transaction before it has ended the last one.
    Overlapping,
}

/// A place in the order: an instant, and a rank among what happens then.
type Key = (i64, u8);

const GIVEN_UP: u8 = 0;
const BEGUN: u8 = 1;
const ENDED: u8 = 2;

/// When a transaction began and ended; the end may go unmentioned.
struct Interval {
    begin: Key,
    end: Option<Key>,
}

impl Plan {
    pub(super) fn of(history: &History) -> Self {
        let initial = initial_values(history);
        // Indexes of added entries would come before the first one.
        let may_index = initial.is_empty();
        let ordinal = history.header.clock == Clock::Ordinal;
        if let Some(steps) = by_index(history).filter(|_| may_index && ordinal) {
            return Self { initial, steps, indexed: true, times: Times::Kept };
        }
        let times = match by_time(history) {
            Ok(steps) if ordinal => {
                let kept = initial.is_empty() && are_places(history, &steps);
                let times = if kept { Times::Kept } else { Times::Ordered };
                return Self { initial, steps, indexed: false, times };
            }
            Ok(mut steps) => {
                steps.iter_mut().for_each(|step| step.time = recorded(history, step));
                let indexed = may_index && name_completions(history, &mut steps);
                return Self { initial, steps, indexed, times: Times::Kept };
            }
            Err(_) if !history.txns.iter().any(is_timed) => Times::Kept,
            Err(times) => times,
        };
        let steps: Vec<Step> =
            issuing_order(history).into_iter().map(|txn| ended(history, txn)).collect();
        let numbered = history.txns.iter().all(|txn| number(txn).is_some());
        let indexed = may_index && numbered && steps.is_sorted_by(|a, b| a.index < b.index);
        Self { initial, steps, indexed, times }
    }
}

/// What keys held at the start. Lists are empty then, whatever is said about them.
fn initial_values(history: &History) -> Vec<(KeyId, ValueId)> {
    let mut values: Vec<(KeyId, ValueId)> = match &history.header.initial {
        Initial::Empty | Initial::Unknown => return Vec::new(),
        Initial::Given(given) => given.iter().map(|(key, value)| (*key, *value)).collect(),
        Initial::Uniform(value) => {
            (0..history.keys.len()).map(|key| (KeyId::new(key), *value)).collect()
        }
    };
    let lists = list_keys(history);
    values.retain(|(key, _)| !lists.contains(key));
    values
}

fn is_timed(txn: &Txn) -> bool {
    txn.begin().call.is_some() || txn.end().ret.is_some()
}

/// Whether times are the places of the steps.
fn are_places(history: &History, steps: &[Step]) -> bool {
    let mut steps = steps.iter().enumerate();
    steps.all(|(place, step)| {
        recorded(history, step).is_none_or(|time| usize::try_from(time) == Ok(place))
    })
}

fn ended(history: &History, txn: TxnId) -> Step {
    let index = number(history.txn(txn));
    Step { txn, part: Part::Completion, index, time: None }
}

/// Gives completions the numbers of their transactions as indexes, if every transaction has one
/// and they ascend.
fn name_completions(history: &History, steps: &mut [Step]) -> bool {
    let name = |step: &Step| match step.part {
        Part::Invocation => None,
        Part::Completion => number(history.txn(step.txn)),
    };
    let numbered = history.txns.iter().all(|txn| number(txn).is_some());
    let indexed = numbered && steps.iter().filter_map(name).is_sorted_by(|a, b| a < b);
    for step in steps {
        step.index = name(step).filter(|_| indexed);
    }
    indexed
}

/// The time that the history gives for a step.
fn recorded(history: &History, step: &Step) -> Option<i64> {
    let txn = history.txn(step.txn);
    match step.part {
        Part::Invocation => txn.begin().call,
        Part::Completion => txn.end().ret.filter(|_| txn.outcome != Outcome::Unknown),
    }
}

/// The number that a transaction is named by.
fn number(txn: &Txn) -> Option<i64> {
    match txn.name.as_deref() {
        Some(&Datum::Int(number)) => i64::try_from(number).ok(),
        _ => None,
    }
}

/// If times are indexes of entries, and names those of the last entries, both can stay.
fn by_index(history: &History) -> Option<Vec<Step>> {
    let interval = |txn: &Txn| {
        let (begin, name) = (txn.begin().call?, number(txn)?);
        let unmentioned = txn.outcome == Outcome::Unknown && name == begin && txn.error.is_none();
        let certain = txn.end().ret.filter(|_| txn.outcome != Outcome::Unknown);
        let fits = match txn.outcome {
            Outcome::Committed => certain == Some(name),
            _ => certain.is_none_or(|end| end == name),
        };
        let end = (!unmentioned).then_some((name, ENDED));
        fits.then_some(Interval { begin: (begin, BEGUN), end })
    };
    let intervals: Vec<Interval> = history.txns.iter().map(interval).collect::<Option<_>>()?;
    let steps = in_order(history, &intervals)?;
    steps.is_sorted_by(|a, b| a.index < b.index).then_some(steps)
}

/// Everything in the order of times.
fn by_time(history: &History) -> Result<Vec<Step>, Times> {
    let begin = |txn: &TxnId| history.txn(*txn).begin().call.ok_or(Times::Incomplete);
    let mut intervals: Vec<Interval> = Vec::with_capacity(history.txns.len());
    for txn in history.txn_ids() {
        intervals.push(Interval { begin: (begin(&txn)?, BEGUN), end: Some((i64::MAX, u8::MAX)) });
    }
    for session in &history.sessions {
        for (place, &id) in session.txns.iter().enumerate() {
            let txn = history.txn(id);
            let certain = txn.end().ret.filter(|_| txn.outcome != Outcome::Unknown);
            let end = &mut intervals[id.index()].end;
            match (certain, session.txns.get(place + 1)) {
                (Some(time), _) => *end = Some((time, ENDED)),
                (None, _) if txn.outcome == Outcome::Committed => return Err(Times::Incomplete),
                (None, Some(next)) => *end = Some((begin(next)?, GIVEN_UP)),
                (None, None) => {}
            }
        }
    }
    in_order(history, &intervals).ok_or(Times::Overlapping)
}

/// The steps in order, if every session does one thing after the other.
fn in_order(history: &History, intervals: &[Interval]) -> Option<Vec<Step>> {
    for session in &history.sessions {
        let mut before: Option<Key> = None;
        for (place, id) in session.txns.iter().enumerate() {
            let Interval { begin, end } = intervals[id.index()];
            let last = place + 1 == session.txns.len();
            let fits =
                before.is_none_or(|before| before < begin) && end.map_or(last, |end| begin < end);
            if !fits {
                return None;
            }
            before = end;
        }
    }
    let mut keyed: Vec<(Key, Part, TxnId)> = Vec::with_capacity(2 * intervals.len());
    for (txn, interval) in history.txn_ids().zip(intervals) {
        keyed.push((interval.begin, Part::Invocation, txn));
        keyed.extend(interval.end.map(|end| (end, Part::Completion, txn)));
    }
    keyed.sort_unstable();
    let step =
        |(key, part, txn): (Key, Part, TxnId)| Step { txn, part, index: Some(key.0), time: None };
    Some(keyed.into_iter().map(step).collect())
}

/// All transactions as they come, but none before an earlier one of its session.
fn issuing_order(history: &History) -> Vec<TxnId> {
    let mut waiting: Vec<_> =
        history.sessions.iter().map(|session| session.txns.iter().copied().peekable()).collect();
    let mut printed = vec![false; history.txns.len()];
    let mut order = Vec::with_capacity(history.txns.len());
    for id in history.txn_ids() {
        let session = &mut waiting[history.txn(id).session.index()];
        while let Some(next) = session.next_if(|_| !printed[id.index()]) {
            printed[next.index()] = true;
            order.push(next);
        }
    }
    order
}
