//! One line of the table, after it was measured.

use serde::{Deserialize, Serialize};

use crate::Case;

/// A case and what came out.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What was measured.
    pub case: Case,
    /// One measurement per repetition.
    pub runs: Vec<Measurement>,
    /// How the process ended, if it ended without an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub died: Option<String>,
    /// What other checkers needed for the same history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<PeerRow>,
}

impl Row {
    /// The run with the median time; the quicker one of two.
    pub fn median(&self) -> Option<&Measurement> {
        Self::median_of(&self.runs)
    }

    /// The same among these runs.
    pub(crate) fn median_of(runs: &[Measurement]) -> Option<&Measurement> {
        let mut runs: Vec<&Measurement> = runs.iter().collect();
        runs.sort_by(|a, b| a.wall.total_cmp(&b.wall));
        runs.get(runs.len().saturating_sub(1) / 2).copied()
    }
}

/// What one check took. Times are in seconds, memory is in bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measurement {
    /// accept, reject or unknown.
    pub answer: String,
    /// Operations of the history.
    pub operations: usize,
    /// Time to generate the history.
    pub generate: f64,
    /// How it was read from a file, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Read>,
    /// Memory before the check: the history.
    pub trace: u64,
    /// Time of the check.
    pub wall: f64,
    /// Processor time of the check, of all threads.
    pub cpu: f64,
    /// Most memory during the check, with the history.
    pub peak: u64,
    /// Stages of the check.
    pub stages: Vec<Stage>,
}

impl Measurement {
    /// Time of the check and of reading the history, if it was read.
    pub fn from_file(&self) -> f64 {
        self.wall + self.read.as_ref().map_or(0.0, |read| read.seconds)
    }
}

/// A history that was read from a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Read {
    /// Time to read it.
    pub seconds: f64,
    /// The size of the file.
    pub bytes: u64,
}

/// A stage of the check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// The name of the stage, such as `saturate`.
    pub name: String,
    /// Its time, all of it if the stage ran more than once.
    pub seconds: f64,
}

/// What another checker needed.
#[derive(Clone, Debug, Serialize)]
pub struct PeerRow {
    /// The name of the other checker.
    pub name: String,
    /// Why it was not run, or how it ended.
    pub note: String,
    /// The exit code of the other checker, if it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Time from start to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<f64>,
    /// Processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// Most memory of the largest process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
    /// Its time divided by ours, with reading if we read the history too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_ours: Option<f64>,
}

impl PeerRow {
    /// A checker that was not run.
    pub(crate) fn skipped(name: &str, note: String) -> Self {
        let name = name.to_owned();
        Self { name, note, exit: None, wall: None, cpu: None, peak: None, times_ours: None }
    }
}
