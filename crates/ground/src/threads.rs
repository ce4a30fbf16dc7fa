//! Work on several threads, with results that do not depend on how many there are.
//!
//! ```text
//!   0..n ──► pieces ──► threads take the next piece when they are done ──► results, in order
//! ```
//!
//! The threads are those of rayon's pool, which start once per process; [`Threads`] limits how many
//! of them work on one task. The caller always takes part, so nested work never deadlocks; but a caller
//! outside the pool returns only after a worker has picked up each of its pieces, and so may wait for the
//! current piece of another task. Small tasks run on the calling thread alone.
//!
//! A worker that waits runs other tasks in the meantime. Work must therefore not hold a lock while
//! it calls anything here.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

/// How many threads may work at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// 0: as many as the machine runs at once.
    count: usize,
    /// Less than this is not worth a second thread.
    worth: usize,
}

/// The number of transactions from which a second thread pays.
const WORTH: usize = 8192;

/// Pieces per thread: they do not all take equally long.
const PIECES: usize = 4;

impl Default for Threads {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Threads {
    /// At most `count` threads; 0 stands for as many as the machine runs at once.
    pub fn new(count: usize) -> Self {
        Self { count, worth: WORTH }
    }

    /// The same, even if there is very little to do. For tests of parallel code on small inputs.
    pub fn eager(count: usize) -> Self {
        Self { count, worth: 1 }
    }

    /// How many threads each of so many pieces of work gets if they run at the same time.
    pub fn shared_by(self, pieces: usize) -> usize {
        (self.resolved() / pieces.max(1)).max(1)
    }

    /// Does `work` on all of `0..length`, piece by piece; the results are in order.
    pub fn each<T: Send>(self, length: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
        self.run(self.pieces(length), work)
    }

    /// Ranges that cover `0..length` and are worth a thread each; a single one if none are.
    pub fn pieces(self, length: usize) -> Vec<Range<usize>> {
        let threads = if length < 2 * self.worth { 1 } else { self.resolved() };
        let pieces = if threads == 1 { 1 } else { (PIECES * threads).min(length / self.worth) };
        split(length, pieces)
    }

    /// As many ranges that cover `0..length` as there are threads, for work in which every thread
    /// reads all `things` to find those in its range.
    pub fn shares(self, length: usize, things: usize) -> Vec<Range<usize>> {
        split(length, self.worth(things).resolved())
    }

    /// One thread, unless there are so many things to look at that more are worth it.
    pub fn worth(self, things: usize) -> Self {
        if things < 2 * self.worth { Self { count: 1, ..self } } else { self }
    }

    /// Runs both closures, at the same time if more than one thread may work.
    pub fn both<A: Send, B>(
        self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B,
    ) -> (A, B) {
        if self.resolved() == 1 {
            return (first(), second());
        }
        let slot = Mutex::new(None);
        let second = rayon::in_place_scope(|scope| {
            scope.spawn(|_| *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(first()));
            second()
        });
        let first = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        // A scope ends when all that it spawned has ended, and passes a panic on.
        (first.unwrap_or_else(|| unreachable!("the scope has ended")), second)
    }

    /// Does `work` with every item; the results are in the items' order.
    pub fn run<I: Send, T: Send>(self, items: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
        let threads = self.resolved().min(items.len());
        if threads < 2 {
            return items.into_iter().map(work).collect();
        }
        let waiting = Mutex::new(items.into_iter().enumerate());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let all = Mutex::new(Vec::new());
        let take = || {
            let mut done = Vec::new();
            while let Some((at, item)) = next() {
                done.push((at, work(item)));
            }
            all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut done);
        };
        rayon::in_place_scope(|scope| {
            (1..threads).for_each(|_| scope.spawn(|_| take()));
            take();
        });
        let mut all: Vec<(usize, T)> = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_unstable_by_key(|(at, _)| *at);
        all.into_iter().map(|(_, result)| result).collect()
    }

    /// Sorts; what is equal cannot be told apart.
    pub fn sort<T: Ord + Send>(self, items: &mut [T]) {
        let pieces = self.pieces(items.len());
        if pieces.len() > 1 {
            let ends = pieces.iter().map(|piece| piece.end);
            self.run(cut(items, ends), <[T]>::sort_unstable);
        }
        // Sorted pieces are found again, and merged.
        items.sort();
    }

    /// The number of threads that this stands for.
    pub fn resolved(self) -> usize {
        match self.count {
            0 => available(),
            count => count,
        }
    }
}

/// How many threads the machine runs at once. Asking the system reads several files, so it is asked
/// once.
fn available() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// `pieces` ranges that cover `0..length`, equally long as far as possible.
fn split(length: usize, pieces: usize) -> Vec<Range<usize>> {
    let at = |piece: usize| (length as u128 * piece as u128 / pieces as u128) as usize;
    (0..pieces).map(|piece| at(piece)..at(piece + 1)).collect()
}

/// Cuts a slice at ascending places.
pub fn cut<T>(mut items: &mut [T], ends: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
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
pub fn joined<T>(mut parts: Vec<Vec<T>>) -> Vec<T> {
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
