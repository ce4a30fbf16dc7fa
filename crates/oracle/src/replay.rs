//! Serializability once more, by replay: the transactions run one after the other on a whole
//! database, and every operation must return what it returned in the trace. Tests compare this
//! with the axioms.
//!
//! ```text
//!   database ─► transaction: database + own writes ─► compare every result ─► next database
//! ```
//!
//! Nothing here speaks of sources, versions or external reads. Where the initial state is
//! unknown, a key starts as a question that the first reads answer. An operation that may or may
//! not have taken effect lets the run go on in both ways.

use std::collections::BTreeMap;

use tristan_generate::Rng;
use tristan_history::{
    Datum, History, Initial, KeyId, Observed, Op, OpKind, OpStatus, OwnWrites, Presence, TxnId,
    ValueId,
};
use tristan_spec::{Catalog, Strength};

use crate::{
    Judgement,
    axioms::orders,
    judge_all, key_order,
    orders::{Flow, total_orders},
    random::{self, RandomShape},
    ranges::{self, RangeRead},
    reading::{self, Scene},
    register::{Content, Seen},
    relations::{Rel, Set, first, members},
    script::Script,
};

/// What is under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    Register(Content),
    /// What the key has held since before the first transaction, as far as reads have told.
    Start(Option<Seen>),
}

/// A state of the whole database.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Database {
    registers: BTreeMap<KeyId, Cell>,
    lists: BTreeMap<KeyId, Vec<ValueId>>,
}

/// The transaction that is running.
#[derive(Clone)]
struct Run<'a> {
    history: &'a History,
    database: Database,
    own: Own,
    savepoints: Vec<(&'a Datum, Own)>,
}

/// What a transaction has written so far.
#[derive(Clone, Debug, Default)]
struct Own {
    registers: BTreeMap<KeyId, Content>,
    lists: BTreeMap<KeyId, Vec<ValueId>>,
}

impl Database {
    fn at_the_start(history: &History) -> Self {
        let cell = |key: KeyId| match &history.header.initial {
            Initial::Empty => Cell::Register(None),
            Initial::Uniform(value) => Cell::Register(Some(*value)),
            Initial::Given(held) => Cell::Register(held.get(&key).copied()),
            Initial::Unknown => Cell::Start(None),
        };
        let registers = ranges::universe(history).into_iter().map(|key| (key, cell(key))).collect();
        Self { registers, lists: BTreeMap::new() }
    }

    /// Whether the register can look like this; from then on it does.
    fn shows(&mut self, key: KeyId, seen: Seen) -> bool {
        match self.registers.get_mut(&key) {
            Some(Cell::Register(content)) => seen.fits(*content),
            Some(Cell::Start(known)) => {
                let agree = known.is_none_or(|known| known.agrees(seen));
                if known.is_none() || seen != Seen::Present {
                    *known = Some(seen);
                }
                agree
            }
            None => false,
        }
    }

    fn commit(&mut self, own: Own) {
        for (key, content) in own.registers {
            self.registers.insert(key, Cell::Register(content));
        }
        for (key, elements) in own.lists {
            self.lists.entry(key).or_default().extend(elements);
        }
    }
}

impl<'a> Run<'a> {
    /// Runs a transaction; the states it can leave behind, none if it would have seen something
    /// else.
    fn of(history: &'a History, txn: TxnId, database: Database) -> Vec<Database> {
        let start = Self { history, database, own: Own::default(), savepoints: Vec::new() };
        let ops = history.ops_of(txn).iter();
        let ends = ops
            .fold(vec![start], |runs, op| runs.into_iter().flat_map(|run| run.step(op)).collect());
        let commit = |mut run: Self| {
            run.database.commit(run.own);
            run.database
        };
        ends.into_iter().map(commit).collect()
    }

