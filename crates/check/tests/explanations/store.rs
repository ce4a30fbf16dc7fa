//! A store that answers reads with any version of a key, and remembers which it was.
//!
//! Registers hold few different values, so that most reads have several candidates; they are deleted,
//! written under conditions and read by range. Lists only grow, and a list read shows one of their
//! beginnings. The order of transactions is the order of their versions.

use std::collections::BTreeMap;

use tristan_generate::Rng;
use tristan_history::{
    Datum, History, HistoryBuilder, KeyId, Observed, OpKind, Outcome, Presence, Range,
};
use tristan_verdict::Source;

/// A history, and where every external read in it came from: by transaction, operation and key.
pub struct Told {
    pub history: History,
    pub truth: BTreeMap<(u32, u32, Datum), Source>,
}

const REGISTERS: u64 = 4;
const LISTS: u64 = 2;

struct Store {
    rng: Rng,
    builder: HistoryBuilder,
    truth: BTreeMap<(u32, u32, Datum), Source>,
    /// Per register, its versions, oldest first.
    registers: Vec<Vec<(Option<i64>, Source)>>,
    /// Per list, the appends, oldest first.
    lists: Vec<Vec<(i64, u32)>>,
    elements: i64,
}

/// A random history of up to this many transactions.
pub fn told(seed: u64, most: u64) -> Told {
    let mut rng = Rng::new(seed);
    let txns = 3 + rng.below(most - 2);
    let mut store = Store {
        rng,
        builder: HistoryBuilder::default(),
        truth: BTreeMap::new(),
        registers: vec![vec![(None, Source::Initial)]; REGISTERS as usize],
        lists: vec![Vec::new(); LISTS as usize],
        elements: 0,
    };
    for number in 0..txns {
        store.txn(number as u32);
    }
    Told { history: store.builder.finish(), truth: store.truth }
}

/// What a transaction has done so far.
#[derive(Default)]
struct Own {
    registers: BTreeMap<usize, Option<i64>>,
    lists: BTreeMap<usize, Vec<i64>>,
    ops: Vec<OpKind>,
}

impl Store {
    fn txn(&mut self, number: u32) {
        let mut own = Own::default();
        for _ in 0..1 + self.rng.below(4) {
            self.op(number, &mut own);
        }
        let session = i64::try_from(self.rng.below(3)).unwrap_or(0);
        let time = i64::from(number) * 100;
        let mut txn = self.builder.begin(session).during(time, time + 250);
        for op in own.ops {
            txn = txn.op(op);
        }
        let aborts = number % 9 == 8;
        txn.end(if aborts { Outcome::Aborted } else { Outcome::Committed });
        if aborts {
            return;
        }
        for (key, content) in own.registers {
            self.registers[key].push((content, Source::Txn(number)));
        }
        for (list, elements) in own.lists {
            self.lists[list].extend(elements.into_iter().map(|element| (element, number)));
        }
    }

    fn key(&mut self, number: usize) -> KeyId {
        self.builder.key(number as i64)
    }

    fn op(&mut self, txn: u32, own: &mut Own) {
        let key = self.rng.below(REGISTERS) as usize;
        match self.rng.below(9) {
            0 | 1 => self.get(txn, own, key),
            2 | 3 => self.put(own, key),
            4 => self.delete(txn, own, key),
            5 => self.put_if(txn, own, key),
            6 => self.scan(txn, own),
            7 => self.append(own),
            _ => self.read_list(txn, own),
        }
    }

    /// What a read sees: the own write, the latest version, or any.
    fn see(&mut self, txn: u32, own: &Own, key: usize) -> Option<i64> {
        if let Some(content) = own.registers.get(&key) {
            return *content;
        }
        let versions = &self.registers[key];
        let at = match self.rng.percent(70) {
            true => versions.len() - 1,
            false => self.rng.below(versions.len() as u64) as usize,
        };
        let (content, source) = versions[at];
        self.truth.insert((txn, own.ops.len() as u32, Datum::from(key as i64)), source);
        content
    }

    fn value(&mut self) -> i64 {
        1 + self.rng.below(3) as i64
    }

    fn get(&mut self, txn: u32, own: &mut Own, key: usize) {
        let seen = self.see(txn, own, key);
        let seen =
            seen.map_or(Observed::Absent, |value| Observed::Value(self.builder.value(value)));
        let key = self.key(key);
        own.ops.push(OpKind::Get { key, seen, locking: false });
    }

    fn put(&mut self, own: &mut Own, key: usize) {
        let value = self.value();
        own.registers.insert(key, Some(value));
        let (key, value) = (self.key(key), self.builder.value(value));
        own.ops.push(OpKind::Put { key, value });
    }

    fn delete(&mut self, txn: u32, own: &mut Own, key: usize) {
        let there = self.see(txn, own, key).is_some();
        if there {
            own.registers.insert(key, None);
        }
        let key = self.key(key);
        own.ops.push(OpKind::Delete { key, rows: Some(u32::from(there)) });
    }

    fn put_if(&mut self, txn: u32, own: &mut Own, key: usize) {
        let there = self.see(txn, own, key).is_some();
        let when = if self.rng.percent(50) { Presence::Present } else { Presence::Absent };
        let happens = there == (when == Presence::Present);
        let value = self.value();
        if happens {
            own.registers.insert(key, Some(value));
        }
        let (key, value) = (self.key(key), self.builder.value(value));
        own.ops.push(OpKind::PutIf { key, value, when, rows: Some(u32::from(happens)) });
    }

    fn scan(&mut self, txn: u32, own: &mut Own) {
        let (from, to) = (self.rng.below(2) as usize, 2 + self.rng.below(3) as usize);
        let mut items = Vec::new();
        for key in from..to.min(REGISTERS as usize) {
            if let Some(value) = self.see(txn, own, key) {
                items.push((self.key(key), self.builder.value(value)));
            }
        }
        let range = Box::new(Range::between(from as i64, to as i64));
        own.ops.push(OpKind::Scan { range, items: Some(items.into()), locking: false });
    }

    fn append(&mut self, own: &mut Own) {
        let list = self.rng.below(LISTS) as usize;
        self.elements += 1;
        own.lists.entry(list).or_default().push(self.elements);
        let key = self.builder.key(format!("list {list}").as_str());
        let element = self.builder.value(self.elements);
        own.ops.push(OpKind::Append { key, element });
    }

    fn read_list(&mut self, txn: u32, own: &mut Own) {
        let list = self.rng.below(LISTS) as usize;
        let name = format!("list {list}");
        let all = &self.lists[list];
        let mut ends: Vec<usize> =
            (1..all.len()).filter(|&at| all[at].1 != all[at - 1].1).collect();
        ends.extend([0, all.len()]);
        let at = match self.rng.percent(60) {
            true => all.len(),
            false => ends[self.rng.below(ends.len() as u64) as usize],
        };
        let source = all[..at].last().map_or(Source::Initial, |last| Source::Txn(last.1));
        self.truth.insert((txn, own.ops.len() as u32, Datum::from(name.as_str())), source);
        let mut seen: Vec<i64> = all[..at].iter().map(|append| append.0).collect();
        seen.extend(own.lists.get(&list).into_iter().flatten());
        let key = self.builder.key(name.as_str());
        let elements = Some(seen.into_iter().map(|element| self.builder.value(element)).collect());
        own.ops.push(OpKind::ReadList { key, elements });
    }
}
