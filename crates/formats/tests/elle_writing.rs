//! Histories written for Elle: what they look like, what is lost, and that nothing else is.

#![allow(clippy::panic, reason = "helpers of tests")]

use crate::common;

use common::{Generator, parse, print, told};
use tristan_formats::{WriteForm, losses};
use tristan_generate::Rng;
use tristan_history::{
    Clock, Datum, History, HistoryBuilder, Initial, Observed, Op, OpKind, OpStatus, Outcome, Span,
    Times, Txn,
};

/// What Elle gets to read of a trace in the native form.
fn converted(lines: &[&str]) -> (String, Vec<String>) {
    let text = format!("{{\"tristan\":\"trace/1\"}}\n{}\n", lines.join("\n"));
    let history = parse(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (print(&history, WriteForm::Elle), losses(&history, WriteForm::Elle))
}

/// The operations of the only transaction.
fn operations(header: &str, lines: &[&str]) -> (String, Vec<String>) {
    let lines: Vec<String> =
        lines.iter().map(|line| format!("{{\"s\":1,\"t\":1,\"op\":{line}}}")).collect();
    let commit = "{\"s\":1,\"t\":1,\"op\":\"commit\"}";
    let text = format!("{{\"tristan\":\"trace/1\"{header}}}\n{}\n{commit}\n", lines.join("\n"));
    let history = parse(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let printed = print(&history, WriteForm::Elle);
    let value = printed.rsplit_once("\"value\":").expect("a value").1;
    (value.trim_end_matches("}]\n").to_owned(), losses(&history, WriteForm::Elle))
}

#[test]
fn times_make_two_entries_and_their_order() {
    let (text, lost) = converted(&[
        r#"{"s":0,"t":1,"op":"begin","at":[100,null]}"#,
        r#"{"s":0,"t":1,"op":"append","k":"x","v":1}"#,
        r#"{"s":0,"t":1,"op":"commit","at":[null,300]}"#,
        r#"{"s":1,"t":2,"op":"begin","at":[200,null]}"#,
        r#"{"s":1,"t":2,"op":"list","k":"x","v":[1]}"#,
        r#"{"s":1,"t":2,"op":"commit","at":[null,300]}"#,
        r#"{"s":0,"t":3,"op":"begin","at":[301,null]}"#,
        r#"{"s":0,"t":3,"op":"append","k":"x","v":{"hex":"ff"}}"#,
        r#"{"s":0,"t":3,"op":"commit","error":"timeout"}"#,
        r#"{"s":2,"t":4,"op":"begin","at":[300,null]}"#,
        r#"{"s":2,"t":4,"op":"append","k":"y","v":1}"#,
        r#"{"s":2,"t":4,"op":"abort","at":[null,400]}"#,
    ]);
    let expected = r#"[{"time":100,"type":"invoke","process":0,"f":"txn","value":[["append","x",1]]},
{"time":200,"type":"invoke","process":1,"f":"txn","value":[["r","x",null]]},
{"time":300,"type":"invoke","process":2,"f":"txn","value":[["append","y",1]]},
{"time":300,"type":"ok","process":0,"f":"txn","value":[["append","x",1]]},
{"time":300,"type":"ok","process":1,"f":"txn","value":[["r","x",[1]]]},
{"time":301,"type":"invoke","process":0,"f":"txn","value":[["append","x",{"hex":"ff"}]]},
{"time":400,"type":"fail","process":2,"f":"txn","value":[["append","y",1]]},
{"type":"info","process":0,"f":"txn","value":[["append","x",{"hex":"ff"}]],"error":"timeout"}]
"#;
    assert_eq!(text, expected);
    assert_eq!(lost, ["names of transactions: 4"]);
}

#[test]
fn without_times_there_are_completions_only() {
    let (text, lost) = converted(&[
        r#"{"s":"a","t":1,"op":"put","k":"x","v":1}"#,
        r#"{"s":"a","t":1,"op":"commit"}"#,
        r#"{"s":"b","t":2,"op":"get","k":"x","v":null}"#,
        r#"{"s":"b","t":2,"op":"commit"}"#,
        r#"{"s":"b","t":3,"op":"get","k":"x","v":1}"#,
        r#"{"call":1,"s":"b","t":3,"op":"commit"}"#,
    ]);
    let expected = r#"[{"index":1,"type":"ok","process":0,"f":"txn","value":[["w","x",1]]},
{"index":2,"type":"ok","process":1,"f":"txn","value":[["r","x",null]]},
{"index":3,"type":"info","process":1,"f":"txn","value":[["r","x",null]]}]
"#;
    assert_eq!(text, expected);
    assert_eq!(
        lost,
        [
            "the names of sessions (they become numbers)",
            "results of reads in transactions that may not have committed (Elle ignores them): 1",
        ]
    );
}