    /// How the run can go on after the operation has returned what it returned, or has not.
    fn step(mut self, op: &'a Op) -> Vec<Self> {
        let unseen = matches!(op.kind, OpKind::PutIf { rows: None, .. });
        match op.status {
            OpStatus::Failed => vec![self],
            OpStatus::Done if RangeRead::of(self.history, &op.kind).is_some() => {
                self.walks(&op.kind)
            }
            OpStatus::Done if !unseen => self.see(&op.kind).then_some(self).into_iter().collect(),
            OpStatus::Done | OpStatus::Pending => {
                let never_done = self.clone();
                self.blind(&op.kind);
                vec![never_done, self]
            }
        }
    }

    /// Lets the operation take effect, whatever it saw.
    fn blind(&mut self, kind: &'a OpKind) {
        let fits = match *kind {
            OpKind::Put { key, value }
            | OpKind::PutIf { key, value, .. }
            | OpKind::ReadModifyWrite { key, value, .. } => self.put(key, Some(value)),
            OpKind::Delete { key, .. } => self.put(key, None),
            OpKind::Append { .. } | OpKind::Savepoint { .. } | OpKind::RollbackTo { .. } => {
                self.see(kind)
            }
            _ => true,
        };
        assert!(fits, "a write always succeeds");
    }

    /// Whether the operation can return what it returned.
    fn see(&mut self, kind: &'a OpKind) -> bool {
        match kind {
            OpKind::Get { key, seen, .. } => self.get(*key, *seen),
            OpKind::Put { key, value } => self.put(*key, Some(*value)),
            OpKind::ReadModifyWrite { key, seen, value } => {
                self.get(*key, *seen) && self.put(*key, Some(*value))
            }
            OpKind::Delete { key, rows } => self.counted(*key, None, Presence::Present, *rows),
            OpKind::PutIf { key, value, when, rows } => {
                self.counted(*key, Some(*value), *when, *rows)
            }
            OpKind::Append { key, element } => {
                self.own.lists.entry(*key).or_default().push(*element);
                true
            }
            OpKind::ReadList { key, elements: Some(elements) } => self.list(*key, elements),
            OpKind::Savepoint { name } => {
                self.savepoints.push((name, self.own.clone()));
                true
            }
            OpKind::RollbackTo { name } => {
                self.roll_back(name);
                true
            }
            _ => true,
        }
    }

    fn put(&mut self, key: KeyId, content: Content) -> bool {
        self.own.registers.insert(key, content);
        true
    }

    fn get(&mut self, key: KeyId, seen: Observed) -> bool {
        match seen {
            Observed::Unknown => true,
            Observed::Absent => self.shows(key, Seen::Absent),
            Observed::Value(value) => self.shows(key, Seen::Value(value)),
        }
    }

    /// A write that happens only when the key is there, or is not.
    fn counted(&mut self, key: KeyId, what: Content, when: Presence, rows: Option<u32>) -> bool {
        let (then, otherwise) = match when {
            Presence::Present => (Seen::Present, Seen::Absent),
            Presence::Absent => (Seen::Absent, Seen::Present),
        };
        match rows {
            None => self.put(key, what),
            Some(0) => self.shows(key, otherwise),
            Some(_) => self.shows(key, then) && self.put(key, what),
        }
    }

    /// Whether a read of the register can look like this.
    fn shows(&mut self, key: KeyId, seen: Seen) -> bool {
        let own = self.own.registers.get(&key).copied();
        let own = own.filter(|_| self.history.header.own_writes != OwnWrites::External);
        match own {
            Some(own) if seen.fits(own) => true,
            Some(_) if self.history.header.own_writes == OwnWrites::Must => false,
            _ => self.database.shows(key, seen),
        }
    }

    fn list(&self, key: KeyId, elements: &[ValueId]) -> bool {
        let others = self.database.lists.get(&key).cloned().unwrap_or_default();
        let own = self.own.lists.get(&key).cloned().unwrap_or_default();
        let whole = [others.as_slice(), own.as_slice()].concat();
        match self.history.header.own_writes {
            OwnWrites::Must => elements == whole,
            OwnWrites::External => elements == others,
            OwnWrites::May => elements == whole || elements == others,
        }
    }

