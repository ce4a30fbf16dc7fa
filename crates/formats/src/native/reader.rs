//! Reads a native trace: recognises each line, pairs returns with calls, follows transactions.
//!
//! Calls that never return stay pending. A commit that was called and not seen to succeed
//! leaves the outcome unknown, also when it returned an error: a lost connection looks the
//! same whether or not the database got as far as committing.

use std::io::BufRead;

use rustc_hash::FxHashMap;

use super::assembly::{Answered, Assembly, shown};
use super::line::Line;
use super::vocabulary::{Field, FieldSet, Shape, Verb};
use super::{header, operation};
use crate::TraceError;
use crate::error::ContentError;
use crate::lines::Lines;
use tristan_history::{History, OpStatus, Outcome, Txn, TxnId};

/// Reads a whole trace.
pub(crate) fn read<R: BufRead>(mut lines: Lines<'_, R>) -> Result<History, TraceError> {
    let mut reader = Reader::default();
    let cut_off =
        lines.each_parsed(|text, _| parse(text), |number, line| reader.line(number, line))?;
    if !reader.has_header && reader.assembly.is_empty() {
        return Err(lines.error("a file without transactions", "a header or a transaction"));
    }
    let history = reader.assembly.builder.history_mut();
    if !reader.has_header {
        history.warnings.push("no header: every key is assumed to be absent initially".into());
    }
    history.warnings.extend(cut_off);
    reader.assembly.finish().map_err(|(line, problem)| problem.at(lines.file(), line))
}

#[derive(Default)]
struct Reader {
    assembly: Assembly,
    calls: FxHashMap<u64, Call>,
    has_header: bool,
    /// A line other than the header was seen.
    under_way: bool,
}

/// A call, open or returned.
struct Call {
    target: Target,
    at: Option<i64>,
    /// The line of the return.
    returned: Option<u32>,
}

/// What a return speaks of.
#[derive(Clone, Copy)]
enum Target {
    Begin(usize),
    Commit(usize),
    Abort(usize),
    Op(usize),
}

const CALL: FieldSet = FieldSet::of(&[Field::Session, Field::Txn, Field::Op]);
const HINT: FieldSet = FieldSet::of(&[Field::Hint, Field::Key, Field::Txns]);
/// A line has one of these.
const KINDS: FieldSet = FieldSet::of(&[
    Field::Tristan,
    Field::Note,
    Field::Hint,
    Field::Call,
    Field::Return,
    Field::Op,
]);
const ALWAYS: FieldSet = FieldSet::of(&[Field::At, Field::Context]);

impl Reader {
    fn line(&mut self, number: u32, line: Line) -> Result<(), ContentError> {
        let has = |field| line.present.has(field);
        if has(Field::Tristan) {
            return self.header(line);
        }
        self.under_way = true;
        if has(Field::Note) {
            return self.note(number, line);
        }
        if has(Field::Hint) {
            return self.hint(number, line);
        }
        let verb = match line.verb {
            Some(Verb::Put) if has(Field::If) => Some(Verb::PutIf),
            verb => verb,
        };
        match (line.call.map(|id| id.0), line.ret.map(|id| id.0), verb) {
            (None, Some(id), _) => self.returned(number, id, line),
            (Some(id), None, Some(verb)) => self.called(number, id, verb, line),
            (None, None, Some(verb)) => self.compact(number, verb, line),
            (Some(_), Some(_), _) => Err(ContentError::new(
                "\"call\" and \"return\" on one line",
                "a line for each, or neither for the compact form",
            )),
            (_, None, None) => Err(missing_operation()),
        }
    }

    fn header(&mut self, line: Line) -> Result<(), ContentError> {
        if self.has_header || self.under_way {
            return Err(ContentError::new("a header", "it on the first line only"));
        }
        let header = header::read(line, &mut self.assembly.builder)?;
        self.assembly.builder.history_mut().header = header;
        self.has_header = true;
        Ok(())
    }

    fn note(&mut self, number: u32, line: Line) -> Result<(), ContentError> {
        line.check(format_args!("note"), FieldSet::of(&[Field::Note]), ALWAYS)?;
        line.instant()?;
        let text = line.note.unwrap_or_default();
        self.assembly.builder.history_mut().notes.push((number, text));
        Ok(())
    }

