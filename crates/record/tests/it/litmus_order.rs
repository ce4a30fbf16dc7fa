//! In which order things happen when sessions wait for each other, on a database that knows nothing
//! but locks.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tristan_record::litmus::{Finding, Observation, Stage, parse};
use tristan_record::sql::{Dialect, LockWatch, SqlClient, SqlDatabase, SqlLevel, StatementResult};
use tristan_record::{DatabaseError, DatabaseLevel};

const LEVEL: SqlLevel =
    SqlLevel { level: DatabaseLevel { name: "locks", claims: "serializable" }, begin: &["begin"] };
const SLOW: Duration = Duration::from_millis(200);

/// Who holds what, who waits for what, and what happened so far.
#[derive(Default)]
struct State {
    holders: BTreeMap<String, u64>,
    waiting: BTreeMap<u64, String>,
    connections: u64,
    log: Vec<String>,
}

#[derive(Clone, Default)]
struct Locks(Arc<(Mutex<State>, Condvar)>);

impl Locks {
    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl SqlDatabase for Locks {
    fn describe(&self) -> String {
        "locks".into()
    }

    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn levels(&self) -> &[SqlLevel] {
        &[LEVEL]
    }

    fn create(&self, _: &str) -> Result<(), DatabaseError> {
        Ok(())
    }

    fn remove(&self, _: &str) -> Result<(), DatabaseError> {
        Ok(())
    }

    fn connect(&self, _: &str) -> Result<Box<dyn SqlClient>, DatabaseError> {
        let id = self.with(|state| {
            state.connections += 1;
            state.connections
        });
        Ok(Box::new(Client { locks: self.clone(), id }))
    }

    fn watch(&self) -> Result<Option<Box<dyn LockWatch>>, DatabaseError> {
        Ok(Some(Box::new(self.clone())))
    }
}

impl LockWatch for Locks {
    fn waits(&mut self, client: u64) -> Result<Option<Vec<u64>>, DatabaseError> {
        Ok(self.with(|state| {
            let lock = state.waiting.get(&client)?;
            state.holders.get(lock).map(|holder| vec![*holder])
        }))
    }
}

struct Client {
    locks: Locks,
    id: u64,
}

impl SqlClient for Client {
    fn execute(&mut self, sql: &str) -> Result<StatementResult, DatabaseError> {
        match sql.split_once(' ') {
            Some(("take", lock)) => self.take(lock)?,
            Some(("slow", _)) => thread::sleep(SLOW),
            _ if sql == "COMMIT" || sql == "ROLLBACK" => self.release(sql),
            _ => self.locks.with(|state| state.log.push(sql.to_owned())),
        }
        Ok(StatementResult::default())
    }

    fn id(&self) -> u64 {
        self.id
    }
}

impl Client {
    fn take(&self, lock: &str) -> Result<(), DatabaseError> {
        let (state, changed) = &*self.locks.0;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.holders.get(lock).is_some_and(|holder| *holder != self.id) {
            state.waiting.insert(self.id, lock.to_owned());
            // Deadlocks are noticed late.
            let (next, late) =
                changed.wait_timeout(state, SLOW).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if late.timed_out() && self.is_deadlocked(&state) {
                state.waiting.remove(&self.id);
                return Err(DatabaseError::Refused("deadlock".into()));
            }
        }
        state.waiting.remove(&self.id);
        state.holders.insert(lock.to_owned(), self.id);
        state.log.push(format!("take {lock}"));
        Ok(())
    }

    /// Whether this is the oldest connection of a circle of waiting ones.
    fn is_deadlocked(&self, state: &State) -> bool {
        let mut at = self.id;
        loop {
            let lock = state.waiting.get(&at);
            match lock.and_then(|lock| state.holders.get(lock)) {
                Some(next) if *next == self.id => return true,
                Some(next) if *next > self.id => at = *next,
                _ => return false,
            }
        }
    }

    fn release(&self, sql: &str) {
        self.locks.with(|state| {
            state.log.push(sql.to_owned());
            state.holders.retain(|_, holder| *holder != self.id);
        });
        self.locks.0.1.notify_all();
    }
}

fn play(steps: &str) -> (Observation, Vec<String>) {
    let text = format!(
        "name: x\ntitle: x\nmeaning: x\nsetup:\n    nothing\nsteps:\n{steps}\nanomaly if: z is empty \
         and A aborted\nafter:\n    z = nothing\n"
    );
    let case = parse("x", &text).expect("a case");
    let locks = Locks::default();
    let mut stage = Stage::new(&locks, Duration::ZERO).expect("a stage");
    let run = stage.play(&case, &LEVEL).expect("it can be played");
    let log = locks.with(|state| std::mem::take(&mut state.log));
    (run, log)
}

fn steps(run: &Observation) -> Vec<String> {
    let sessions = run.steps.iter().filter_map(|step| {
        let waited = if step.waited { " waited" } else { "" };
        step.session.as_ref().map(|session| format!("{session} {}{waited}", step.statement))
    });
    sessions.collect()
}

#[test]
fn who_waits_stays_behind_and_goes_on_as_soon_as_possible() {
    let (run, log) = play(
        "  A: begin\n  B: begin\n  C: begin\n  A: take x\n  B: take x\n  B: b2\n  C: c1\n  A: commit\n  \
         C: c2\n  B: commit\n  C: commit\n",
    );
    assert_eq!(run.finding, Finding::Blocked);
    let happened = ["take x", "c1", "COMMIT", "take x", "b2", "c2", "COMMIT", "COMMIT"];
    assert_eq!(log[4..12], happened, "{log:?}");
    let waited: Vec<String> =
        steps(&run).into_iter().filter(|step| step.ends_with("waited")).collect();
    assert_eq!(waited, ["B take x waited"]);
}

#[test]
fn slow_is_not_the_same_as_waiting() {
    let (run, _) = play("  A: begin\n  A: slow one\n  A: commit\n");
    assert_eq!(run.finding, Finding::Prevented, "{run:?}");
}

#[test]
fn a_deadlock_is_waited_out_before_anybody_else_goes_on() {
    let (run, log) = play(
        "  A: begin\n  B: begin\n  C: begin\n  A: take x\n  B: take y\n  A: take y\n  B: take x\n  \
         C: c1\n  A: commit\n  B: commit\n  C: commit\n",
    );
    // The deadlock ends A (z counts: A aborted), B goes on, and only then comes C.
    assert_eq!(run.finding, Finding::Allowed, "{run:?}");
    let place = |what: &str| log.iter().rposition(|entry| entry == what);
    assert!(place("take x") < place("c1"), "{log:?}");
    let told = steps(&run);
    assert_eq!(told.last().map(String::as_str), Some("A commit"), "never sent: {told:?}");
}

#[test]
fn chains_of_waiting_sessions_are_told_apart_from_deadlocks() {
    let (run, log) = play(
        "  A: begin\n  B: begin\n  C: begin\n  B: take y\n  A: take x\n  B: take x\n  C: take y\n  \
         A: commit\n  B: commit\n  C: commit\n",
    );
    assert_eq!(run.finding, Finding::Blocked, "{run:?}");
    assert_eq!(log.iter().filter(|entry| *entry == "COMMIT").count(), 3);
    let waited = steps(&run).into_iter().filter(|step| step.ends_with("waited")).count();
    assert_eq!(waited, 2);
}
