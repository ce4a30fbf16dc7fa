//! Operations as statements of SQL, and what they saw as text.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;
use tristan_history::{
    Datum, History, KeyId, KeyOrder, Op, OpKind, Outcome, Presence, Range, TxnId, ValueId,
};

use crate::dialect::{Dialect, plain};
use crate::server::{Seen, Server, Visibility, happens, recorded};
use crate::state::{Cell, State};

/// Why a trace has no script.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// It is too large to be typed.
    #[error("{txns} transactions with {ops} operations are too many for a script")]
    TooLarge {
        /// Number of transactions.
        txns: usize,
        /// Number of operations.
        ops: usize,
    },
    /// Two keys look alike as text.
    #[error("two keys of the trace are the same in SQL: {0}")]
    Alike(String),
    /// The order of keys is not that of SQL.
    #[error("the trace reads key ranges in an order that SQL does not have")]
    Order,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Number(&'static str),
    Text,
}

impl Column {
    fn of<'d>(data: impl IntoIterator<Item = &'d Datum>) -> Self {
        let mut kind = Self::Number("BIGINT");
        for datum in data {
            match datum {
                Datum::Int(number) if i64::try_from(*number).is_ok() => {}
                Datum::Int(_) => kind = Self::Number("DECIMAL(39)"),
                _ => return Self::Text,
            }
        }
        kind
    }
}

/// Says things in SQL.
pub(crate) struct Words<'h> {
    history: &'h History,
    pub(crate) dialect: Dialect,
    keys: Column,
    values: Column,
    start: State,
    /// Keys that are there from the start and stay.
    steady: BTreeSet<KeyId>,
    /// Savepoints by their names, numbered.
    savepoints: BTreeMap<String, usize>,
}

impl<'h> Words<'h> {
    pub(crate) fn of(history: &'h History, dialect: Dialect) -> Result<Self, ScriptError> {
        let start = Server::of(history, Visibility::Committed).committed().clone();
        let ops = || history.ops.iter().filter(|op| happens(op)).map(|op| &op.kind);
        let ranges: Vec<&Range> = ops().filter_map(range).collect();
        let keys: BTreeSet<&Datum> =
            ops().flat_map(keys).chain(start.keys().copied()).map(|key| history.key(key)).collect();
        let bounds = ranges.iter().flat_map(|range| [&range.lo, &range.hi]).flatten();
        let kinds: Vec<&Datum> = keys.iter().copied().chain(bounds).collect();
        let column = Column::of(kinds.iter().copied());
        let mixed = column == Column::Text && kinds.iter().any(|key| key.bytes().is_none());
        let folded = history.header.key_order == KeyOrder::IgnoreCase && column == Column::Text;
        if !ranges.is_empty() && (mixed || folded) {
            return Err(ScriptError::Order);
        }
        if let Some(alike) = alike(&keys) {
            return Err(ScriptError::Alike(alike));
        }
        let deleted: BTreeSet<KeyId> = ops().filter_map(deleted).collect();
        let steady = start.keys().copied().filter(|key| !deleted.contains(key)).collect();
        let names: BTreeSet<String> = ops().filter_map(savepoint).collect();
        let savepoints = names.into_iter().zip(1..).collect();
        let values = value_column(history, &start);
        Ok(Self { history, dialect, keys: column, values, start, steady, savepoints })
    }

    /// The table, and what is in it.
    pub(crate) fn set_up(&self) -> Vec<String> {
        let key = match self.keys {
            Column::Number(name) => name,
            Column::Text => self.dialect.key_text(),
        };
        let value = match self.values {
            Column::Number(name) => name,
            Column::Text => "TEXT",
        };
        let options = self.dialect.table_options();
        let mut statements = vec![
            "DROP TABLE IF EXISTS tristan;".to_owned(),
            format!("CREATE TABLE tristan (k {key} PRIMARY KEY, v {value}){options};"),
        ];
        let mut start: Vec<(&KeyId, &Cell)> = self.start.iter().collect();
        start.sort_by_key(|(key, _)| self.history.key(**key));
        let rows: Vec<String> = start
            .into_iter()
            .map(|(key, cell)| format!("({}, {})", self.key(*key), self.cell(cell)))
            .collect();
        if !rows.is_empty() {
            statements.push(format!("INSERT INTO tristan VALUES {};", rows.join(", ")));
        }
        statements
    }

