//! `tristan bench`: the table, the files, other checkers, and what it refuses.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use std::fs;

use common::{Run, file, folder, run, text};
use serde_json::Value;

fn bench(args: &[&str]) -> Run {
    let all = [&["bench"], args].concat();
    run(&all)
}

const QUICK: [&str; 6] = ["--workload", "blindw-rw", "--txns", "100,200", "--level", "ser"];

#[test]
fn a_table_with_a_row_per_case_and_the_growth_below() {
    let run = bench(&["--workload", "blindw-rw,rmw", "--txns", "100,200", "--level", "ser,si"]);
    assert_eq!(run.code, 0, "{run:?}");
    let rows: Vec<&str> = run.out.lines().filter(|line| line.contains("accept")).collect();
    assert_eq!(rows.len(), 8, "{}", run.out);
    assert!(rows[0].starts_with("| blindw-rw") && rows[0].contains("| serializable"));
    assert!(rows[0].contains("asg ") && rows[0].contains("lower "), "{}", rows[0]);
    assert!(run.out.contains("growth"), "{}", run.out);
    assert_eq!(run.out.matches("from 100 to 200").count(), 4, "{}", run.out);
}

#[test]
fn rows_of_a_suite_by_name() {
    let run = bench(&["--suite", "small", "--row", "blindw-rw-1k", "--keys", "100"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.out.matches("| blindw-rw-1k").count(), 4, "{}", run.out);
}

#[test]
fn a_report_is_compared_with_an_earlier_one() {
    let before = folder("bench-compare").join("before.json");
    let json = text(&before);
    let run = bench(&[&QUICK[..], &["-o", &format!("json={json}")]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let run = bench(&[&QUICK[..], &["--compare", json]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains(&format!("compared with {json}")), "{}", run.out);
    assert_eq!(run.out.matches("   memory ").count(), 2, "{}", run.out);
    let others = bench(&["--workload", "rmw", "--txns", "100", "--level", "si", "--compare", json]);
    assert_eq!(others.code, 2, "nothing was compared: {others:?}");
    let missing = bench(&[&QUICK[..], &["--compare", "no-such-file.json"]].concat());
    assert_eq!(missing.code, 66, "{missing:?}");
    let limits = bench(&["--suite", "limits", "--compare", json]);
    assert_eq!(limits.code, 64, "{limits:?}");
    let wrong = bench(&[&QUICK[..], &["--compare", "Cargo.toml"]].concat());
    assert_eq!(wrong.code, 65, "{wrong:?}");
    assert!(wrong.err.contains("is not a benchmark report"), "{wrong:?}");
}

#[test]
fn json_has_what_the_documentation_says() {
    let place = folder("bench-json");
    let json = place.join("rows.json");
    let sink = format!("json={}", text(&json));
    let run = bench(&[&QUICK[..], &["--via", "jsonl", "--repeat", "2", "-o", &sink]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let report: Value = serde_json::from_slice(&fs::read(json).expect("a file")).expect("JSON");
    assert_eq!(report["tristan"], "bench/1");
    assert!(report["machine"]["processors"].as_u64() >= Some(1));
    let row = &report["rows"][1];
    let case = &row["case"];
    assert_eq!((&case["txns"], &case["level"]), (&200.into(), &"serializable".into()));
    for field in ["name", "workload", "keys", "sessions", "ops", "hot", "store", "times", "seed"] {
        assert!(!case[field].is_null(), "{field}");
    }
    let runs = row["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2);
    for field in ["generate", "wall", "cpu"] {
        assert!(runs[0][field].is_number(), "{field}");
    }
    assert_eq!((&runs[0]["answer"], &runs[0]["operations"]), (&"accept".into(), &1600.into()));
    assert!(runs[0]["read"]["bytes"].as_u64() > Some(10_000));
    assert!(runs[0]["stages"][0]["seconds"].is_number());
    assert_eq!(report["growth"][0]["txns"], Value::from(vec![100, 200]));
    if cfg!(target_os = "linux") {
        assert!(runs[0]["peak"].as_u64() > Some(1_000_000));
        assert!(runs[0]["trace"].as_u64() > Some(1_000_000));
    }
}

#[test]
fn json_instead_of_the_table() {
    let run = bench(&["--workload", "rmw", "--txns", "50", "--level", "si", "-o", "json=-"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON alone");
    assert_eq!(report["rows"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_picture_is_well_formed() {
    let run = bench(&[&QUICK[..], &["--hot", "50%:3", "-o", "svg=-"]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(run.out.contains("blindw-rw, serializable, hot 50%:3"), "{}", run.out);
    assert_eq!(run.out.matches("<polyline").count(), 2, "{}", run.out);
    assert_well_formed(&run.out);
}

/// Elements are closed in the order they were opened, attributes have quotes, and nothing is left
/// that would have to be escaped.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a stray > in {}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("an end of the tag");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        assert_eq!(tag.matches("=\"").count() * 2, tag.matches('"').count(), "{tag}");
        if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
}

#[test]
fn anomalies_are_found() {
    let args = ["--workload", "blindw-rw", "--txns", "300", "--level", "si", "--anomaly"];
    for anomaly in ["g-single", "long-fork", "G1c"] {
        let run = bench(&[&args[..], &[anomaly]].concat());
        assert!(run.out.contains("| reject"), "{anomaly}: {}", run.out);
    }
}

#[test]
#[cfg(unix)]
fn another_checker_gets_the_same_history() {
    let place = folder("bench-peer");
    let script = "test $1 = serializable && grep -c '^w(' $2 > SEEN; exit 3\n";
    let seen = place.join("seen");
    let script = file(&place, "peer.sh", script.replace("SEEN", text(&seen)).as_bytes());
    let peer = format!("mine=sh {script} {{level}} {{plume}}");
    let args = ["--workload", "blindw-rw", "--txns", "100", "--level", "ser", "--peer", &peer];
    let run = bench(&args);
    assert_eq!(run.code, 0, "{run:?}");
    let line = run.out.lines().find(|line| line.contains("mine")).expect("a line of its own");
    assert!(line.contains("times tristan's, exit status: 3"), "{line}");
    let writes: usize = fs::read_to_string(seen).expect("it ran").trim().parse().expect("a count");
    assert!(writes > 100 && writes.is_multiple_of(8), "{writes}");
}

#[test]
#[cfg(unix)]
fn nobody_waits_for_ever() {
    let args = ["--workload", "rmw", "--txns", "50", "--level", "ser", "--time", "200ms"];
    let place = folder("bench-slow");
    let script = file(&place, "slow.sh", b"exec sleep 60\n");
    let peer = format!("mine=sh {script} {{file}}");
    let run = bench(&[&args[..], &["--peer", &peer]].concat());
    assert!(run.out.contains("gave up"), "{}", run.out);
}

#[test]
#[cfg(unix)]
fn known_checkers_run_with_their_arguments_at_their_levels() {
    let place = folder("bench-known");
    let seen = place.join("seen");
    let script = format!("#!/bin/sh\necho $* > {}\n", text(&seen));
    let script = file(&place, "awdit", script.as_bytes());
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, mode).expect("permissions");
    let peer = format!("awdit={script}");
    let args = ["--workload", "rmw", "--txns", "50", "--level", "causal,ser", "--peer", &peer];
    let run = bench(&args);
    assert!(run.out.contains("does not check serializable"), "{}", run.out);
    let words = fs::read_to_string(seen).expect("it ran");
    assert!(words.starts_with("check --isolation causal /"), "{words}");
}

#[test]
fn bad_options_are_refused() {
    let place = folder("bench-bad");
    let nowhere = format!("json={}", text(&place.join("no/such/folder/x.json")));
    let bad: [&[&str]; 16] = [
        &["--workload", "nothing"],
        &["--level", "best"],
        &["--txns", "many"],
        &["--txns", "0"],
        &["--hot", "very"],
        &["--passes", "fly"],
        &["--anomaly", "rain"],
        &["--workload", "list-append", "--anomaly", "long-fork"],
        &["--via", "mail"],
        &["--suite", "huge"],
        &["--row", "nothing"],
        &["--suite", "small", "--txns", "1K"],
        &["--peer", "mine=prog"],
        &["--peer", "mine"],
        &["--repeat", "0"],
        &["-o", &nowhere],
    ];
    for args in bad {
        let run = bench(args);
        assert_eq!(run.code, 64, "{args:?} {run:?}");
        assert!(run.out.is_empty() && !run.err.is_empty(), "{args:?} {run:?}");
    }
    let missing = bench(&["--txns", "50", "--peer", "mine=/no/such/program {file}"]);
    assert_eq!(missing.code, 64, "{missing:?}");
}

#[test]
fn an_order_that_makes_no_sense_is_bad_input() {
    assert_eq!(bench(&["--order", "{}"]).code, 65);
}
