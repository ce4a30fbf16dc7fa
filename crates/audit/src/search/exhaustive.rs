//! All small logs: the search, which leaves out orders, against one that leaves out none.
//!
//! A log has three transactions with one statement each, over two rows that are 0 at the start.
//! Time is two *slots*. A transaction begins, gets its answer, asks for its commit and ends in slots
//! that do not decrease, which makes five shapes; what happens in one slot overlaps. Transactions that
//! end in the same slot do so in the reverse order of their begins, so that deadlines come in another
//! order than begins. Every combination of shapes and statements is tried, up to the names of the rows,
//! except for logs in which nobody reads or nobody writes.
//!
//! A log that is right must not be rejected because of one row either (`projection.rs`), nor because of the versions of
//! both (`versions.rs`).
//!
//! The plain search ([`Plain`]) puts transactions in every order that their times allow and lets them
//! read every state that the level allows, by its definition. It knows numbers only: no SQL, no reach,
//! no deadline, no world.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use tristan_ground::Budget;

use super::projection::Log;
use super::versions::Patience;
use super::world_search::{SearchError, WorldSearch};
use crate::explain::{Effort, Slice};
use crate::level::AuditLevel;
use crate::model::{Call, Control, Observed, Outcome, Time, Txn};
use crate::options::AuditOptions;
use crate::sql::Sql;
use crate::statement::{Focus, Readers, Task};
use crate::world::{Key, Row};

/// A statement, and what was observed. Rows are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    /// It reads a row.
    Read(usize, i64),
    /// It reads both rows.
    Sum(i64),
    /// It shows both rows.
    Both([i64; 2]),
    /// It writes 1 to a row.
    Set(usize),
    /// It adds 1 to a row.
    Add(usize),
}

use Op::{Add, Both, Read, Set, Sum};

/// Closed under exchange of the rows.
const OPS: [Op; 9] = [
    Read(0, 0),
    Read(0, 1),
    Read(1, 0),
    Read(1, 1),
    Sum(1),
    Both([0, 1]),
    Both([1, 0]),
    Set(0),
    Set(1),
];

/// The same with statements that depend on what they replace.
const MORE_OPS: [Op; 10] = [
    Read(0, 0),
    Read(0, 1),
    Read(1, 0),
    Read(1, 1),
    Sum(1),
    Sum(2),
    Set(0),
    Set(1),
    Add(0),
    Add(1),
];

impl Op {
    fn sql(self) -> String {
        match self {
            Read(row, _) => format!("SELECT v FROM t WHERE k = {row}"),
            Sum(_) => "SELECT sum(v) FROM t".to_owned(),
            Both(_) => "SELECT k, v FROM t ORDER BY k".to_owned(),
            Set(row) => format!("UPDATE t SET v = 1 WHERE k = {row}"),
            Add(row) => format!("UPDATE t SET v = v + 1 WHERE k = {row}"),
        }
    }

    fn observed(self) -> Observed {
        match self {
            Read(_, seen) | Sum(seen) => Observed::Rows { rows: vec![vec![seen.into()]], cut: 0 },
            Both(seen) => {
                let rows = [0, 1].map(|row| vec![row.into(), seen[row].into()]);
                Observed::Rows { rows: rows.to_vec(), cut: 0 }
            }
            Set(_) | Add(_) => Observed::Affected(1),
        }
    }

    fn reads(self) -> bool {
        matches!(self, Read(..) | Sum(_) | Both(_))
    }

    fn row(self) -> Option<usize> {
        match self {
            Read(row, _) | Set(row) | Add(row) => Some(row),
            Sum(_) | Both(_) => None,
        }
    }
}

/// A transaction of one statement.
#[derive(Clone, Copy, Debug)]
struct Small {
    op: Op,
    session: u64,
    begin: Time,
    answer: Time,
    commit: Time,
    end: Time,
}

/// The plain search.
struct Plain<'a> {
    level: AuditLevel,
    sessions: bool,
    txns: &'a [Small],
}

/// An execution as far as it went.
#[derive(Default)]
struct Past {
    /// Who wrote which row, in order.
    commits: Vec<(usize, usize)>,
    /// The states between the commits.
    states: Vec<[i64; 2]>,
    /// Who read which state, where nobody goes back.
    turns: Vec<(usize, usize)>,
}

