//! Hints: what a recorder that looked inside the database says, as far as it does not contradict
//! itself or the trace.
//!
//! Nothing here is taken for granted. Hints become assumptions under which a witness is looked for
//! first, by the pass `hints`.

use rustc_hash::FxHashMap;
use tristan_history::{History, KeyId, StampHint, TxnId};

use super::Asg;

/// A hint that the second of two transactions installed its version of a key later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Before {
    pub(crate) key: KeyId,
    /// The earlier one.
    pub(crate) first: TxnId,
    /// The later one.
    pub(crate) second: TxnId,
    /// The line that says so.
    pub(crate) line: u32,
}

/// The usable hints of a trace.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// Where reads came from, by transaction, operation and key; with the line that says so.
    pub(crate) sources: FxHashMap<(TxnId, u32, KeyId), (Option<TxnId>, u32)>,
    /// Orders of versions.
    pub(crate) orders: Vec<Before>,
    /// Logical times.
    pub(crate) stamps: FxHashMap<TxnId, StampHint>,
    /// What was left out, and why: both places are named.
    pub(crate) contradictions: Vec<String>,
}

impl Hints {
    /// Collects the hints of a trace.
    pub(super) fn collect(asg: &Asg<'_>) -> Self {
        let mut hints = Self::default();
        hints.collect_stamps(asg.history);
        hints.collect_orders(asg.history);
        hints.collect_sources(asg);
        hints
    }

    /// Whether there is nothing to go by.
    pub(crate) fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.orders.is_empty() && self.stamps.is_empty()
    }

    fn collect_stamps(&mut self, history: &History) {
        for &stamp in &history.hints.stamps {
            let known = self.stamps.entry(stamp.txn).or_insert(stamp);
            let differ = |a: Option<i64>, b: Option<i64>| a.is_some() && b.is_some() && a != b;
            if differ(known.start, stamp.start) || differ(known.commit, stamp.commit) {
                let what = format!("give {} different times", history.label(stamp.txn));
                self.contradictions.push(lines(known.line, stamp.line, &what));
                continue;
            }
            known.start = known.start.or(stamp.start);
            known.commit = known.commit.or(stamp.commit);
        }
    }

    fn collect_orders(&mut self, history: &History) {
        let mut said: FxHashMap<(KeyId, TxnId, TxnId), u32> = FxHashMap::default();
        for hint in &history.hints.orders {
            for pair in hint.writers.windows(2) {
                let (first, second, line) = (pair[0], pair[1], hint.line);
                let opposite = said.get(&(hint.key, second, first)).copied();
                let clock = self.commits_backwards(first, second);
                if let Some(other) = opposite.or(clock) {
                    let (a, b) = (history.label(first), history.label(second));
                    let what =
                        format!("order {a} and {b} differently on {}", history.key(hint.key));
                    self.contradictions.push(lines(other, line, &what));
                } else if first != second {
                    said.insert((hint.key, first, second), line);
                    self.orders.push(Before { key: hint.key, first, second, line });
                }
            }
        }
    }

    /// The line whose commit times say that the first came later.
    fn commits_backwards(&self, first: TxnId, second: TxnId) -> Option<u32> {
        let (first, second) = (self.stamps.get(&first)?, self.stamps.get(&second)?);
        (first.commit? > second.commit?).then_some(second.line)
    }

    fn collect_sources(&mut self, asg: &Asg<'_>) {
        let history = asg.history;
        for hint in &history.hints.sources {
            let place = (hint.op.txn, hint.op.op, hint.key);
            let reader = history.label(hint.op.txn);
            if let Some(&(from, line)) = self.sources.get(&place) {
                if from != hint.from {
                    let what = format!("give a read of {reader} different sources");
                    self.contradictions.push(lines(line, hint.line, &what));
                }
                continue;
            }
            if let Some(line) = self.reads_the_future(hint.op.txn, hint.from) {
                let what = format!("let {reader} read what was committed after it started");
                self.contradictions.push(lines(line, hint.line, &what));
                continue;
            }
            self.sources.insert(place, (hint.from, hint.line));
        }
    }

    /// The line whose times say that the source committed after the reader's snapshot.
    fn reads_the_future(&self, reader: TxnId, from: Option<TxnId>) -> Option<u32> {
        let (reader, writer) = (self.stamps.get(&reader)?, self.stamps.get(&from?)?);
        (writer.commit? > reader.start?).then_some(writer.line)
    }
}

fn lines(a: u32, b: u32, what: &str) -> String {
    format!("lines {} and {} {what}", a.min(b), a.max(b))
}
