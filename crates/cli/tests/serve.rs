//! `tristan serve` on the command line; what it answers is tested in its own crate.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use common::{GOOD, VIOLATED, file, folder, run, text, tristan};

#[test]
fn the_first_line_says_where_to_look() {
    let place = folder("serve-start");
    file(&place, "good.jsonl", GOOD);
    let trace = file(&place, "bad.jsonl", VIOLATED);
    let verdict = format!("json={}", text(&place.join("v.json")));
    assert_eq!(run(&["check", &trace, "--level", "read-committed", "-o", &verdict]).code, 1);
    let mut command = tristan(&["serve", text(&place), "--port", "0"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let mut told = BufReader::new(child.stderr.take().expect("a pipe"));
    told.read_line(&mut line).expect("a line");
    assert!(line.contains("1 verdicts and 2 traces at http://127.0.0.1:"), "{line}");
    let (_, address) = line.split_once("http://").expect("an address");
    let (address, _) = address.split_once('/').expect("an address");
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("it reads");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("an answer");
    child.kill().expect("it runs until somebody ends it");
    child.wait().expect("it ends");
    assert!(page.contains("aborted read") && page.contains("good.jsonl"), "{page}");
}

#[test]
fn what_cannot_be_served_is_missing_input() {
    let place = folder("serve-missing");
    let absent = run(&["serve", text(&place.join("absent")), "--port", "0"]);
    assert_eq!(absent.code, 66, "{absent:?}");
    assert!(absent.err.contains("absent"), "{absent:?}");
    let a_file = file(&place, "file.jsonl", GOOD);
    let no_folder = run(&["serve", &a_file, "--port", "0"]);
    assert!(no_folder.code == 66 && no_folder.err.contains("not a folder"), "{no_folder:?}");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let run = run(&["serve", text(&place), "--port", &port]);
    assert!(run.code == 66 && run.err.contains("cannot listen on 127.0.0.1:"), "{run:?}");
}

#[test]
fn flags_that_make_no_sense_are_wrong_usage() {
    for wrong in
        [&["serve"][..], &["serve", ".", "--port", "99999"], &["serve", ".", "--bind", "here"]]
    {
        assert_eq!(run(wrong).code, 64, "{wrong:?}");
    }
    let help = run(&["serve", "--help"]);
    let told = help.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.code == 0 && told.contains("Press Ctrl-C to stop it"), "{help:?}");
}