impl Plain<'_> {
    fn accepts(&self) -> bool {
        let mut past = Past { states: vec![[0, 0]], ..Past::default() };
        self.order(&mut past, &mut Vec::new())
    }

    fn lo(&self, txn: usize) -> Time {
        if self.level.is_serial() { self.txns[txn].begin } else { self.txns[txn].commit }
    }

    /// Whether the rest can be put in some order.
    fn order(&self, past: &mut Past, before: &mut Vec<usize>) -> bool {
        if before.len() == self.txns.len() {
            return true;
        }
        for txn in (0..self.txns.len()).filter(|txn| !before.contains(txn)).collect::<Vec<_>>() {
            if before.iter().any(|&other| self.lo(other) > self.txns[txn].end) {
                continue;
            }
            before.push(txn);
            let explained =
                (0..past.states.len()).any(|state| self.place(past, before, txn, state));
            before.pop();
            if explained {
                return true;
            }
        }
        false
    }

    /// Whether a transaction can come next that reads a state, and the rest after it.
    fn place(&self, past: &mut Past, before: &mut Vec<usize>, txn: usize, state: usize) -> bool {
        let now = past.states.len() - 1;
        let op = self.txns[txn].op;
        let one_state = self.level.snapshot_at_start()
            && (op.reads() || self.level == AuditLevel::StrongSnapshot);
        if !self.may_read(past, txn, state, one_state) {
            return false;
        }
        let newest = match self.level {
            AuditLevel::ReadCommitted
            | AuditLevel::StrongReadCommitted
            | AuditLevel::MariaDbRepeatableRead => past.states[now],
            _ => past.states[state],
        };
        let written = match op {
            Read(row, seen) if past.states[state][row] != seen => return false,
            Sum(seen) if !self.pairs(past, txn, state).any(|[a, b]| a + b == seen) => return false,
            Both(seen) if !self.pairs(past, txn, state).any(|pair| pair == seen) => return false,
            Read(..) | Sum(_) | Both(_) => None,
            Set(row) => Some((row, 1)),
            Add(row) => Some((row, newest[row] + 1)),
        };
        let snapshot = matches!(self.level, AuditLevel::Snapshot | AuditLevel::StrongSnapshot);
        let changed = |row: usize| past.commits[state..].iter().any(|&(_, other)| other == row);
        if snapshot && written.is_some_and(|(row, _)| changed(row)) {
            return false;
        }
        if one_state {
            past.turns.push((txn, state));
        }
        if let Some((row, value)) = written {
            let mut next = past.states[now];
            next[row] = value;
            past.states.push(next);
            past.commits.push((txn, row));
        }
        let explained = self.order(past, before);
        if written.is_some() {
            past.states.pop();
            past.commits.pop();
        }
        if one_state {
            past.turns.pop();
        }
        explained
    }

    /// Whether the level lets a transaction read a state if it comes next.
    fn may_read(&self, past: &Past, txn: usize, state: usize, one_state: bool) -> bool {
        let (now, own) = (past.states.len() - 1, &self.txns[txn]);
        let sees_session = !self.sessions
            || past.commits[state..]
                .iter()
                .all(|&(other, _)| self.txns[other].session != own.session);
        match self.level {
            AuditLevel::Serializable | AuditLevel::StrictSerializable => state == now,
            AuditLevel::Snapshot => sees_session,
            // What is read in one state can be read of each row on its own; of what is written, the newest
            // version counts.
            AuditLevel::ReadCommitted => sees_session && self.is_there(past, txn, state),
            // There is one statement, which is sent when its transaction begins.
            AuditLevel::StrongReadCommitted => {
                let over = |&(other, _): &(usize, usize)| self.txns[other].end < own.begin;
                self.is_there(past, txn, state) && !past.commits[state..].iter().any(over)
            }
            AuditLevel::MariaDbRepeatableRead if !one_state => state == now,
            AuditLevel::StrongSnapshot | AuditLevel::MariaDbRepeatableRead => {
                let in_turn = past.turns.iter().all(|&(other, read)| {
                    let other = &self.txns[other];
                    (other.answer >= own.begin || read <= state)
                        && (own.answer >= other.begin || state <= read)
                });
                let over = |&(other, _): &(usize, usize)| self.txns[other].end < own.begin;
                in_turn
                    && self.is_there(past, txn, state)
                    && !past.commits[state..].iter().any(over)
            }
        }
    }

    /// Whether a state has nothing of which the commit was asked for after the answer to a transaction.
    fn is_there(&self, past: &Past, txn: usize, state: usize) -> bool {
        let answer = self.txns[txn].answer;
        past.commits[..state].iter().all(|&(other, _)| self.txns[other].commit <= answer)
    }

    /// What both rows may be: of one state, or, at read committed, each of a state of its own.
    fn pairs<'p>(
        &'p self,
        past: &'p Past,
        txn: usize,
        state: usize,
    ) -> impl Iterator<Item = [i64; 2]> + 'p {
        let apart = self.level == AuditLevel::ReadCommitted;
        let others = (0..past.states.len()).filter(move |&other| {
            other == state || apart && self.may_read(past, txn, other, false)
        });
        others.map(move |other| [past.states[state][0], past.states[other][1]])
    }
}

