//! What is wrong in a file: its bytes, something in a frame, or something in a row.

use super::ipc::Broken;
use super::ipc::schema::Refused;
use crate::TraceError;
use crate::error::Problem;

/// What is wrong, and where.
#[derive(Debug)]
pub(super) enum Wrong {
    /// The bytes of the frame make no sense.
    Broken,
    /// Something in the frame.
    Frame(Problem),
    /// Something in a row, counted from 1.
    Row(u32, Problem),
}

impl Wrong {
    /// Puts a problem into a row, counted from 0.
    pub(super) fn row(row: usize) -> impl Fn(Problem) -> Self {
        move |problem| Self::Row(u32::try_from(row + 1).unwrap_or(u32::MAX), problem)
    }

    /// The same as an error about a file, in a frame that starts at this offset.
    pub(super) fn at(self, file: &str, offset: u64) -> TraceError {
        match self {
            Self::Broken => {
                TraceError::bytes(file, offset, "a broken frame", "a frame of an Arrow file")
            }
            Self::Frame(problem) => {
                TraceError::bytes(file, offset, &problem.found, &problem.expected)
            }
            Self::Row(row, problem) => problem.at(file, row),
        }
    }
}

impl From<Problem> for Wrong {
    fn from(problem: Problem) -> Self {
        Self::Frame(problem)
    }
}

impl From<Broken> for Wrong {
    fn from(_: Broken) -> Self {
        Self::Broken
    }
}

impl From<Refused> for Wrong {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Broken => Self::Broken,
            Refused::Unsupported(what) => Self::Frame(Problem::new(what, SUPPORTED)),
        }
    }
}

const SUPPORTED: &str = "a table without compression, of integers, booleans, strings, bytes, lists, structs and dictionaries";
