//! How far apart clocks may be, and times at which that just matters.

use tristan_generate::Rng;
use tristan_history::{History, Times, Txn, TxnId};

use crate::random::draw::pick;

const DRIFTS: [i64; 8] = [0, 1, 3, 7, 10, 15, 30, 1_000];

/// Draws a clock drift and moves some transactions so that an instant of theirs lies one less than
/// the drift, the drift, or one more after an instant of another transaction.
pub fn drift(rng: &mut Rng, history: &mut History) -> i64 {
    let drift = DRIFTS[pick(rng, DRIFTS.len())];
    for _ in 0..pick(rng, 4) {
        let [first, second] = [(); 2].map(|()| TxnId::new(pick(rng, history.txns.len())));
        if first != second {
            let early = some_instant(rng, history.txn(first));
            let late = some_instant(rng, history.txn(second));
            if let (Some(early), Some(late)) = (early, late) {
                let apart = drift + small(rng) - 1;
                shift(&mut history.txns[second.index()], early + apart - late);
            }
        }
    }
    drift
}

fn small(rng: &mut Rng) -> i64 {
    i64::try_from(rng.below(3)).unwrap_or(0)
}

fn some_instant(rng: &mut Rng, txn: &Txn) -> Option<i64> {
    let instants = [txn.begin().call, txn.begin().ret, txn.end().call, txn.end().ret];
    let known: Vec<i64> = instants.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known[pick(rng, known.len())])
}

fn shift(txn: &mut Txn, by: i64) {
    let Times { begin, end } = txn.times_mut();
    for instant in [&mut begin.call, &mut begin.ret, &mut end.call, &mut end.ret] {
        *instant = instant.map(|at| at + by);
    }
}
