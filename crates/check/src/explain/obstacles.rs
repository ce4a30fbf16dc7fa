//! Why a trace is hard to decide, and how to record one that is easier.
//!
//! Two things can be open in a trace: which write a read saw, and in which order versions were installed. The
//! first is open where values repeat, or where a read found nothing and the key was deleted more than once; the
//! second, where a transaction overwrote a version without reading it. Begin and end times settle most of both;
//! transactions of unknown outcome leave more of both open.

use rustc_hash::{FxHashMap, FxHashSet};

use tristan_history::{KeyId, OpStatus, Outcome};
use tristan_verdict::Obstacle;

use super::coverage::spans;
use crate::asg::program::written;
use crate::asg::{Asg, Seen};

/// How many keys are named.
const KEYS: usize = 3;

/// What makes the trace hard to decide: ambiguous reads or open orders, then times, then unknown outcomes.
pub(super) fn obstacles(asg: &Asg<'_>) -> Vec<Obstacle> {
    let mut found = Vec::new();
    let ambiguous = Ambiguous::of(asg);
    if ambiguous.reads > 0 {
        found.push(ambiguous.obstacle(asg));
    } else if let Some(order) = unordered(asg) {
        found.push(order);
    }
    if found.is_empty() {
        return found;
    }
    if spans(asg.history).is_none() {
        found.push(Obstacle {
            what: "some transactions have no begin and end times".to_owned(),
            help: "record when each transaction begins and ends, so that Tristan can start with the order \
                   in which they ended"
                .to_owned(),
        });
    }
    let unknown = asg.history.txns.iter().filter(|txn| txn.outcome == Outcome::Unknown).count();
    if unknown > 0 {
        let all = asg.history.txns.len();
        found.push(Obstacle {
            what: format!("the outcome of {unknown} of {all} transactions is unknown"),
            help: "find out after the run whether they committed, for example by reading back what they \
                   wrote, and record it"
                .to_owned(),
        });
    }
    found
}

/// Reads that several writes explain.
#[derive(Default)]
struct Ambiguous {
    reads: usize,
    /// Of these, the ones that found nothing.
    absent: usize,
    sources: usize,
    /// Per key, its reads and their sources.
    keys: FxHashMap<KeyId, (usize, usize)>,
}

impl Ambiguous {
    fn of(asg: &Asg<'_>) -> Self {
        let mut all = Self::default();
        for read in asg.reads.iter() {
            let sources = asg.count_writers(&read);
            if sources < 2 {
                continue;
            }
            all.reads += 1;
            all.absent += usize::from(read.seen == Seen::Absent);
            all.sources += sources;
            let (reads, of_key) = all.keys.entry(read.key).or_default();
            *reads += 1;
            *of_key += sources;
        }
        all
    }

    fn obstacle(&self, asg: &Asg<'_>) -> Obstacle {
        let help = match 2 * self.absent > self.reads {
            true => "instead of deleting a key, write a unique value that marks it as deleted",
            false => "write each value only once, at least to these keys",
        };
        Obstacle {
            what: format!(
                "{} of {} reads could have come from several writes ({} on average), most of them on {}",
                self.reads,
                asg.reads.end(),
                self.sources.div_ceil(self.reads),
                self.hardest(asg)
            ),
            help: help.to_owned(),
        }
    }

