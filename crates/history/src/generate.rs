//! Histories of a known kind, made without a database.
//!
//! [`atomic_store`] runs every transaction at one instant against one map, so the result is
//! strictly serializable by construction. Sessions interleave at random; the trace carries no
//! times, so a checker sees it as a black box.

use crate::{Datum, History, HistoryBuilder, Observed, OpKind, Outcome, ValueId};

/// A small, fast, seeded random number generator (xorshift64*), the same on every platform.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator; the same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        // Spread small seeds over all bits; zero would be a fixed point.
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03 | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound` (which must not be zero).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// The shape of a generated history.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Number of transactions.
    pub txns: usize,
    /// Number of keys, chosen uniformly.
    pub keys: u64,
    /// Number of sessions, chosen uniformly per transaction.
    pub sessions: u64,
    /// Operations per transaction.
    pub ops: usize,
    /// Share of read-only transactions in percent; the others only write.
    pub read_only_percent: u64,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Shape {
    fn default() -> Self {
        Self { txns: 10_000, keys: 2_000, sessions: 24, ops: 8, read_only_percent: 50, seed: 1 }
    }
}

/// A strictly serializable history: each transaction runs atomically against one map.
pub fn atomic_store(shape: &Shape) -> History {
    let mut rng = Rng::new(shape.seed);
    let mut builder = HistoryBuilder::default();
    let mut state: Vec<Option<ValueId>> = vec![None; shape.keys as usize];
    let mut next_value = 0i64;
    for _ in 0..shape.txns {
        let session = rng.below(shape.sessions);
        let read_only = rng.percent(shape.read_only_percent);
        let keys: Vec<u64> = (0..shape.ops).map(|_| rng.below(shape.keys)).collect();
        let writes: Vec<ValueId> = if read_only {
            Vec::new()
        } else {
            keys.iter()
                .map(|_| {
                    next_value += 1;
                    builder.value(next_value)
                })
                .collect()
        };
        let ids: Vec<_> = keys.iter().map(|&key| builder.key(Datum::Int(key.into()))).collect();
        let mut txn = builder.begin(Datum::Int(session.into()));
        for (position, &key) in keys.iter().enumerate() {
            let slot = &mut state[key as usize];
            txn = match writes.get(position) {
                Some(&value) => {
                    *slot = Some(value);
                    txn.op(OpKind::Put { key: ids[position], value })
                }
                None => {
                    let seen = slot.map_or(Observed::Absent, Observed::Value);
                    txn.op(OpKind::Get { key: ids[position], seen, locking: false })
                }
            };
        }
        txn.end(Outcome::Committed);
    }
    builder.finish()
}

/// The same history with its transactions listed session by session, so that their order in
/// the trace says nothing about the order in which they ran.
pub fn listed_by_session(history: &History) -> History {
    let mut listed = History {
        header: history.header.clone(),
        keys: history.keys.clone(),
        values: history.values.clone(),
        sessions: history.sessions.clone(),
        ..History::default()
    };
    for session in &mut listed.sessions {
        for id in &mut session.txns {
            let old = *id;
            *id = crate::TxnId::new(listed.txns.len());
            let mut txn = history.txn(old).clone();
            txn.first_op = u32::try_from(listed.ops.len()).expect("no more operations than before");
            listed.ops.extend_from_slice(history.ops_of(old));
            listed.txns.push(txn);
        }
    }
    listed
}
