//! Times of Jepsen's histories: `:time` is a clock, the order of entries is not.

use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_history::{Clock, History};
use tristan_spec::Catalog;
use tristan_verdict::{Answer, UnknownReason};

/// A write, and a read 10 s later that missed it.
fn stale_read(times: bool) -> History {
    let entries = [
        (0, ":invoke, :process 0", "[[:w :x 1]]"),
        (1_000_000_000, ":ok, :process 0", "[[:w :x 1]]"),
        (11_000_000_000u64, ":invoke, :process 1", "[[:r :x nil]]"),
        (12_000_000_000, ":ok, :process 1", "[[:r :x nil]]"),
    ];
    let line = |(time, who, what): (u64, &str, &str)| {
        let time = if times { format!(":time {time}, ") } else { String::new() };
        format!("{{{time}:f :txn, :type {who}, :value {what}}}\n")
    };
    let text: String = entries.into_iter().map(line).collect();
    formats::read(text.as_bytes(), "t", None).expect("a good history")
}

fn judge(history: &History, level: &str, drift: i64) -> Answer {
    let level = Catalog::default().find(level).expect(level);
    check(history, &level, &Options { drift, ..Options::default() }, &Silent).verdict.answer
}

#[test]
fn a_stale_read_stays_one_if_clocks_differ_a_little() {
    let history = stale_read(true);
    assert_eq!(history.header.clock, Clock::Nanoseconds);
    for (drift, stale) in [(0, true), (5_000_000, true), (10_000_000_001, false)] {
        let answer = judge(&history, "strong-serializable", drift);
        assert_eq!(matches!(answer, Answer::Reject { .. }), stale, "drift {drift}: {answer:?}");
    }
}

#[test]
fn an_order_of_entries_knows_no_drift() {
    let history = stale_read(false);
    assert_eq!(history.header.clock, Clock::Ordinal);
    assert!(matches!(judge(&history, "strong-serializable", 0), Answer::Reject { .. }));
    let unsure = judge(&history, "strong-serializable", 5_000_000);
    let reason = UnknownReason::Unsupported {
        what: "a clock drift where times are the order of entries".to_owned(),
    };
    assert!(matches!(unsure, Answer::Unknown { reason: found, .. } if found == reason));
    assert!(matches!(judge(&history, "serializable", 5_000_000), Answer::Accept { .. }));
}
