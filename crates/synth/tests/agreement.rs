//! Three judges agree on random small histories: levels as they are written and judged here, brute
//! force, and the fast engine.

#![allow(clippy::panic, clippy::print_stdout)]

use crate::common;

use tristan_check::{Options, Silent, check_levels};
use tristan_generate::Rng;
use tristan_history::History;
use tristan_oracle::{Judgement, judge_all, random};
use tristan_spec::iso::{IsoLevel, Library};
use tristan_spec::{Catalog, Strength};
use tristan_synth::gates::SearchBudget;
use tristan_synth::{AbstractHistory, JudgeError, ObservedVerdict, judge_history, keeps, rewrite};
use tristan_verdict::Answer;

/// Levels of other frameworks, and the dependency level that each of them is.
const SAME: [(&str, &str); 12] = [
    ("be-ra", "read-atomic"),
    ("be-cc", "causal"),
    ("be-pc", "prefix"),
    ("be-si", "snapshot-isolation"),
    ("be-ser", "serializable"),
    ("cerone-ra", "read-atomic"),
    ("cerone-ua", "update-atomic"),
    ("cerone-cc", "causal"),
    ("cerone-psi", "parallel-si"),
    ("cerone-pc", "prefix"),
    ("cerone-si", "snapshot-isolation"),
    ("cerone-ser", "serializable"),
];

/// Levels that exist in one strength only, and the dependency level that each of them is.
const ALSO: [(&str, &str); 14] = [
    ("crooks-rc", "read-committed"),
    ("crooks-ra", "plain-read-atomic"),
    ("crooks-psi", "consistent-view"),
    ("crooks-si", "snapshot-isolation"),
    ("crooks-ansi-si", "generalized-snapshot-isolation"),
    ("crooks-session-si", "strong-session-generalized-snapshot-isolation"),
    ("crooks-strong-si", "strong-generalized-snapshot-isolation"),
    ("crooks-ser", "serializable"),
    ("crooks-sser", "strong-serializable"),
    ("vv-ryw", "read-your-writes"),
    ("vv-mr", "monotonic-reads"),
    ("vv-mw", "monotonic-writes"),
    ("vv-wfr", "writes-follow-reads"),
    ("vv-pram", "read-atomic"),
];

/// The levels of the catalog, each with all ways to write it.
fn levels() -> (Vec<tristan_spec::Level>, Vec<Vec<IsoLevel>>) {
    let library = Library::standard();
    let catalog = Catalog::default().levels();
    let written = catalog
        .iter()
        .map(|level| {
            let mut ways = vec![library.find(&level.name).expect("it has the same name")];
            for (name, family) in SAME.iter().filter(|(_, family)| *family == level.family) {
                let (definition, _) = library.find_definition(name).expect(name);
                let strength = level.strength.unwrap_or(Strength::Plain);
                assert!(definition.strengths().contains(&strength), "{name} {family}");
                ways.push(definition.level(strength).clone());
            }
            let also = ALSO.iter().filter(|(_, same)| *same == level.name);
            ways.extend(also.map(|(name, _)| library.find(name).expect(name)));
            ways
        })
        .collect();
    (catalog, written)
}

/// Who accepts, by brute force and by the engine, which must agree.
fn expected(history: &History, levels: &[tristan_spec::Level]) -> Vec<Option<bool>> {
    let judged = judge_all(history, levels, 0);
    let checked = check_levels(history, levels, &Options::default(), &Silent);
    judged
        .into_iter()
        .zip(checked)
        .map(|(judgement, report)| {
            let accepted = match report.verdict.answer {
                Answer::Accept { .. } => Some(true),
                Answer::Reject { .. } => Some(false),
                _ => None,
            };
            match judgement {
                Judgement::Accept => assert_eq!(accepted, Some(true)),
                Judgement::Reject => assert_eq!(accepted, Some(false)),
                Judgement::Unsupported => {}
            }
            accepted
        })
        .collect()
}

#[test]
fn all_judges_agree_on_abstract_histories() {
    let (seed, count) = (7_001, common::count(1_500));
    println!("seed {seed}, {count} histories");
    let (catalog, written) = levels();
    let budget = SearchBudget::default();
    for number in 0..count {
        let history = common::random_history(&mut Rng::new(seed + number));
        let native = history.to_native();
        for (accepted, ways) in expected(&native, &catalog).into_iter().zip(&written) {
            for way in ways {
                let kept = keeps(way, &history, &budget).ok();
                assert_eq!(kept, accepted, "seed {} {}: {history}", seed + number, way.name);
            }
        }
    }
}