    fn hint(&mut self, number: u32, line: Line) -> Result<(), ContentError> {
        line.check(format_args!("hint"), HINT, FieldSet::of(&[Field::Context]))?;
        if let Some(other) = line.hint.as_deref().filter(|kind| *kind != "order") {
            return Err(ContentError::new(format!("\"{other}\" in \"hint\""), "\"order\""));
        }
        if let (Some(key), Some(names)) = (line.key, line.txns) {
            let key = self.assembly.builder.key(key);
            self.assembly.hints.order(key, names, number);
        }
        Ok(())
    }

    fn called(
        &mut self,
        number: u32,
        id: u64,
        verb: Verb,
        mut line: Line,
    ) -> Result<(), ContentError> {
        let shape = verb.shape();
        let allowed = FieldSet::of(&[Field::Call]).and(shape.takes).and(ALWAYS);
        line.check(format_args!("{} call", verb.name()), CALL.and(shape.needs), allowed)?;
        if self.calls.contains_key(&id) {
            return Err(ContentError::new(format!("call {id} again"), "an unused id"));
        }
        let at = line.instant()?;
        let target = self.start(number, verb, at, &mut line)?;
        self.calls.insert(id, Call { target, at, returned: None });
        Ok(())
    }

    fn returned(&mut self, number: u32, id: u64, line: Line) -> Result<(), ContentError> {
        let at = line.instant()?;
        let Some(call) = self.calls.get_mut(&id) else {
            return Err(ContentError::new(
                format!("return of call {id}"),
                "the call on a line before",
            ));
        };
        if let Some(before) = call.returned {
            let found = format!("a second return of call {id}");
            return Err(ContentError::new(found, format!("only the one on line {before}")));
        }
        in_order(call.at, at)?;
        call.returned = Some(number);
        let target = call.target;
        let verb = self.verb_of(target);
        let shape = verb.shape();
        let allowed =
            FieldSet::of(&[Field::Return]).and(shape.answers(line.was_seen())).and(ALWAYS);
        line.check(format_args!("{} return", verb.name()), result_of(&line, &shape), allowed)?;
        self.finish(number, target, at, line)
    }

    fn compact(&mut self, number: u32, verb: Verb, mut line: Line) -> Result<(), ContentError> {
        let shape = verb.shape();
        let needs = CALL.and(shape.needs).and(result_of(&line, &shape));
        let allowed = shape.takes.and(shape.answers(line.was_seen())).and(ALWAYS);
        line.check(format_args!("{}", verb.name()), needs, allowed)?;
        let (call, ret) = line.span();
        in_order(call, ret)?;
        let target = self.start(number, verb, call, &mut line)?;
        self.finish(number, target, ret, line)
    }

    /// The client asks for something.
    fn start(
        &mut self,
        number: u32,
        verb: Verb,
        at: Option<i64>,
        line: &mut Line,
    ) -> Result<Target, ContentError> {
        let (session, name) = match (line.session.take(), line.txn.take()) {
            (Some(session), Some(name)) => (session, name),
            _ => return Err(missing_operation()),
        };
        let entered = self.assembly.enter(session, name, number)?;
        let txn = entered.txn;
        if entered.fresh {
            self.assembly.txn(txn).times_mut().begin.call = at;
        }
        match verb {
            Verb::Begin if !entered.fresh => return Err(self.second_begin(txn)),
            Verb::Begin => {
                self.assembly.txn(txn).level = line.level.take().map(String::into_boxed_str);
            }
            Verb::Commit | Verb::Abort => {
                self.assembly.leave(txn, number, verb.name());
                self.assembly.txn(txn).times_mut().end.call = at;
                after_begin(self.assembly.txn(txn), at)?;
            }
            _ => {}
        }
        Ok(match operation::asked(verb, line, &mut self.assembly.builder)? {
            Some(kind) => {
                self.assembly.hints.deleted(TxnId::new(txn), &kind, line, number)?;
                Target::Op(self.assembly.call(txn, kind, number))
            }
            None => self.bounds(verb, txn),
        })
    }

    /// The target of a verb that is not an operation.
    fn bounds(&mut self, verb: Verb, txn: usize) -> Target {
        match verb {
            Verb::Begin => Target::Begin(txn),
            Verb::Commit => Target::Commit(txn),
            _ => {
                self.assembly.txn(txn).outcome = Outcome::Aborted;
                Target::Abort(txn)
            }
        }
    }

