//! What the judge says about histories of clients: what is wrong, and what it does not look at.

#![allow(clippy::panic)]

use tristan_history::{
    History, HistoryBuilder, Initial, OpRef, OpStatus, Outcome, Presence, TxnId,
};
use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::{SearchBudget, SearchLimitError, SearchLimits};
use tristan_synth::{
    AbstractHistory, JudgeError, ObservedVerdict, WitnessValue, WrongReadKind, abstracted,
    judge_history,
};

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

fn verdict(name: &str, history: &History) -> ObservedVerdict {
    judge_history(&level(name), history, &SearchBudget::default())
}

fn history(build: impl FnOnce(&mut HistoryBuilder)) -> History {
    let mut builder = HistoryBuilder::default();
    build(&mut builder);
    builder.finish()
}

fn wrong(build: impl FnOnce(&mut HistoryBuilder)) -> (OpRef, WrongReadKind) {
    match verdict("read-committed", &history(build)) {
        ObservedVerdict::WrongRead(wrong) => (wrong.op, wrong.kind),
        other => panic!("{other:?}"),
    }
}

fn op(txn: u32, op: u32) -> OpRef {
    OpRef { txn: TxnId(txn), op }
}

#[test]
fn a_write_without_an_answer_may_be_seen_or_not() {
    let with_pending = |build: &dyn Fn(&mut HistoryBuilder)| {
        let mut history = history(build);
        history.ops[0].status = OpStatus::Pending;
        verdict("serializable", &history)
    };
    for seen in [None, Some(1)] {
        let judged = with_pending(&|b| {
            b.begin("a").put("x", 1).end(Outcome::Committed);
            b.begin("a").get("x", seen).end(Outcome::Committed);
        });
        assert!(matches!(judged, ObservedVerdict::Holds(_)), "{seen:?}: {judged:?}");
    }
    let torn = with_pending(&|b| {
        b.begin("a").put("x", 1).end(Outcome::Committed);
        b.begin("b").get("x", Some(1)).get("x", None).end(Outcome::Committed);
    });
    assert!(matches!(torn, ObservedVerdict::Violated(_)), "{torn:?}");
}

#[test]
fn a_conditional_write_without_a_row_count_may_have_happened() {
    for seen in [None, Some(1)] {
        let judged = history(|b| {
            b.begin("a").put_if("x", 1, Presence::Present, None).end(Outcome::Committed);
            b.begin("a").get("x", seen).end(Outcome::Committed);
        });
        let judged = verdict("serializable", &judged);
        assert!(matches!(judged, ObservedVerdict::Holds(_)), "{seen:?}: {judged:?}");
    }
}

#[test]
fn reads_that_no_level_allows() {
    let unwritten = wrong(|b| {
        b.begin("a").get("x", Some(1)).end(Outcome::Committed);
    });
    assert_eq!(unwritten, (op(0, 0), WrongReadKind::Unwritten));
    let not_own = wrong(|b| {
        b.begin("a").put("x", 1).get("x", None).end(Outcome::Committed);
    });
    assert_eq!(not_own, (op(0, 1), WrongReadKind::NotOwn));
    let future = wrong(|b| {
        b.begin("a").get("x", Some(1)).put("x", 1).end(Outcome::Committed);
    });
    assert_eq!(future, (op(0, 0), WrongReadKind::Future));
    let aborted = wrong(|b| {
        b.begin("a").put("x", 1).end(Outcome::Aborted);
        b.begin("b").get("x", Some(1)).end(Outcome::Committed);
    });
    assert_eq!(aborted, (op(1, 0), WrongReadKind::Aborted(TxnId(0))));
    let intermediate = wrong(|b| {
        b.begin("a").put("x", 1).put("x", 2).end(Outcome::Committed);
        b.begin("b").get("x", Some(1)).end(Outcome::Committed);
    });
    assert_eq!(intermediate, (op(1, 0), WrongReadKind::Intermediate(TxnId(0))));
    let start = wrong(|b| {
        b.history_mut().header.initial = Initial::Unknown;
        b.begin("a").get("x", Some(1)).end(Outcome::Committed);
        b.begin("b").get("x", Some(2)).end(Outcome::Committed);
    });
    assert_eq!(start.1, WrongReadKind::Start);
}

#[test]
fn dirty_reads_are_fine_where_reads_do_not_matter() {
    let dirty = history(|b| {
        b.begin("a").put("x", 1).end(Outcome::Aborted);
        b.begin("b").get("x", Some(1)).end(Outcome::Committed);
    });
    assert!(matches!(verdict("read-uncommitted", &dirty), ObservedVerdict::Holds(_)));
    let mut library = Library::standard().clone();
    library.add("mine.iso", "level mine { reads dirty\n acyclic wr }").expect("it is well formed");
    let mine = library.find("mine").expect("it was added");
    let judged = judge_history(&mine, &dirty, &SearchBudget::default());
    assert_eq!(judged, ObservedVerdict::Unknown(JudgeError::DirtyRead { label: "T2".to_owned() }));
}

