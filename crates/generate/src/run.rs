//! Runs a workload: many clients, one store, operation by operation.
//!
//! At every moment a client chosen at random among those at work does its next step: begin, an
//! operation, or commit. The others wait for a turn, so that a hundred thousand clients are no
//! slower than ten. A transaction that the store refuses is tried again with the same keys. If
//! that fails too often, it gets the store to itself, so that every transaction commits in the
//! end and the mix of those that do is the mix that was asked for.

use tristan_store::{Interval, NoFaults, Store};

use super::Rng;
use super::plan::{Planner, Step};
use super::skew::Draw;
use super::stage::{Act, Stage};
use super::workload::{Aborted, Turns, Workload};
use tristan_history::{Datum, History, HistoryBuilder, Outcome, SessionId};

/// So many refusals, and a transaction runs alone.
const PATIENCE: usize = 2;

impl Workload {
    /// Runs the clients, interleaved at random.
    ///
    /// Committed transactions are listed in commit order.
    pub fn run(&self) -> History {
        let mut run = Run::new(self);
        while !run.at_work.is_empty() {
            let chosen = run.rng.below(run.at_work.len() as u64) as usize;
            run.step(run.alone.unwrap_or(chosen));
        }
        run.stage.finish()
    }
}

struct Run {
    stage: Stage,
    rng: Rng,
    planner: Box<dyn Planner>,
    /// Clients with a transaction.
    at_work: Vec<Client>,
    /// Numbers of the sessions without a transaction; the next one is last if they follow each
    /// other.
    waiting: Vec<usize>,
    turns: Turns,
    /// How many transactions a session has, if they follow each other.
    per_session: usize,
    /// The client that has the store to itself.
    alone: Option<usize>,
    /// Transactions that have not been started yet.
    left: usize,
    /// What is written, if not always something new.
    values: Option<Draw>,
    last_value: i64,
    /// Values that were not written after all.
    unused: Vec<i64>,
    aborted: Aborted,
    lost_percent: u64,
}

/// A client with the transaction it wants to commit.
struct Client {
    turn: Turn,
    plan: Vec<Step>,
    /// The steps of the plan that are done.
    done: usize,
    act: Option<Act>,
    refusals: usize,
}

/// A session at work.
#[derive(Clone, Copy)]
struct Turn {
    number: usize,
    session: SessionId,
    /// Transactions it has left after this one, if sessions follow each other.
    left: usize,
}

impl Run {
    fn new(workload: &Workload) -> Self {
        let (store, level) = (Store::new(NoFaults), workload.level.of_transactions());
        let clock = workload.times.then_some(0);
        let mut run = Self {
            stage: Stage::new(store, level, HistoryBuilder::default(), clock),
            rng: Rng::new(workload.seed),
            planner: workload.planner(),
            at_work: Vec::new(),
            waiting: (0..workload.sessions.max(1)).rev().collect(),
            turns: workload.turns,
            per_session: workload.txns.div_ceil(workload.sessions.max(1)),
            alone: None,
            left: workload.txns,
            values: workload.values.draw(),
            last_value: 0,
            unused: Vec::new(),
            aborted: workload.aborted,
            lost_percent: workload.lost_percent,
        };
        for _ in 0..workload.at_once.max(1) {
            run.next_session(Vec::new());
        }
        run
    }

    /// A session that waits gets its turn, if there is something left to do.
    fn next_session(&mut self, plan: Vec<Step>) {
        let Some(last) = self.waiting.len().checked_sub(1).filter(|_| self.left > 0) else {
            return;
        };
        let number = match self.turns {
            Turns::Random => {
                let chosen = self.rng.below(last as u64 + 1) as usize;
                self.waiting.swap_remove(chosen)
            }
            Turns::OneAfterTheOther => self.waiting.remove(last),
        };
        let session = self.stage.session(Datum::Int(number as i128));
        self.next_transaction(Turn { number, session, left: self.per_session }, plan);
    }

    /// A session starts one of the transactions that it has left.
    fn next_transaction(&mut self, turn: Turn, mut plan: Vec<Step>) {
        self.left -= 1;
        plan.clear();
        self.planner.plan(&mut self.rng, &mut plan);
        let turn = Turn { left: turn.left - 1, ..turn };
        self.at_work.push(Client { turn, plan, done: 0, act: None, refusals: 0 });
    }

    fn step(&mut self, chosen: usize) {
        let client = &mut self.at_work[chosen];
        let Some(mut act) = client.act.take() else {
            client.act = Some(self.stage.begin(client.turn.session));
            return;
        };
        let Some(&step) = client.plan.get(client.done) else {
            return self.commit(chosen, act);
        };
        client.done += 1;
        self.perform(step, &mut act);
        self.at_work[chosen].act = Some(act);
    }

    fn perform(&mut self, step: Step, act: &mut Act) {
        match step {
            Step::Read(key) => self.stage.get(act, key),
            Step::Write(key) => {
                let value = self.value();
                self.stage.put(act, key, value);
            }
            Step::Add(key, amount) => self.stage.add(act, key, amount),
            Step::Delete(key) => self.stage.delete(act, key),
            Step::ScanEverything => self.stage.scan(act, Interval::default()),
            Step::Scan(lo, hi) => self.stage.scan(act, Interval::between(lo, hi)),
            Step::Iterate(lo, hi, most) => {
                self.stage.iterate(act, Interval::between(lo, hi), most);
            }
            Step::Append(key) => {
                let element = self.value();
                self.stage.append(act, key, element);
            }
            Step::ReadList(key) => self.stage.read_list(act, key),
        }
    }

    fn value(&mut self) -> i64 {
        match &self.values {
            Some(draw) => draw.draw(&mut self.rng) as i64,
            None => self.unused.pop().unwrap_or_else(|| {
                self.last_value += 1;
                self.last_value
            }),
        }
    }

    fn commit(&mut self, chosen: usize, act: Act) {
        let is_lost = self.lost_percent > 0 && self.rng.percent(self.lost_percent);
        let outcome = if is_lost { Outcome::Unknown } else { Outcome::Committed };
        match self.stage.commit_as(act, outcome) {
            Ok(_) => {
                self.alone = None;
                let client = self.at_work.swap_remove(chosen);
                self.go_on(client);
            }
            Err(refused) => {
                if self.aborted == Aborted::Recorded {
                    self.stage.record(refused, Outcome::Aborted);
                } else if self.values.is_none() {
                    self.unused.extend(self.stage.written(&refused));
                }
                self.once_more(chosen);
            }
        }
    }

    /// What comes after a transaction that committed.
    fn go_on(&mut self, Client { turn, plan, .. }: Client) {
        match self.turns {
            Turns::OneAfterTheOther if turn.left > 0 && self.left > 0 => {
                self.next_transaction(turn, plan);
            }
            Turns::OneAfterTheOther => self.next_session(plan),
            Turns::Random => {
                self.waiting.push(turn.number);
                self.next_session(plan);
            }
        }
    }

    fn once_more(&mut self, chosen: usize) {
        let client = &mut self.at_work[chosen];
        client.done = 0;
        client.refusals += 1;
        if client.refusals >= PATIENCE {
            self.alone = Some(chosen);
        }
    }
}
