//! Histories printed for checkers that know only reads and writes of numbers, and read again.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use std::collections::BTreeMap;

use common::{Generator, parse};
use tristan_formats::{Format, WriteForm, detect, losses, write};
use tristan_generate::{Rng, Shape, atomic_store};
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, KeyId, Observed, Op, OpKind, OpStatus, Outcome, TxnId,
};

const SEEDS: u64 = 500;

/// Sentences about renaming only.
const HARMLESS: [&str; 7] = [
    "the original keys (replaced with numbers, which changes no verdict)",
    "the original values (replaced with numbers, which changes no verdict; every key starts with 0)",
    "that keys start absent (they start with 0, which changes no verdict)",
    "names of sessions and transactions (they are numbered)",
    "names of sessions (they are numbered)",
    "names of transactions (they are numbered)",
    "which operations of aborted transactions belong together, and their sessions",
];

/// Prints a history and reads it again.
fn there_and_back(history: &History, form: WriteForm, format: Format) -> History {
    let mut bytes = Vec::new();
    write(history, form, &mut bytes).expect("memory takes every byte");
    assert_eq!(detect(&bytes), Some(format));
    let again = parse(&bytes, None).unwrap_or_else(|error| panic!("{error}"));
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    again
}

/// What a history says when names mean nothing: keys are numbered as they come up, values as they
/// come up on their key, and what a key starts with is called `start`.
struct Skeleton<'a> {
    history: &'a History,
    keys: BTreeMap<KeyId, usize>,
    values: BTreeMap<(KeyId, String), usize>,
}

impl<'a> Skeleton<'a> {
    fn of(history: &'a History) -> Self {
        Self { history, keys: BTreeMap::new(), values: BTreeMap::new() }
    }

    /// All transactions, session by session.
    fn sessions(mut self) -> Vec<Vec<String>> {
        let sessions = self.history.sessions.iter().filter(|session| !session.txns.is_empty());
        sessions.map(|session| session.txns.iter().map(|id| self.txn(*id)).collect()).collect()
    }

    /// Committed transactions that did something, session by session, and the operations of aborted
    /// ones; of neither those that failed.
    fn effects(mut self) -> (Vec<Vec<String>>, String) {
        let txns = |session: &tristan_history::Session| session.txns.clone();
        let sessions: Vec<Vec<TxnId>> = self.history.sessions.iter().map(txns).collect();
        let committed = |id: &&TxnId| self.history.txn(**id).outcome == Outcome::Committed;
        let mut chosen: Vec<Vec<TxnId>> = Vec::new();
        let mut aborted = Vec::new();
        for session in &sessions {
            chosen.push(session.iter().filter(committed).copied().collect());
            aborted.extend(session.iter().filter(|id| !committed(id)).copied());
        }
        let mut told: Vec<Vec<String>> = Vec::new();
        for session in chosen {
            let txns = session.into_iter().map(|id| self.succeeded(id));
            told.push(txns.filter(|ops| !ops.is_empty()).collect());
        }
        told.retain(|session| !session.is_empty());
        (told, aborted.into_iter().map(|id| self.succeeded(id)).collect())
    }

    fn txn(&mut self, id: TxnId) -> String {
        let ops: String = self.history.ops_of(id).iter().map(|op| self.op(op)).collect();
        format!("{:?}:{ops}", self.history.txn(id).outcome)
    }

    fn succeeded(&mut self, id: TxnId) -> String {
        let done = self.history.ops_of(id).iter().filter(|op| op.status == OpStatus::Done);
        done.map(|op| self.op(op)).collect()
    }

    fn op(&mut self, op: &Op) -> String {
        let failed = op.status == OpStatus::Failed;
        let mark = if failed { "!" } else { "" };
        match op.kind {
            OpKind::Get { key, .. } if failed => format!(" r{}!", self.key(key)),
            OpKind::Get { key, seen, .. } => format!(" r{}{mark}", self.pair(key, seen)),
            OpKind::Put { key, value } => {
                format!(" w{}{mark}", self.pair(key, Observed::Value(value)))
            }
            OpKind::Delete { key, .. } => format!(" w{}", self.pair(key, Observed::Absent)),
            OpKind::ReadModifyWrite { key, seen, value } => {
                let read = self.pair(key, seen);
                format!(" r{read} w{}", self.pair(key, Observed::Value(value)))
            }
            ref other => panic!("{other:?}"),
        }
    }

    fn key(&mut self, key: KeyId) -> usize {
        let next = self.keys.len();
        *self.keys.entry(key).or_insert(next)
    }

    fn pair(&mut self, key: KeyId, seen: Observed) -> String {
        let name = self.key(key);
        if self.history.initial_of(key) == Some(seen) {
            return format!("{name}=start");
        }
        let text = match seen {
            Observed::Value(value) => format!("{:?}", self.history.value(value)),
            other => format!("{other:?}"),
        };
        let next = self.values.len();
        format!("{name}={}", self.values.entry((key, text)).or_insert(next))
    }
}

