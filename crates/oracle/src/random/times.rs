//! When each transaction ran. Commits are ten ticks apart, in commit order.

use tristan_generate::Rng;
use tristan_history::{Outcome, Span};

use crate::random::{
    mix::{Clock, Mix},
    plan::Planned,
};

const TICK: i64 = 10;

/// Begin and end of every transaction.
pub(crate) fn times(rng: &mut Rng, mix: &Mix, txns: &[Planned]) -> Vec<(Span, Span)> {
    let mut ends: Vec<(usize, i64)> = Vec::new();
    let mut spans = Vec::new();
    for (place, txn) in txns.iter().enumerate() {
        let commit = TICK * i64::try_from(place + 1).unwrap_or(0);
        let previous = ends.iter().rev().find(|(session, _)| *session == txn.session);
        let earliest = previous.map_or(i64::MIN, |&(_, end)| end + 1);
        let begin = (commit - small(rng, mix.overlap)).max(earliest).min(commit);
        let end = commit + small(rng, 9);
        ends.push((txn.session, end));
        spans.push(recorded(rng, mix, txn, [begin, commit, end]));
    }
    spans
}

/// What the trace keeps of `begin`, `commit` and `end` instants.
fn recorded(rng: &mut Rng, mix: &Mix, txn: &Planned, times: [i64; 3]) -> (Span, Span) {
    let [begin, commit, end] = times;
    let lost = |rng: &mut Rng| rng.percent(8);
    let mut spans = match mix.clock {
        Clock::None => return Default::default(),
        Clock::Wild => return wild(rng),
        Clock::Outer => (call(begin), ret(end)),
        Clock::Full => {
            let room = u64::try_from(commit - begin).unwrap_or(0);
            let begun = begin + small(rng, room + 1);
            let asked = begun + small(rng, u64::try_from(commit - begun).unwrap_or(0) + 1);
            let full = Span { call: Some(begin), ret: Some(begun).filter(|_| !lost(rng)) };
            (full, Span { call: Some(asked).filter(|_| !lost(rng)), ret: Some(end) })
        }
    };
    if lost(rng) {
        spans.0.call = None;
    }
    if lost(rng) || txn.outcome == Outcome::Unknown && rng.percent(70) {
        spans.1.ret = None;
    }
    spans
}

/// Any instants, but of one transaction in their natural order: no reader lets others pass.
fn wild(rng: &mut Rng) -> (Span, Span) {
    let mut instants = [(); 4].map(|()| small(rng, 60));
    instants.sort_unstable();
    let [call, ret, asked, end] = instants.map(|at| rng.percent(70).then_some(at));
    (Span { call, ret }, Span { call: asked, ret: end })
}

fn call(instant: i64) -> Span {
    Span { call: Some(instant), ret: None }
}

fn ret(instant: i64) -> Span {
    Span { call: None, ret: Some(instant) }
}

fn small(rng: &mut Rng, bound: u64) -> i64 {
    i64::try_from(rng.below(bound.max(1))).unwrap_or(0)
}
