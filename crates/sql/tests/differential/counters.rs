//! How far sequences have come, as one session knows it.
//!
//! Numbers are not given back when a transaction is rolled back, and a statement that fails may have taken some.
//! So the server is asked before each statement where its sequences stand; what a statement makes of that is ours.

use std::collections::BTreeMap;

use tristan_sql::{
    Catalog, Dialect, ErrorClass, Numbering, Numbers, ObservedValue, Sequence, SequenceId,
    ServerError, Value,
};

use crate::differential::schema::Schema;
use crate::differential::server::{Reply, Server};

/// The bit of the number of a sequence that belongs to a column; the number of the table stands below it.
const OF_A_COLUMN: u64 = 1 << 48;

#[derive(Debug, Clone, Default)]
pub struct Counter {
    numbers: Numbers,
    /// Where sequences stand, by the number of their table, or zero: a number, and whether it is used up.
    starts: BTreeMap<u64, (i64, bool)>,
    /// The numbers that tables had when they were made, by which their sequences are known.
    tables: BTreeMap<String, u64>,
    current: BTreeMap<SequenceId, i64>,
    last: Option<SequenceId>,
    last_insert: i64,
    /// The first number of AUTO_INCREMENT in a statement.
    first: Option<i64>,
}

impl Counter {
    /// Asks the server where its sequences stand.
    pub fn ask(
        &mut self,
        dialect: Dialect,
        server: &mut dyn Server,
        schema: &Schema,
        catalog: &Catalog,
    ) {
        let strict = dialect == Dialect::PostgreSql;
        for table in schema.tables.iter().filter(|table| table.columns[0].is_counted()) {
            let Some(known) = catalog.table(&table.name) else { continue };
            let query = match strict {
                true => format!("SELECT last_value, is_called FROM {}_id_seq", table.name),
                false => format!(
                    "SELECT AUTO_INCREMENT, 0 FROM information_schema.tables \
                     WHERE table_schema = DATABASE() AND table_name = '{}'",
                    table.name
                ),
            };
            let number = u64::from(known.id().0) + 1;
            let place = *self.tables.entry(table.name.clone()).or_insert(number);
            self.begin(server, &query, place);
        }
        if schema.has_sequence {
            let query = match strict {
                true => "SELECT last_value, is_called FROM s",
                false => "SELECT next_not_cached_value, 0 FROM s",
            };
            self.begin(server, query, 0);
        }
    }

    fn begin(&mut self, server: &mut dyn Server, query: &str, place: u64) {
        let Reply::Done { rows, .. } = server.ask(query) else { return };
        let Some([number, used]) = rows.first().map(Vec::as_slice) else { return };
        let used = *used == ObservedValue::Text("t".into());
        if let Some(number) = whole(number) {
            self.starts.insert(place, (number, used));
        }
    }

    /// The server's last number for this session, after a statement that failed.
    pub fn ask_last(&mut self, server: &mut dyn Server) {
        let Reply::Done { rows, .. } = server.ask("SELECT LAST_INSERT_ID()") else { return };
        if let Some(last) = rows.first().and_then(|row| whole(row.first()?)) {
            self.last_insert = last;
        }
    }

    /// A statement is over.
    pub fn finish(&mut self) {
        self.last_insert = self.first.take().unwrap_or(self.last_insert);
    }

    pub fn last_insert(&self) -> i64 {
        self.last_insert
    }

    /// Takes note of where the server says that a sequence stands.
    fn start(&mut self, sequence: &Sequence) {
        let id = sequence.id().0;
        let place = if id & OF_A_COLUMN == 0 { 0 } else { ((id ^ OF_A_COLUMN) >> 16) + 1 };
        if let Some((number, used)) = self.starts.remove(&place) {
            self.numbers.set(sequence, number, used);
        }
    }

    pub fn number(&mut self, asked: Numbering<'_>, strict: bool) -> Result<Value, ServerError> {
        let number = match asked {
            Numbering::Next { sequence, .. } => {
                self.start(sequence);
                let next = self.numbers.next(sequence)?;
                if sequence.follows() {
                    self.first.get_or_insert(next);
                } else {
                    self.current.insert(sequence.id(), next);
                    self.last = Some(sequence.id());
                }
                next
            }
            Numbering::Current { sequence } => {
                return given(self.current.get(&sequence.id()).copied(), strict);
            }
            Numbering::Last => {
                let last = self.last.and_then(|last| self.current.get(&last).copied());
                return given(last, strict);
            }
            Numbering::Set { sequence, value, used } => {
                self.start(sequence);
                if !sequence.holds(value) {
                    let detail = "beyond the bounds of the sequence".to_owned();
                    return Err(ServerError { class: ErrorClass::OutOfRange, detail });
                }
                self.numbers.set(sequence, value, used);
                if used && strict {
                    self.current.insert(sequence.id(), value);
                }
                value
            }
            Numbering::Remember { value } => {
                self.last_insert = value;
                value
            }
            Numbering::Given { sequence, value } => {
                self.start(sequence);
                self.numbers.given(sequence, value);
                value
            }
            Numbering::Restart { sequence } => {
                self.start(sequence);
                self.numbers.restart(sequence);
                return Ok(Value::Null);
            }
            _ => return Ok(Value::Null),
        };
        Ok(Value::Int(number))
    }
}

fn given(number: Option<i64>, strict: bool) -> Result<Value, ServerError> {
    match number {
        Some(number) => Ok(Value::Int(number)),
        None if strict => {
            let detail = "the session has no number yet".to_owned();
            Err(ServerError { class: ErrorClass::NoNumberYet, detail })
        }
        None => Ok(Value::Null),
    }
}

fn whole(value: &ObservedValue) -> Option<i64> {
    match value {
        ObservedValue::Int(number) => i64::try_from(*number).ok(),
        ObservedValue::Text(text) => text.parse().ok(),
        _ => None,
    }
}