    /// The database answers.
    fn finish(
        &mut self,
        number: u32,
        target: Target,
        at: Option<i64>,
        mut line: Line,
    ) -> Result<(), ContentError> {
        let txn = self.txn_of(target);
        let record = self.assembly.txn(txn);
        record.lines.1 = record.lines.1.max(number);
        if let Target::Commit(_) | Target::Abort(_) = target {
            after_begin(record, at)?;
        }
        let id = TxnId::new(txn);
        match (target, line.stamp) {
            (Target::Begin(_), Some(time)) => self.assembly.hints.started(id, time.0, number),
            (Target::Commit(_), Some(time)) => self.assembly.hints.committed(id, time.0, number),
            _ => {}
        }
        let record = self.assembly.txn(txn);
        match target {
            Target::Begin(_) => {
                record.times_mut().begin.ret = at;
                if line.error.is_some() && record.outcome != Outcome::Committed {
                    record.outcome = Outcome::Aborted;
                    record.error = line.error.take().map(String::into_boxed_str);
                    self.assembly.leave(txn, number, "failed begin");
                }
                Ok(())
            }
            Target::Commit(_) => self.committed(txn, at, line),
            Target::Abort(_) => {
                record.times_mut().end.ret = at;
                record.error = line.error.take().map(String::into_boxed_str);
                Ok(())
            }
            Target::Op(op) => self.answered(number, op, line),
        }
    }

    fn committed(&mut self, txn: usize, at: Option<i64>, line: Line) -> Result<(), ContentError> {
        let record = self.assembly.txn(txn);
        record.outcome = match (&line.error, line.aborted) {
            (None, false) => Outcome::Committed,
            // Behind a begin that failed there is nothing to commit.
            (Some(_), false) if record.outcome == Outcome::Aborted => Outcome::Aborted,
            (Some(_), false) => Outcome::Unknown,
            (Some(_), true) => Outcome::Aborted,
            (None, true) => {
                return Err(ContentError::new(
                    "\"aborted\" without \"error\"",
                    "the error as well",
                ));
            }
        };
        // A commit of unknown outcome may take effect long after the client gave up on it.
        record.times_mut().end.ret = at.filter(|_| record.outcome != Outcome::Unknown);
        record.error = line.error.map(String::into_boxed_str);
        Ok(())
    }

    fn answered(&mut self, number: u32, op: usize, mut line: Line) -> Result<(), ContentError> {
        let Answered { place, op, builder, hints } = self.assembly.op(op);
        op.line = number;
        if line.error.is_some() {
            op.status = OpStatus::Failed;
            return Ok(());
        }
        op.status = OpStatus::Done;
        if line.unseen {
            return Ok(());
        }
        operation::seen(&mut op.kind, &mut line, builder)?;
        hints.answered(place, &op.kind, &mut line, builder, number)
    }

    fn txn_of(&self, target: Target) -> usize {
        match target {
            Target::Begin(txn) | Target::Commit(txn) | Target::Abort(txn) => txn,
            Target::Op(op) => self.assembly.txn_of(op),
        }
    }

    fn verb_of(&mut self, target: Target) -> Verb {
        match target {
            Target::Begin(_) => Verb::Begin,
            Target::Commit(_) => Verb::Commit,
            Target::Abort(_) => Verb::Abort,
            Target::Op(op) => operation::verb_of(&self.assembly.op(op).op.kind),
        }
    }

    fn second_begin(&mut self, txn: usize) -> ContentError {
        let txn = self.assembly.txn(txn);
        let found = format!("begin of transaction {}", shown(txn));
        ContentError::new(
            found,
            format!("it earlier: the transaction is open since line {}", txn.lines.0),
        )
    }
}

/// Reads the fields of a line that is of a known kind.
fn parse(text: &str) -> Result<Line, ContentError> {
    let line = Line::parse(text)?;
    if line.present.has_any(KINDS) { Ok(line) } else { Err(Line::stranger(text)) }
}

/// The fields an answer must have: none if it failed or was not seen.
fn result_of(line: &Line, shape: &Shape) -> FieldSet {
    match line.was_seen() {
        true => shape.gives,
        false => FieldSet::default(),
    }
}

fn in_order(call: Option<i64>, ret: Option<i64>) -> Result<(), ContentError> {
    match (call, ret) {
        (Some(call), Some(ret)) if ret < call => Err(ContentError::new(
            format!("return time {ret}"),
            format!("one not before the call at {call}"),
        )),
        _ => Ok(()),
    }
}

fn after_begin(txn: &Txn, end: Option<i64>) -> Result<(), ContentError> {
    match (txn.begin().call, end) {
        (Some(begin), Some(end)) if end < begin => Err(ContentError::new(
            format!("end time {end}"),
            format!("one not before the begin at {begin}"),
        )),
        _ => Ok(()),
    }
}

fn missing_operation() -> ContentError {
    ContentError::new("a call without \"op\"", "\"op\" (the operation)")
}
