//! Reads the array transaction by transaction.

use std::fmt;
use std::io::BufRead;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::item::{Kind, OpItem, Payload};
use super::stamps::{self, Moments};
use crate::TraceError;
use crate::error::short;
use crate::initial::comes_from_nowhere;
use crate::json_stream::{self, Line, Located};
use tristan_history::{
    Datum, History, HistoryBuilder, Initial, KeyId, Observed, Op, OpKind, OpStatus, Outcome, Txn,
    ValueId,
};

/// Reads a whole trace.
pub(crate) fn read(input: impl BufRead, file: &str) -> Result<History, TraceError> {
    let (line, mut reader) = (Line::default(), Reader::default());
    json_stream::read(input, &line, file, Txns { line: &line, reader: &mut reader })?;
    if reader.moments.is_empty() {
        return Err(TraceError::content(file, 1, "a file without transactions", "a transaction"));
    }
    Ok(reader.finish())
}

/// What has been read.
#[derive(Default)]
struct Reader {
    builder: HistoryBuilder,
    moments: Vec<Moments>,
    /// The lines on which transactions start.
    names: FxHashMap<Datum, u32>,
    lists: FxHashSet<KeyId>,
}

/// A line, and what is wrong with it.
type LineError = (u32, String);

/// A transaction as written.
struct TxnItem {
    name: Datum,
    session: Datum,
    moments: Moments,
    ops: Vec<(u32, OpItem)>,
    lines: (u32, u32),
}

impl Reader {
    fn txn(&mut self, item: TxnItem) -> Result<(), LineError> {
        let TxnItem { name, session, moments, ops, lines } = item;
        if let Some(before) = self.names.insert(name.clone(), lines.0) {
            let found = format!("transaction {} again", short(&name));
            return Err((lines.0, format!("{found}, expected only the one on line {before}")));
        }
        self.moments.push(moments);
        let session = self.builder.session(session);
        self.builder.add_txn(Txn {
            name: Some(Box::new(name)),
            lines,
            ..Txn::new(session, Outcome::Committed)
        });
        ops.into_iter().try_for_each(|(line, op)| self.op(line, op))
    }

    fn op(&mut self, line: u32, item: OpItem) -> Result<(), LineError> {
        let key = self.builder.key(item.k);
        let mut value = |datum: Datum| self.builder.value(datum);
        let kind = match (item.t, item.v) {
            (Kind::Read, Payload::Nothing) => {
                OpKind::Get { key, seen: Observed::Absent, locking: false }
            }
            (Kind::Read, Payload::Value(datum)) => {
                OpKind::Get { key, seen: Observed::Value(value(datum)), locking: false }
            }
            (Kind::Read, Payload::List(elements)) => {
                OpKind::ReadList { key, elements: Some(elements.into_iter().map(value).collect()) }
            }
            (Kind::Write, Payload::Value(datum)) => OpKind::Put { key, value: value(datum) },
            (Kind::Append, Payload::Value(datum)) => OpKind::Append { key, element: value(datum) },
            (Kind::Write | Kind::Append, Payload::Nothing) => {
                return Err((line, "nothing in \"v\", expected what was written".into()));
            }
            (Kind::Write | Kind::Append, Payload::List(_)) => {
                return Err((line, "a list in \"v\", expected what was written".into()));
            }
        };
        if matches!(kind, OpKind::Append { .. } | OpKind::ReadList { .. }) {
            self.lists.insert(key);
        }
        self.builder.push_op(Op { kind, status: OpStatus::Done, line });
        Ok(())
    }

    fn finish(mut self) -> History {
        for op in &mut self.builder.history_mut().ops {
            if let OpKind::Get { key, seen: Observed::Absent, .. } = op.kind
                && self.lists.contains(&key)
            {
                op.kind = OpKind::ReadList { key, elements: Some(Box::default()) };
            }
        }
        let history = self.builder.history_mut();
        let zero = history.values.find(&Datum::Int(0)).map(ValueId);
        if let Some(zero) = zero.filter(|zero| starts_with(history, *zero)) {
            history.header.initial = Initial::Uniform(zero);
        }
        stamps::apply(history, &self.moments);
        self.builder.finish()
    }
}

/// Whether reads show that keys start with a value: it was read from a key that no transaction wrote it
/// to, and no read found a key absent.
fn starts_with(history: &History, value: ValueId) -> bool {
    let found_nothing = |op: &Op| matches!(op.kind, OpKind::Get { seen: Observed::Absent, .. });
    comes_from_nowhere(history, value) && !history.ops.iter().any(found_nothing)
}

/// The whole array.
struct Txns<'a> {
    line: &'a Line,
    reader: &'a mut Reader,
}

impl<'de> DeserializeSeed<'de> for Txns<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Txns<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of transactions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element_seed(OneTxn(self.line))? {
            let txn = self.reader.txn(item);
            txn.map_err(|(number, complaint)| self.line.error_on(number, complaint))?;
        }
        Ok(())
    }
}

/// One transaction.
struct OneTxn<'a>(&'a Line);

impl<'de> DeserializeSeed<'de> for OneTxn<'_> {
    type Value = TxnItem;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OneTxn<'_> {
    type Value = TxnItem;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a transaction with \"tid\", \"sid\", \"sts\", \"cts\" and \"ops\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (line, first) = (self.0, self.0.number());
        let (mut tid, mut sid, mut sts, mut cts, mut ops) = (None, None, None, None, None);
        while let Some(name) = map.next_key::<String>()? {
            let known = match name.as_str() {
                "tid" => tid.replace(map.next_value()?).is_some(),
                "sid" => sid.replace(map.next_value()?).is_some(),
                "sts" => sts.replace(map.next_value()?).is_some(),
                "cts" => cts.replace(map.next_value()?).is_some(),
                "ops" => ops.replace(map.next_value_seed(Ops(line))?).is_some(),
                // When the checker heard of it.
                "rtts" => map.next_value::<IgnoredAny>().map(|_| false)?,
                _ => {
                    let known = "\"tid\", \"sid\", \"sts\", \"cts\" or \"ops\"";
                    return Err(line.other_field(&name, known));
                }
            };
            if known {
                return Err(line.twice(&name));
            }
        }
        let missing = |field, what| move || line.missing("a transaction", field, what);
        Ok(TxnItem {
            name: tid.ok_or_else(missing("tid", "the transaction"))?,
            session: sid.ok_or_else(missing("sid", "the session"))?,
            moments: Moments {
                start: sts.ok_or_else(missing("sts", "when it started"))?,
                commit: cts.ok_or_else(missing("cts", "when it committed"))?,
            },
            ops: ops.ok_or_else(missing("ops", "what it did"))?,
            lines: (first, line.number()),
        })
    }
}

/// The operations of a transaction and their lines.
struct Ops<'a>(&'a Line);

impl<'de> DeserializeSeed<'de> for Ops<'_> {
    type Value = Vec<(u32, OpItem)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Ops<'_> {
    type Value = Vec<(u32, OpItem)>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of operations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut ops = Vec::new();
        while let Some(op) = list.next_element_seed(Located::new(self.0))? {
            ops.push(op);
        }
        Ok(ops)
    }
}
