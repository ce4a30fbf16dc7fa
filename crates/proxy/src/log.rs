//! The log: one file, whole lines, one clock.
//!
//! Each connection collects lines and hands them over before it passes on the bytes that they are
//! about. So a statement is in the file before the server hears of it, and its end before the client
//! does. Nothing is forced to the disk: it survives the death of this process, not of the machine.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tristan_ground::Civil;

use crate::line::Line;
use crate::protocol::Protocol;

/// A log that is being written.
#[derive(Debug)]
pub(crate) struct SqlLog {
    file: Mutex<File>,
    broken: AtomicBool,
    start: Instant,
    calls: AtomicU64,
    txns: AtomicU64,
    connections: AtomicU64,
}

/// What is known about the database before the first client connects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogStart {
    /// The collation of the database, by the name that it has there.
    pub collation: Option<String>,
    /// The time zone of all sessions that do not set one.
    pub timezone: Option<String>,
    /// Lines with the tables and rows that are there.
    pub lines: Vec<u8>,
}

/// What the first line says.
#[derive(Debug)]
pub(crate) struct Header<'a> {
    /// Which language is spoken.
    pub(crate) protocol: Protocol,
    /// The server's version, if it is known already.
    pub(crate) server: Option<&'a str>,
    /// Where the server is.
    pub(crate) upstream: &'a str,
    /// The level of transactions that ask for none, if the user gave one.
    pub(crate) level: Option<&'a str>,
    /// What the database begins with.
    pub(crate) start: &'a LogStart,
}

impl SqlLog {
    /// Starts a log.
    pub(crate) fn create(path: &Path, header: &Header<'_>) -> io::Result<Self> {
        let mut file = File::create(path)?;
        let mut line = Vec::new();
        Line::new(&mut line)
            .text("tristan", "sql-log/1")
            .text("dialect", header.protocol.dialect())
            .maybe("server", header.server)
            .text("upstream", header.upstream)
            .maybe("collation", header.start.collation.as_deref())
            .maybe("timezone", header.start.timezone.as_deref())
            .maybe("level", header.level)
            .text("started", &date(SystemTime::now()))
            .number("wall", wall())
            .end();
        file.write_all(&line)?;
        file.write_all(&header.start.lines)?;
        Ok(Self {
            file: Mutex::new(file),
            broken: AtomicBool::new(false),
            start: Instant::now(),
            calls: AtomicU64::new(1),
            txns: AtomicU64::new(1),
            connections: AtomicU64::new(1),
        })
    }

    /// Hands over whole lines.
    ///
    /// # Errors
    /// When they cannot be written, now or before.
    pub(crate) fn write(&self, lines: &[u8]) -> io::Result<()> {
        if self.is_broken() {
            return Err(io::Error::other("the log could not be written"));
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(lines);
        if written.is_err() {
            self.broken.store(true, Ordering::Relaxed);
        }
        written
    }

    /// Whether something could not be written.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// A number for a statement.
    pub(crate) fn next_call(&self) -> u64 {
        self.calls.fetch_add(1, Ordering::Relaxed)
    }

    /// A number for a transaction.
    pub(crate) fn next_txn(&self) -> u64 {
        self.txns.fetch_add(1, Ordering::Relaxed)
    }

    /// A number for a connection.
    pub(crate) fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Adds both times to a line and ends it.
    pub(crate) fn end_line(&self, line: &mut Line<'_>) {
        line.number("at", self.now()).number("wall", wall()).end();
    }

    /// Nanoseconds since the log was started, between what comes before and what comes after.
    pub(crate) fn now(&self) -> u64 {
        fence(Ordering::SeqCst);
        let now = self.start.elapsed().as_nanos() as u64;
        fence(Ordering::SeqCst);
        now
    }
}

fn since_epoch(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Microseconds since 1970.
fn wall() -> u64 {
    since_epoch(SystemTime::now()).as_micros() as u64
}

/// A time as `2026-11-05T15:54:38Z`.
fn date(time: SystemTime) -> String {
    let seconds = since_epoch(time).as_secs();
    let Civil { year, month, day } = Civil::from_days((seconds / 86_400) as i64);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_dates() {
        assert_eq!(date(UNIX_EPOCH), "1970-01-01T00:00:00Z");
        assert_eq!(date(UNIX_EPOCH + Duration::from_secs(1_709_210_096)), "2024-02-29T12:34:56Z");
    }
}
