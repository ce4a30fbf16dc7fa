//! What is not interpreted leads to neither an accept nor a reject.

#![allow(clippy::panic, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_history::History;
use tristan_spec::{Catalog, Family, Level, ReadRule, Strength};
use tristan_verdict::{Answer, UnknownReason};

fn read(lines: &str) -> History {
    formats::read(lines.as_bytes(), "trace", None).expect("it is well formed")
}

fn is_open(lines: &str) {
    let history = read(lines);
    for level in Catalog::default().levels() {
        let verdict = check(&history, &level, &Options::default(), &Silent).verdict;
        let open = matches!(
            verdict.answer,
            Answer::Unknown { reason: UnknownReason::Unsupported { .. }, .. }
        );
        assert!(open, "{}: {}", level.name, verdict.to_json());
        assert_eq!(certify(&history, &level, 0, &verdict), Ok(Certified::NothingToCheck));
    }
}

#[test]
fn a_register_that_is_used_as_a_list_is_not_interpreted() {
    is_open(
        "{\"s\":1,\"st\":\"c\",\"ops\":[[\"a\",\"x\",1]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"r\",\"x\",7]]}\n",
    );
    is_open(
        "{\"s\":1,\"st\":\"c\",\"ops\":[[\"a\",\"x\",1]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"w\",\"x\",2]]}\n{\"s\":3,\"st\":\"c\",\"ops\":[[\"r\",\"x\",2]]}\n",
    );
    is_open(
        "{\"s\":1,\"st\":\"c\",\"ops\":[[\"w\",\"x\",1]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"l\",\"x\",[]]]}\n",
    );
}

#[test]
fn a_list_in_a_range_is_not_interpreted() {
    is_open(
        "{\"s\":1,\"st\":\"c\",\"ops\":[[\"a\",\"l\",1],[\"w\",\"a\",1]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"s\",\"a\",\"z\",[[\"a\",1]]]]}\n",
    );
}

fn own(formula: &str) -> Level {
    let family = Family {
        name: "own".to_owned(),
        aliases: Vec::new(),
        title: "a level of one's own".to_owned(),
        natural: Some(Strength::Plain),
        formula: formula.to_owned(),
        reads: ReadRule::Committed,
        smallest_rejected: String::new(),
    };
    family.level(Strength::Plain).expect("a formula")
}

fn rejects(level: &Level, lines: &str) {
    let history = read(lines);
    let verdict = check(&history, level, &Options::default(), &Silent).verdict;
    assert!(matches!(verdict.answer, Answer::Reject { .. }), "{}", verdict.to_json());
}

/// Session order that a level demands is no assumption that can be dropped.
#[test]
fn a_level_may_demand_session_order_of_its_own_accord() {
    rejects(
        &own("acyclic(b | ww), irreflexive(so ; rw)"),
        "{\"s\":1,\"st\":\"c\",\"ops\":[[\"w\",\"x\",1]]}\n{\"s\":1,\"st\":\"c\",\"ops\":[[\"r\",\"x\",null]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"w\",\"z\",1]]}\n{\"s\":2,\"st\":\"c\",\"ops\":[[\"r\",\"z\",null],[\"r\",\"u\",null]]}\n",
    );
}
