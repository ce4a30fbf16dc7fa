//! Reads a table of transactions, batch by batch.

use std::io::Read;

use rustc_hash::FxHashMap;

use super::dictionaries::Dictionaries;
use super::error::ArrowError;
use super::gather::{Column, Columns, NONE};
use super::ipc::array::columns;
use super::ipc::frames::{Batch, Content, Frame, Frames};
use super::ipc::schema::Schema;
use super::operations::Operations;
use super::vocabulary::{OUTCOMES, TxnColumn};
use super::{layout, remarks};
use crate::TraceError;
use crate::error::{ContentError, short};
use crate::savepoints;
use tristan_history::{
    History, HistoryBuilder, OpRef, SessionId, Span, StampHint, Times, Txn, TxnId,
};

/// Reads a whole trace.
pub(crate) fn read(input: impl Read, file: &str) -> Result<History, TraceError> {
    let mut frames = Frames::open(input, file)?;
    let mut frame = Frame::default();
    let mut reader = None;
    while frames.next(&mut frame)? {
        let read = content(&frame, &mut reader);
        read.map_err(|wrong| wrong.at(file, frame.offset))?;
    }
    let none = || ArrowError::from(ContentError::new("no schema", "a table of transactions"));
    let history = reader.ok_or_else(none).and_then(Reader::finish);
    history.map_err(|wrong| wrong.at(file, 8))
}

fn content(frame: &Frame, reader: &mut Option<Reader>) -> Result<(), ArrowError> {
    match (frame.content()?, reader) {
        (Content::Schema(schema), reader @ None) => *reader = Some(Reader::new(schema)?),
        (Content::Schema(_), Some(_)) => {
            return Err(ContentError::new("a second schema", "only one").into());
        }
        (_, None) => return Err(ContentError::new("data before the schema", "a schema").into()),
        (Content::Dictionary(dictionary), Some(reader)) => {
            reader.dictionaries.add(&dictionary, &mut reader.builder)?;
        }
        (Content::Batch(batch), Some(reader)) => reader.batch(&batch)?,
    }
    Ok(())
}

struct Reader {
    schema: Schema,
    dictionaries: Dictionaries,
    builder: HistoryBuilder,
}

impl Reader {
    fn new(schema: Schema) -> Result<Self, ContentError> {
        layout::check(&schema)?;
        let dictionaries = Dictionaries::of(&schema)?;
        Ok(Self { schema, dictionaries, builder: HistoryBuilder::default() })
    }

    fn batch(&mut self, batch: &Batch<'_>) -> Result<(), ArrowError> {
        let arrays = columns(batch, &self.schema.fields)?;
        let (fields, dictionaries) = (&self.schema.fields, &self.dictionaries);
        let columns = Columns { fields, arrays: &arrays, dictionaries };
        let before = self.builder.history_mut().txns.len();
        let row = |row: usize| ArrowError::row(before + row);
        let builder = &mut self.builder;
        let txns = Txns::of(columns, builder).map_err(|(at, problem)| row(at)(problem))?;
        let Some(ops) = columns.named(TxnColumn::Ops.name()) else {
            return Err(ArrowError::Broken);
        };
        let all = ops.items().ok_or(ArrowError::Broken)?;
        let parts = all.parts().ok_or(ArrowError::Broken)?;
        let operations = Operations::of(all, parts, builder);
        let operations = operations.map_err(|(op, problem)| row(row_of(ops, op))(problem))?;
        let operations = operations.with_lists(builder)?;
        for at in 0..txns.sessions.len() {
            let number = before + at;
            let line = u32::try_from(number + 1).map_err(|_| too_many())?;
            let list = ops.list(at).ok_or_else(|| ContentError::new("null in \"ops\"", "a list"));
            let result = txns.txn(at, line).and_then(|txn| {
                builder.add_txn(txn);
                txns.stamp(at, TxnId::new(number), line, builder)?;
                for (place, op) in list?.enumerate() {
                    builder.push_op(operations.op(op, line)?);
                    let place = OpRef { txn: TxnId::new(number), op: place as u32 };
                    let hints = &mut builder.history_mut().hints.sources;
                    operations.sources(op, place, line, hints)?;
                }
                Ok(())
            });
            result.map_err(row(at))?;
            if u32::try_from(builder.history_mut().ops.len()).is_err() {
                return Err(too_many().into());
            }
        }
        Ok(())
    }

