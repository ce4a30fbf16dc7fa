//! The SQL log: what clients asked, what they were told, and when.
//!
//! ```text
//!   client 1 ──► Journal ──┐
//!   client 2 ──► Journal ──┼──► SqlLog ──► file      on the disk's side before a commit is sent
//!   client 3 ──► Journal ──┘
//! ```
//!
//! Lines of all clients go through one buffer in the order in which they are written, and the
//! buffer is emptied before a commit is sent: whatever another client can read has been written down.
//! The line that begins a transaction gets its time under the same lock, so that a reader of the log
//! never meets the end of a transaction before the begin of one that began earlier.

mod journal;
mod line;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::start::{BATCH, Start};
use crate::statements::Value;

pub(super) use journal::Journal;
use line::{Line, Opening};

/// What the first line says.
#[derive(Clone, Copy, Debug)]
pub struct LogHeader<'a> {
    /// `postgresql` or `mysql`.
    pub dialect: &'a str,
    /// The server's name and version.
    pub server: &'a str,
    /// The collation of the tables, if it is known.
    pub collation: Option<&'a str>,
    /// The level of all transactions, by the name it has there.
    pub level: &'a str,
}

/// A SQL log that is being written.
#[derive(Debug)]
pub struct SqlLog {
    sink: Mutex<Sink>,
    start: Instant,
    calls: AtomicU64,
    txns: AtomicU64,
    connections: AtomicU64,
}

/// Where lines go; nowhere if that is what was asked for.
#[derive(Debug)]
struct Sink {
    file: Option<BufWriter<File>>,
    /// What went wrong first.
    error: Option<io::Error>,
}

impl SqlLog {
    /// Starts a log with its header, and with what is in the database.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, header: LogHeader<'_>, start: &Start) -> io::Result<Self> {
        let log = Self::into_sink(Some(BufWriter::with_capacity(1 << 18, File::create(path)?)));
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        let LogHeader { dialect, server, collation, level } = header;
        let (tristan, wall) = ("sql-log/1", wall as u64);
        log.write(&Opening { tristan, dialect, server, collation, level, wall });
        log.describe(start);
        log.flush();
        let failed = log.sink().error.take();
        failed.map_or(Ok(log), Err)
    }

    /// Starts a log that is thrown away, to see what recording costs.
    pub fn nowhere() -> Self {
        Self::into_sink(None)
    }

    fn into_sink(file: Option<BufWriter<File>>) -> Self {
        Self {
            sink: Mutex::new(Sink { file, error: None }),
            start: Instant::now(),
            calls: AtomicU64::new(1),
            txns: AtomicU64::new(1),
            connections: AtomicU64::new(1),
        }
    }

    /// Puts a remark into the log.
    pub fn note(&self, text: &str) {
        self.write(&Line { note: Some(text), at: Some(self.now()), ..Line::default() });
    }

    /// Says which place among all commits a transaction has.
    pub(super) fn stamp(&self, txn: u64, stamp: u64) {
        self.write(&Line { stamp: Some(stamp), txn: Some(txn), ..Line::default() });
    }

    /// Ends the log.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub fn finish(&self) -> io::Result<()> {
        self.flush();
        self.sink().error.take().map_or(Ok(()), Err)
    }

    /// Whether something could not be written.
    pub fn is_broken(&self) -> bool {
        self.sink().error.is_some()
    }

    fn describe(&self, start: &Start) {
        #[derive(Serialize)]
        struct Schema<'a> {
            schema: &'a str,
        }
        #[derive(Serialize)]
        struct Rows<'a> {
            rows: &'a str,
            values: &'a [Vec<Value>],
        }
        for table in &start.tables {
            self.write(&Schema { schema: &table.create.join("; ") });
            for values in table.rows.chunks(BATCH) {
                self.write(&Rows { rows: table.name, values });
            }
        }
    }

    /// Nanoseconds since the log was started, between what comes before and what comes after.
    fn now(&self) -> u64 {
        fence(Ordering::SeqCst);
        let now = self.start.elapsed().as_nanos() as u64;
        fence(Ordering::SeqCst);
        now
    }

    fn write(&self, line: &impl Serialize) {
        self.sink().line(line);
    }

    /// Writes a line with the time at which it is written.
    fn write_now(&self, mut line: Line<'_>) {
        let mut sink = self.sink();
        line.at = Some(self.now());
        sink.line(&line);
    }

    fn flush(&self) {
        let mut sink = self.sink();
        if let Some(Err(error)) = sink.file.as_mut().map(BufWriter::flush) {
            sink.error.get_or_insert(error);
        }
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink {
    fn line(&mut self, line: &impl Serialize) {
        let Some(file) = self.file.as_mut().filter(|_| self.error.is_none()) else { return };
        let written = serde_json::to_writer(&mut *file, line).map_err(io::Error::from);
        if let Err(error) = written.and_then(|()| file.write_all(b"\n")) {
            self.error = Some(error);
        }
    }
}
