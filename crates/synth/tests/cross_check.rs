//! What is proved is searched for in vain and accepted by z3; what has a history against it is not
//! proved.
//!
//! z3 is taken from the path or from `TRISTAN_Z3`; without it those tests are skipped. It may
//! use so many of its own units of work per question, never so many seconds: how fast the machine
//! is must not change an answer. Versions of z3 differ in what they leave open, so `unknown` is
//! counted; `sat` would contradict a proof and is always a failure.

#![allow(clippy::print_stdout)]

use std::io::Write;
use std::process::{Command, Stdio};

use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::SearchLimits;
use tristan_synth::problems::{PROBLEMS, Problem};
use tristan_synth::proof::{Proof, prove};
use tristan_synth::smt;
use tristan_synth::{HistoryOptions, Query, Scope, SynthesisOutcome, smallest};
use tristan_testkit::z3;

/// Levels in several frameworks and strengths.
const LEVELS: [&str; 17] = [
    "strong-session-read-committed",
    "read-atomic",
    "cerone-nlu",
    "update-atomic",
    "causal",
    "parallel-si",
    "prefix",
    "strong-session-snapshot-isolation",
    "be-update-ser",
    "strong-session-serializable",
    "be-si",
    "cerone-psi",
    "tap-ra",
    "snapshot-isolation",
    "serializable",
    "strong-serializable",
    "monotonic-reads",
];

fn level(name: &str) -> IsoLevel {
    Library::standard().find(name).expect(name)
}

fn unanswered() -> impl Iterator<Item = (IsoLevel, IsoLevel)> {
    let none = PROBLEMS.iter().filter(|problem: &&Problem| problem.from.is_none());
    none.map(|problem| (level(problem.allowed[0]), level(problem.forbidden)))
}

/// All pairs of the levels above.
fn pairs() -> impl Iterator<Item = (IsoLevel, IsoLevel)> {
    let others = |one: &'static str| LEVELS.into_iter().filter(move |other| *other != one);
    LEVELS.into_iter().flat_map(move |one| others(one).map(move |b| (level(one), level(b))))
}

fn search(one: &IsoLevel, other: &IsoLevel, txns: usize, keys: usize) -> SynthesisOutcome {
    let query = Query {
        positive: vec![one.clone()],
        negative: vec![other.clone()],
        scope: Scope { txns, keys, values: None },
        options: HistoryOptions::default(),
    };
    smallest(&query, &SearchLimits::default()).outcome
}

#[test]
fn whatever_is_proved_is_searched_for_in_vain() {
    let mut proved = 0;
    for (one, other) in unanswered().chain(pairs()) {
        if prove(&one, &other).is_some() {
            proved += 1;
            let found = search(&one, &other, 4, 2);
            assert_eq!(found, SynthesisOutcome::None, "{} ⇒ {}", one.name, other.name);
        }
    }
    println!("{proved} proofs");
    assert!(proved > 80, "only {proved} implications were proved");
}

#[test]
fn whatever_has_a_history_against_it_is_not_proved() {
    let mut refuted = 0;
    for (one, other) in pairs() {
        if let SynthesisOutcome::Found(answer) = search(&one, &other, 3, 2) {
            refuted += 1;
            let told = format!("{} does not imply {}: {}", one.name, other.name, answer.history);
            assert!(prove(&one, &other).is_none(), "{told}");
        }
    }
    assert!(refuted > 100, "only {refuted} implications were refuted");
}

/// What z3 answers to the questions of a proof, if each may take so many units of work.
fn answers(
    z3: &str,
    stronger: &IsoLevel,
    weaker: &IsoLevel,
    proof: &Proof,
    units: u64,
) -> Vec<String> {
    let mut process = Command::new(z3)
        .arg("-in")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 starts");
    let limit = format!("(set-option :rlimit {units})\n");
    let script = limit + &smt::implication(stronger, weaker, proof);
    let written = process.stdin.take().expect("a pipe").write_all(script.as_bytes());
    let output = process.wait_with_output().expect("z3 ends when its input does");
    written.expect("z3 reads all of the script");
    // Past the limit some versions complain, and some skip what follows: that is left open.
    let is_answer = |line: &&str| ["sat", "unsat", "unknown"].contains(line);
    let is_limit = |line: &str| line.contains("resource limit") || line.contains("canceled");
    let text = String::from_utf8_lossy(&output.stdout);
    let (told, other): (Vec<&str>, Vec<&str>) = text.lines().partition(is_answer);
    assert!(
        other.iter().all(|line| is_limit(line)),
        "z3 does not understand the script: {other:?}"
    );
    let questions = smt::questions(weaker, proof);
    assert!(told.len() <= questions, "{told:?}");
    let mut answers: Vec<String> = told.into_iter().map(str::to_owned).collect();
    answers.resize(questions, "unknown".to_owned());
    answers
}

/// Units of work for a question of the problems' proofs, and for one of all other proofs.
const MANY_UNITS: u64 = 4_000_000;
const FEW_UNITS: u64 = 400_000;

/// How many steps of proofs z3 was asked about, and how many it left open.
#[derive(Default)]
struct Count {
    steps: usize,
    open: usize,
}

impl Count {
    fn add(&mut self, stronger: &IsoLevel, weaker: &IsoLevel, answers: &[String]) {
        let told = format!("{} ⇒ {}: {answers:?}", stronger.name, weaker.name);
        assert!(answers.iter().all(|answer| answer == "unsat" || answer == "unknown"), "{told}");
        self.steps += answers.len();
        self.open += answers.iter().filter(|answer| *answer == "unknown").count();
    }

    fn expect_most(&self) {
        let Self { steps, open } = self;
        println!("{steps} steps of proofs, of which z3 leaves {open} open");
        assert!(open * 2 < *steps, "z3 accepts only {} of {steps} steps", steps - open);
    }
}

#[test]
fn z3_accepts_the_proofs_of_the_problems() {
    let Some(z3) = z3() else { return };
    let mut count = Count::default();
    for (stronger, weaker) in unanswered() {
        let proof = prove(&stronger, &weaker).expect("it is proved");
        let answers = answers(&z3, &stronger, &weaker, &proof, MANY_UNITS);
        count.add(&stronger, &weaker, &answers);
    }
    count.expect_most();
}

#[test]
fn z3_contradicts_no_proof() {
    let Some(z3) = z3() else { return };
    let mut count = Count::default();
    for (stronger, weaker) in pairs() {
        let Some(proof) = prove(&stronger, &weaker) else { continue };
        let answers = answers(&z3, &stronger, &weaker, &proof, FEW_UNITS);
        count.add(&stronger, &weaker, &answers);
    }
    count.expect_most();
}

#[test]
fn z3_refuses_a_proof_of_something_else() {
    let Some(z3) = z3() else { return };
    let (ser, si) = (level("be-ser"), level("be-si"));
    let proof = prove(&ser, &si).expect("it is proved");
    let wrong = answers(&z3, &si, &ser, &proof, FEW_UNITS);
    assert!(wrong.iter().any(|answer| answer != "unsat"), "snapshots are not serializable");
}
