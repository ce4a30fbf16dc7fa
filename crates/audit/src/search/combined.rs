//! What a query answers on all versions that its rows may have had, for people.

use std::fmt;

use tristan_verdict::audit::Told;

/// The answers of a query over all combinations of versions that its rows may have had. None of them is the one of the
/// log.
#[derive(Clone, Debug)]
pub(crate) struct Combined {
    /// The step that is the query.
    pub(crate) step: usize,
    /// Some of the answers, each once.
    pub(crate) answers: Vec<Told>,
    /// Whether there are more.
    pub(crate) cut: bool,
    /// How many rows may have had several versions.
    pub(crate) open: usize,
    /// How many combinations there are of these.
    pub(crate) combinations: usize,
}

impl Combined {
    /// How many different answers are kept.
    pub(crate) const KEPT: usize = 64;

    /// How many of them are shown to people.
    pub(crate) const SHOWN: usize = 4;
}

impl fmt::Display for Combined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { answers, cut, open, combinations, .. } = self;
        match open {
            0 => {
                return f.write_str(
                    "Each row that the query may have read had only one possible version, and the query returns a \
                     different answer for these versions.",
                );
            }
            1 => write!(
                f,
                "One of the rows that the query may have read has {combinations} possible versions. None of them gives \
                 this answer"
            )?,
            _ => write!(
                f,
                "Of the rows that the query may have read, {open} have several possible versions. None of the \
                 {combinations} combinations gives this answer"
            )?,
        }
        let (many, least) = (answers.len(), if *cut { "at least " } else { "" });
        match many > Self::SHOWN {
            true => {
                write!(
                    f,
                    "; they give {least}{many} different answers, of which {} are shown.",
                    Self::SHOWN
                )
            }
            false => f.write_str("."),
        }
    }
}
