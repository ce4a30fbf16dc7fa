//! What the process of one case does.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use tristan_check::{Report, Silent, check};
use tristan_formats::{self as formats, WriteForm};
use tristan_history::History;
use tristan_verdict::Answer;

use crate::measure::{cpu, memory_now, peak, reset_peak};
use crate::runner::Order;
use crate::scratch::Scratch;
use crate::{BenchError, Case, Measurement, Read, Stage};

/// Does what another process has ordered and returns the answer to print.
///
/// # Errors
/// If the order cannot be understood, or files cannot be written.
pub fn obey(order: &str) -> Result<String, BenchError> {
    let order: Order =
        serde_json::from_str(order).map_err(|error| BenchError::Invalid(error.to_string()))?;
    let answer = match order {
        Order::Measure(case) => serde_json::to_string(&measure(&case)?),
        Order::Write { case, form, path } => {
            write(&case.history()?, crate::case::form(&form)?, &path)?;
            Ok(String::new())
        }
    };
    answer.map_err(|error| BenchError::Invalid(error.to_string()))
}

fn measure(case: &Case) -> Result<Measurement, BenchError> {
    let (level, options) = (case.level()?, case.options()?);
    let started = Instant::now();
    let mut history = case.history()?;
    let generate = started.elapsed().as_secs_f64();
    let mut read = None;
    if let Some(form) = case.via()? {
        let (again, how) = read_again(history, form)?;
        history = again;
        read = Some(how);
    }
    let trace = memory_now();
    reset_peak();
    let (started, cpu_before) = (Instant::now(), cpu());
    let report = black_box(check(&history, &level, &options, &Silent));
    let wall = started.elapsed().as_secs_f64();
    Ok(Measurement {
        answer: answer(&report).to_owned(),
        operations: history.ops.len(),
        generate,
        read,
        trace,
        wall,
        cpu: cpu() - cpu_before,
        peak: peak(),
        stages: stages(&report),
    })
}

/// The history as it is read from a file.
fn read_again(history: History, form: WriteForm) -> Result<(History, Read), BenchError> {
    let scratch = Scratch::new()?;
    let path = scratch.path().join("history");
    write(&history, form, &path)?;
    drop(history);
    let started = Instant::now();
    let history = formats::open(&path, None)?;
    let seconds = started.elapsed().as_secs_f64();
    Ok((history, Read { seconds, bytes: bytes(&path) }))
}

fn write(history: &History, form: WriteForm, path: &Path) -> Result<(), BenchError> {
    let written = formats::write_to(history, form, path);
    written.map_err(BenchError::io(path.display().to_string()))
}

/// The size of a file, or of the files in a folder.
fn bytes(path: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else {
        return fs::metadata(path).map_or(0, |file| file.len());
    };
    entries.flatten().map(|entry| entry.metadata().map_or(0, |file| file.len())).sum()
}

fn answer(report: &Report) -> &'static str {
    match report.verdict.answer {
        Answer::Accept { .. } => "accept",
        Answer::Reject { .. } => "reject",
        Answer::Unknown { .. } => "unknown",
    }
}

fn stages(report: &Report) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    for (name, took) in &report.stages {
        let seconds = took.as_secs_f64();
        match stages.iter_mut().find(|stage| stage.name == *name) {
            Some(stage) => stage.seconds += seconds,
            None => stages.push(Stage { name: (*name).to_owned(), seconds }),
        }
    }
    stages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_measured_also_from_a_file() {
        for via in [None, Some("simple"), Some("cobra")] {
            let case = Case::new("blindw-rw", "serializable").expect("a workload");
            let case = Case { txns: 100, via: via.map(str::to_owned), ..case };
            let order = serde_json::to_string(&Order::Measure(case)).expect("JSON");
            let text = obey(&order).expect("an answer");
            let measured: Measurement = serde_json::from_str(&text).expect("a measurement");
            assert_eq!((measured.answer.as_str(), measured.operations), ("accept", 800));
            assert!(measured.stages.iter().any(|stage| stage.name == "lower"));
            assert_eq!(measured.read.is_some(), via.is_some());
        }
        assert!(obey("{}").is_err());
    }
}
