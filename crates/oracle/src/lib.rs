//! A second, independent judge: brute force over small histories, used by tests only.
//!
//! ```text
//!   History ─► which indeterminate operations took effect ─► which unknown transactions did
//!           ─► where each read came from ─► a witness: commit order, version order
//!           ─► the axioms, as their sources state them
//! ```
//!
//! Nothing here looks at a level's formula or shares code with the engine: every level is
//! written again from its definition, in the framework its authors used.
//!
//! ```
//! use tristan_history::{HistoryBuilder, Outcome};
//! use tristan_oracle::{Judgement, judge};
//! use tristan_spec::Catalog;
//!
//! let mut builder = HistoryBuilder::default();
//! builder.begin("a").get("x", None).put("x", 1).end(Outcome::Committed);
//! builder.begin("b").get("x", None).put("x", 2).end(Outcome::Committed);
//! let lost_update = builder.finish();
//! let catalog = Catalog::default();
//! let level = catalog.find("snapshot-isolation").expect("it is in the library");
//! assert_eq!(judge(&lost_update, &level, 0), Judgement::Reject);
//! ```

mod axioms;
mod fates;
mod key_order;
pub mod litmus;
mod orders;
pub mod random;
mod ranges;
mod reading;
mod register;
mod relations;
#[cfg(test)]
mod replay;
mod script;
mod written;

use tristan_history::{History, TxnId};
use tristan_spec::Level;

use axioms::{Demand, Question, commit_order, dirty, mixed, phenomena};
use orders::Flow;
use reading::{Reading, Scene};
pub use written::judge_written;

/// What the oracle says about a history and a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Some witness shows that the level was kept.
    Accept,
    /// There is no witness.
    Reject,
    /// The oracle does not know the level, or does not interpret the history: more than eight
    /// transactions that may have committed, more than eight indeterminate operations, an element
    /// appended twice to a key, a key used both as a list and as a register, a list under a key
    /// that a range read looked at; for mixed levels also a transaction that was promised none of
    /// the four.
    Unsupported,
}

/// Judges one level; `drift` is how far apart two clocks may be.
pub fn judge(history: &History, level: &Level, drift: i64) -> Judgement {
    judge_all(history, std::slice::from_ref(level), drift)[0]
}

/// Judges many levels at once, in the order given.
pub fn judge_all(history: &History, levels: &[Level], drift: i64) -> Vec<Judgement> {
    let mut judgements = vec![Judgement::Unsupported; levels.len()];
    let Some(readings) = reading::readings(history) else {
        return judgements;
    };
    let promised = mixed::promises(history).is_some();
    let mut open: Vec<Question> = levels
        .iter()
        .enumerate()
        .filter_map(|(place, level)| Question::of(place, level))
        .filter(|question| promised || question.demand != Demand::Mixed)
        .collect();
    for question in &open {
        judgements[question.place] = Judgement::Accept;
    }
    for reading in readings {
        for effective in reading::effective_sets(history) {
            if open.is_empty() {
                return judgements;
            }
            settle(&reading, &effective, drift, &mut open);
        }
    }
    for question in open {
        judgements[question.place] = Judgement::Reject;
    }
    judgements
}

/// Removes the questions settled when exactly these operations and transactions took effect.
fn settle(reading: &Reading<'_>, effective: &[TxnId], drift: i64, open: &mut Vec<Question>) {
    let Reading { history, scripts } = reading;
    if effective.iter().any(|txn| scripts[txn.index()].wrong) {
        return;
    }
    let bare = Scene::without_reads(history, scripts, effective, drift);
    dirty::settle(history, scripts, effective, &bare, open);
    mixed::settle(history, scripts, effective, drift, open);
    let Some(scene) = Scene::read(history, scripts, effective, drift) else { return };
    // The visitor stops early once nothing is open.
    let _ = scene.explanations(&mut |explained| {
        commit_order::settle(explained, open);
        phenomena::settle(explained, open);
        if open.is_empty() { Flow::Break(()) } else { Flow::Continue(()) }
    });
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
