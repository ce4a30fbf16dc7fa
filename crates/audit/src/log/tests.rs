use super::{Item, LogReader, TextSource};
use crate::error::Error;
use crate::model::{Control, Observed, Outcome, Txn};

fn read(text: &str) -> Result<(Vec<Txn>, Vec<String>), Error> {
    let mut reader = LogReader::open(&TextSource::new("log", text.as_bytes()))?;
    let mut txns = Vec::new();
    while let Some(item) = reader.next_item()? {
        if let Item::Txn(txn) = item {
            txns.push(*txn);
        }
    }
    Ok((txns, reader.warnings().to_vec()))
}

const PROXY: &str = r#"{"tristan":"sql-log/1","dialect":"postgresql","wall":1}
{"open":1,"client":"x","server":"15.18","at":1}
{"call":1,"c":1,"txn":1,"sql":"begin","at":10,"wall":1}
{"end":1,"txn":1,"tag":"BEGIN","at":11}
{"call":2,"c":2,"txn":2,"auto":true,"sql":"update t set v = 1","at":12}
{"end":2,"txn":2,"tag":"UPDATE 1","affected":1,"at":13}
{"finish":2,"c":2,"outcome":"committed","at":14}
{"call":3,"c":1,"txn":1,"sql":"select v from t where k = $1","params":[7],"at":15}
{"end":3,"txn":1,"columns":[["v","int4"]],"rows":[[1]],"tag":"SELECT 1","affected":1,"at":16}
{"call":4,"c":1,"txn":1,"sql":"commit","at":17}
{"end":4,"txn":1,"tag":"COMMIT","at":18}
{"finish":1,"c":1,"outcome":"committed","at":19}
{"stamp":99,"txn":1}
{"call":5,"c":1,"txn":3,"sql":"begin","at":20}
{"call":6,"c":2,"txn":4,"auto":true,"sql":"delete from t","at":21}
{"end":6,"#;

#[test]
fn puts_calls_and_ends_together() {
    let (txns, warnings) = read(PROXY).expect("a log");
    let numbers: Vec<u64> = txns.iter().map(|txn| txn.number).collect();
    assert_eq!(numbers, [1, 2, 4], "in the order of their begins, without the open one");
    assert_eq!((txns[0].begin, txns[0].commit, txns[0].end), (10, 17, 19));
    assert_eq!(txns[0].stamp, Some(99));
    assert!(
        matches!(&txns[0].calls[1].observed, Observed::Rows { rows, cut: 0 } if rows.len() == 1)
    );
    assert_eq!((txns[1].commit, txns[1].end), (12, 14));
    assert_eq!(txns[1].calls[0].observed, Observed::Affected(1));
    assert_eq!(txns[2].outcome, Outcome::Unknown);
    assert_eq!(warnings, ["line 16 is cut off and was ignored"]);
}

#[test]
fn a_line_may_be_written_late() {
    let late = r#"{"tristan":"sql-log/1","dialect":"postgresql","wall":1}
{"call":2,"c":2,"txn":2,"auto":true,"sql":"update t set v = 1","at":12}
{"end":2,"txn":2,"tag":"UPDATE 1","affected":1,"at":13}
{"finish":2,"c":2,"outcome":"committed","at":14}
{"call":1,"c":1,"txn":1,"auto":true,"sql":"select 1","at":10}
{"end":1,"txn":1,"columns":[["v","int4"]],"rows":[[1]],"at":15}
{"finish":1,"c":1,"outcome":"committed","at":16}
"#;
    let (txns, _) = read(late).expect("a log");
    let numbers: Vec<u64> = txns.iter().map(|txn| txn.number).collect();
    assert_eq!(numbers, [1, 2], "in the order of their begins");
}

#[test]
fn names_the_line_that_is_wrong() {
    let cases = [
        ("{\"tristan\":\"sql-log/9\"}\n", "log:1: found \"sql-log/9\", expected \"sql-log/1\""),
        (
            "{\"tristan\":\"trace/1\"}\n",
            "log:1: found a trace, expected a SQL log; run `tristan check` for traces",
        ),
        ("{\"x\":1}\n", "log:1: found an unrecognized line"),
        ("{\"call\":1}\n", "log:1: found a call without txn and c"),
        ("nonsense\n", "log:1: found text that is not JSON (column 2)"),
        ("{\"txn\":\"x\"}\n", "log:1: found a value of the wrong type (column 10: invalid type"),
        ("{\"txn\":1,\"do\":[{\"rows\":[]}]}\n", "log:1: found a step without sql"),
        ("{\"txn\":1,\"at\":[2,1],\"do\":[]}\n", "log:1: found the times [2,1]"),
        ("{\"rows\":\"t\",\"values\":[1]}\n", "log:1: found a row 1"),
    ];
    for (text, expected) in cases {
        let error = read(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn whole_transactions_without_times_ran_one_after_the_other() {
    let text =
        "{\"txn\":7,\"do\":[{\"sql\":\"select 1\",\"rows\":[[1]]}]}\n{\"txn\":8,\"do\":[]}\n";
    let (txns, _) = read(text).expect("a log");
    assert_eq!(txns.len(), 2);
    assert!(txns[0].end < txns[1].begin);
}

#[test]
fn a_log_is_over_where_the_proxy_stopped_listening() {
    let text = "\
        {\"call\":1,\"c\":1,\"txn\":1,\"auto\":true,\"sql\":\"select 1\",\"at\":1}\n\
        {\"end\":1,\"txn\":1,\"rows\":[[1]],\"at\":2}\n\
        {\"finish\":1,\"c\":1,\"outcome\":\"committed\",\"at\":3}\n\
        {\"close\":2,\"by\":\"proxy\",\"unheard\":true,\"at\":4}\n\
        {\"call\":2,\"c\":1,\"txn\":2,\"auto\":true,\"sql\":\"select 2\",\"at\":5}\n\
        {\"end\":2,\"txn\":2,\"rows\":[[2]],\"at\":6}\n";
    let (txns, warnings) = read(text).expect("a log");
    assert_eq!(txns.iter().map(|txn| txn.number).collect::<Vec<u64>>(), [1]);
    assert!(warnings.len() == 1 && warnings[0].starts_with("line 4: the proxy"), "{warnings:?}");
}

/// Lines of statements that are sent and answered on one connection, each with its transaction, its text and
/// the rest of its answer. Transactions end where the next one begins.
fn answered(statements: &[(u64, &str, &str)]) -> String {
    let mut lines = vec![r#"{"tristan":"sql-log/1","dialect":"postgresql"}"#.to_owned()];
    for (place, (txn, sql, answer)) in statements.iter().enumerate() {
        let at = 10 * place;
        lines.push(format!(
            r#"{{"call":{place},"c":1,"txn":{txn},"auto":true,"sql":"{sql}","at":{at}}}"#
        ));
        lines.push(format!(r#"{{"end":{place},"txn":{txn},{answer},"at":{}}}"#, at + 1));
        if statements.get(place + 1).is_none_or(|next| next.0 != *txn) {
            let at = at + 2;
            lines.push(format!(r#"{{"finish":{txn},"c":1,"outcome":"committed","at":{at}}}"#));
        }
    }
    lines.join("\n") + "\n"
}

fn rows_of(txn: &Txn, call: usize) -> Option<usize> {
    match &txn.calls[call].observed {
        Observed::Rows { rows, cut: 0 } => Some(rows.len()),
        _ => None,
    }
}

#[test]
fn a_query_gets_the_rows_that_are_fetched_from_its_cursor() {
    let done = r#""tag":"DECLARE CURSOR""#;
    let log = answered(&[
        (1, "DECLARE a CURSOR WITH HOLD FOR SELECT v FROM t;", done),
        (2, "UPDATE t SET v = 1", r#""affected":3"#),
        (3, "FETCH 2 FROM a", r#""rows":[[0],[0]]"#),
        (4, "FETCH 2 FROM a", r#""rows":[[0]]"#),
        (5, "FETCH 2 FROM a", r#""rows":[]"#),
        (6, "CLOSE a", r#""tag":"CLOSE CURSOR""#),
        (7, "/* inside */ DECLARE b CURSOR FOR TABLE t", done),
        (7, "UPDATE t SET v = 2", r#""affected":3"#),
        (7, "FETCH ALL FROM b", r#""rows":[[1],[1],[1]]"#),
    ]);
    let (txns, warnings) = read(&log).expect("a log");
    assert_eq!(warnings, [""; 0]);
    let numbers: Vec<u64> = txns.iter().map(|txn| txn.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7], "the first one waited, and comes first");
    assert_eq!(&*txns[0].calls[0].sql, "SELECT v FROM t");
    assert_eq!(rows_of(&txns[0], 0), Some(3));
    assert_eq!((&*txns[6].calls[0].sql, rows_of(&txns[6], 0)), ("TABLE t", Some(3)));
    let quiet = |txn: &Txn| txn.calls.iter().all(|call| call.control == Control::Other);
    assert!(txns[2..6].iter().all(quiet), "{txns:#?}");
}

#[test]
fn a_cursor_shows_the_first_rows_of_its_query_unless_it_goes_backward() {
    let done = r#""tag":"DECLARE CURSOR""#;
    let error = r#""error":{"code":"22012","message":"division by zero"}"#;
    for (query, then, answer, expected) in [
        ("TABLE t", "CLOSE a", r#""tag":"CLOSE CURSOR""#, "TABLE t LIMIT 1"),
        ("TABLE t", "FETCH 2 FROM a", r#""rows":[[0],[0]]"#, "TABLE t LIMIT 3"),
        ("TABLE t LIMIT 5", "CLOSE ALL", r#""tag":"CLOSE CURSOR""#, "DECLARE"),
        ("TABLE t", "FETCH BACKWARD 9 FROM a", r#""rows":[[0]]"#, "DECLARE"),
        ("TABLE t", "FETCH 9 FROM a", error, "DECLARE"),
        ("TABLE t", "FETCH 9 FROM a", r#""rows":[[0]],"cut":2"#, "DECLARE"),
    ] {
        let log = answered(&[
            (1, &format!("DECLARE a CURSOR WITH HOLD FOR {query}"), done),
            (2, "FETCH 1 FROM a", r#""rows":[[0]]"#),
            (3, then, answer),
        ]);
        let (txns, _) = read(&log).expect("a log");
        assert_eq!(txns.len(), 3);
        assert!(txns[0].calls[0].sql.starts_with(expected), "{query}, {then}: {:?}", txns[0]);
        assert_eq!(rows_of(&txns[0], 0).is_none(), expected == "DECLARE", "{query}, {then}");
    }
    let (txns, _) = read(&answered(&[(1, "FETCH 1 FROM a", r#""rows":[[0]]"#)])).expect("a log");
    assert_eq!(txns[0].calls[0].control, Control::Statement, "its query is not known");
}

#[test]
fn parts_of_a_result_are_not_taken_for_all_of_it() {
    let log = answered(&[
        (1, "TABLE t", r#""rows":[[1],[2]],"suspended":true"#),
        (1, "TABLE t", r#""rows":[[3]]"#),
        (1, "TABLE t", r#""rows":[[1],[2],[3]]"#),
    ]);
    let (txns, warnings) = read(&log).expect("a log");
    assert_eq!([0, 1, 2].map(|call| rows_of(&txns[0], call)), [None, None, Some(3)]);
    assert_eq!(txns[0].calls[1].control, Control::Other, "it is not carried out again");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn a_query_may_be_bound_before_it_is_called() {
    let log = r#"{"tristan":"sql-log/1","dialect":"postgresql"}
{"call":1,"c":1,"txn":1,"auto":true,"sql":"TABLE t","bound":5,"at":12}
{"end":1,"txn":1,"rows":[],"at":13}
{"finish":1,"c":1,"outcome":"committed","at":14}
"#;
    let (txns, _) = read(log).expect("a log");
    assert_eq!((txns[0].begin, txns[0].calls[0].begin, txns[0].end), (5, 5, 14));
}

#[test]
fn a_name_may_stand_for_one_cursor_after_another() {
    let done = r#""tag":"DECLARE CURSOR""#;
    let log = answered(&[
        (1, "SAVEPOINT s", r#""tag":"SAVEPOINT""#),
        (1, "DECLARE a CURSOR FOR TABLE t", done),
        (1, "FETCH 1 FROM a", r#""rows":[[1]]"#),
        (1, "ROLLBACK TO s", r#""tag":"ROLLBACK""#),
        (1, "DECLARE a CURSOR FOR TABLE u FOR UPDATE", done),
        (1, "FETCH 9 FROM a", r#""rows":[[2]]"#),
        (2, "DECLARE a CURSOR WITH HOLD FOR TABLE u", done),
        (2, "FETCH ALL FROM a", r#""rows":[[2],[3]]"#),
        (3, "DECLARE b CURSOR FOR SELECT secret(k) FROM t", done),
        (3, "FETCH ALL FROM b", r#""rows":[[4]]"#),
    ]);
    let (txns, _) = read(&log).expect("a log");
    let of = |txn: usize, call: usize| (&*txns[txn].calls[call].sql, rows_of(&txns[txn], call));
    assert_eq!(of(0, 1), ("TABLE t LIMIT 1", Some(1)));
    assert_eq!(of(0, 4), ("DECLARE a CURSOR FOR TABLE u FOR UPDATE", None));
    assert_eq!(of(1, 0), ("TABLE u", Some(2)));
    assert!(of(2, 0).0.starts_with("DECLARE"), "a function may look at rows when it is fetched");
}

#[test]
fn what_was_bound_before_own_writes_is_not_compared() {
    let log = r#"{"tristan":"sql-log/1","dialect":"postgresql"}
{"call":1,"c":1,"txn":1,"sql":"BEGIN","at":1}
{"end":1,"txn":1,"tag":"BEGIN","at":2}
{"call":2,"c":1,"txn":1,"sql":"UPDATE t SET v = 1","at":6}
{"end":2,"txn":1,"affected":1,"at":7}
{"call":3,"c":1,"txn":1,"sql":"TABLE t","bound":4,"at":8}
{"end":3,"txn":1,"rows":[[0]],"at":9}
{"call":4,"c":1,"txn":1,"sql":"COMMIT","at":10}
{"end":4,"txn":1,"tag":"COMMIT","at":11}
{"finish":1,"c":1,"outcome":"committed","at":12}
"#;
    let (txns, warnings) = read(log).expect("a log");
    assert_eq!(txns[0].calls[2].observed, Observed::Done);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}
