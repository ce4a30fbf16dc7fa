//! Prints a history as elle-cli reads it: a JSON array with an entry per line.

use std::io::{self, Write};

use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::Value;

use super::entry::Kind;
use super::plan::{Part, Plan, Step};
use super::sayable::{Micro, Sayable};
use tristan_history::{Datum, History, Outcome};

/// Prints all entries in the order of the plan.
pub(crate) fn write(history: &History, out: &mut impl Write) -> io::Result<()> {
    let plan = Plan::of(history);
    let processes = Processes::of(history);
    let mut printer = Printer { out, empty: true };
    let mut sayable = Sayable::of(history);
    for line in initial(history, &plan, &sayable, &processes) {
        printer.line(&line)?;
    }
    for step in &plan.steps {
        let micros = sayable.of_txn(step.txn);
        printer.line(&line(history, step, &micros, plan.indexed, &processes))?;
    }
    printer.finish()
}

/// Whether sessions get numbers because Elle takes only integers for processes.
pub(super) fn numbered(history: &History) -> bool {
    !history.sessions.iter().all(|session| matches!(session.name, Datum::Int(_)))
}

/// An entry as it is printed.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<i64>,
    #[serde(rename = "type")]
    kind: &'static str,
    process: &'a Datum,
    f: &'static str,
    value: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

fn line<'a>(
    history: &'a History,
    step: &Step,
    micros: &[Micro],
    indexed: bool,
    processes: &'a Processes,
) -> Line<'a> {
    let txn = history.txn(step.txn);
    let (kind, error) = match (step.part, txn.outcome) {
        (Part::Invocation, _) => (Kind::Invoke, None),
        (Part::Completion, Outcome::Committed) => (Kind::Ok, None),
        (Part::Completion, Outcome::Aborted) => (Kind::Fail, txn.error.as_deref()),
        (Part::Completion, Outcome::Unknown) => (Kind::Info, txn.error.as_deref()),
    };
    Line {
        index: step.index.filter(|_| indexed),
        time: step.time,
        kind: kind.word(),
        process: &processes.names[txn.session.index()],
        f: "txn",
        value: shown(history, step.part, micros),
        error,
    }
}

fn shown(history: &History, part: Part, micros: &[Micro]) -> Vec<Value> {
    let one = |micro: &Micro| match part {
        Part::Invocation => micro.asked(history),
        Part::Completion => micro.told(history),
    };
    micros.iter().map(one).collect()
}

/// The transaction that writes the initial state, before all others.
fn initial<'a>(
    history: &History,
    plan: &Plan,
    sayable: &Sayable<'_>,
    processes: &'a Processes,
) -> Vec<Line<'a>> {
    let writes = plan.initial.iter().map(|&(key, value)| sayable.write_of(key, value));
    let writes: Vec<Micro> = writes.collect();
    let timed = plan.steps.iter().any(|step| step.part == Part::Invocation);
    let before = plan.steps.iter().filter_map(|step| step.time).min();
    let before = before.map(|time| time.saturating_sub(1));
    let parts = [(Part::Invocation, Kind::Invoke), (Part::Completion, Kind::Ok)];
    let parts = parts.into_iter().filter(|(part, _)| timed || *part == Part::Completion);
    let line = |(part, kind): (Part, Kind)| {
        let (kind, process) = (kind.word(), &processes.unused);
        Line {
            index: None,
            time: before,
            kind,
            process,
            f: "txn",
            value: shown(history, part, &writes),
            error: None,
        }
    };
    if writes.is_empty() { Vec::new() } else { parts.map(line).collect() }
}

/// The processes that stand for sessions.
struct Processes {
    names: Vec<Datum>,
    /// One that stands for none of them.
    unused: Datum,
}

impl Processes {
    fn of(history: &History) -> Self {
        let numbered = numbered(history);
        let name = |(number, session): (usize, &tristan_history::Session)| match numbered {
            true => Datum::Int(number as i128),
            false => session.name.clone(),
        };
        let names: Vec<Datum> = history.sessions.iter().enumerate().map(name).collect();
        let taken: FxHashSet<&Datum> = names.iter().collect();
        let mut free = (0..).map(Datum::Int).filter(|name| !taken.contains(name));
        let unused = free.next().unwrap_or(Datum::Int(0));
        drop(free);
        Self { names, unused }
    }
}

/// An array being printed.
struct Printer<'a, W> {
    out: &'a mut W,
    empty: bool,
}

impl<W: Write> Printer<'_, W> {
    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        self.out.write_all(if self.empty { b"[" } else { b",\n" })?;
        self.empty = false;
        serde_json::to_writer(&mut *self.out, line).map_err(io::Error::from)
    }

    fn finish(self) -> io::Result<()> {
        self.out.write_all(if self.empty { b"[]\n" } else { b"]\n" })
    }
}
