//! What a statement answers and does.
//!
//! Ground: knows rows, values and errors; plans and runs are further up.

use rustc_hash::FxHashMap;

use crate::error::ServerError;
use crate::observed::ObservedValue;
use crate::rows::{RowId, TableId};
use crate::types::Type;
use crate::value::{Row, Value};

/// What became of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct StatementOutcome {
    /// What the client is told.
    pub answer: Result<Answer, ServerError>,
    /// What was changed, in order. A statement that fails has changed nothing, except that the
    /// statements of a MySQL procedure before the one that fails remain.
    pub effects: Vec<Effect>,
}

/// A change of one row. Writing what was there before is a write.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A new row; its number is [`RowId::new`] with how many rows were inserted before by the same run.
    Insert {
        /// The table that the row is inserted into.
        table: TableId,
        /// The number of the row within the run.
        id: RowId,
        /// The values of the new row.
        row: Row,
    },
    /// Other values for a row, or the same again.
    Update {
        /// The table that the row belongs to.
        table: TableId,
        /// The row that is changed.
        id: RowId,
        /// The values before the change.
        old: Row,
        /// The values after the change.
        new: Row,
    },
    /// A row is gone.
    Delete {
        /// The table that the row belonged to.
        table: TableId,
        /// The row that is deleted.
        id: RowId,
        /// The values before the deletion.
        old: Row,
    },
    /// All rows are gone.
    Truncate {
        /// The table that is emptied.
        table: TableId,
    },
}

impl Effect {
    /// The table that the change is about.
    pub fn table(&self) -> TableId {
        match self {
            Self::Insert { table, .. }
            | Self::Update { table, .. }
            | Self::Delete { table, .. }
            | Self::Truncate { table } => *table,
        }
    }

    /// The row that is there afterwards, by its table and number.
    pub(crate) fn written(&self) -> Option<(TableId, RowId)> {
        match self {
            Self::Insert { table, id, .. } | Self::Update { table, id, .. } => Some((*table, *id)),
            Self::Delete { .. } | Self::Truncate { .. } => None,
        }
    }
}

/// What a client is told: rows, numbers of rows, or both.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The rows, if there are any to tell.
    pub rows: Option<Rowset>,
    /// How many rows were affected, for a statement that changes rows.
    pub count: Option<Count>,
    /// Results of queries inside a procedure, before the last one.
    pub before: Vec<Rowset>,
}

/// How many rows were affected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Rows that were found, as PostgreSQL counts, and MySQL if the client wants it.
    pub found: u64,
    /// Rows that are different now, as MySQL counts.
    pub changed: u64,
    /// How many more MySQL counts if the values of blurred columns are different as well.
    pub unsure: u64,
}

/// Rows in an order that matters in part: rows that are tied may come in any order, and a window over
/// ties may show any of them.
///
/// ```text
///   ORDER BY a LIMIT 3      ties: [a=1] [a=2 a=2 a=2] [a=7]      shown: the first, and two of the three
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Rowset {
    /// Names and types.
    pub columns: Vec<(String, Type)>,
    /// All rows, ties side by side.
    pub rows: Vec<Vec<Value>>,
    /// Where each group of ties ends.
    pub ends: Vec<usize>,
    /// How many rows are skipped.
    pub offset: u64,
    /// How many are shown at most.
    pub limit: Option<u64>,
}

impl Answer {
    pub(crate) fn done() -> Self {
        Self::default()
    }

    pub(crate) fn of_rows(rows: Rowset) -> Self {
        Self { rows: Some(rows), ..Self::default() }
    }

    pub(crate) fn of_count(count: Count, rows: Option<Rowset>) -> Self {
        Self { rows, count: Some(count), before: Vec::new() }
    }

    /// Whether the rows that were observed are possible.
    pub fn explains(&self, observed: &[Vec<ObservedValue>]) -> bool {
        match &self.rows {
            Some(table) => table.explains(observed),
            None => observed.is_empty(),
        }
    }
}

impl Rowset {
    /// The first and the last row that are shown.
    fn window(&self) -> (usize, usize) {
        let total = self.rows.len();
        let from = usize::try_from(self.offset).unwrap_or(usize::MAX).min(total);
        let most =
            self.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        (from, from.saturating_add(most).min(total))
    }

    /// How many rows are shown.
    pub fn shown(&self) -> usize {
        let (from, to) = self.window();
        to - from
    }

    /// Whether the rows that were observed are possible.
    pub fn explains(&self, observed: &[Vec<ObservedValue>]) -> bool {
        let (from, to) = self.window();
        if observed.len() != to - from {
            return false;
        }
        let mut start = 0;
        for end in &self.ends {
            let (low, high) = (start.max(from), (*end).min(to));
            if low < high && !self.ties_explain(start, *end, &observed[low - from..high - from]) {
                return false;
            }
            start = *end;
        }
        true
    }

    /// Whether observed rows are among ties, each as often as it is there at most. Where all ties are
    /// shown, the numbers are the same, so this is equality.
    fn ties_explain(&self, start: usize, end: usize, observed: &[Vec<ObservedValue>]) -> bool {
        let types = || self.columns.iter().map(|(_, ty)| *ty);
        if let ([expected], [seen]) = (&self.rows[start..end], observed) {
            return row_is(expected, seen, types());
        }
        let mut left: FxHashMap<Vec<ObservedValue>, usize> = FxHashMap::default();
        for row in &self.rows[start..end] {
            *left.entry(ObservedValue::row(row, types())).or_default() += 1;
        }
        observed.iter().all(|seen| {
            let seen = ObservedValue::normal_row(seen, types());
            match left.get_mut(&seen) {
                Some(times) if *times > 0 => {
                    *times -= 1;
                    true
                }
                _ => false,
            }
        })
    }
}

fn row_is(expected: &[Value], seen: &[ObservedValue], types: impl Iterator<Item = Type>) -> bool {
    expected.len() == seen.len()
        && expected.iter().zip(seen).zip(types).all(|((expected, seen), ty)| seen.is(expected, ty))
}

impl Count {
    /// Whether the server's number fits: of rows that were found, or of rows that are different now.
    pub fn matches(&self, observed: u64, found_rows: bool) -> bool {
        match found_rows {
            true => observed == self.found,
            false => (self.changed..=self.changed + self.unsure).contains(&observed),
        }
    }
}
