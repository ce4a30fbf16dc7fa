//! Reading and writing as long as a budget allows.
//!
//! Every reader and writer of a format works on a stream. The stream asks the budget once per 64 KiB
//! and, when a limit is reached, fails with the [`Stop`] as the cause of the I/O error, which
//! [`TraceError::io`](crate::TraceError::io) recognises. So no reader has to know about limits.

use std::io::{self, BufRead, Read, Write};

use tristan_ground::{Budget, Stop};

/// Bytes between two questions to the budget.
const STEP: u64 = 1 << 16;

/// A stream that ends with its budget.
pub(crate) struct Limited<S> {
    stream: S,
    budget: Budget,
    done: u64,
    /// How many bytes there are; 0 if that is not known.
    total: u64,
    /// The budget is asked again after so many bytes.
    next: u64,
}

impl<S> Limited<S> {
    pub(crate) fn new(stream: S, budget: &Budget, total: u64) -> Self {
        Self { stream, budget: budget.clone(), done: 0, total, next: 0 }
    }

    fn ask(&mut self) -> io::Result<()> {
        if self.done < self.next {
            return Ok(());
        }
        self.next = self.done + STEP;
        self.budget.progress(self.done, self.total);
        self.budget.check().map_err(io::Error::other)
    }
}

impl<S: Read> Read for Limited<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.ask()?;
        let count = self.stream.read(buffer)?;
        self.done += count as u64;
        Ok(count)
    }
}

impl<S: BufRead> BufRead for Limited<S> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.ask()?;
        self.stream.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.done += count as u64;
        self.stream.consume(count);
    }
}

impl<S: Write> Write for Limited<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.ask()?;
        let count = self.stream.write(bytes)?;
        self.done += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// The limit behind an I/O error, if a limit was the cause.
pub fn stop_behind(error: &io::Error) -> Option<Stop> {
    error.get_ref()?.downcast_ref::<Stop>().copied()
}
