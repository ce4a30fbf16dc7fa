//! From checked fields to operations: what was asked when it is called, what was seen when it
//! returns.

use super::line::Line;
use super::scalar::Written;
use super::vocabulary::{Field, Verb};
use crate::choice::CONDITION;
use crate::content::Content;
use crate::error::ContentError;
use crate::pair::Pair;
use tristan_history::{Datum, HistoryBuilder, Items, KeyId, Observed, OpKind, Range, ValueId};

/// The operation a line asks for, its result still unknown; `None` for begin, commit, abort.
pub(super) fn asked(
    verb: Verb,
    line: &mut Line,
    builder: &mut HistoryBuilder,
) -> Result<Option<OpKind>, ContentError> {
    let kind = match verb {
        Verb::Begin | Verb::Commit | Verb::Abort => return Ok(None),
        Verb::Get => {
            OpKind::Get { key: key(line, builder)?, seen: Observed::Unknown, locking: line.lock }
        }
        Verb::Put => OpKind::Put { key: key(line, builder)?, value: value(line, builder)? },
        Verb::PutIf => OpKind::PutIf {
            key: key(line, builder)?,
            value: value(line, builder)?,
            when: CONDITION.read(line.condition.as_deref().unwrap_or_default())?,
            rows: None,
        },
        Verb::Savepoint => OpKind::Savepoint { name: Box::new(name(line)?) },
        Verb::Rollback => OpKind::RollbackTo { name: Box::new(name(line)?) },
        Verb::Delete => OpKind::Delete { key: key(line, builder)?, rows: None },
        Verb::Append => OpKind::Append { key: key(line, builder)?, element: value(line, builder)? },
        Verb::List => OpKind::ReadList { key: key(line, builder)?, elements: None },
        Verb::Rmw => OpKind::ReadModifyWrite {
            key: key(line, builder)?,
            seen: Observed::Unknown,
            value: value(line, builder)?,
        },
        Verb::Scan => OpKind::Scan { range: range(line), items: None, locking: line.lock },
        Verb::Iter => OpKind::Iterate { range: range(line), items: None, reached_end: false },
    };
    Ok(Some(kind))
}

/// Writes the result on a line into the operation that was called.
pub(super) fn seen(
    kind: &mut OpKind,
    line: &mut Line,
    builder: &mut HistoryBuilder,
) -> Result<(), ContentError> {
    match kind {
        OpKind::Get { seen, .. } => *seen = observed(line.value.take(), builder),
        OpKind::ReadModifyWrite { seen, .. } => {
            *seen = line
                .old
                .take()
                .map_or(Observed::Absent, |old| Observed::Value(builder.value(old.0)));
        }
        OpKind::Delete { rows, .. } | OpKind::PutIf { rows, .. } => *rows = row_count(line)?,
        OpKind::ReadList { elements, .. } => *elements = Some(list(line.value.take(), builder)?),
        OpKind::Scan { items, .. } => *items = Some(pairs(line, builder)),
        OpKind::Iterate { items, reached_end, .. } => {
            *items = Some(pairs(line, builder));
            *reached_end = line.end;
        }
        OpKind::Put { .. }
        | OpKind::Append { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => {}
    }
    Ok(())
}

/// The verb an operation was called with.
pub(super) fn verb_of(kind: &OpKind) -> Verb {
    match kind {
        OpKind::Get { .. } => Verb::Get,
        OpKind::Put { .. } => Verb::Put,
        OpKind::PutIf { .. } => Verb::PutIf,
        OpKind::Savepoint { .. } => Verb::Savepoint,
        OpKind::RollbackTo { .. } => Verb::Rollback,
        OpKind::Delete { .. } => Verb::Delete,
        OpKind::ReadModifyWrite { .. } => Verb::Rmw,
        OpKind::Append { .. } => Verb::Append,
        OpKind::ReadList { .. } => Verb::List,
        OpKind::Scan { .. } => Verb::Scan,
        OpKind::Iterate { .. } => Verb::Iter,
    }
}

fn key(line: &mut Line, builder: &mut HistoryBuilder) -> Result<KeyId, ContentError> {
    line.key.take().map(|key| builder.key(key)).ok_or_else(|| wrong(Field::Key, "nothing"))
}

fn name(line: &mut Line) -> Result<Datum, ContentError> {
    line.name.take().ok_or_else(|| wrong(Field::Name, "nothing"))
}

fn value(line: &mut Line, builder: &mut HistoryBuilder) -> Result<ValueId, ContentError> {
    match line.value.take().map(Written::value) {
        Some(Some(datum)) => Ok(builder.value(datum)),
        Some(None) => Err(wrong(Field::Value, "null")),
        None => Err(wrong(Field::Value, "nothing")),
    }
}

fn observed(written: Option<Written>, builder: &mut HistoryBuilder) -> Observed {
    match written.map(Written::value) {
        None => Observed::Unknown,
        Some(None) => Observed::Absent,
        Some(Some(datum)) => Observed::Value(builder.value(datum)),
    }
}

/// The elements of a list read. A list that is not there is an empty one.
fn list(
    written: Option<Written>,
    builder: &mut HistoryBuilder,
) -> Result<Box<[ValueId]>, ContentError> {
    match written {
        None | Some(Written::Null) => Ok(Box::default()),
        Some(Written::List(raw)) => {
            let elements: Vec<Content> = serde_json::from_str(raw.get())
                .map_err(|error| ContentError::from_json(&error, raw.get(), Some("v")))?;
            Ok(elements.into_iter().map(|element| builder.value(element.0)).collect())
        }
        Some(Written::One(datum)) => {
            Err(ContentError::new(format!("{datum} in \"v\""), "a list of elements or null"))
        }
    }
}

fn pairs(line: &mut Line, builder: &mut HistoryBuilder) -> Items {
    let items = line.items.take().unwrap_or_default();
    items.into_iter().map(|Pair(key, value)| (builder.key(key), builder.value(value))).collect()
}

fn range(line: &mut Line) -> Box<Range> {
    Box::new(Range { lo: line.lo.take(), hi: line.hi.take(), reverse: line.reverse })
}

fn row_count(line: &Line) -> Result<Option<u32>, ContentError> {
    let Some(rows) = line.rows else { return Ok(None) };
    u32::try_from(rows.0)
        .map(Some)
        .map_err(|_| ContentError::new(format!("{} rows", rows.0), "a number of rows below 2^32"))
}

fn wrong(field: Field, found: &str) -> ContentError {
    let expected = match field {
        Field::Value => "a value",
        _ => "an integer, a string or {\"hex\":\"…\"}",
    };
    ContentError::new(format!("{found} in \"{}\"", field.name()), expected)
}
