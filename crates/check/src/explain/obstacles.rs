//! Why a trace is hard to decide, and what would have to be recorded to make it easy.
//!
//! Two things are open in a trace: which write a read saw, and the order in which versions were installed.
//! The first is open where values repeat, or where a read found nothing and there are several deletes; the
//! second where nobody read a version before overwriting it. Times settle most of both, and a transaction
//! of unknown outcome leaves more of both open.

use rustc_hash::FxHashMap;

use tristan_history::{KeyId, Outcome};
use tristan_verdict::Obstacle;

use super::coverage::spans;
use crate::asg::{Asg, Seen};

/// How many keys are named.
const KEYS: usize = 3;

/// What stood in the way, the greatest obstacle first.
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
            what: "not every transaction has times".to_owned(),
            help: "record when each transaction begins and ends: Tristan then tries the order in which \
                   transactions ended before any other"
                .to_owned(),
        });
    }
    let unknown = asg.history.txns.iter().filter(|txn| txn.outcome == Outcome::Unknown).count();
    if unknown > 0 {
        let all = asg.history.txns.len();
        found.push(Obstacle {
            what: format!("{unknown} of {all} transactions have an unknown outcome"),
            help: "record whether they committed".to_owned(),
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
            let mut sources = 0;
            asg.for_each_source(&read, |_| sources += 1);
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
            true => {
                "mark keys as deleted with a value that never repeats, instead of deleting them"
            }
            false => "write values that never repeat, at least to these keys",
        };
        Obstacle {
            what: format!(
                "{} of {} reads could have seen any of several writes ({} on average), most of all reads \
                 of {}",
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
                "{} ({}, {} writes each)",
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

/// Versions in an order that no read shows.
fn unordered(asg: &Asg<'_>) -> Option<Obstacle> {
    let keys = (0..asg.history.keys.len()).map(KeyId::new);
    let writers = keys.map(|key| asg.writers_of(key).count());
    let open: Vec<usize> = writers.filter(|&writers| writers > 1).collect();
    let versions: usize = open.iter().sum();
    (versions > 0).then(|| Obstacle {
        what: format!(
            "nothing shows in which order {versions} versions of {} were installed",
            counted(open.len(), "key")
        ),
        help: "read a key before writing it in the same transaction: that fixes the order of its versions"
            .to_owned(),
    })
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
            "1 of 2 reads could have seen any of several writes (3 on average), most of all reads of x \
             (1 read, 3 writes each)"
        );
        assert!(told[0].help.starts_with("write values"), "{told:?}");
        assert_eq!(told[1].what, "not every transaction has times");
        assert_eq!(told[2].what, "1 of 5 transactions have an unknown outcome");
    }

    #[test]
    fn without_ambiguous_reads_only_the_order_is_open() {
        let mut builder = HistoryBuilder::default();
        builder.begin("a").put("x", 1).end(Outcome::Committed);
        builder.begin("b").put("x", 2).end(Outcome::Committed);
        assert!(told(&HistoryBuilder::default().finish()).is_empty());
        let told = told(&builder.finish());
        assert_eq!(told[0].what, "nothing shows in which order 2 versions of 1 key were installed");
    }

    #[test]
    fn deletes_need_other_help() {
        let mut builder = HistoryBuilder::default();
        builder.begin("a").put("x", 1).end(Outcome::Committed);
        builder.begin("b").delete("x").end(Outcome::Committed);
        builder.begin("c").delete("x").end(Outcome::Committed);
        builder.begin("d").get("x", None).end(Outcome::Committed);
        let told = told(&builder.finish());
        assert!(told[0].help.starts_with("mark keys as deleted"), "{told:?}");
    }
}
