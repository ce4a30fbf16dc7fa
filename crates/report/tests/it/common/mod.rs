//! Verdicts to render: real ones, on small traces.

#![allow(dead_code, clippy::panic)]

pub mod drawn;
pub mod large;

use std::path::PathBuf;

use tristan_check::{Options, Silent, check};
use tristan_formats::{self as formats, WriteForm};
use tristan_history::{Datum, History, HistoryBuilder, Outcome};
use tristan_spec::Catalog;
use tristan_verdict::{Answer, UnknownReason, Verdict};

/// The folder of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The verdict on a trace of the repository.
pub fn judged(path: &str, level: &str) -> Verdict {
    let history = formats::open(&root().join(path), None).expect("a trace");
    verdict(&history, level, path)
}

/// The verdict on a history.
pub fn verdict(history: &History, level: &str, name: &str) -> Verdict {
    let level = Catalog::default().find(level).expect("a level");
    let options = Options { trace_name: name.to_owned(), ..Options::default() };
    check(history, &level, &options, &Silent).verdict
}

/// The verdict on the lines of a trace.
pub fn traced(lines: &str, level: &str, name: &str) -> Verdict {
    let history = formats::read(lines.as_bytes(), name, None).expect("a trace");
    verdict(&history, level, name)
}

/// Two doctors on call, both go home.
pub fn write_skew() -> Verdict {
    judged("corpus/strong-generalized-snapshot-isolation/doctors-on-call.jsonl", "serializable")
}

/// A read with two possible sources, both of which fail.
pub fn no_way_out() -> Verdict {
    judged("corpus/strong-cursor-stability/same-value-no-way-out.jsonl", "serializable")
}

/// A read of something that was rolled back.
pub fn aborted_read() -> Verdict {
    judged("corpus/strong-read-uncommitted/aborted-read.jsonl", "read-committed")
}

/// A read of a value that its writer replaced before it committed.
pub fn intermediate_read() -> Verdict {
    let lines = r#"{"s":"a","st":"c","ops":[["w","x",1],["w","x",2],["w","x",3]]}
{"s":"b","st":"c","ops":[["r","y",null],["r","x",2]]}"#;
    traced(lines, "read-committed", "intermediate.jsonl")
}

/// A list whose reader had appended to it before.
pub fn own_append() -> Verdict {
    let lines = r#"{"s":"a","st":"c","ops":[["a","l",1],["a","l",2]]}
{"s":"b","st":"c","ops":[["a","l",4],["l","l",[1,2,4]]]}
{"s":"c","st":"c","ops":[["a","l",3]]}
{"s":"d","st":"c","ops":[["l","l",[1,2,3,4]]]}"#;
    traced(lines, "serializable", "own-append.jsonl")
}

/// Lists that were appended to.
pub fn lists() -> Verdict {
    judged("corpus/strong-prefix/list-lost-append.jsonl", "snapshot-isolation")
}

/// Everything is fine.
pub fn accepted() -> Verdict {
    judged("corpus/strong-serializable/bank-transfers.jsonl", "serializable")
}

/// A limit was hit.
pub fn unknown() -> Verdict {
    let mut verdict = accepted();
    verdict.answer = Answer::Unknown {
        reason: UnknownReason::Time { millis: 60_000, stage: String::new() },
        decided: "no violation was found in the part that was examined".to_owned(),
    };
    verdict.transactions = Vec::new();
    verdict.context = Default::default();
    verdict
}

/// Two bookings that each look for free rooms, find the other's missing, and book.
pub fn phantom() -> Verdict {
    let mut builder = HistoryBuilder::default();
    builder.begin("setup").put("room 101", 1).end(Outcome::Committed);
    let range = || "room 100".."room 200";
    let free = [("room 101", 1)];
    builder.begin("desk").scan(range(), &free).put("room 102", 2).end(Outcome::Committed);
    builder.begin("web").scan(range(), &free).put("room 103", 3).end(Outcome::Committed);
    verdict(&rewritten(&builder.finish()), "serializable", "hotel.jsonl")
}

/// A stale read while a node was down, with transactions around it.
pub fn stale_read_with_faults() -> Verdict {
    traced(FAULTS, "strong-serializable", "partition.jsonl")
}

const FAULTS: &str = r#"{"tristan":"trace/1","initial":{"keys":[["x",0]]}}
{"call":1,"s":"a","t":"W0","op":"put","k":"y","v":1,"at":0}
{"return":1,"at":225000}
{"call":2,"s":"a","t":"W0","op":"commit","at":450000}
{"return":2,"at":900000}
{"note":"node 2 is cut off","at":950000}
{"call":3,"s":"a","t":"W","op":"put","k":"x","v":1,"at":1000000}
{"return":3,"at":1250000}
{"call":4,"s":"a","t":"W","op":"commit","at":1500000}
{"return":4,"at":2000000}
{"call":5,"s":"c","t":"Q","op":"get","k":"y","at":1500000}
{"return":5,"v":1,"at":2025000}
{"call":6,"s":"c","t":"Q","op":"commit","at":2550000}
{"return":6,"at":3600000}
{"call":7,"s":"b","t":"R","op":"get","k":"x","at":4000000}
{"return":7,"v":0,"at":4250000}
{"call":8,"s":"b","t":"R","op":"commit","at":4500000}
{"return":8,"at":5000000}
{"note":"node 2 is back","at":5500000}
{"call":9,"s":"b","t":"R2","op":"get","k":"x","at":6000000}
{"return":9,"v":1,"at":6250000}
{"call":10,"s":"b","t":"R2","op":"commit","at":6500000}
{"return":10,"at":7000000}
"#;

/// Each of many read the old value of what its neighbour wrote: a cycle through all.
pub fn ring(size: u32) -> Verdict {
    let mut builder = HistoryBuilder::default();
    for number in 0..size {
        let (own, next) = (key(number), key((number + 1) % size));
        let session = Datum::Int(i128::from(number % 12));
        builder.begin(session).get(next, None).put(own, 1).end(Outcome::Committed);
    }
    verdict(&rewritten(&builder.finish()), "serializable", "ring.jsonl")
}

/// A history as it is read from a file, so that it has lines.
fn rewritten(history: &History) -> History {
    let mut file = Vec::new();
    formats::write(history, WriteForm::Compact, &mut file).expect("a trace");
    formats::read(file.as_slice(), "trace", None).expect("a trace")
}

fn key(number: u32) -> Datum {
    Datum::from(format!("account-{number}").as_str())
}
