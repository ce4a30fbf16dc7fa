//! A single wrong observation, in words: who read what, and why nothing explains it.
//!
//! A writer is called the only one only if no other transaction of the whole trace wrote the same,
//! whatever became of it. Elements of lists have one writer, or the list is not interpreted.

use tristan_history::{
    Datum, History, KeyId, Observed, OpKind, OpRef, Outcome, Presence, Range, TxnId,
};
use tristan_verdict::{Anomaly, Bad, BadKind};

use crate::asg::program::{Undone, written};

/// The anomaly of a single wrong observation.
pub(crate) fn anomaly(history: &History, bad: &Bad) -> Anomaly {
    let (class, title) = names(bad.kind);
    let sentence = sentence(&Scene::of(history, bad));
    Anomaly { class: class.to_owned(), title: Some(title.to_owned()), sentence }
}

/// The class in the literature, and the everyday name.
fn names(kind: BadKind) -> (&'static str, &'static str) {
    match kind {
        BadKind::ThinAir => ("thin-air", "thin-air read"),
        BadKind::Aborted => ("G1a", "aborted read"),
        BadKind::Intermediate => ("G1b", "intermediate read"),
        BadKind::Future => ("future-read", "future read"),
        BadKind::NotOwnWrite => ("internal", "own write not read"),
        BadKind::DuplicateElement => ("duplicate-elements", "duplicate element"),
        BadKind::IncompatibleOrder => ("incompatible-order", "incompatible order"),
        BadKind::OutsideRange => ("outside-range", "key outside the range"),
        BadKind::RepeatedKey => ("repeated-key", "one key twice in one result"),
        BadKind::OutOfOrder => ("out-of-order", "iterator out of order"),
    }
}

/// What a sentence about a bad read needs.
struct Scene<'h> {
    history: &'h History,
    bad: &'h Bad,
    kind: &'h OpKind,
    reader: String,
    writer: String,
    /// The values that were read under the key; none if it was absent.
    values: Vec<String>,
    /// Whether no other transaction than the writer ever wrote what was read.
    sole: bool,
}

impl<'h> Scene<'h> {
    fn of(history: &'h History, bad: &'h Bad) -> Self {
        let kind = &history.op(OpRef { txn: TxnId(bad.txn), op: bad.op }).kind;
        let values = values(history, kind, &bad.key);
        let writer = bad.writer.map_or_else(String::new, |txn| history.label(TxnId(txn)));
        let sole = is_sole_writer(history, kind, bad);
        Self { history, bad, kind, reader: history.label(TxnId(bad.txn)), writer, values, sole }
    }

    /// The observation, as a main clause.
    fn clause(&self) -> String {
        let Self { reader, bad, values, .. } = self;
        let key = &bad.key;
        match (in_words(self.kind), &values[..]) {
            (None, []) => format!("{reader} found {key} absent"),
            (None, values) => format!("{reader} read {key} = {}", values.join(", ")),
            (Some(range), []) => format!("{reader}'s {range} did not return {key}"),
            (Some(range), [value]) => format!("{reader}'s {range} returned {key} = {value}"),
            (Some(range), values) => {
                format!("{reader}'s {range} returned {key} twice, as {}", values.join(" and as "))
            }
        }
    }

    fn is_absent(&self) -> bool {
        self.values.is_empty()
    }

    /// What the reader itself had written last.
    fn own_write(&self) -> Option<String> {
        let so_far = &self.history.ops_of(TxnId(self.bad.txn))[..self.bad.op as usize];
        let undone = Undone::find(so_far);
        let lasting = so_far.iter().enumerate().filter(|(at, _)| !undone.contains(*at));
        let mut of_key =
            lasting.filter_map(|(_, op)| written(op)).filter(|&(key, _)| self.is_it(key));
        of_key.next_back().map(|(_, content)| match content {
            Observed::Value(value) => {
                format!("wrote {} = {}", self.bad.key, self.history.value(value))
            }
            _ => format!("deleted {}", self.bad.key),
        })
    }