/// The search, with one table that is there from the start.
struct Pruned {
    sql: Option<Sql>,
    rows: Vec<(Key, Row)>,
    options: AuditOptions,
}

impl Pruned {
    fn new(level: AuditLevel, sessions: bool) -> Self {
        let mut sql = Sql::new(None);
        sql.start("CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (0, 0), (1, 0)")
            .expect("a table");
        let rows = sql.begin().expect("rows");
        let options = AuditOptions { sessions, ..AuditOptions::new(level) };
        Self { sql: Some(sql), rows, options }
    }

    /// The transactions, ready to be tried.
    fn tasks(&self, sql: &mut Sql, txns: &[Small], texts: &[(Op, Arc<str>)]) -> Vec<Task> {
        let task = |(small, serial): (&Small, u32)| {
            let txn = txn(small, serial, texts);
            let steps = sql.prepare(&txn).expect("statements");
            Task::new(serial, txn, steps, &self.options)
        };
        txns.iter().zip(1..).map(task).collect()
    }

    /// A log that is kept to be projected.
    fn log(&mut self, txns: &[Small], texts: &[(Op, Arc<str>)]) -> Log {
        let mut sql = self.sql.take().expect("it comes back");
        let tasks = self.tasks(&mut sql, txns, texts);
        let log = Log::new(tasks, self.rows.clone(), sql.again());
        self.sql = Some(sql);
        log
    }

    /// Whether no versions of the rows explain one of the queries of a log.
    fn refutes_a_query(&self, log: &Log) -> bool {
        let budget = Budget::default();
        log.tasks.iter().any(|task| {
            let mut patience = Patience { options: &self.options, budget: &budget, runs: u64::MAX };
            log.refute_query(task, 0, &mut patience).is_some()
        })
    }

    /// Whether the projection to one of the rows rejects a log.
    fn refutes_a_row(&self, log: &Log) -> bool {
        let statements = log.tasks.iter().filter_map(|task| task.statement(0));
        let focuses: FxHashSet<Focus> = statements.flat_map(Focus::named_by).collect();
        let (effort, budget) = (Effort::slice(Slice::Rows), Budget::default());
        #[allow(clippy::iter_over_hash_type, reason = "the order makes no difference")]
        let refuted = focuses.iter().any(|focus| {
            let projected = log.project(focus, &self.options, effort, &budget, u64::MAX);
            let projected = projected.expect("every statement can be projected");
            matches!(
                projected.ended.expect("everything is tried"),
                Err(SearchError::Unexplained(_))
            )
        });
        refuted
    }

    fn accepts(&mut self, txns: &[Small], texts: &[(Op, Arc<str>)]) -> bool {
        let mut sql = self.sql.take().expect("it comes back");
        let tasks = self.tasks(&mut sql, txns, texts);
        let mut search = WorldSearch::new(sql, self.options.clone(), Effort::FULL);
        for (key, row) in &self.rows {
            search.load(*key, row.clone());
        }
        if self.options.level.reads_old_states() {
            let mut readers = Readers::default();
            tasks.iter().for_each(|task| readers.add(task, &self.options));
            search.readers = Some(readers);
        }
        let admitted = tasks.into_iter().try_for_each(|task| search.admit(task));
        let ended = admitted.and_then(|()| search.finish());
        assert_eq!(search.notes.untried(), None, "something was not tried: {txns:?}");
        self.sql = Some(search.sql);
        match ended {
            Ok(()) => true,
            Err(SearchError::Unexplained(_)) => false,
            Err(SearchError::Unsupported(_, reason)) => panic!("{reason}"),
        }
    }
}

fn txn(small: &Small, serial: u32, texts: &[(Op, Arc<str>)]) -> Txn {
    let text = texts.iter().find(|(op, _)| *op == small.op).expect("a text");
    let call = Call {
        sql: Arc::clone(&text.1),
        params: Vec::new(),
        types: Arc::default(),
        control: Control::Statement,
        observed: small.op.observed(),
        begin: small.begin,
        end: small.answer,
        line: 0,
    };
    Txn {
        number: u64::from(serial),
        session: small.session,
        begin: small.begin,
        commit: small.commit,
        end: small.end,
        outcome: Outcome::Committed,
        stamp: None,
        calls: vec![call],
        line: 0,
    }
}

/// Slots of begin, answer, commit and end.
fn shapes(slots: Time) -> Vec<[Time; 4]> {
    let all =
        (0..slots.pow(4)).map(|number| [3, 2, 1, 0].map(|place| number / slots.pow(place) % slots));
    all.filter(|shape| shape.is_sorted()).collect()
}

/// A transaction with its place among the others.
fn small(op: Op, [begin, answer, commit, end]: [Time; 4], place: Time) -> Small {
    let session = place.unsigned_abs();
    Small {
        op,
        session,
        begin: 100 * begin + place,
        answer: 100 * answer + 60,
        commit: 100 * commit + 30,
        end: 100 * end + 90 - place,
    }
}

