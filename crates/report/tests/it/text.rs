//! What people read, word for word.

use tristan_history::Datum;
use tristan_report::{ReportContext, Style, text};
use tristan_verdict::{
    Anomaly, Answer, Assumption, Bad, BadKind, Choice, Chosen, Conflict, Context, Edge, EdgeKind,
    Literal, Obstacle, OpCard, Point, PointKind, Refutation, Rule, SCHEMA_VERSION, Source,
    TraceSummary, TxnCard, UnknownReason, Verdict, Witness,
};

const R: u32 = 0;
const A: u32 = 1;
const B: u32 = 2;

fn verdict(answer: Answer) -> Verdict {
    Verdict {
        schema: SCHEMA_VERSION.to_owned(),
        level: "serializable".to_owned(),
        definition: "acyclic(wr | ww | rw)".to_owned(),
        semantics: None,
        own_writes: None,
        trace: TraceSummary {
            name: "ward.jsonl".to_owned(),
            transactions: 3,
            committed: 3,
            unknown: 0,
            sessions: 3,
            operations: 7,
            keys: 3,
        },
        answer,
        assumptions: Vec::new(),
        transactions: vec![
            card(R, "R", &[("write bob ← on call", 2), ("write roster ← 2", 3)]),
            card(A, "A", &[("read bob → on call", 5), ("write alice ← home", 6)]),
            card(
                B,
                "B",
                &[("read roster → 2", 8), ("read alice → on call", 9), ("write bob ← home", 10)],
            ),
        ],
        context: Context::default(),
    }
}

fn card(id: u32, label: &str, ops: &[(&str, u32)]) -> TxnCard {
    let op =
        |(text, line): &(&str, u32)| OpCard { text: (*text).to_owned(), line: *line, deed: None };
    TxnCard {
        id,
        label: label.to_owned(),
        session: Datum::from(label.to_lowercase().as_str()),
        outcome: "committed".to_owned(),
        lines: (ops[0].1, ops[ops.len() - 1].1 + 1),
        times: None,
        error: None,
        ops: ops.iter().map(op).collect(),
    }
}

fn edge(from: u32, kind: EdgeKind, to: u32, key: &str, read_op: u32, over: Source) -> Edge {
    Edge {
        from,
        to,
        kind,
        key: Some(Datum::from(key)),
        read_op: (kind != EdgeKind::Ww).then_some(read_op),
        over: (kind == EdgeKind::Rw).then_some(over),
    }
}

fn before(first: u32, then: u32) -> Literal {
    Literal::Before { key: Datum::from("bob"), first, then }
}

fn reads(from: Source) -> Literal {
    Literal::Reads { txn: A, op: 0, key: None, from }
}

fn reject(refutation: Refutation, class: &str, title: &str, sentence: &str) -> Verdict {
    let anomaly = Anomaly {
        class: class.to_owned(),
        title: Some(title.to_owned()),
        sentence: sentence.to_owned(),
    };
    verdict(Answer::Reject { anomaly, refutation })
}

/// A read `bob` from the initial state or from R; B and A would each have to come first.
fn with_choices() -> Verdict {
    use EdgeKind::{Rw, Wr, Ww};
    let back = edge(B, Rw, A, "alice", 1, Source::Initial);
    let seen = edge(R, Wr, B, "roster", 0, Source::Initial);
    let conflicts = vec![
        Conflict {
            literals: vec![before(B, R)],
            rule: Rule::Cycle(vec![edge(B, Ww, R, "bob", 0, Source::Initial), seen.clone()]),
        },
        Conflict {
            literals: vec![reads(Source::Initial)],
            rule: Rule::Cycle(vec![edge(A, Rw, R, "bob", 0, Source::Initial), seen, back.clone()]),
        },
        Conflict {
            literals: vec![reads(Source::Txn(R)), before(R, B)],
            rule: Rule::Cycle(vec![edge(A, Rw, B, "bob", 0, Source::Txn(R)), back]),
        },
    ];
    let sources = vec![Source::Initial, Source::Txn(R)];
    let choices = vec![Choice { txn: A, op: 0, key: Datum::from("bob"), sources }];
    let refutation = Refutation {
        choices,
        conflicts,
        core: vec![R, A, B],
        minimal: true,
        ..Refutation::default()
    };
    reject(refutation, "G2-item", "write skew", "A and B would each have to come before the other.")
}

