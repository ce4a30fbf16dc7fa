//! Prints a history in the native format, as events or in the compact form.
//!
//! Both forms print whole transactions one after the other: a history does not remember how
//! their lines interleaved, and the order of lines between sessions means nothing anyway.
//! Calls that never returned have no compact form, so they are printed as calls in both.

use std::io::{self, Write};

use rustc_hash::FxHashSet;

use super::header;
use super::operation::verb_of;
use super::vocabulary::Verb;
use crate::formats::object::{Object, pairs, values};
use crate::{Datum, History, Observed, Op, OpKind, OpStatus, Outcome, Range, Span, Txn, TxnId};

/// Prints one line per call and one per return.
pub(crate) fn write_events(history: &History, out: &mut impl Write) -> io::Result<()> {
    Writer { history, out, events: true, calls: 0 }.run()
}

/// Prints one line per operation.
pub(crate) fn write_compact(history: &History, out: &mut impl Write) -> io::Result<()> {
    Writer { history, out, events: false, calls: 0 }.run()
}

/// What the native format cannot say.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let gave_up = |txn: &&Txn| txn.outcome == Outcome::Unknown && txn.end.ret.is_some();
    match history.txns.iter().filter(gave_up).count() {
        0 => Vec::new(),
        count => vec![format!("end time of {count} transactions of unknown outcome")],
    }
}

struct Writer<'a, W> {
    history: &'a History,
    out: &'a mut W,
    events: bool,
    /// Calls printed so far; the next id is one more.
    calls: u64,
}

/// Who does something, and what.
#[derive(Clone, Copy)]
struct Act<'a> {
    session: &'a Datum,
    txn: &'a Datum,
    verb: Verb,
    at: Span,
}

/// How an act went.
#[derive(Clone, Copy)]
enum Answer<'a> {
    Never,
    Error(&'a str),
    Fine,
}

