//! When did it happen? Sessions put side by side, by who read from whom.
//!
//! How far a session has got says roughly when a transaction ran, but sessions do not proceed
//! evenly. A read comes some time after the write it saw; so a part of a session whose reads
//! and writes seem to be later than those they belong to is moved forward, and the other way
//! round. Errors of single sessions average out after a few rounds, because all sessions read
//! from one another.

use tristan_history::TxnId;

use crate::asg::Asg;

/// So many rounds look at all reads, then so many at the closest ones only.
const ROUNDS: [usize; 2] = [5, 5];

/// One transaction of so many tells which rough estimate is best.
const SAMPLE: usize = 16;

/// The best of some rough estimates of when each transaction ran, in transactions.
pub(super) fn best(asg: &Asg<'_>, rough: impl IntoIterator<Item = Vec<f64>>) -> Vec<f64> {
    let seen = who_saw_whom(asg, SAMPLE);
    rough.into_iter().max_by_key(|when| in_order(&seen, when)).unwrap_or_default()
}

/// Whether more than a tenth of the reads come before the writes they saw, whichever estimate is right.
pub(super) fn are_doubtful(asg: &Asg<'_>, rough: impl IntoIterator<Item = Vec<f64>>) -> bool {
    let seen = who_saw_whom(asg, SAMPLE);
    let most = rough.into_iter().map(|when| in_order(&seen, &when)).max();
    10 * most.unwrap_or_default() < 9 * seen.len()
}

/// How many reads come after the writes they saw.
fn in_order(seen: &[(TxnId, TxnId)], when: &[f64]) -> usize {
    seen.iter().filter(|pair| when[pair.0.index()] < when[pair.1.index()]).count()
}

/// Better estimates than the given ones, if there are any.
pub(super) fn align(asg: &Asg<'_>, rough: Vec<f64>) -> Vec<f64> {
    let seen = who_saw_whom(asg, 1);
    let good = in_order(&seen, &rough);
    // What is nearly right already must not be averaged away.
    let rounds = if 10 * good < 9 * seen.len() { ROUNDS } else { [0, ROUNDS[1]] };
    let mut when = rough.clone();
    let mut moves = vec![Move::default(); when.len()];
    let mut shifted = Vec::new();
    for round in 0..rounds[0] + rounds[1] {
        let apart = match round < rounds[0] {
            true => measure_all(&seen, &when, &mut moves),
            false => measure_closest(&seen, &when, &mut moves),
        };
        for session in &asg.history.sessions {
            shift(&session.txns, apart, &moves, &mut when, &mut shifted);
        }
    }
    if in_order(&seen, &when) > good { when } else { rough }
}

/// Writer and reader of every read that one transaction alone can explain; of readers, one of so
/// many.
fn who_saw_whom(asg: &Asg<'_>, one_of: usize) -> Vec<(TxnId, TxnId)> {
    let pieces = asg.threads.each(asg.history.txns.len(), |txns| {
        let mut seen = Vec::new();
        for txn in txns.filter(|txn| txn.is_multiple_of(one_of)).map(TxnId::new) {
            for (_, read) in asg.reads.of(txn) {
                let (mut writer, mut count) = (None, 0);
                asg.for_each_source(&read, |source| {
                    writer = source;
                    count += 1;
                });
                if let (Some(writer), 1) = (writer, count) {
                    seen.push((writer, txn));
                }
            }
        }
        seen
    });
    pieces.concat()
}

/// How far all the evidence about a transaction would move it.
#[derive(Clone, Copy, Debug, Default)]
struct Move {
    sum: f64,
    count: f64,
}

impl Move {
    fn add(&mut self, by: f64) {
        self.sum += by;
        self.count += 1.0;
    }
}

/// Every read wants its two ends to be as far apart as they are on average, which is returned.
fn measure_all(seen: &[(TxnId, TxnId)], when: &[f64], moves: &mut [Move]) -> f64 {
    let apart = |&(writer, reader): &(TxnId, TxnId)| when[reader.index()] - when[writer.index()];
    let average = seen.iter().map(apart).sum::<f64>() / seen.len().max(1) as f64;
    moves.fill(Move::default());
    for pair in seen {
        let missing = average - apart(pair);
        moves[pair.1.index()].add(missing);
        moves[pair.0.index()].add(-missing);
    }
    average
}

/// Every reader wants to come as long after the last of those it read from, and every writer as
/// long before the first of its readers, as they do on average.
fn measure_closest(seen: &[(TxnId, TxnId)], when: &[f64], moves: &mut [Move]) -> f64 {
    let mut last_read = vec![f64::NEG_INFINITY; when.len()];
    let mut first_reader = vec![f64::INFINITY; when.len()];
    for &(writer, reader) in seen {
        let last = &mut last_read[reader.index()];
        *last = last.max(when[writer.index()]);
        let first = &mut first_reader[writer.index()];
        *first = first.min(when[reader.index()]);
    }
    let after = last_read.iter().zip(when).map(|(last, when)| when - last);
    let before = first_reader.iter().zip(when).map(|(first, when)| first - when);
    let (after, before) = (average(after), average(before));
    for (at, to) in moves.iter_mut().enumerate() {
        *to = Move::default();
        if last_read[at].is_finite() {
            to.add(last_read[at] + after - when[at]);
        }
        if first_reader[at].is_finite() {
            to.add(first_reader[at] - before - when[at]);
        }
    }
    after.max(before)
}

/// The average of the numbers that are finite.
fn average(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut all = Move::default();
    numbers.filter(|number| number.is_finite()).for_each(|number| all.add(number));
    all.sum / all.count.max(1.0)
}

/// Moves each transaction of a session as the evidence about those around it says, not further
/// away than reads and writes are apart; their order stays.
fn shift(txns: &[TxnId], apart: f64, moves: &[Move], when: &mut [f64], shifted: &mut Vec<f64>) {
    let (Some(first), Some(last)) = (txns.first(), txns.last()) else { return };
    let gap = (when[last.index()] - when[first.index()]) / txns.len() as f64;
    let around = (apart.abs() / gap.max(1.0)) as usize;
    let of = |at: usize| moves[txns[at].index()];
    let mut window = Move::default();
    let (mut first, mut end) = (0, 0);
    shifted.clear();
    for at in 0..txns.len() {
        while end < txns.len() && end <= at + around {
            window.sum += of(end).sum;
            window.count += of(end).count;
            end += 1;
        }
        while first + around < at {
            window.sum -= of(first).sum;
            window.count -= of(first).count;
            first += 1;
        }
        let by = if window.count > 0.5 { window.sum / window.count } else { 0.0 };
        shifted.push(when[txns[at].index()] + by);
    }
    shifted.sort_unstable_by(f64::total_cmp);
    for (txn, &shifted) in txns.iter().zip(shifted.iter()) {
        when[txn.index()] = shifted;
    }
}
