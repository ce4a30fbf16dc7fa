//! Traces that are not read as they stand: `--semantics` and `--own-writes`, from the check to the
//! certificate.

use crate::common;

use common::{Run, file, folder, run};
use serde_json::Value;

const LOST_UPDATE: &str = "examples-traces/mariadb-lost-update.jsonl";
const LOCKING: &str = "examples-traces/mariadb-locking-lost-update.jsonl";

/// A transaction that sees its own write once, and once not.
const HALF_SEEN: &str = r#"{"tristan":"trace/1"}
{"s":1,"t":"A","op":"put","k":"x","v":1}
{"s":1,"t":"A","op":"get","k":"x","v":1}
{"s":1,"t":"A","op":"get","k":"x","v":null}
{"s":1,"t":"A","op":"commit"}
"#;

fn check(trace: &str, flags: &[&str]) -> Run {
    run(&[&["check", trace, "--level", "rr", "--certify"], flags].concat())
}

/// The verdict as JSON, and a file with it.
fn verdict(name: &str, trace: &str, flags: &[&str]) -> (Value, String) {
    let json = check(trace, &[flags, &["--json"]].concat()).out;
    let path = file(&folder(name), "verdict.json", json.as_bytes());
    (serde_json::from_str(&json).expect("JSON"), path)
}

fn assumes(verdict: &Value, what: &str, status: &str) -> bool {
    let list = verdict["assumptions"].as_array().expect("a list");
    list.iter().any(|one| {
        one["status"] == status && one["what"].as_str().is_some_and(|text| text.starts_with(what))
    })
}

#[test]
fn vendor_semantics_forgive_what_the_vendor_allows() {
    assert_eq!(check(LOST_UPDATE, &[]).code, 1);
    assert_eq!(check(LOST_UPDATE, &["--semantics", "mariadb-rr"]).code, 0);
    assert_eq!(check(LOCKING, &[]).code, 1);
    let locking = check(LOCKING, &["--semantics", "mariadb-rr"]);
    assert_eq!(locking.code, 1);
    assert!(locking.out.contains("REJECT   repeatable-read with mariadb-rr "), "{locking:?}");
    assert!(locking.out.contains(&format!("levels {LOCKING} --semantics mariadb-rr;")));
}

#[test]
fn a_verdict_carries_its_semantics_to_the_certifier() {
    let (mut json, path) = verdict("semantics", LOST_UPDATE, &["--semantics", "mariadb-rr"]);
    assert_eq!(json["semantics"], "mariadb-rr");
    assert!(assumes(&json, "mariadb-rr: ", "given"), "{json}");
    for flags in [&[][..], &["--semantics", "mariadb-rr"]] {
        let certified = run(&[&["certify", &path, LOST_UPDATE], flags].concat());
        assert_eq!(certified.code, 0, "{certified:?}");
        assert!(certified.out.starts_with("repeatable-read with mariadb-rr: certified ACCEPT"));
    }
    let shown = run(&["explain", &path]);
    assert!(shown.out.contains("ACCEPT   repeatable-read with mariadb-rr "), "{shown:?}");
    // Without its semantics the verdict is about another trace.
    json.as_object_mut().expect("an object").remove("semantics");
    let forged = file(&folder("forged-semantics"), "v.json", json.to_string().as_bytes());
    assert_eq!(run(&["certify", &forged, LOST_UPDATE]).code, 1);
}

#[test]
fn a_flag_that_contradicts_the_verdict_is_a_mistake() {
    let (_, plain) = verdict("contradicted", LOST_UPDATE, &[]);
    let flags = [["--semantics", "mariadb-rr"], ["--own-writes", "external"]];
    for flag in flags {
        let refused = run(&[&["certify", &plain, LOST_UPDATE], &flag[..]].concat());
        assert_eq!(refused.code, 64, "{refused:?}");
        assert!(refused.err.contains("contradicts the verdict"), "{refused:?}");
    }
    let agreed = ["certify", &plain, LOST_UPDATE, "--own-writes", "infer"];
    assert_eq!(run(&agreed).code, 0);
}

