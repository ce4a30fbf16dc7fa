//! The recorder: a line before every call, a line after it.
//!
//! ```text
//!   session 1 ──► buffer ──┐
//!   session 2 ──► buffer ──┼──► file     whole lines, before a commit is sent
//!   session 3 ──► buffer ──┘
//! ```
//!
//! Each session collects its lines and hands them over when a transaction is about to commit, so
//! that whatever another client can read has been written down before, and again when the commit
//! was answered. If the process is killed, what is lost is at most the transaction that each session
//! was in. Lines are handed over whole; the last one can be cut off only if the disk is full.
//!
//! ```
//! use tristan_history::Datum;
//! use tristan_recorder::{Answer, Header, Recorder, Request};
//!
//! let path = std::env::temp_dir().join(format!("tristan-doc-{}.jsonl", std::process::id()));
//! let recorder = Recorder::create(&path, &Header { database: "mine 1.0", ..Header::default() })?;
//! let mut alice = recorder.session("alice");
//! let call = alice.call(&Request::Put { key: Datum::from("x"), value: Datum::from(1) });
//! // … here the database is asked …
//! alice.answer(call, &Answer::Done);
//! let call = alice.call(&Request::Commit);
//! alice.answer(call, &Answer::Done);
//! drop(alice);
//! recorder.finish()?;
//! # assert_eq!(std::fs::read_to_string(&path)?.lines().count(), 5);
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod error;
mod header;
pub mod postgres;
mod request;
mod session;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::Serialize;
use tristan_history::Datum;

pub use answer::Answer;
pub use error::DatabaseError;
pub use header::Header;
pub use request::Request;
pub use session::{CallId, SessionLog};

/// A trace that is being written. Clones write the same trace.
#[derive(Clone, Debug)]
pub struct Recorder {
    trace: Arc<Trace>,
}

#[derive(Debug)]
struct Trace {
    sink: Mutex<Sink>,
    start: Instant,
    calls: AtomicU64,
    txns: AtomicU64,
}

/// Where lines go; nowhere if that is what was asked for.
#[derive(Debug)]
struct Sink {
    file: Option<File>,
    /// What went wrong first.
    error: Option<io::Error>,
}

impl Recorder {
    /// Starts a trace with its header.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, header: &Header<'_>) -> io::Result<Self> {
        let mut file = File::create(path)?;
        file.write_all(&header.line()?)?;
        Ok(Self::into_sink(Some(file)))
    }

    /// Starts a trace that is thrown away, to see what recording costs.
    pub fn nowhere() -> Self {
        Self::into_sink(None)
    }

    fn into_sink(file: Option<File>) -> Self {
        let trace = Trace {
            sink: Mutex::new(Sink { file, error: None }),
            start: Instant::now(),
            calls: AtomicU64::new(1),
            txns: AtomicU64::new(1),
        };
        Self { trace: Arc::new(trace) }
    }

    /// A session's part of the trace.
    pub fn session(&self, name: impl Into<Datum>) -> SessionLog {
        SessionLog::new(self.clone(), name.into())
    }

    /// Puts a remark into the trace.
    pub fn note(&self, text: &str) {
        #[derive(Serialize)]
        struct Note<'a> {
            note: &'a str,
            at: u64,
        }
        self.line(&Note { note: text, at: self.now() });
    }

    /// Says in which order transactions wrote a key, as a hint.
    pub fn order(&self, key: &Datum, txns: &[u64]) {
        #[derive(Serialize)]
        struct Order<'a> {
            hint: &'a str,
            k: &'a Datum,
            txns: &'a [u64],
        }
        self.line(&Order { hint: "order", k: key, txns });
    }

    /// Ends the trace.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub fn finish(&self) -> io::Result<()> {
        let mut sink = self.sink();
        if let Some(error) = sink.error.take() {
            return Err(error);
        }
        sink.file.as_mut().map_or(Ok(()), File::flush)
    }

    /// Whether something could not be written.
    pub fn is_broken(&self) -> bool {
        self.sink().error.is_some()
    }

    /// Nanoseconds since the trace was started. What comes before in the program has happened
    /// before, and what comes after happens after.
    fn now(&self) -> u64 {
        fence(Ordering::SeqCst);
        let now = self.trace.start.elapsed().as_nanos() as u64;
        fence(Ordering::SeqCst);
        now
    }

    fn next_call(&self) -> u64 {
        self.trace.calls.fetch_add(1, Ordering::Relaxed)
    }

    fn next_txn(&self) -> u64 {
        self.trace.txns.fetch_add(1, Ordering::Relaxed)
    }

    fn line(&self, line: &impl Serialize) {
        match serde_json::to_vec(line) {
            Ok(mut bytes) => {
                bytes.push(b'\n');
                self.hand_over(&bytes);
            }
            Err(error) => self.sink().fail(error.into()),
        }
    }

    /// Writes whole lines.
    fn hand_over(&self, lines: &[u8]) {
        let mut sink = self.sink();
        if sink.error.is_some() {
            return;
        }
        if let Some(Err(error)) = sink.file.as_mut().map(|file| file.write_all(lines)) {
            sink.fail(error);
        }
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.trace.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink {
    fn fail(&mut self, error: io::Error) {
        self.error.get_or_insert(error);
    }
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
