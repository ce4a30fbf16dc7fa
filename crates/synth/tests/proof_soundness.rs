//! Whatever is proved holds on random small histories: none of them keeps the stronger level and
//! not the weaker one.
//!
//! The first seed can be set by `TRISTAN_PROOF_SEED`, the number of histories by
//! `TRISTAN_PROOF_HISTORIES`; with `TRISTAN_PROOF_ALL` every strength of every level takes part.

use tristan_generate::Rng;
use tristan_spec::Promise;
use tristan_spec::iso::{IsoLevel, Library};
use tristan_synth::gates::SearchBudget;
use tristan_synth::proof::prove;
use tristan_synth::{AbstractHistory, AbstractTxn, Event, Read, keeps, key_names};

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

fn levels() -> Vec<IsoLevel> {
    let definitions = Library::standard().definitions();
    if std::env::var("TRISTAN_PROOF_ALL").is_ok() {
        return definitions.flat_map(|definition| definition.levels().to_vec()).collect();
    }
    definitions.map(|definition| definition.itself().clone()).collect()
}

/// A history of up to four transactions, in which everybody reads from anybody.
fn history(rng: &mut Rng) -> AbstractHistory {
    let (txns, keys) = (2 + rng.below(3) as usize, 1 + rng.below(2) as usize);
    let writes: Vec<Vec<usize>> =
        (0..txns).map(|_| (0..keys).filter(|_| rng.percent(50)).collect()).collect();
    let sessions = sessions(rng, txns);
    AbstractHistory {
        keys: key_names(keys),
        txns: (1..=txns).map(|txn| transaction(rng, txn, keys, &writes)).collect(),
        events: if rng.percent(50) { events(rng, &sessions) } else { Vec::new() },
        sessions,
    }
}

fn transaction(rng: &mut Rng, txn: usize, keys: usize, writes: &[Vec<usize>]) -> AbstractTxn {
    let order = shuffled(rng, 0, keys);
    let mut reads = Vec::new();
    for key in order {
        let mut writers = vec![0];
        writers.extend((1..=writes.len()).filter(|&w| w != txn && writes[w - 1].contains(&key)));
        if rng.percent(60) {
            reads.push(Read { key, from: writers[rng.below(writers.len() as u64) as usize] });
        }
    }
    let promise = Promise::ALL[rng.below(4) as usize];
    AbstractTxn { reads, writes: writes[txn - 1].clone(), promise: Some(promise) }
}

fn sessions(rng: &mut Rng, txns: usize) -> Vec<Vec<usize>> {
    let mut sessions: Vec<Vec<usize>> = vec![Vec::new(); txns];
    for txn in shuffled(rng, 1, txns) {
        let session = rng.below(txns as u64) as usize;
        sessions[session].push(txn);
    }
    sessions.retain(|session| !session.is_empty());
    sessions
}

/// Numbers from `first` on, in any order.
fn shuffled(rng: &mut Rng, first: usize, count: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (first..first + count).collect();
    (0..count).map(|_| left.swap_remove(rng.below(left.len() as u64) as usize)).collect()
}

/// Sessions run side by side, each one transaction after the other.
fn events(rng: &mut Rng, sessions: &[Vec<usize>]) -> Vec<Event> {
    let mut left: Vec<Vec<Event>> = sessions
        .iter()
        .map(|session| {
            session.iter().rev().flat_map(|&t| [Event::Commit(t), Event::Begin(t)]).collect()
        })
        .collect();
    let mut events = Vec::new();
    while !left.is_empty() {
        let session = rng.below(left.len() as u64) as usize;
        events.extend(left[session].pop());
        left.retain(|session| !session.is_empty());
    }
    events
}

#[test]
fn no_random_history_contradicts_a_proof() {
    let levels = levels();
    let (first, count) =
        (number("TRISTAN_PROOF_SEED", 7_000), number("TRISTAN_PROOF_HISTORIES", 400));
    println!("seed {first}, {count} histories, {} levels", levels.len());
    let histories: Vec<AbstractHistory> =
        (first..first + count).map(|seed| history(&mut Rng::new(seed))).collect();
    let kept: Vec<Vec<bool>> = levels
        .iter()
        .map(|level| {
            let keeps = |history| keeps(level, history, &SearchBudget::default());
            histories.iter().map(|history| keeps(history).expect("there is no limit")).collect()
        })
        .collect();
    let (mut proved, mut separated, mut open) = (0, 0, Vec::new());
    for (a, stronger) in levels.iter().enumerate() {
        for (b, weaker) in levels.iter().enumerate() {
            let proof = prove(stronger, weaker);
            // Such a proof says nothing about histories without times.
            let timed = proof.as_ref().is_some_and(|proof| proof.timed);
            let counts = |h: &usize| !timed || !histories[*h].events.is_empty();
            let apart = (0..histories.len()).filter(counts).find(|&h| kept[a][h] && !kept[b][h]);
            match (proof, apart) {
                (Some(proof), Some(h)) => panic!(
                    "seed {}: {} keeps {} and not {}, but\n{proof}",
                    first + h as u64,
                    histories[h],
                    stronger.name,
                    weaker.name
                ),
                (Some(_), None) => proved += 1,
                (None, Some(_)) => separated += 1,
                (None, None) => open.push(format!("{} => {}", stronger.name, weaker.name)),
            }
        }
    }
    println!("{proved} proved, {separated} separated, {} open: {open:#?}", open.len());
    assert!(proved > levels.len() && separated > levels.len());
}