#[test]
fn names_nobody_knows_are_refused() {
    for flag in [["--semantics", "mariadb-r"], ["--own-writes", "mus"]] {
        let refused = check(LOST_UPDATE, &flag);
        assert_eq!(refused.code, 64);
        assert!(refused.err.contains("possible values: m"), "{refused:?}");
        assert!(refused.err.contains("a similar value exists"), "{refused:?}");
    }
    let (mut json, _) = verdict("unknown-names", LOST_UPDATE, &[]);
    for (field, value) in [("semantics", "oracle-rr"), ("own_writes", "maybe")] {
        json[field] = value.into();
        let path = file(&folder("unknown-name"), "v.json", json.to_string().as_bytes());
        let refused = run(&["certify", &path, LOST_UPDATE]);
        assert!(refused.code == 65 && refused.err.contains(value), "{refused:?}");
        json.as_object_mut().expect("an object").remove(field);
    }
}

#[test]
fn the_policy_can_be_given_or_inferred() {
    let half_seen = file(&folder("half-seen"), "t.jsonl", HALF_SEEN.as_bytes());
    let cases = [
        (&[][..], 1, Value::Null, "own writes: must", "default"),
        (&["--own-writes", "must"], 1, "must".into(), "own writes: must", "given"),
        (&["--own-writes", "may"], 0, "may".into(), "own writes: may", "given"),
        (&["--own-writes", "infer"], 0, "may".into(), "own writes: may", "inferred"),
        (&["--own-writes", "external"], 1, "external".into(), "own writes: external", "given"),
    ];
    for (flags, code, policy, what, status) in cases {
        assert_eq!(check(&half_seen, flags).code, code, "{flags:?}");
        let (json, path) = verdict("policies", &half_seen, flags);
        assert_eq!(json["own_writes"], policy);
        assert!(assumes(&json, what, status), "{json}");
        assert_eq!(run(&["certify", &path, &half_seen]).code, 0, "{flags:?}");
    }
    let stated = HALF_SEEN.replace("/1\"", "/1\",\"own\":\"may\"");
    let stated = file(&folder("stated"), "t.jsonl", stated.as_bytes());
    let (json, _) = verdict("stated-policy", &stated, &[]);
    assert!(assumes(&json, "own writes: may", "from the trace"), "{json}");
}

#[test]
fn a_policy_that_no_read_depends_on_is_not_mentioned() {
    let (json, _) = verdict("no-policy", LOCKING, &[]);
    assert!(!json.to_string().contains("own writes"), "{json}");
}

#[test]
fn all_levels_can_be_read_this_way() {
    let flags = ["levels", LOST_UPDATE, "--semantics", "mariadb-rr", "--certify"];
    let levels = run(&flags);
    assert_eq!(levels.code, 0, "{levels:?}");
    assert!(levels.out.starts_with(&format!("{LOST_UPDATE} with mariadb-rr\n")), "{levels:?}");
    assert!(levels.out.contains("claimed: repeatable-read, which holds"), "{levels:?}");
    let emitted = check(LOST_UPDATE, &["--semantics", "mariadb-rr", "--emit", "ir"]);
    assert_ne!(emitted.out, check(LOST_UPDATE, &["--emit", "ir"]).out);
    let stats = run(&["stats", LOST_UPDATE, "--semantics", "mariadb-rr"]);
    assert!(stats.out.contains("transactions     4 "), "{stats:?}");
}

#[test]
fn own_elements_of_a_list_are_not_seen_where_own_writes_are_external() {
    let trace = "{\"tristan\":\"trace/1\"}\n\
                 {\"s\":1,\"t\":\"A\",\"op\":\"append\",\"k\":\"x\",\"v\":1}\n\
                 {\"s\":1,\"t\":\"A\",\"op\":\"list\",\"k\":\"x\",\"v\":[1]}\n\
                 {\"s\":1,\"t\":\"A\",\"op\":\"commit\"}\n";
    let path = file(&folder("own-elements"), "t.jsonl", trace.as_bytes());
    for level in ["read-uncommitted", "read-committed"] {
        let check = ["check", &path, "--level", level, "--certify", "--own-writes"];
        assert_eq!(run(&[&check[..], &["must"]].concat()).code, 0);
        let external = run(&[&check[..], &["external"]].concat());
        assert_eq!(external.code, 1, "{external:?}");
        assert!(
            external.out.contains("but only its own transaction wrote this value, after the read"),
            "{external:?}"
        );
    }
}