    /// The history, once every batch was seen. Keys and values that only the header names come
    /// last, so that all others keep their numbers when a history is written and read again.
    fn finish(mut self) -> Result<History, ArrowError> {
        remarks::read(&self.schema, &mut self.builder)?;
        let history = self.builder.finish();
        let txns = history.txns.len();
        let stranger = |id: Option<TxnId>| id.is_some_and(|id| id.index() >= txns);
        let problem =
            || ContentError::new("a hint that refers to a missing row", "a row of this table");
        if let Some(hint) = history.hints.sources.iter().find(|hint| stranger(hint.from)) {
            return Err(ArrowError::Row(hint.line, problem()));
        }
        let mut writers = history.hints.orders.iter().flat_map(|hint| &hint.writers);
        if writers.any(|id| stranger(Some(*id))) {
            return Err(problem().into());
        }
        check_names(&history)?;
        savepoints::check(&history).map_err(|(row, problem)| ArrowError::Row(row, problem))?;
        Ok(history)
    }
}

/// Complains about two transactions of one name.
fn check_names(history: &History) -> Result<(), ArrowError> {
    let mut rows = FxHashMap::default();
    for txn in &history.txns {
        let Some(name) = &txn.name else { continue };
        if let Some(before) = rows.insert(name, txn.lines.0) {
            let found = format!("transaction {} again", short(name));
            let problem = ContentError::new(found, format!("only the one in row {before}"));
            return Err(ArrowError::Row(txn.lines.0, problem));
        }
    }
    Ok(())
}

/// The row of transactions that an operation is in.
fn row_of(ops: Column<'_>, op: usize) -> usize {
    let has = |row: &usize| ops.list(*row).is_some_and(|list| list.contains(&op));
    (0..ops.length()).find(has).unwrap_or_default()
}

fn too_many() -> ContentError {
    ContentError::new("more than 4 billion rows or operations", "fewer")
}

/// The columns of transactions, apart from their operations.
struct Txns<'a> {
    sessions: Vec<u32>,
    outcomes: Vec<u32>,
    /// By [`TxnColumn`].
    columns: Vec<Option<Column<'a>>>,
}

impl<'a> Txns<'a> {
    fn of(
        columns: Columns<'a>,
        builder: &mut HistoryBuilder,
    ) -> Result<Self, super::gather::RowError> {
        let mut ids = |column: TxnColumn| {
            let column = columns.named(column.name());
            column.map_or(Ok(Vec::new()), |column| column.ids(builder))
        };
        let (sessions, outcomes) = (ids(TxnColumn::Session)?, ids(TxnColumn::Outcome)?);
        let all = [("session", &sessions), ("outcome", &outcomes)];
        for (name, column) in all {
            if let Some(row) = column.iter().position(|&id| id == NONE) {
                return Err((
                    row,
                    ContentError::new(format!("null in \"{name}\""), "something there"),
                ));
            }
        }
        let by_name = TxnColumn::ALL.iter().map(|column| columns.named(column.name()));
        Ok(Self { sessions, outcomes, columns: by_name.collect() })
    }

    fn number(&self, column: TxnColumn, row: usize) -> Result<Option<i64>, ContentError> {
        self.columns[column as usize].map_or(Ok(None), |column| column.number(row))
    }

    fn text(&self, column: TxnColumn, row: usize) -> Result<Option<String>, ContentError> {
        self.columns[column as usize].map_or(Ok(None), |column| column.text(row))
    }

    fn txn(&self, row: usize, line: u32) -> Result<Txn, ContentError> {
        let span = |call, ret| {
            let (call, ret) = (self.number(call, row)?, self.number(ret, row)?);
            in_order(call, ret).map(|()| Span { call, ret })
        };
        let begin = span(TxnColumn::BeginCall, TxnColumn::BeginReturn)?;
        let end = span(TxnColumn::EndCall, TxnColumn::EndReturn)?;
        in_order(begin.call, end.call.or(end.ret))?;
        let name = self.columns[TxnColumn::Txn as usize];
        Ok(Txn {
            name: name.map_or(Ok(None), |column| column.datum(row))?.map(Box::new),
            times: Times { begin, end }.kept(),
            lines: (line, line),
            level: self.text(TxnColumn::Level, row)?.map(String::into_boxed_str),
            error: self.text(TxnColumn::Error, row)?.map(String::into_boxed_str),
            ..Txn::new(SessionId(self.sessions[row]), OUTCOMES[self.outcomes[row] as usize].1)
        })
    }

    /// Notes the logical times of a transaction.
    fn stamp(
        &self,
        row: usize,
        txn: TxnId,
        line: u32,
        builder: &mut HistoryBuilder,
    ) -> Result<(), ContentError> {
        let start = self.number(TxnColumn::StartStamp, row)?;
        let commit = self.number(TxnColumn::CommitStamp, row)?;
        if start.is_some() || commit.is_some() {
            let stamps = &mut builder.history_mut().hints.stamps;
            stamps.push(StampHint { txn, start, commit, line });
        }
        Ok(())
    }
}

fn in_order(before: Option<i64>, after: Option<i64>) -> Result<(), ContentError> {
    match (before, after) {
        (Some(before), Some(after)) if after < before => {
            Err(ContentError::new(format!("time {after}"), format!("one not before {before}")))
        }
        _ => Ok(()),
    }
}