fn one_cycle() -> Verdict {
    let edges = vec![
        edge(A, EdgeKind::Rw, B, "bob", 0, Source::Initial),
        edge(B, EdgeKind::Rw, A, "alice", 1, Source::Initial),
    ];
    let conflicts = vec![Conflict { literals: Vec::new(), rule: Rule::Cycle(edges) }];
    let core = vec![A, B];
    let refutation = Refutation { conflicts, core, minimal: true, ..Refutation::default() };
    reject(refutation, "G2-item", "write skew", "A and B would each have to come before the other.")
}

fn render(verdict: &Verdict, width: usize) -> String {
    text(verdict, &ReportContext::default(), Style { width, colour: false })
}

#[test]
fn a_cycle_is_told_step_by_step() {
    let context = ReportContext {
        holds: vec!["snapshot-isolation".to_owned()],
        violated: vec!["serializable".to_owned()],
        more: Some("tristan explain v.json".to_owned()),
    };
    let expected = "\
ward.jsonl   REJECT   serializable   3 txns · 3 sessions · 7 operations · 3 keys
  G2-item (write skew): A and B would each have to come before the other.
    1  A → B  rw bob     because A read bob → on call, the initial version, which B replaced. (lines 5, 10)
    2  B → A  rw alice   however, B read alice → on call, the initial version, which A replaced. (lines 9, 6)
  core: 2 of 3 transactions (A, B); all of them are needed
  holds: snapshot-isolation
  violated: serializable
  more: tristan explain v.json
";
    assert_eq!(text(&one_cycle(), &context, Style { width: 120, colour: false }), expected);
}

#[test]
fn a_narrow_terminal_gets_shorter_lines() {
    let expected = "\
ward.jsonl   REJECT   serializable   3 txns · 3 sessions · 7 operations · 3 keys
  G2-item (write skew): A and B would each have to come before
  the other.
    1  A → B  rw bob     because A read bob → on call, the
                         initial version, which B replaced.
                         (lines 5, 10)
    2  B → A  rw alice   however, B read alice → on call, the
                         initial version, which A replaced.
                         (lines 9, 6)
  core: 2 of 3 transactions (A, B); all of them are needed
";
    assert_eq!(render(&one_cycle(), 64), expected);
}

#[test]
fn every_possibility_is_shown_with_its_cycle() {
    let expected = "\
ward.jsonl   REJECT   serializable   3 txns · 3 sessions · 7 operations · 3 keys
  G2-item (write skew): A and B would each have to come before the other.
    R's version of bob came before B's; otherwise:
      1  B → R  ww bob      because B's version of bob came before R's, as assumed here. (lines 10, 2)
      2  R → B  wr roster   however, B read roster → 2, which R wrote. (lines 3, 8)
    A read bob → on call from the initial state or from R:
    - if from the initial state:
      1  A → R  rw bob      because A read bob → on call, the initial version, which R replaced.
                            (lines 5, 2)
      2  R → B  wr roster   and B read roster → 2, which R wrote. (lines 3, 8)
      3  B → A  rw alice    however, B read alice → on call, the initial version, which A replaced.
                            (lines 9, 6)
    - if from R:
      1  A → B  rw bob     because A read bob → on call, R's version, which B replaced, as shown above.
                           (lines 5, 10)
      2  B → A  rw alice   however, B read alice → on call, the initial version, which A replaced.
                           (lines 9, 6)
  core: 3 of 3 transactions (R, A, B); all of them are needed
";
    assert_eq!(render(&with_choices(), 108), expected);
}