impl<W: Write> Writer<'_, W> {
    fn run(mut self) -> io::Result<()> {
        header::write(self.history, self.out)?;
        let names = unique_names(self.history);
        let mut notes = self.history.notes.iter().peekable();
        for id in issuing_order(self.history) {
            let first_line = self.history.txn(id).lines.0;
            while let Some((_, text)) = notes.next_if(|(line, _)| *line < first_line) {
                self.note(text)?;
            }
            self.txn(id, &names[id.index()])?;
        }
        notes.try_for_each(|(_, text)| self.note(text))
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        let mut object = Object::open(self.out)?;
        object.field("note", text)?;
        object.close()
    }

    fn txn(&mut self, id: TxnId, name: &Datum) -> io::Result<()> {
        let history = self.history;
        let txn = history.txn(id);
        let session = &history.sessions[txn.session.index()].name;
        let act = |verb, at| Act { session, txn: name, verb, at };
        if txn.begin != Span::default() || txn.level.is_some() || txn.op_count == 0 {
            let level = |object: &mut Object<'_, W>| object.maybe("level", txn.level.as_ref());
            self.act(act(Verb::Begin, txn.begin), Answer::Fine, level, nothing)?;
        }
        for op in history.ops_of(id) {
            self.op(act(verb_of(&op.kind), Span::default()), op)?;
        }
        let (verb, answer) = ending(txn);
        self.act(act(verb, txn.end), answer, nothing, nothing)
    }

    fn op(&mut self, act: Act<'_>, op: &Op) -> io::Result<()> {
        let history = self.history;
        let answer = match op.status {
            OpStatus::Done => Answer::Fine,
            OpStatus::Pending => Answer::Never,
            OpStatus::Failed => Answer::Error("failed"),
        };
        self.act(
            act,
            answer,
            |object| asked(history, &op.kind, object),
            |object| seen(history, &op.kind, object),
        )
    }

    /// Prints one act as one line or two.
    fn act(
        &mut self,
        act: Act<'_>,
        answer: Answer<'_>,
        asked: impl FnOnce(&mut Object<'_, W>) -> io::Result<()>,
        seen: impl FnOnce(&mut Object<'_, W>) -> io::Result<()>,
    ) -> io::Result<()> {
        let split = self.events || matches!(answer, Answer::Never);
        let mut object = Object::open(self.out)?;
        if split {
            self.calls += 1;
            object.field("call", &self.calls)?;
        }
        object.field("s", act.session)?;
        object.field("t", act.txn)?;
        object.field("op", act.verb.name())?;
        asked(&mut object)?;
        if split {
            object.maybe("at", act.at.call)?;
            object.close()?;
            if matches!(answer, Answer::Never) {
                return Ok(());
            }
            object = Object::open(self.out)?;
            object.field("return", &self.calls)?;
        }
        match answer {
            Answer::Error(text) => object.field("error", text)?,
            Answer::Fine | Answer::Never => seen(&mut object)?,
        }
        match (split, act.at) {
            (true, at) => object.maybe("at", at.ret)?,
            (false, Span { call: None, ret: None }) => {}
            (false, at) => object.field("at", &(at.call, at.ret))?,
        }
        object.close()
    }
}

/// How the end of a transaction is told.
fn ending(txn: &Txn) -> (Verb, Answer<'_>) {
    let error = txn.error.as_deref().map(Answer::Error);
    match txn.outcome {
        Outcome::Committed => (Verb::Commit, Answer::Fine),
        Outcome::Aborted => (Verb::Abort, error.unwrap_or(Answer::Fine)),
        Outcome::Unknown => (Verb::Commit, error.unwrap_or(Answer::Never)),
    }
}

fn nothing<W>(_: &mut Object<'_, W>) -> io::Result<()> {
    Ok(())
}

/// The fields of a call.
fn asked<W: Write>(history: &History, kind: &OpKind, object: &mut Object<'_, W>) -> io::Result<()> {
    object.maybe("k", kind.key().map(|key| history.key(key)))?;
    match kind {
        OpKind::Get { locking, .. } => object.flag("lock", *locking),
        OpKind::Put { value, .. }
        | OpKind::PutIf { value, .. }
        | OpKind::ReadModifyWrite { value, .. }
        | OpKind::Append { element: value, .. } => object.field("v", history.value(*value)),
        OpKind::Delete { .. }
        | OpKind::ReadList { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => Ok(()),
        OpKind::Scan { range, locking, .. } => {
            bounds(range, object)?;
            object.flag("lock", *locking)
        }
        OpKind::Iterate { range, .. } => bounds(range, object),
    }
}

fn bounds<W: Write>(range: &Range, object: &mut Object<'_, W>) -> io::Result<()> {
    object.maybe("lo", range.lo.as_ref())?;
    object.maybe("hi", range.hi.as_ref())?;
    object.flag("reverse", range.reverse)
}

/// The fields of a return.
fn seen<W: Write>(history: &History, kind: &OpKind, object: &mut Object<'_, W>) -> io::Result<()> {
    match kind {
        OpKind::Get { seen, .. } => observed(history, "v", *seen, object),
        OpKind::ReadModifyWrite { seen, .. } => observed(history, "old", *seen, object),
        OpKind::Put { .. }
        | OpKind::Append { .. }
        | OpKind::Savepoint { .. }
        | OpKind::RollbackTo { .. } => Ok(()),
        OpKind::Delete { rows, .. } | OpKind::PutIf { rows, .. } => object.maybe("rows", *rows),
        OpKind::ReadList { elements: None, .. }
        | OpKind::Scan { items: None, .. }
        | OpKind::Iterate { items: None, .. } => object.flag("unseen", true),
        OpKind::ReadList { elements: Some(elements), .. } => {
            object.field("v", &values(history, elements))
        }
        OpKind::Scan { items: Some(items), .. } => object.field("items", &pairs(history, items)),
        OpKind::Iterate { items: Some(items), reached_end, .. } => {
            object.field("items", &pairs(history, items))?;
            object.field("end", reached_end)
        }
    }
}

fn observed<W: Write>(
    history: &History,
    name: &str,
    seen: Observed,
    object: &mut Object<'_, W>,
) -> io::Result<()> {
    match seen {
        Observed::Unknown => object.flag("unseen", true),
        Observed::Absent => object.field(name, &()),
        Observed::Value(value) => object.field(name, history.value(value)),
    }
}

/// All transactions, in order of their ids where that respects the order within each session.
fn issuing_order(history: &History) -> Vec<TxnId> {
    let mut next = vec![0; history.sessions.len()];
    let mut done = vec![false; history.txns.len()];
    let mut order = Vec::with_capacity(history.txns.len());
    for id in history.txn_ids() {
        let session = history.txn(id).session.index();
        while !done[id.index()] {
            let Some(&earlier) = history.sessions[session].txns.get(next[session]) else { break };
            next[session] += 1;
            done[earlier.index()] = true;
            order.push(earlier);
        }
    }
    order
}

/// A name for every transaction, no two alike. Unnamed ones get the number people know them by.
fn unique_names(history: &History) -> Vec<Datum> {
    let mut taken = FxHashSet::default();
    let mut names: Vec<Option<Datum>> = history.txns.iter().map(|txn| txn.name.clone()).collect();
    for name in &mut names {
        if name.as_ref().is_some_and(|name| !taken.insert(name.clone())) {
            *name = None;
        }
    }
    let name = |(number, name): (usize, Option<Datum>)| {
        name.unwrap_or_else(|| {
            let plain = Datum::Int(number as i128 + 1);
            let marked = (1..).map(|copy| Datum::Text(format!("T{}-{copy}", number + 1).into()));
            let mut candidates = std::iter::once(plain).chain(marked);
            let free = candidates.find(|candidate| taken.insert(candidate.clone()));
            free.unwrap_or(Datum::Int(0))
        })
    };
    names.into_iter().enumerate().map(name).collect()
}
