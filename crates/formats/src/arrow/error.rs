//! What is wrong in a file: its bytes, something in a frame, or something in a row.

use super::ipc::FlatbufferError;
use super::ipc::schema::SchemaError;
use crate::TraceError;
use crate::error::ContentError;

/// What is wrong, and where.
#[derive(Debug)]
pub(super) enum ArrowError {
    /// The bytes of the frame make no sense.
    Broken,
    /// Something in the frame.
    Frame(ContentError),
    /// Something in a row, counted from 1.
    Row(u32, ContentError),
}

impl ArrowError {
    /// Puts a problem into a row, counted from 0.
    pub(super) fn row(row: usize) -> impl Fn(ContentError) -> Self {
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

impl From<ContentError> for ArrowError {
    fn from(problem: ContentError) -> Self {
        Self::Frame(problem)
    }
}

impl From<FlatbufferError> for ArrowError {
    fn from(_: FlatbufferError) -> Self {
        Self::Broken
    }
}

impl From<SchemaError> for ArrowError {
    fn from(error: SchemaError) -> Self {
        match error {
            SchemaError::Broken => Self::Broken,
            SchemaError::Unsupported(what) => Self::Frame(ContentError::new(what, SUPPORTED)),
        }
    }
}

const SUPPORTED: &str = "a table without compression, of integers, booleans, strings, bytes, lists, structs and dictionaries";
