//! Abstract histories: who wrote which keys, and who read whose version.
//!
//! ```text
//!   T1: w(x)  >  T2: w(y)      one session
//!   T3: r(y,2) r(x,0)          another; it reads y from T2 and the initial x
//! ```
//!
//! A transaction writes a key at most once, for good, and reads it at most once, from another
//! transaction and before it writes the key itself. Values are not needed: a version is known by who
//! wrote it. Transactions are numbered from 1; 0 is the initial one, which wrote every key.

use tristan_spec::Promise;

/// A history without values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AbstractHistory {
    /// The names of the keys.
    pub keys: Vec<String>,
    /// The transactions, number 1 first.
    pub txns: Vec<AbstractTxn>,
    /// The numbers of each session's transactions, in order.
    pub sessions: Vec<Vec<usize>>,
    /// When transactions began and committed, earliest first; empty if the history says nothing
    /// about time.
    pub events: Vec<Event>,
}

/// A transaction of an abstract history.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AbstractTxn {
    /// What it read, in order.
    pub reads: Vec<Read>,
    /// The keys it wrote, smallest first.
    pub writes: Vec<usize>,
    /// What it was promised, if the history says so.
    pub promise: Option<Promise>,
}

/// A read of what another transaction wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Read {
    /// The number of the key.
    pub key: usize,
    /// The number of the transaction that wrote the version read.
    pub from: usize,
}

/// A moment of a transaction, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// It began.
    Begin(usize),
    /// It committed.
    Commit(usize),
}

impl AbstractHistory {
    /// The transaction with a number from 1 on; `None` for the initial one.
    pub fn txn(&self, number: usize) -> Option<&AbstractTxn> {
        number.checked_sub(1).and_then(|place| self.txns.get(place))
    }

    /// How many reads and writes there are.
    pub fn operations(&self) -> usize {
        self.txns.iter().map(|txn| txn.reads.len() + txn.writes.len()).sum()
    }

    /// Whether the first precedes the second in its session; the initial one precedes all.
    pub fn precedes(&self, first: usize, second: usize) -> bool {
        if first == 0 || second == 0 {
            return first != second && first == 0;
        }
        self.sessions.iter().any(|session| {
            let place = |number: usize| session.iter().position(|&other| other == number);
            matches!((place(first), place(second)), (Some(one), Some(two)) if one < two)
        })
    }

    /// Whether one event is before another. The initial transaction committed before all else.
    pub fn happened_before(&self, first: Event, second: Event) -> bool {
        let initial = |event: Event| matches!(event, Event::Begin(0) | Event::Commit(0));
        if initial(first) || initial(second) {
            return initial(first) && !initial(second);
        }
        let place = |event: Event| self.events.iter().position(|&other| other == event);
        matches!((place(first), place(second)), (Some(one), Some(two)) if one < two)
    }

    /// The same history with transactions numbered session by session, and keys by first use.
    ///
    /// Also says which number each transaction had: the old number of transaction `i` is at place
    /// `i`.
    pub fn renumbered(&self) -> (Self, Vec<usize>) {
        let mut sessions = self.sessions.clone();
        sessions.sort_by_key(|session| session.first().copied());
        let old: Vec<usize> =
            std::iter::once(0).chain(sessions.iter().flatten().copied()).collect();
        let txns: Vec<&AbstractTxn> = old.iter().filter_map(|&number| self.txn(number)).collect();
        let keys = keys_by_use(&txns);
        let new_number = |number: usize| old.iter().position(|&other| other == number).unwrap_or(0);
        let new_key = |key: usize| keys.iter().position(|&other| other == key).unwrap_or(key);
        let renamed = |txn: &AbstractTxn| {
            let read = |read: &Read| Read { key: new_key(read.key), from: new_number(read.from) };
            let mut writes: Vec<usize> = txn.writes.iter().map(|&key| new_key(key)).collect();
            writes.sort_unstable();
            let reads = txn.reads.iter().map(read).collect();
            AbstractTxn { reads, writes, promise: txn.promise }
        };
        let event = |event: &Event| match *event {
            Event::Begin(number) => Event::Begin(new_number(number)),
            Event::Commit(number) => Event::Commit(new_number(number)),
        };
        let number = |session: &Vec<usize>| session.iter().map(|&n| new_number(n)).collect();
        let history = Self {
            keys: key_names(keys.len()),
            txns: txns.into_iter().map(renamed).collect(),
            sessions: sessions.iter().map(number).collect(),
            events: self.events.iter().map(event).collect(),
        };
        (history, old)
    }
}

/// The keys in order of their first use; unused keys are left out.
fn keys_by_use(txns: &[&AbstractTxn]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for txn in txns {
        let reads = txn.reads.iter().map(|read| read.key);
        for key in reads.chain(txn.writes.iter().copied()) {
            if !order.contains(&key) {
                order.push(key);
            }
        }
    }
    order
}

/// Names for this many keys: x, y, z, then letters from a on, then k27, ….
pub fn key_names(count: usize) -> Vec<String> {
    let letters = ('x'..='z').chain('a'..='q').map(String::from);
    letters.chain((21..).map(|number| format!("k{number}"))).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_come_one_after_the_other() {
        let read = |key, from| Read { key, from };
        let history = AbstractHistory {
            keys: key_names(3),
            txns: vec![
                AbstractTxn { writes: vec![2], ..AbstractTxn::default() },
                AbstractTxn { reads: vec![read(2, 1), read(0, 3)], ..AbstractTxn::default() },
                AbstractTxn { writes: vec![0], ..AbstractTxn::default() },
            ],
            sessions: vec![vec![2], vec![1, 3]],
            events: vec![],
        };
        let (renumbered, old) = history.renumbered();
        assert_eq!(old, [0, 1, 3, 2]);
        assert_eq!(renumbered.sessions, [vec![1, 2], vec![3]]);
        assert_eq!(renumbered.txns[2].reads, [read(0, 1), read(1, 2)]);
        assert_eq!(renumbered.keys, ["x", "y"]);
        assert!(renumbered.precedes(1, 2) && renumbered.precedes(0, 3));
        assert!(!renumbered.precedes(1, 3) && !renumbered.precedes(1, 0));
        assert_eq!(renumbered.operations(), 4);
    }

    #[test]
    fn there_are_names_for_many_keys() {
        let names = key_names(30);
        assert_eq!(names[..4], ["x", "y", "z", "a"]);
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
    }
}
