//! Written levels (`.iso`), judged by trying every witness.
//!
//! ```text
//!   History ─► where each read came from ─► every order, every relation ─► do all checks hold?
//! ```
//!
//! Slow and plain: nothing is compiled, and nothing is solved. Relations are tried subset by
//! subset; only pairs that a check of the form `r in vis` demands, or `vis in r` rules out, are
//! not varied.

mod evaluate;
mod facts;
mod matrix;
mod witness;

use tristan_history::{History, TxnId};
use tristan_spec::ReadRule;
use tristan_spec::iso::IsoLevel;

use crate::Judgement;
use crate::orders::Flow;
use crate::reading::{self, Explained, Reading, Scene};
use crate::relations::Rel;
use crate::script::Script;
use facts::Facts;

/// Judges a written level; `drift` is how far apart two clocks may be.
///
/// Levels that allow dirty reads and histories with lists are not supported.
pub fn judge_written(history: &History, level: &IsoLevel, drift: i64) -> Judgement {
    let Some(readings) = reading::readings(history) else { return Judgement::Unsupported };
    if level.reads != ReadRule::Committed {
        return Judgement::Unsupported;
    }
    let effective_sets = reading::effective_sets(history);
    let mut judged = readings.flat_map(|Reading { history, scripts }| {
        let judge =
            |effective: &Vec<TxnId>| judge_effective(&history, &scripts, effective, level, drift);
        effective_sets.iter().map(judge).collect::<Vec<_>>()
    });
    judged.find(|judgement| *judgement != Judgement::Reject).unwrap_or(Judgement::Reject)
}

/// Judges the level as if exactly these transactions had taken effect.
fn judge_effective(
    history: &History,
    scripts: &[Script],
    effective: &[TxnId],
    level: &IsoLevel,
    drift: i64,
) -> Judgement {
    if effective.iter().any(|txn| scripts[txn.index()].wrong) {
        return Judgement::Reject;
    }
    let Some(scene) = Scene::read(history, scripts, effective, drift) else {
        return Judgement::Reject;
    };
    if scene.shown != Rel::default() {
        return Judgement::Unsupported;
    }
    let promised = facts::promises(history, effective);
    let mut answer = Judgement::Reject;
    // The visitor stops early once the answer is known.
    let _ = scene.sourced(&mut |explained: &Explained<'_>| {
        answer = judge_facts(&Facts::of(explained, &promised), level);
        if answer == Judgement::Reject { Flow::Continue(()) } else { Flow::Break(()) }
    });
    answer
}

fn judge_facts(facts: &Facts, level: &IsoLevel) -> Judgement {
    match witness::exists(level, facts) {
        None => Judgement::Unsupported,
        Some(true) => Judgement::Accept,
        Some(false) => Judgement::Reject,
    }
}
