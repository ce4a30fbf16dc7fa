//! Random histories and a way to compare two of them, shared by the tests of the formats.
#![allow(dead_code, missing_docs)]

mod hints;

use std::collections::BTreeMap;
use std::fmt::Write;

use tristan_formats::TraceError;
use tristan_formats::{Format, WriteForm, read, write};
use tristan_generate::Rng;
use tristan_history::{
    Datum, Header, Hints, History, HistoryBuilder, Initial, Items, KeyId, KeyOrder, Observed, Op,
    OpKind, OpRef, OpStatus, OrderHint, Outcome, OwnWrites, Presence, Range, Span, StampHint,
    Times, Txn, TxnId, ValueId,
};

/// Reads a trace from memory under the name `t`.
pub fn parse(text: impl AsRef<[u8]>, format: Option<Format>) -> Result<History, TraceError> {
    read(text.as_ref(), "t", format)
}

/// Prints a history to a string.
pub fn print(history: &History, form: WriteForm) -> String {
    let mut out = Vec::new();
    write(history, form, &mut out).expect("memory takes every byte");
    String::from_utf8(out).expect("traces are text")
}

fn bytes(bytes: &[u8]) -> Datum {
    Datum::from(bytes)
}

/// Everything a history says except line numbers and warnings, one transaction per line, each
/// session in issuing order.
pub fn told(history: &History) -> String {
    let mut out = String::new();
    writeln!(out, "{:?}", told_header(history)).expect("strings grow");
    for (_, note) in &history.notes {
        writeln!(out, "note {note}").expect("strings grow");
    }
    for session in &history.sessions {
        writeln!(out, "session {:?}", session.name).expect("strings grow");
        for &id in &session.txns {
            let txn = history.txn(id);
            let ops: Vec<String> = history
                .ops_of(id)
                .iter()
                .map(|op| format!("{:?} {}", op.status, told_op(history, &op.kind)))
                .collect();
            writeln!(
                out,
                "  {} {:?} {:?} {:?} {:?} {:?} {ops:?}",
                history.label(id),
                txn.outcome,
                txn.begin(),
                txn.end(),
                txn.level,
                txn.error
            )
            .expect("strings grow");
        }
    }
    for hint in told_hints(history) {
        writeln!(out, "hint {hint}").expect("strings grow");
    }
    out
}

/// Hints in an order that does not depend on how transactions are numbered.
fn told_hints(history: &History) -> Vec<String> {
    let label = |id: &TxnId| history.label(*id);
    let sources = history.hints.sources.iter().map(|hint| {
        let (reader, from) = (label(&hint.op.txn), hint.from.as_ref().map(label));
        format!("{reader} {} {:?} from {from:?}", hint.op.op, history.key(hint.key))
    });
    let orders = history.hints.orders.iter().map(|hint| {
        let writers: Vec<String> = hint.writers.iter().map(label).collect();
        format!("{:?} by {writers:?}", history.key(hint.key))
    });
    let stamps = history.hints.stamps.iter();
    let stamps =
        stamps.map(|hint| format!("{} {:?} {:?}", label(&hint.txn), hint.start, hint.commit));
    let mut all: Vec<String> = sources.chain(orders).chain(stamps).collect();
    all.sort();
    all
}

fn told_header(history: &History) -> (Header, String) {
    let header = Header { initial: Initial::Empty, ..history.header.clone() };
    let initial = match &history.header.initial {
        Initial::Empty => "empty".to_owned(),
        Initial::Unknown => "unknown".to_owned(),
        Initial::Uniform(value) => format!("every {:?}", history.value(*value)),
        Initial::Given(map) => {
            let map: BTreeMap<&Datum, std::borrow::Cow<'_, Datum>> =
                map.iter().map(|(k, v)| (history.key(*k), history.value(*v))).collect();
            format!("{map:?}")
        }
    };
    (header, initial)
}

fn told_op(history: &History, kind: &OpKind) -> String {
    let key = kind.key().map(|key| history.key(key));
    let seen = |seen: &Observed| match seen {
        Observed::Value(value) => format!("{:?}", history.value(*value)),
        other => format!("{other:?}"),
    };
    let items = |items: &Option<Items>| {
        let pairs = items.as_ref().map(|items| {
            items.iter().map(|(k, v)| (history.key(*k), history.value(*v))).collect::<Vec<_>>()
        });
        format!("{pairs:?}")
    };
    match kind {
        OpKind::Get { seen: read, locking, .. } => format!("get {key:?} {} {locking}", seen(read)),
        OpKind::Put { value, .. } => format!("put {key:?} {:?}", history.value(*value)),
        OpKind::PutIf { value, when, rows, .. } => {
            format!("put {key:?} {:?} if {when:?} {rows:?}", history.value(*value))
        }
        OpKind::Savepoint { name } => format!("savepoint {name:?}"),
        OpKind::RollbackTo { name } => format!("rollback to {name:?}"),
        OpKind::Delete { rows, .. } => format!("delete {key:?} {rows:?}"),
        OpKind::ReadModifyWrite { seen: read, value, .. } => {
            format!("rmw {key:?} {} {:?}", seen(read), history.value(*value))
        }
        OpKind::Append { element, .. } => format!("append {key:?} {:?}", history.value(*element)),
        OpKind::ReadList { elements, .. } => {
            let elements = elements
                .as_ref()
                .map(|list| list.iter().map(|value| history.value(*value)).collect::<Vec<_>>());
            format!("list {key:?} {elements:?}")
        }
        OpKind::Scan { range, items: found, locking } => {
            format!("scan {range:?} {} {locking}", items(found))
        }
        OpKind::Iterate { range, items: found, reached_end } => {
            format!("iter {range:?} {} {reached_end}", items(found))
        }
    }
}

