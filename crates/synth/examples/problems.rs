//! Answers the benchmark problems and prints what that took.
//!
//! `cargo run --release -p tristan-synth --example problems [least txns] [most txns]`

#![allow(clippy::print_stdout)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tristan_synth::gates::Limits;
use tristan_synth::problems::{PROBLEMS, Problem};
use tristan_synth::{Outcome, Synthesis, synthesise};

fn main() {
    let mut sizes = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (least, most) = (sizes.next().unwrap_or(3), sizes.next().unwrap_or(10));
    let tasks: Vec<(Problem, usize)> = PROBLEMS
        .iter()
        .flat_map(|problem| (least..=most).map(move |txns| (*problem, txns)))
        .collect();
    let started = Instant::now();
    let wrong = run(&tasks);
    let total = started.elapsed().as_secs_f64();
    println!("{} questions, {wrong} wrong answers, {total:.1} s", tasks.len());
}

/// Answers all questions on two threads; the number of wrong answers.
fn run(tasks: &[(Problem, usize)]) -> usize {
    let next = AtomicUsize::new(0);
    let wrong = AtomicUsize::new(0);
    let slowest = Mutex::new(0f64);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((problem, txns)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = Instant::now();
                    let limits =
                        Limits { time: Some(Duration::from_secs(600)), ..Limits::default() };
                    let synthesis = synthesise(&problem.query(*txns), &limits);
                    let seconds = started.elapsed().as_secs_f64();
                    let right = report(problem, *txns, &synthesis, seconds);
                    wrong.fetch_add(usize::from(!right), Ordering::Relaxed);
                    if let Ok(mut slowest) = slowest.lock() {
                        *slowest = slowest.max(seconds);
                    }
                }
            });
        }
    });
    println!("slowest: {:.2} s", slowest.into_inner().unwrap_or_default());
    wrong.into_inner()
}

fn report(problem: &Problem, txns: usize, synthesis: &Synthesis, seconds: f64) -> bool {
    let (verdict, found) = match &synthesis.outcome {
        Outcome::Found(answer) => (answer.history.to_string(), Some(true)),
        Outcome::None => ("none".to_owned(), Some(false)),
        Outcome::Unknown(reason) => (reason.to_string(), None),
    };
    let right = found == Some(problem.has_answer(txns));
    let mark = if right { "" } else { " WRONG" };
    let (name, candidates) = (problem.name(), synthesis.candidates);
    println!("{name:42} {txns:2} txns {candidates:4} candidates {seconds:6.2} s{mark}  {verdict}");
    right
}
