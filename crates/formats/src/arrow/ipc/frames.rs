//! Reads a file frame by frame, from front to back.
//!
//! ```text
//!   frame   ff ff ff ff │ length │ metadata (a flatbuffer) │ body
//!   end     ff ff ff ff │ 0
//! ```
//!
//! Lengths are only believed as far as bytes come.

use std::io::{self, Read};

use super::schema::{Schema, SchemaError, check_version};
use super::table::{FlatbufferError, Table};
use super::{MAGIC, header};
use crate::TraceError;

/// A file being read.
pub(crate) struct Frames<'a, R> {
    input: R,
    file: &'a str,
    offset: u64,
}

/// A piece of the file.
#[derive(Default)]
pub(crate) struct Frame {
    /// Where it starts.
    pub(crate) offset: u64,
    metadata: Vec<u8>,
    body: Vec<u8>,
}

/// What a frame brings.
pub(crate) enum Content<'a> {
    Schema(Schema),
    Dictionary(Dictionary<'a>),
    Batch(Batch<'a>),
}

/// Values that places stand for.
pub(crate) struct Dictionary<'a> {
    pub(crate) id: i64,
    /// It goes on where the last one of this id stopped.
    pub(crate) is_delta: bool,
    pub(crate) values: Batch<'a>,
}

/// Some rows of all columns, not yet taken apart.
pub(crate) struct Batch<'a> {
    pub(crate) length: i64,
    /// Per column and part of one, length and number of nulls.
    pub(super) nodes: &'a [u8],
    /// Places in the body.
    pub(super) buffers: &'a [u8],
    pub(super) body: &'a [u8],
}

/// A mark in front of every frame.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Some programs leave so many bytes before the first frame.
const FARTHEST: u64 = 64;

impl<'a, R: Read> Frames<'a, R> {
    /// Reads the first bytes of a file.
    pub(crate) fn open(input: R, file: &'a str) -> Result<Self, TraceError> {
        let mut frames = Self { input, file, offset: 0 };
        let magic: [u8; 8] = frames.take("ARROW1")?;
        match magic.starts_with(MAGIC) {
            true => Ok(frames),
            false => Err(frames.error(0, "something else", "ARROW1")),
        }
    }

    /// Reads the next frame; false if there is none.
    pub(crate) fn next(&mut self, frame: &mut Frame) -> Result<bool, TraceError> {
        let mut mark: [u8; 4] = self.take("a frame of the file")?;
        while mark == [0; 4] && self.offset < FARTHEST {
            mark = self.take("a frame of the file")?;
        }
        frame.offset = self.offset - 4;
        if mark != CONTINUATION {
            let expected = "ff ff ff ff in front of a frame";
            return Err(self.error(frame.offset, "something else", expected));
        }
        let length = i32::from_le_bytes(self.take("the length of the metadata")?);
        if length == 0 {
            return self.footer().map(|()| false);
        }
        self.fill(&mut frame.metadata, length.into(), "metadata")?;
        let body = Table::root(&frame.metadata).and_then(|message| message.i64(3));
        let body = body.map_err(|_| self.broken(frame))?;
        self.fill(&mut frame.body, body, "the body of a frame")?;
        Ok(true)
    }

    /// Goes to the end of the file, which is where it says so.
    fn footer(&mut self) -> Result<(), TraceError> {
        let mut last = Vec::new();
        let mut piece = Vec::new();
        loop {
            piece.clear();
            let input = self.input.by_ref().take(1 << 16);
            read_all(input, &mut piece).map_err(|error| TraceError::io(self.file, error))?;
            self.offset += piece.len() as u64;
            if piece.is_empty() {
                break;
            }
            last.extend_from_slice(&piece);
            last.drain(..last.len().saturating_sub(MAGIC.len()));
        }
        match last == MAGIC {
            true => Ok(()),
            false => Err(self.error(self.offset, "the end of the file", "ARROW1 before it")),
        }
    }

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], TraceError> {
        let mut bytes = Vec::new();
        self.fill(&mut bytes, N as i64, what)?;
        bytes.try_into().map_err(|_| self.error(self.offset, "the end of the file", what))
    }

    fn fill(&mut self, buffer: &mut Vec<u8>, length: i64, what: &str) -> Result<(), TraceError> {
        buffer.clear();
        let wanted = u64::try_from(length)
            .map_err(|_| self.error(self.offset, &format!("{length} bytes of {what}"), "more"))?;
        let input = self.input.by_ref().take(wanted);
        read_all(input, buffer).map_err(|error| TraceError::io(self.file, error))?;
        self.offset += buffer.len() as u64;
        match buffer.len() as u64 == wanted {
            true => Ok(()),
            false => Err(self.error(self.offset, "the end of the file", what)),
        }
    }

    /// The complaint about a frame whose metadata makes no sense.
    pub(crate) fn broken(&self, frame: &Frame) -> TraceError {
        self.error(frame.offset, "broken metadata", "a frame of an Arrow file")
    }

    /// A complaint about what starts at an offset.
    pub(crate) fn error(&self, offset: u64, found: &str, expected: &str) -> TraceError {
        TraceError::bytes(self.file, offset, found, expected)
    }
}

fn read_all(mut input: impl Read, buffer: &mut Vec<u8>) -> io::Result<usize> {
    input.read_to_end(buffer)
}

impl Frame {
    /// What the frame brings.
    pub(crate) fn content(&self) -> Result<Content<'_>, SchemaError> {
        let message = Table::root(&self.metadata)?;
        check_version(message)?;
        let inner = message.table(2)?.ok_or(FlatbufferError)?;
        match message.u8(1)? {
            header::SCHEMA => Schema::read(inner).map(Content::Schema),
            header::DICTIONARY => {
                let values = self.batch(inner.table(1)?.ok_or(FlatbufferError)?)?;
                let (id, is_delta) = (inner.i64(0)?, inner.u8(2)? != 0);
                Ok(Content::Dictionary(Dictionary { id, is_delta, values }))
            }
            header::BATCH => self.batch(inner).map(Content::Batch),
            other => Err(SchemaError::Unsupported(format!("a frame of kind {other}"))),
        }
    }

    fn batch<'a>(&'a self, batch: Table<'a>) -> Result<Batch<'a>, SchemaError> {
        if batch.table(3)?.is_some() {
            return Err(SchemaError::Unsupported("compressed columns".into()));
        }
        Ok(Batch {
            length: batch.i64(0)?,
            nodes: batch.records(1, 16)?,
            buffers: batch.records(2, 16)?,
            body: &self.body,
        })
    }
}
