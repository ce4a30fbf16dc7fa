//! `tristan check` without a level: each trace is judged by what it claims, and the exit code says
//! whether it kept that.

use crate::common;

use common::{file, folder, run, run_on};

/// A write skew, which snapshot isolation allows and serializability does not.
fn skew(header: &str) -> String {
    format!(
        r#"{{"tristan":"trace/1"{header}}}
{{"s":1,"t":"A","op":"get","k":"x","v":null}}
{{"s":2,"t":"B","op":"get","k":"y","v":null}}
{{"s":1,"t":"A","op":"put","k":"y","v":1}}
{{"s":2,"t":"B","op":"put","k":"x","v":1}}
{{"s":1,"t":"A","op":"commit"}}
{{"s":2,"t":"B","op":"commit"}}
"#
    )
}

fn checked(header: &str) -> common::Run {
    run_on(&["check", "-"], skew(header).as_bytes())
}

#[test]
fn the_claimed_level_decides_the_exit_code() {
    let kept = checked(r#","level":"snapshot-isolation""#);
    assert_eq!(kept.code, 0, "{kept:?}");
    assert!(kept.out.contains("ACCEPT   snapshot-isolation (claimed)"), "{kept:?}");
    assert!(!kept.out.contains("REJECT"), "{kept:?}");
    let broken = checked(r#","level":"Serializable""#);
    assert_eq!(broken.code, 1, "{broken:?}");
    assert!(broken.out.contains("REJECT   serializable (claimed as Serializable)"), "{broken:?}");
}

#[test]
fn without_a_claim_the_table_is_shown() {
    let run = checked("");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("claimed: none"), "{run:?}");
    assert!(run.out.contains("* weakest violated:"), "{run:?}");
    assert!(!run.out.contains("REJECT"), "no level was asked about: {run:?}");
}

#[test]
fn an_unknown_claim_is_told_with_what_it_may_mean() {
    for (claimed, told) in [
        ("serialisable", "did you mean serializable"),
        ("linearizable", "did you mean strict-serializable"),
        ("Strong SI", "strong-generalized-snapshot-isolation: "),
    ] {
        let run = checked(&format!(r#","level":"{claimed}""#));
        assert_eq!(run.code, 65, "{run:?}");
        assert!(run.err.contains("the trace claims") && run.err.contains(told), "{run:?}");
    }
}

#[test]
fn a_vendor_s_name_stands_for_what_the_vendor_documents() {
    let postgres = checked(r#","database":"PostgreSQL 15.4","level":"REPEATABLE READ""#);
    assert_eq!(postgres.code, 0, "{postgres:?}");
    let head = "ACCEPT   snapshot-isolation (claimed as REPEATABLE READ)";
    assert!(postgres.out.contains(head), "{postgres:?}");
    assert!(postgres.out.contains("PostgreSQL's REPEATABLE READ is snapshot"), "{postgres:?}");
    let mariadb = checked(r#","database":"MariaDB 10.11","level":"repeatable-read""#);
    assert_eq!(mariadb.code, 0, "{mariadb:?}");
    let head =
        "ACCEPT   strong-session-repeatable-read with mariadb-rr (claimed as repeatable-read)";
    assert!(mariadb.out.contains(head), "{mariadb:?}");
    let other = checked(r#","database":"a store","level":"repeatable-read""#);
    assert_eq!(other.code, 1, "{other:?}");
    let asked = skew(r#","database":"PostgreSQL 15.4","level":"REPEATABLE READ""#);
    let asked = run_on(&["check", "-", "--level", "repeatable-read"], asked.as_bytes());
    assert_eq!(asked.code, 1, "what is typed is what is judged: {asked:?}");
}

#[test]
fn each_trace_of_a_folder_is_judged_by_its_own_claim() {
    let dir = folder("claims");
    file(&dir, "a-si.jsonl", skew(r#","level":"si""#).as_bytes());
    file(&dir, "b-ser.jsonl", skew(r#","level":"ser""#).as_bytes());
    file(&dir, "c-none.jsonl", skew("").as_bytes());
    let all = run(&["check", common::text(&dir)]);
    assert_eq!(all.code, 1, "{all:?}");
    assert!(all.out.contains("ACCEPT   snapshot-isolation (claimed as si)"), "{all:?}");
    assert!(all.out.contains("REJECT   serializable (claimed as ser)"), "{all:?}");
    assert!(all.out.contains("claimed: none"), "{all:?}");
}

#[test]
fn transactions_of_several_levels_are_judged_as_mixed() {
    let mixed = skew(r#","level":"serializable""#).replace(
        r#"{"s":2,"t":"B","op":"get""#,
        "{\"s\":2,\"t\":\"B\",\"op\":\"begin\",\"level\":\"read committed\"}\n{\"s\":2,\"t\":\"B\",\"op\":\"get\"",
    );
    let mixed = run_on(&["check", "-"], mixed.as_bytes());
    assert_eq!(mixed.code, 0, "{mixed:?}");
    assert!(
        mixed.out.contains("ACCEPT   mixed (claimed as serializable, read committed)"),
        "{mixed:?}"
    );
}

#[test]
fn an_alias_is_printed_with_the_level_it_stands_for() {
    let run = run(&["check", "--demo", "--level", "PL-3"]);
    assert!(run.out.contains("REJECT   serializable (asked for as PL-3)"), "{run:?}");
}

#[test]
fn a_trace_in_which_nothing_can_go_wrong_is_not_accepted() {
    let empty = r#"{"tristan":"trace/1","level":"serializable"}
{"note":"not told: transaction 1, because the table has no key: select 1"}
{"s":1,"t":1,"op":"begin"}
{"s":1,"t":1,"op":"commit"}
"#;
    let run = run_on(&["check", "-"], empty.as_bytes());
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.out.contains("nothing to judge: the trace has no operations"), "{run:?}");
    assert!(run.out.contains("saw 0 of 1 operation: 1 was not recorded"), "{run:?}");
    let levels = run_on(&["levels", "-"], empty.as_bytes());
    assert_eq!(levels.code, 2, "{levels:?}");
    assert!(levels.out.contains("nothing to judge"), "{levels:?}");
    let json = run_on(&["check", "-", "--json"], empty.as_bytes());
    assert!(json.out.contains(r#""limit": "nothing-to-judge""#), "{json:?}");
    assert!(json.out.contains(r#""unrecorded": 1"#), "{json:?}");
    let passed = run_on(&["check", "-", "--unknown-as", "accept"], empty.as_bytes());
    assert_eq!(passed.code, 0, "{passed:?}");
}

#[test]
fn an_accept_says_first_what_it_could_not_see() {
    let partial = r#"{"tristan":"trace/1","level":"serializable"}
{"s":1,"t":"A","op":"put","k":"x","v":1}
{"note":"not told: transaction A, because it reads two tables: select …"}
{"s":1,"t":"A","op":"commit"}
{"s":2,"t":"B","op":"get","k":"x","v":1}
{"s":2,"t":"B","op":"get","k":"y","unseen":true}
{"s":2,"t":"B","op":"commit"}
{"note":"the trace ends here: transaction C, because a write has no key: update …"}
"#;
    let run = run_on(&["check", "-"], partial.as_bytes());
    assert_eq!(run.code, 0, "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    let expected = "  saw 2 of 4 operations: 1 was not recorded, 1 was recorded without a result";
    assert_eq!(lines[1], expected, "{run:?}");
    assert!(lines[2].starts_with("  the trace ends before the run did: transaction C"), "{run:?}");
    assert!(run.out.contains("tested by: ") && run.out.contains("not tested: "), "{run:?}");
}
