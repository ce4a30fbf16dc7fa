//! What verdicts say beside their evidence: it is true, and whatever is forged in one is refused or
//! named as not checked.
//!
//! The forger knows nothing of the fields: it walks through the JSON of real verdicts and changes one
//! leaf after the other. A field that is added to verdicts later and that the certifier neither
//! checks nor names fails here.

#![allow(clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tristan_certify::{Certificate, Unchecked, certify, examine};
use tristan_check::{Options, Silent, check};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::{History, OwnWrites};
use tristan_oracle::random;
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, VERDICT_SCHEMA, Verdict};

const SEED: u64 = 7_000_001;
const HISTORIES: u64 = 3_000;

#[test]
fn every_field_of_random_verdicts_is_true_or_named_as_unchecked() {
    let levels = Catalog::default().levels();
    let mut examined = 0;
    for seed in SEED..SEED + HISTORIES {
        let history = random::history(&mut Rng::new(seed), random::RandomShape::default());
        let level = &levels[seed as usize % levels.len()];
        let verdict = check(&history, level, &Options::default(), &Silent).verdict;
        // Whether the evidence is right is the question of other tests.
        if certify(&history, level, 0, &verdict).is_err() {
            continue;
        }
        examined += 1;
        if let Err(refused) = examine((&history, &history), level, 0, &verdict) {
            panic!("seed {seed} at {}: {refused}\n{}", level.name, verdict.to_json());
        }
    }
    assert!(examined > HISTORIES / 2, "{examined}");
}

/// A verdict of the engine, with everything that it is about.
struct Sample {
    name: &'static str,
    trace: History,
    read_as: History,
    level: Level,
    verdict: Verdict,
}

impl Sample {
    fn of(name: &'static str, trace: History, level: &str) -> Self {
        let level = Catalog::default().find(level).expect(name);
        let mut verdict = check(&trace, &level, &Options::default(), &Silent).verdict;
        let context = &mut verdict.context;
        context.command = Some("tristan check".to_owned());
        context.certified = true;
        context.smallest = Some("{}".to_owned());
        Self { name, read_as: trace.clone(), trace, level, verdict }
    }

    /// The same trace and level with another answer, written by hand.
    fn answering(mut self, answer: Value) -> Self {
        self.verdict.answer = serde_json::from_value(answer).expect("an answer");
        self
    }

    /// The same verdict with facts, and with these transactions in its core.
    fn stating(mut self, facts: Value, core: &[u32]) -> Self {
        let Answer::Reject { refutation, .. } = &mut self.verdict.answer else {
            panic!("{}: a reject has facts", self.name);
        };
        refutation.facts = serde_json::from_value(facts).expect("facts");
        refutation.core = core.to_vec();
        self
    }

    fn examine(&self, verdict: &Verdict) -> Result<Certificate, tristan_certify::CertifyError> {
        examine((&self.trace, &self.read_as), &self.level, 0, verdict)
    }
}

fn at(path: &str) -> History {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let bytes = fs::read(&file).expect(path);
    formats::read(bytes.as_slice(), path, None).expect("the history is well formed")
}

fn written(text: &str) -> History {
    formats::read(text.as_bytes(), "written.jsonl", None).expect("the history is well formed")
}

/// A session that reads back something else than it wrote, as the trace says it may.
const EXTERNAL: &str = r#"{"tristan":"trace/1","own":"external"}
{"s":1,"t":"A","op":"put","k":"x","v":1,"at":[1,2]}
{"s":1,"t":"A","op":"get","k":"x","v":null,"at":[3,4]}
{"s":1,"t":"A","op":"commit","at":[5,6]}
{"note":"node 2 killed","at":7}
{"s":2,"t":"B","op":"delete","k":"y","rows":0,"at":[2,9]}
{"s":2,"t":"B","op":"abort","error":"deadlock","at":[10,11]}
"#;

/// Two transactions read one version and replace it; a third lies beside them, and a write of it
/// was never answered.
const OPEN: &str = r#"{"tristan":"trace/1"}
{"s":1,"t":"A","op":"rmw","k":"x","old":null,"v":1,"at":[1,2]}
{"s":2,"t":"B","op":"rmw","k":"x","old":null,"v":2,"at":[1,3]}
{"s":1,"t":"A","op":"commit","at":[3,5]}
{"s":2,"t":"B","op":"commit","at":[4,5]}
{"s":3,"t":"C","op":"put","k":"y","v":1,"at":[2,3]}
{"call":9,"s":3,"t":"C","op":"put","k":"z","v":1,"at":3}
{"note":"node 2 killed","at":4}
"#;

