//! `tristan stats`: what is in a trace, counted.

use std::collections::BTreeMap;

use tristan_history::{History, Initial, OpKind, OpStatus, Outcome};

use super::solve;
use crate::args::StatsArgs;
use crate::exit::{Exit, Failure};
use crate::output::{Output, printable};

pub(super) fn run(args: &StatsArgs, out: &mut Output) -> Result<Exit, Failure> {
    let (inputs, _) = solve::inputs(&args.input)?;
    Ok(solve::each(inputs, |source| {
        let history = source.read(args.input.from)?;
        out.write(&page(&source.name(), &history))?;
        Ok(Exit::Accept)
    }))
}

fn page(name: &str, history: &History) -> String {
    let mut text = format!("{name}\n");
    let mut say =
        |what: &str, value: String| text.push_str(&format!("  {what:17}{}\n", printable(&value)));
    if let Some(database) = &history.header.database {
        say("database", database.clone());
    }
    if let Some(level) = &history.header.level {
        say("claimed level", level.clone());
    }
    say("initial state", initial(history));
    say("transactions", transactions(history));
    say("sessions", history.sessions.len().to_string());
    say("operations", operations(history));
    say("keys", history.keys.len().to_string());
    say("repeated values", repeated(history));
    say("times", times(history));
    if !history.notes.is_empty() {
        say("notes", history.notes.len().to_string());
    }
    if !history.header.assumptions.is_empty() {
        say("assumes", history.header.assumptions.join(", "));
    }
    text
}

fn initial(history: &History) -> String {
    match &history.header.initial {
        Initial::Empty => "every key absent".to_owned(),
        Initial::Uniform(value) => format!("every key holds {}", history.value(*value)),
        Initial::Given(keys) => format!("given for {} keys, others absent", keys.len()),
        Initial::Unknown => "unknown".to_owned(),
    }
}

fn transactions(history: &History) -> String {
    let with = |outcome| history.txns.iter().filter(|txn| txn.outcome == outcome).count();
    format!(
        "{} ({} committed, {} aborted, {} unknown)",
        history.txns.len(),
        with(Outcome::Committed),
        with(Outcome::Aborted),
        with(Outcome::Unknown)
    )
}

fn operations(history: &History) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for op in &history.ops {
        *kinds.entry(kind(&op.kind)).or_default() += 1;
    }
    let with = |status| history.ops.iter().filter(|op| op.status == status).count();
    for (word, status) in [("failed", OpStatus::Failed), ("pending", OpStatus::Pending)] {
        if with(status) > 0 {
            kinds.insert(word, with(status));
        }
    }
    let words: Vec<String> = kinds.iter().map(|(word, count)| format!("{count} {word}")).collect();
    format!("{} ({})", history.ops.len(), words.join(", "))
}

fn kind(kind: &OpKind) -> &'static str {
    match kind {
        OpKind::Get { .. } => "get",
        OpKind::Put { .. } | OpKind::PutIf { .. } => "put",
        OpKind::Savepoint { .. } => "savepoint",
        OpKind::RollbackTo { .. } => "rollback",
        OpKind::Delete { .. } => "delete",
        OpKind::ReadModifyWrite { .. } => "rmw",
        OpKind::Append { .. } => "append",
        OpKind::ReadList { .. } => "list",
        OpKind::Scan { .. } => "scan",
        OpKind::Iterate { .. } => "iter",
    }
}

/// Values that a key gets more than once: a read of one can have several sources.
fn repeated(history: &History) -> String {
    let mut written = Vec::new();
    for op in &history.ops {
        match op.kind {
            OpKind::Put { key, value }
            | OpKind::PutIf { key, value, .. }
            | OpKind::ReadModifyWrite { key, value, .. }
            | OpKind::Append { key, element: value } => written.push((key, value)),
            _ => {}
        }
    }
    if let Initial::Given(keys) = &history.header.initial {
        written.extend(keys.iter().map(|(&key, &value)| (key, value)));
    }
    let total = written.len();
    written.sort_unstable();
    written.dedup();
    match total - written.len() {
        0 => "none".to_owned(),
        count => format!("{count} of {total} writes"),
    }
}

fn times(history: &History) -> String {
    let known = |txn: &&tristan_history::Txn| {
        (txn.begin.call.is_some() || txn.begin.ret.is_some())
            && (txn.end.call.is_some() || txn.end.ret.is_some())
    };
    match history.txns.iter().filter(known).count() {
        0 => "none".to_owned(),
        count if count == history.txns.len() => "of every transaction".to_owned(),
        count => format!("of {count} transactions"),
    }
}
