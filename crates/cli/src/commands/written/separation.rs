//! A history that tells levels apart: for people, for programs, and as a trace.

use std::fs::{self, File};
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};
use tristan_formats::{self as formats, WriteForm};
use tristan_report::comparison::{LevelReason, Separation};
use tristan_spec::iso::IsoLevel;
use tristan_synth::{AbstractHistory, FoundHistory};

use super::counted;
use super::names::Names;
use crate::exit::{CommandError, OrExit};

/// The history with the levels that allow and forbid it, as text.
pub(crate) fn told(
    answer: &FoundHistory,
    allowing: &[IsoLevel],
    forbidding: &[IsoLevel],
) -> Separation {
    let history = &answer.history;
    let names = Names::of_found(history);
    let txn =
        |&number: &usize| (names.txn(number).to_owned(), history.operations_of(number).join(" "));
    let allowed = allowing.iter().zip(&answer.kept).map(|(level, witnesses)| LevelReason {
        level: level.name.clone(),
        lines: names.witnesses(witnesses),
        steps: Vec::new(),
    });
    let forbidden = forbidding.iter().zip(&answer.violated).map(|(level, violated)| LevelReason {
        level: level.name.clone(),
        lines: names.why(level, violated),
        steps: names.steps(&violated.evidence),
    });
    Separation {
        sessions: history.sessions.iter().map(|txns| txns.iter().map(txn).collect()).collect(),
        line: history.to_string(),
        clock: (!history.events.is_empty()).then(|| names.clock(&history.events)),
        size: size(history),
        allowed: allowed.collect(),
        forbidden: forbidden.collect(),
    }
}

fn size(history: &AbstractHistory) -> String {
    let count = |number: usize, what| counted(number as u64, what);
    let txns = count(history.txns.len(), "transaction");
    let keys = count(history.keys.len(), "key");
    format!("{txns}, {keys}, {}", count(history.operations(), "operation"))
}

/// The history with the levels that allow and forbid it, as JSON.
pub(crate) fn as_json(separation: &Separation) -> Value {
    let session = |txns: &Vec<(String, String)>| {
        let txn = |(name, ops): &(String, String)| {
            let ops: Vec<&str> = ops.split(' ').filter(|op| !op.is_empty()).collect();
            json!({ "txn": name, "ops": ops })
        };
        txns.iter().map(txn).collect::<Vec<Value>>()
    };
    let reasons = |reasons: &Vec<LevelReason>| {
        let reason = |reason: &LevelReason| json!({ "level": reason.level, "why": reason.lines });
        reasons.iter().map(reason).collect::<Vec<Value>>()
    };
    json!({
        "history": separation.line,
        "sessions": separation.sessions.iter().map(session).collect::<Vec<_>>(),
        "clock": separation.clock,
        "size": separation.size,
        "allowed": reasons(&separation.allowed),
        "forbidden": reasons(&separation.forbidden),
    })
}

/// Writes the history as a trace into a folder, which is made if need be.
pub(crate) fn write_trace(
    folder: &Path,
    name: &str,
    history: &AbstractHistory,
) -> Result<(), CommandError> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string()).or_unwritten()?;
    let path = folder.join(format!("{name}.jsonl"));
    let told = || path.display().to_string();
    let mut file = File::create(&path).with_context(told).or_unwritten()?;
    formats::write(&history.to_native(), WriteForm::Events, &mut file)
        .with_context(told)
        .or_unwritten()
}
