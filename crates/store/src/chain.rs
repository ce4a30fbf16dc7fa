//! The versions of one key.
//!
//! ```text
//!   time     0    1    2    3    4    5
//!   content  ─────┬─ a ─────┬─ b ──────►      at(2) = a, before(4) = a, changed_after(2)
//! ```
//!
//! Content that was there before the first version is the default: no value, or an empty list.

/// The versions of one key that a transaction may still read.
#[derive(Debug)]
pub(crate) struct Chain<T> {
    latest: Version<T>,
    /// Versions before the latest one, oldest first.
    older: Vec<Version<T>>,
}

/// What a key holds from a commit on.
#[derive(Clone, Copy, Debug)]
struct Version<T> {
    since: u64,
    content: T,
}

impl<T: Copy + Default> Chain<T> {
    /// A chain of one version.
    pub(crate) fn new(since: u64, content: T) -> Self {
        Self { latest: Version { since, content }, older: Vec::new() }
    }

    /// Whether the key was written after a time.
    pub(crate) fn changed_after(&self, time: u64) -> bool {
        self.latest.since > time
    }

    /// The newest content.
    pub(crate) fn newest(&self) -> T {
        self.latest.content
    }

    /// The content at a time.
    pub(crate) fn at(&self, time: u64) -> T {
        self.existing_at(time).next().unwrap_or_default()
    }

    /// The content of the version before the one at a time; `None` if there was no version then.
    pub(crate) fn before(&self, time: u64) -> Option<T> {
        let mut versions = self.existing_at(time);
        versions.next()?;
        Some(versions.next().unwrap_or_default())
    }

    /// Adds a version. No transaction reads at times before `oldest` any more; the version of that
    /// time is kept, and the one before it, which a stale read may return.
    pub(crate) fn install(&mut self, since: u64, content: T, oldest: u64) {
        let existing = self.older.partition_point(|version| version.since <= oldest);
        let existing = existing + usize::from(!self.changed_after(oldest));
        self.older.drain(..existing.saturating_sub(2));
        self.older.push(self.latest);
        self.latest = Version { since, content };
    }

    /// What the versions that existed at a time contain, newest first.
    fn existing_at(&self, time: u64) -> impl Iterator<Item = T> {
        let all = std::iter::once(&self.latest).chain(self.older.iter().rev());
        all.skip_while(move |version| version.since > time).map(|version| version.content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_has_its_version() {
        let mut chain = Chain::new(2, Some(2));
        for time in [4, 6] {
            chain.install(time, Some(time), 0);
        }
        let held = |time| chain.at(time);
        assert_eq!([1, 2, 3, 4, 9].map(held), [None, Some(2), Some(2), Some(4), Some(6)]);
        assert_eq!([5, 3, 1].map(|time| chain.before(time)), [Some(Some(2)), Some(None), None]);
        assert!(chain.changed_after(5) && !chain.changed_after(6));
    }

    #[test]
    fn versions_that_no_transaction_can_read_are_dropped() {
        let mut chain = Chain::new(0, Some(0));
        for time in 1..=100_u64 {
            chain.install(time, Some(time), time.saturating_sub(5));
        }
        assert!(chain.older.len() < 10);
        assert_eq!((chain.at(95), chain.before(95)), (Some(95), Some(Some(94))));
    }
}
