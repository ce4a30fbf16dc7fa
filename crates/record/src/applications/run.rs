//! Runs an application on a database: one thread per client, every statement written down.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::client::{Client, Tagged};
use super::left::Left;
use super::txn::Texts;
use super::{Application, ApplicationRun, Dice, SqlLog};
use crate::DatabaseError;
use crate::run::{Tally, patiently};

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
    ) -> Result<(), DatabaseError> {
        let left = Left::new(self.sizes.txns);
        let clients = self.sizes.clients.max(1);
        let ended: Vec<Result<Vec<Tagged>, DatabaseError>> = thread::scope(|scope| {
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