/// Makes random histories that use every corner of the model, or only what `simple` can say.
pub struct Generator {
    pub rng: Rng,
    pub simple: bool,
    builder: HistoryBuilder,
    /// The savepoints of the transaction at hand.
    marks: Vec<Datum>,
}

impl Generator {
    pub fn new(seed: u64, simple: bool) -> Self {
        Self { rng: Rng::new(seed), simple, builder: HistoryBuilder::default(), marks: Vec::new() }
    }

    pub fn history(mut self) -> History {
        let txns = self.rng.below(8) + 1;
        self.header();
        for number in 0..txns {
            self.txn(number);
        }
        if !self.simple {
            self.hints();
        }
        self.builder.finish()
    }

    fn header(&mut self) {
        let initial = match self.rng.below(if self.simple { 3 } else { 4 }) {
            0 => Initial::Empty,
            1 => Initial::Uniform(self.initial_value()),
            2 => Initial::Given((0..3).map(|_| (self.plain_key(), self.value())).collect()),
            _ => Initial::Unknown,
        };
        let own = [OwnWrites::Must, OwnWrites::External, OwnWrites::May][self.pick(3)];
        let order = [KeyOrder::Bytes, KeyOrder::IgnoreCase][self.pick(2)];
        let history = self.builder.history_mut();
        history.header.initial = initial;
        history.header.own_writes = own;
        history.header.key_order = order;
        if !self.simple {
            history.header.database = Some("Postgres \"15\"\n".into());
            history.header.level = Some("si".into());
            history.header.assumptions = vec!["unique-values".into()];
            history.header.open_aborted = true;
            history.notes = vec![(0, "node 2 killed".into())];
        }
    }

    fn txn(&mut self, number: u64) {
        let name = self.rng.below(3);
        let session = self.builder.session(Datum::Int(name.into()));
        let outcome = [Outcome::Committed, Outcome::Aborted, Outcome::Unknown][self.pick(3)];
        let named = self.rng.percent(50);
        let (begin, end) = (self.begin(), self.end(outcome));
        let error = (outcome != Outcome::Committed && self.rng.percent(50)).then(|| "no\t".into());
        self.builder.add_txn(Txn {
            name: named.then(|| Box::new(Datum::Text(format!("txn {number}").into()))),
            times: Times { begin, end }.kept(),
            lines: (1, 1),
            level: (!self.simple && self.rng.percent(20)).then(|| "rc".into()),
            error,
            ..Txn::new(session, outcome)
        });
        self.marks.clear();
        for _ in 0..self.rng.below(7) {
            let op = self.op();
            self.mark(&op);
            self.builder.push_op(op);
        }
    }

    /// Follows savepoints as far as they are certain.
    fn mark(&mut self, op: &Op) {
        match (&op.kind, op.status) {
            (OpKind::Savepoint { name }, OpStatus::Done) => self.marks.push(Datum::clone(name)),
            (OpKind::RollbackTo { name }, OpStatus::Done) => {
                let place = self.marks.iter().rposition(|mark| *mark == **name);
                self.marks.truncate(place.expect("chosen from the marks") + 1);
            }
            _ => {}
        }
    }

    fn hints(&mut self) {
        let history = self.builder.history_mut();
        let mut hints = Hints::default();
        for txn in history.txn_ids() {
            for op in 0..history.txn(txn).op_count {
                let op = OpRef { txn, op };
                hints.sources.extend(hints::sources(history, op, &mut self.rng));
            }
            let committed = history.txn(txn).outcome == Outcome::Committed;
            let start = self.rng.percent(30).then(|| self.rng.below(100) as i64);
            let commit = (committed && self.rng.percent(30)).then_some(-7);
            if start.is_some() || commit.is_some() {
                hints.stamps.push(StampHint { txn, start, commit, line: 0 });
            }
        }
        if !history.keys.is_empty() && self.rng.percent(50) {
            let writers = history.txn_ids().filter(|id| id.0 % 2 == 0).collect();
            hints.orders.push(OrderHint { key: KeyId(0), writers, line: 0 });
        }
        history.hints = hints;
    }

    fn begin(&mut self) -> Span {
        let ret = self.time(200).filter(|_| !self.simple);
        Span { call: self.time(100), ret }
    }

    fn end(&mut self, outcome: Outcome) -> Span {
        let call = self.time(300).filter(|_| !self.simple);
        Span { call, ret: self.time(400).filter(|_| outcome != Outcome::Unknown) }
    }

