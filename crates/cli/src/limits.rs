//! `--time` and `--memory`: one budget per process, and a watchdog behind it.
//!
//! ```text
//!   command line ──► Limits ──start──► budget ──► every stage checks it and stops on its own
//!                                        │
//!                                     watchdog ──► a stage that does not stop: `unknown`, exit 2
//! ```
//!
//! The limits are those of the process, because that is what its memory and its wall-clock time
//! belong to. So there is one budget, and every command finds it here. A stage that checks the
//! budget ends with its results complete. The watchdog is for a stage that does not, because it
//! waits, or because a single step takes too long: it says that the answer is unknown, in the form
//! that was asked for, and ends the process before more than the promised tolerance is used.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;
use tristan_check::budget::{Budget, Limits, Stop, Stopped, reason};
use tristan_spec::Level;
use tristan_verdict::{TraceSummary, Verdict};

use crate::args::Command;
use crate::complain;
use crate::exit::{CommandError, Exit};

/// How often the watchdog looks.
const PAUSE: Duration = Duration::from_millis(10);
/// How long the watchdog waits for its own output.
const FAREWELL: Duration = Duration::from_millis(200);
/// Time that a stage may take to stop, besides a tenth of the limit.
const LATE: Duration = Duration::from_millis(500);
/// Time that it may take to write a result that is there, besides a fifth of the limit.
const WRITING: Duration = Duration::from_millis(900);
/// Memory that may be used until a stage stops, besides a tenth of the limit.
const MORE: u64 = 25 << 20;

static BUDGET: OnceLock<Budget> = OnceLock::new();
/// Whether a result is there and only has to be written.
static FINISHING: AtomicBool = AtomicBool::new(false);
static FORMS: Mutex<Option<Unfinished>> = Mutex::new(None);

/// What to write where if the watchdog has to speak; `None` stands for standard output.
type Unfinished = Box<dyn Fn(&Stopped) -> Vec<(Option<PathBuf>, String)> + Send>;

/// Starts the budget of this process, and the watchdog if there is a limit.
pub(crate) fn start(command: &Command) {
    let limits = of(command);
    let budget = BUDGET.get_or_init(|| Budget::start(&limits)).clone();
    if limits != Limits::default() {
        // Without a watchdog the stages still check the budget on their own.
        let _ = thread::Builder::new().name("limits".to_owned()).spawn(move || watch(&budget));
    }
}

/// The budget of this process.
pub(crate) fn budget() -> Budget {
    BUDGET.get_or_init(Budget::default).clone()
}

/// An answer is about to be written, so the watchdog must not give another one.
pub(crate) fn writing() {
    budget().enter("writing");
    *FORMS.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// From now on a result is there and is written: the watchdog waits as long as is promised.
pub(crate) fn finishing() {
    FINISHING.store(true, Ordering::Relaxed);
}

/// What a command may use.
fn of(command: &Command) -> Limits {
    let args = match command {
        Command::Check(args) => args.solve.limits,
        Command::Levels(args) => args.solve.limits,
        Command::Explain(args) => args.limits,
        Command::Certify(args) => args.limits,
        Command::Shrink(args) => args.limits,
        Command::Stats(args) => args.limits,
        Command::Convert(args) => args.limits,
        Command::Compare(args) => args.scope.limits,
        Command::Find(args) => args.scope.limits,
        Command::Lattice(args) => args.scope.limits,
        Command::Audit(args) => args.limits,
        Command::Hunt(args) => return Limits { time: Some(args.duration), memory: None },
        _ => return Limits::default(),
    };
    Limits { time: args.time, memory: args.memory }
}

/// From now on this is what the watchdog writes if a limit is overrun.
pub(crate) fn on_overrun(
    unfinished: impl Fn(&Stopped) -> Vec<(Option<PathBuf>, String)> + Send + 'static,
) {
    *FORMS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(unfinished));
}

/// The same for a command without verdicts: a sentence as text, or an object as JSON. `forms` are the
/// names of what is written, and where it goes.
pub(crate) fn on_overrun_of(command: &'static str, forms: Vec<(&'static str, Option<PathBuf>)>) {
    on_overrun(move |stopped| {
        let (why, what) = (told(stopped), stopped.place.to_string());
        let rendered = |(kind, place): &(&str, Option<PathBuf>)| match *kind {
            "text" => Some((place.clone(), format!("UNKNOWN   {why}\n"))),
            "json" => {
                let value = json!({
                    "tristan": "unknown/1", "command": command, "answer": "unknown",
                    "reason": why, "stage": what,
                });
                Some((place.clone(), format!("{value:#}\n")))
            }
            _ => None,
        };
        forms.iter().filter_map(rendered).collect()
    });
}

/// Which limit was reached, in which stage, and what to do: `stopped at the time limit of 1s, in
/// stage reading, 35 %; nothing is decided; next step: allow more time (--time 4s)`.
pub(crate) fn told(stopped: &Stopped) -> String {
    let (why, go_on) = tristan_report::stopped(&reason(stopped));
    format!("{why}; next step: {go_on}")
}

/// A limit that kept a file from being read or written.
#[derive(Debug)]
struct OverrunError {
    name: String,
    stopped: Stopped,
}

impl fmt::Display for OverrunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.name, told(&self.stopped))
    }
}

impl std::error::Error for OverrunError {}

/// The failure of a command that a limit kept from reading or writing a file.
pub(crate) fn failure(name: &str, stop: Stop) -> CommandError {
    let overrun = OverrunError { name: name.to_owned(), stopped: budget().account(stop) };
    CommandError { exit: Exit::Unknown, error: anyhow::Error::new(overrun) }
}

