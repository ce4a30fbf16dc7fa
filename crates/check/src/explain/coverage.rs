//! What an accepted trace could have shown, and what is missing from it.

use tristan_history::{History, KeyId, Op, OpStatus, Outcome, Txn, notes};
use tristan_verdict::{Coverage, Gaps, Overlap, Witness};

use super::cards::times;
use super::judgeable::{observes, writes};
use crate::asg::Asg;

/// How much the trace puts to the test.
pub(super) fn coverage(asg: &Asg<'_>, witness: &Witness) -> Coverage {
    let history = asg.history;
    let (overlap, concurrent_pairs) = match spans(history) {
        Some(spans) => (Overlap::Times, overlapping(&spans)),
        None => (Overlap::Sessions, of_different_sessions(history)),
    };
    let reads = asg.reads.end();
    let contended_keys = contended_keys(asg);
    let facts = Facts { concurrent_pairs, contended_keys, reads, overlap };
    Coverage {
        concurrent_pairs,
        overlap,
        contended_keys,
        reads,
        pinned_reads: reads.saturating_sub(witness.sources.len()),
        blind_spots: blind_spots(asg, &facts),
        // Operations without an answer were resolved in this history.
        gaps: Gaps::default(),
    }
}

/// What the trace says is missing from it, and which of its operations came without an answer.
/// Those of aborted transactions would have changed nothing.
pub(crate) fn gaps(history: &History) -> Gaps {
    let count = |wanted: &dyn Fn(&Op) -> bool| {
        alive(history).map(|txn| ops(history, txn).iter().filter(|op| wanted(op)).count()).sum()
    };
    let mut notes = history.notes.iter().map(|(_, note)| note.as_str());
    Gaps {
        unrecorded: notes.clone().filter_map(notes::omitted).count(),
        unseen: count(&|op| op.status == OpStatus::Done && op.kind.is_unseen()),
        pending: count(&|op| op.status == OpStatus::Pending),
        ended: notes.find_map(|note| notes::behind(note, notes::ENDED)).map(str::to_owned),
    }
}

fn ops<'h>(history: &'h History, txn: &Txn) -> &'h [Op] {
    let first = txn.first_op as usize;
    &history.ops[first..first + txn.op_count as usize]
}

/// When each transaction ran that may have taken effect, if that is known of all.
pub(super) fn spans(history: &History) -> Option<Vec<(i64, i64)>> {
    let span = |txn: &Txn| times(txn).and_then(|times| times.span());
    alive(history).map(span).collect()
}

fn alive(history: &History) -> impl Iterator<Item = &Txn> {
    history.txns.iter().filter(|txn| txn.outcome != Outcome::Aborted)
}

/// How many pairs of spans overlap: of those that began before, all that have not ended.
fn overlapping(spans: &[(i64, i64)]) -> u64 {
    let mut begins: Vec<i64> = spans.iter().map(|span| span.0).collect();
    let mut ends: Vec<i64> = spans.iter().map(|span| span.1).collect();
    begins.sort_unstable();
    ends.sort_unstable();
    let mut ended = 0;
    let mut pairs = 0;
    for (before, begin) in begins.iter().enumerate() {
        while ended < before && ends[ended] < *begin {
            ended += 1;
        }
        pairs += (before - ended) as u64;
    }
    pairs
}

fn of_different_sessions(history: &History) -> u64 {
    let pairs = |count: u64| count * count.saturating_sub(1) / 2;
    let mut sizes = vec![0; history.sessions.len()];
    alive(history).for_each(|txn| sizes[txn.session.index()] += 1);
    pairs(sizes.iter().sum()) - sizes.iter().map(|&size| pairs(size)).sum::<u64>()
}

fn contended_keys(asg: &Asg<'_>) -> usize {
    let keys = (0..asg.history.keys.len()).map(KeyId::new);
    let contended =
        |key: &KeyId| asg.writes.of_key(*key).len() > 1 || asg.lists.appenders(*key).len() > 1;
    keys.filter(contended).count()
}

struct Facts {
    concurrent_pairs: u64,
    contended_keys: usize,
    reads: usize,
    overlap: Overlap,
}

/// What the trace cannot reveal, and which levels it therefore cannot tell apart.
fn blind_spots(asg: &Asg<'_>, facts: &Facts) -> Vec<String> {
    let history = asg.history;
    let timed = history.txns.iter().any(|txn| txn.begin().call.is_some());
    let sessions = history.sessions.iter().any(|session| session.txns.len() > 1);
    let both = alive(history).any(|txn| {
        let ops = ops(history, txn);
        ops.iter().any(observes) && ops.iter().any(writes)
    });
    let spots = [
        (
            facts.reads == 0,
            "no transaction read another transaction's write, so every level holds trivially",
        ),
        (
            facts.concurrent_pairs == 0 && facts.overlap == Overlap::Times,
            "no two transactions overlapped, so anomalies that need concurrency cannot appear",
        ),
        (
            facts.contended_keys == 0,
            "no key has two writers, so lost updates and contradictory version orders cannot appear",
        ),
        (
            !both,
            "no transaction both reads and writes, so lost updates and write skew cannot appear",
        ),
        (
            !timed,
            "the trace has no times, so strong levels cannot be distinguished from strong-session levels",
        ),
        (
            !sessions,
            "no session has two transactions, so strong-session levels cannot be distinguished from plain ones",
        ),
        (
            !asg.has_ranges,
            "no range was read, so phantoms cannot appear and repeatable read cannot be distinguished from serializable",
        ),
    ];
    spots.iter().filter(|(blind, _)| *blind).map(|(_, words)| (*words).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_counted_once() {
        assert_eq!(overlapping(&[(0, 10), (2, 3), (3, 8), (11, 12)]), 3);
        assert_eq!(overlapping(&[(0, 1), (2, 3), (4, 5)]), 0);
        assert_eq!(overlapping(&[(0, 5), (0, 5), (0, 5)]), 3);
    }
}
