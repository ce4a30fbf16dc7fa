//! What must hold on random histories: implications between levels, a healthy mix of verdicts.

use std::collections::BTreeMap;

use tristan_history::{History, generate::Rng};
use tristan_oracle::{Judgement, judge_all, random};
use tristan_spec::{Catalog, Level, lattice::Lattice};

const SEED: u64 = 1;
const ROUNDS: usize = 20_000;

fn for_each_history(visit: &mut dyn FnMut(usize, &History, &[Level], &[Judgement])) {
    let levels = Catalog::default().levels();
    let mut rng = Rng::new(SEED);
    for round in 0..ROUNDS {
        let history = random::history(&mut rng, random::RandomShape::default());
        let judged = judge_all(&history, &levels, 0);
        visit(round, &history, &levels, &judged);
    }
}

#[test]
fn every_implication_of_the_lattice_holds() {
    let levels = Catalog::default().levels();
    let place: BTreeMap<&str, usize> =
        levels.iter().enumerate().map(|(at, level)| (level.name.as_str(), at)).collect();
    let lattice = Lattice::default();
    let pairs: Vec<(usize, usize)> =
        lattice.pairs().map(|(stronger, weaker)| (place[stronger], place[weaker])).collect();
    let mut broken: BTreeMap<(usize, usize), (usize, String)> = BTreeMap::new();
    for_each_history(&mut |round, history, _, judged| {
        for &(stronger, weaker) in &pairs {
            if judged[stronger] == Judgement::Accept && judged[weaker] == Judgement::Reject {
                let entry = broken.entry((stronger, weaker)).or_default();
                entry.0 += 1;
                if entry.1.is_empty() || history.ops.len() < 6 {
                    entry.1 = format!("round {round}: {history:?}");
                }
            }
        }
    });
    let report: Vec<String> = broken
        .iter()
        .map(|(&(a, b), (n, _))| {
            format!("{} => {} fails {n} times", levels[a].name, levels[b].name)
        })
        .collect();
    assert!(broken.is_empty(), "seed {SEED}:\n{}\n{:?}", report.join("\n"), broken.values().next());
}

#[test]
fn every_level_accepts_some_and_rejects_some() {
    let mut accepted: BTreeMap<String, usize> = BTreeMap::new();
    let mut judged_histories = 0;
    for_each_history(&mut |_, _, levels, judged| {
        judged_histories += usize::from(!judged.contains(&Judgement::Unsupported));
        for (level, judgement) in levels.iter().zip(judged) {
            *accepted.entry(level.name.clone()).or_default() +=
                usize::from(*judgement == Judgement::Accept);
        }
    });
    assert_eq!(judged_histories, ROUNDS);
    for (name, count) in &accepted {
        let percent = 100 * count / ROUNDS;
        assert!((5..=95).contains(&percent), "{name}: {percent} % in {accepted:#?}");
    }
}
