//! Orders, and the process that carries one out.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::{BenchError, Case, Peer};

/// What the process of a case is told to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Check the history of the case and report time and memory.
    Measure(Case),
    /// Write its history to a file, for another checker.
    Write {
        /// The case whose history is written.
        case: Case,
        /// The form of the file.
        form: String,
        /// The file that cannot be written.
        path: PathBuf,
    },
}

/// Knows how to start a process that gives its last argument to [`obey`](crate::obey) and prints
/// the answer.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The path of the executable.
    pub program: PathBuf,
    /// Its arguments before the last one.
    pub arguments: Vec<String>,
    /// How often each case is measured.
    pub repeat: usize,
    /// Other checkers that get the same history.
    pub peers: Vec<Peer>,
}

impl Runner {
    /// What a process answers to an order, or how it ended without one.
    pub(crate) fn order(&self, order: &Order) -> Result<Result<String, String>, BenchError> {
        let order =
            serde_json::to_string(order).map_err(|error| BenchError::Invalid(error.to_string()))?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(order).stdin(Stdio::null());
        let output =
            command.output().map_err(BenchError::io(self.program.display().to_string()))?;
        if output.status.success() {
            return Ok(Ok(String::from_utf8_lossy(&output.stdout).into_owned()));
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last = complaint.lines().next_back().map_or(String::new(), |line| format!(": {line}"));
        Ok(Err(format!("{}{last}", output.status)))
    }
}
