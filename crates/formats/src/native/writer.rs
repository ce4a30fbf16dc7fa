//! Prints a history in the native format, as events or in the compact form.
//!
//! Both forms print whole transactions one after the other: a history does not remember how
//! their lines interleaved, and the order of lines between sessions means nothing anyway.
//! Calls that never returned have no compact form, so they are printed as calls in both.

use std::io::{self, Write};

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::header;
use super::operation::verb_of;
use super::shown_hints::{ShownFrom, ShownHints, ShownSources};
use super::vocabulary::Verb;
use crate::choice::CONDITION;
use crate::content::Shown;
use crate::object::{Object, pairs, shown, shown_pairs, values};
use crate::sentences::Sentences;
use tristan_history::{
    Datum, History, Observed, Op, OpKind, OpRef, OpStatus, OrderHint, Outcome, Range, Span, Txn,
    TxnId,
};

/// Prints one line per call and one per return.
pub(crate) fn write_events(history: &History, out: &mut impl Write) -> io::Result<()> {
    Writer::new(history, out, true).run()
}

/// Prints one line per operation.
pub(crate) fn write_compact(history: &History, out: &mut impl Write) -> io::Result<()> {
    Writer::new(history, out, false).run()
}

/// What the native format cannot say.
pub(crate) fn losses(history: &History) -> Vec<String> {
    let hints = ShownHints::of(history);
    let mut lost = Sentences::about(history);
    lost.txns("end times of transactions of unknown outcome", |txn| {
        txn.outcome == Outcome::Unknown && txn.end().ret.is_some()
    });
    lost.count(hints.lost_sources, "hints on where some keys of range reads came from");
    lost.count(
        hints.lost_stamps,
        "hints about the commit times of transactions that were not seen to commit",
    );
    lost.finish()
}

struct Writer<'a, W> {
    history: &'a History,
    out: &'a mut W,
    events: bool,
    /// The names of the transactions.
    names: Vec<Datum>,
    hints: ShownHints,
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

impl<'a, W: Write> Writer<'a, W> {
    fn new(history: &'a History, out: &'a mut W, events: bool) -> Self {
        let (names, hints) = (unique_names(history), ShownHints::of(history));
        Self { history, out, events, names, hints, calls: 0 }
    }

    fn run(mut self) -> io::Result<()> {
        header::write(self.history, self.out)?;
        let mut notes = self.history.notes.iter().peekable();
        for id in issuing_order(self.history) {
            let first_line = self.history.txn(id).lines.0;
            while let Some((_, text)) = notes.next_if(|(line, _)| *line < first_line) {
                self.note(text)?;
            }
            self.txn(id)?;
        }
        notes.try_for_each(|(_, text)| self.note(text))?;
        self.history.hints.orders.iter().try_for_each(|hint| self.order(hint))
    }

    fn order(&mut self, hint: &OrderHint) -> io::Result<()> {
        let writers: Vec<&Datum> = hint.writers.iter().map(|id| &self.names[id.index()]).collect();
        let mut object = Object::open(self.out)?;
        object.field("hint", "order")?;
        object.field("k", self.history.key(hint.key))?;
        object.field("txns", &writers)?;
        object.close()
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        let mut object = Object::open(self.out)?;
        object.field("note", text)?;
        object.close()
    }

    fn txn(&mut self, id: TxnId) -> io::Result<()> {
        let history = self.history;
        let txn = history.txn(id);
        let session = &history.sessions[txn.session.index()].name;
        let name = self.names[id.index()].clone();
        let (start, commit) = self.hints.stamps_of(id);
        let act = |verb, at| Act { session, txn: &name, verb, at };
        let plain = txn.begin() == Span::default() && txn.level.is_none() && start.is_none();
        if !plain || txn.op_count == 0 {
            let level = |object: &mut Object<'_, W>| object.maybe("level", txn.level.as_ref());
            let stamp = |object: &mut Object<'_, W>| object.maybe("stamp", start);
            self.act(act(Verb::Begin, txn.begin()), Answer::Fine, level, stamp)?;
        }
        for (place, op) in history.ops_of(id).iter().enumerate() {
            let place = OpRef { txn: id, op: place as u32 };
            self.op(act(verb_of(&op.kind), Span::default()), op, place)?;
        }
        let (verb, answer) = ending(txn);
        let stamp = |object: &mut Object<'_, W>| object.maybe("stamp", commit);
        self.act(act(verb, txn.end()), answer, nothing, stamp)
    }

