//! A pass changes the way to a verdict, never the verdict.

#![allow(clippy::panic, reason = "helpers of tests")]

use tristan_certify::{Certified, certify};
use tristan_check::{Options, Pass, Passes, Silent, check};
use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::History;
use tristan_oracle::random;
use tristan_spec::{Catalog, Level};

const SEED: u64 = 9_000_001;

/// How many histories: `TRISTAN_HISTORIES`, by default enough for a quick look.
fn histories() -> u64 {
    std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

/// Levels judged per history; every level has its turn.
const LEVELS_PER_HISTORY: u64 = 4;

/// None, each alone, each left out, all.
fn configurations() -> Vec<Passes> {
    let mut all = vec![Passes::default(), Passes::only(&[])];
    for pass in Pass::ALL {
        all.push(Passes::only(&[pass]));
        all.push(format!("-{}", pass.name()).parse().expect("a pass is left out"));
    }
    all
}

fn judge(history: &History, level: &Level, passes: &Passes) -> Certified {
    let options = Options { passes: passes.clone(), ..Options::default() };
    let verdict = check(history, level, &options, &Silent).verdict;
    let certified = certify(history, level, 0, &verdict);
    certified.unwrap_or_else(|refused| {
        let (name, json) = (&level.name, verdict.to_json());
        panic!("passes '{passes}', {name}: {refused}\n{json}\n{}", show(history))
    })
}

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

#[test]
fn passes_change_no_verdict() {
    let levels = Catalog::default().levels();
    let configurations = configurations();
    println!("seed {SEED}, {} histories, {} lists of passes", histories(), configurations.len());
    let mut turn = 0;
    for number in 0..histories() {
        let history = random::history(&mut Rng::new(SEED + number), Default::default());
        for _ in 0..LEVELS_PER_HISTORY {
            let level = &levels[turn % levels.len()];
            turn += 1;
            let expected = judge(&history, level, &configurations[0]);
            assert_ne!(expected, Certified::NothingToCheck, "{}\n{}", level.name, show(&history));
            for passes in &configurations[1..] {
                assert_eq!(
                    judge(&history, level, passes),
                    expected,
                    "history {number}, {}, passes '{passes}'\n{}",
                    level.name,
                    show(&history)
                );
            }
        }
    }
}
