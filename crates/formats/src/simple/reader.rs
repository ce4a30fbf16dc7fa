//! Reads the simple format. Transactions keep the order of the file; only the order within a
//! session follows `i`, or else `t0`.

use std::collections::BTreeMap;
use std::io::BufRead;

use rustc_hash::FxHashMap;
use serde::de::IgnoredAny;

use super::line::{HeaderLine, InitialItem, OpItem, Status, TxnLine, parse};
use crate::TraceError;
use crate::error::{ContentError, short};
use crate::lines::Lines;
use crate::pair::Pair;
use crate::{choice, savepoints};
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, Items, KeyId, Observed, Op, OpKind, OpStatus, Outcome,
    Span, Times, Txn, TxnId,
};

/// Reads a whole trace.
pub(crate) fn read<R: BufRead>(mut lines: Lines<'_, R>) -> Result<History, TraceError> {
    let mut reader = Reader::default();
    let cut_off = lines.each_parsed(parse_line, |number, line| reader.line(number, line))?;
    if !reader.under_way {
        return Err(lines.error("a file without transactions", "a transaction"));
    }
    let positions = std::mem::take(&mut reader.positions);
    let mut history = reader.finish();
    sort_sessions(&mut history, &positions)
        .and_then(|()| savepoints::check(&history))
        .map_err(|(line, problem)| problem.at(lines.file(), line))?;
    history.warnings.extend(cut_off);
    Ok(history)
}

/// What a line says.
enum Line {
    Header(HeaderLine),
    Txn(TxnLine),
}

/// Only the first line may be a header.
fn parse_line(text: &str, first: bool) -> Result<Line, ContentError> {
    match first && is_header(text) {
        true => parse(text).map(Line::Header),
        false => parse(text).map(Line::Txn),
    }
}

#[derive(Default)]
struct Reader {
    builder: HistoryBuilder,
    initial: Option<InitialItem>,
    names: FxHashMap<Datum, u32>,
    /// The field `i` of every transaction.
    positions: Vec<Option<i64>>,
    under_way: bool,
}

impl Reader {
    fn line(&mut self, number: u32, line: Line) -> Result<(), ContentError> {
        self.under_way = true;
        let line = match line {
            Line::Header(header) => return self.header(header),
            Line::Txn(txn) => txn,
        };
        self.check(number, &line)?;
        self.positions.push(line.i);
        self.txn(number, line);
        Ok(())
    }

    fn header(&mut self, line: HeaderLine) -> Result<(), ContentError> {
        let header = &mut self.builder.history_mut().header;
        header.own_writes = choice::OWN.read_or_usual(line.own.as_deref())?;
        header.key_order = choice::ORDER.read_or_usual(line.order.as_deref())?;
        header.clock = choice::TIMES.read_or_usual(line.times.as_deref())?;
        self.initial = line.initial;
        Ok(())
    }

    fn check(&mut self, number: u32, line: &TxnLine) -> Result<(), ContentError> {
        if let (Some(begin), Some(end)) = (line.t0, line.t1)
            && end < begin
        {
            let expected = format!("a time not before \"t0\" {begin}");
            return Err(ContentError::new(format!("\"t1\" {end}"), expected));
        }
        let Some(name) = &line.id else { return Ok(()) };
        match self.names.insert(name.clone(), number) {
            None => Ok(()),
            Some(before) => {
                let found = format!("transaction {} again", short(name));
                Err(ContentError::new(found, format!("only the one on line {before}")))
            }
        }
    }

    fn txn(&mut self, number: u32, line: TxnLine) {
        let outcome = match line.st {
            Status::Committed => Outcome::Committed,
            Status::Aborted => Outcome::Aborted,
            Status::Unknown => Outcome::Unknown,
        };
        // A commit of unknown outcome may take effect long after the client gave up on it.
        let over_by = line.t1.filter(|_| outcome != Outcome::Unknown);
        let session = self.builder.session(line.s);
        self.builder.add_txn(Txn {
            name: line.id.map(Box::new),
            times: Times {
                begin: Span { call: line.t0, ret: None },
                end: Span { call: None, ret: over_by },
            }
            .kept(),
            lines: (number, number),
            error: line.err.map(String::into_boxed_str),
            ..Txn::new(session, outcome)
        });
        for item in line.ops {
            let kind = self.op(item);
            self.builder.push_op(Op { kind, status: OpStatus::Done, line: number });
        }
    }

