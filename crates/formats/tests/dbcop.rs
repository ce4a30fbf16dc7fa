//! The formats of dbcop: binary, JSON, YAML and text.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;
use crate::torn;

use common::{parse, told};
use tristan_formats::TraceError;
use tristan_formats::{Format, detect};
use tristan_history::{Datum, History, Initial, Observed, OpKind, OpStatus, Outcome};

/// Writes the binary form by hand.
#[derive(Clone, Default)]
struct Bincode(Vec<u8>);

impl Bincode {
    fn header(info: &str) -> Self {
        let numbers = [7, 2, 3, 2, 4].into_iter().fold(Self::default(), Self::number);
        let date = "2019-04-02T11:01:05.157188028+02:00";
        numbers.text(info).text(date).text(date)
    }

    fn number(mut self, number: u64) -> Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn text(self, text: &str) -> Self {
        let mut with_length = self.number(text.len() as u64);
        with_length.0.extend(text.as_bytes());
        with_length
    }

    fn byte(mut self, byte: u8) -> Self {
        self.0.push(byte);
        self
    }

    fn event(self, write: u8, key: u64, value: u64, success: u8) -> Self {
        self.byte(write).number(key).number(value).byte(success)
    }
}

/// Two sessions. The first writes 0 ← 1, in vain 1 ← 5, and fails to read 2; then it aborts after 0 ← 2.
/// The second reads 0 → 1 and 1 → 0.
fn sample() -> Bincode {
    Bincode::header("Galera")
        .number(2)
        .number(2)
        .number(3)
        .event(1, 0, 1, 1)
        .event(1, 1, 5, 0)
        .event(0, 2, 0, 0)
        .byte(1)
        .number(1)
        .event(1, 0, 2, 1)
        .byte(0)
        .number(1)
        .number(2)
        .event(0, 0, 1, 1)
        .event(0, 1, 0, 1)
        .byte(1)
}

const YAML: &str = "\
---
# the same as the binary sample
- - events:
    - write:    true
      variable: 0
      value:    1
      success:  true
    - {write: true, variable: 1, value: 5, success: false}
    - write: false
      variable: 2
      value: 0    # means nothing
      success: false
    success:    true
  - success: false
    events:
      -
        write: true
        variable: 0
        value: 2
        success: true
- - {events: [
      {write: false, variable: 0, value: 1, success: true},
      {\"write\": false, 'variable': 1, value: 0, success: true},
    ], success: true}
";

const JSON: &str = r#"[
  [ {"events": [{"Write": {"variable": 0, "version": 1}}, ["r", 1, null]], "committed": true},
    {"committed": false, "events": [["w", 0, 2]]} ],
  [],
  [ {"events": [
      {"Read": {"variable": 0, "version": 1}},
      {"Read": {"version": 0, "variable": 1}},
      {"Read": {"variable": 1}}], "committed": true} ]
]"#;

