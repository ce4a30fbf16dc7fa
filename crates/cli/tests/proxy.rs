//! `tristan proxy` on the command line; what it records is tested in its own crate.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};

use common::{finish, folder, run, signal, text, tristan, wait_until};

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
    for part in ["--upstream 127.0.0.1:5432", "accounts:id:balance", "passwords", "tristan check"] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
}

/// A proxy in front of a server that accepts connections and says nothing, and where it listens.
fn start(place: &Path, upstream: &TcpListener) -> (Child, String) {
    let upstream = upstream.local_addr().expect("an address").to_string();
    let mut proxy = tristan(
        &[
            &[
                "proxy",
                "--listen",
                "127.0.0.1:0",
                "--upstream",
                &upstream,
                "--protocol",
                "postgres",
            ][..],
            &[
                "--trace",
                "trace.jsonl",
                "--table",
                "accounts:id:balance",
                "--level",
                "serializable",
            ],
        ]
        .concat(),
    );
    proxy.current_dir(place).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = proxy.spawn().expect("it starts");
    let mut line = String::new();
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    said.read_line(&mut line).expect("a line");
    let address = line.split_whitespace().nth(2).expect("an address").to_owned();
    std::thread::spawn(move || said.lines().for_each(drop));
    (child, address)
}

#[test]
fn a_proxy_that_is_told_to_stop_sums_up() {
    for name in ["-INT", "-TERM"] {
        let place = folder(&format!("proxy-stopped{name}"));
        let upstream = TcpListener::bind("127.0.0.1:0").expect("a port");
        let (proxy, address) = start(&place, &upstream);
        // The proxy has looked whether the server is there.
        drop(upstream.accept());
        let mut client = TcpStream::connect(&address).expect("a connection");
        client.write_all(b"\0\0\0\x10\0\x03\0\0user\0me\0").expect("it is sent");
        let (mut server, _) = upstream.accept().expect("the proxy");
        server.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I").expect("it is sent");
        let ask = |client: &mut TcpStream, sql: &str| {
            let length = (sql.len() as u32 + 5).to_be_bytes();
            let message = [&b"Q"[..], &length, sql.as_bytes(), &[0]].concat();
            client.write_all(&message).expect("it is sent");
        };
        ask(&mut client, "update accounts set balance = balance - 1 where id = 1");
        let log = || std::fs::read_to_string(place.join("log.jsonl")).unwrap_or_default();
        wait_until("the statement is in the log", || log().contains("balance - 1"));
        signal(&proxy, name);
        let run = finish(proxy.wait_with_output().expect("it ends"));
        assert_eq!(run.code, 0, "{run:#?}");
        for part in [
            "1 connections, 1 statements, 0 transactions committed",
            "1 of unknown outcome",
            "log: log.jsonl",
            "values of 1 keys",
            "next: tristan check trace.jsonl --level serializable",
        ] {
            assert!(run.out.contains(part), "{part}: {run:#?}");
        }
        // The client finds its connection closed, and the log says by whom.
        let mut rest = Vec::new();
        let _ = client.read_to_end(&mut rest);
        assert!(log().contains(r#""close":1,"by":"proxy""#), "{}", log());
        let trace = std::fs::read_to_string(place.join("trace.jsonl")).expect("a trace");
        assert!(trace.contains(r#""op":"put","k":1"#), "what was called is not lost: {trace}");
    }
}

#[test]
fn a_full_disk_ends_the_proxy_and_is_no_wrong_command_line() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let upstream = TcpListener::bind("127.0.0.1:0").expect("a port");
    let upstream = upstream.local_addr().expect("an address").to_string();
    let flags = ["proxy", "--listen", "127.0.0.1:0", "--upstream", &upstream, "-o", "/dev/full"];
    let run = run(&[&flags[..], &["--protocol", "postgres"]].concat());
    assert_eq!(run.code, 74, "{run:#?}");
    assert!(run.err.contains("/dev/full"), "{run:#?}");
}
