//! The two evaluators agree, on executions good and bad.

use tristan_generate::{Rng, Shape, atomic_store};
use tristan_history::{Datum, History, HistoryBuilder, Outcome, OwnWrites, TxnId};
use tristan_spec::{Catalog, Family, Formula, Level, ReadRule};
use tristan_verdict::{Chosen, Point, PointKind, Source, Witness};

use crate::accept::replay;
use crate::execution::Execution;
use crate::promises::Promises;
use crate::reading::Reading;
use crate::{matrix, product};

/// Formulas that the library does not have: stars in stars, tests, every relation.
const ODD: [&str; 10] = [
    "acyclic(wr | rwi ; [W]), irreflexive(so* ; rwi)",
    "irreflexive(rwi ; (cursor | rw)?)",
    "irreflexive((wr | so)* ; rw)",
    "irreflexive(((wr ; rw?)+ ; [W])* ; so ; ww)",
    "acyclic([R] ; (rt | rw) ; [W] ; (ww | otv)?)",
    "irreflexive(cursor ; wr? ; so*)",
    "acyclic(bc ; rw), irreflexive(bc ; ww)",
    "irreflexive(otv ; (so | ww)?)",
    "acyclic(cc ; rw | cursor)",
    "irreflexive(rw ; rw ; (bc | rt)*)",
];

fn levels() -> Vec<Level> {
    let mut catalog = Catalog::default();
    for formula in ODD {
        let family = Family {
            name: formula.into(),
            aliases: Vec::new(),
            title: "odd".into(),
            natural: None,
            formula: formula.into(),
            reads: ReadRule::Committed,
            smallest_rejected: String::new(),
        };
        catalog.add(family).expect("formulas of the tests can be read");
    }
    catalog.levels()
}

/// Both evaluators on every constraint; true if the formula holds.
fn both_agree(formula: &Formula, execution: &Execution<'_>, context: &str) -> bool {
    let mut holds = true;
    for constraint in &formula.constraints {
        let small = matrix::violation(constraint, execution);
        let large = product::violation(constraint, execution).expect("small enough");
        assert_eq!(small.is_some(), large.is_some(), "{constraint} on {context}");
        holds &= small.is_none();
    }
    holds
}

/// Transactions that read, scan and write a few keys, with repeated values and clocks; a read
/// takes the value of any write so far, so most witnesses are wrong at most levels.
fn messy_history(rng: &mut Rng) -> History {
    let mut builder = HistoryBuilder::default();
    builder.history_mut().header.own_writes = OwnWrites::May;
    let txns = 2 + rng.below(9);
    let mut written: Vec<Vec<i64>> = vec![Vec::new(); 3];
    let mut now = 0i64;
    for txn in 0..txns {
        let mut next = builder.begin(Datum::Int(rng.below(3).into()));
        for op in 0..1 + rng.below(5) {
            let key = rng.below(3) as usize;
            let name = Datum::Int(key as i128);
            if rng.percent(50) {
                let value = if rng.percent(70) { (txn * 10 + op) as i64 } else { 7 };
                next = next.put(name, value);
                written[key].push(value);
            } else if rng.percent(60) {
                next = next.get(name, any_of(rng, &written[key]));
            } else {
                let found = (key..3)
                    .filter_map(|key| Some((Datum::Int(key as i128), any_of(rng, &written[key])?)));
                let items: Vec<(Datum, i64)> = found.collect();
                next = next.scan_keys(name..Datum::Int(3), &items);
            }
        }
        now += rng.below(4) as i64;
        let outcome = if rng.percent(85) { Outcome::Committed } else { Outcome::Unknown };
        let id = next.during(now, now + 1 + rng.below(6) as i64).end(outcome);
        let record = &mut builder.history_mut().txns[id.index()];
        record.times_mut().begin.ret =
            record.begin().call.filter(|_| rng.percent(50)).map(|call| call + 1);
        record.times_mut().end.call =
            record.end().ret.filter(|_| rng.percent(50)).map(|ret| ret - 1);
    }
    builder.finish()
}

/// A value that was written, or nothing.
fn any_of(rng: &mut Rng, written: &[i64]) -> Option<i64> {
    written.get(rng.below(written.len() as u64 + 1) as usize).copied()
}

/// A witness with random order and sources; all unknown transactions took effect.
fn random_witness(rng: &mut Rng, reading: &Reading<'_>) -> Witness {
    let history = reading.history;
    let mut order: Vec<u32> = history.txn_ids().map(|txn| txn.0).collect();
    shuffle(rng, &mut order);
    let unknown = |txn: &TxnId| history.txn(*txn).outcome == Outcome::Unknown;
    let sources = reading.reads.iter().filter_map(|read| {
        let all: Vec<Source> = reading.sources(read);
        let from = *all.get(rng.below(all.len().max(1) as u64) as usize)?;
        Some(Chosen { txn: read.txn.0, op: read.op, key: reading.name_of(read), from })
    });
    let sources = sources.collect();
    Witness {
        order: order.into_iter().map(|txn| Point { txn, at: PointKind::Whole }).collect(),
        sources,
        committed: history.txn_ids().filter(unknown).map(|txn| txn.0).collect(),
        ..Witness::default()
    }
}

fn shuffle(rng: &mut Rng, order: &mut [u32]) {
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last as u64 + 1) as usize);
    }
}

#[test]
fn evaluators_agree_on_messy_histories() {
    let levels = levels();
    let mut replayed = 0;
    let mut holding = 0;
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let history = messy_history(&mut rng);
        let reading = Reading::new(&history, Promises::same(ReadRule::Committed));
        let witness = random_witness(&mut rng, &reading);
        let Ok(execution) = replay(&reading, 0, &witness) else { continue };
        replayed += 1;
        for level in &levels {
            let context = format!("seed {seed}, {}", level.name);
            holding += usize::from(both_agree(&level.formula, &execution, &context));
        }
    }
    assert!(replayed > 1000, "only {replayed} histories could be replayed");
    let judged = replayed * levels.len();
    assert!(judged / 10 < holding && holding < judged * 9 / 10, "{holding} of {judged} hold");
}

#[test]
fn evaluators_agree_on_shuffled_witnesses_of_atomic_stores() {
    let levels = levels();
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let shape = Shape { txns: 150, keys: 40, sessions: 4, ops: 4, read_only_percent: 50, seed };
        let history = atomic_store(&shape);
        let reading = Reading::new(&history, Promises::same(ReadRule::Committed));
        let mut order: Vec<u32> = (0..150).collect();
        // From nearly right to hopeless.
        for _ in 0..[0, 1, 5, 20, 100, 1000][seed as usize] {
            let at = rng.below(149) as usize;
            order.swap(at, at + 1);
        }
        let point = |&txn: &u32| Point { txn, at: PointKind::Whole };
        let witness = Witness { order: order.iter().map(point).collect(), ..Witness::default() };
        let execution = replay(&reading, 0, &witness).expect("every value is unique");
        for level in &levels {
            both_agree(&level.formula, &execution, &format!("seed {seed}, {}", level.name));
        }
    }
}