const TEXT: &str = "\
// the same as the JSON sample, with words for keys
[x:=1 y==?] [x:=2]!
---
---
  [x==1 y==0
";

fn read(bytes: impl AsRef<[u8]>) -> History {
    let bytes = bytes.as_ref();
    let text = String::from_utf8_lossy(bytes);
    let history =
        parse(bytes, Some(Format::Dbcop)).unwrap_or_else(|error| panic!("{error}: {text}"));
    let detected = parse(bytes, None).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(told(&history), told(&detected));
    history
}

fn error(bytes: impl AsRef<[u8]>) -> String {
    match parse(bytes, Some(Format::Dbcop)) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Operations as `w0=1`, with `!` behind those that failed.
fn ops(history: &History) -> Vec<String> {
    let show = |(kind, status): (&OpKind, OpStatus)| {
        let key = kind.key().map(|key| history.key(key).to_string()).unwrap_or_default();
        let failed = if status == OpStatus::Failed { "!" } else { "" };
        match kind {
            OpKind::Put { value, .. } => format!("w{key}={}{failed}", history.value(*value)),
            OpKind::Get { seen: Observed::Value(value), .. } => {
                format!("r{key}={}{failed}", history.value(*value))
            }
            OpKind::Get { seen, .. } => format!("r{key}={seen:?}{failed}"),
            other => format!("{other:?}"),
        }
    };
    history.ops.iter().map(|op| show((&op.kind, op.status))).collect()
}

fn labels(history: &History) -> Vec<String> {
    history.txn_ids().map(|id| history.label(id)).collect()
}

#[test]
fn the_binary_form() {
    let history = read(sample().0);
    assert_eq!(ops(&history), ["w0=1", "w1=5!", "r2=Unknown!", "w0=2", "r0=1", "r1=0"]);
    assert_eq!(labels(&history), ["s0t0", "s0t1", "s1t0"]);
    let outcomes: Vec<Outcome> = history.txns.iter().map(|txn| txn.outcome).collect();
    assert_eq!(outcomes, [Outcome::Committed, Outcome::Aborted, Outcome::Committed]);
    assert_eq!(history.header.database.as_deref(), Some("Galera"));
    let Initial::Uniform(value) = history.header.initial else { panic!("every key starts with 0") };
    assert_eq!(*history.value(value), Datum::Int(0));
    assert_eq!(history.sessions.len(), 2);
    let events: Vec<u32> = history.ops.iter().map(|op| op.line).collect();
    assert_eq!(events, [1, 2, 3, 4, 5, 6]);
    let txns: Vec<(u32, u32)> = history.txns.iter().map(|txn| txn.lines).collect();
    assert_eq!(txns, [(1, 3), (4, 4), (5, 6)]);
}

#[test]
fn the_same_in_yaml() {
    let mut binary = read(sample().0);
    binary.header.database = None;
    let yaml = read(YAML);
    assert_eq!(told(&yaml), told(&binary));
    let lines: Vec<u32> = yaml.ops.iter().map(|op| op.line).collect();
    assert_eq!(lines, [4, 8, 9, 17, 22, 23]);
    assert_eq!(yaml.txns[1].lines, (14, 14));
    assert_eq!(told(&read(YAML.replace('\n', "\r\n"))), told(&yaml));
}

#[test]
fn yaml_in_brackets_alone() {
    let flow = "[[{events: [{write: true, variable: 7, value: 1, success: true}], success: true}]]";
    let block = "- - events:\n    - write: true\n      variable: 7\n      value: 1\n      success: true\n    success: true\n";
    assert_eq!(told(&read(flow)), told(&read(block)));
}

#[test]
fn json_in_both_spellings() {
    let history = read(JSON);
    assert_eq!(ops(&history), ["w0=1", "r1=Absent", "w0=2", "r0=1", "r1=Absent", "r1=Absent"]);
    assert_eq!(labels(&history), ["s0t0", "s0t1", "s2t0"]);
    assert_eq!(history.txns[1].outcome, Outcome::Aborted);
    assert_eq!(history.header.initial, Initial::Empty);
    let lines: Vec<u32> = history.ops.iter().map(|op| op.line).collect();
    assert_eq!(lines, [2, 2, 3, 6, 7, 8]);
    assert_eq!(history.txns[2].lines, (5, 8));
}

#[test]
fn json_with_a_header() {
    let whole = format!(
        "{{\"params\":{{\"id\":0}},\"info\":\"generated\",\"start\":\"x\",\"end\":\"y\",\"data\":{JSON}}}"
    );
    let history = read(whole);
    assert_eq!(history.header.database.as_deref(), Some("generated"));
    assert_eq!(ops(&history), ops(&read(JSON)));
    assert_eq!(ops(&read(format!("\u{feff}{JSON}"))), ops(&history));
}

#[test]
fn the_text_form() {
    let history = read(TEXT.replace("y==0\n", "y==0]\n"));
    assert_eq!(ops(&history), ["wx=1", "ry=Absent", "wx=2", "rx=1", "ry=Absent"]);
    assert_eq!(labels(&history), ["s0t0", "s0t1", "s2t0"]);
    assert_eq!(history.txns[1].outcome, Outcome::Aborted);
    assert_eq!(history.header.initial, Initial::Empty);
}

#[test]
fn version_zero_is_a_version_where_somebody_writes_it() {
    let history = read("[x:=0] [x==0 y==0]\n");
    assert_eq!(ops(&history), ["wx=0", "rx=0", "ry=Absent"]);
}

#[test]
fn numbers_use_all_64_bits() {
    let max = u64::MAX;
    let events = Bincode::header("").number(1).number(1).number(1).event(1, max, max, 1).byte(1);
    let history = read(events.0);
    assert_eq!(ops(&history), [format!("w{max}={max}")]);
    assert_eq!(history.header.database, None);
}

#[test]
fn what_is_wrong_in_the_binary_form_has_an_offset() {
    let header = Bincode::header("Galera");
    let length = header.0.len();
    let one = header.clone().number(1).number(1);
    let cases = [
        (
            Bincode::default().number(1).byte(0),
            "t: byte 8: found the end of the file, expected the number of sessions (8 bytes)"
                .into(),
        ),
        (
            header.clone(),
            format!(
                "t: byte {length}: found the end of the file, expected the number of sessions (8 bytes)"
            ),
        ),
        (
            one.clone().number(1).event(2, 0, 0, 1),
            format!(
                "t: byte {}: found byte 0x02, expected whether the event is a write, 0 or 1",
                length + 24
            ),
        ),
        (
            one.clone().number(1).event(1, 0, 0, 3),
            format!(
                "t: byte {}: found byte 0x03, expected whether the event took place, 0 or 1",
                length + 41
            ),
        ),
        (
            one.clone().number(0).byte(9),
            format!(
                "t: byte {}: found byte 0x09, expected whether the transaction committed, 0 or 1",
                length + 24
            ),
        ),
        (
            one.clone().number(0),
            format!(
                "t: byte {}: found the end of the file, expected whether the transaction committed (1 byte)",
                length + 24
            ),
        ),
        (
            one.clone().number(u64::MAX).event(1, 0, 0, 1).byte(1).number(3),
            format!(
                "t: byte {}: found the end of the file, expected a value (8 bytes)",
                length + 51
            ),
        ),
        (
            one.number(0).byte(1).byte(0),
            format!("t: byte {}: found more bytes, expected the end of the file", length + 25),
        ),
        (
            header.clone().number(u64::MAX),
            format!(
                "t: byte {}: found the end of the file, expected the number of transactions (8 bytes)",
                length + 8
            ),
        ),
        (header.number(0), "t:1: found a file without transactions, expected a transaction".into()),
    ];
    for (bytes, message) in cases {
        assert_eq!(error(bytes.0), message);
    }
}

#[test]
fn texts_of_the_binary_form_are_texts_of_a_sensible_length() {
    let numbers = [7, 2, 3, 2, 4].into_iter().fold(Bincode::default(), Bincode::number);
    assert_eq!(
        error(numbers.clone().number(u64::MAX).0),
        "t: byte 40: found a string of 18446744073709551615 bytes, expected a string that says what was observed, of at most 65536 bytes"
    );
    assert_eq!(
        error(numbers.clone().number(9).byte(b'x').0),
        "t: byte 48: found the end of the file, expected a string that says what was observed"
    );
    assert_eq!(
        error(numbers.number(2).byte(b'x').byte(0xff).0),
        "t: byte 49: found byte 0xff, expected UTF-8 text"
    );
}

#[test]
fn a_text_that_is_cut_off_is_read_up_to_the_cut() {
    let cut = TEXT.trim_end();
    let history = read(cut);
    assert_eq!(history.txns.len(), 2);
    assert_eq!(history.warnings, ["line 5 is cut off and was ignored: `[x==1 y==0`"]);
}

#[test]
fn every_form_is_recognised_by_its_beginning() {
    let binary = sample().0;
    for start in [&binary[..150], YAML.as_bytes(), JSON.as_bytes(), TEXT.as_bytes()] {
        assert_eq!(detect(start), Some(Format::Dbcop));
    }
    for id in 0..=255 {
        let mut numbered = binary.clone();
        numbered[0] = id;
        assert_eq!(detect(&numbered), Some(Format::Dbcop), "history {id}");
    }
    assert_eq!(detect(&[0; 200]), None);
    assert_eq!(detect(b"- milk\n- eggs\n"), None);
    assert_eq!(detect(b"[section]\nkey=1\n"), None);
    assert_eq!(detect(b"[[1,2],[3,4]]"), None);
}

#[test]
fn a_binary_file_that_is_cut_off_is_an_error() {
    let bytes = sample().0;
    torn::cut_anywhere(&bytes, Format::Dbcop, |cut, outcome| match outcome {
        Ok(_) => panic!("cut at {cut}"),
        Err(TraceError::Bytes { offset, .. }) => assert!(offset <= cut as u64),
        Err(error) => assert_eq!(cut, 0, "{error}"),
    });
}

#[test]
fn json_that_is_cut_off_is_an_error() {
    torn::cut_anywhere(JSON.as_bytes(), Format::Dbcop, |cut, outcome| {
        assert!(outcome.is_err(), "cut at {cut}");
    });
}

#[test]
fn yaml_that_is_cut_off_is_an_error_unless_it_ends_with_a_transaction() {
    torn::cut_anywhere(YAML.as_bytes(), Format::Dbcop, |cut, outcome| {
        if outcome.is_ok() {
            let lines = YAML[..cut].trim_end();
            let ends = ["    success:    true", "        success: true", "], success: true}"];
            assert!(ends.iter().any(|end| lines.ends_with(end)), "cut at {cut}: {lines}");
        }
    });
}