#[test]
fn times_that_elle_cannot_say_are_left_out() {
    let txn = |session, txn, begin, end| {
        let at = |verb, at: &str| {
            format!("{{\"s\":{session},\"t\":\"{txn}\",\"op\":\"{verb}\",\"at\":{at}}}")
        };
        [at("begin", &format!("[{begin},null]")), at("commit", &format!("[null,{end}]"))]
    };
    for (first, second, lost) in [
        ((1, 2), (2, 3), "times, because transactions of one session overlap or touch"),
        ((1, 5), (2, 9), "times, because transactions of one session overlap or touch"),
    ] {
        let lines = [txn(1, "a", first.0, first.1), txn(1, "b", second.0, second.1)].concat();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let (text, losses) = converted(&lines);
        assert_eq!(losses, [lost, "names of transactions: 2"]);
        assert!(!text.contains("invoke"), "{text}");
    }
    let mut lines = txn(1, "a", 1, 2).to_vec();
    lines.push(r#"{"s":2,"t":"b","op":"commit"}"#.into());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (text, losses) = converted(&lines);
    assert_eq!(losses, ["times, because some transactions have none", "names of transactions: 2"]);
    assert!(!text.contains("invoke"), "{text}");
}

#[test]
fn what_was_there_at_the_start_is_written_first() {
    let mut builder = HistoryBuilder::default();
    let zero = builder.value(0);
    builder.begin(0).get("x", Some(0)).during(10, 20).end(Outcome::Committed);
    builder.begin(2).append("l", 1).during(15, 25).end(Outcome::Committed);
    builder.history_mut().header.initial = Initial::Uniform(zero);
    let history = builder.finish();
    let text = print(&history, WriteForm::Elle);
    let first = r#"[{"time":9,"type":"invoke","process":1,"f":"txn","value":[["w","x",0]]},
{"time":9,"type":"ok","process":1,"f":"txn","value":[["w","x",0]]},
{"time":10,"type":"invoke","process":0,"#;
    assert!(text.starts_with(first), "{text}");
    assert_eq!(
        losses(&history, WriteForm::Elle),
        [
            "the initial state (a transaction is added that writes it)",
            "that some keys are lists and some are not (Elle checks one kind at a time)",
        ]
    );
}

/// One case: a header, operations, what is printed, what is lost.
macro_rules! says {
    ($($name:ident: $header:expr, [$($line:expr),+] => $value:expr, [$($lost:expr),*];)*) => {
        $(#[test] fn $name() {
            let (value, lost) = operations($header, &[$($line),+]);
            assert_eq!(value, $value);
            assert_eq!(lost, Vec::<&str>::from([$($lost),*]));
        })*
    };
}

says! {
    plain_operations: "", [r#""get","k":"x","v":null"#, r#""put","k":"x","v":"one""#, r#""get","k":"x","v":"one""#]
        => r#"[["r","x",null],["w","x","one"],["r","x","one"]]"#, [];
    read_modify_writes: "", [r#""rmw","k":"x","old":null,"v":1"#, r#""rmw","k":"x","old":1,"v":2"#]
        => r#"[["r","x",null],["w","x",1],["r","x",1],["w","x",2]]"#,
        ["that read-modify-writes are one step (they become a read and a write): 2"];
    conditions: "", [r#""put","k":1,"v":1,"if":"absent","rows":1"#, r#""put","k":2,"v":2,"if":"present","rows":0"#,
        r#""put","k":3,"v":3,"if":"absent","rows":0"#, r#""put","k":4,"v":4,"if":"present","rows":1"#]
        => r#"[["r",1,null],["w",1,1],["r",2,null],["w",4,4]]"#,
        ["conditions of writes (what they show is kept only where the key was absent): 4"];
    deletes: "", [r#""delete","k":"x","rows":1"#, r#""get","k":"x","v":null"#, r#""delete","k":"y","rows":0"#, r#""get","k":"z","v":null"#]
        => r#"[["r","y",null],["r","z",null]]"#,
        ["deletes (a delete that removed nothing becomes a read that finds nothing): 2",
         "reads that found a deleted key absent (they would look like stale reads): 1"];
    ranges: "", [r#""scan","lo":0,"items":[[1,2],[3,4]]"#, r#""get","k":1,"v":2"#, r#""iter","items":[],"end":true"#]
        => r#"[["r",1,2]]"#, ["range reads: 2"];
    savepoints: "", [r#""put","k":"x","v":1"#, r#""savepoint","name":"a""#, r#""get","k":"x","v":1"#, r#""put","k":"x","v":2"#,
        r#""get","k":"x","v":2"#, r#""get","k":"y","v":5"#, r#""rollback","name":"a""#, r#""get","k":"x","v":1"#]
        => r#"[["w","x",1],["r","x",1],["r","y",5],["r","x",1]]"#,
        ["savepoints and rollbacks to them: 2",
         "writes that were rolled back (other reads of them look like thin-air reads), and own reads of them: 2"];
    own_writes: r#","own":"external""#, [r#""put","k":"x","v":1"#, r#""get","k":"x","v":null"#, r#""get","k":"y","v":null"#]
        => r#"[["w","x",1],["r","y",null]]"#,
        ["what reads return for own writes",
         "reads of keys that their own transactions had written (Elle expects own writes there): 1"];
    results_nobody_saw: "", [r#""get","k":"x","unseen":true"#, r#""get","k":"x","error":"lost""#, r#""get","k":"x","v":1,"lock":true"#,
        r#""put","k":"x","v":2,"error":"lost""#]
        => r#"[["r","x",1]]"#,
        ["operations that failed: 2", "reads whose results were not recorded (they are left out): 1", "locks taken by reads: 1"];
    everything_else: r#","initial":"unknown","database":"d","level":"si","assume":["a"],"order":"ignore-case""#, [r#""put","k":"x","v":1"#]
        => r#"[["w","x",1]]"#,
        ["that the initial state is unknown (an initial value looks like a value that no transaction wrote)",
         "the database", "the claimed level", "the assumptions", "how keys are ordered"];
}

#[test]
fn what_is_lost_about_transactions_and_the_trace() {
    let (_, lost) = converted(&[
        r#"{"s":0,"t":"a","op":"begin","level":"si","at":[0,1],"stamp":5}"#,
        r#"{"call":1,"s":0,"t":"a","op":"put","k":"x","v":1}"#,
        r#"{"s":0,"t":"a","op":"commit","at":[2,3]}"#,
        r#"{"note":"n"}"#,
    ]);
    assert_eq!(
        lost,
        [
            "the notes",
            "the hints",
            "return times of begin: 1",
            "call times of commit or abort: 1",
            "names of transactions: 1",
            "levels of transactions: 1",
            "operations that never returned (writes become certain): 1",
        ]
    );
}

#[test]
fn what_never_returned_saw_nothing() {
    let mut builder = HistoryBuilder::default();
    builder.begin(0).get("x", None).list("y", &[1]).append("y", 2).end(Outcome::Committed);
    builder.history_mut().ops.iter_mut().for_each(|op| op.status = OpStatus::Pending);
    let text = print(&builder.finish(), WriteForm::Elle);
    assert!(text.contains(r#""value":[["append","y",2]]"#), "{text}");
}

#[test]
fn every_history_can_be_printed_and_read_again() {
    for seed in 0..800 {
        let history = Generator::new(seed, seed % 2 == 0).history();
        let text = print(&history, WriteForm::Elle);
        let again =
            parse(&text, None).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let lost = losses(&history, WriteForm::Elle);
        let added = lost.iter().filter(|what| what.contains("a transaction is added")).count();
        assert_eq!(again.txns.len(), history.txns.len() + added, "seed {seed}\n{text}");
        assert_eq!(again.warnings, Vec::<String>::new(), "seed {seed}\n{text}");
        survives(&again, seed);
    }
}

/// What loses nothing says the same when it is read again.
fn survives(history: &History, seed: u64) -> bool {
    let text = print(history, WriteForm::Elle);
    let again = parse(&text, None).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
    let whole = losses(history, WriteForm::Elle).is_empty();
    assert!(!whole || told(history) == told(&again), "seed {seed}: {}\n{text}", told(history));
    whole
}

#[test]
fn what_loses_nothing_survives() {
    let (mut through_native, mut timed) = (0, 0);
    for seed in 0..1500 {
        let history = Sayable::new(seed).history();
        assert_eq!(losses(&history, WriteForm::Elle), Vec::<String>::new(), "seed {seed}");
        assert!(survives(&history, seed));
        let native = parse(print(&history, WriteForm::Events), None).expect("a good trace");
        through_native += usize::from(survives(&native, seed));
        timed += usize::from(print(&native, WriteForm::Elle).contains("invoke"));
    }
    assert!(through_native > 1000 && timed > 700, "{through_native} {timed}");
}

/// Makes random histories that Elle has words for.
struct Sayable {
    rng: Rng,
    builder: HistoryBuilder,
    lists: bool,
    named: bool,
    clock: Option<i64>,
}

impl Sayable {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let (lists, named, timed) = (rng.percent(50), rng.percent(50), rng.percent(60));
        let clock = timed.then_some(0);
        let mut builder = HistoryBuilder::default();
        // Only where times are indexes, indexes can keep every name.
        if timed && (named || rng.percent(30)) {
            builder.history_mut().header.clock = Clock::Ordinal;
        }
        Self { rng, builder, lists, named, clock }
    }

    fn history(mut self) -> History {
        let mut drafts: Vec<(Txn, Vec<OpKind>)> = Vec::new();
        let mut open: [Option<usize>; 3] = [None; 3];
        for _ in 0..self.rng.below(25) + 2 {
            let session = self.rng.below(3) as usize;
            match open[session].take() {
                Some(txn) => self.end(&mut drafts[txn].0),
                None => {
                    open[session] = Some(drafts.len());
                    let txn = self.begin(session as i64 * 7);
                    drafts.push((txn, Vec::new()));
                }
            }
            if self.clock.is_none() {
                open = [None; 3];
            }
        }
        for (txn, _) in &mut drafts {
            if self.clock.is_none() {
                txn.outcome = self.outcome();
            }
        }
        for (number, (txn, _)) in drafts.into_iter().enumerate() {
            let (committed, unsaid) = (txn.outcome == Outcome::Committed, number == 0);
            self.builder.add_txn(txn);
            self.ops(committed, unsaid);
        }
        self.builder.finish()
    }

    /// Time passes, or the transactions are numbered.
    fn tick(&mut self) -> i64 {
        let step = if self.named { 1 + self.rng.below(3) as i64 } else { 1 };
        let now = self.clock.unwrap_or_default();
        self.clock = self.clock.map(|clock| clock + step);
        now
    }

    fn begin(&mut self, session: i64) -> Txn {
        let session = self.builder.session(session);
        let number = self.builder.history_mut().keys.len() as i64;
        self.builder.key(format!("unused {number}").as_str());
        let call = self.clock.is_some().then(|| self.tick());
        Txn {
            name: self.named.then(|| Box::new(call.unwrap_or(number * 3).into())),
            times: Times { begin: Span { call, ret: None }, end: Span::default() }.kept(),
            lines: (1, 1),
            ..Txn::new(session, Outcome::Unknown)
        }
    }

    fn end(&mut self, txn: &mut Txn) {
        let now = self.tick();
        txn.outcome = match self.named {
            true => self.outcome(),
            false => [Outcome::Committed, Outcome::Aborted][self.rng.below(2) as usize],
        };
        txn.times_mut().end.ret = Some(now).filter(|_| txn.outcome != Outcome::Unknown);
        txn.name = self.named.then(|| Box::new(now.into()));
        let failed = txn.outcome != Outcome::Committed && self.rng.percent(50);
        txn.error = failed.then(|| "no \"way\"\n".into());
    }

    fn outcome(&mut self) -> Outcome {
        [Outcome::Committed, Outcome::Aborted, Outcome::Unknown][self.rng.below(3) as usize]
    }

    fn ops(&mut self, committed: bool, first: bool) {
        for place in 0..self.rng.below(5) + 1 {
            let kind = self.kind(committed, first && place == 0);
            self.builder.push_op(Op { kind, status: OpStatus::Done, line: 0 });
        }
    }

    /// The first one is a write, because a read of nothing may be a read of a list.
    fn kind(&mut self, committed: bool, first: bool) -> OpKind {
        let key = ["x", "y", "z"][self.rng.below(3) as usize];
        let (key, value) = (self.builder.key(key), self.value());
        match (self.lists, first || self.rng.percent(50)) {
            (true, true) => OpKind::Append { key, element: value },
            (true, false) => {
                let elements = (0..self.rng.below(4)).map(|_| self.value()).collect();
                OpKind::ReadList { key, elements: committed.then_some(elements) }
            }
            (false, true) => OpKind::Put { key, value },
            (false, false) => {
                let seen = match self.rng.percent(30) {
                    true => Observed::Absent,
                    false => Observed::Value(value),
                };
                let seen = if committed { seen } else { Observed::Unknown };
                OpKind::Get { key, seen, locking: false }
            }
        }
    }

    fn value(&mut self) -> tristan_history::ValueId {
        let data = [
            Datum::Int(u64::MAX.into()),
            Datum::Int(i64::MIN.into()),
            Datum::from("a \"b\" \\ \u{1} é 🦀"),
            Datum::from(""),
            Datum::from(&[0, 255][..]),
            Datum::Int(7),
        ];
        let pick = self.rng.below(data.len() as u64) as usize;
        self.builder.value(data[pick].clone())
    }
}
