//! The judge and brute force agree on every level of the library: one asks a SAT solver, the other
//! tries every witness.

#![allow(clippy::print_stdout)]

use tristan_formats as formats;
use tristan_generate::Rng;
use tristan_history::History;
use tristan_oracle::{Judgement, judge_written, random};
use tristan_spec::iso::{Definition, IsoLevel, Library};
use tristan_synth::gates::SearchBudget;
use tristan_synth::{ObservedVerdict, judge_history};

fn show(history: &History) -> String {
    let mut text = Vec::new();
    formats::write(history, formats::WriteForm::Simple, &mut text).expect("memory does not fail");
    format!("{:?}\n{}", history.header, String::from_utf8_lossy(&text))
}

#[test]
fn the_judge_and_brute_force_agree_on_every_level() {
    let asked = std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse::<u64>().ok());
    let (seed, count) = (9_001, asked.unwrap_or(15_000) / 50);
    let levels: Vec<&IsoLevel> =
        Library::standard().definitions().flat_map(Definition::levels).collect();
    println!("seed {seed}, {count} histories, {} levels", levels.len());
    let shape = random::RandomShape {
        txns: 4,
        keys: 2,
        sessions: 3,
        ops: 3,
        explanations: 12,
        ..random::RandomShape::default()
    };
    let (mut judged, mut rejected) = (0_u64, 0_u64);
    for number in 0..count {
        let history = random::history(&mut Rng::new(seed + number), shape);
        for level in &levels {
            let expected = match judge_history(level, &history, &SearchBudget::default()) {
                ObservedVerdict::Holds(_) => Judgement::Accept,
                ObservedVerdict::Violated(_) | ObservedVerdict::WrongRead(_) => Judgement::Reject,
                ObservedVerdict::Unknown(_) => continue,
            };
            let found = judge_written(&history, level, 0);
            if found == Judgement::Unsupported {
                continue;
            }
            judged += 1;
            rejected += u64::from(found == Judgement::Reject);
            let told = show(&history);
            assert_eq!(found, expected, "seed {seed} history {number}: {}\n{told}", level.name);
        }
    }
    println!("{judged} judgements, {rejected} of them rejections");
    assert!(rejected > count && judged > rejected + count, "both answers are common");
}
