//! `tristan proxy` on the command line; what it records is tested in its own crate.

mod common;

use std::net::TcpListener;

use common::{folder, run, text};

#[test]
fn an_address_that_is_taken_is_missing_input() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let log = folder("proxy-taken").join("log.jsonl");
    let run = run(&["proxy", "--listen", &address, "--upstream", "127.0.0.1:1", "-o", text(&log)]);
    assert_eq!(run.code, 66, "{run:?}");
    assert!(run.err.contains("cannot listen on") && run.err.contains(&address), "{run:?}");
    assert!(!log.exists(), "no log of nothing");
}

#[test]
fn a_server_that_is_not_there_is_missing_input() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let log = folder("proxy-nobody").join("log.jsonl");
    let upstream = free.to_string();
    let run = run(&["proxy", "--listen", "127.0.0.1:0", "--upstream", &upstream, "-o", text(&log)]);
    assert_eq!(run.code, 66, "{run:?}");
    assert!(run.err.contains("cannot reach the server"), "{run:?}");
}

#[test]
fn flags_that_make_no_sense_are_wrong_usage() {
    let good = ["proxy", "--listen", "127.0.0.1:0", "--upstream", "127.0.0.1:1"];
    for wrong in [
        &["--table", "accounts"][..],
        &["--table", "accounts:id:balance"],
        &["--trace", "trace.jsonl"],
        &["--protocol", "oracle"],
        &["--max-rows", "many"],
    ] {
        let run = run(&[&good[..], wrong].concat());
        assert_eq!(run.code, 64, "{wrong:?}: {run:?}");
    }
    assert_eq!(run(&["proxy"]).code, 64);
}

#[test]
fn the_help_shows_how_to_start() {
    let run = run(&["proxy", "--help"]);
    assert_eq!(run.code, 0);
    for part in ["--upstream 127.0.0.1:5432", "accounts:id:balance", "Passwords", "tristan check"] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}