/// Tries all logs at a level; says how many there were, how many of them are right, and how many are wrong because of one
/// row, and because of the versions of rows that one query can have read.
fn try_all(level: AuditLevel, sessions: bool, slots: Time, ops: &[Op]) -> [u64; 4] {
    let texts: Vec<(Op, Arc<str>)> = ops.iter().map(|op| (*op, op.sql().into())).collect();
    let (shapes, mut pruned) = (shapes(slots), Pruned::new(level, sessions));
    let (mut logs, mut right, mut rows, mut queries) = (0, 0, 0, 0);
    let mut each = |txns: &[Small]| {
        let plain = Plain { level, sessions, txns }.accepts();
        assert_eq!(pruned.accepts(txns, &texts), plain, "{level}, plain search first: {txns:#?}");
        logs += 1;
        right += u64::from(plain);
        let log = pruned.log(txns, &texts);
        let row = pruned.refutes_a_row(&log);
        assert!(!(plain && row), "{level}, one row of a log that is right: {txns:#?}");
        rows += u64::from(row);
        // Of the logs that are wrong, a part tells whether this finds anything.
        if plain || logs % PART == 0 {
            let query = pruned.refutes_a_query(&log);
            assert!(!(plain && query), "{level}, one query of a log that is right: {txns:#?}");
            queries += u64::from(query);
        }
    };
    for triple in triples(ops) {
        for first in &shapes {
            for second in shapes.iter().filter(|second| first[0] <= second[0]) {
                for third in shapes.iter().filter(|third| second[0] <= third[0]) {
                    let times = [first, second, third];
                    let mut txns = [0, 1, 2].map(|place: usize| {
                        small(triple[place], *times[place], i64::try_from(place).expect("small"))
                    });
                    if !sessions {
                        each(&txns);
                        continue;
                    }
                    for (earlier, later) in [(0, 1), (0, 2), (1, 2)] {
                        if txns[earlier].end < txns[later].begin {
                            let own = txns[later].session;
                            txns[later].session = txns[earlier].session;
                            each(&txns);
                            txns[later].session = own;
                        }
                    }
                }
            }
        }
    }
    [logs, right, rows, queries]
}

/// Of so many wrong logs, one is also judged by the versions of rows that a query can have read.
const PART: u64 = 8;

/// All statements of three transactions, up to the names of the rows, of which some read and some write.
fn triples(ops: &[Op]) -> Vec<[Op; 3]> {
    let mut all = Vec::new();
    for &first in ops {
        for &second in ops {
            for &third in ops {
                let triple = [first, second, third];
                let named = triple.iter().find_map(|op| op.row());
                let readers = triple.iter().filter(|op| op.reads()).count();
                if named == Some(0) && (1..=2).contains(&readers) {
                    all.push(triple);
                }
            }
        }
    }
    all
}

/// Two slots; with `AUDIT_SLOTS` more, and then statements that add.
fn check(level: AuditLevel, sessions: bool) {
    let slots = std::env::var("AUDIT_SLOTS").ok().and_then(|slots| slots.parse().ok());
    let ops: &[Op] = if slots.is_some() { &MORE_OPS } else { &OPS };
    let [logs, right, rows, queries] = try_all(level, sessions, slots.unwrap_or(2), ops);
    println!(
        "{level}: {logs} logs, {right} of them right; {rows} are wrong because of one row; of one in {PART}, {queries} \
         because of one query"
    );
    let wrong = logs - right;
    assert!(right > logs / 20 && wrong > logs / 20 && rows > wrong / 2, "{right} of {logs}");
    assert!(queries > wrong / PART / 2, "{queries} of {wrong}, one in {PART}");
}

#[test]
fn no_order_is_missed_at_serializable() {
    check(AuditLevel::Serializable, false);
}

#[test]
fn no_order_is_missed_at_strong_snapshot_isolation() {
    check(AuditLevel::StrongSnapshot, false);
}

#[test]
fn no_order_is_missed_at_snapshot_isolation() {
    check(AuditLevel::Snapshot, false);
}

#[test]
fn no_order_is_missed_at_snapshot_isolation_with_sessions() {
    check(AuditLevel::Snapshot, true);
}

#[test]
fn no_order_is_missed_at_strong_read_committed() {
    check(AuditLevel::StrongReadCommitted, false);
}

#[test]
fn no_order_is_missed_at_read_committed() {
    check(AuditLevel::ReadCommitted, false);
}

#[test]
fn no_order_is_missed_at_read_committed_with_sessions() {
    check(AuditLevel::ReadCommitted, true);
}

#[test]
fn no_order_is_missed_at_repeatable_read_of_mariadb() {
    check(AuditLevel::MariaDbRepeatableRead, false);
}
