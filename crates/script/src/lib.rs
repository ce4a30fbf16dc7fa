//! From a small trace to a script for two or three terminals that shows its anomaly.
//!
//! ```text
//!   smallest trace ──► schedule ──► statements, each with its terminal and what it saw
//!                         │
//!                         └── at which level does a correct database show exactly that?
//! ```
//!
//! Nothing is solved here: a search (`schedule.rs`) carries the trace out on a SQL server in miniature
//! (`server.rs`) at one level of the database after the other (`dialect.rs`), until it finds an
//! interleaving that returns what the trace says. If there is none, no level of a correct database
//! that we know of explains the trace, and the script says so.
//!
//! A [`Script`] is data; `tristan-report` writes it down.

mod dialect;
mod lines;
mod right;
mod schedule;
mod script;
mod server;
mod start;
mod state;
mod statement;
mod terminals;
#[cfg(test)]
mod tests;

use tristan_history::History;

pub use dialect::{Dialect, SqlLevel};
pub use script::{CorrectExecution, Difference, Event, Script, TerminalLine};
pub use statement::ScriptError;

use right::Right;
use schedule::Schedule;
use statement::Words;

/// The script of a larger trace would be too long to type.
const MOST_TXNS: usize = 30;
const MOST_OPS: usize = 150;

/// The script for a small trace, which violates a level.
///
/// # Errors
/// If the trace cannot be expressed in SQL, or is too large for a script.
pub fn script(level: &str, history: &History, dialect: Dialect) -> Result<Script, ScriptError> {
    let (txns, ops) = (history.txns.len(), history.ops.len());
    if txns > MOST_TXNS || ops > MOST_OPS {
        return Err(ScriptError::TooLarge { txns, ops });
    }
    let words = Words::of(history, dialect)?;
    let promising = dialect::promising(level);
    let found = reproduce(history, dialect);
    let is_explained = found.is_some();
    let (schedule, level) = found.unwrap_or_else(|| (schedule::retell(history), promising));
    let right = right::nearest(history, &schedule);
    Ok(Script {
        dialect,
        level,
        is_explained,
        promising,
        set_up: words.set_up(),
        lines: lines::lines(history, &words, &schedule, level),
        correct: right.map(|right| correct(history, &words, right)),
    })
}

/// An interleaving that shows what the trace says, at the strongest level that has one.
fn reproduce(history: &History, dialect: Dialect) -> Option<(Schedule, SqlLevel)> {
    dialect.visibilities().iter().find_map(|(visibility, level)| {
        schedule::reproduce(history, *visibility).map(|schedule| (schedule, *level))
    })
}

fn correct(history: &History, words: &Words<'_>, right: Right) -> CorrectExecution {
    let difference = |(txn, op, seen)| Difference {
        txn,
        operation: words.deed(txn, op),
        returns: words.told(&seen),
        saw: words.saw(&history.ops_of(txn)[op]).unwrap_or_default(),
    };
    let differences = right.other.into_iter().map(difference).collect();
    CorrectExecution { order: right.order, differences }
}

/// The example of the README, which is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
