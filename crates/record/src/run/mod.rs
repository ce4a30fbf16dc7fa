//! Runs a workload on a database: one thread per session, every call written down.
//!
//! ```text
//!   Plans ──► Session ──► Connection
//!   (shared)     │
//!                └──► SessionLog
//! ```
//!
//! A transaction that the database refuses is in the trace as one that was aborted, and is tried
//! again with the same steps and new values, a few times.

mod hints;
mod patience;
mod plans;
mod session;
mod tally;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tristan_generate::Workload;

use crate::{Database, DatabaseError, DatabaseLevel, Recorder};
use plans::Plans;
use session::Session;

pub(crate) use patience::patiently;
pub use tally::{Count, Tally};

/// A workload on a database.
pub struct Run<'a> {
    /// Where.
    pub database: &'a dyn Database,
    /// At which of its levels.
    pub level: DatabaseLevel,
    /// What.
    pub workload: &'a Workload,
    /// How long clients wait between two operations.
    pub think: Duration,
    /// When to stop, even if transactions are left.
    pub until: Option<Instant>,
    /// Whether the database is asked in which order transactions committed, for hints.
    pub hints: bool,
    /// Whether connections that were lost are opened again, as long as it takes. Otherwise one that
    /// cannot be opened ends the run.
    pub patient: bool,
}

impl Run<'_> {
    /// Runs it. Others may follow the counts, and stop the run; `stop` is set when the sessions have
    /// ended.
    ///
    /// # Errors
    /// If the database cannot be reached, or fails in a way that is none of its transactions'.
    pub fn go(
        &self,
        recorder: &Recorder,
        tally: &Tally,
        stop: &AtomicBool,
    ) -> Result<(), DatabaseError> {
        let plans = Plans::new(self.workload);
        let tags = thread::scope(|scope| {
            let sessions: Vec<_> = (0..self.workload.sessions.max(1))
                .map(|number| {
                    let plans = &plans;
                    scope.spawn(move || {
                        let ended = Session::new(self, number, recorder, plans, tally, stop).run();
                        if ended.is_err() {
                            stop.store(true, Ordering::Relaxed);
                        }
                        ended
                    })
                })
                .collect();
            let mut tags = Vec::new();
            let mut failed = None;
            for session in sessions {
                match session.join() {
                    Ok(Ok(mut of_session)) => tags.append(&mut of_session),
                    Ok(Err(failure)) => drop(failed.get_or_insert(failure)),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            failed.map_or(Ok(tags), Err)
        })?;
        stop.store(true, Ordering::Relaxed);
        if self.hints {
            hints::write(self, recorder, tags);
        }
        Ok(())
    }
}
