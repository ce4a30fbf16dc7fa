//! The versions of one key.

use tristan_history::ValueId;

/// Versions of a key, as far as somebody may still see them.
#[derive(Debug, Default)]
pub(super) struct Chain {
    latest: Version,
    /// Versions before the latest one, oldest first.
    older: Vec<Version>,
    /// All elements that were ever appended: a version of a list is a part of it, from its start.
    list: Vec<ValueId>,
}

/// What a key holds from a commit on.
#[derive(Clone, Copy, Debug, Default)]
struct Version {
    /// The number of commits up to and including the one that wrote it.
    since: usize,
    content: Content,
}

/// What a version is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Content {
    #[default]
    Absent,
    Value(ValueId),
    /// So many elements of the list.
    List(usize),
}

impl Chain {
    /// Whether the key was written after so many commits.
    pub(super) fn changed_after(&self, time: usize) -> bool {
        self.latest.since > time
    }

    /// The value after so many commits.
    pub(super) fn value_at(&self, time: usize) -> Option<ValueId> {
        match self.at(time) {
            Content::Value(value) => Some(value),
            Content::Absent | Content::List(_) => None,
        }
    }

    /// The list after so many commits.
    pub(super) fn list_at(&self, time: usize) -> &[ValueId] {
        match self.at(time) {
            Content::List(length) => &self.list[..length],
            Content::Absent | Content::Value(_) => &[],
        }
    }

    /// Adds a version. Nobody looks at times before `oldest` any more.
    pub(super) fn install(&mut self, since: usize, content: Content, oldest: usize) {
        if self.latest.since > oldest {
            let unseen = self.older.partition_point(|version| version.since <= oldest);
            self.older.drain(..unseen.saturating_sub(1));
        } else {
            self.older.clear();
        }
        if self.latest.since > 0 {
            self.older.push(self.latest);
        }
        self.latest = Version { since, content };
    }

    /// Adds a version with more elements. Nobody looks at times before `oldest` any more.
    pub(super) fn append(&mut self, since: usize, elements: &[ValueId], oldest: usize) {
        self.list.extend_from_slice(elements);
        self.install(since, Content::List(self.list.len()), oldest);
    }

    fn at(&self, time: usize) -> Content {
        if self.latest.since <= time {
            return self.latest.content;
        }
        let seen = self.older.iter().rev().find(|version| version.since <= time);
        seen.map_or(Content::Absent, |version| version.content)
    }
}
