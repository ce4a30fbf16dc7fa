//! Settings with a few values, and the words for them.

use crate::error::ContentError;
use tristan_history::{Clock, KeyOrder, OwnWrites, Presence};

/// A setting: the name of its field, and a word for each value.
pub(crate) struct Choice<T: 'static> {
    field: &'static str,
    words: &'static [(&'static str, T)],
}

/// Whether transactions left open at the end surely did not commit.
pub(crate) const OPEN: Choice<bool> =
    Choice { field: "open", words: &[("unknown", false), ("aborted", true)] };

/// What reads return of keys that their own transaction has written.
pub(crate) const OWN: Choice<OwnWrites> = Choice {
    field: "own",
    words: &[
        (OwnWrites::Must.name(), OwnWrites::Must),
        (OwnWrites::External.name(), OwnWrites::External),
        (OwnWrites::May.name(), OwnWrites::May),
    ],
};

/// How keys are ordered.
pub(crate) const ORDER: Choice<KeyOrder> = Choice {
    field: "order",
    words: &[("bytes", KeyOrder::Bytes), ("ignore-case", KeyOrder::IgnoreCase)],
};

/// What times are.
pub(crate) const TIMES: Choice<Clock> = Choice {
    field: "times",
    words: &[("nanoseconds", Clock::Nanoseconds), ("order", Clock::Ordinal)],
};

/// When a conditional write happens.
pub(crate) const CONDITION: Choice<Presence> =
    Choice { field: "if", words: &[("present", Presence::Present), ("absent", Presence::Absent)] };

impl<T: Copy + PartialEq> Choice<T> {
    /// The value that a word stands for.
    pub(crate) fn read(&self, word: &str) -> Result<T, ContentError> {
        let known = self.words.iter().find(|(known, _)| *known == word);
        known.map(|(_, value)| *value).ok_or_else(|| {
            ContentError::new(format!("\"{word}\" in \"{}\"", self.field), self.expected())
        })
    }

    /// The word for a value.
    pub(crate) fn word(&self, value: T) -> Option<&'static str> {
        self.words.iter().find(|(_, known)| *known == value).map(|(word, _)| *word)
    }

    fn expected(&self) -> String {
        let quoted: Vec<String> =
            self.words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        match quoted.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

impl<T: Copy + PartialEq + Default> Choice<T> {
    /// The value that a word stands for, or the usual one if there is no word.
    pub(crate) fn read_or_usual(&self, word: Option<&str>) -> Result<T, ContentError> {
        word.map_or_else(|| Ok(T::default()), |word| self.read(word))
    }

    /// The word for a value that is not the usual one.
    pub(crate) fn unusual(&self, value: T) -> Option<&'static str> {
        self.word(value).filter(|_| value != T::default())
    }
}
