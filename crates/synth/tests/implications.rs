//! The table of implications between the levels of the library is what can be proved: each entry,
//! and nothing else.

use tristan_check::{Options, Silent, check_levels};
use tristan_generate::Rng;
use tristan_history::History;
use tristan_oracle::random;
use tristan_spec::iso::Library;
use tristan_spec::lattice::Lattice;
use tristan_spec::{Catalog, Level};
use tristan_synth::proof::prove;
use tristan_verdict::Answer;

/// Whether the first level is proved to imply the second with the same order of versions and
/// whatever times are known. Proofs are about histories without range reads.
fn is_proved(stronger: &Level, weaker: &Level) -> bool {
    let find = |level: &Level| Library::standard().find(&level.name).expect("a level");
    let proof = prove(&find(stronger), &find(weaker));
    proof.is_some_and(|proof| {
        let same = proof.lines().iter().any(|line| line == "vo[x] := vo[x]");
        same && !proof.timed
    })
}

/// Implications that follow from no two others. The rest follows from these.
fn covering<'l>(lattice: &Lattice, levels: &'l [Level]) -> Vec<(&'l Level, &'l Level)> {
    let implies = |a: &Level, b: &Level| lattice.implies(&a.name, &b.name);
    let strictly = |a: &Level, b: &Level| implies(a, b) && !implies(b, a);
    let covers = |a: &Level, b: &Level| {
        let between = |c: &&Level| strictly(a, c) && strictly(c, b);
        a.name != b.name && implies(a, b) && (implies(b, a) || !levels.iter().any(|c| between(&c)))
    };
    let pairs = levels.iter().flat_map(|a| levels.iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| covers(a, b)).collect()
}

#[test]
fn every_implication_of_the_table_is_proved() {
    let levels = Catalog::default().levels();
    let pairs = covering(Lattice::of_items(), &levels);
    assert!(pairs.len() > 50, "{} pairs", pairs.len());
    for (stronger, weaker) in pairs {
        let (a, b) = (&stronger.name, &weaker.name);
        assert!(is_proved(stronger, weaker), "lattice.rs says {a} => {b}, which cannot be proved");
    }
}

/// Random histories without range reads, with who accepts them.
fn judged(levels: &[Level]) -> Vec<Vec<bool>> {
    let accepts = |history: &History| -> Vec<bool> {
        let reports = check_levels(history, levels, &Options::default(), &Silent);
        let accept = |answer: &Answer| matches!(answer, Answer::Accept { .. });
        reports.iter().map(|report| accept(&report.verdict.answer)).collect()
    };
    let is_of_items = |history: &History| {
        use tristan_history::OpKind::{Iterate, Scan};
        !history.ops.iter().any(|op| matches!(op.kind, Scan { .. } | Iterate { .. }))
    };
    let seeds = 0..6000;
    let histories = seeds.map(|seed| random::history(&mut Rng::new(seed), Default::default()));
    histories.filter(is_of_items).map(|history| accepts(&history)).collect()
}

#[test]
fn no_implication_that_can_be_proved_is_missing() {
    let levels = Catalog::default().levels();
    let lattice = Lattice::of_items();
    let judged = judged(&levels);
    let mut open = 0;
    for (a, stronger) in levels.iter().enumerate() {
        for (b, weaker) in levels.iter().enumerate() {
            let pair = format!("{} => {}", stronger.name, weaker.name);
            let known = lattice.implies(&stronger.name, &weaker.name);
            let refuted = judged.iter().any(|accepted| accepted[a] && !accepted[b]);
            assert!(!(known && refuted), "lattice.rs says {pair}, but a history refutes it");
            if !known && !refuted {
                open += 1;
                let is_missing = is_proved(stronger, weaker);
                assert!(!is_missing, "lattice.rs lacks {pair}, which can be proved");
            }
        }
    }
    println!("{} histories leave {open} pairs to the prover", judged.len());
}
