//! The engine and an SMT solver agree on random small histories.
//!
//! Needs `z3` on the path, or its place in `TRISTAN_Z3`; skipped without it. The
//! number of histories can be set by `TRISTAN_SMT_HISTORIES`, the first seed by
//! `TRISTAN_SMT_SEED`.

#![allow(clippy::panic)]

use std::io::Write as _;
use std::process::{Command, Stdio};

use tristan_check::{Options, Silent, check, emit};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::History;
use tristan_oracle::random;
use tristan_spec::{Catalog, Level};
use tristan_testkit::z3;
use tristan_verdict::Answer;

/// What the engine said about one problem, and the problem.
struct Question {
    seed: u64,
    level: String,
    accepted: bool,
    history: History,
    script: String,
}

/// One process for many scripts; one answer each.
fn answers(z3: &str, questions: &[Question]) -> Vec<String> {
    let mut process = Command::new(z3)
        // A limit that no machine reaches: how much z3 may try is not a question of time.
        .args(["-in", "-T:1200"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it answered --version");
    let scripts: Vec<String> =
        questions.iter().map(|question| format!("(reset)\n{}", question.script)).collect();
    let mut input = process.stdin.take().expect("piped");
    // A thread, so that neither side waits for the other to empty its pipe.
    let writer = std::thread::spawn(move || input.write_all(scripts.concat().as_bytes()));
    let output = process.wait_with_output().expect("z3 ends when its input does");
    let written = writer.join().expect("the writer does not panic");
    let text = String::from_utf8(output.stdout).expect("z3 answers in ASCII");
    assert!(written.is_ok(), "z3 stopped early: {text}");
    text.lines().map(str::to_owned).collect()
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

/// The problem a level poses on a history; `None` if the engine leaves it open.
fn question(seed: u64, history: &History, level: &Level) -> Option<Question> {
    let options = Options::default();
    let accepted = match check(history, level, &options, &Silent).verdict.answer {
        Answer::Accept { .. } => true,
        Answer::Reject { .. } => false,
        _ => return None,
    };
    let script = emit::smt2(history, level, &options).expect("every promise is known");
    Some(Question { seed, level: level.name.clone(), accepted, history: history.clone(), script })
}

fn compare(z3: &str, questions: &[Question]) {
    let answers = answers(z3, questions);
    assert_eq!(answers.len(), questions.len(), "z3 says {answers:?}");
    for (question, answer) in questions.iter().zip(answers) {
        // A script about some fates of operations shows an accept, and no reject.
        let partial = question.script.contains("other fates pose other problems");
        if partial && answer == "unsat" {
            continue;
        }
        let expected = if question.accepted { "sat" } else { "unsat" };
        assert_eq!(
            answer,
            expected,
            "seed {} level {}: z3 and the engine differ on\n{}\n{}",
            question.seed,
            question.level,
            show(&question.history),
            question.script
        );
    }
}

#[test]
fn z3_agrees_with_the_engine() {
    let Some(z3) = z3() else { return };
    let mut levels = Catalog::default().levels();
    let mixed = ["plain-mixed", "strong-session-mixed", "strong-mixed"];
    levels.extend(mixed.map(|name| Catalog::default().find(name).expect("it has a name")));
    let (first, count) = (number("TRISTAN_SMT_SEED", 90_000), number("TRISTAN_SMT_HISTORIES", 300));
    // The next few levels in turn, so that every level is asked about.
    let per_history = 7;
    println!("seed {first}, {count} histories, {per_history} of {} levels each", levels.len());
    let shape = random::RandomShape { levels: true, ..Default::default() };
    let mut batch = Vec::new();
    let (mut accepted, mut rejected, mut open) = (0, 0, 0);
    for index in 0..count {
        let seed = first + index;
        let history = random::history(&mut Rng::new(seed), shape);
        for turn in 0..per_history {
            let level = &levels[(index as usize * per_history + turn) % levels.len()];
            match question(seed, &history, level) {
                None => open += 1,
                Some(question) => {
                    *(if question.accepted { &mut accepted } else { &mut rejected }) += 1;
                    batch.push(question);
                }
            }
        }
        if batch.len() >= 100 || index + 1 == count {
            compare(&z3, &batch);
            batch.clear();
        }
    }
    println!("{accepted} accepted, {rejected} rejected, {open} left open");
    assert!(count < 100 || (accepted > 0 && rejected > 0), "both answers occur");
}