    fn is_it(&self, key: KeyId) -> bool {
        *self.history.key(key) == self.bad.key
    }
}

fn sentence(scene: &Scene<'_>) -> String {
    if let Some(sentence) = about_list(scene) {
        return sentence;
    }
    let Scene { bad, reader, writer, .. } = scene;
    let (clause, key) = (scene.clause(), &bad.key);
    match bad.kind {
        BadKind::ThinAir if scene.is_absent() => {
            format!("{clause}, but no transaction deleted it.")
        }
        BadKind::ThinAir => format!("{clause}, but no transaction wrote this value."),
        BadKind::Aborted => {
            let did = if scene.is_absent() { "deleted it" } else { "wrote this value" };
            let how = match writer_aborted(scene) {
                true => "aborted",
                false => "rolled it back",
            };
            match scene.sole {
                true => format!("{clause}, but the only transaction that {did}, {writer}, {how}."),
                false => format!(
                    "{clause}, but {writer} {did} and {how}, and no other transaction that {did} kept it."
                ),
            }
        }
        BadKind::Intermediate => {
            format!("{clause}, an intermediate value: {writer} overwrote it before committing.")
        }
        BadKind::Future => {
            format!("{clause}, but only {reader} itself wrote this value, after the read.")
        }
        BadKind::NotOwnWrite => {
            let own = scene.own_write().unwrap_or_else(|| format!("wrote {key}"));
            format!("{reader} {own}, but then {clause}: it did not see its own write.")
        }
        BadKind::DuplicateElement => format!("{clause}, with an element twice."),
        BadKind::IncompatibleOrder => format!("{clause}, which contradicts another read."),
        BadKind::OutsideRange => format!("{clause}, which is outside the range."),
        BadKind::RepeatedKey => {
            let known = if is_postgresql(scene.history) { POSTGRESQL_TWICE } else { "" };
            format!(
                "{clause}: no database state contains a key twice, so the result mixes two \
                 states.{known}"
            )
        }
        BadKind::OutOfOrder => {
            format!("{clause} out of order, but an iterator returns keys in order.")
        }
    }
}

/// Whether the writer of what was read aborted as a whole.
fn writer_aborted(scene: &Scene<'_>) -> bool {
    let writer = scene.bad.writer.map(|txn| scene.history.txn(TxnId(txn)).outcome);
    writer != Some(Outcome::Committed)
}

/// Whether no other transaction than the named writer ever wrote what was read.
fn is_sole_writer(history: &History, kind: &OpKind, bad: &Bad) -> bool {
    let Some(key) = history.keys.find(&bad.key).map(KeyId) else { return true };
    let value = match kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => Some(*seen),
        OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => {
            let found = items.iter().flat_map(|items| items.iter()).find(|item| item.0 == key);
            Some(found.map_or(Observed::Absent, |item| Observed::Value(item.1)))
        }
        // A row count tells only that there was some value, or none.
        _ => None,
    };
    let fits = |content: Observed| match value {
        Some(seen) => content == seen,
        None => true,
    };
    let wrote = |txn: &TxnId| {
        let mut writes = history.ops_of(*txn).iter().filter_map(written);
        writes.any(|(of, content)| of == key && fits(content))
    };
    history.txn_ids().filter(wrote).all(|txn| Some(txn.0) == bad.writer)
}

/// A known way to a key that is returned twice, told only of the database that has it.
const POSTGRESQL_TWICE: &str = " (PostgreSQL does this at REPEATABLE READ when a transaction \
    reinserts a row that another transaction deleted after the snapshot was taken.)";

/// Whether the trace says that it was recorded on PostgreSQL itself.
fn is_postgresql(history: &History) -> bool {
    let name = history.header.database.as_deref().unwrap_or_default().to_lowercase();
    let first = name.split(|letter: char| !letter.is_alphanumeric()).next();
    matches!(first, Some("postgresql" | "postgres"))
}

