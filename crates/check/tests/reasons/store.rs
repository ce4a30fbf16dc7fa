//! A simulated store with mistakes, which knows where every read came from.
//!
//! ```text
//!   sessions take turns at random ─► each step reads at the view its transaction is given
//!                                 ─► the trace, and the true source of every external read
//! ```
//!
//! Committed versions of a key are kept in commit order; a view is a number of commits. Wrong views
//! are the mistakes: snapshots without a check for conflicts, views of the past, one view per read,
//! and now and then a value that has not been committed.

use std::collections::BTreeMap;

use tristan_generate::Rng;
use tristan_history::{
    Datum, Header, History, HistoryBuilder, Initial, KeyId, Observed, Op, OpKind, OpStatus,
    Outcome, Presence, Range, Span, Times, Txn, TxnId, ValueId,
};
use tristan_verdict::Source;

/// A read: transaction, operation, key.
pub type Place = (u32, u32, Datum);

/// A trace, and where its external reads came from.
pub struct Told {
    pub history: History,
    pub truth: BTreeMap<Place, Source>,
}

const KEYS: [&str; 4] = ["a", "b", "c", "l"];
const LIST: usize = 3;

/// Which view a read gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    /// The commits before the begin.
    Snapshot,
    /// The commits so far.
    Latest,
    /// The commits before the begin, without the last few.
    Past,
    /// Any number of commits, drawn for each read.
    Any,
}

/// What a key holds: of a register, the value if there is one; of a list, its elements.
type Content = Vec<ValueId>;

struct Version {
    content: Content,
    writer: Option<usize>,
    commit: usize,
}

struct Running {
    session: usize,
    view: usize,
    begin: i64,
    end: i64,
    ops: Vec<Op>,
    own: BTreeMap<usize, Content>,
    outcome: Option<Outcome>,
}

struct Store<'a> {
    rng: &'a mut Rng,
    builder: HistoryBuilder,
    keys: Vec<KeyId>,
    versions: Vec<Vec<Version>>,
    commits: usize,
    clock: i64,
    txns: Vec<Running>,
    truth: Vec<(usize, usize, usize, Option<usize>)>,
    view: View,
    repeated: bool,
    dirty: bool,
    fresh: i64,
}

/// Runs a random workload.
pub fn run(rng: &mut Rng) -> Told {
    let mut store = Store::new(rng);
    let sessions = 2 + store.pick(3);
    let wanted = 4 + store.pick(6);
    loop {
        let session = store.pick(sessions);
        let open = store.txns.iter().position(|t| t.session == session && t.outcome.is_none());
        match open {
            Some(txn) => store.step(txn),
            None if store.txns.len() < wanted => store.begin(session),
            None if store.txns.iter().all(|txn| txn.outcome.is_some()) => break,
            None => {}
        }
    }
    store.told()
}

impl<'a> Store<'a> {
    fn new(rng: &'a mut Rng) -> Self {
        let views = [View::Snapshot, View::Latest, View::Past, View::Any];
        let view = views[rng.below(4) as usize];
        let repeated = rng.percent(40);
        let mut builder = HistoryBuilder::default();
        let keys: Vec<KeyId> = KEYS.iter().map(|&key| builder.key(key)).collect();
        let mut held = BTreeMap::new();
        for &key in &keys[..LIST] {
            if rng.percent(40) {
                held.insert(key, builder.value(if repeated { 1 } else { 90 }));
            }
        }
        let start = |key: &KeyId| Version {
            content: held.get(key).copied().into_iter().collect(),
            writer: None,
            commit: 0,
        };
        let versions = keys.iter().map(|key| vec![start(key)]).collect();
        let initial = if rng.percent(15) { Initial::Unknown } else { Initial::Given(held) };
        builder.history_mut().header = Header { initial, ..Header::default() };
        let dirty = !repeated && rng.percent(25);
        Self {
            rng,
            builder,
            keys,
            versions,
            commits: 0,
            clock: 0,
            txns: Vec::new(),
            truth: Vec::new(),
            view,
            repeated,
            dirty,
            fresh: 0,
        }
    }

    fn pick(&mut self, count: usize) -> usize {
        self.rng.below(count as u64) as usize
    }

    fn tick(&mut self) -> i64 {
        self.clock += 10;
        self.clock
    }

    fn begin(&mut self, session: usize) {
        let begin = self.tick();
        let missed = if self.view == View::Past { self.pick(4) } else { 0 };
        let view = self.commits.saturating_sub(missed);
        let (ops, own) = (Vec::new(), BTreeMap::new());
        self.txns.push(Running { session, view, begin, end: 0, ops, own, outcome: None });
    }

    fn step(&mut self, txn: usize) {
        let ready = self.txns[txn].ops.len() >= 4 || self.rng.percent(25);
        if ready && !self.txns[txn].ops.is_empty() {
            return self.end(txn);
        }
        let key = self.pick(KEYS.len());
        let kind = match (key, self.rng.below(100)) {
            (LIST, 0..50) => self.append(txn),
            (LIST, _) => self.list(txn),
            (_, 0..30) => self.get(txn, key),
            (_, 30..55) => self.put(txn, key),
            (_, 55..65) => self.delete(txn, key),
            (_, 65..75) => self.put_if(txn, key),
            (_, 75..85) => self.rmw(txn, key),
            _ => self.range(txn),
        };
        self.tick();
        self.txns[txn].ops.push(Op { kind, status: OpStatus::Done, line: 0 });
    }

