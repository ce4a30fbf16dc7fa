//! `tristan stats`: what is in a trace, counted.

use std::collections::BTreeMap;

use tristan_check::OwnPolicy;
use tristan_check::asg::OwnReads;
use tristan_history::{Clock, History, Initial, OpKind, OpStatus, Outcome, OwnWrites};

use super::{reading, solve};
use crate::args::StatsArgs;
use crate::exit::{CommandError, Exit};
use crate::output::{Output, printable};

pub(super) fn run(args: &StatsArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let (inputs, _) = solve::inputs(&args.input)?;
    Ok(solve::each(inputs, |source| {
        let history = source.read(args.input.from, args.input.initial.as_ref())?;
        let title = format!("{}{}", source.name(), reading::title(&args.input.reading));
        let interpretation = reading::interpretation(&args.input.reading);
        let own = own_writes(&history, interpretation.own_writes);
        out.write(&page(&title, &interpretation.apply(&history), own))?;
        Ok(Exit::Accept)
    }))
}

fn page(title: &str, history: &History, own_writes: String) -> String {
    let mut text = format!("{title}\n");
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
    if let Some(ranges) = range_reads(history) {
        say("range reads", ranges);
    }
    if let Some(savepoints) = savepoints(history) {
        say("savepoints", savepoints);
    }
    say("keys", keys(history));
    say("repeated values", repeated(history));
    say("own writes", own_writes);
    say("times", times(history));
    if let Some(hints) = hints(history) {
        say("hints", hints);
    }
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
        Initial::Given(keys) if keys.len() == 1 => "given for 1 key, others absent".to_owned(),
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

/// Range reads with how much they returned.
fn range_reads(history: &History) -> Option<String> {
    let results = history.ops.iter().filter_map(|op| match &op.kind {
        OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => Some(items.as_deref()),
        _ => None,
    });
    let sizes: Vec<usize> = results.map(|items| items.map_or(0, <[_]>::len)).collect();
    let (count, items) = (sizes.len(), sizes.iter().sum::<usize>());
    (count > 0).then(|| format!("{count}, which returned {items} items"))
}

fn savepoints(history: &History) -> Option<String> {
    let count = |word| history.ops.iter().filter(|op| kind(&op.kind) == word).count();
    let (set, rollbacks) = (count("savepoint"), count("rollback"));
    (set + rollbacks > 0).then(|| format!("{set}, {rollbacks} rollbacks"))
}

fn keys(history: &History) -> String {
    let mut written = vec![false; history.keys.len()];
    for op in history.ops.iter().filter(|op| op.status != OpStatus::Failed) {
        use OpKind::{Append, Delete, Put, PutIf, ReadModifyWrite};
        if let Put { key, .. }
        | PutIf { key, .. }
        | Delete { key, .. }
        | ReadModifyWrite { key, .. }
        | Append { key, .. } = op.kind
        {
            written[key.index()] = true;
        }
    }
    let never = written.iter().filter(|written| !**written).count();
    match never {
        0 => written.len().to_string(),
        _ => format!("{} ({never} never written)", written.len()),
    }
}

/// The policy, where it comes from, and which one the reads suggest.
fn own_writes(history: &History, asked: Option<OwnPolicy>) -> String {
    let stated = history.header.own_writes;
    let reads = OwnReads::of(history);
    let (policy, source) = match asked {
        Some(OwnPolicy::Given(policy)) => (policy, "given"),
        Some(OwnPolicy::Infer) => (reads.policy(), "inferred"),
        None if stated == OwnWrites::default() => (stated, "default"),
        None => (stated, "from the trace"),
    };
    let total = reads.returned + reads.other;
    let found = match total {
        0 => "never read again".to_owned(),
        _ => format!(
            "read back by {} of {total} reads, which suggests {}",
            reads.returned,
            reads.policy().name()
        ),
    };
    format!("{} ({source}); {found}", policy.name())
}

fn hints(history: &History) -> Option<String> {
    let hints = &history.hints;
    let counts = [
        (hints.sources.len(), "sources"),
        (hints.orders.len(), "orders"),
        (hints.stamps.len(), "stamps"),
    ];
    let shown = counts.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = shown.map(|(count, what)| format!("{count} {what}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
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
        (txn.begin().call.is_some() || txn.begin().ret.is_some())
            && (txn.end().call.is_some() || txn.end().ret.is_some())
    };
    let kind = match history.header.clock {
        Clock::Nanoseconds => "",
        Clock::Ordinal => ", as the order of entries",
    };
    match history.txns.iter().filter(known).count() {
        0 => "none".to_owned(),
        count if count == history.txns.len() => format!("of every transaction{kind}"),
        count => format!("of {count} transactions{kind}"),
    }
}