/// The write of x was never answered, and was read: it took effect.
const EFFECT: &str = r#"{"tristan":"trace/1"}
{"call":1,"s":1,"t":"A","op":"put","k":"x","v":1}
{"s":1,"t":"A","op":"commit"}
{"s":1,"t":"B","op":"get","k":"x","v":1}
{"s":1,"t":"B","op":"commit"}
"#;

/// With its effect, x was there and then it was not; without it, nobody wrote 1.
const CASES: &str = r#"{"tristan":"trace/1"}
{"call":1,"s":1,"t":"A","op":"put","k":"x","v":1}
{"s":1,"t":"A","op":"commit"}
{"s":2,"t":"B","op":"get","k":"x","v":1}
{"s":2,"t":"B","op":"commit"}
{"s":2,"t":"C","op":"get","k":"x","v":null}
{"s":2,"t":"C","op":"commit"}
"#;

/// B's outcome is unknown; what C read shows that it took effect.
const UNSURE: &str = r#"{"tristan":"trace/1"}
{"s":1,"t":"A","op":"rmw","k":"x","old":null,"v":1}
{"s":1,"t":"A","op":"commit"}
{"s":2,"t":"B","op":"rmw","k":"x","old":null,"v":2}
{"s":2,"t":"B","op":"put","k":"z","v":1}
{"s":3,"t":"C","op":"get","k":"z","v":1}
{"s":3,"t":"C","op":"commit"}
"#;

fn with_effect() -> Value {
    json!({"verdict":"accept","witness":{
        "order":[{"txn":0,"at":"whole"},{"txn":1,"at":"whole"}],
        "sources":[],"committed":[],"effects":[{"txn":0,"op":0,"effect":true}],
    }})
}

fn by_cases() -> Value {
    let cycle = json!([
        {"from":0,"to":1,"kind":"wr","key":"x","read_op":0},
        {"from":1,"to":2,"kind":"so"},
        {"from":2,"to":0,"kind":"rw","key":"x","read_op":0,"over":"initial"},
    ]);
    let with = json!({"fates":[{"txn":0,"op":0,"effect":true}],"refutation":{
        "conflicts":[{"literals":[],"rule":{"cycle":cycle}}],"core":[0,1,2],"minimal":false,
    }});
    let without = json!({"fates":[{"txn":0,"op":0,"effect":false}],"refutation":{
        "bad":{"kind":"thin-air","txn":1,"op":0,"key":"x"},"core":[1],"minimal":false,
    }});
    let anomaly =
        json!({"class":"G-single-process","sentence":"x was there, and then it was not."});
    let refutation = json!({"cases":[with, without],"core":[0,1,2],"minimal":false});
    json!({"verdict":"reject","anomaly":anomaly,"refutation":refutation})
}

fn facts() -> Value {
    json!([
        {"fact":"only-versions","key":"x","content":{"value":1},"txns":[0]},
        {"fact":"only-writes","key":"x","content":"present","txns":[0,1]},
    ])
}

