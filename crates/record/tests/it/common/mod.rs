//! What the tests of all databases share: clients that take turns as a script says, and workloads
//! that are recorded and judged.

#![allow(clippy::panic, reason = "helpers of tests")]

pub mod applications;
pub mod litmus;
pub mod scripts;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tristan_check::budget::Limits;
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_generate::Workload;
use tristan_history::History;
use tristan_record::run::{Count, Run, Tally};
use tristan_record::{
    Connection, Database, DatabaseError, DatabaseLevel, Header, Recorder, databases,
};
use tristan_spec::Catalog;
use tristan_verdict::Answer;

pub use tristan_testkit::{PATIENCE, server_at};

/// Clients wait that long between two operations, so that transactions overlap.
const THINK: Duration = Duration::from_micros(50);

/// Opens a database with these keys and values in it.
pub fn open(url: &str, initial: &[(i64, i64)]) -> Arc<dyn Database> {
    let database = databases::open(&url.parse().expect("an address")).expect("a database");
    database.prepare(initial).expect("tables");
    database
}

/// A level of a database.
pub fn level(database: &dyn Database, name: &str) -> DatabaseLevel {
    *database.levels().iter().find(|level| level.name == name).expect("a level")
}

/// A client that stops when the database refuses it.
pub struct Client {
    connection: Box<dyn Connection>,
    refused: bool,
}

impl Client {
    /// A client whose transaction has begun.
    pub fn begin(database: &dyn Database, level: DatabaseLevel) -> Self {
        let connection = database.connect(level).expect("a connection");
        let mut client = Self { connection, refused: false };
        client.ask(|connection| connection.begin());
        client
    }

    /// Asks, unless the transaction has been refused; nothing comes back if it is refused now.
    pub fn ask<T>(
        &mut self,
        run: impl FnOnce(&mut dyn Connection) -> Result<T, DatabaseError>,
    ) -> Option<T> {
        if self.refused {
            return None;
        }
        match run(self.connection.as_mut()) {
            Ok(answer) => Some(answer),
            Err(DatabaseError::Refused(_)) => {
                self.refused = true;
                None
            }
            Err(failure) => panic!("{failure:?}"),
        }
    }

    pub fn get(&mut self, key: i64) -> Option<i64> {
        self.ask(|connection| connection.get(key, false)).flatten()
    }

    pub fn put(&mut self, key: i64, value: i64) {
        self.ask(|connection| connection.put(key, value));
    }

    /// Whether it committed.
    pub fn commit(&mut self) -> bool {
        self.ask(|connection| connection.commit()).is_some()
    }
}

/// A transaction that nobody disturbs.
pub fn alone<T>(
    database: &dyn Database,
    level: DatabaseLevel,
    run: impl FnOnce(&mut dyn Connection) -> Result<T, DatabaseError>,
) -> T {
    let mut client = Client::begin(database, level);
    let answer = client.ask(run).expect("nobody disturbs it");
    assert!(client.commit(), "nobody disturbs it");
    answer
}

/// What is in the database, as far as keys up to 9 go.
pub fn contents(database: &dyn Database, level: DatabaseLevel) -> Vec<(i64, i64)> {
    alone(database, level, |connection| {
        let mut found = Vec::new();
        for key in 0..10 {
            found.extend(connection.get(key, false)?.map(|value| (key, value)));
        }
        Ok(found)
    })
}

/// A workload of this name, small enough for a test, with so few keys that transactions meet.
pub fn workload(name: &str, txns: usize, keys: u64) -> Workload {
    let usual = Workload::named(name).expect("a known workload");
    Workload { txns, keys, sessions: 6, at_once: 6, ..usual }
}

/// What a run left behind.
pub struct Recorded {
    pub history: History,
    pub count: Count,
    level: DatabaseLevel,
    path: PathBuf,
}

/// Runs a workload on a database and reads its trace. The trace is kept if the test fails.
pub fn record(database: &dyn Database, level: DatabaseLevel, workload: &Workload) -> Recorded {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("tristan-test-{}-{number}.jsonl", std::process::id());
    let path = std::env::temp_dir().join(name);
    let described = database.describe();
    let header = Header { database: &described, level: Some(level.claims), ..Header::default() };
    let recorder = Recorder::create(&path, &header).expect("a trace");
    let tally = Tally::default();
    let run =
        Run { database, level, workload, think: THINK, until: None, hints: true, patient: false };
    run.go(&recorder, &tally, &AtomicBool::new(false)).expect("the run ends");
    recorder.finish().expect("the trace is complete");
    let history = formats::open(&path, None).expect("the trace is well formed");
    Recorded { history, count: tally.now(), level, path }
}

/// Opens a fresh database and runs a workload on it.
pub fn record_on(url: &str, level_name: &str, workload: &Workload) -> Recorded {
    let database = open(url, &[]);
    let level = level(&*database, level_name);
    record(&*database, level, workload)
}

impl Recorded {
    /// The level holds.
    pub fn keeps(&self, level: &str) -> &Self {
        let answer = self.judge(level);
        assert!(matches!(answer, Answer::Accept { .. }), "{}: {answer:?}", self.path.display());
        self
    }

    /// The level that the database claims holds.
    pub fn keeps_its_claim(&self) -> &Self {
        self.keeps(self.level.claims)
    }

    /// The level is violated.
    pub fn breaks(&self, level: &str) -> &Self {
        let answer = self.judge(level);
        assert!(matches!(answer, Answer::Reject { .. }), "{}: {answer:?}", self.path.display());
        self
    }

    /// At least so many transactions committed.
    pub fn committed(&self, least: u64) -> &Self {
        assert!(self.count.committed >= least, "{:?}", self.count);
        self
    }

    /// Some transactions got into each other's way.
    pub fn met(&self) -> &Self {
        assert!(self.count.refused > 0, "no transactions met: {:?}", self.count);
        self
    }

    fn judge(&self, level: &str) -> Answer {
        let level = Catalog::default().find(level).expect(level);
        let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        check(&self.history, &level, &options, &Silent).verdict.answer
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // A trace that stays behind does no harm.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The version of a package, from the lock file of the workspace.
pub fn locked_version(package: &str) -> String {
    let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
    let lock = std::fs::read_to_string(lock).expect("a lock file");
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next().and_then(|line| line.strip_prefix("version = ")).expect("a version");
    version.trim_matches('"').to_owned()
}