#[test]
fn all_forms_of_a_level_agree() {
    let (seed, count) = (9_001, common::count(400));
    println!("seed {seed}, {count} histories");
    let budget = SearchBudget::default();
    let definitions = Library::standard().definitions();
    let levels: Vec<&IsoLevel> = definitions.flat_map(|one| one.levels()).collect();
    let forms: Vec<[IsoLevel; 3]> = levels
        .iter()
        .map(|level| {
            [
                rewrite::eliminate_relations(level),
                rewrite::simplest(level),
                rewrite::textbook(level),
            ]
        })
        .collect();
    for number in 0..count {
        let history = common::random_history(&mut Rng::new(seed + number));
        for (level, forms) in levels.iter().zip(&forms) {
            let kept = keeps(level, &history, &budget);
            for form in forms {
                let same = keeps(form, &history, &budget);
                assert_eq!(same, kept, "seed {} {}: {history}", seed + number, level.name);
            }
        }
    }
}

/// What the judge says about a history of clients, if it knows.
fn verdict(level: &IsoLevel, history: &History) -> Option<bool> {
    match judge_history(level, history, &SearchBudget::default()) {
        ObservedVerdict::Holds(_) => Some(true),
        ObservedVerdict::Violated(_) | ObservedVerdict::WrongRead(_) => Some(false),
        ObservedVerdict::Unknown(JudgeError::Limit(stop)) => panic!("{stop}"),
        ObservedVerdict::Unknown(_) => None,
    }
}

#[test]
fn all_judges_agree_on_what_clients_saw() {
    let (seed, count) = (3_000_001, common::count(4_000));
    println!("seed {seed}, {count} histories");
    let (catalog, written) = levels();
    let mut known = 0;
    for number in 0..count {
        let mut rng = Rng::new(seed + number);
        let history = random::history(&mut rng, random::RandomShape::default());
        if verdict(&written[0][0], &history).is_none() {
            continue;
        }
        known += 1;
        for (accepted, ways) in expected(&history, &catalog).into_iter().zip(&written) {
            for way in ways {
                let judged = verdict(way, &history);
                let fits = judged.is_none() || accepted.is_none() || judged == accepted;
                assert!(
                    fits,
                    "seed {} {}: {judged:?} {accepted:?}\n{history:?}",
                    seed + number,
                    way.name
                );
            }
        }
    }
    println!("{known} of them known to the judge");
    assert!(known > 300, "{known}");
}

#[test]
fn mixed_levels_agree() {
    let (seed, count) = (5_000_001, common::count(2_000));
    let catalog = Catalog::default();
    let names = ["mixed", "strong-session-mixed", "strong-mixed"];
    let levels: Vec<_> = names.iter().map(|name| catalog.find(name).expect(name)).collect();
    let written: Vec<IsoLevel> =
        names.iter().map(|name| Library::standard().find(name).expect(name)).collect();
    let shape = random::RandomShape { levels: true, ..random::RandomShape::default() };
    let mut known = 0;
    for number in 0..count {
        let history = random::history(&mut Rng::new(seed + number), shape);
        for (accepted, level) in expected(&history, &levels).into_iter().zip(&written) {
            let judged = verdict(level, &history);
            known += usize::from(judged.is_some());
            let fits = judged.is_none() || accepted.is_none() || judged == accepted;
            assert!(
                fits,
                "seed {} {}: {judged:?} {accepted:?}\n{history:?}",
                seed + number,
                level.name
            );
        }
    }
    println!("{known} verdicts known to the judge");
    assert!(known > 300, "{known}");
}

#[test]
fn abstract_histories_survive_the_way_there_and_back() {
    for seed in 0..300 {
        let mut history: AbstractHistory =
            common::random_history(&mut Rng::new(seed)).renumbered().0;
        history.events.clear();
        let back = tristan_synth::abstracted(&history.to_native()).expect("values are unique");
        assert_eq!(back.to_string(), history.to_string());
    }
}
