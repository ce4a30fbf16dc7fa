//! Where the lines of a log are that are needed again after a restart.

use std::collections::VecDeque;

/// Places of lines, and which transactions were read from them.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Of the first line of the log.
    pub(super) first: Option<u64>,
    /// The places, in bytes, of the lines from `from` on, and behind them the place of the next one.
    offsets: VecDeque<u64>,
    /// How many lines come before those of `offsets`.
    from: u64,
    /// How many bytes were read.
    read: u64,
    /// Transactions that were handed on, with the last line by then.
    seen: VecDeque<(u64, u64)>,
}

impl Lines {
    /// Lines behind others that were read before.
    pub(super) fn behind(lines: u64, offset: u64, first: u64) -> Self {
        Self { first: Some(first), from: lines, read: offset, ..Self::default() }
    }

    /// Takes note of the next line.
    pub(super) fn add(&mut self, length: usize) {
        self.offsets.push_back(self.read);
        self.read += length as u64;
    }

    /// Takes note of a transaction all of whose lines are not behind this one.
    pub(super) fn note(&mut self, txn: u64, line: u64) {
        self.seen.push_back((txn, line));
    }

    /// Forgets what is before a line.
    pub(super) fn forget_before(&mut self, line: u64) {
        while self.from + 1 < line && self.offsets.pop_front().is_some() {
            self.from += 1;
        }
        self.seen.retain(|&(_, last)| last >= line);
    }

    /// How many bytes come before a line.
    pub(super) fn offset(&self, line: u64) -> u64 {
        let place = line.saturating_sub(self.from + 1);
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        self.offsets.get(place).copied().unwrap_or(self.read)
    }

    /// The transactions with lines behind this one, but for some.
    pub(super) fn seen_behind(&self, line: u64, but: impl Fn(u64) -> bool) -> Vec<u64> {
        let behind = self.seen.iter().filter(|&&(_, last)| last >= line);
        behind.map(|&(txn, _)| txn).filter(|txn| !but(*txn)).collect()
    }
}
