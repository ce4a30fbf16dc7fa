//! Whatever a server has shown in some interleaving is found again.

use tristan_history::{History, HistoryBuilder, Observed, OpKind, Outcome, Range, TxnId};
use tristan_testkit::Random;

use crate::right;
use crate::schedule::{Step, reproduce};
use crate::server::{Seen, Server, ServerError, Visibility, recorded};
use crate::state::Cell;

/// A few transactions whose reads have not returned yet.
fn plan(random: &mut Random) -> History {
    let mut builder = HistoryBuilder::default();
    let mut value = 0;
    for session in 0..2 + random.below(2) as i64 {
        let mut txn = builder.begin(session);
        for _ in 0..1 + random.below(3) {
            let key = ["a", "b"][random.below(2)];
            value += 1;
            txn = match random.below(6) {
                0 | 1 => txn.get(key, None),
                2 | 3 => txn.put(key, value),
                4 => txn.delete(key),
                _ => txn.op(OpKind::Scan {
                    range: Box::new(Range::everything()),
                    items: None,
                    locking: false,
                }),
            };
        }
        txn.end([Outcome::Committed, Outcome::Committed, Outcome::Aborted][random.below(3)]);
    }
    builder.finish()
}

/// Notes what an operation has seen.
fn note(kind: &mut OpKind, seen: Seen) {
    match (kind, seen) {
        (OpKind::Get { seen, .. }, Seen::Cell(cell)) => {
            *seen = match cell {
                Some(Cell::Value(value)) => Observed::Value(value),
                _ => Observed::Absent,
            };
        }
        (OpKind::Scan { items, .. }, Seen::Rows(rows)) => *items = Some(rows.into()),
        (OpKind::Delete { rows, .. }, Seen::Changed(count)) => *rows = Some(count),
        _ => {}
    }
}

/// Lets transactions run in any order and notes what they see. Returns `None` if the server refuses one.
fn run(mut history: History, visibility: Visibility, random: &mut Random) -> Option<History> {
    let mut server = Server::of(&history, visibility);
    let mut next = vec![0; history.txns.len()];
    for _ in 0..200 {
        let running: Vec<TxnId> = history
            .txn_ids()
            .filter(|txn| next[txn.index()] <= history.ops_of(*txn).len())
            .collect();
        if running.is_empty() {
            return Some(history);
        }
        let txn = running[random.below(running.len())];
        let number = &mut next[txn.index()];
        let Some(op) = history.ops_of(txn).get(*number).cloned() else {
            server.end(txn, history.txn(txn).outcome);
            *number += 1;
            continue;
        };
        if *number == 0 {
            server.begin(txn);
        }
        match server.act(&history, txn, &op) {
            Ok(seen) => {
                let place = history.txn(txn).first_op as usize + *number;
                if let Some(seen) = seen {
                    note(&mut history.ops[place].kind, seen);
                }
                *number += 1;
            }
            Err(ServerError::Waits) if *number > 0 => {}
            Err(_) => return None,
        }
    }
    None
}

/// Whether a schedule shows what the history says.
fn shows(history: &History, visibility: Visibility, schedule: &[Step]) -> bool {
    let mut server = Server::of(history, visibility);
    schedule.iter().all(|step| match *step {
        Step::Begin(txn) => {
            server.begin(txn);
            true
        }
        Step::Op(txn, number) => {
            let op = &history.ops_of(txn)[number];
            let seen = server.act(history, txn, op);
            recorded(&op.kind).is_none_or(|recorded| seen == Ok(Some(recorded)))
        }
        Step::End(txn) => {
            server.end(txn, history.txn(txn).outcome);
            true
        }
    })
}

#[test]
fn what_a_server_has_shown_is_found_again() {
    let mut found = 0;
    for seed in 1..=2_000 {
        let mut random = Random::new(seed);
        let visibilities = [
            Visibility::Snapshot,
            Visibility::LooseSnapshot,
            Visibility::Committed,
            Visibility::Dirty,
        ];
        let visibility = visibilities[random.below(4)];
        let planned = plan(&mut random);
        let Some(history) = run(planned, visibility, &mut random) else { continue };
        let schedule = reproduce(&history, visibility);
        let schedule = schedule.unwrap_or_else(|| unreachable!("seed {seed}: {history:#?}"));
        assert!(shows(&history, visibility, &schedule), "seed {seed}: {schedule:?}");
        found += 1;
    }
    assert!(found > 500, "only {found} histories");
}

#[test]
fn one_after_the_other_there_is_nothing_to_put_right() {
    let mut builder = HistoryBuilder::default();
    builder.begin("a").put("x", 1).end(Outcome::Committed);
    builder.begin("b").get("x", Some(1)).end(Outcome::Committed);
    let history = builder.finish();
    let schedule = reproduce(&history, Visibility::Snapshot).expect("a schedule");
    assert!(right::nearest(&history, &schedule).is_none());
}

#[test]
fn a_lost_update_is_no_snapshot() {
    let mut builder = HistoryBuilder::default();
    for (session, value) in [("a", 1), ("b", 2)] {
        builder.begin(session).get("x", None).put("x", value).end(Outcome::Committed);
    }
    let history = builder.finish();
    assert!(reproduce(&history, Visibility::Snapshot).is_none());
    assert!(reproduce(&history, Visibility::Committed).is_some());
}
