//! Random transactions on the store and on a model that keeps every state: all reads and all
//! decisions to commit or refuse agree.

use std::collections::{BTreeMap, BTreeSet};

use tristan_store::{Commit, Interval, Level, NoFaults, Store, Transaction};
use tristan_testkit::Random;

const KEYS: i64 = 5;

/// Every state since the beginning, and the keys that each commit wrote.
struct Model {
    states: Vec<BTreeMap<i64, i64>>,
    written: Vec<BTreeSet<i64>>,
}

/// A transaction, in the store and in the model.
struct Client {
    level: Level,
    txn: Transaction<i64>,
    /// The number of commits when it began.
    start: usize,
    own: BTreeMap<i64, Option<i64>>,
    read: BTreeSet<i64>,
}

impl Model {
    fn new() -> Self {
        Self { states: vec![BTreeMap::new()], written: Vec::new() }
    }

    /// The state that a transaction sees.
    fn view(&self, client: &Client) -> BTreeMap<i64, i64> {
        let time = match client.level {
            Level::CommitOrder | Level::Serializable | Level::Snapshot => client.start,
            Level::ReadCommitted | Level::ReadUncommitted => self.written.len(),
        };
        applied(&self.states[time], &client.own)
    }

    fn refuses(&self, client: &Client) -> bool {
        let changed: BTreeSet<i64> =
            self.written[client.start..].iter().flatten().copied().collect();
        let wrote: BTreeSet<i64> = client.own.keys().copied().collect();
        match client.level {
            Level::CommitOrder => !client.read.is_disjoint(&changed),
            Level::Serializable => !wrote.is_empty() && !client.read.is_disjoint(&changed),
            Level::Snapshot => !wrote.is_disjoint(&changed),
            Level::ReadCommitted | Level::ReadUncommitted => false,
        }
    }

    fn commit(&mut self, own: &BTreeMap<i64, Option<i64>>) {
        if !own.is_empty() {
            self.states.push(applied(&self.states[self.written.len()], own));
            self.written.push(own.keys().copied().collect());
        }
    }
}

fn applied(state: &BTreeMap<i64, i64>, own: &BTreeMap<i64, Option<i64>>) -> BTreeMap<i64, i64> {
    let mut state = state.clone();
    for (key, value) in own {
        match value {
            Some(value) => state.insert(*key, *value),
            None => state.remove(key),
        };
    }
    state
}

struct Run {
    random: Random,
    store: Store<i64, NoFaults>,
    model: Model,
    last_value: i64,
}

impl Run {
    fn begin(&mut self, level: Level) -> Client {
        let (own, read) = (BTreeMap::new(), BTreeSet::new());
        let txn = self.store.begin(level);
        Client { level, txn, start: self.model.written.len(), own, read }
    }

    fn step(&mut self, client: &mut Client) {
        let key = self.random.below(KEYS);
        match self.random.below(5) {
            0 => self.put(client, key, None),
            1 => {
                self.last_value += 1;
                self.put(client, key, Some(self.last_value));
            }
            2 => self.iterate(client, key),
            _ => {
                let expected = self.model.view(client).get(&key).copied();
                assert_eq!(self.store.get(&mut client.txn, key), expected);
                client.read.extend((!client.own.contains_key(&key)).then_some(key));
            }
        }
    }

    fn put(&mut self, client: &mut Client, key: i64, value: Option<i64>) {
        self.store.put(&mut client.txn, key, value);
        client.own.insert(key, value);
    }

    fn iterate(&mut self, client: &mut Client, first: i64) {
        let most = 1 + self.random.below(3) as usize;
        let interval = Interval { lo: Some(first), hi: None };
        let all: Vec<(i64, i64)> = self.model.view(client).into_iter().collect();
        let from = all.partition_point(|(key, _)| *key < first);
        let expected: Vec<(i64, i64)> = all[from..].iter().copied().take(most).collect();
        let (items, reached_end) = self.store.iterate(&mut client.txn, interval, most);
        assert_eq!((&items, reached_end), (&expected, expected.len() < most));
        let last = items.last().filter(|_| !reached_end).map_or(KEYS, |(key, _)| *key);
        client.read.extend(first..=last);
    }

    fn commit(&mut self, client: Client) -> bool {
        let refused = self.model.refuses(&client);
        assert_eq!(self.store.commit(client.txn) == Commit::Refused, refused);
        if !refused {
            self.model.commit(&client.own);
        }
        !refused
    }
}

/// Runs transactions of four clients. Returns how many committed and how many were refused.
fn run(level: Level, seed: u64) -> [usize; 2] {
    let random = Random::new(seed);
    let mut run = Run { random, store: Store::new(NoFaults), model: Model::new(), last_value: 0 };
    let mut clients: Vec<Client> = (0..4).map(|_| run.begin(level)).collect();
    let mut count = [0; 2];
    for _ in 0..400 {
        let chosen = run.random.below(4) as usize;
        if run.random.below(4) > 0 {
            run.step(&mut clients[chosen]);
            continue;
        }
        let next = run.begin(level);
        let ended = std::mem::replace(&mut clients[chosen], next);
        count[usize::from(!run.commit(ended))] += 1;
    }
    count
}

#[test]
fn the_store_does_what_the_model_does() {
    for level in [Level::CommitOrder, Level::Serializable, Level::Snapshot, Level::ReadCommitted] {
        let counts: Vec<[usize; 2]> = (1..=100).map(|seed| run(level, seed)).collect();
        let [committed, refused] =
            [0, 1].map(|end| counts.iter().map(|one| one[end]).sum::<usize>());
        assert!(committed > 2_000, "{level:?}: only {committed} commits");
        assert_eq!(refused > 500, level != Level::ReadCommitted, "{level:?}: {refused} refusals");
    }
}
