//! Everything that was measured, for programs.

use std::fs;
use std::thread;

use serde::Serialize;

use crate::{Growth, Row, growth};

/// All rows, where they were measured, and how costs grow.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// The name and version of this format: `bench/1`.
    pub tristan: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// Where it was measured.
    pub machine: Machine,
    /// What was measured, one row per case.
    pub rows: &'a [Row],
    /// How time and memory grow with the number of transactions.
    pub growth: Vec<Growth>,
}

/// The machine on which the rows were measured.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// The operating system.
    pub system: &'static str,
    /// The processor, as the system calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// Processors that may be used.
    pub processors: usize,
}

impl<'a> Report<'a> {
    /// A report of rows measured on this machine.
    pub fn new(rows: &'a [Row]) -> Self {
        let machine = Machine {
            system: std::env::consts::OS,
            processor: processor(),
            processors: thread::available_parallelism().map_or(1, usize::from),
        };
        let version = env!("CARGO_PKG_VERSION");
        Self { tristan: "bench/1", version, machine, rows, growth: growth(rows) }
    }

    /// The report as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