    fn op(&mut self, act: Act<'_>, op: &Op, place: OpRef) -> io::Result<()> {
        let history = self.history;
        let answer = match op.status {
            OpStatus::Done => Answer::Fine,
            OpStatus::Pending => Answer::Never,
            OpStatus::Failed => Answer::Error("failed"),
        };
        let tombstone = match op.kind {
            OpKind::Delete { key, .. } => self.hints.is_tombstone(place.txn, key),
            _ => false,
        };
        let sources = self.hints.of_op(place).map(|sources| self.named(sources));
        self.act(
            act,
            answer,
            |object| {
                asked(history, &op.kind, object)?;
                object.maybe("v", tombstone.then_some(act.txn))
            },
            |object| {
                seen(history, &op.kind, object)?;
                sources.map_or(Ok(()), |sources| sources.print(object))
            },
        )
    }

    /// Sources with the names of their transactions.
    fn named(&self, sources: &ShownSources) -> NamedSources {
        let name = |id: TxnId| self.names[id.index()].clone();
        let one = |from: Option<TxnId>| from.map(name);
        let from = match &sources.from {
            ShownFrom::Missing => None,
            ShownFrom::One(from) => Some(Names::One(one(*from))),
            ShownFrom::Each(all) => Some(Names::Each(all.iter().map(|from| one(*from)).collect())),
        };
        let dead = sources.dead.iter();
        let dead = dead.map(|&(key, txn)| (self.history.key(key).clone(), name(txn))).collect();
        NamedSources { from, dead }
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

/// Sources as they are printed.
struct NamedSources {
    from: Option<Names>,
    dead: Vec<(Datum, Datum)>,
}

/// One transaction or several; `None` is the initial state.
#[derive(Serialize)]
#[serde(untagged)]
enum Names {
    One(Option<Datum>),
    Each(Vec<Option<Datum>>),
}

impl NamedSources {
    fn print<W: Write>(&self, object: &mut Object<'_, W>) -> io::Result<()> {
        object.maybe("from", self.from.as_ref())?;
        object.maybe("dead", (!self.dead.is_empty()).then_some(&self.dead))
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
        | OpKind::ReadModifyWrite { value, .. }
        | OpKind::Append { element: value, .. } => {
            object.field("v", &Shown(&history.value(*value)))
        }
        OpKind::PutIf { value, when, .. } => {
            object.field("v", &Shown(&history.value(*value)))?;
            object.maybe("if", CONDITION.word(*when))
        }
        OpKind::Delete { .. } | OpKind::ReadList { .. } => Ok(()),
        OpKind::Savepoint { name } | OpKind::RollbackTo { name } => object.field("name", name),
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
        OpKind::Delete { rows, .. } | OpKind::PutIf { rows: rows @ Some(_), .. } => {
            object.maybe("rows", *rows)
        }
        OpKind::PutIf { rows: None, .. }
        | OpKind::ReadList { elements: None, .. }
        | OpKind::Scan { items: None, .. }
        | OpKind::Iterate { items: None, .. } => object.flag("unseen", true),
        OpKind::ReadList { elements: Some(elements), .. } => {
            object.field("v", &shown(&values(history, elements)))
        }
        OpKind::Scan { items: Some(items), .. } => {
            object.field("items", &shown_pairs(&pairs(history, items)))
        }
        OpKind::Iterate { items: Some(items), reached_end, .. } => {
            object.field("items", &shown_pairs(&pairs(history, items)))?;
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
        Observed::Value(value) => object.field(name, &Shown(&history.value(value))),
    }
}

/// All transactions, in order of their ids where that respects the order within each session.
pub(crate) fn issuing_order(history: &History) -> Vec<TxnId> {
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
pub(crate) fn unique_names(history: &History) -> Vec<Datum> {
    let mut taken = FxHashSet::default();
    let mut names: Vec<Option<Datum>> =
        history.txns.iter().map(|txn| txn.name.as_deref().cloned()).collect();
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