/// A random history of reads and writes, with all kinds of keys, values and beginnings.
fn registers(seed: u64) -> History {
    let mut rng = Rng::new(seed);
    let mut builder = HistoryBuilder::default();
    let wild = rng.percent(50);
    let data = match wild {
        true => [Datum::Int(0), Datum::Int(-7), "x".into(), Datum::Int(u64::MAX.into())],
        false => [Datum::Int(0), Datum::Int(1), Datum::Int(2), Datum::Int(3)],
    };
    let pick = |rng: &mut Rng| data[rng.below(4) as usize].clone();
    let initial = match rng.below(3) {
        0 => Initial::Empty,
        1 => Initial::Uniform(builder.value(pick(&mut rng))),
        _ => {
            let pairs = (0..2).map(|_| (pick(&mut rng), pick(&mut rng))).collect::<Vec<_>>();
            let ids = pairs.into_iter().map(|(k, v)| (builder.key(k), builder.value(v)));
            Initial::Given(ids.collect())
        }
    };
    builder.history_mut().header.initial = initial;
    for number in 0..=rng.below(8) {
        let session = Datum::Int(rng.below(3).into());
        let id = {
            let outcome = if rng.percent(70) { Outcome::Committed } else { Outcome::Aborted };
            builder.begin(TextOr(session, wild)).end(outcome)
        };
        for _ in 0..rng.below(5) {
            let (key, value) = (pick(&mut rng), pick(&mut rng));
            let (key, value) = (builder.key(key), builder.value(value));
            let seen = if rng.percent(30) { Observed::Absent } else { Observed::Value(value) };
            let failed = rng.percent(10);
            let kind = match rng.below(if failed { 2 } else { 4 }) {
                0 if failed => OpKind::Get { key, seen: Observed::Unknown, locking: false },
                0 => OpKind::Get { key, seen, locking: false },
                1 => OpKind::Put { key, value },
                2 => OpKind::Delete { key, rows: None },
                _ => OpKind::ReadModifyWrite { key, seen, value },
            };
            let status = if failed { OpStatus::Failed } else { OpStatus::Done };
            builder.push_op(Op { kind, status, line: 0 });
        }
        if rng.percent(30) {
            builder.history_mut().txns[id.index()].name =
                Some(Box::new(Datum::Int(i128::from(number) + 1)));
        }
    }
    builder.finish()
}

/// A session with a number, or with a text instead.
struct TextOr(Datum, bool);

impl From<TextOr> for Datum {
    fn from(TextOr(session, text): TextOr) -> Self {
        if text { Datum::Text(format!("session {session}").into()) } else { session }
    }
}

#[test]
fn dbcop_keeps_everything_but_names() {
    for seed in 0..SEEDS {
        let history = registers(seed);
        let again = there_and_back(&history, WriteForm::Dbcop, Format::Dbcop);
        let (before, after) = (Skeleton::of(&history).sessions(), Skeleton::of(&again).sessions());
        assert_eq!(before, after, "seed {seed}");
        let twice = there_and_back(&again, WriteForm::Dbcop, Format::Dbcop);
        assert_eq!(common::told(&again), common::told(&twice), "seed {seed}");
    }
}

#[test]
fn plume_keeps_what_took_effect_and_what_did_not() {
    for seed in 0..SEEDS {
        let history = registers(seed);
        let done = |op: &Op| op.status == OpStatus::Done;
        if !history.ops.iter().any(done) {
            continue;
        }
        let again = there_and_back(&history, WriteForm::Plume, Format::Plume);
        let (before, after) = (Skeleton::of(&history).effects(), Skeleton::of(&again).effects());
        assert_eq!(before, after, "seed {seed}");
    }
}

#[test]
fn whole_numbers_stay_what_they_are() {
    let mut builder = HistoryBuilder::default();
    builder.begin(0).get(7, Some(0)).put(7, 5).end(Outcome::Committed);
    builder.begin(1).get(7, Some(5)).put(8, 9).end(Outcome::Committed);
    let zero = builder.value(0);
    builder.history_mut().header.initial = Initial::Uniform(zero);
    builder.history_mut().header.database = Some("TestDB 1.0\n".into());
    let history = builder.finish();
    assert_eq!(losses(&history, WriteForm::Dbcop), Vec::<String>::new());
    let dbcop = there_and_back(&history, WriteForm::Dbcop, Format::Dbcop);
    assert_eq!(dbcop.header.database.as_deref(), Some("TestDB 1.0\n"));
    assert_eq!(losses(&history, WriteForm::Plume), ["the database"]);
    let mut text = Vec::new();
    write(&history, WriteForm::Plume, &mut text).expect("memory takes every byte");
    let text = String::from_utf8(text).expect("text");
    assert_eq!(text, "r(7,0,0,1)\nw(7,5,0,1)\nr(7,5,1,2)\nw(8,9,1,2)\n");
}