    /// The statements of an operation; what it sees is what the first of them answers.
    pub(crate) fn statements(&self, op: &Op) -> Vec<String> {
        match &op.kind {
            _ if !happens(op) => Vec::new(),
            OpKind::Get { key, locking, .. } => vec![self.read(*key, *locking)],
            OpKind::ReadList { key, .. } => vec![self.read(*key, false)],
            OpKind::Put { key, value } => vec![self.write(*key, *value)],
            OpKind::PutIf { key, value, when: Presence::Present, .. } => {
                vec![self.update(*key, &self.value(*value))]
            }
            OpKind::PutIf { key, value, when: Presence::Absent, .. } => {
                vec![self.insert(*key, *value, None)]
            }
            OpKind::Delete { key, .. } => {
                vec![format!("DELETE FROM tristan WHERE k = {};", self.key(*key))]
            }
            OpKind::ReadModifyWrite { key, value, .. } => {
                vec![self.read(*key, true), self.write(*key, *value)]
            }
            OpKind::Append { key, element } => vec![self.append(*key, *element)],
            OpKind::Scan { range, locking, .. } => vec![self.scan(range, *locking, None)],
            OpKind::Iterate { range, items, reached_end } => {
                let most = items.as_ref().filter(|_| !reached_end).map(|items| items.len());
                vec![self.scan(range, false, most)]
            }
            OpKind::Savepoint { name } => vec![format!("SAVEPOINT {};", self.savepoint(name))],
            OpKind::RollbackTo { name } => {
                vec![format!("ROLLBACK TO SAVEPOINT {};", self.savepoint(name))]
            }
        }
    }

    /// What an operation saw according to the trace, for people.
    pub(crate) fn saw(&self, op: &Op) -> Option<String> {
        recorded(&op.kind).map(|seen| self.told(&seen))
    }

    /// What was seen, for people.
    pub(crate) fn told(&self, seen: &Seen) -> String {
        match seen {
            Seen::Cell(None) => "no row".to_owned(),
            Seen::Cell(Some(cell)) => self.shown(cell),
            Seen::Rows(rows) if rows.is_empty() => "no rows".to_owned(),
            Seen::Rows(rows) => {
                let row = |(key, value): &(KeyId, ValueId)| {
                    let key = plain(self.history.key(*key));
                    format!("{key} → {}", plain(&self.history.value(*value)))
                };
                rows.iter().map(row).collect::<Vec<_>>().join(", ")
            }
            Seen::Changed(1) => "1 row changed".to_owned(),
            Seen::Changed(rows) => format!("{rows} rows changed"),
        }
    }

    /// The operation in two words, as in `read of x`.
    pub(crate) fn deed(&self, txn: TxnId, op: usize) -> String {
        let kind = &self.history.ops_of(txn)[op].kind;
        let what = match kind {
            OpKind::PutIf { .. } | OpKind::Delete { .. } => "write",
            _ => "read",
        };
        match kind.key() {
            Some(key) => format!("{what} of {}", plain(self.history.key(key))),
            None => "read of a range".to_owned(),
        }
    }

    fn read(&self, key: KeyId, locking: bool) -> String {
        let lock = if locking { " FOR UPDATE" } else { "" };
        format!("SELECT v FROM tristan WHERE k = {}{lock};", self.key(key))
    }

    fn write(&self, key: KeyId, value: ValueId) -> String {
        let new = self.value(value);
        match self.steady.contains(&key) {
            true => self.update(key, &new),
            false => self.insert(key, value, Some(&new)),
        }
    }

    fn append(&self, key: KeyId, element: ValueId) -> String {
        let more = format!(",{}", plain(&self.history.value(element)));
        let longer = format!("CONCAT(tristan.v, {})", self.dialect.quoted(&more));
        match self.steady.contains(&key) {
            true => self.update(key, &longer),
            false => self.insert(key, element, Some(&longer)),
        }
    }

    fn update(&self, key: KeyId, expression: &str) -> String {
        format!("UPDATE tristan SET v = {expression} WHERE k = {};", self.key(key))
    }

