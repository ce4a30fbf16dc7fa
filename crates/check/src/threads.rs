//! Work on several threads, with results that do not depend on how many there are.
//!
//! ```text
//!   0..n ──► pieces ──► threads take the next piece when they are done ──► results, in order
//! ```
//!
//! What is small is done at once, on the thread that asks.

use std::num::NonZero;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// How many threads may work at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Threads {
    /// 0: as many as the machine runs at once.
    count: usize,
    /// Less than this is not worth a second thread.
    worth: usize,
}

/// So many transactions take about as long as it takes to start a thread, a hundred times over.
const WORTH: usize = 8192;

/// Pieces per thread: they do not all take equally long.
const PIECES: usize = 4;

impl Default for Threads {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Threads {
    /// So many; 0 stands for as many as the machine runs at once.
    pub(crate) fn new(count: usize) -> Self {
        Self { count, worth: WORTH }
    }

    /// The same, even if there is very little to do.
    #[cfg(test)]
    pub(crate) fn eager(count: usize) -> Self {
        Self { count, worth: 1 }
    }

    /// How many threads each of so many pieces of work gets if they run at the same time.
    pub(crate) fn shared_by(self, pieces: usize) -> usize {
        (self.resolved() / pieces.max(1)).max(1)
    }

    /// Does `work` on all of `0..length`, piece by piece; the results are in order.
    pub(crate) fn each<T: Send>(
        self,
        length: usize,
        work: impl Fn(Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        self.run(self.pieces(length), work)
    }

    /// Stretches of `0..length` that are worth a thread each; one if they are not.
    pub(crate) fn pieces(self, length: usize) -> Vec<Range<usize>> {
        let threads = if length < 2 * self.worth { 1 } else { self.resolved() };
        let pieces = if threads == 1 { 1 } else { (PIECES * threads).min(length / self.worth) };
        split(length, pieces)
    }

    /// As many stretches of `0..length` as there are threads, if everybody has to look at so many
    /// things to deal with those that concern it.
    pub(crate) fn shares(self, length: usize, things: usize) -> Vec<Range<usize>> {
        split(length, self.worth(things).resolved())
    }

    /// One thread, unless there are so many things to look at that more are worth it.
    pub(crate) fn worth(self, things: usize) -> Self {
        if things < 2 * self.worth { Self { count: 1, ..self } } else { self }
    }

    /// Does both.
    pub(crate) fn both<A: Send, B>(
        self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B,
    ) -> (A, B) {
        if self.resolved() == 1 {
            return (first(), second());
        }
        std::thread::scope(|scope| {
            let first = scope.spawn(first);
            let second = second();
            match first.join() {
                Ok(first) => (first, second),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Does `work` with every item; the results are in the items' order.
    pub(crate) fn run<I: Send, T: Send>(
        self,
        items: Vec<I>,
        work: impl Fn(I) -> T + Sync,
    ) -> Vec<T> {
        if items.len() < 2 {
            return items.into_iter().map(work).collect();
        }
        let threads = self.resolved().min(items.len());
        let waiting = Mutex::new(items.into_iter().enumerate());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let take = || {
            let mut done = Vec::new();
            while let Some((at, item)) = next() {
                done.push((at, work(item)));
            }
            done
        };
        let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
            let mut done = take();
            for other in others {
                match other.join() {
                    Ok(more) => done.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        });
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    }

    /// Sorts; what is equal cannot be told apart.
    pub(crate) fn sort<T: Ord + Send>(self, items: &mut [T]) {
        let pieces = self.pieces(items.len());
        if pieces.len() > 1 {
            let ends = pieces.iter().map(|piece| piece.end);
            self.run(cut(items, ends), <[T]>::sort_unstable);
        }
        // Sorted pieces are found again, and merged.
        items.sort();
    }

    fn resolved(self) -> usize {
        match self.count {
            0 => std::thread::available_parallelism().map_or(1, NonZero::get),
            count => count,
        }
    }
}

/// So many stretches, equally long as far as possible.
fn split(length: usize, pieces: usize) -> Vec<Range<usize>> {
    let at = |piece: usize| (length as u128 * piece as u128 / pieces as u128) as usize;
    (0..pieces).map(|piece| at(piece)..at(piece + 1)).collect()
}

/// Cuts a slice at ascending places.
pub(crate) fn cut<T>(mut items: &mut [T], ends: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let mut start = 0;
    let mut pieces = Vec::new();
    for end in ends {
        let (piece, rest) = items.split_at_mut(end - start);
        pieces.push(piece);
        (items, start) = (rest, end);
    }
    pieces
}

/// All parts, one after the other, in as little memory as that takes.
pub(crate) fn joined<T>(mut parts: Vec<Vec<T>>) -> Vec<T> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|mut part| all.append(&mut part));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        for count in 0..5 {
            for length in [0, 1, 2, 7, 1000] {
                let squares = |range: Range<usize>| range.map(|n| n * n).collect::<Vec<_>>();
                let all = joined(Threads::eager(count).each(length, squares));
                assert_eq!(all, (0..length).map(|n| n * n).collect::<Vec<_>>());
                let mut mixed: Vec<usize> = (0..length).map(|n| n * 7919 % 1009).collect();
                let mut sorted = mixed.clone();
                sorted.sort_unstable();
                Threads::eager(count).sort(&mut mixed);
                assert_eq!(mixed, sorted);
            }
            assert_eq!(Threads::eager(count).both(|| 1, || 2), (1, 2));
        }
    }

    #[test]
    fn little_work_is_one_piece() {
        assert_eq!(Threads::new(8).pieces(1000).len(), 1);
        assert_eq!(Threads::new(1).pieces(1 << 20).len(), 1);
        assert_eq!(Threads::new(2).pieces(1 << 20).len(), 8);
    }
}