fn samples() -> Vec<Sample> {
    let doctors = "corpus/strong-generalized-snapshot-isolation/doctors-on-call.jsonl";
    let choices = "corpus/strong-cursor-stability/same-value-no-way-out.jsonl";
    let lists = "corpus/strong-prefix/list-lost-append.jsonl";
    let unknown = "corpus/strong-session-serializable/stale-read-in-real-time.jsonl";
    vec![
        Sample::of("accept", at("examples-traces/bank.jsonl"), "ser"),
        Sample::of("accept with snapshots", at(doctors), "si"),
        Sample::of("accept of other sources", at(choices), "rc"),
        Sample::of("accept of own writes", written(EXTERNAL), "ser"),
        Sample::of("accept in real time", at(unknown), "strong-session-ser"),
        Sample::of("accept with an effect", written(EFFECT), "strong-session-ser")
            .answering(with_effect()),
        Sample::of("reject", at(doctors), "ser"),
        Sample::of("reject by choices", at(choices), "ser"),
        Sample::of("reject in real time", at("examples-traces/stale-read.jsonl"), "strong-ser"),
        Sample::of("reject with facts", written(OPEN), "si").stating(facts(), &[0, 1]),
        Sample::of("reject of an unknown outcome", written(UNSURE), "si")
            .stating(json!([{"fact":"took-effect","txn":1,"reader":2,"op":0}]), &[0, 1, 2]),
        Sample::of("reject of a list", at(lists), "ser"),
        Sample::of("reject by cases", written(CASES), "strong-session-ser").answering(by_cases()),
        Sample::of("bad read", at("examples-traces/aborted-read.jsonl"), "rc"),
        Sample::of("bad list", at("corpus/none/lists-disagree.jsonl"), "ser"),
        Sample::of("bad range", at("examples-traces/pg-doubled-key.jsonl"), "rc"),
    ]
}

/// A path in JSON and what to put there.
type Forgery = (Vec<String>, Value);

/// Every leaf with other things that could stand there.
fn forgeries(value: &Value, path: &mut Vec<String>, found: &mut Vec<Forgery>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                path.push(name.clone());
                forgeries(field, path, found);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                path.push(format!("[{number}]"));
                forgeries(item, path, found);
                path.pop();
            }
        }
        leaf => {
            let name = path.iter().rev().find(|part| !part.starts_with('[')).expect("a field");
            found.extend(others(name, leaf).into_iter().map(|other| (path.clone(), other)));
        }
    }
}

fn others(name: &str, leaf: &Value) -> Vec<Value> {
    let words: &[&str] = match name {
        "kind" => &["wr", "ww", "rw", "so", "rt", "thin-air", "aborted", "intermediate", "future"],
        "standing" => &["holds", "violated", "open"],
        "outcome" => &["committed", "aborted", "unknown"],
        "at" => &["whole", "begin", "commit"],
        "overlap" => &["times", "sessions"],
        "verdict" => &["accept", "reject", "unknown"],
        "class" => &["G0", "G1a", "G1b", "G1c", "G-single", "G2-item"],
        "level" => &["serializable", "snapshot-isolation"],
        "from" | "over" => &["initial"],
        "fact" => &["only-versions", "only-writes"],
        "content" => &["absent", "present"],
        _ => &[],
    };
    let mut others: Vec<Value> = words.iter().map(|&word| word.into()).collect();
    match leaf {
        Value::Bool(told) => others.push((!told).into()),
        Value::Number(number) => {
            let number = number.as_i64().expect("small numbers");
            others.extend([(number + 1).into(), (number + 1_000).into()]);
            others.extend((number > 0).then(|| (number - 1).into()));
        }
        Value::String(text) => others.push(format!("{text} [honest]").into()),
        Value::Null => others.push(7.into()),
        Value::Array(_) | Value::Object(_) => {}
    }
    others.retain(|other| other != leaf);
    others
}

/// Fields that a verdict need not have, added to it.
fn additions() -> Vec<Forgery> {
    let path = |path: &str| path.split('/').map(str::to_owned).collect();
    let pairs = json!([["a", 1], ["b", 2]]);
    vec![
        (path("semantics"), "mariadb-rr".into()),
        (path("own_writes"), "external".into()),
        (path("own_writes"), "may".into()),
        (path("anomaly/title"), "harmless".into()),
        (path("transactions/[0]/error"), "disk full".into()),
        (path("transactions/[0]/times"), json!({"begin":[1,2],"end":[3,4]})),
        (path("transactions/[0]/ops/[0]/deed"), json!({"read":{"key":"w"}})),
        (path("refutation/bad"), json!({"kind":"thin-air","txn":0,"op":0,"key":"x"})),
        (
            path("refutation/facts"),
            json!([
                {"fact":"only-writes","key":"x","content":"absent","txns":[0,1,2]}
            ]),
        ),
        (path("witness/effects"), json!([{"txn":0,"op":0,"effect":true}])),
        (path("witness/committed"), json!([0])),
        (path("refutation/conflicts/[0]/rule/cycle/[0]/over"), json!({"txn":1})),
        (path("refutation/conflicts/[0]/rule/cycle/[0]/key"), "honest".into()),
        (path("refutation/conflicts/[0]/rule/cycle/[0]/read_op"), 3.into()),
        (path("refutation/core"), json!([0])),
        (path("smallest"), pairs.to_string().into()),
    ]
}