    fn insert(&self, key: KeyId, value: ValueId, otherwise: Option<&str>) -> String {
        let (key, value) = (self.key(key), self.value(value));
        let conflict = self.dialect.on_conflict(otherwise);
        format!("INSERT INTO tristan VALUES ({key}, {value}){conflict};")
    }

    fn scan(&self, range: &Range, locking: bool, most: Option<usize>) -> String {
        let low = range.lo.as_ref().map(|low| format!("k >= {}", self.literal(self.keys, low)));
        let high = range.hi.as_ref().map(|high| format!("k < {}", self.literal(self.keys, high)));
        let bounds: Vec<String> = low.into_iter().chain(high).collect();
        let place = if bounds.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", bounds.join(" AND "))
        };
        let order = if range.reverse { " DESC" } else { "" };
        let limit = most.map_or_else(String::new, |most| format!(" LIMIT {most}"));
        let lock = if locking { " FOR UPDATE" } else { "" };
        format!("SELECT k, v FROM tristan{place} ORDER BY k{order}{limit}{lock};")
    }

    fn savepoint(&self, name: &Datum) -> String {
        format!("s{}", self.savepoints.get(&name.to_string()).copied().unwrap_or_default())
    }

    fn key(&self, key: KeyId) -> String {
        self.literal(self.keys, self.history.key(key))
    }

    fn value(&self, value: ValueId) -> String {
        self.literal(self.values, &self.history.value(value))
    }

    fn cell(&self, cell: &Cell) -> String {
        match cell {
            Cell::Value(value) => self.value(*value),
            Cell::List(_) => self.dialect.quoted(&self.shown(cell)),
        }
    }

    fn shown(&self, cell: &Cell) -> String {
        let one = |value: &ValueId| plain(&self.history.value(*value));
        match cell {
            Cell::Value(value) => one(value),
            Cell::List(list) => list.iter().map(one).collect::<Vec<_>>().join(","),
        }
    }

    fn literal(&self, column: Column, datum: &Datum) -> String {
        match column {
            Column::Number(_) => datum.to_string(),
            Column::Text => self.dialect.quoted(&plain(datum)),
        }
    }
}

/// The statement that ends a transaction.
pub(crate) fn end(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Committed | Outcome::Unknown => "COMMIT;",
        Outcome::Aborted => "ROLLBACK;",
    }
}

/// Two keys that are the same text.
fn alike(keys: &BTreeSet<&Datum>) -> Option<String> {
    let mut texts = BTreeSet::new();
    keys.iter().map(|key| plain(key)).find(|text| !texts.insert(text.clone()))
}

fn value_column(history: &History, start: &State) -> Column {
    let lists = |op: &Op| matches!(op.kind, OpKind::Append { .. } | OpKind::ReadList { .. });
    if history.ops.iter().any(lists) {
        return Column::Text;
    }
    let written = history.ops.iter().filter_map(|op| match op.kind {
        OpKind::Put { value, .. }
        | OpKind::PutIf { value, .. }
        | OpKind::ReadModifyWrite { value, .. } => Some(value),
        _ => None,
    });
    let first = start.values().filter_map(|cell| match cell {
        Cell::Value(value) => Some(*value),
        Cell::List(_) => None,
    });
    let values: Vec<Datum> =
        written.chain(first).map(|value| history.value(value).into_owned()).collect();
    Column::of(&values)
}

fn keys(kind: &OpKind) -> Vec<KeyId> {
    match kind {
        OpKind::Scan { items: Some(items), .. } | OpKind::Iterate { items: Some(items), .. } => {
            items.iter().map(|(key, _)| *key).collect()
        }
        other => other.key().into_iter().collect(),
    }
}

fn range(kind: &OpKind) -> Option<&Range> {
    match kind {
        OpKind::Scan { range, .. } | OpKind::Iterate { range, .. } => Some(range),
        _ => None,
    }
}

fn deleted(kind: &OpKind) -> Option<KeyId> {
    match kind {
        OpKind::Delete { key, .. } => Some(*key),
        _ => None,
    }
}

fn savepoint(kind: &OpKind) -> Option<String> {
    match kind {
        OpKind::Savepoint { name } | OpKind::RollbackTo { name } => Some(name.to_string()),
        _ => None,
    }
}