    fn time(&mut self, from: i64) -> Option<i64> {
        self.rng.percent(60).then(|| from + self.rng.below(100) as i64)
    }

    fn op(&mut self) -> Op {
        let status = match self.rng.below(10) {
            0 if !self.simple => OpStatus::Pending,
            1 if !self.simple => OpStatus::Failed,
            _ => OpStatus::Done,
        };
        let mut kind = self.kind();
        let unseen = !self.simple && self.rng.percent(10) && !matches!(kind, OpKind::Delete { .. });
        if status != OpStatus::Done || unseen {
            forget(&mut kind);
        }
        Op { kind, status, line: 0 }
    }

    fn kind(&mut self) -> OpKind {
        let key = self.key();
        let value = self.value();
        let locking = !self.simple && self.rng.percent(30);
        match self.rng.below(11) {
            8 => self.conditional(key, value),
            9 => OpKind::Savepoint {
                name: Box::new(["a".into(), Datum::Int(2)][self.pick(2)].clone()),
            },
            10 if !self.marks.is_empty() => {
                let place = self.pick(self.marks.len());
                OpKind::RollbackTo { name: Box::new(self.marks[place].clone()) }
            }
            0 => OpKind::Get { key, seen: self.seen(), locking },
            1 => OpKind::Put { key, value },
            2 => OpKind::Delete { key, rows: [None, Some(0), Some(1)][self.pick(3)] },
            3 => OpKind::ReadModifyWrite { key, seen: self.seen(), value },
            4 => OpKind::Append { key, element: value },
            5 => OpKind::ReadList {
                key,
                elements: Some((0..self.rng.below(4)).map(|_| self.value()).collect()),
            },
            6 => OpKind::Scan { range: self.range(), items: Some(self.items()), locking },
            _ => OpKind::Iterate {
                range: self.range(),
                items: Some(self.items()),
                reached_end: self.rng.percent(50),
            },
        }
    }

    fn conditional(&mut self, key: KeyId, value: ValueId) -> OpKind {
        let when = [Presence::Present, Presence::Absent][self.pick(2)];
        OpKind::PutIf { key, value, when, rows: Some(self.pick(2) as u32) }
    }

    fn seen(&mut self) -> Observed {
        match self.rng.percent(30) {
            true => Observed::Absent,
            false => Observed::Value(self.value()),
        }
    }

    fn range(&mut self) -> Box<Range> {
        let reverse = self.rng.percent(30);
        let [lo, hi] = [0, 100].map(|from| {
            self.rng.percent(70).then(|| Datum::Int((from + self.rng.below(50)).into()))
        });
        Box::new(Range { lo, hi, reverse })
    }

    fn items(&mut self) -> Items {
        (0..self.rng.below(4)).map(|_| (self.key(), self.value())).collect()
    }

    /// A key whose text is not a number, so that `simple` can name it as an initial key.
    fn plain_key(&mut self) -> KeyId {
        let data = [Datum::Int(5), Datum::Int(-7), "x".into(), "ключ".into()];
        let pick = self.pick(data.len());
        self.builder.key(data[pick].clone())
    }

    fn key(&mut self) -> KeyId {
        if self.rng.percent(70) {
            return self.plain_key();
        }
        let data = [Datum::Int(u64::MAX.into()), "".into(), "a\"b\\\u{1}".into(), bytes(&[0, 255])];
        let pick = self.pick(data.len());
        self.builder.key(data[pick].clone())
    }

    fn value(&mut self) -> ValueId {
        let data = [
            Datum::Int(0),
            Datum::Int(i64::MIN.into()),
            Datum::Int(u64::MAX.into()),
            "7".into(),
            "🦀".into(),
            bytes(&[]),
            json("1.50"),
            json("true"),
            json("-123456789012345678901234567890"),
            json(r#"{"a": [null, 1e-3, "\u00e9"], "hex": "zz", "json": {}}"#),
            json("[[], 2]"),
        ];
        let pick = self.pick(data.len());
        self.builder.value(data[pick].clone())
    }

    /// A value that `simple` can name as the initial one of every key.
    fn initial_value(&mut self) -> ValueId {
        match self.simple {
            true => self.builder.value("7"),
            false => self.value(),
        }
    }

    fn pick(&mut self, bound: usize) -> usize {
        self.rng.below(bound as u64) as usize
    }
}

/// A value that is neither an integer nor a text nor bytes.
pub fn json(text: &str) -> Datum {
    Datum::Json(text.into())
}

/// Drops what an operation saw.
fn forget(kind: &mut OpKind) {
    match kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => {
            *seen = Observed::Unknown;
        }
        OpKind::Delete { rows, .. } | OpKind::PutIf { rows, .. } => *rows = None,
        OpKind::ReadList { elements, .. } => *elements = None,
        OpKind::Scan { items, .. } => *items = None,
        OpKind::Iterate { items, reached_end, .. } => {
            *items = None;
            *reached_end = false;
        }
        OpKind::Put { .. }
        | OpKind::Append { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => {}
    }
}
