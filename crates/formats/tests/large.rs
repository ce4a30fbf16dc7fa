//! Large traces are parsed on several threads: nothing changes, errors included.

use crate::common;

use std::io::{BufReader, Read};

use common::{parse, print, told};
use tristan_formats::{Format, WriteForm, read};
use tristan_generate::{Shape, atomic_store, listed_by_session};
use tristan_history::{Datum, History};

/// Large enough for several threads to have several blocks each.
const TXNS: usize = 40_000;

fn history() -> History {
    let shape = Shape { txns: TXNS, keys: 200, sessions: 7, ..Shape::default() };
    listed_by_session(&atomic_store(&shape))
}

/// The lines of a trace that is easy to damage.
fn lines() -> Vec<String> {
    let text = print(&history(), WriteForm::Simple);
    assert!(text.len() > 6 << 20, "only {} bytes", text.len());
    text.lines().map(str::to_owned).collect()
}

fn complaint(lines: &[String]) -> String {
    let text = lines.join("\n") + "\n";
    let error = parse(text, Some(Format::Simple)).expect_err("a damaged trace");
    error.to_string()
}

#[test]
fn nothing_gets_lost() {
    let history = history();
    for form in [WriteForm::Simple, WriteForm::Compact] {
        let again = parse(print(&history, form), None).expect("a good trace");
        assert!(told(&again) == told(&history), "{form:?}");
    }
    let text = print(&history, WriteForm::Plume);
    let again = parse(&text, None).expect("a good trace");
    assert_eq!(again.ops.len(), history.ops.len());
    assert_eq!(print(&again, WriteForm::Plume), text);
}

#[test]
fn sessions_and_transactions_end_where_they_should() {
    let txn = "r 1 2\nw 3 4\nr 5 6\n".repeat(10);
    let session = format!("{txn}--\n").repeat(10_000);
    let text = format!("{session}==\n").repeat(5);
    let history = parse(text, Some(Format::Awdit)).expect("a good trace");
    assert_eq!((history.sessions.len(), history.txns.len()), (5, 50_000));
    assert!(history.txns.iter().all(|txn| txn.op_count == 30));
    assert_eq!(history.txns[49_999].lines, (1_549_974, 1_550_003));
}

#[test]
fn a_pipe_is_read_as_a_file() {
    /// Gives a few bytes at a time.
    struct Drops<'a>(&'a [u8]);
    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = buffer.len().min(1013);
            self.0.read(&mut buffer[..length])
        }
    }
    let history = history();
    let text = print(&history, WriteForm::Simple);
    let again = read(BufReader::new(Drops(text.as_bytes())), "t", None).expect("a good trace");
    assert!(told(&again) == told(&history));
}

#[test]
fn the_first_wrong_line_is_told() {
    let good = lines();
    let bad = ["once upon a time", r#"{"s":1,"st":"x","ops":[]}"#, r#"{"s":1,"id":7}"#];
    let twin = r#"{"s":1,"id":7,"st":"c","ops":[]}"#;
    for (place, line) in [(0, bad[0]), (9, bad[1]), (30_000, bad[2]), (TXNS - 1, bad[0])] {
        let mut lines = good.clone();
        lines[place] = line.to_owned();
        let first = complaint(&lines);
        assert!(first.starts_with(&format!("t:{}: found ", place + 1)), "{first}");
        let alone = complaint(&[good[0].clone(), line.to_owned()]);
        assert_eq!(first.split_once(": "), Some((&*format!("t:{}", place + 1), &alone[5..])));
        for later in [place + 1, place + 500, place + 8000].into_iter().filter(|at| *at < TXNS) {
            lines[later] = bad[0].to_owned();
            assert_eq!(complaint(&lines), first, "{later}");
        }
    }
    let mut lines = good;
    for place in [20_000, 35_000, 35_002] {
        lines[place] = twin.to_owned();
    }
    lines[35_001] = bad[0].to_owned();
    let expected = "t:35001: found transaction 7 again, expected only the one on line 20001";
    assert_eq!(complaint(&lines), expected);
}

#[test]
fn bytes_that_are_no_text_have_a_line() {
    let mut bytes = (lines().join("\n") + "\n").into_bytes();
    let at = bytes.len() - 3;
    bytes[at] = 0xff;
    let error = parse(&bytes, Some(Format::Simple)).expect_err("no text");
    assert!(error.to_string().starts_with(&format!("t:{TXNS}: found byte 0xff at column ")));
}

#[test]
fn half_a_line_at_the_end_is_set_aside() {
    let mut text = lines().join("\n") + "\n";
    text.push_str("{\"s\":1,\"st");
    let history = parse(&text, None).expect("whole lines before it");
    let line = TXNS + 1;
    let expected = format!("line {line} is cut off and was ignored: `{{\"s\":1,\"st`");
    assert_eq!(history.warnings, [expected]);
    assert_eq!(history.txns.len(), TXNS);
    text.push('\n');
    let error = parse(&text, None).expect_err("a line in the middle");
    assert_eq!(error.line(), Some(line as u32));
}

#[test]
fn a_table_stays_one_on_every_thread() {
    let mut text = "op_id,client_id,transaction_id,mode,key,value\n".to_owned();
    for number in 0..300_000 {
        text.push_str(&format!("{number},{},{number},w,some key,value {number}\n", number % 5));
    }
    let history = parse(text, None).expect("a good trace");
    assert_eq!(history.txns.len(), 300_000);
    assert_eq!(*history.values.get(299_999), Datum::from("value 299999"));
}
