//! Runs an application on a database: one thread per client, every statement written down.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Client, Tagged};
use super::txn::Texts;
use super::{Application, Dice, Sizes, SqlLog};
use crate::run::{Tally, patiently};
use crate::sql::Dialect;
use crate::{Database, Failure, Level};

/// An application on a database.
pub struct ApplicationRun<'a> {
    /// Where.
    pub database: &'a dyn Database,
    /// How its SQL looks.
    pub dialect: Dialect,
    /// At which of its levels.
    pub level: Level,
    /// How many clients and transactions there are, and what seed they have.
    pub sizes: Sizes,
    /// How long clients wait before each statement.
    pub think: Duration,
    /// When to stop, even if transactions are left.
    pub until: Option<Instant>,
    /// Whether the database is asked in which order transactions committed.
    pub hints: bool,
    /// Whether connections that were lost are opened again, as long as it takes. Otherwise one that
    /// cannot be opened ends the run.
    pub patient: bool,
}

/// How many transactions are still to be begun so that enough commit.
pub(super) struct Left {
    commits: AtomicU64,
    /// How many plans that came to nothing may be replaced by others.
    spare: AtomicU64,
}

impl Left {
    fn new(txns: u64) -> Self {
        Self { commits: AtomicU64::new(txns), spare: AtomicU64::new(txns) }
    }

    /// Claims one; false if there is none left.
    pub(super) fn take(&self) -> bool {
        take_one(&self.commits)
    }

    /// What was claimed did not commit: somebody has to do another one, unless that happens too often.
    pub(super) fn give_back(&self) {
        if take_one(&self.spare) {
            self.commits.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn take_one(counter: &AtomicU64) -> bool {
    let less = |left: u64| left.checked_sub(1);
    counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
}

impl ApplicationRun<'_> {
    /// Runs it. Others may follow the counts, and stop the run; `stop` is set when the clients have
    /// ended.
    ///
    /// # Errors
    /// If the database cannot be reached, or fails in a way that is none of its transactions'.
    pub fn go(
        &self,
        application: &dyn Application,
        log: &Arc<SqlLog>,
        tally: &Tally,
        stop: &AtomicBool,
    ) -> Result<(), Failure> {
        let left = Left::new(self.sizes.txns);
        let clients = self.sizes.clients.max(1);
        let ended: Vec<Result<Vec<Tagged>, Failure>> = thread::scope(|scope| {
            let clients: Vec<_> = (0..clients)
                .map(|number| {
                    let client = Client {
                        run: self,
                        application,
                        log: Arc::clone(log),
                        tally,
                        left: &left,
                        stop,
                        dice: Dice::new(self.sizes.seed, number, clients),
                        texts: Texts::default(),
                        tagged: Vec::new(),
                    };
                    scope.spawn(move || {
                        let ended = client.work();
                        if ended.is_err() {
                            stop.store(true, Ordering::Relaxed);
                        }
                        ended
                    })
                })
                .collect();
            let joined = clients.into_iter().map(|client| client.join());
            joined
                .map(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        stop.store(true, Ordering::Relaxed);
        let tagged: Vec<Vec<Tagged>> = ended.into_iter().collect::<Result<_, _>>()?;
        self.stamp(log, &tagged.into_iter().flatten().collect::<Vec<_>>());
        Ok(())
    }

    /// Writes down which places transactions have among all commits, if the database says so.
    fn stamp(&self, log: &SqlLog, tagged: &[Tagged]) {
        if tagged.is_empty() {
            return;
        }
        let tags: Vec<String> = tagged.iter().map(|one| one.tag.clone()).collect();
        match patiently(|| self.patient, || self.database.commit_order(&tags)) {
            Ok(order) => {
                let txns: HashMap<&str, u64> =
                    tagged.iter().map(|one| (one.tag.as_str(), one.txn)).collect();
                for (place, tag) in order.iter().enumerate() {
                    if let Some(&txn) = txns.get(tag.as_str()) {
                        log.stamp(txn, place as u64 + 1);
                    }
                }
            }
            Err(failure) => log.note(&format!("the order of commits is not known: {failure}")),
        }
    }
}
