//! Random abstract histories.

use tristan_generate::Rng;
use tristan_synth::{AbstractHistory, AbstractTxn, Event, Read, key_names};

/// How many histories, levels or questions: `TRISTAN_HISTORIES`, or else a few.
pub fn count(few: u64) -> u64 {
    std::env::var("TRISTAN_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// A history of two to five transactions, one to three keys; some are in sessions, some have
/// times.
pub fn random_history(rng: &mut Rng) -> AbstractHistory {
    let (txns, keys) = (2 + below(rng, 4), 1 + below(rng, 3));
    let written: Vec<Vec<usize>> =
        (0..txns).map(|_| (0..keys).filter(|_| rng.percent(45)).collect()).collect();
    let mut history = AbstractHistory {
        keys: key_names(keys),
        txns: Vec::new(),
        sessions: sessions(rng, txns),
        events: Vec::new(),
    };
    for number in 1..=txns {
        let reads = reads(rng, &written, number, keys);
        let writes = written[number - 1].clone();
        history.txns.push(AbstractTxn { reads, writes, promise: None });
    }
    if rng.percent(50) {
        history.events = events(rng, &history);
    }
    history
}

fn reads(rng: &mut Rng, written: &[Vec<usize>], number: usize, keys: usize) -> Vec<Read> {
    let mut reads = Vec::new();
    for key in (0..keys).filter(|_| rng.percent(60)).collect::<Vec<_>>() {
        let writers = (1..=written.len())
            .filter(|&other| other != number && written[other - 1].contains(&key));
        let sources: Vec<usize> = std::iter::once(0).chain(writers).collect();
        reads.push(Read { key, from: sources[below(rng, sources.len())] });
    }
    if rng.percent(50) {
        reads.reverse();
    }
    reads
}

fn sessions(rng: &mut Rng, txns: usize) -> Vec<Vec<usize>> {
    let mut sessions: Vec<Vec<usize>> = Vec::new();
    for number in 1..=txns {
        let place = below(rng, sessions.len() + 1);
        match sessions.get_mut(place) {
            Some(session) => session.push(number),
            None => sessions.push(vec![number]),
        }
    }
    sessions
}

/// Begins and commits in some order in which nobody begins before the one before it in its session
/// has committed.
fn events(rng: &mut Rng, history: &AbstractHistory) -> Vec<Event> {
    let mut events = Vec::new();
    let txns = history.txns.len();
    while events.len() < 2 * txns {
        let number = 1 + below(rng, txns);
        let ready = (1..=txns)
            .filter(|&other| history.precedes(other, number))
            .all(|other| events.contains(&Event::Commit(other)));
        if !ready || events.contains(&Event::Commit(number)) {
            continue;
        }
        let next = match events.contains(&Event::Begin(number)) {
            true => Event::Commit(number),
            false => Event::Begin(number),
        };
        events.push(next);
    }
    events
}

fn below(rng: &mut Rng, count: usize) -> usize {
    usize::try_from(rng.below(count as u64)).unwrap_or(0)
}