    /// What the transaction finds under the key.
    fn find(&mut self, txn: usize, key: usize) -> Content {
        if key != LIST
            && let Some(own) = self.txns[txn].own.get(&key)
        {
            return own.clone();
        }
        let at = self.txns[txn].ops.len();
        if key != LIST && self.dirty && self.rng.percent(10) {
            let others = self.txns.iter().enumerate().filter(|&(other, running)| {
                let held = running.own.get(&key).is_some_and(|content| !content.is_empty());
                other != txn && held && running.outcome != Some(Outcome::Committed)
            });
            let found =
                others.map(|(other, running)| (other, running.own[&key].clone())).next_back();
            if let Some((other, content)) = found {
                self.truth.push((txn, at, key, Some(other)));
                return content;
            }
        }
        let view = match self.view {
            View::Snapshot | View::Past => self.txns[txn].view,
            View::Latest => self.commits,
            View::Any => self.pick(self.commits + 1),
        };
        let seen = self.versions[key].iter().rev().find(|version| version.commit <= view);
        let seen = seen.expect("there is an initial version");
        self.truth.push((txn, at, key, seen.writer));
        seen.content.clone()
    }

    fn value(&mut self) -> ValueId {
        self.fresh += 1;
        let drawn = if self.repeated { 1 + self.pick(2) as i64 } else { self.fresh };
        self.builder.value(drawn)
    }

    fn get(&mut self, txn: usize, key: usize) -> OpKind {
        let seen = observed(&self.find(txn, key));
        OpKind::Get { key: self.keys[key], seen, locking: false }
    }

    fn put(&mut self, txn: usize, key: usize) -> OpKind {
        let value = self.value();
        self.txns[txn].own.insert(key, vec![value]);
        OpKind::Put { key: self.keys[key], value }
    }

    fn delete(&mut self, txn: usize, key: usize) -> OpKind {
        let counted = self.rng.percent(60);
        let rows = counted.then(|| self.find(txn, key).len() as u32);
        if rows != Some(0) {
            self.txns[txn].own.insert(key, Vec::new());
        }
        OpKind::Delete { key: self.keys[key], rows }
    }

    fn put_if(&mut self, txn: usize, key: usize) -> OpKind {
        let present = !self.find(txn, key).is_empty();
        let value = self.value();
        let when = if self.rng.percent(50) { Presence::Present } else { Presence::Absent };
        let rows = u32::from(present == (when == Presence::Present));
        if rows > 0 {
            self.txns[txn].own.insert(key, vec![value]);
        }
        OpKind::PutIf { key: self.keys[key], value, when, rows: Some(rows) }
    }

    fn rmw(&mut self, txn: usize, key: usize) -> OpKind {
        let seen = observed(&self.find(txn, key));
        let value = self.value();
        self.txns[txn].own.insert(key, vec![value]);
        OpKind::ReadModifyWrite { key: self.keys[key], seen, value }
    }

    fn append(&mut self, txn: usize) -> OpKind {
        self.fresh += 1;
        let element = self.builder.value(1_000 + self.fresh);
        self.txns[txn].own.entry(LIST).or_default().push(element);
        OpKind::Append { key: self.keys[LIST], element }
    }

    fn list(&mut self, txn: usize) -> OpKind {
        let mut elements = self.find(txn, LIST);
        elements.extend(self.txns[txn].own.get(&LIST).into_iter().flatten());
        OpKind::ReadList { key: self.keys[LIST], elements: Some(elements.into()) }
    }

    /// A read of everything from `a` or `b` on, up to the lists.
    fn range(&mut self, txn: usize) -> OpKind {
        let low = self.pick(2);
        let range = Box::new(Range::between(KEYS[low], "d"));
        let mut items = Vec::new();
        for key in low..LIST {
            items.extend(self.find(txn, key).first().map(|&value| (self.keys[key], value)));
        }
        match self.rng.percent(70) {
            true => OpKind::Scan { range, items: Some(items.into()), locking: false },
            false => OpKind::Iterate { range, items: Some(items.into()), reached_end: true },
        }
    }

    fn end(&mut self, txn: usize) {
        self.txns[txn].end = self.tick();
        let (outcome, commits) = match self.rng.below(100) {
            0..10 => (Outcome::Aborted, false),
            10..14 => (Outcome::Unknown, true),
            14..18 => (Outcome::Unknown, false),
            _ => (Outcome::Committed, true),
        };
        self.txns[txn].outcome = Some(outcome);
        if !commits {
            return;
        }
        self.commits += 1;
        for (key, mut content) in self.txns[txn].own.clone() {
            if key == LIST {
                let before = self.versions[key].last().expect("there is an initial version");
                content = [before.content.as_slice(), &content].concat();
            }
            self.versions[key].push(Version { content, writer: Some(txn), commit: self.commits });
        }
    }

    /// The trace, transactions in the order of their begins.
    fn told(mut self) -> Told {
        for (number, running) in self.txns.into_iter().enumerate() {
            let session = self.builder.session(running.session as i64);
            let outcome = running.outcome.expect("every transaction has ended");
            let begin = Span { call: Some(running.begin), ret: None };
            let end = Span { call: None, ret: Some(running.end) };
            let name = Some(Box::new(Datum::from(format!("t{number}").as_str())));
            let times = Times { begin, end }.kept();
            let id = self.builder.add_txn(Txn { name, times, ..Txn::new(session, outcome) });
            assert_eq!(id, TxnId::new(number));
            running.ops.into_iter().for_each(|op| self.builder.push_op(op));
        }
        let source =
            |writer: Option<usize>| writer.map_or(Source::Initial, |w| Source::Txn(w as u32));
        let truth = self.truth.iter().map(|&(txn, op, key, writer)| {
            ((txn as u32, op as u32, KEYS[key].into()), source(writer))
        });
        let truth = truth.collect();
        Told { history: self.builder.finish(), truth }
    }
}

fn observed(content: &Content) -> Observed {
    content.first().map_or(Observed::Absent, |&value| Observed::Value(value))
}
