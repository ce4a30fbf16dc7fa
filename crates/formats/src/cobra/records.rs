//! One file: bytes to whole transactions.
//!
//! Whether a file has times is not said anywhere. With them the records have other lengths, so a
//! file that makes sense in one way makes none in the other: the way without times is tried
//! first, and if both fail, the one that got further complains.

use crate::TraceError;
use crate::bytes::Bytes;
use crate::milliseconds::LATEST;

/// A transaction as logged.
#[derive(Debug)]
pub(super) struct LoggedTxn {
    pub(super) id: u64,
    pub(super) committed: bool,
    pub(super) ops: Vec<LoggedOp>,
    /// When begin had returned, in milliseconds.
    pub(super) begun: Option<i64>,
    /// When commit or abort was called, in milliseconds.
    pub(super) ending: Option<i64>,
    /// Where it starts in the file.
    pub(super) offset: u64,
    /// Its first and last record, counted from 1 in its file.
    pub(super) records: (u32, u32),
}

/// A read or a write as logged.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoggedOp {
    pub(super) access: Access,
    pub(super) key: u64,
    pub(super) content: u64,
    /// Where it starts in the file.
    pub(super) offset: u64,
    /// Which record of its file it is, counted from 1.
    pub(super) record: u32,
}

/// What was done, with the ids that tell which write it was.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    Write { write: u64 },
    Read { writer: u64, write: u64 },
}

/// All transactions of a file.
pub(super) fn parse(bytes: &[u8], file: &str) -> Result<Vec<LoggedTxn>, TraceError> {
    Parser::new(bytes, file, false).run().or_else(|plain| {
        Parser::new(bytes, file, true).run().map_err(|timed| further(plain, timed))
    })
}

/// The complaint that comes later in the file.
fn further(first: TraceError, second: TraceError) -> TraceError {
    match (&first, &second) {
        (TraceError::Bytes { offset, .. }, TraceError::Bytes { offset: other, .. })
            if other > offset =>
        {
            second
        }
        _ => first,
    }
}

/// A file being read.
struct Parser<'a> {
    bytes: Bytes<'a, &'a [u8]>,
    /// Whether begins and ends have times.
    timed: bool,
    /// The last time seen.
    clock: i64,
    /// How many records have been read.
    record: u32,
    open: Option<LoggedTxn>,
    txns: Vec<LoggedTxn>,
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8], file: &'a str, timed: bool) -> Self {
        let bytes = Bytes::new(bytes, file);
        Self { bytes, timed, clock: 0, record: 0, open: None, txns: Vec::new() }
    }

    fn run(mut self) -> Result<Vec<LoggedTxn>, TraceError> {
        while !self.bytes.at_end()? {
            self.record()?;
        }
        match self.open {
            None => Ok(self.txns),
            Some(txn) => {
                let expected = format!("C or A of transaction {:x}", txn.id);
                let end = self.bytes.offset();
                Err(self.bytes.error(end, "the end of the file", &expected))
            }
        }
    }

    fn record(&mut self) -> Result<(), TraceError> {
        let offset = self.bytes.offset();
        let [tag] = self.bytes.take("a record")?;
        self.record = self.record.saturating_add(1);
        match tag {
            b'S' => self.begin(offset),
            b'C' | b'A' => self.end(offset, tag == b'C'),
            b'W' | b'R' => self.op(offset, tag == b'W'),
            other => {
                let found = format!("byte 0x{other:02x}");
                Err(self.bytes.error(offset, &found, "a record that starts with S, W, R, C or A"))
            }
        }
    }

    fn begin(&mut self, offset: u64) -> Result<(), TraceError> {
        let id = self.number("the id of the transaction")?;
        let begun = self.time()?;
        if let Some(open) = &self.open {
            let found = format!("S of transaction {id:x}");
            let expected = format!("C or A of transaction {:x} before", open.id);
            return Err(self.bytes.error(offset, &found, &expected));
        }
        let records = (self.record, self.record);
        let (ops, ending) = (Vec::new(), None);
        self.open = Some(LoggedTxn { id, committed: false, ops, begun, ending, offset, records });
        Ok(())
    }

    fn end(&mut self, offset: u64, committed: bool) -> Result<(), TraceError> {
        let tag = if committed { 'C' } else { 'A' };
        let Some(txn) = self.open.take() else { return Err(self.outside(offset, tag)) };
        let id = self.number("the id of the transaction")?;
        let ending = self.time()?;
        if txn.id != id {
            let found = format!("{tag} of transaction {id:x}");
            let expected = format!("the end of transaction {:x}", txn.id);
            return Err(self.bytes.error(offset, &found, &expected));
        }
        let records = (txn.records.0, self.record);
        self.txns.push(LoggedTxn { committed, ending, records, ..txn });
        Ok(())
    }

    fn op(&mut self, offset: u64, is_write: bool) -> Result<(), TraceError> {
        let tag = if is_write { 'W' } else { 'R' };
        let Some(mut txn) = self.open.take() else { return Err(self.outside(offset, tag)) };
        let access = if is_write {
            Access::Write { write: self.number("the id of the write")? }
        } else {
            let writer = self.number("the id of the transaction that wrote")?;
            Access::Read { writer, write: self.number("the id of the write")? }
        };
        let key = self.number("the hash of the key")?;
        let content = self.number("the hash of the value")?;
        txn.ops.push(LoggedOp { access, key, content, offset, record: self.record });
        self.open = Some(txn);
        Ok(())
    }

    fn outside(&self, offset: u64, tag: char) -> TraceError {
        let found = format!("{tag} outside of a transaction");
        self.bytes.error(offset, &found, "S, where a transaction begins")
    }

    fn number(&mut self, what: &str) -> Result<u64, TraceError> {
        self.bytes.take(what).map(u64::from_be_bytes)
    }

    /// The time after the id of a transaction, in a file that has times.
    fn time(&mut self) -> Result<Option<i64>, TraceError> {
        if !self.timed {
            return Ok(None);
        }
        let offset = self.bytes.offset();
        let number = self.number("a time")?;
        let time = i64::try_from(number).ok().filter(|&time| time <= LATEST);
        let Some(time) = time else {
            let found = format!("time {number}");
            return Err(self.bytes.error(offset, &found, "milliseconds since 1970"));
        };
        if time < self.clock {
            let (found, expected) = (format!("time {time}"), format!("none before {}", self.clock));
            return Err(self.bytes.error(offset, &found, &expected));
        }
        self.clock = time;
        Ok(Some(time))
    }
}
