//! From a trace and a level to verdicts with everything that a report shows.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::Duration;

use tristan_check::budget::{Budget, Limits};
use tristan_check::shrink::shrink;
use tristan_check::{Observer, Options, check, check_levels, promises, survey};
use tristan_formats as formats;
use tristan_history::History;
use tristan_spec::{Catalog, Level};
use tristan_verdict::Verdict;

use crate::sql_log;

/// Traces with more transactions are not judged again for what only a report shows.
const LARGE: usize = 20_000;
/// How long to look for a smaller trace.
const SHRINKING: Duration = Duration::from_secs(5);

/// What is to be checked.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) source: Source,
    /// The level, or nothing for every level.
    pub(crate) level: Option<String>,
}

/// A trace, not yet read.
#[derive(Debug)]
pub(crate) enum Source {
    /// A file that was dropped on the page: its name and its content.
    Dropped(String, Vec<u8>),
    /// It lies in the folder: its name there, and its path.
    Stored(String, PathBuf),
}

impl Source {
    /// What people call it.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Dropped(name, _) | Self::Stored(name, _) => name,
        }
    }

    fn read(&self, budget: &Budget) -> Result<History, String> {
        if self.is_sql_log() {
            return Err(sql_log::advice(self.name()));
        }
        let history = match self {
            Self::Dropped(name, bytes) => {
                formats::read_within(bytes.as_slice(), name, None, budget)
            }
            Self::Stored(_, path) if path.is_dir() => formats::open_within(path, None, budget),
            Self::Stored(name, path) => {
                let file = File::open(path).map_err(|error| error.to_string())?;
                formats::read_within(BufReader::with_capacity(1 << 16, file), name, None, budget)
            }
        };
        history.map_err(|error| error.to_string())
    }
}

impl Source {
    fn is_sql_log(&self) -> bool {
        match self {
            Self::Dropped(_, bytes) => sql_log::is_sql_log(bytes),
            Self::Stored(_, path) => sql_log::is_sql_log_file(path),
        }
    }
}

/// Judges a trace.
pub(super) fn judge(
    question: &Question,
    limits: &Limits,
    observer: &impl Observer,
) -> Result<Vec<Verdict>, String> {
    observer.stage("reading");
    let budget = Budget::start(limits);
    let reading = budget.scope("reading");
    let history = question.source.read(&budget)?;
    drop(reading);
    let options = Options {
        within: budget,
        trace_name: question.source.name().to_owned(),
        withhold_vacuous: true,
        ..Options::default()
    };
    let catalog = Catalog::default();
    let Some(name) = &question.level else {
        let reports = check_levels(&history, &catalog.levels(), &options, observer);
        return Ok(reports.into_iter().map(|report| report.verdict).collect());
    };
    let level = catalog.find(name).map_err(|unknown| unknown.to_string())?;
    if level.asks_promises() {
        promises(&history).map_err(|missing| format!("line {}: {missing}", missing.line))?;
    }
    let mut verdict = check(&history, &level, &options, observer).verdict;
    if history.txns.len() <= LARGE {
        observer.stage("preparing the report");
        elaborate(&history, &level, &options, &mut verdict);
    }
    Ok(vec![verdict])
}

/// Adds what takes a while to find out: how other levels stand, and the smallest trace that fails.
fn elaborate(history: &History, level: &Level, options: &Options, verdict: &mut Verdict) {
    survey(history, options, verdict);
    let limits = Limits { time: Some(SHRINKING), memory: None };
    let Some(shrunk) = shrink(history, level, options, verdict, &limits) else { return };
    verdict.context.smallest = Some(formats::compact(&shrunk.history));
}
