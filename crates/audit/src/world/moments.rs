//! When states were read: a transaction that begins after another one has read cannot read an older state.
//!
//! ```text
//!   R reads state 7    ├────┤
//!   T                           ├────┤  reads 7 or a later one
//! ```
//!
//! Both rules, for transactions that come later and for those that came before, are stairs: of several that say
//! the same only the strictest is kept.

use std::ops::RangeInclusive;

use super::row::Position;
use crate::model::Time;

/// States that were read, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Moments {
    /// A transaction that begins after this moment reads at least this state; both rise.
    lower_bounds: Vec<(Time, Position)>,
    /// A transaction that has read before this moment reads at most this state; both rise.
    upper_bounds: Vec<(Time, Position)>,
}

impl Moments {
    /// Notes that a transaction read one of these states between two moments.
    pub(crate) fn note(&mut self, begin: Time, by: Time, states: RangeInclusive<Position>) {
        let (state, newest) = states.into_inner();
        let place = self.lower_bounds.partition_point(|&(moment, _)| moment < by);
        let known = place.checked_sub(1).is_some_and(|before| self.lower_bounds[before].1 >= state);
        if !known {
            let end =
                self.lower_bounds.partition_point(|&(moment, old)| moment < by || old <= state);
            self.lower_bounds.splice(place..end.max(place), [(by, state)]);
        }
        let place = self.upper_bounds.partition_point(|&(moment, _)| moment <= begin);
        let known = self.upper_bounds.get(place).is_some_and(|&(_, other)| other <= newest);
        if !known {
            let first = self.upper_bounds[..place].partition_point(|&(_, other)| other < newest);
            self.upper_bounds.splice(first..place, [(begin, newest)]);
        }
    }

    /// The oldest state that a transaction may read if it begins at this moment.
    pub(crate) fn lower_bound(&self, begin: Time) -> Position {
        let place = self.lower_bounds.partition_point(|&(moment, _)| moment < begin);
        place.checked_sub(1).map_or(0, |before| self.lower_bounds[before].1)
    }

    /// The newest state that a transaction may have read by this moment.
    pub(crate) fn upper_bound(&self, by: Time) -> Position {
        let place = self.upper_bounds.partition_point(|&(moment, _)| moment <= by);
        self.upper_bounds.get(place).map_or(Position::MAX, |&(_, state)| state)
    }

    /// Forgets bounds that do not concern transactions that began at this moment or later.
    pub(crate) fn forget(&mut self, oldest: Time) {
        let over = self.lower_bounds.partition_point(|&(moment, _)| moment < oldest);
        self.lower_bounds.drain(..over.saturating_sub(1));
        let over = self.upper_bounds.partition_point(|&(moment, _)| moment < oldest);
        self.upper_bounds.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same with a list of everything.
    fn plain(all: &[(Time, Time, Position)], moment: Time) -> (Position, Position) {
        let lower_bound = all.iter().filter(|(_, by, _)| *by < moment).map(|r| r.2).max();
        let upper_bound = all.iter().filter(|(begin, ..)| *begin > moment).map(|r| r.2).min();
        (lower_bound.unwrap_or(0), upper_bound.unwrap_or(Position::MAX))
    }

    #[test]
    fn says_what_a_list_of_everything_says() {
        let mut seed = 7u64;
        let mut below = |most: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % most
        };
        for _ in 0..200 {
            let (mut moments, mut all) = (Moments::default(), Vec::new());
            for _ in 0..12 {
                let begin = i64::try_from(below(30)).expect("small");
                let by = begin + i64::try_from(below(10)).expect("small");
                let state = below(12);
                moments.note(begin, by, state..=state);
                all.push((begin, by, state));
                for moment in 0..45 {
                    let said = (moments.lower_bound(moment), moments.upper_bound(moment));
                    assert_eq!(said, plain(&all, moment), "{all:?} at {moment}");
                }
            }
        }
    }
}