    /// The runs in which walking the range returns these items; keys that are level may come in
    /// either order.
    fn walks(&self, kind: &OpKind) -> Vec<Self> {
        let (range, items, complete, ordered) = match kind {
            OpKind::Scan { range, items: Some(items), .. } => (range, items, true, false),
            OpKind::Iterate { range, items: Some(items), reached_end } => {
                (range, items, *reached_end, true)
            }
            _ => return Vec::new(),
        };
        let order = self.history.header.key_order;
        let within = |key: &KeyId| key_order::within(order, range, self.history.key(*key));
        let keys: Vec<KeyId> = self.database.registers.keys().copied().filter(within).collect();
        let mut before = Rel::default();
        for (one, &first) in keys.iter().enumerate() {
            for (two, &second) in keys.iter().enumerate() {
                let [first, second] = [first, second].map(|key| self.history.key(key));
                let ahead = key_order::compare(order, first, second);
                let comes_first = if range.reverse { ahead.is_gt() } else { ahead.is_lt() };
                if comes_first {
                    before.add(one, two);
                }
            }
        }
        let mut runs = Vec::new();
        let flow = total_orders(first(keys.len()), &before, &mut |walk| {
            let walked: Vec<KeyId> = walk.iter().map(|&at| keys[at]).collect();
            let mut items = items.to_vec();
            if !ordered {
                items.sort_by_key(|item| walked.iter().position(|&key| key == item.0));
            }
            let mut run = self.clone();
            runs.extend(run.walk(&walked, &items, complete).then_some(run));
            Flow::Continue(())
        });
        assert!(flow.is_continue());
        runs
    }

    /// Walks the keys one by one, next to the items returned.
    fn walk(&mut self, keys: &[KeyId], items: &[(KeyId, ValueId)], complete: bool) -> bool {
        let mut left = items.iter().peekable();
        for &key in keys {
            if left.peek().is_none() && !complete {
                return true;
            }
            let item = left.next_if(|item| item.0 == key);
            if !self.shows(key, item.map_or(Seen::Absent, |&(_, value)| Seen::Value(value))) {
                return false;
            }
        }
        left.next().is_none()
    }

    fn roll_back(&mut self, name: &Datum) {
        if let Some(at) = self.savepoints.iter().rposition(|(other, _)| *other == name) {
            self.own = self.savepoints[at].1.clone();
            self.savepoints.truncate(at + 1);
        }
    }
}

/// Whether some order of some effective transactions replays, for each strength.
fn replays(history: &History) -> [bool; 3] {
    let bare: Vec<Script> = history.txns.iter().map(|_| Script::default()).collect();
    Strength::ALL.map(|strength| {
        reading::effective_sets(history).iter().any(|effective| {
            let scene = Scene::without_reads(history, &bare, effective, 0);
            let before = orders(&scene, strength).turned();
            let start = [Database::at_the_start(history)];
            goes_on(history, effective, &before, first(scene.count), &start)
        })
    })
}

/// Whether the transactions that are left can run from one of these states, each after those that
/// must come before it.
fn goes_on(
    history: &History,
    effective: &[TxnId],
    before: &Rel,
    left: Set,
    states: &[Database],
) -> bool {
    let mut next = members(left).filter(|&txn| before.row(txn) & left == 0);
    left == 0
        || next.any(|txn| {
            let run = |state: &Database| Run::of(history, effective[txn], state.clone());
            let mut ends: Vec<Database> = Vec::new();
            for end in states.iter().flat_map(run) {
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
            !ends.is_empty() && goes_on(history, effective, before, left & !(1 << txn), &ends)
        })
}

#[test]
fn serializable_histories_are_those_that_can_be_replayed() {
    let names = ["serializable", "strong-session-serializable", "strong-serializable"];
    let levels = names.map(|name| Catalog::default().find(name).expect(name));
    let seed = 4_711;
    let mut rng = Rng::new(seed);
    for round in 0..6_000 {
        let history = random::history(&mut rng, RandomShape::wide());
        let judged = judge_all(&history, &levels, 0);
        let replayed = replays(&history);
        for ((name, judged), replayed) in names.iter().zip(judged).zip(replayed) {
            let accepted = judged == Judgement::Accept;
            assert_eq!(accepted, replayed, "{name} seed {seed} round {round}: {history:?}");
        }
    }
}