#[test]
fn a_value_written_twice_may_come_from_either() {
    let twice = history(|b| {
        b.begin("a").put("x", 1).put("y", 1).end(Outcome::Committed);
        b.begin("b").put("x", 1).end(Outcome::Committed);
        b.begin("c").get("x", Some(1)).get("y", None).end(Outcome::Committed);
    });
    let ObservedVerdict::Holds(numbered) = verdict("be-ser", &twice) else {
        panic!("x came from b")
    };
    let order = &numbered.about[0].value;
    assert!(matches!(order, WitnessValue::Order(order) if *order == [2, 3, 1]), "{order:?}");
    assert_eq!(numbered.txns, [TxnId(0), TxnId(1), TxnId(2)]);
    assert_eq!(abstracted(&twice), Err(JudgeError::Source { label: "T3".to_owned() }));
}

#[test]
fn a_transaction_of_unknown_outcome_may_be_left_out() {
    let maybe = |seen: Option<i64>| {
        history(|b| {
            b.begin("a").put("x", 1).end(Outcome::Unknown);
            b.begin("b").get("x", seen).end(Outcome::Committed);
        })
    };
    assert!(
        matches!(verdict("serializable", &maybe(None)), ObservedVerdict::Holds(of) if of.txns.len() == 1)
    );
    assert!(
        matches!(verdict("serializable", &maybe(Some(1))), ObservedVerdict::Holds(of) if of.txns.len() == 2)
    );
    assert_eq!(abstracted(&maybe(None)), Err(JudgeError::UnknownOutcomes(1)));
}

#[test]
fn what_the_judge_does_not_look_at_is_named() {
    let what = |build: &dyn Fn(&mut HistoryBuilder)| match verdict("serializable", &history(build))
    {
        ObservedVerdict::Unknown(error) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let scan = what(&|b| {
        b.begin("a").scan("a".."z", &[]).end(Outcome::Committed);
    });
    assert_eq!(scan, "T1 has a range read, which is not supported here");
    let list = what(&|b| {
        b.begin("a").append("x", 1).end(Outcome::Committed);
    });
    assert_eq!(list, "T1 has a list, which is not supported here");
    let conditional = what(&|b| {
        b.begin("a").put_if("x", 1, Presence::Absent, Some(1)).end(Outcome::Committed);
    });
    assert_eq!(conditional, "T1 has a conditional write, which is not supported here");
    let many = what(&|b| {
        for number in 0..13 {
            b.begin(number).put("x", number).end(Outcome::Committed);
        }
    });
    assert_eq!(many, "13 transactions may have committed; at most 12 are supported here");
    let unknown = what(&|b| {
        for number in 0..9 {
            b.begin(number).put("x", number).end(Outcome::Unknown);
        }
    });
    assert_eq!(unknown, "9 transactions have an unknown outcome; at most 8 are supported here");
}

#[test]
fn a_key_read_twice_counts_twice_unless_reads_have_an_order() {
    let twice = history(|b| {
        b.begin("a").put("x", 1).end(Outcome::Committed);
        b.begin("b").get("x", None).get("x", Some(1)).end(Outcome::Committed);
    });
    assert!(matches!(verdict("read-committed", &twice), ObservedVerdict::Holds(_)));
    assert!(matches!(verdict("be-ra", &twice), ObservedVerdict::Violated(_)));
    let judged = verdict("monotonic-atomic-view", &twice);
    assert_eq!(judged, ObservedVerdict::Unknown(JudgeError::ReadTwice { label: "T2".to_owned() }));
}

#[test]
fn deletes_are_writes() {
    let deleted = history(|b| {
        b.begin("a").put("x", 1).end(Outcome::Committed);
        b.begin("a").delete("x").end(Outcome::Committed);
        b.begin("b").get("x", None).end(Outcome::Committed);
        b.begin("b").get("x", Some(1)).end(Outcome::Committed);
        b.begin("b").get("x", None).end(Outcome::Committed);
    });
    assert!(matches!(verdict("strong-session-serializable", &deleted), ObservedVerdict::Holds(_)));
}

#[test]
fn time_may_run_out() {
    let skew: AbstractHistory = "r(x,0) w(y) | r(y,0) w(x)".parse().expect("it is well formed");
    let limits = SearchLimits { time: Some(std::time::Duration::ZERO), ..SearchLimits::default() };
    let judged = judge_history(&level("be-ser"), &skew.to_native(), &SearchBudget::start(&limits));
    assert_eq!(judged, ObservedVerdict::Unknown(JudgeError::Limit(SearchLimitError::Time)));
}
