//! `tristan demo`: records SQLite at two of its levels, checks both traces and explains a violation.
//!
//! Transactions read two keys and write one of them. At its default level SQLite is serializable. With a
//! shared cache and `PRAGMA read_uncommitted` it promises only read uncommitted, and updates are lost.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use tristan_check::{Options, budget::Limits, shrink::shrink};
use tristan_generate::Workload;
use tristan_history::History;
use tristan_report::{ReportContext, Style};
use tristan_spec::Catalog;
use tristan_verdict::{Answer, Verdict};

use super::record::{Job, Plan, Target};
use crate::args::{FaultArgs, ProgressMode};
use crate::exit::{CommandError, Exit, OrExit};
use crate::input::Source;
use crate::output::Output;
use crate::progress::Progress;
use crate::stop::StopSignal;

/// The levels at which it is recorded, and what they promise.
const ACTS: [(&str, &str); 2] = [
    ("serializable", "By default it promises strict serializability"),
    (
        "read-uncommitted",
        "With a shared cache and PRAGMA read_uncommitted it promises only read uncommitted",
    ),
];
const DATABASE: &str = "sqlite:";
const LEVELS: [&str; 4] = ["read-committed", "causal", "snapshot-isolation", "serializable"];
/// The level whose violation is explained: two of its transactions are enough for one.
const EXPLAINED: &str = "snapshot-isolation";
const TXNS: usize = 1_000;

pub(super) fn run(out: &mut Output) -> Result<Exit, CommandError> {
    let place = Place::make()?;
    out.write(
        "Eight concurrent clients run 1,000 transactions; each one reads two keys and writes one of them.\n",
    )?;
    for (level, promise) in ACTS {
        act(&place, level, promise, out)?;
    }
    out.write(
        "\nNext, test your own database:\n  tristan record postgres://user@host/name && tristan check trace.jsonl\n\
         or run both repeatedly until a violation is found:\n  tristan hunt postgres://user@host/name\n",
    )?;
    Ok(Exit::Accept)
}

/// Records, checks and explains one level.
fn act(place: &Place, level: &str, promise: &str, out: &mut Output) -> Result<(), CommandError> {
    let url = DATABASE.parse().or_exit(Exit::Bug)?;
    let target = Target::open(&url, Some(level), &FaultArgs::none())?;
    let trace = place.0.join("trace.jsonl");
    let plan = plan()?;
    let (hints, watch, stop) = (false, ProgressMode::Auto, StopSignal::default());
    let job = Job { target: &target, plan: &plan, hints, watch, stop };
    let done = job.go(Some(&trace))?.completed()?;
    out.write(&format!(
        "\n{}. {promise}.\n  recorded: {} transactions in {:.1} s, {} more were aborted\n",
        target.database.describe(),
        done.count.committed,
        done.time.as_secs_f64(),
        done.count.refused,
    ))?;
    let history = Source::at(&trace).read(None, None)?;
    judge(&history, out)
}

fn plan() -> Result<Plan, CommandError> {
    let usual = Workload::named("write-skew")
        .ok_or_else(|| CommandError::new(Exit::Bug, "the workload is missing".to_owned()))?;
    let workload = Workload { txns: TXNS, sessions: 8, at_once: 8, ..usual };
    let think = Duration::from_micros(200);
    Ok(Plan { name: "write-skew".to_owned(), workload, think, duration: None })
}

fn judge(history: &History, out: &mut Output) -> Result<(), CommandError> {
    let options = Options { trace_name: "smallest part".to_owned(), ..Options::default() };
    let progress = Progress::new(ProgressMode::Auto, "checking");
    let mut rejected = None;
    for name in LEVELS {
        let level = Catalog::default().find(name).or_exit(Exit::Bug)?;
        let verdict = tristan_check::check(history, &level, &options, &progress).verdict;
        out.write(&format!("  {name:<20} {}\n", word(&verdict)))?;
        if name == EXPLAINED && matches!(verdict.answer, Answer::Reject { .. }) {
            rejected = Some((level, verdict));
        }
    }
    drop(progress);
    let Some((level, verdict)) = rejected else { return Ok(()) };
    let shrunk = shrink(history, &level, &options, &verdict, &Limits::default());
    let shown = shrunk.map_or(verdict, |shrunk| shrunk.verdict);
    out.write("\n")?;
    let style: Style = out.style();
    out.write(&tristan_report::text(&shown, &ReportContext::default(), style))
}

fn word(verdict: &Verdict) -> String {
    match &verdict.answer {
        Answer::Accept { .. } => "holds".to_owned(),
        Answer::Reject { anomaly, .. } => format!("✗ {}", anomaly.class),
        Answer::Unknown { .. } => "not decided".to_owned(),
    }
}

/// A folder that is gone in the end.
struct Place(PathBuf);

impl Place {
    fn make() -> Result<Self, CommandError> {
        let path = std::env::temp_dir().join(format!("tristan-demo-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| path.display().to_string()).or_unwritten()?;
        Ok(Self(path))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}
