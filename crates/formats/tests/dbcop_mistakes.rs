//! What can be wrong in dbcop's JSON, YAML and text, with the exact words the user reads.

use crate::common;

use common::parse;
use tristan_formats::Format;

fn error(text: impl AsRef<[u8]>) -> String {
    match parse(text, Some(Format::Dbcop)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_wrong_in_json_has_a_line() {
    let cases = [
        ("{\"data\":7}", "t:1: found integer `7`, expected an array of sessions"),
        ("{}", "t:1: found an object without \"data\", expected \"data\" (the sessions)"),
        (
            "{\"dada\":[]}",
            "t:1: found field \"dada\", expected \"params\", \"info\", \"start\", \"end\" or \"data\"",
        ),
        ("{\"data\":[],\"data\":[]}", "t:1: found \"data\" twice, expected it once"),
        ("[]", "t:1: found a file without transactions, expected a transaction"),
        (
            "[\n[\n{\"committed\":true}]]",
            "t:3: found a transaction without \"events\", expected \"events\" (what it did)",
        ),
        (
            "[[{\"events\":[]}]]",
            "t:1: found a transaction without \"committed\", expected \"committed\" (whether it committed)",
        ),
        ("[[{\"events\":[],\"committed\":1}]]", "t:1: found integer `1`, expected a boolean"),
        ("[[{\"events\":[],\"events\":[]}]]", "t:1: found \"events\" twice, expected it once"),
        (
            "[[{\"committed\":true,\"committed\":true}]]",
            "t:1: found \"committed\" twice, expected it once",
        ),
        (
            "[[{\"success\":true}]]",
            "t:1: found field \"success\", expected \"events\" or \"committed\"",
        ),
        (
            "[[{\"events\":[{\"Put\":{}}]}]]",
            "t:1: found field \"Put\", expected \"Read\" or \"Write\"",
        ),
        ("[[{\"events\":[{}]}]]", "t:1: found an empty event, expected \"Read\" or \"Write\""),
        (
            "[[{\"events\":[{\"Read\":{\"variable\":1},\"Write\":1}]}]]",
            "t:1: found field \"Write\", expected the end of the event",
        ),
        (
            "[[{\"events\":[{\"Write\":{\"variable\":1,\"version\":null}}]}]]",
            "t:1: found a write of null, expected the version that was written",
        ),
        (
            "[[{\"events\":[[\"w\",1,null]]}]]",
            "t:1: found a write of null, expected the version that was written",
        ),
        (
            "[[{\"events\":[[\"w\",1]]}]]",
            "t:1: found 2 elements, expected an event like {\"Read\":{\"variable\":0,\"version\":1}} or [\"r\",0,1]",
        ),
        (
            "[[{\"events\":[[\"r\",1,1,1]]}]]",
            "t:1: found 4 elements, expected an event like {\"Read\":{\"variable\":0,\"version\":1}} or [\"r\",0,1]",
        ),
        ("[[{\"events\":[[\"x\",1,1]]}]]", "t:1: found unknown variant `x`, expected `r` or `w`"),
        (
            "[[{\"events\":[[\"r\",1.5,1]]}]]",
            "t:1: found floating point `1.5`, expected an integer, a string or {\"hex\":\"…\"}",
        ),
        ("[[{\"events\":[\n", "t:2: found the end of the file, expected the rest of the JSON text"),
        (
            "[[{\"events\":[}",
            "t:1: found something other than JSON, expected JSON (expected value at column 14)",
        ),
        (
            "[[]]\n]",
            "t:2: found something other than JSON, expected JSON (trailing characters at column 1)",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
}

/// A history in YAML with one event.
fn yaml_event(fields: &str) -> String {
    format!("- - events:\n    - {fields}\n    success: true\n")
}

#[test]
fn what_is_wrong_in_a_history_in_yaml_has_a_line() {
    let event = yaml_event;
    let cases = [
        ("- 5\n".to_owned(), "t:1: found `5`, expected a list of transactions"),
        ("- - 5\n".to_owned(), "t:1: found `5`, expected a transaction with `events`, `success`"),
        ("-\n-\n".to_owned(), "t:1: found nothing, expected a list of transactions"),
        (
            "- - success: true\n".to_owned(),
            "t:1: found a transaction without `events`, expected all its fields",
        ),
        (
            "- - events: []\n".to_owned(),
            "t:1: found a transaction without `success`, expected all its fields",
        ),
        (
            "- - events: 7\n    success: true\n".to_owned(),
            "t:1: found `7`, expected a list of events",
        ),
        (
            "- - events: []\n    success: yes\n".to_owned(),
            "t:2: found `yes` in `success`, expected true or false",
        ),
        (
            "- - events: []\n    success:\n".to_owned(),
            "t:2: found nothing in `success`, expected true or false",
        ),
        (
            "- - events: []\n    events: []\n".to_owned(),
            "t:2: found `events` twice, expected it once",
        ),
        (event("write: true"), "t:2: found an event without `variable`, expected all its fields"),
        (
            event("{write: true, colour: red}"),
            "t:2: found field `colour`, expected `write`, `variable`, `value`, `success`",
        ),
        (
            event("{write: true, variable: x, value: 1, success: true}"),
            "t:2: found `x` in `variable`, expected a whole number",
        ),
        (
            event("{write: true, variable: 0, value: -1, success: true}"),
            "t:2: found `-1` in `value`, expected a whole number",
        ),
        (
            event("{write: true, variable: 0, value: [1], success: true}"),
            "t:2: found a list in `value`, expected a whole number",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(&text), message, "{text}");
    }
}

#[test]
fn what_is_wrong_in_the_syntax_of_yaml_has_a_line() {
    let event = yaml_event;
    let good = "{write: true, variable: 0, value: 1, success: true}";
    let cases = [
        (
            event(&format!("{good} {good}")),
            "t:2: found `{write: true, variable: 0, value: 1, success: true}`, expected the end of the line",
        ),
        (event("{write true}"), "t:2: found `true`, expected a colon"),
        (event("{write: , variable: 0}"), "t:2: found `,`, expected a value"),
        (event("{write: true variable: 0}"), "t:2: found `variable`, expected a comma or }"),
        (event("{write: true"), "t:3: found the end of the file, expected ] or }"),
        (
            "- - events: []\n    success: true\n   oops: 1\n".to_owned(),
            "t:3: found `oops: 1`, expected something indented like the line above",
        ),
        (
            "- - events: []\n    success: true\nend: 1\n".to_owned(),
            "t:3: found `end: 1`, expected the end of the document",
        ),
        (
            "- - events:\n\t  - write: true\n".to_owned(),
            "t:2: found a tab at the beginning of a line, expected spaces",
        ),
        (
            format!("{}5\n", "- ".repeat(40)),
            "t:1: found `- - - - - - - - - - - - - - - - - - - - - - - 5`, expected less nesting",
        ),
        (
            format!("- {}5{}\n", "[".repeat(40), "]".repeat(40)),
            "t:1: found one more bracket, expected less nesting",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(&text), message, "{text}");
    }
}

#[test]
fn what_is_wrong_in_text_has_a_line() {
    let event = "expected an event like x:=1, x==1 or x==?";
    let cases = [
        ("[x:=1]\nx:=1\n", "t:2: found `x:=1`, expected a transaction like [x:=1 y==2]".to_owned()),
        ("[x:=1\n", "t:1: found `[x:=1`, expected ] at its end".to_owned()),
        ("[x:=1] y\n", "t:1: found `y`, expected a transaction like [x:=1 y==2]".to_owned()),
        ("[x=1]\n", format!("t:1: found `x=1`, {event}")),
        ("[x:=?]\n", format!("t:1: found `x:=?`, {event}")),
        ("[x:=-1]\n", format!("t:1: found `x:=-1`, {event}")),
        ("[:=1]\n", format!("t:1: found `:=1`, {event}")),
        ("[x==]\n", format!("t:1: found `x==`, {event}")),
        (
            "once upon a time\n",
            "t:1: found `once upon a time`, expected a transaction like [x:=1 y==2]".to_owned(),
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
    assert_eq!(
        error("// nothing\n---\n"),
        "t:1: found a file without transactions, expected a transaction"
    );
}