#[test]
fn orders_of_two_writes_are_a_choice_too() {
    use EdgeKind::{Rw, Wr, Ww};
    let loops = |first, then| {
        Rule::Cycle(vec![
            edge(first, Ww, then, "bob", 0, Source::Initial),
            edge(then, if first == R { Rw } else { Wr }, first, "roster", 0, Source::Initial),
        ])
    };
    let conflicts = vec![
        Conflict { literals: vec![before(R, B), reads(Source::Txn(R))], rule: loops(R, B) },
        Conflict { literals: vec![before(B, R), reads(Source::Txn(R))], rule: loops(B, R) },
    ];
    let refutation = Refutation { conflicts, core: vec![R, B], ..Refutation::default() };
    let verdict = reject(refutation, "G-single", "read skew", "no order of R and B exists.");
    let expected = "\
    Either R or B wrote bob first:
    - if R's write came first:
      1  R → B  ww bob      because R's version of bob came before B's, as assumed here. (lines 2, 10)
      2  B → R  rw roster   however, B read roster → 2, the initial version, which R replaced. (lines 8, 3)
    - if B's write came first:
      1  B → R  ww bob      because B's version of bob came before R's, as assumed here. (lines 10, 2)
      2  R → B  wr roster   however, B read roster → 2, which R wrote. (lines 3, 8)
  core: 2 of 3 transactions (R, B)
";
    let text = render(&verdict, 108);
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn conflicts_that_make_no_short_argument_are_listed() {
    let conflicts = (0..20)
        .map(|first| Conflict {
            literals: vec![Literal::Before { key: Datum::from("k"), first, then: first + 1 }],
            rule: Rule::ListOrder(A, 0),
        })
        .collect();
    let refutation = Refutation { conflicts, core: vec![A], ..Refutation::default() };
    let text = render(&reject(refutation, "G1c", "circle", "no order exists."), 100);
    assert!(
        text.contains("Every possible execution contains one of these contradictions:"),
        "{text}"
    );
    assert!(text.contains("- if R's version of k came before A's:\n      A read bob"), "{text}");
    assert!(text.contains("… and 8 more conflicts, all of them in the JSON verdict."), "{text}");
}

#[test]
fn a_key_that_is_returned_twice_is_shown_twice() {
    let bad = Bad {
        kind: BadKind::RepeatedKey,
        txn: A,
        op: 1,
        key: Datum::from("bob"),
        writer: None,
        other: None,
    };
    let (choices, conflicts) = (Vec::new(), Vec::new());
    let refutation = Refutation {
        bad: Some(bad),
        choices,
        conflicts,
        core: vec![A],
        minimal: true,
        ..Refutation::default()
    };
    let mut verdict = reject(refutation, "repeated-key", "one key twice", "bob is there twice.");
    let scan = "scan [a, z) → [alice=1 bob=2 bob=3]";
    verdict.transactions = vec![card(A, "A", &[("write bob ← 3 (failed)", 4), (scan, 5)])];
    let text = render(&verdict, 108);
    let expected = "A's scan [a, z) returned bob=2 and bob=3, but no database state contains bob";
    assert!(text.contains(expected) && text.contains("(line 5)"), "{text}");
}

#[test]
fn a_write_that_failed_is_no_reason() {
    let mut verdict = one_cycle();
    verdict.transactions[2].ops.push(OpCard {
        text: "write bob ← 9 (failed)".into(),
        line: 99,
        deed: None,
    });
    verdict.transactions[2].ops.push(OpCard {
        text: "delete bob (0 rows)".into(),
        line: 98,
        deed: None,
    });
    let text = render(&verdict, 120);
    assert!(text.contains("which B replaced. (lines 5, 10)"), "{text}");
}

#[test]
fn vendor_semantics_stand_behind_the_level() {
    let mut verdict = one_cycle();
    verdict.semantics = Some("mariadb-rr".to_owned());
    let text = render(&verdict, 120);
    assert!(text.starts_with("ward.jsonl   REJECT   serializable with mariadb-rr   3 txns"));
}

#[test]
fn a_bad_read_is_its_own_reason() {
    let bad = Bad {
        kind: BadKind::Aborted,
        txn: B,
        op: 0,
        key: Datum::from("roster"),
        writer: Some(R),
        other: None,
    };
    let refutation =
        Refutation { bad: Some(bad), core: vec![R, B], minimal: true, ..Refutation::default() };
    let verdict = reject(refutation, "G1a", "aborted read", "B read a value that R took back.");
    let expected = "\
ward.jsonl   REJECT   serializable   3 txns · 3 sessions · 7 operations · 3 keys
  G1a (aborted read): B read a value that R took back.
    B read roster → 2, but R wrote this value and rolled it back, and no transaction installed it.
    (lines 8, 3)
  core: 2 of 3 transactions (R, B); all of them are needed
";
    assert_eq!(render(&verdict, 100), expected);
}

#[test]
fn an_accept_shows_its_order_and_its_assumptions() {
    let order = [(R, PointKind::Whole), (B, PointKind::Begin), (B, PointKind::Commit)];
    let witness = Witness {
        order: order.map(|(txn, at)| Point { txn, at }).to_vec(),
        sources: vec![Chosen { txn: A, op: 0, key: None, from: Source::Txn(R) }],
        ..Witness::default()
    };
    let mut verdict = verdict(Answer::Accept { witness });
    verdict.trace.unknown = 2;
    verdict.assumptions =
        vec![Assumption { what: "clock drift ≤ 5 ms".to_owned(), status: "given".to_owned() }];
    let expected = "\
ward.jsonl   ACCEPT   serializable   3 txns · 3 sessions · 7 operations · 3 keys
  this order explains every read: R · B begins · B commits
  reads with several possible sources: A read bob → on call from R
  of 2 transactions with unknown outcome, 0 took effect
  assumes: clock drift ≤ 5 ms (given)
";
    assert_eq!(render(&verdict, 100), expected);
}

#[test]
fn a_long_order_loses_its_middle() {
    let order = (100..200).map(|txn| Point { txn, at: PointKind::Whole }).collect();
    let text =
        render(&verdict(Answer::Accept { witness: Witness { order, ..Witness::default() } }), 200);
    let order =
        "#100 · #101 · #102 · #103 · #104 · … 90 more … · #195 · #196 · #197 · #198 · #199\n";
    assert!(text.ends_with(order), "{text}");
}

#[test]
fn an_unknown_says_why_and_what_to_do_next() {
    let cases = [
        (
            UnknownReason::Time { millis: 1500, stage: String::new() },
            "time limit of 1500ms",
            "--time 6s",
        ),
        (
            UnknownReason::Memory { bytes: 1 << 30, stage: "reading, 35 %".to_owned() },
            "memory limit of 1G, in stage reading, 35 %",
            "--memory 2G",
        ),
    ];
    for (reason, limit, more) in cases {
        let decided = "2 of 3 components hold".to_owned();
        let text = render(&verdict(Answer::Unknown { reason, decided }), 100);
        assert!(text.contains("UNKNOWN") && text.contains(limit) && text.contains(more), "{text}");
        assert!(text.contains("decided so far: 2 of 3 components hold"), "{text}");
    }
    let reason = UnknownReason::Time { millis: 1000, stage: "guess".to_owned() };
    let mut hard = verdict(Answer::Unknown { reason, decided: String::new() });
    hard.context.obstacles.push(Obstacle {
        what: "7 of 9 reads could have seen any of several writes".to_owned(),
        help: "write values that never repeat".to_owned(),
    });
    let text = render(&hard, 200);
    let told = "- 7 of 9 reads could have seen any of several writes: write values";
    assert!(text.contains(told), "{text}");
    let reason = UnknownReason::Unsupported { what: "scan on line 7".to_owned() };
    let text = render(&verdict(Answer::Unknown { reason, decided: String::new() }), 100);
    assert!(text.contains("not interpreted at this level: scan on line 7\n"), "{text}");
}

#[test]
fn a_trace_that_was_not_read_has_no_counts() {
    let reason = UnknownReason::Time { millis: 1000, stage: "reading".to_owned() };
    let mut verdict = verdict(Answer::Unknown { reason, decided: String::new() });
    assert!(!render(&verdict, 100).contains("not read to its end"));
    verdict.trace = TraceSummary { name: "run.jsonl".to_owned(), ..TraceSummary::default() };
    let text = render(&verdict, 100);
    assert!(text.contains("not read to its end\n") && !text.contains("0 txns"), "{text}");
}

#[test]
fn an_unknown_outcome_is_a_possibility() {
    let from_b = Literal::Reads { txn: A, op: 0, key: None, from: Source::Txn(B) };
    let conflicts = vec![
        Conflict { literals: vec![from_b], rule: Rule::NoSource(B, 1) },
        Conflict { literals: vec![reads(Source::Initial)], rule: Rule::InitialClash },
    ];
    let sources = vec![Source::Initial, Source::Txn(B)];
    let choices = vec![Choice { txn: A, op: 0, key: Datum::from("bob"), sources }];
    let refutation =
        Refutation { choices, conflicts, core: vec![A, B], minimal: true, ..Refutation::default() };
    let text = render(&reject(refutation, "G1c", "circle", "it cannot be."), 120);
    let expected = "\
    A read bob → on call from the initial state or from B:
    - if from the initial state:
      A read bob → on call, but there is only one initial state. (line 5)
    - if from B:
      B read alice → on call, but no version it could have read explains this, so B did not take effect. (line 9)
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn long_values_and_control_characters_stay_out_of_the_terminal() {
    let mut verdict = one_cycle();
    verdict.transactions[1].ops[0].text = format!("read bob → {}\u{1b}[31m", "9".repeat(5000));
    let text = render(&verdict, 100);
    assert!(text.len() < 1000 && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn colours_add_nothing_but_colour() {
    let style = Style { width: 100, colour: true };
    let text = text(&one_cycle(), &ReportContext::default(), style);
    assert!(text.contains("\u{1b}[1;31mREJECT\u{1b}[0m"));
    let plain = text.split('\u{1b}').map(|part| match part.split_once('m') {
        Some((code, rest)) if code.starts_with('[') => rest,
        _ => part,
    });
    assert_eq!(plain.collect::<String>(), render(&one_cycle(), 100));
}
