//! Relations between things that are numbered from zero: one word of successors each.

/// A relation; rows may outnumber columns and the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    rows: Vec<u64>,
    columns: usize,
}

impl Matrix {
    /// The empty relation.
    pub(super) fn none(rows: usize, columns: usize) -> Self {
        Self { rows: vec![0; rows], columns }
    }

    /// The relation with exactly the pairs that `holds`.
    pub(super) fn of(rows: usize, columns: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let row =
            |from| (0..columns).filter(|&to| holds(from, to)).fold(0, |row, to| row | 1 << to);
        Self { rows: (0..rows).map(row).collect(), columns }
    }

    pub(super) fn add(&mut self, from: usize, to: usize) {
        self.rows[from] |= 1 << to;
    }

    pub(super) fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from] >> to & 1 == 1
    }

    /// Combines two relations pair by pair.
    pub(super) fn zip(mut self, other: &Self, with: impl Fn(u64, u64) -> u64) -> Self {
        for (row, &more) in self.rows.iter_mut().zip(&other.rows) {
            *row = with(*row, more);
        }
        self
    }

    /// First this relation, then the other.
    pub(super) fn then(&self, other: &Self) -> Self {
        let reached = |&row: &u64| {
            let middles =
                other.rows.iter().enumerate().filter(|(middle, _)| row >> middle & 1 == 1);
            middles.fold(0, |reached, (_, &onwards)| reached | onwards)
        };
        Self { rows: self.rows.iter().map(reached).collect(), columns: other.columns }
    }

    pub(super) fn turned(&self) -> Self {
        Self::of(self.columns, self.rows.len(), |from, to| self.has(to, from))
    }

    /// The relation or the identity.
    pub(super) fn or_same(&self) -> Self {
        Self::of(self.rows.len(), self.columns, |from, to| from == to || self.has(from, to))
    }

    /// The transitive closure.
    pub(super) fn closure(&self) -> Self {
        let mut closed = self.clone();
        loop {
            let longer = closed.then(self).zip(&closed, |new, old| new | old);
            if longer == closed {
                return closed;
            }
            closed = longer;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    pub(super) fn irreflexive(&self) -> bool {
        (0..self.rows.len()).all(|one| !self.has(one, one))
    }

    pub(super) fn within(&self, other: &Self) -> bool {
        self.clone().zip(other, |row, more| row & !more).is_empty()
    }

    /// Whether it relates every two different things in one direction at least.
    pub(super) fn total(&self) -> bool {
        let pairs = (0..self.rows.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.into_iter().all(|(a, b)| self.has(a, b) || self.has(b, a))
    }

    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let all = (0..self.rows.len()).flat_map(|from| (0..self.columns).map(move |to| (from, to)));
        all.filter(|&(from, to)| self.has(from, to)).collect()
    }
}
