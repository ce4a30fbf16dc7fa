//! Every way to get a trace wrong, with the exact words the user reads.

use crate::common;

use common::parse;
use tristan_formats::Format;

const HEADER: &str = r#"{"tristan":"trace/1"}"#;

/// Reads lines after a header; the header is line 1.
fn native(lines: &[&str]) -> String {
    let text = format!("{HEADER}\n{}\n", lines.join("\n"));
    error(&text, None)
}

fn simple(lines: &[&str]) -> String {
    error(format!("{}\n", lines.join("\n")), Some(Format::Simple))
}

fn error(text: impl AsRef<[u8]>, format: Option<Format>) -> String {
    match parse(text, format) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// One case: what goes in, what comes out.
macro_rules! complains {
    ($($name:ident: $reader:ident($($line:expr),* $(,)?) => $message:expr;)*) => {
        $(#[test] fn $name() { assert_eq!($reader(&[$($line),*]), $message); })*
    };
}

complains! {
    unknown_operation: native(r#"{"s":1,"t":1,"op":"gte","k":"x","v":1}"#)
        => r#"t:2: found operation "gte" in "op", expected "get", or another of begin commit abort get put delete scan iter append list rmw savepoint rollback"#;
    foreign_operation: native(r#"{"s":1,"t":1,"op":"cancel"}"#)
        => r#"t:2: found operation "cancel" in "op", expected "abort", or another of begin commit abort get put delete scan iter append list rmw savepoint rollback"#;
    misspelt_field: native(r#"{"s":1,"t":1,"op":"get","key":"x","v":1}"#)
        => r#"t:2: found field "key", expected "k" (data of your own goes into "ctx")"#;
    field_from_nowhere: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"colour":"red"}"#)
        => r#"t:2: found field "colour", expected a field of a trace line (data of your own goes into "ctx")"#;
    field_of_another_operation: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"rows":1}"#)
        => r#"t:2: found "rows" on get, expected get without it"#;
    result_on_a_call: native(r#"{"call":1,"s":1,"t":1,"op":"get","k":"x","v":1}"#)
        => r#"t:2: found "v" on get call, expected get call without it"#;
    field_twice: native(r#"{"s":1,"s":2,"t":1,"op":"commit"}"#)
        => r#"t:2: found a second "s", expected one"#;
    missing_key: native(r#"{"s":1,"t":1,"op":"get","v":1}"#)
        => r#"t:2: found get without "k", expected "k" (the key)"#;
    missing_session: native(r#"{"call":1,"t":1,"op":"commit"}"#)
        => r#"t:2: found commit call without "s", expected "s" (the session)"#;
    missing_result: native(r#"{"call":1,"s":1,"t":1,"op":"get","k":"x"}"#, r#"{"return":1}"#)
        => r#"t:3: found get return without "v", expected "v" (the value)"#;
    missing_operation: native(r#"{"call":1,"s":1,"t":1}"#)
        => r#"t:2: found a call without "op", expected "op" (the operation)"#;
    result_next_to_an_error: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"error":"lost"}"#)
        => r#"t:2: found "v" on get, expected get without it"#;
    floating_point_key: native(r#"{"s":1,"t":1,"op":"put","k":1.5,"v":1}"#)
        => r#"t:2: found floating point `1.5` in "k", expected an integer, a string or {"hex":"…"}"#;
    wrong_hexadecimal_value: native(r#"{"s":1,"t":1,"op":"put","k":"x","v":{"hex":"0g"}}"#)
        => r#"t:2: found {"hex":"0g"} in "v", expected pairs of hexadecimal digits"#;
    null_element: native(r#"{"s":1,"t":1,"op":"list","k":"x","v":[1,null]}"#)
        => r#"t:2: found null in "v", expected a value"#;
    null_as_key: native(r#"{"s":1,"t":1,"op":"put","k":null,"v":1}"#)
        => r#"t:2: found null in "k", expected an integer, a string or {"hex":"…"}"#;
    null_written: native(r#"{"s":1,"t":1,"op":"put","k":"x","v":null}"#)
        => r#"t:2: found null in "v", expected a value"#;
    datum_from_list: native(r#"{"s":1,"t":1,"op":"list","k":"x","v":1}"#)
        => r#"t:2: found 1 in "v", expected a list of elements or null"#;
    text_as_call_id: native(r#"{"call":"a","s":1,"t":1,"op":"commit"}"#)
        => r#"t:2: found string "a" in "call", expected a whole number"#;
    negative_call_id: native(r#"{"call":-1,"s":1,"t":1,"op":"commit"}"#)
        => r#"t:2: found integer `-1` in "call", expected a whole number"#;
    text_as_flag: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"lock":"yes"}"#)
        => r#"t:2: found string "yes" in "lock", expected a boolean"#;
    too_many_rows: native(r#"{"s":1,"t":1,"op":"delete","k":"x","rows":5000000000}"#)
        => "t:2: found 5000000000 rows, expected a number of rows below 2^32";
    time_as_text: native(r#"{"s":1,"t":1,"op":"commit","at":"noon"}"#)
        => r#"t:2: found string "noon" in "at", expected a time in nanoseconds or a pair [call, return]"#;
    pair_on_a_call: native(r#"{"call":1,"s":1,"t":1,"op":"commit","at":[1,2]}"#)
        => r#"t:2: found a pair of times in "at", expected one time in nanoseconds"#;
    three_times: native(r#"{"s":1,"t":1,"op":"commit","at":[1,2,3]}"#)
        => r#"t:2: found 3 elements in "at", expected a time in nanoseconds or a pair [call, return]"#;
    item_of_three: native(r#"{"s":1,"t":1,"op":"scan","items":[["x",1,2]]}"#)
        => r#"t:2: found 3 elements in "items", expected a pair [key, value]"#;
    time_running_backwards: native(r#"{"s":1,"t":1,"op":"commit","at":[9,5]}"#)
        => "t:2: found return time 5, expected one not before the call at 9";
    time_running_backwards_over_lines: native(
        r#"{"call":1,"s":1,"t":1,"op":"commit","at":9}"#, r#"{"return":1,"at":5}"#)
        => "t:3: found return time 5, expected one not before the call at 9";
    end_before_begin: native(r#"{"s":1,"t":1,"op":"begin","at":[10,11]}"#, r#"{"s":1,"t":1,"op":"commit","at":[4,20]}"#)
        => "t:3: found end time 4, expected one not before the begin at 10";
    over_before_begin: native(r#"{"s":1,"t":1,"op":"begin","at":[10,11]}"#, r#"{"s":1,"t":1,"op":"abort","at":[null,5]}"#)
        => "t:3: found end time 5, expected one not before the begin at 10";
    return_without_call: native(r#"{"return":7,"v":1}"#)
        => "t:2: found return of call 7, expected the call on a line before";
    two_returns: native(r#"{"call":7,"s":1,"t":1,"op":"commit"}"#, r#"{"return":7}"#, r#"{"return":7}"#)
        => "t:4: found a second return of call 7, expected only the one on line 3";
    call_id_reused: native(r#"{"call":7,"s":1,"t":1,"op":"commit"}"#, r#"{"return":7}"#,
        r#"{"call":7,"s":1,"t":2,"op":"commit"}"#)
        => "t:4: found call 7 again, expected an unused id";
    call_and_return: native(r#"{"call":7,"return":7,"s":1,"t":1,"op":"commit"}"#)
        => r#"t:2: found "call" and "return" on one line, expected a line for each, or neither for the compact form"#;
    life_after_commit: native(r#"{"s":1,"t":1,"op":"commit"}"#, r#"{"s":1,"t":1,"op":"put","k":"x","v":1}"#)
        => "t:3: found transaction 1 after its commit on line 2, expected a transaction that has not ended";
    life_after_abort: native(r#"{"s":1,"t":1,"op":"abort"}"#, r#"{"s":1,"t":1,"op":"commit"}"#)
        => "t:3: found transaction 1 after its abort on line 2, expected a transaction that has not ended";
    life_after_a_failed_begin: native(r#"{"s":1,"t":1,"op":"begin","error":"no"}"#, r#"{"s":1,"t":1,"op":"commit"}"#)
        => "t:3: found transaction 1 after its failed begin on line 2, expected a transaction that has not ended";
    one_transaction_two_sessions: native(r#"{"s":"a","t":1,"op":"begin"}"#, r#"{"s":"b","t":1,"op":"commit"}"#)
        => "t:3: found transaction 1 in session b, expected session a, where it began on line 2";
    one_session_two_transactions: native(r#"{"s":"a","t":1,"op":"begin"}"#, r#"{"s":"a","t":2,"op":"begin"}"#)
        => "t:3: found transaction 2 in session a, expected commit or abort of transaction 1 first, open since line 2";
    second_begin: native(r#"{"s":"a","t":1,"op":"begin"}"#, r#"{"s":"a","t":1,"op":"begin"}"#)
        => "t:3: found begin of transaction 1, expected it earlier: the transaction is open since line 2";
    aborted_without_error: native(r#"{"s":1,"t":1,"op":"commit","aborted":true}"#)
        => r#"t:2: found "aborted" without "error", expected the error as well"#;
    aborted_get: native(r#"{"s":1,"t":1,"op":"get","k":"x","error":"e","aborted":true}"#)
        => r#"t:2: found "aborted" on get, expected get without it"#;
    none_of_the_kinds: native(r#"{"s":1,"t":1}"#)
        => r#"t:2: found `{"s":1,"t":1}`, expected "call", "return", "op", "note" or "hint""#;
    not_an_object: native("[1,2]")
        => "t:2: found sequence, expected a JSON object";
    not_json: native("r(1,2,3,4)")
        => "t:2: found `r(1,2,3,4)`, expected JSON (expected value at column 1)";
    two_objects: native(r#"{"note":"a"} {"note":"b"}"#)
        => r#"t:2: found `{"note":"a"} {"note":"b"}`, expected JSON (trailing characters at column 14)"#;
    rollback_without_a_savepoint: native(r#"{"s":1,"t":1,"op":"rollback"}"#)
        => r#"t:2: found rollback without "name", expected "name" (the savepoint; "abort" undoes everything)"#;
    rollback_to_nowhere: native(r#"{"s":1,"t":1,"op":"savepoint","name":"a"}"#, r#"{"s":1,"t":1,"op":"rollback","name":"b"}"#)
        => "t:3: found rollback to savepoint b, expected a savepoint of this name in transaction T1 before";
    rollback_to_a_failed_savepoint: native(r#"{"s":1,"t":"A","op":"savepoint","name":1,"error":"no"}"#, r#"{"s":1,"t":"A","op":"rollback","name":1}"#)
        => "t:3: found rollback to savepoint 1, expected a savepoint of this name in transaction A before";
    rollback_to_the_savepoint_of_another: native(r#"{"s":1,"t":1,"op":"savepoint","name":1}"#, r#"{"s":2,"t":2,"op":"rollback","name":1}"#)
        => "t:3: found rollback to savepoint 1, expected a savepoint of this name in transaction T2 before";
    rollback_too_far: native(
        r#"{"s":1,"t":1,"op":"savepoint","name":"a"}"#, r#"{"s":1,"t":1,"op":"savepoint","name":"b"}"#,
        r#"{"s":1,"t":1,"op":"rollback","name":"a"}"#, r#"{"s":1,"t":1,"op":"rollback","name":"b"}"#)
        => "t:5: found rollback to savepoint b, set on line 3 and undone on line 4, expected a savepoint that is still there";
    condition_of_another_kind: native(r#"{"s":1,"t":1,"op":"put","k":"x","v":1,"if":"here","rows":1}"#)
        => r#"t:2: found "here" in "if", expected "present" or "absent""#;
    condition_without_rows: native(r#"{"s":1,"t":1,"op":"put","k":"x","v":1,"if":"present"}"#)
        => r#"t:2: found put without "rows", expected "rows" (how many rows were affected)"#;
    condition_without_rows_in_the_return: native(r#"{"call":1,"s":1,"t":1,"op":"put","k":"x","v":1,"if":"absent"}"#, r#"{"return":1}"#)
        => r#"t:3: found put return without "rows", expected "rows" (how many rows were affected)"#;
    rows_without_condition: native(r#"{"s":1,"t":1,"op":"put","k":"x","v":1,"rows":1}"#)
        => r#"t:2: found "rows" on put, expected put without it"#;
    condition_on_a_get: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"if":"absent"}"#)
        => r#"t:2: found "if" on get, expected get without it"#;
    odd_hexadecimal_digits: native(r#"{"s":1,"t":1,"op":"put","k":{"hex":"0ff"},"v":1}"#)
        => r#"t:2: found string "0ff" in "k", expected pairs of hexadecimal digits"#;
    source_from_nowhere: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"from":"B"}"#)
        => r#"t:2: found transaction B in "from", expected a transaction of this trace"#;
    sources_of_a_get: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"from":["B"]}"#)
        => r#"t:2: found a list in "from", expected one transaction, or null"#;
    source_of_a_scan: native(r#"{"s":1,"t":1,"op":"scan","items":[["x",1]],"from":1}"#)
        => r#"t:2: found no list in "from", expected a list with a transaction per item"#;
    too_few_sources: native(r#"{"s":1,"t":1,"op":"scan","items":[["x",1],["y",2]],"from":[1]}"#)
        => r#"t:2: found 1 transactions in "from", expected one for each of the 2 items"#;
    source_of_an_error: native(r#"{"s":1,"t":1,"op":"get","k":"x","error":"no","from":1}"#)
        => r#"t:2: found "from" on get, expected get without it"#;
    source_of_something_unseen: native(r#"{"s":1,"t":1,"op":"get","k":"x","unseen":true,"from":1}"#)
        => r#"t:2: found "from" on get, expected get without it"#;
    dead_and_alive: native(r#"{"s":1,"t":1,"op":"get","k":"x","v":1,"dead":7}"#)
        => r#"t:2: found "dead" on a read that found a value, expected it on one that found none"#;
    dead_without_a_delete: native(r#"{"s":1,"t":1,"op":"delete","k":"y","v":7}"#, r#"{"s":1,"t":1,"op":"get","k":"x","v":null,"dead":7}"#)
        => r#"t:3: found tombstone 7 of key x in "dead", expected one that a delete of this key wrote"#;
    dead_in_a_scan_without_a_list: native(r#"{"s":1,"t":1,"op":"scan","items":[],"dead":7}"#)
        => r#"t:2: found no list in "dead", expected a list of pairs [key, id]"#;
    tombstone_twice: native(r#"{"s":1,"t":1,"op":"delete","k":"x","v":7}"#, r#"{"s":2,"t":2,"op":"delete","k":"x","v":7}"#)
        => "t:3: found tombstone 7 of this key again, expected an id other than the one on line 2";
    null_as_tombstone: native(r#"{"s":1,"t":1,"op":"delete","k":"x","v":null}"#)
        => r#"t:2: found no single id in "v", expected the id of the tombstone"#;
    stamp_as_text: native(r#"{"s":1,"t":1,"op":"begin","stamp":"noon"}"#)
        => r#"t:2: found string "noon" in "stamp", expected a logical time, an integer"#;
    stamp_on_a_put: native(r#"{"s":1,"t":1,"op":"put","k":"x","v":1,"stamp":1}"#)
        => r#"t:2: found "stamp" on put, expected put without it"#;
    another_hint: native(r#"{"hint":"colour","k":"x","txns":[]}"#)
        => r#"t:2: found "colour" in "hint", expected "order""#;
    hint_without_transactions: native(r#"{"hint":"order","k":"x"}"#)
        => r#"t:2: found hint without "txns", expected "txns" (the transactions in order)"#;
    order_of_strangers: native(r#"{"s":1,"t":1,"op":"commit"}"#, r#"{"hint":"order","k":"x","txns":[1,2]}"#)
        => r#"t:3: found transaction 2 in "txns", expected a transaction of this trace"#;
    second_header: native(HEADER)
        => "t:2: found a header, expected it on the first line only";
    simple_operation_too_short: simple(r#"{"s":1,"st":"c","ops":[["r","x"]]}"#)
        => "t:1: found an operation that ends too early, expected the value read or null";
    simple_operation_too_long: simple(r#"{"s":1,"st":"c","ops":[["r","x",1,"u"]]}"#)
        => "t:1: found an operation with extra elements, expected its end";
    simple_unknown_operation: simple(r#"{"s":1,"st":"c","ops":[["x","x",1]]}"#)
        => "t:1: found unknown variant `x`, expected one of `r`, `w`, `u`, `i`, `d`, `s`, `sr`, `it`, `itr`, `a`, `l`, `rw`, `sp`, `rb`";
    simple_unknown_status: simple(r#"{"s":1,"st":"x","ops":[]}"#)
        => "t:1: found unknown variant `x`, expected one of `c`, `a`, `u`";
    simple_without_status: simple(r#"{"s":1,"ops":[]}"#)
        => "t:1: found a line without `st`, expected `st` on every line";
    simple_unknown_field: simple(r#"{"s":1,"st":"c","ops":[],"x":1}"#)
        => "t:1: found unknown field `x`, expected one of `s`, `i`, `id`, `t0`, `t1`, `st`, `ops`, `err`";
    simple_id_twice: simple(r#"{"id":5,"s":1,"st":"c","ops":[]}"#, r#"{"id":5,"s":1,"st":"c","ops":[]}"#)
        => "t:2: found transaction 5 again, expected only the one on line 1";
    simple_place_twice: simple(r#"{"s":1,"i":0,"st":"c","ops":[]}"#, r#"{"s":1,"i":0,"st":"c","ops":[]}"#)
        => r#"t:2: found a second transaction at this "i" in session 1, expected only the one on line 1"#;
    simple_place_missing: simple(r#"{"s":1,"i":0,"st":"c","ops":[]}"#, r#"{"s":1,"st":"c","ops":[]}"#)
        => r#"t:2: found a transaction of session 1 without "i", expected "i" on all of them or on none"#;
    simple_time_backwards: simple(r#"{"s":1,"t0":5,"t1":4,"st":"c","ops":[]}"#)
        => r#"t:1: found "t1" 4, expected a time not before "t0" 5"#;
    simple_initial_later: simple(r#"{"s":1,"st":"c","ops":[]}"#, r#"{"initial":0}"#)
        => "t:2: found unknown field `initial`, expected one of `s`, `i`, `id`, `t0`, `t1`, `st`, `ops`, `err`";
    simple_condition_without_rows: simple(r#"{"s":1,"st":"c","ops":[["u","x",1]]}"#)
        => "t:1: found an operation that ends too early, expected the number of rows";
    simple_rollback_to_nowhere: simple(r#"{"s":1,"st":"c","ops":[]}"#, r#"{"s":1,"id":"B","st":"c","ops":[["rb","a"]]}"#)
        => "t:2: found rollback to savepoint a, expected a savepoint of this name in transaction B before";
    simple_own_writes: simple(r#"{"own":"never"}"#)
        => r#"t:1: found "never" in "own", expected "must", "external" or "may""#;
    simple_header_field: simple(r#"{"initial":0,"colour":"red"}"#)
        => "t:1: found unknown field `colour`, expected one of `initial`, `own`, `order`, `times`";
    simple_initial_twice: simple(r#"{"initial":{"x":1,"x":2}}"#)
        => r#"t:1: found initial key "x" twice, expected it once"#;
}

#[test]
fn header_mistakes() {
    let cases = [
        (r#"{"tristan":"trace/2"}"#, r#"t:1: found version "trace/2", expected "trace/1""#),
        (r#"{"tristan":1}"#, r#"t:1: found integer `1` in "tristan", expected a string"#),
        (
            r#"{"tristan":"trace/1","initial":"full"}"#,
            r#"t:1: found string "full" in "initial", expected "empty", "unknown", {"every":value} or {"keys":[[key,value],…]}"#,
        ),
        (
            r#"{"tristan":"trace/1","initial":{"keys":[["x",1],["x",2]]}}"#,
            r#"t:1: found key x twice in "initial", expected it once"#,
        ),
        (
            r#"{"tristan":"trace/1","open":"maybe"}"#,
            r#"t:1: found "maybe" in "open", expected "unknown" or "aborted""#,
        ),
        (
            r#"{"tristan":"trace/1","own":"maybe"}"#,
            r#"t:1: found "maybe" in "own", expected "must", "external" or "may""#,
        ),
        (
            r#"{"tristan":"trace/1","order":"german"}"#,
            r#"t:1: found "german" in "order", expected "bytes" or "ignore-case""#,
        ),
        (
            r#"{"tristan":"trace/1","databse":"x"}"#,
            r#"t:1: found field "databse", expected "database" (data of your own goes into "ctx")"#,
        ),
        (
            r#"{"tristan":"trace/1","op":"get"}"#,
            r#"t:1: found "op" on header, expected header without it"#,
        ),
    ];
    for (line, message) in cases {
        assert_eq!(error(format!("{line}\n"), None), message, "{line}");
    }
}

#[test]
fn nothing_to_read() {
    for format in [None, Some(Format::Native), Some(Format::Simple)] {
        assert_eq!(error("", format), "t:1: found an empty file, expected a trace");
        assert!(error(" \n\n", format).ends_with("found an empty file, expected a trace"));
    }
    assert_eq!(
        error("{\"note\":\"x\"}\n", Some(Format::Native)),
        "t:2: found a file without transactions, expected a header or a transaction"
    );
}

#[test]
fn a_log_of_sql_statements() {
    let log = "{\"tristan\": \"sql-log/1\", \"dialect\": \"postgresql\"}\n{\"schema\": \"\"}\n";
    for format in [None, Some(Format::Native)] {
        assert_eq!(
            error(log, format),
            "t:1: found a SQL log, expected a trace; run `tristan audit` for SQL logs"
        );
    }
}

#[test]
fn a_format_nobody_recognises() {
    assert_eq!(
        error("read 1 2 3 4\n", None),
        "t:1: found `read 1 2 3 4`, expected a header {\"tristan\":\"trace/1\"} or a format by name"
    );
}

#[test]
fn binary_garbage() {
    let mut bytes = format!("{HEADER}\n").into_bytes();
    bytes.extend([b'a', 0xff, 0xfe, b'\n']);
    assert_eq!(error(bytes, None), "t:2: found byte 0xff at column 2, expected UTF-8 text");
    assert_eq!(
        error([0xff, 0x00], Some(Format::Native)),
        "t:1: found byte 0xff at column 1, expected UTF-8 text"
    );
}

#[test]
fn a_line_without_end() {
    use std::io::{BufReader, Read};
    let endless = BufReader::new(HEADER.as_bytes().chain(&b"\n"[..]).chain(std::io::repeat(b'x')));
    let error = tristan_formats::read(endless, "t", None).expect_err("too long");
    assert_eq!(
        error.to_string(),
        "t:2: found a line longer than 64 MiB, expected one event per line"
    );
    assert_eq!(error.line(), Some(2));
}

#[test]
fn an_input_that_breaks() {
    use std::io::{BufReader, Read, Result};
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            Err(std::io::Error::other("disk on fire"))
        }
    }
    let error = tristan_formats::read(BufReader::new(Broken), "t", None).expect_err("io");
    assert_eq!(error.to_string(), "t: disk on fire");
    assert_eq!(error.line(), None);
}

#[test]
fn long_names_are_folded() {
    let name = "n".repeat(1000);
    let line = format!(r#"{{"s":1,"t":"{name}","op":"begin"}}"#);
    let message = native(&[&line, &line]);
    assert!(message.len() < 200, "{message}");
}
