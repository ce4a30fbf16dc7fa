//! From the columns of operations to operations.

use super::error::ArrowError;
use super::gather::{Column, Columns, NONE, RowError};
use super::remarks::txn_in_row;
use super::vocabulary::{CONDITIONS, OpColumn, STATUSES, VERBS, Verb};
use crate::error::ContentError;
use tristan_history::{
    HistoryBuilder, Items, KeyId, Observed, Op, OpKind, OpRef, OpStatus, Presence, Range,
    SourceHint, ValueId,
};

/// The operations of a batch.
pub(super) struct Operations<'a> {
    verb: Vec<u32>,
    status: Ids,
    key: Ids,
    value: Ids,
    old: Ids,
    condition: Ids,
    /// By [`OpColumn`].
    columns: Vec<Option<Column<'a>>>,
    item_keys: Vec<u32>,
    item_values: Vec<u32>,
    elements: Vec<u32>,
    from_keys: Vec<u32>,
    from_txns: Option<Column<'a>>,
}

/// The numbers in a column; `NONE` in all rows if there is no such column.
struct Ids(Option<Vec<u32>>);

impl Ids {
    fn get(&self, row: usize) -> Option<u32> {
        self.0.as_ref().map(|ids| ids[row]).filter(|&id| id != NONE)
    }
}

impl<'a> Operations<'a> {
    /// Looks up the data in the columns.
    pub(super) fn of(
        all: Column<'a>,
        columns: Columns<'a>,
        builder: &mut HistoryBuilder,
    ) -> Result<Self, RowError> {
        let mut ids = |column: OpColumn| -> Result<Ids, RowError> {
            let column = columns.named(column.name());
            Ok(Ids(column.map(|column| column.ids(builder)).transpose()?))
        };
        let (status, condition) = (ids(OpColumn::Status)?, ids(OpColumn::If)?);
        let (key, value, old) = (ids(OpColumn::Key)?, ids(OpColumn::Value)?, ids(OpColumn::Old)?);
        let verb = ids(OpColumn::Op)?.0.unwrap_or_default();
        if let Some(row) = (0..verb.len()).find(|&row| verb[row] == NONE || !all.has(row)) {
            return Err((row, ContentError::new("a null in column `op`", "an operation")));
        }
        let by_name = OpColumn::ALL.iter().map(|column| columns.named(column.name()));
        Ok(Self {
            verb,
            status,
            key,
            value,
            old,
            condition,
            columns: by_name.collect(),
            item_keys: Vec::new(),
            item_values: Vec::new(),
            elements: Vec::new(),
            from_keys: Vec::new(),
            from_txns: None,
        })
    }

    /// Looks up the data in the lists.
    pub(super) fn with_lists(mut self, builder: &mut HistoryBuilder) -> Result<Self, ArrowError> {
        if let Some(items) = self.column(OpColumn::Items).and_then(Column::items) {
            self.item_keys = part(items, "key", builder)?;
            self.item_values = part(items, "value", builder)?;
        }
        if let Some(elements) = self.column(OpColumn::Elements) {
            self.elements = elements.element_ids(builder).map_err(|wrong| wrong.1)?;
        }
        if let Some(from) = self.column(OpColumn::From).and_then(Column::items) {
            self.from_keys = part(from, "key", builder)?;
            self.from_txns = from.parts().and_then(|parts| parts.named("txn"));
        }
        Ok(self)
    }