/// Puts something at a path; `None` if there is no such place.
fn forged(original: &Value, (path, value): &Forgery) -> Option<Value> {
    let mut forged = original.clone();
    let mut place = &mut forged;
    let (last, way) = path.split_last()?;
    for part in way {
        place = match part.strip_prefix('[') {
            Some(number) => place.get_mut(number.trim_end_matches(']').parse::<usize>().ok()?)?,
            None => place.get_mut(part.as_str())?,
        };
    }
    match last.strip_prefix('[') {
        Some(number) => {
            *place.get_mut(number.trim_end_matches(']').parse::<usize>().ok()?)? = value.clone();
        }
        None => {
            place.as_object_mut()?.insert(last.clone(), value.clone());
        }
    }
    (forged != *original).then_some(forged)
}

/// `transactions[0].ops[1].text`
fn shown(path: &[String]) -> String {
    path.join(".").replace(".[", "[")
}

fn names(unchecked: &[Unchecked], path: &str) -> bool {
    unchecked.iter().any(|open| {
        let rest = path.strip_prefix(open.field.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

/// Forgeries that say something else that is true: a verdict that does not claim to be certified, a
/// fact about another value that no transaction wrote either, another source of the same value, and the
/// own-writes policy that the trace itself states.
fn is_still_true(sample: &str, path: &str) -> bool {
    let of_fact = |field: &str| path.contains(field) && path.starts_with("refutation.facts[");
    path == "certified"
        || [".fact", ".key", ".content"].into_iter().any(of_fact)
        || (sample, path) == ("accept of other sources", "witness.sources[0].from.txn")
        || (sample, path) == ("accept of own writes", "own_writes")
}

#[test]
fn every_forged_field_is_refused_or_named_as_unchecked() {
    let mut missed = Vec::new();
    let mut tried = 0;
    for sample in samples() {
        let honest = sample.examine(&sample.verdict);
        assert!(honest.is_ok(), "{}: {honest:?}\n{}", sample.name, sample.verdict.to_json());
        let original: Value = serde_json::from_str(&sample.verdict.to_json()).expect("JSON");
        let mut all = additions();
        forgeries(&original, &mut Vec::new(), &mut all);
        for forgery in &all {
            let Some(forged) = forged(&original, forgery) else { continue };
            tried += 1;
            // What is not a verdict any more is refused when it is read.
            let Ok(verdict) = serde_json::from_value::<Verdict>(forged) else { continue };
            let path = shown(&forgery.0);
            match sample.examine(&verdict) {
                Ok(certificate)
                    if !names(&certificate.unchecked, &path)
                        && !is_still_true(sample.name, &path) =>
                {
                    missed.push(format!("{}: {path} = {}", sample.name, forgery.1));
                }
                _ => {}
            }
        }
    }
    assert!(missed.is_empty(), "{} of {tried}:\n{}", missed.len(), missed.join("\n"));
    assert!(tried > 2_000, "{tried}");
}

/// The names of all fields in a schema, or in a document.
fn fields(value: &Value, of_schema: bool, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                if !of_schema {
                    found.insert(name.clone());
                } else if let ("properties", Value::Object(properties)) = (name.as_str(), inner) {
                    found.extend(properties.keys().cloned());
                }
                fields(inner, of_schema, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(item, of_schema, found)),
        _ => {}
    }
}

#[test]
fn the_forged_verdicts_have_every_field_of_the_schema() {
    let schema: Value = serde_json::from_str(VERDICT_SCHEMA).expect("JSON");
    let (mut published, mut forged) = (BTreeSet::new(), BTreeSet::new());
    fields(&schema, true, &mut published);
    for sample in samples() {
        let verdict: Value = serde_json::from_str(&sample.verdict.to_json()).expect("JSON");
        fields(&verdict, false, &mut forged);
    }
    for (path, _) in additions() {
        forged.extend(path);
    }
    let never: BTreeSet<&String> = published.difference(&forged).collect();
    // Verdicts that are unknown, limits, and rare marks: `examine` names their parents.
    let known = [
        "asked",
        "because",
        "by",
        "bytes",
        "decided",
        "element",
        "ended",
        "help",
        "hex",
        "initial-clash",
        "json",
        "limit",
        "list-order",
        "list-shows",
        "millis",
        "more",
        "no-source",
        "obstacles",
        "present",
        "reason",
        "reverse",
        "stage",
        "then",
        "first",
        "to_end",
        "what",
        "why",
    ];
    let unexpected: Vec<&&String> =
        never.iter().filter(|name| !known.contains(&name.as_str())).collect();
    assert!(unexpected.is_empty(), "forge a verdict with these fields, too: {unexpected:?}");
}

#[test]
fn an_own_writes_policy_that_is_not_the_traces_is_told() {
    let mut sample = Sample::of("own writes", written(EXTERNAL), "ser");
    sample.trace.header.own_writes = OwnWrites::Must;
    let silent = sample.examine(&sample.verdict).expect_err("the trace says must");
    assert!(silent.to_string().starts_with("own_writes: "), "{silent}");
    sample.verdict.own_writes = Some("external".to_owned());
    let told = sample.examine(&sample.verdict).expect("told");
    let own = told.unchecked.iter().find(|open| open.field == "own_writes").expect("named");
    let why = own.why.as_deref().expect("a reason");
    assert_eq!(why, "the trace says must, the verdict assumes external");
}

#[test]
fn a_forged_definition_is_refused() {
    let mut sample = Sample::of(
        "skew",
        at("corpus/strong-generalized-snapshot-isolation/doctors-on-call.jsonl"),
        "si",
    );
    sample.verdict.definition = "acyclic(wr | ww | rw) [strictly serializable, honest]".to_owned();
    let refused = sample.examine(&sample.verdict).expect_err("forged");
    assert!(refused.to_string().starts_with("definition: found "), "{refused}");
}

#[test]
fn facts_are_recomputed() {
    let sample = Sample::of("facts", written(OPEN), "si");
    let fact = |fact: Value| -> Result<Certificate, tristan_certify::CertifyError> {
        let mut verdict: Value = serde_json::from_str(&sample.verdict.to_json()).expect("JSON");
        verdict["refutation"]["facts"] = Value::Array(vec![fact]);
        sample.examine(&serde_json::from_value(verdict).expect("a verdict"))
    };
    let told = |kind: &str, key: &str, content: Value, txns: &[u32]| {
        fact(json!({"fact":kind,"key":key,"content":content,"txns":txns}))
    };
    let value = |value: i64| json!({"value":value});
    for kind in ["only-versions", "only-writes"] {
        let right = told(kind, "x", value(1), &[0]);
        assert!(right.is_ok(), "{right:?}");
        assert!(told(kind, "x", "present".into(), &[0, 1]).is_ok());
        assert!(told(kind, "x", "absent".into(), &[]).is_ok());
        assert!(told(kind, "z", value(1), &[]).is_ok(), "its only write need not have happened");
        for (key, content, txns) in [
            ("x", value(1), &[][..]),
            ("x", value(1), &[0, 1]),
            ("x", value(1), &[1]),
            ("x", value(9), &[0]),
            ("y", value(1), &[0]),
            ("x", "present".into(), &[1, 0]),
            ("x", "present".into(), &[0]),
            ("nowhere", value(1), &[0]),
        ] {
            let refused = told(kind, key, content, txns).expect_err("forged").to_string();
            assert!(refused.starts_with("fact 0: "), "{refused}");
        }
    }
    let shows = json!(
        {"fact":"list-shows","txn":0,"op":0,"key":"x","first":0,"then":1});
    assert!(fact(shows).is_err(), "x is no list");
}

#[test]
fn statuses_of_operations_are_part_of_their_words() {
    let mut sample = Sample::of("words", at("examples-traces/bank.jsonl"), "ser");
    let words = sample.verdict.transactions[0].ops[0].text.clone();
    sample.verdict.transactions[0].ops[0].text = format!("{words} (failed)");
    let told = sample.examine(&sample.verdict).expect("words are told, not refused");
    let field = "transactions[0].ops[0].text".to_owned();
    assert!(told.unchecked.contains(&Unchecked { field, why: None }));
}