#[test]
fn zero_is_made_free_where_it_is_taken() {
    let mut builder = HistoryBuilder::default();
    builder.begin("a").get("x", None).put("x", 0).end(Outcome::Committed);
    builder.begin("b").get("x", Some(0)).end(Outcome::Committed);
    let history = builder.finish();
    let mut text = Vec::new();
    write(&history, WriteForm::Plume, &mut text).expect("memory takes every byte");
    let text = String::from_utf8(text).expect("text");
    assert_eq!(text, "r(0,0,0,1)\nw(0,1,0,1)\nr(0,1,1,2)\n");
    assert_eq!(losses(&history, WriteForm::Plume), [HARMLESS[0], HARMLESS[1], HARMLESS[4]]);
}

#[test]
fn a_first_transaction_is_not_taken_for_the_initial_state() {
    let mut builder = HistoryBuilder::default();
    let first = builder.begin(0).put(1, 0).end(Outcome::Committed);
    builder.begin(1).get(1, Some(0)).end(Outcome::Committed);
    let zero = builder.value(0);
    builder.history_mut().header.initial = Initial::Uniform(zero);
    builder.history_mut().txns[first.index()].name = Some(Box::new(Datum::Int(0)));
    builder.history_mut().txns[1].name = Some(Box::new(Datum::Int(1)));
    let history = builder.finish();
    assert_eq!(losses(&history, WriteForm::Plume), [HARMLESS[5]]);
    let again = there_and_back(&history, WriteForm::Plume, Format::Plume);
    assert!(matches!(again.header.initial, Initial::Uniform(_)));
}

#[test]
fn unknown_outcomes_are_decided_by_who_read_them() {
    let mut builder = HistoryBuilder::default();
    builder.begin("seen").put("x", 1).end(Outcome::Unknown);
    builder.begin("unseen").put("x", 2).get("x", Some(2)).end(Outcome::Unknown);
    builder.begin("reader").get("x", Some(1)).end(Outcome::Committed);
    let history = builder.finish();
    let again = there_and_back(&history, WriteForm::Dbcop, Format::Dbcop);
    let outcomes: Vec<Outcome> = again.txns.iter().map(|txn| txn.outcome).collect();
    assert_eq!(outcomes, [Outcome::Committed, Outcome::Aborted, Outcome::Committed]);
    let lost = losses(&history, WriteForm::Dbcop);
    let sentence = "transactions of unknown outcome (they become committed if another transaction read their writes, else aborted): 2";
    assert!(lost.iter().any(|loss| loss == sentence), "{lost:?}");
}

#[test]
fn what_was_rolled_back_is_left_out() {
    let mut builder = HistoryBuilder::default();
    builder
        .begin(0)
        .put(1, 1)
        .savepoint("a")
        .put(1, 2)
        .get(1, Some(2))
        .rollback("a")
        .get(1, Some(1))
        .end(Outcome::Committed);
    let history = builder.finish();
    let again = there_and_back(&history, WriteForm::Plume, Format::Plume);
    assert_eq!(again.ops.len(), 2);
    let lost = losses(&history, WriteForm::Plume);
    assert_eq!(
        lost,
        [HARMLESS[2], "reads and writes that were rolled back to a savepoint: 2", "savepoints: 2"]
    );
}

#[test]
fn everything_else_is_told() {
    let mut builder = HistoryBuilder::default();
    builder
        .begin(0)
        .append("l", 1)
        .list("l", &[1])
        .scan("a".."z", &[("x", 1)])
        .delete("x")
        .during(1, 2)
        .end(Outcome::Committed);
    builder.begin(0).end(Outcome::Aborted);
    let history = builder.finish();
    assert_eq!(
        losses(&history, WriteForm::Plume),
        [
            HARMLESS[0],
            HARMLESS[2],
            "times of transactions: 1",
            "deletes (they become writes of a value that stands for absent): 1",
            "range reads: 1",
            "operations on lists: 2",
            "transactions without operations: 1"
        ]
    );
}

#[test]
fn any_history_can_be_printed_and_read_again() {
    for seed in 0..SEEDS {
        let history = Generator::new(seed, false).history();
        let again = there_and_back(&history, WriteForm::Dbcop, Format::Dbcop);
        assert_eq!(again.txns.len(), history.txns.len());
        assert!(losses(&history, WriteForm::Dbcop).contains(&"the claimed level".to_owned()));
        let mut text = Vec::new();
        write(&history, WriteForm::Plume, &mut text).expect("memory takes every byte");
        if !text.is_empty() {
            parse(&text, Some(Format::Plume)).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn a_workload_loses_only_names() {
    let shape = Shape { txns: 300, keys: 30, sessions: 6, ..Shape::default() };
    let history = atomic_store(&shape);
    for (form, format) in [(WriteForm::Dbcop, Format::Dbcop), (WriteForm::Plume, Format::Plume)] {
        let lost = losses(&history, form);
        let harmless = |loss: &String| HARMLESS.iter().any(|known| loss.starts_with(known));
        assert!(lost.iter().all(harmless), "{lost:?}");
        let again = there_and_back(&history, form, format);
        assert_eq!(Skeleton::of(&history).effects(), Skeleton::of(&again).effects());
    }
}