    fn op(&mut self, item: OpItem) -> OpKind {
        let builder = &mut self.builder;
        match item {
            OpItem::Read(key, seen) => {
                OpKind::Get { key: builder.key(key), seen: observed(seen, builder), locking: false }
            }
            OpItem::Write(key, value) => {
                OpKind::Put { key: builder.key(key), value: builder.value(value) }
            }
            OpItem::WriteIf(when, key, value, rows) => OpKind::PutIf {
                key: builder.key(key),
                value: builder.value(value),
                when,
                rows: Some(rows),
            },
            OpItem::Savepoint(name) => OpKind::Savepoint { name: Box::new(name) },
            OpItem::Rollback(name) => OpKind::RollbackTo { name: Box::new(name) },
            OpItem::Delete(key, rows) => OpKind::Delete { key: builder.key(key), rows },
            OpItem::Scan(range, items) => OpKind::Scan {
                range: Box::new(range),
                items: Some(pairs(items, builder)),
                locking: false,
            },
            OpItem::Iterate(range, items, reached_end) => OpKind::Iterate {
                range: Box::new(range),
                items: Some(pairs(items, builder)),
                reached_end,
            },
            OpItem::Append(key, element) => {
                OpKind::Append { key: builder.key(key), element: builder.value(element) }
            }
            OpItem::List(key, elements) => OpKind::ReadList {
                key: builder.key(key),
                elements: Some(elements.into_iter().map(|datum| builder.value(datum)).collect()),
            },
            OpItem::ReadModifyWrite(key, old, new) => OpKind::ReadModifyWrite {
                key: builder.key(key),
                seen: observed(old, builder),
                value: builder.value(new),
            },
        }
    }

    fn finish(mut self) -> History {
        let initial = match self.initial {
            None => Initial::Empty,
            Some(InitialItem::Every(value)) => Initial::Uniform(self.builder.value(value)),
            Some(InitialItem::Keys(pairs)) => {
                let mut given = BTreeMap::new();
                for (name, value) in pairs {
                    let key = initial_key(&name, &mut self.builder);
                    given.insert(key, self.builder.value(value));
                }
                Initial::Given(given)
            }
        };
        self.builder.history_mut().header.initial = initial;
        self.builder.finish()
    }
}

/// Keys of a JSON object are always texts. One that reads as an integer stands for the integer,
/// unless only the text is ever used as a key.
fn initial_key(name: &str, builder: &mut HistoryBuilder) -> KeyId {
    let text = Datum::from(name);
    let Some(number) = canonical_integer(name) else { return builder.key(text) };
    let keys = &builder.history_mut().keys;
    match (keys.find(&text), keys.find(&number)) {
        (Some(_), None) => builder.key(text),
        _ => builder.key(number),
    }
}

/// The integer a text spells in the one usual way.
pub(super) fn canonical_integer(text: &str) -> Option<Datum> {
    let number: i128 = text.parse().ok()?;
    let in_range = (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number);
    (in_range && number.to_string() == text).then_some(Datum::Int(number))
}

/// Whether a line speaks of the trace and not of a transaction.
fn is_header(text: &str) -> bool {
    let fields = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text).unwrap_or_default();
    ["initial", "own", "order", "times"].iter().any(|&field| fields.contains_key(field))
}

/// Brings the transactions of every session into issuing order.
fn sort_sessions(
    history: &mut History,
    positions: &[Option<i64>],
) -> Result<(), (u32, ContentError)> {
    let History { sessions, txns, .. } = history;
    let line = |id: TxnId| txns[id.index()].lines.0;
    for session in sessions {
        let position = |id: &TxnId| positions[id.index()];
        let started = |id: &TxnId| txns[id.index()].begin().call;
        let with = session.txns.iter().filter(|id| position(id).is_some()).count();
        if with == session.txns.len() {
            session.txns.sort_by_key(position);
            let twins =
                session.txns.windows(2).find(|pair| position(&pair[0]) == position(&pair[1]));
            if let Some(pair) = twins {
                let found = format!(
                    "a second transaction at this \"i\" in session {}",
                    short(&session.name)
                );
                let expected = format!("only the one on line {}", line(pair[0]));
                return Err((line(pair[1]), ContentError::new(found, expected)));
            }
        } else if with > 0 {
            let without = session.txns.iter().find(|id| position(id).is_none());
            let found = format!("a transaction of session {} without \"i\"", short(&session.name));
            let problem = ContentError::new(found, "\"i\" on all of them or on none");
            return Err((without.map_or(1, |id| line(*id)), problem));
        } else if session.txns.iter().all(|id| started(id).is_some()) {
            session.txns.sort_by_key(started);
        }
    }
    Ok(())
}

fn observed(seen: Option<Datum>, builder: &mut HistoryBuilder) -> Observed {
    seen.map_or(Observed::Absent, |datum| Observed::Value(builder.value(datum)))
}

fn pairs(items: Vec<Pair>, builder: &mut HistoryBuilder) -> Items {
    items.into_iter().map(|Pair(key, value)| (builder.key(key), builder.value(value))).collect()
}
