//! What the picture of a bad read claims: the arrow begins at the write that was read, and lanes
//! stand only where the trace relates sessions in time.

use tristan_verdict::{Answer, Verdict};

use crate::common::drawn::Drawn;
use crate::common::{self, traced};

/// From which operation to which the first arrow of a rejection's picture runs.
fn arrow(verdict: &Verdict) -> (Option<String>, Option<String>) {
    let drawn = Drawn::of(&tristan_report::picture(std::slice::from_ref(verdict)));
    let arrow = drawn.arrows.first().expect("an arrow");
    (drawn.start(arrow).map(str::to_owned), drawn.end(arrow).map(str::to_owned))
}

/// Checks a trace in which transaction 0 writes and a later one reads; the class of the anomaly, and
/// the operations at the ends of the arrow.
fn reads_from(lines: &str, class: &str, from: &str, to: &str) {
    let verdict = traced(lines, "read-committed", "trace.jsonl");
    let Answer::Reject { anomaly, .. } = &verdict.answer else { panic!("{verdict:?}") };
    assert_eq!(anomaly.class, class);
    assert_eq!(arrow(&verdict), (Some(from.to_owned()), Some(to.to_owned())), "{lines}");
    let text = tristan_report::text(&verdict, &Default::default(), Default::default());
    let (txn, op) = from.split_once('.').expect("a place");
    let card = verdict.transactions.iter().find(|card| card.id.to_string() == txn);
    let op: usize = op.parse().expect("a number");
    let line = card.expect("a card").ops[op].line;
    assert!(text.contains(&format!("{line}")), "line {line} is missing: {text}");
}

#[test]
fn the_arrow_of_an_intermediate_read_begins_at_the_write_that_was_read() {
    reads_from(
        r#"{"s":"a","st":"c","ops":[["w","x",1],["w","x",2],["w","x",3]]}
{"s":"b","st":"c","ops":[["r","y",null],["r","x",2]]}"#,
        "G1b",
        "0.1",
        "1.1",
    );
}

#[test]
fn the_arrow_of_an_aborted_read_begins_at_the_write_that_was_read() {
    reads_from(
        r#"{"s":"a","st":"a","ops":[["w","x",1],["w","x",2]]}
{"s":"b","st":"c","ops":[["r","x",1]]}"#,
        "G1a",
        "0.0",
        "1.0",
    );
}

#[test]
fn the_arrow_of_a_rolled_back_write_begins_at_that_write() {
    reads_from(
        r#"{"tristan":"trace/1"}
{"call":1,"s":"a","t":"A","op":"put","k":"x","v":1}
{"return":1}
{"call":2,"s":"a","t":"A","op":"savepoint","name":"p"}
{"return":2}
{"call":3,"s":"a","t":"A","op":"put","k":"x","v":2}
{"return":3}
{"call":4,"s":"a","t":"A","op":"rollback","name":"p"}
{"return":4}
{"call":5,"s":"a","t":"A","op":"commit"}
{"return":5}
{"call":6,"s":"b","t":"B","op":"get","k":"x"}
{"return":6,"v":2}
{"call":7,"s":"b","t":"B","op":"commit"}
{"return":7}"#,
        "G1a",
        "0.2",
        "1.0",
    );
}

#[test]
fn the_arrow_of_a_torn_list_begins_at_the_last_element_that_was_read() {
    reads_from(
        r#"{"s":"a","st":"c","ops":[["a","l",1],["a","l",2],["a","l",3]]}
{"s":"b","st":"c","ops":[["l","l",[1,2]]]}"#,
        "G1b",
        "0.1",
        "1.0",
    );
}

#[test]
fn the_arrow_of_a_range_read_begins_at_the_write_of_the_item() {
    reads_from(
        r#"{"s":"a","st":"c","ops":[["w","b",7],["w","b",8]]}
{"s":"b","st":"c","ops":[["r","a",null],["s","a","z",[["b",7]]]]}"#,
        "G1b",
        "0.0",
        "1.1",
    );
}

#[test]
fn a_future_read_has_an_arrow_back_from_the_later_write() {
    reads_from(
        r#"{"s":"a","st":"c","ops":[["r","x",5],["w","x",4],["w","x",5]]}"#,
        "future-read",
        "0.2",
        "0.0",
    );
}

#[test]
fn lanes_are_drawn_only_over_times() {
    let heading = "When it happened";
    let timed = common::stale_read_with_faults();
    let page = tristan_report::html(&[timed]);
    assert!(page.contains(heading) && page.contains("class=\"bar own"), "{page}");
    let page = tristan_report::html(&[common::write_skew()]);
    assert!(!page.contains(heading) && !page.contains("class=\"bar"), "{page}");
}

#[test]
fn lanes_over_the_order_of_entries_say_so() {
    let lines = r#"{:type :invoke, :process 0, :value [[:w :x 1]]}
{:type :ok, :process 0, :value [[:w :x 1]]}
{:type :invoke, :process 1, :value [[:r :x nil]]}
{:type :ok, :process 1, :value [[:r :x nil]]}
"#;
    let verdict = traced(lines, "strong-serializable", "history.edn");
    let page = tristan_report::html(&[verdict]);
    assert!(page.contains("In which order it happened"), "{page}");
    assert!(page.contains(">entry ") && !page.contains("When it happened"), "{page}");
    assert!(!page.contains(" ns<") && !page.contains(" ns to "), "{page}");
}

#[test]
fn notes_of_a_trace_without_times_are_listed() {
    let lines = r#"{"tristan":"trace/1"}
{"note":"node 2 is cut off"}
{"s":"a","t":"A","op":"get","k":"x","v":null}
{"s":"a","t":"A","op":"put","k":"y","v":1}
{"s":"a","t":"A","op":"commit"}
{"s":"b","t":"B","op":"get","k":"y","v":null}
{"s":"b","t":"B","op":"put","k":"x","v":1}
{"s":"b","t":"B","op":"commit"}"#;
    let page = tristan_report::html(&[traced(lines, "serializable", "trace.jsonl")]);
    assert!(page.contains("Faults and notes in the trace"), "{page}");
    assert!(page.contains("node 2 is cut off") && !page.contains("class=\"bar"), "{page}");
}
