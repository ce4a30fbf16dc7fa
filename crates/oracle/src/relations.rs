//! Relations over at most eight transactions: one byte of successors per transaction.

/// How many transactions the oracle can hold at once.
pub(crate) const MAX_TXNS: usize = 8;

/// A set of transactions.
pub(crate) type Set = u8;

/// The members of a set, in ascending order.
pub(crate) fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..MAX_TXNS).filter(move |&txn| set >> txn & 1 == 1)
}

/// The set of the first `count` transactions.
pub(crate) fn first(count: usize) -> Set {
    if count >= MAX_TXNS { Set::MAX } else { (1 << count) - 1 }
}

/// A binary relation on transactions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rel {
    rows: [Set; MAX_TXNS],
}

impl Rel {
    /// Adds a pair.
    pub(crate) fn add(&mut self, from: usize, to: usize) {
        self.rows[from] |= 1 << to;
    }

    /// Whether the pair is in the relation.
    pub(crate) fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from] >> to & 1 == 1
    }

    /// Everything `from` is related to.
    pub(crate) fn row(&self, from: usize) -> Set {
        self.rows[from]
    }

    /// Relates `from` to every member of `to`.
    pub(crate) fn add_all(&mut self, from: usize, to: Set) {
        self.rows[from] |= to;
    }

    /// Pairs of either relation.
    pub(crate) fn or(mut self, other: Self) -> Self {
        for (row, more) in self.rows.iter_mut().zip(other.rows) {
            *row |= more;
        }
        self
    }

    /// First this relation, then the other.
    pub(crate) fn then(&self, other: &Self) -> Self {
        let mut out = Self::default();
        for (from, &middle) in self.rows.iter().enumerate() {
            for step in members(middle) {
                out.rows[from] |= other.rows[step];
            }
        }
        out
    }

    /// The pairs turned round.
    pub(crate) fn turned(&self) -> Self {
        let mut out = Self::default();
        for (from, &row) in self.rows.iter().enumerate() {
            for to in members(row) {
                out.add(to, from);
            }
        }
        out
    }

    /// The pairs that start in `from` and end in `to`.
    pub(crate) fn between(mut self, from: Set, to: Set) -> Self {
        for (txn, row) in self.rows.iter_mut().enumerate() {
            *row = if from >> txn & 1 == 1 { *row & to } else { 0 };
        }
        self
    }

    /// The transitive closure.
    pub(crate) fn closure(mut self) -> Self {
        for middle in 0..MAX_TXNS {
            let reach = self.rows[middle];
            for row in &mut self.rows {
                if *row >> middle & 1 == 1 {
                    *row |= reach;
                }
            }
        }
        self
    }

    /// Whether nothing is related to itself.
    pub(crate) fn irreflexive(&self) -> bool {
        self.rows.iter().enumerate().all(|(txn, row)| row >> txn & 1 == 0)
    }

    /// Whether no chain of pairs leads back to its start.
    pub(crate) fn acyclic(&self) -> bool {
        self.closure().irreflexive()
    }

    /// Whether every pair is also in `other`.
    pub(crate) fn within(&self, other: &Self) -> bool {
        self.rows.iter().zip(other.rows).all(|(row, more)| row & !more == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_closes_and_a_loop_is_found() {
        let mut chain = Rel::default();
        chain.add(0, 1);
        chain.add(1, 2);
        assert!(chain.closure().has(0, 2) && chain.acyclic());
        assert!(chain.then(&chain).has(0, 2) && !chain.has(0, 2));
        chain.add(2, 0);
        assert!(!chain.acyclic() && chain.irreflexive());
        assert!(chain.turned().has(0, 2));
    }
}