    fn column(&self, column: OpColumn) -> Option<Column<'a>> {
        self.columns[column as usize]
    }

    /// The operation in a row.
    pub(super) fn op(&self, row: usize, line: u32) -> Result<Op, ContentError> {
        let (word, verb) = VERBS[self.verb[row] as usize];
        let status = self.status.get(row).map_or(OpStatus::Done, |word| STATUSES[word as usize].1);
        self.check(row, word, verb, status)?;
        Ok(Op { kind: self.kind(row, verb, status)?, status, line })
    }

    /// Complains about columns that are empty and should not be, or the other way around.
    fn check(
        &self,
        row: usize,
        word: &str,
        verb: Verb,
        status: OpStatus,
    ) -> Result<(), ContentError> {
        let (present, shape) = (self.present(row), verb.shape());
        let mut allowed = shape.needs | shape.takes;
        if status == OpStatus::Done {
            allowed |= shape.gives;
        }
        if verb == Verb::Put && present & OpColumn::If.bit() == 0 {
            allowed &= !OpColumn::Rows.bit();
        }
        let name = |bits: u32| OpColumn::ALL[bits.trailing_zeros() as usize].name();
        if present & !allowed != 0 {
            let how = STATUSES.iter().find(|(_, known)| *known == status);
            let how = how.map_or("", |(word, _)| *word);
            let found = format!("\"{}\" of a {word} that is {how}", name(present & !allowed));
            return Err(ContentError::new(found, "null"));
        }
        match shape.needs & !present {
            0 => Ok(()),
            missing => {
                let found = format!("{word} with null in \"{}\"", name(missing));
                Err(ContentError::new(found, "something there"))
            }
        }
    }

    /// The columns that say something in a row.
    fn present(&self, row: usize) -> u32 {
        let mut present = 0;
        let ids = [
            (OpColumn::Key, &self.key),
            (OpColumn::Value, &self.value),
            (OpColumn::Old, &self.old),
            (OpColumn::If, &self.condition),
        ];
        for (column, ids) in ids {
            present |= u32::from(ids.get(row).is_some()) * column.bit();
        }
        const OTHERS: &[OpColumn] = &[
            OpColumn::Rows,
            OpColumn::Name,
            OpColumn::Lo,
            OpColumn::Hi,
            OpColumn::Items,
            OpColumn::Elements,
            OpColumn::From,
        ];
        for &column in OTHERS {
            let has = self.column(column).is_some_and(|column| column.has(row));
            present |= u32::from(has) * column.bit();
        }
        for column in [OpColumn::Reverse, OpColumn::Lock, OpColumn::End, OpColumn::Unseen] {
            present |= u32::from(self.flag(column, row)) * column.bit();
        }
        present
    }

    fn kind(&self, row: usize, verb: Verb, status: OpStatus) -> Result<OpKind, ContentError> {
        let key = || KeyId(self.key.get(row).unwrap_or_default());
        let value = || ValueId(self.value.get(row).unwrap_or_default());
        Ok(match verb {
            Verb::Get => OpKind::Get {
                key: key(),
                seen: self.seen(row, &self.value, status)?,
                locking: self.flag(OpColumn::Lock, row),
            },
            Verb::Put => match self.condition.get(row) {
                None => OpKind::Put { key: key(), value: value() },
                Some(word) => {
                    let when: Presence = CONDITIONS[word as usize].1;
                    OpKind::PutIf { key: key(), value: value(), when, rows: self.rows(row)? }
                }
            },
            Verb::Delete => OpKind::Delete { key: key(), rows: self.rows(row)? },
            Verb::Scan => OpKind::Scan {
                range: self.range(row)?,
                items: self.items(row)?,
                locking: self.flag(OpColumn::Lock, row),
            },
            Verb::Iter => OpKind::Iterate {
                range: self.range(row)?,
                items: self.items(row)?,
                reached_end: self.flag(OpColumn::End, row),
            },
            Verb::Append => OpKind::Append { key: key(), element: value() },
            Verb::List => OpKind::ReadList { key: key(), elements: self.elements(row)? },
            Verb::Rmw => OpKind::ReadModifyWrite {
                key: key(),
                seen: self.seen(row, &self.old, status)?,
                value: value(),
            },
            Verb::Savepoint => OpKind::Savepoint { name: self.name(row)? },
            Verb::Rollback => OpKind::RollbackTo { name: self.name(row)? },
        })
    }

    /// What a point read saw: nothing is there if the column is null.
    fn seen(&self, row: usize, column: &Ids, status: OpStatus) -> Result<Observed, ContentError> {
        match (status == OpStatus::Done && !self.flag(OpColumn::Unseen, row), column.get(row)) {
            (true, Some(value)) => Ok(Observed::Value(ValueId(value))),
            (true, None) => Ok(Observed::Absent),
            (false, None) => Ok(Observed::Unknown),
            (false, Some(_)) => Err(ContentError::new("a value that is \"unseen\"", "null")),
        }
    }

    fn rows(&self, row: usize) -> Result<Option<u32>, ContentError> {
        self.column(OpColumn::Rows).map_or(Ok(None), |column| column.number(row))
    }

    fn flag(&self, column: OpColumn, row: usize) -> bool {
        self.column(column).is_some_and(|column| column.flag(row))
    }

    fn name(&self, row: usize) -> Result<Box<tristan_history::Datum>, ContentError> {
        let name = self.column(OpColumn::Name).map_or(Ok(None), |column| column.datum(row))?;
        name.map(Box::new).ok_or_else(|| ContentError::new("null in \"name\"", "a savepoint"))
    }

    fn range(&self, row: usize) -> Result<Box<Range>, ContentError> {
        let bound = |column| self.column(column).map_or(Ok(None), |column| column.datum(row));
        let (lo, hi) = (bound(OpColumn::Lo)?, bound(OpColumn::Hi)?);
        Ok(Box::new(Range { lo, hi, reverse: self.flag(OpColumn::Reverse, row) }))
    }

    fn items(&self, row: usize) -> Result<Option<Items>, ContentError> {
        let Some(items) = self.column(OpColumn::Items).and_then(|column| column.list(row)) else {
            return Ok(None);
        };
        let pair = |item: usize| {
            let (key, value) = (self.item_keys[item], self.item_values[item]);
            let both = key != NONE && value != NONE;
            both.then_some((KeyId(key), ValueId(value))).ok_or_else(|| null("items"))
        };
        items.map(pair).collect::<Result<_, _>>().map(Some)
    }

    fn elements(&self, row: usize) -> Result<Option<Box<[ValueId]>>, ContentError> {
        let Some(list) = self.column(OpColumn::Elements).and_then(|column| column.list(row)) else {
            return Ok(None);
        };
        let element = |place: usize| {
            let id = self.elements[place];
            (id != NONE).then_some(ValueId(id)).ok_or_else(|| null("elements"))
        };
        list.map(element).collect::<Result<_, _>>().map(Some)
    }

    /// Hints on where the operation in a row read from.
    pub(super) fn sources(
        &self,
        row: usize,
        op: OpRef,
        line: u32,
        into: &mut Vec<SourceHint>,
    ) -> Result<(), ContentError> {
        let list = self.column(OpColumn::From).and_then(|column| column.list(row));
        for place in list.unwrap_or_default() {
            let from = self.from_txns.map_or(Ok(None), |txns| txns.number::<u32>(place))?;
            let from = match from.map(txn_in_row) {
                Some(None) => {
                    return Err(ContentError::new("row 0 in \"from\"", "a row of this table"));
                }
                known => known.flatten(),
            };
            let key = self.from_keys[place];
            if key == NONE {
                return Err(null("from"));
            }
            into.push(SourceHint { op, key: KeyId(key), from, line });
        }
        Ok(())
    }
}

fn null(column: &str) -> ContentError {
    ContentError::new(format!("a null within \"{column}\""), "a key and a value")
}

/// The numbers in a part of the structs in a column.
fn part(
    items: Column<'_>,
    name: &str,
    builder: &mut HistoryBuilder,
) -> Result<Vec<u32>, ArrowError> {
    if let Some(null) = (0..items.length()).find(|&item| !items.has(item)) {
        return Err(
            ContentError::new(format!("a null as item {null} of a list"), "a struct").into()
        );
    }
    let column = items.parts().and_then(|parts| parts.named(name));
    let ids = column.map_or(Ok(Vec::new()), |column| column.ids(builder));
    ids.map_err(|wrong| wrong.1.into())
}