    /// The keys with the most possible sources.
    fn hardest(&self, asg: &Asg<'_>) -> String {
        let mut keys: Vec<_> = self.keys.iter().collect();
        keys.sort_unstable_by_key(|&(key, &(_, sources))| (std::cmp::Reverse(sources), *key));
        let named = keys.iter().take(KEYS).map(|&(&key, &(reads, sources))| {
            format!(
                "{} ({}, {} writes per read)",
                asg.history.key(key),
                counted(reads, "read"),
                sources.div_ceil(reads)
            )
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

/// `1 read`, `2 reads`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Versions whose writers did not read the version before.
fn unordered(asg: &Asg<'_>) -> Option<Obstacle> {
    let blind = blind(asg);
    let contended = blind.iter().filter(|&(&key, _)| asg.writers_of(key).nth(1).is_some());
    let blind: Vec<usize> = contended.map(|(_, &count)| count).collect();
    let versions: usize = blind.iter().sum();
    (versions > 0).then(|| Obstacle {
        what: format!(
            "{} of {} were written by transactions that had not read the version before",
            counted(versions, "version"),
            counted(blind.len(), "key")
        ),
        help: "in each transaction, read a key before writing it, which shows the version that the write \
               replaces"
            .to_owned(),
    })
}

/// Per key, how many transactions wrote it without having read it.
fn blind(asg: &Asg<'_>) -> FxHashMap<KeyId, usize> {
    let history = asg.history;
    let mut counts = FxHashMap::<KeyId, usize>::default();
    let mut known = FxHashSet::<KeyId>::default();
    for txn in history.txn_ids().filter(|&txn| asg.writes.has(txn)) {
        known.clear();
        known.extend(asg.reads_of(txn).map(|read| read.key));
        for op in history.ops_of(txn).iter().filter(|op| op.status != OpStatus::Failed) {
            if let Some((key, _)) = written(op).filter(|&(key, _)| known.insert(key)) {
                *counts.entry(key).or_default() += 1;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use tristan_ground::Threads;
    use tristan_history::{History, HistoryBuilder};

    use super::*;

    fn told(history: &History) -> Vec<Obstacle> {
        obstacles(&Asg::build(history, Threads::new(1)))
    }

    #[test]
    fn ambiguous_reads_are_counted_by_key() {
        let mut builder = HistoryBuilder::default();
        for session in ["a", "b", "c"] {
            builder.begin(session).put("x", 1).put("y", session).end(Outcome::Committed);
        }
        builder.begin("d").get("x", 1).get("y", "a").end(Outcome::Committed);
        builder.begin("e").get("x", 1).end(Outcome::Unknown);
        let told = told(&builder.finish());
        assert_eq!(
            told[0].what,
            "1 of 2 reads could have come from several writes (3 on average), most of them on x \
             (1 read, 3 writes per read)"
        );
        assert!(told[0].help.starts_with("write each value"), "{told:?}");
        assert_eq!(told[1].what, "some transactions have no begin and end times");
        assert_eq!(told[2].what, "the outcome of 1 of 5 transactions is unknown");
    }

    #[test]
    fn without_ambiguous_reads_only_the_order_is_open() {
        let mut builder = HistoryBuilder::default();
        builder.begin("a").put("x", 1).end(Outcome::Committed);
        builder.begin("b").put("x", 2).end(Outcome::Committed);
        builder.begin("c").get("x", 2).get("x", 2).put("x", 3).end(Outcome::Committed);
        assert_eq!(
            told(&builder.finish())[0].what,
            "2 versions of 1 key were written by transactions that had not read the version before"
        );
        assert!(told(&HistoryBuilder::default().finish()).is_empty());
    }

    #[test]
    fn what_was_read_before_it_was_written_is_no_obstacle() {
        let mut builder = HistoryBuilder::default();
        builder.begin("a").get("x", None).put("x", 1).end(Outcome::Committed);
        builder.begin("b").get("x", 1).put("x", 2).end(Outcome::Committed);
        assert!(told(&builder.finish()).is_empty());
    }

    #[test]
    fn deletes_need_other_help() {
        let mut builder = HistoryBuilder::default();
        builder.begin("a").put("x", 1).end(Outcome::Committed);
        builder.begin("b").delete("x").end(Outcome::Committed);
        builder.begin("c").delete("x").end(Outcome::Committed);
        builder.begin("d").get("x", None).end(Outcome::Committed);
        let told = told(&builder.finish());
        assert!(told[0].help.starts_with("instead of deleting"), "{told:?}");
    }
}
