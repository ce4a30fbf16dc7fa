//! The versions of one key, oldest first.

/// What a key holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Content {
    #[default]
    Absent,
    Value(i64),
    List(Vec<i64>),
}

impl Content {
    /// The value, if it is one.
    pub(super) fn value(&self) -> Option<i64> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Absent | Self::List(_) => None,
        }
    }

    /// The elements, if it is a list.
    pub(super) fn elements(&self) -> &[i64] {
        match self {
            Self::List(elements) => elements,
            Self::Absent | Self::Value(_) => &[],
        }
    }
}

/// The versions of one key, each with the time from which on it was there.
#[derive(Debug, Default)]
pub(super) struct Chain {
    versions: Vec<(u64, Content)>,
}

impl Chain {
    /// What the key held at a time.
    pub(super) fn at(&self, time: u64) -> &Content {
        self.content(self.seen_at(time))
    }

    /// What it held before that, if that is known.
    pub(super) fn before(&self, time: u64) -> Option<&Content> {
        let seen = self.seen_at(time);
        (seen > 0).then(|| self.content(seen - 1))
    }

    /// Whether it was written after a time.
    pub(super) fn changed_after(&self, time: u64) -> bool {
        self.versions.last().is_some_and(|(since, _)| *since > time)
    }

    /// Adds a version, and forgets those that nobody can see who started at `oldest` or later,
    /// except for one that a stale read may return.
    pub(super) fn install(&mut self, since: u64, content: Content, oldest: u64) {
        let unseen = self.seen_at(oldest).saturating_sub(2);
        self.versions.drain(..unseen);
        self.versions.push((since, content));
    }

    /// How many versions were there at a time.
    fn seen_at(&self, time: u64) -> usize {
        self.versions.partition_point(|(since, _)| *since <= time)
    }

    /// The last of so many versions.
    fn content(&self, count: usize) -> &Content {
        const ABSENT: &Content = &Content::Absent;
        count.checked_sub(1).map_or(ABSENT, |place| &self.versions[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_sees_its_version() {
        let mut chain = Chain::default();
        for time in [2, 4, 6] {
            chain.install(time, Content::Value(time as i64), 0);
        }
        let seen = |time| chain.at(time).value();
        assert_eq!([1, 2, 3, 4, 9].map(seen), [None, Some(2), Some(2), Some(4), Some(6)]);
        assert_eq!(chain.before(5), Some(&Content::Value(2)));
        assert_eq!((chain.before(3), chain.before(1)), (Some(&Content::Absent), None));
        assert!(chain.changed_after(5) && !chain.changed_after(6));
    }

    #[test]
    fn versions_that_nobody_sees_are_forgotten() {
        let mut chain = Chain::default();
        for time in 1..=100 {
            chain.install(time, Content::Value(time as i64), time.saturating_sub(5));
        }
        assert!(chain.versions.len() < 10);
        assert_eq!(chain.at(95), &Content::Value(95));
        assert_eq!(chain.before(95), Some(&Content::Value(94)));
    }
}
