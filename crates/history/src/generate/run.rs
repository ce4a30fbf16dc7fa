//! Runs a workload: many clients, one store, operation by operation.
//!
//! At every moment a client chosen at random does its next step: begin, an operation, or commit.
//! A transaction that the store refuses is tried again with the same keys. If that fails too
//! often, it gets the store to itself, so that every transaction commits in the end and the mix
//! of those that do is the mix that was asked for.

use super::Rng;
use super::stage::{Act, Stage};
use super::store::{Interval, Store};
use super::workload::{Aborted, Step, Values, Workload, plan};
use crate::{Datum, History, HistoryBuilder, Outcome, SessionId};

/// So many refusals, and a transaction runs alone.
const PATIENCE: usize = 2;

/// Runs all transactions of a workload.
pub(super) fn run(workload: &Workload) -> History {
    let mut run = Run::new(workload);
    while !run.clients.is_empty() {
        let chosen = run.rng.below(run.clients.len() as u64) as usize;
        run.step(run.alone.unwrap_or(chosen));
    }
    run.stage.finish()
}

struct Run<'a> {
    workload: &'a Workload,
    stage: Stage,
    rng: Rng,
    /// Clients that still have something to do.
    clients: Vec<Client>,
    /// The client that has the store to itself.
    alone: Option<usize>,
    /// Transactions that nobody has started yet.
    left: usize,
    last_value: i64,
}

/// A client with the transaction it wants to commit.
struct Client {
    session: SessionId,
    plan: Vec<Step>,
    /// The steps of the plan that are done.
    done: usize,
    act: Option<Act>,
    refusals: usize,
}

impl<'a> Run<'a> {
    fn new(workload: &'a Workload) -> Self {
        let store = Store::new(workload.level);
        let clock = workload.times.then_some(0);
        let mut run = Self {
            workload,
            stage: Stage::new(store, HistoryBuilder::default(), clock),
            rng: Rng::new(workload.seed),
            clients: Vec::new(),
            alone: None,
            left: workload.txns,
            last_value: 0,
        };
        for number in 0..workload.sessions.min(workload.txns) {
            let session = run.stage.session(Datum::Int(number as i128));
            let client = run.client(session);
            run.clients.push(client);
        }
        run
    }

    /// A client with a new plan.
    fn client(&mut self, session: SessionId) -> Client {
        self.left -= 1;
        let plan = plan(self.workload, &mut self.rng);
        Client { session, plan, done: 0, act: None, refusals: 0 }
    }

    fn step(&mut self, chosen: usize) {
        let client = &mut self.clients[chosen];
        let Some(mut act) = client.act.take() else {
            client.act = Some(self.stage.begin(client.session));
            return;
        };
        let Some(&step) = client.plan.get(client.done) else {
            return self.commit(chosen, act);
        };
        client.done += 1;
        self.perform(step, &mut act);
        self.clients[chosen].act = Some(act);
    }

    fn perform(&mut self, step: Step, act: &mut Act) {
        match step {
            Step::Read(key) => self.stage.get(act, key),
            Step::Write(key) => {
                let value = self.value();
                self.stage.put(act, key, value);
            }
            Step::Delete(key) => self.stage.delete(act, key),
            Step::ScanEverything => self.stage.scan(act, Interval::default()),
            Step::Scan(lo, hi) => self.stage.scan(act, Interval::between(lo, hi)),
            Step::Iterate(lo, hi, most) => {
                self.stage.iterate(act, Interval::between(lo, hi), most);
            }
        }
    }

    fn value(&mut self) -> i64 {
        match self.workload.values {
            Values::Below(bound) => self.rng.below(bound) as i64,
            Values::Unique => {
                self.last_value += 1;
                self.last_value
            }
        }
    }

    fn commit(&mut self, chosen: usize, act: Act) {
        match self.stage.commit(act) {
            Ok(_) => self.next_transaction(chosen),
            Err(refused) => {
                if self.workload.aborted == Aborted::Recorded {
                    self.stage.record(refused, Outcome::Aborted);
                }
                self.once_more(chosen);
            }
        }
    }

    fn next_transaction(&mut self, chosen: usize) {
        self.alone = None;
        if self.left == 0 {
            self.clients.swap_remove(chosen);
            return;
        }
        let session = self.clients[chosen].session;
        self.clients[chosen] = self.client(session);
    }

    fn once_more(&mut self, chosen: usize) {
        let client = &mut self.clients[chosen];
        client.done = 0;
        client.refusals += 1;
        if client.refusals >= PATIENCE {
            self.alone = Some(chosen);
        }
    }
}
