//! Histories of Jepsen and Elle: what is read from them, and every way to get them wrong.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::{parse, told};
use tristan_formats::{Format, detect};
use tristan_history::{Clock, Datum, History, Observed, OpKind, Outcome, Span};

fn read(text: &str) -> History {
    parse(text, None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The operations of a transaction in a few letters.
fn ops(history: &History, txn: usize) -> Vec<String> {
    let id = history.txn_ids().nth(txn).expect("a transaction");
    let value = |id: &_| history.value(*id).to_string();
    let one = |kind: &OpKind| {
        let key = history.key(kind.key().expect("a key"));
        match kind {
            OpKind::Get { seen: Observed::Value(seen), .. } => format!("{key} is {}", value(seen)),
            OpKind::Get { seen, .. } => format!("{key} is {seen:?}"),
            OpKind::Put { value: new, .. } => format!("{key} := {}", value(new)),
            OpKind::Append { element, .. } => format!("{key} += {}", value(element)),
            OpKind::ReadList { elements: None, .. } => format!("{key} unseen list"),
            OpKind::ReadList { elements: Some(elements), .. } => {
                format!("{key} {:?}", elements.iter().map(value).collect::<Vec<_>>().join(" "))
            }
            other => panic!("{other:?}"),
        }
    };
    history.ops_of(id).iter().map(|op| one(&op.kind)).collect()
}

const APPENDS: &str = "\
; two clients, and a network that fails
{:index 0, :time 10, :type :invoke, :process 0, :f :txn, :value [[:r :x nil] [:append :x 1]]}
{:index 1, :time 11, :type :invoke, :process 1, :f :txn, :value [[:append :x 2] [:append :y 2]]}
#jepsen.history.Op{:index 2, :time 12, :type :ok, :process 0, :f :txn, :value [[:r :x []] [:append :x 1]]}
{:index 3, :time 13, :type :info, :process :nemesis, :f :start, :value [:isolated {\"n1\" #{\"n2\"}}]}
{:index 4, :time 14, :type :info, :process 1, :f :txn, :value [[:append :x 2] [:append :y 2]], :error :timeout}
{:index 5, :time 15, :type :invoke, :process 0, :f :txn, :value [[:r :x nil] [:r :y nil]]}
{:index 6, :time 16, :type :invoke, :process 2, :f :txn, :value [[:r :y nil]]}
{:index 7, :time 17, :type :ok, :process 0, :f :txn, :value [[:r :x [1 2N]] [:r :y nil]]}
{:index 8, :time 18, :type :invoke, :process 3, :f :txn, :value [[:append :y 3]]}
{:index 9, :time 19, :type :fail, :process 3, :f :txn, :value [[:append :y 3]], :error [:conflict \"y\"]}
";

const REGISTERS: &str = r#"[{"index":0,"type":"invoke","f":"txn","process":0,"value":[["w","x",1],["r","y",null]]},
 {"index":1,"type":"ok","f":"txn","process":0,"value":[["w","x",1],["r","y",null]]},
 {"index":2,"type":"ok","f":"start","process":"nemesis","value":{"n1":["n2"]}},
 {"index":3,"type":"invoke","f":"txn","process":1,"value":[["r","x",null],["w","y","two"]]},
 {"index":4,"type":"ok","f":"txn","process":1,"value":[["r","x",1],["w","y","two"]]}]
"#;

#[test]
fn appends_in_edn() {
    let history = read(APPENDS);
    assert_eq!(ops(&history, 0), ["x \"\"", "x += 1"]);
    assert_eq!(ops(&history, 1), ["x += 2", "y += 2"]);
    assert_eq!(ops(&history, 2), ["x \"1 2\"", "y \"\""]);
    assert_eq!(ops(&history, 3), ["y unseen list"], "nobody saw what it read");
    let outcomes: Vec<Outcome> = history.txns.iter().map(|txn| txn.outcome).collect();
    let expected = [
        Outcome::Committed,
        Outcome::Unknown,
        Outcome::Committed,
        Outcome::Unknown,
        Outcome::Aborted,
    ];
    assert_eq!(outcomes, expected);
    let names: Vec<String> = history.txn_ids().map(|id| history.label(id)).collect();
    assert_eq!(names, ["T2", "T4", "T7", "T6", "T9"], "by the entry that ends it, else begins it");
    let sessions: Vec<String> = history.sessions.iter().map(|s| s.name.to_string()).collect();
    assert_eq!(sessions, ["0", "1", "2", "3"]);
    assert_eq!(history.notes, [(5, "start [:isolated {\"n1\" #{\"n2\"}}]".to_owned())]);
    let errors: Vec<Option<&str>> = history.txns.iter().map(|txn| txn.error.as_deref()).collect();
    assert_eq!(errors, [None, Some("timeout"), None, None, Some("[:conflict \"y\"]")]);
    assert!(history.warnings.is_empty());
}

#[test]
fn the_clock_is_the_index_of_the_entry() {
    let history = read(APPENDS);
    let times: Vec<_> = history.txns.iter().map(|txn| (txn.begin().call, txn.end().ret)).collect();
    let ended = |begin, end| (Some(begin), Some(end));
    let open = |begin| (Some(begin), None);
    assert_eq!(times, [ended(10, 12), open(11), ended(15, 17), open(16), ended(18, 19)]);
    assert_eq!(history.header.clock, Clock::Nanoseconds);
    let lines: Vec<_> = history.txns.iter().map(|txn| txn.lines).collect();
    assert_eq!(lines, [(2, 4), (3, 6), (7, 9), (8, 8), (10, 11)]);
}

#[test]
fn registers_in_json() {
    let history = read(REGISTERS);
    assert_eq!(ops(&history, 0), ["x := 1", "y is Absent"]);
    assert_eq!(ops(&history, 1), ["x is 1", "y := two"]);
    assert_eq!(history.notes, [(3, "start {\"n1\":[\"n2\"]}".to_owned())]);
    assert_eq!(history.txns[1].begin(), Span { call: Some(3), ret: None });
    assert_eq!(history.txns[1].end(), Span { call: None, ret: Some(4) });
}

#[test]
fn the_same_history_in_every_layout() {
    let lines = [
        r#"{:type :ok, :process 1, :value [[:w "x" 7] [:r "é\n" nil]]}"#,
        r#"{:value ([:r "x" 7]) :process 2 :type :ok :latency 1.5e3 :ratio 1/2 :ok? true :c \a}"#,
    ];
    let json = [
        r#"{"type":"ok","process":1,"value":[["w","x",7],["r","\u00e9\n",null]]}"#,
        r#"{"value": [["r", "x", 7]], "process": 2, "type": "ok", "latency": 1.5e3, "ok": true}"#,
    ];
    let expected = told(&read(&lines.join("\n")));
    let texts = [
        lines.join(" "),
        format!("[{}]", lines.join(",\n")),
        format!("(\n{}\n)\n; over", lines.join("\n")),
        format!("\u{feff}[\n{} #_{{:type :odd}} #_ ignored {}]", lines[0], lines[1]),
        format!("#op {}\n\n#_#_ a b\n#jepsen.history.Op\n{}", lines[0], lines[1]),
        lines.join("\r\n").replace(", ", "\n ,, ; why not\n"),
        json.join("\n"),
        format!("[{},\n{}]\n", json[0], json[1]),
        format!(" [ {} ,{} ] ", json[0], json[1]),
    ];
    for text in texts {
        assert_eq!(detect(text.as_bytes()), Some(Format::Elle), "{text}");
        assert_eq!(told(&read(&text)), expected, "{text}");
    }
}

#[test]
fn without_times_the_order_of_entries_is_known() {
    let entry = |kind: &str, time: &str| {
        format!("{{:type {kind}, :process 0, :f :txn, :value [[:w :x 1]]{time}}}\n")
    };
    let ordinal = read(&(entry(":invoke", "") + &entry(":ok", "")));
    assert_eq!(ordinal.header.clock, Clock::Ordinal);
    assert_eq!(ordinal.warnings, Vec::<String>::new());
    let mixed = read(&(entry(":invoke", ", :time 5") + &entry(":ok", "")));
    assert_eq!((mixed.header.clock, mixed.txns[0].begin().call), (Clock::Ordinal, Some(0)));
    let missing = ":time is missing in entries of 1 transactions and is ignored";
    assert!(mixed.warnings[0].starts_with(missing), "{:?}", mixed.warnings);
    let backwards = entry(":invoke", ", :time 5") + &entry(":ok", ", :time 4");
    let error = parse(&backwards, None).expect_err("an error").to_string();
    assert!(
        error.contains("found :time 4, expected a time not before 5, that of line 1"),
        "{error}"
    );
}

#[test]
fn completions_alone_have_no_times() {
    let text = "{:type :ok, :value [[:w 1 1]]}\n{:type :fail, :value [[:w 1 2]]}\n{:type :info, :value [[:w 1 3] [:r 2 nil]]}";
    let history = read(text);
    assert_eq!(history.sessions.len(), 3, "nothing says that one process did all of it");
    assert!(history.txns.iter().all(|txn| txn.begin() == Span::default()));
    assert!(history.txns.iter().all(|txn| txn.end() == Span::default() && txn.name.is_none()));
    assert_eq!(ops(&history, 2), ["1 := 3", "2 is Unknown"]);
}

#[test]
fn entries_without_processes_are_paired_in_turn() {
    let history = read(
        "{:type :invoke :value [[:append 1 1]]} {:type :ok :value [[:append 1 1]]}
         {:type :invoke :value [[:r 1 nil]]} {:type :ok :value [[:r 1 [1]]]}",
    );
    assert_eq!(history.sessions.len(), 2);
    let times: Vec<_> = history.txns.iter().map(|txn| (txn.begin().call, txn.end().ret)).collect();
    assert_eq!(times, [(Some(0), Some(1)), (Some(2), Some(3))]);
}

#[test]
fn a_process_that_goes_on_after_info_is_the_same_session() {
    let history = read(
        "{:type :invoke :process 1 :value [[:w 1 1]]} {:type :info :process 1}
         {:type :invoke :process 1 :value [[:w 1 2]]} {:type :ok :process 1 :value [[:w 1 2]]}",
    );
    assert_eq!(history.sessions.len(), 1);
    assert_eq!(ops(&history, 0), ["1 := 1"], "the invocation tells what was asked");
}

#[test]
fn a_read_of_nothing_is_what_its_key_is() {
    let text = "{:type :ok :value [[:r 1 nil] [:r 2 nil] [:r 3 nil]]} {:type :ok :value [[:w 2 1] [:append 1 1]]}";
    assert_eq!(ops(&read(text), 0), ["1 \"\"", "2 is Absent", "3 \"\""]);
    let text =
        "{:type :ok :value [[:r 1 nil] [:r 2 nil]]} {:type :info :value [[:r 2 []] [:r 1 nil]]}";
    let history = read(text);
    assert_eq!(ops(&history, 0), ["1 \"\"", "2 \"\""]);
    assert_eq!(ops(&history, 1), ["2 unseen list", "1 unseen list"]);
}

#[test]
fn keys_and_values_are_integers_keywords_or_texts() {
    let text = format!(
        "{{:type :ok :value [[:w :k {}] [:w \"a b\" {}N] [:w -1 :ns/v] [:w +2 0]]}}",
        i64::MIN,
        u64::MAX
    );
    let keys = ["k := -9223372036854775808", "a b := 18446744073709551615", "-1 := ns/v", "2 := 0"];
    assert_eq!(ops(&read(&text), 0), keys);
    let history = read(r#"{"type":"ok","value":[["w",{"hex":"00ff"},"\ud83e\udd80"]]}"#);
    assert_eq!(history.keys.get(0), &Datum::from(&[0, 255][..]));
    assert_eq!(*history.values.get(0), Datum::from("🦀"));
}

#[test]
fn a_repeated_element_is_data() {
    let history = read("{:type :ok :value [[:append 1 1] [:append 1 1] [:r 1 [1 1]]]}");
    assert_eq!(ops(&history, 0), ["1 += 1", "1 += 1", "1 \"1 1\""]);
}

#[test]
fn the_long_fork_workload_is_plain_registers() {
    let history = read(
        "[{:type :invoke, :f :write, :process 0, :value [[:w 0 1]]}
          {:type :ok, :f :write, :process 0, :value [[:w 0 1]]}
          {:type :invoke, :f :read, :process 1, :value [[:r 0 nil] [:r 1 nil]]}
          {:type :ok, :f :read, :process 1, :value [[:r 0 1] [:r 1 nil]]}]",
    );
    assert_eq!(ops(&history, 1), ["0 is 1", "1 is Absent"]);
}

#[test]
fn a_completion_that_tells_of_something_else_is_believed_with_a_warning() {
    let text = "{:type :invoke :process 1 :value [[:w 1 1] [:r 2 nil]]}\n{:type :ok :process 1 :value [[:w 1 2] [:r 2 5]]}";
    let history = read(text);
    assert_eq!(ops(&history, 0), ["1 := 2", "2 is 5"]);
    assert_eq!(
        history.warnings,
        [
            "completions with other operations than their invocations (the completions are used): 1, the first on line 2"
        ]
    );
}

fn edn(lines: &[&str]) -> String {
    match parse(format!("{}\n", lines.join("\n")), Some(Format::Elle)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// One case: what goes in, what comes out.
macro_rules! complains {
    ($($name:ident: $($line:expr),+ => $message:expr;)*) => {
        $(#[test] fn $name() { assert_eq!(edn(&[$($line),+]), $message); })*
    };
}

const FIRST: &str = "{:type :invoke, :process 1, :value [[:w 1 1]]}";

complains! {
    unclosed_bracket: FIRST, "{:type :ok, :process 1, :value [[:w 1 1]}"
        => r#"t:2: found "}" at column 41, expected "]" to close the "[" at column 32"#;
    unclosed_vector: "[{:type :ok, :value []}", ""
        => r#"t:3: found the end of the file, expected "]" to close the "[" on line 1, column 1"#;
    unclosed_map: FIRST, "{:type :ok, :value [[:w 1 1]]"
        => r#"t:3: found the end of the file, expected "}" to close the "{" on line 2, column 1"#;
    unclosed_text: "{:type :ok :value [[:w \"a 1]]}"
        => "t:2: found the end of the file, expected the end of the text that starts on line 1, column 24";
    unclosed_array: r#"[{"type":"ok","value":[]},"#
        => r#"t:2: found the end of the file, expected a value"#;
    closed_too_often: FIRST, "]"
        => r#"t:2: found "]" at column 1, expected a value"#;
    more_after_the_vector: "[{:type :ok :value []}] {}"
        => r#"t:1: found "{" at column 25, expected the end of the file"#;
    odd_map: "{:type :ok, :process}"
        => "t:1: found `:process` without a value in the map at column 1, expected a value for every key";
    lone_colon: "{:type : ok}"
        => "t:1: found `:` at column 8, expected a form of EDN";
    broken_number: "{:type :ok :value [[:w 12x 1]]}"
        => "t:1: found `12x` at column 24, expected a form of EDN";
    lone_hash: "{:type :ok #, }"
        => r##"t:1: found "," at column 13, expected a tag after "#""##;
    bad_escape: "{:type :ok :value [[:w \"\\q\" 1]]}"
        => r#"t:1: found "\q" at column 25, expected one of \" \\ \/ \b \f \n \r \t \u0000"#;
    half_a_letter: r#"{"type":"ok","value":[["w","\ud83ex",1]]}"#
        => r#"t:1: found "\ud83e" at column 29, expected the other half of the surrogate pair"#;
    digits_missing: r#"{"type":"ok","value":[["w","\u00g0",1]]}"#
        => r#"t:1: found "\u" at column 29, expected four hexadecimal digits after it"#;
    line_break_in_json: "{\"type\":\"ok\",\"value\":[[\"w\",\"a", "b\",1]]}"
        => r"t:1: found byte 0x0a at column 30, expected an escape like \n within a text";
    comma_missing: r#"{"type":"ok" "value":[]}"#
        => r#"t:1: found """ at column 14, expected "," or "}""#;
    comma_missing_between_entries: r#"[{"type":"ok","value":[]} {"type":"ok","value":[]}]"#
        => r#"t:1: found "{" at column 27, expected "," or "]""#;
    comma_too_many: r#"{"type":"ok","value":[],}"#
        => r#"t:1: found "}" at column 25, expected a name in quotes"#;
    colon_missing: r#"{"type" "ok"}"#
        => r#"t:1: found """ at column 9, expected ":" after a name"#;
    not_json: r#"{"type":"ok","value":[[r,1,2]]}"#
        => "t:1: found `r` at column 24, expected a JSON value";
    zero_in_front: r#"{"type":"ok","value":[["w",1,007]]}"#
        => "t:1: found `007` as a value, expected an integer of 64 bits, a text";
    no_map: FIRST, "[:type :ok]"
        => "t:2: found `[:type :ok]`, expected a map with the fields of an entry";
    no_type: "{:process 1, :value [[:w 1 1]]}"
        => "t:1: found an entry without :type, expected :invoke, :ok, :fail or :info";
    unknown_type: "{:type :maybe, :value [[:w 1 1]]}"
        => "t:1: found :type `:maybe`, expected :invoke, :ok, :fail or :info";
    unknown_type_in_json: r#"{"type":"maybe","value":[["w",1,1]]}"#
        => r#"t:1: found "type" `"maybe"`, expected "invoke", "ok", "fail" or "info""#;
    type_twice: "{:type :ok, :type :fail, :value [[:w 1 1]]}"
        => "t:1: found :type twice, expected it once";
    odd_process: "{:type :ok, :process [1], :value [[:w 1 1]]}"
        => "t:1: found :process `[1]`, expected the number of a process";
    odd_index: "{:type :ok, :index 1.5, :value [[:w 1 1]]}"
        => "t:1: found :index `1.5`, expected an integer below 2^63";
    index_again: "{:type :ok, :index 4, :value []}", "{:type :ok, :index 4, :value []}"
        => "t:2: found :index 4, expected one above 4, that of line 1";
    shuffled: "{:type :ok, :index 4, :value []}", "{:type :info, :index 3, :process :nemesis}"
        => "t:2: found :index 3, expected one above 4, that of line 1";
    completion_without_invocation: FIRST, "{:type :ok, :process 2, :value [[:w 1 1]]}"
        => "t:2: found :ok of process 2, expected its :invoke on a line before";
    completion_before_all_invocations: "{:type :ok, :process 2, :value [[:w 1 1]]}", FIRST
        => "t:1: found :ok of process 2, expected its :invoke on a line before";
    completion_of_nobody: FIRST, "{:type :fail, :value [[:w 1 1]]}"
        => "t:2: found :fail of no process in particular, expected its :invoke on a line before";
    two_invocations: FIRST, FIRST
        => "t:2: found another :invoke of process 1, expected the completion of the one on line 1 first";
    ok_without_value: FIRST, "{:type :ok, :process 1}"
        => "t:2: found :ok without :value, expected the operations and what they saw";
    no_operations_at_all: "{:type :invoke, :process 1}", "{:type :fail, :process 1}"
        => "t:1: found a transaction without :value, expected its operations, here or where it ends";
    value_of_another_kind: "{:type :ok, :f :txn, :value 5}"
        => "t:1: found :value `5`, expected a list of [:r key seen], [:w key value] or [:append key element]";
    short_operation: "{:type :ok, :value [[:r 1]]}"
        => "t:1: found operation `[:r 1]`, expected [:r key seen], [:w key value] or [:append key element]";
    long_operation: r#"{"type":"ok","value":[["r",1,2,3]]}"#
        => r#"t:1: found operation `["r",1,2,3]`, expected ["r",key,seen], ["w",key,value] or ["append",key,element]"#;
    unknown_operation: "{:type :ok, :value [[:inc 1 2]]}"
        => "t:1: found operation `[:inc 1 2]`, expected [:r key seen], [:w key value] or [:append key element]";
    no_operation: "{:type :ok, :value [:r 1 2]}"
        => "t:1: found operation `:r`, expected [:r key seen], [:w key value] or [:append key element]";
    nothing_written: "{:type :ok, :value [[:w 1 nil]]}"
        => "t:1: found `nil` as a value, expected an integer of 64 bits, a keyword or a string";
    list_appended: "{:type :ok, :value [[:append 1 [2]]]}"
        => "t:1: found `[2]` as an element, expected an integer of 64 bits, a keyword or a string";
    map_as_key: "{:type :ok, :value [[:r {:a 1, :b [2 3]} nil]]}"
        => "t:1: found `{:a 1, :b [2 3]}` as a key, expected an integer of 64 bits, a keyword or a string";
    huge_integer: "{:type :ok, :value [[:w 1 18446744073709551616]]}"
        => "t:1: found `18446744073709551616` as a value, expected an integer of 64 bits, a keyword or a string";
    keyword_and_text: "{:type :ok, :value [[:w :x 1] [:w \"x\" 2]]}"
        => "t:1: found `x` both as a keyword and as a string, expected one of them, because both are read the same way";
    bank: "{:type :invoke, :f :transfer, :process 1, :value {:from 1, :to 2, :amount 3}}"
        => "t:1: found :f `:transfer`, expected transactions of [:r key seen], [:w key value] or [:append key element] (other workloads are not read)";
    bank_read: r#"[{"type":"invoke","f":"read","process":1,"value":null}]"#
        => r#"t:1: found "f" `"read"`, expected transactions of ["r",key,seen], ["w",key,value] or ["append",key,element] (other workloads are not read)"#;
    set: "{:type :ok, :f :read, :process 1, :value []}"
        => "t:1: found :f `:read`, expected transactions of [:r key seen], [:w key value] or [:append key element] (other workloads are not read)";
    compare_and_set: "{:type :invoke, :f :cas, :process 1, :value [1 2]}"
        => "t:1: found :f `:cas`, expected transactions of [:r key seen], [:w key value] or [:append key element] (other workloads are not read)";
    only_faults: "[{:type :info, :process :nemesis, :f :kill}]"
        => "t:2: found a file without transactions, expected a transaction";
    nothing: "[]"
        => "t:2: found a file without transactions, expected a transaction";
}

#[test]
fn deep_nesting_is_refused() {
    for (bracket, column) in [("[", 78), ("#a ", 205), ("#_", 142), ("{:k ", 267)] {
        let text = format!("{{:type :ok :k {}", bracket.repeat(100_000));
        let message = edn(&[&text]);
        let expected = format!(
            "t:1: found brackets within brackets at column {column}, expected at most 64 of them"
        );
        assert_eq!(message, expected, "{bracket}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for (text, message) in [
        (
            &b"{:type :ok :value [[:w \"a\xff\" 1]]}"[..],
            "byte 0xff after column 24, expected UTF-8 text",
        ),
        (b"{:type :ok :value [[:w \xc3 1]]}", "byte 0xc3 after column 24, expected UTF-8 text"),
        (b"\xef\xbb{:type :ok}", "byte 0xef at column 1, expected a map or a vector of maps"),
    ] {
        let error = parse(text, Some(Format::Elle)).expect_err("no UTF-8");
        assert_eq!(error.to_string(), format!("t:1: found {message}"));
    }
}

/// The same history as lines and as a vector, in both languages.
fn samples() -> Vec<String> {
    let entries: Vec<&str> = REGISTERS.trim_matches(['[', ']', '\n']).split(",\n").collect();
    let vector = format!("[{}]", APPENDS.lines().skip(1).collect::<Vec<_>>().join("\n"));
    vec![APPENDS.into(), vector, REGISTERS.into(), entries.join("\n") + "\n"]
}

#[test]
fn a_cut_leaves_whole_entries_or_an_error() {
    for text in samples() {
        let in_vector = text.starts_with('[');
        for cut in 0..text.len() {
            let first_entry = text[..cut].lines().filter(|line| !line.starts_with(';')).count() < 2;
            let Ok(history) = parse(&text.as_bytes()[..cut], None) else {
                assert!(in_vector || first_entry, "cut at {cut}: {text}");
                continue;
            };
            // With a line break behind it, half an entry is an error.
            let whole = match parse(format!("{}\n", &text[..cut]), None) {
                Ok(_) => cut,
                Err(_) => text[..cut].rfind('\n').expect("a first line") + 1,
            };
            assert!(!in_vector || whole == cut, "cut at {cut}: {text}");
            let warned = history.warnings.iter().any(|warning| warning.contains("is cut off"));
            assert_eq!(warned, whole < cut, "cut at {cut}: {text}");
            assert_eq!(told(&history), told(&read(&text[..whole])), "cut at {cut}: {text}");
        }
    }
}

#[test]
fn the_last_line_may_be_cut_off() {
    let history = read("{:type :ok :value [[:w 1 1]]}\n#jepsen.history.Op{:type :ok :value [[:w 1");
    assert_eq!(history.warnings, ["line 2 is cut off and was ignored"]);
    assert_eq!(history.txns.len(), 1);
}