/// The sentence about a list; `None` for other reads.
fn about_list(scene: &Scene<'_>) -> Option<String> {
    let Scene { bad, reader, writer, kind: OpKind::ReadList { .. }, .. } = scene else {
        return None;
    };
    let key = &bad.key;
    let what = match bad.kind {
        BadKind::ThinAir => "with an element that no transaction appended".to_owned(),
        BadKind::Aborted => {
            let how = if writer_aborted(scene) { "aborted" } else { "rolled it back" };
            format!("with an element that only {writer} appended, but {writer} {how}")
        }
        BadKind::Intermediate => format!("that contains only part of what {writer} appended"),
        BadKind::Future => {
            format!("with an element that only {reader} itself appended, after the read")
        }
        BadKind::NotOwnWrite => {
            "that does not end with what its own transaction had appended".to_owned()
        }
        BadKind::DuplicateElement => "that contains an element twice".to_owned(),
        BadKind::IncompatibleOrder => {
            return Some(format!(
                "{reader} and another reader saw the elements of {key} in contradictory \
                 orders."
            ));
        }
        BadKind::OutsideRange | BadKind::RepeatedKey | BadKind::OutOfOrder => return None,
    };
    Some(format!("{reader} read a list from {key} {what}."))
}

/// The values an operation returned for a key.
fn values(history: &History, kind: &OpKind, key: &Datum) -> Vec<String> {
    let value = |value| history.value(value).to_string();
    match kind {
        OpKind::Get { seen, .. } | OpKind::ReadModifyWrite { seen, .. } => match seen {
            Observed::Value(id) => vec![value(*id)],
            Observed::Absent | Observed::Unknown => Vec::new(),
        },
        OpKind::Scan { items, .. } | OpKind::Iterate { items, .. } => {
            let items = items.iter().flat_map(|items| items.iter());
            items.filter(|item| history.key(item.0) == key).map(|item| value(item.1)).collect()
        }
        OpKind::Delete { rows: Some(rows), .. } if *rows > 0 => vec!["some value".to_owned()],
        OpKind::PutIf { when, rows: Some(rows), .. }
            if (*when == Presence::Present) == (*rows > 0) =>
        {
            vec!["some value".to_owned()]
        }
        _ => Vec::new(),
    }
}

/// A range read in words; `None` for operations on one key.
pub(crate) fn in_words(kind: &OpKind) -> Option<String> {
    let bound =
        |bound: &Option<Datum>| bound.as_ref().map_or_else(|| "…".to_owned(), ToString::to_string);
    let bounds = |range: &Range| {
        let reverse = if range.reverse { " in reverse" } else { "" };
        format!("[{}, {}){reverse}", bound(&range.lo), bound(&range.hi))
    };
    match kind {
        OpKind::Scan { range, .. } => Some(format!("scan of {}", bounds(range))),
        OpKind::Iterate { range, .. } => Some(format!("iterator over {}", bounds(range))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tristan_history::{HistoryBuilder, Outcome};

    use super::*;

    fn repeated_key(database: Option<&str>) -> String {
        let mut builder = HistoryBuilder::default();
        builder.begin("s").scan("a".."z", &[("k", 1), ("k", 2)]).end(Outcome::Committed);
        builder.history_mut().header.database = database.map(str::to_owned);
        let bad = Bad {
            kind: BadKind::RepeatedKey,
            txn: 0,
            op: 0,
            key: Datum::from("k"),
            writer: None,
            other: None,
        };
        anomaly(&builder.finish(), &bad).sentence
    }

    #[test]
    fn only_postgresql_is_told_what_postgresql_does() {
        for other in [None, Some("MariaDB 10.11"), Some("CockroachDB (PostgreSQL protocol)")] {
            let sentence = repeated_key(other);
            assert!(sentence.ends_with("so the result mixes two states."), "{sentence}");
        }
        for own in ["PostgreSQL 16.4", "postgres", "postgresql-15"] {
            assert!(repeated_key(Some(own)).contains("PostgreSQL does this"), "{own}");
        }
    }
}
