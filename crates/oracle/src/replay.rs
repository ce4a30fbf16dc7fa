//! Serializability once more, by replay: the transactions run one after the other on a whole
//! database, and every operation must return what it returned in the trace. Tests compare this
//! with the axioms.
//!
//! ```text
//!   database ─► transaction: database + own writes ─► compare every result ─► next database
//! ```
//!
//! Nothing here speaks of sources, versions or external reads. Where the initial state is
//! unknown, a key starts as a question that the first reads answer.

use std::collections::BTreeMap;

use tristan_history::{
    Datum, History, Initial, KeyId, Observed, Op, OpKind, OpStatus, OwnWrites, Presence, Range,
    TxnId, ValueId, generate::Rng,
};
use tristan_spec::{Catalog, Strength};

use crate::{
    Judgement,
    axioms::orders,
    judge_all,
    orders::{Flow, total_orders},
    random::{self, RandomShape},
    ranges,
    reading::{self, Scene},
    relations::first,
    script::{Content, Seen},
};

/// What is under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    Register(Content),
    /// What the key has held since before the first transaction, as far as reads have told.
    Start(Option<Seen>),
}

/// A state of the whole database.
#[derive(Clone, Debug)]
struct Database {
    registers: BTreeMap<KeyId, Cell>,
    lists: BTreeMap<KeyId, Vec<ValueId>>,
}

/// The transaction that is running.
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
    /// Runs a transaction; `None` if it would have seen something else.
    fn of(history: &'a History, txn: TxnId, database: Database) -> Option<Database> {
        let mut run = Self { history, database, own: Own::default(), savepoints: Vec::new() };
        let mut ops = history.ops_of(txn).iter();
        let fits = ops.all(|op| op.status == OpStatus::Failed || run.step(op));
        run.database.commit(run.own);
        fits.then_some(run.database)
    }

    /// Whether the operation can return what it returned.
    fn step(&mut self, op: &'a Op) -> bool {
        let returned = op.status == OpStatus::Done;
        match &op.kind {
            OpKind::Get { key, seen, .. } => !returned || self.get(*key, *seen),
            OpKind::Put { key, value } => self.put(*key, Some(*value)),
            OpKind::ReadModifyWrite { key, seen, value } => {
                let fits = !returned || self.get(*key, *seen);
                self.put(*key, Some(*value)) && fits
            }
            OpKind::Delete { key, rows } => {
                self.counted(*key, None, Presence::Present, rows.filter(|_| returned))
            }
            OpKind::PutIf { key, value, when, rows } => {
                self.counted(*key, Some(*value), *when, rows.filter(|_| returned))
            }
            OpKind::Append { key, element } => {
                self.own.lists.entry(*key).or_default().push(*element);
                true
            }
            OpKind::ReadList { key, elements: Some(elements) } if returned => {
                self.list(*key, elements)
            }
            OpKind::Scan { range, items: Some(items), .. } if returned => {
                self.walk(range, items, true, false)
            }
            OpKind::Iterate { range, items: Some(items), reached_end } if returned => {
                self.walk(range, items, *reached_end, true)
            }
            OpKind::Savepoint { name } => {
                self.savepoints.push((name, self.own.clone()));
                true
            }
            OpKind::RollbackTo { name } if returned => {
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

    /// Walks the database key by key, next to the items returned.
    fn walk(
        &mut self,
        range: &Range,
        items: &[(KeyId, ValueId)],
        complete: bool,
        ordered: bool,
    ) -> bool {
        let order = self.history.header.key_order;
        let mut keys: Vec<KeyId> = self.database.registers.keys().copied().collect();
        keys.retain(|&key| range.contains(order, self.history.key(key)));
        keys.sort_by(|&a, &b| order.compare(self.history.key(a), self.history.key(b)));
        if range.reverse {
            keys.reverse();
        }
        let mut items = items.to_vec();
        if !ordered {
            items.sort_by_key(|item| keys.iter().position(|&key| key == item.0));
        }
        let mut left = items.into_iter().peekable();
        for key in keys {
            if left.peek().is_none() && !complete {
                return true;
            }
            let item = left.next_if(|item| item.0 == key);
            if !self.shows(key, item.map_or(Seen::Absent, |(_, value)| Seen::Value(value))) {
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
    let scripts = reading::scripts(history).expect("small");
    Strength::ALL.map(|strength| {
        reading::effective_sets(history).iter().any(|effective| {
            let scene = Scene::without_reads(history, &scripts, effective, 0);
            let required = orders(&scene, strength);
            let replay = &mut |order: &[usize]| {
                let start = Some(Database::at_the_start(history));
                let end = order.iter().fold(start, |database, &txn| {
                    database.and_then(|database| Run::of(history, effective[txn], database))
                });
                if end.is_some() { Flow::Break(()) } else { Flow::Continue(()) }
            };
            total_orders(first(scene.count), &required, replay).is_break()
        })
    })
}

#[test]
fn serializable_histories_are_those_that_can_be_replayed() {
    let names = ["serializable", "strong-session-serializable", "strong-serializable"];
    let levels = names.map(|name| Catalog::default().find(name).expect(name));
    let seed = 4_711;
    let mut rng = Rng::new(seed);
    for round in 0..6_000 {
        let history = random::history(&mut rng, RandomShape::default());
        let judged = judge_all(&history, &levels, 0);
        let replayed = replays(&history);
        for ((name, judged), replayed) in names.iter().zip(judged).zip(replayed) {
            let accepted = judged == Judgement::Accept;
            assert_eq!(accepted, replayed, "{name} seed {seed} round {round}: {history:?}");
        }
    }
}