/// The limit behind a failure, if a limit was the cause.
pub(crate) fn behind(failure: &CommandError) -> Option<Stopped> {
    failure.error.downcast_ref::<OverrunError>().map(|overrun| overrun.stopped)
}

/// The verdict on a trace that was not read to its end, if that is why there is a failure.
pub(crate) fn unread(
    failure: CommandError,
    level: &Level,
    trace: &str,
) -> Result<Verdict, CommandError> {
    match behind(&failure) {
        Some(stopped) => Ok(unknown(level, trace, &stopped)),
        None => Err(failure),
    }
}

/// The verdict that a level is not decided, about a trace of which nothing is known.
pub(crate) fn unknown(level: &Level, trace: &str, stopped: &Stopped) -> Verdict {
    let summary = TraceSummary { name: trace.to_owned(), ..TraceSummary::default() };
    let decided = "nothing: the trace was not judged";
    let definition = level.formula.to_string();
    let mut verdict = Verdict::unknown(&level.name, &definition, summary, reason(stopped), decided);
    verdict.context.tool = Some(concat!("tristan ", env!("CARGO_PKG_VERSION")).to_owned());
    verdict
}

/// Looks at the budget until a limit is overrun.
fn watch(budget: &Budget) {
    let limits = budget.limits();
    loop {
        thread::sleep(PAUSE);
        // The stages notice what is found here without a look at the clock of their own. Work that has
        // not come to its first stage yet stops there by itself, so that it can say where.
        if !budget.place().stage.is_empty() {
            let _ = budget.check();
        }
        let resident = limits.memory.and_then(|_| tristan_ground::resident());
        let finishing = FINISHING.load(Ordering::Relaxed);
        if let Some(stop) = overrun(&limits, budget.spent(), resident, finishing) {
            give_up(&budget.account(stop));
        }
    }
}

/// The limit that is overrun by so much that the work has to end at once.
fn overrun(
    limits: &Limits,
    spent: Duration,
    resident: Option<u64>,
    finishing: bool,
) -> Option<Stop> {
    let slack = |limit: Duration| match finishing {
        true => limit / 5 + WRITING,
        false => limit / 10 + LATE,
    };
    let late = limits.time.is_some_and(|limit| spent > limit.saturating_add(slack(limit)));
    let most = |limit: u64| limit.saturating_add(limit / 10).saturating_add(MORE);
    let full = limits.memory.zip(resident).is_some_and(|(limit, bytes)| bytes > most(limit));
    match (full, late) {
        (true, _) => Some(Stop::Memory),
        (false, true) => Some(Stop::Time),
        (false, false) => None,
    }
}

/// Says that the answer is unknown and ends the process. The stage that is running cannot be made
/// to return, so this is the one place that ends the process without returning from `main`.
#[allow(clippy::exit)]
fn give_up(stopped: &Stopped) {
    let (sender, said) = channel();
    let stopped = *stopped;
    thread::spawn(move || {
        complain(&format!("{}; the stage had to be interrupted", told(&stopped)));
        let forms = FORMS.lock().unwrap_or_else(PoisonError::into_inner);
        let written = forms.as_ref().map(|forms| forms(&stopped)).unwrap_or_default();
        for (place, text) in written {
            // There is nowhere left to report it if this fails.
            let _ = match place {
                None => io::stdout().write_all(text.as_bytes()),
                Some(path) => append(&path, &text),
            };
        }
        let _ = io::stdout().flush();
        let _ = sender.send(());
    });
    // A reader that has stopped reading must not keep us.
    let _ = said.recv_timeout(FAREWELL);
    std::process::exit(i32::from(Exit::Unknown.code()));
}

/// Adds to what a file has got so far: verdicts of earlier traces.
fn append(path: &PathBuf, text: &str) -> io::Result<()> {
    match fs::metadata(path)?.is_file() {
        true => OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const MB: u64 = 1 << 20;

    #[test]
    fn the_watchdog_waits_a_tenth_and_half_a_second_longer() {
        let limits = Limits { time: Some(10 * SECOND), memory: None };
        assert_eq!(overrun(&limits, 11 * SECOND, None, false), None);
        assert_eq!(overrun(&limits, 12 * SECOND, None, false), Some(Stop::Time));
        assert_eq!(overrun(&Limits::default(), 1000 * SECOND, Some(u64::MAX), false), None);
        let endless = Limits { time: Some(Duration::MAX), memory: Some(u64::MAX) };
        assert_eq!(overrun(&endless, 1000 * SECOND, Some(1000 * MB), false), None);
    }

    #[test]
    fn a_result_that_is_there_is_written_within_the_promise() {
        let limits = Limits { time: Some(10 * SECOND), memory: None };
        assert_eq!(overrun(&limits, 12 * SECOND, None, true), None);
        assert_eq!(overrun(&limits, 13 * SECOND, None, true), Some(Stop::Time));
    }

    #[test]
    fn the_watchdog_lets_memory_exceed_the_limit_by_a_tenth_and_25_mb() {
        let limits = Limits { time: None, memory: Some(200 * MB) };
        assert_eq!(overrun(&limits, SECOND, Some(240 * MB), false), None);
        assert_eq!(overrun(&limits, SECOND, Some(246 * MB), true), Some(Stop::Memory));
        assert_eq!(overrun(&limits, SECOND, None, false), None);
    }
}
