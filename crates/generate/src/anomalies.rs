//! Anomalies of the textbooks, hidden in a correct history.
//!
//! [`hide`] lets a few more transactions run at a moment in the middle of a history, on keys that
//! all transactions use. What other transactions read afterwards is adjusted, so that the anomaly is the only
//! thing wrong:
//!
//! ```text
//!   G1c        T1 writes x, reads z;   T2 reads x, writes y;   T3 reads y, writes z
//!   long fork  T1 writes x and y;  T2 updates x;  T3 updates y;  T4 sees T2 but not T3,  T5 T3 but not T2
//!   G-SIb      T1 writes x and y;  T2 writes x and y;  T3 reads one of T1 and the other of T2
//! ```
//!
//! They are those of the Viper paper, section 7.3. During the last one, no other transaction reads its keys, so
//! that only both orders of the versions together show the contradiction.

use super::Rng;
use tristan_history::{
    Datum, History, HistoryBuilder, KeyId, Observed, Op, OpKind, OpStatus, Outcome, Txn, ValueId,
};

/// An anomaly that snapshot isolation forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anomaly {
    /// A cycle of three read dependencies.
    G1c,
    /// Two readers disagree about the order of two independent updates.
    LongFork,
    /// A cycle with exactly one anti-dependency.
    GSIb,
}

impl Anomaly {
    /// Every anomaly.
    pub const ALL: [Self; 3] = [Self::G1c, Self::LongFork, Self::GSIb];

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::G1c => "G1c",
            Self::LongFork => "long-fork",
            Self::GSIb => "G-SIb",
        }
    }

    /// The anomaly with this name, in any case; `g-single` is another name of `G-SIb`.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(name));
        found.or_else(|| name.eq_ignore_ascii_case("g-single").then_some(Self::GSIb))
    }

    /// What happens, as transactions of reads and writes of three keys; equal numbers are equal
    /// values.
    fn script(self) -> &'static [&'static [Deed]] {
        use Deed::{Read, Write};
        match self {
            Self::G1c => &[
                &[Write(0, 1), Read(2, 3)],
                &[Read(0, 1), Write(1, 2)],
                &[Read(1, 2), Write(2, 3)],
            ],
            Self::LongFork => &[
                &[Write(0, 1), Write(1, 2)],
                &[Read(0, 1), Write(0, 3)],
                &[Read(1, 2), Write(1, 4)],
                &[Read(0, 3), Read(1, 2)],
                &[Read(0, 1), Read(1, 4)],
            ],
            Self::GSIb => &[
                &[Write(0, 1), Write(1, 2)],
                &[Write(0, 3), Write(1, 4)],
                &[Read(0, 3), Read(1, 2)],
            ],
        }
    }
}

/// One operation of a script: the number of a key and the number of a value.
#[derive(Clone, Copy)]
enum Deed {
    Read(usize, i64),
    Write(usize, i64),
}

/// Hides an anomaly in a history of reads and writes whose transactions ran one after the other
/// as they are listed, such as [`atomic_store`](super::atomic_store) makes.
pub fn hide(history: &History, anomaly: Anomaly, seed: u64) -> History {
    let mut play = Play::new(history, seed);
    let middle = history.txns.len() / 4 + play.rng.below(history.txns.len() as u64 / 2) as usize;
    for id in history.txn_ids() {
        if id.index() == middle {
            play.run_script(anomaly.script());
        }
        play.run_again(history.txn(id), history.ops_of(id));
    }
    play.builder.finish()
}

/// A history being run once more.
struct Play {
    builder: HistoryBuilder,
    rng: Rng,
    /// What each key holds.
    state: Vec<Observed>,
    next_value: i64,
}

impl Play {
    fn new(history: &History, seed: u64) -> Self {
        let mut builder = HistoryBuilder::from(History {
            header: history.header.clone(),
            keys: history.keys.clone(),
            values: history.values.clone(),
            ..History::default()
        });
        for session in &history.sessions {
            builder.session(session.name.clone());
        }
        let initial = |key| history.initial_of(KeyId::new(key)).unwrap_or(Observed::Absent);
        Self {
            builder,
            rng: Rng::new(seed),
            state: (0..history.keys.len()).map(initial).collect(),
            next_value: super::above(history.values.iter()),
        }
    }

    /// The same transaction; what it reads may be different now.
    fn run_again(&mut self, txn: &Txn, ops: &[Op]) {
        self.builder.add_txn(txn.clone());
        for op in ops {
            let mut op = op.clone();
            match &mut op.kind {
                OpKind::Get { key, seen, .. } => *seen = self.state[key.index()],
                OpKind::Put { key, value } => self.state[key.index()] = Observed::Value(*value),
                _ => {}
            }
            self.builder.push_op(op);
        }
    }

    fn run_script(&mut self, script: &[&[Deed]]) {
        let count = self.state.len() as u64;
        let first = self.rng.below(count);
        let keys = [0, 1, 2].map(|at| KeyId::new(((first + at * (count / 3)) % count) as usize));
        let sessions = self.builder.history_mut().sessions.len() as u64;
        let mut session = self.rng.below(sessions);
        let base = self.next_value;
        for deeds in script {
            self.begin(session as usize);
            session = (session + 1) % sessions;
            for deed in *deeds {
                let (Deed::Read(key, value) | Deed::Write(key, value)) = *deed;
                let value = self.builder.value(Datum::Int((base + value).into()));
                self.push(*deed, keys[key], value);
            }
        }
    }

    fn begin(&mut self, session: usize) {
        self.builder
            .add_txn(Txn::new(tristan_history::SessionId::new(session), Outcome::Committed));
    }

    fn push(&mut self, deed: Deed, key: KeyId, value: ValueId) {
        let kind = match deed {
            Deed::Read(..) => OpKind::Get { key, seen: Observed::Value(value), locking: false },
            Deed::Write(..) => {
                self.state[key.index()] = Observed::Value(value);
                OpKind::Put { key, value }
            }
        };
        self.builder.push_op(Op { kind, status: OpStatus::Done, line: 0 });
    }
}
