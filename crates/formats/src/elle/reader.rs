//! Pairs what was asked with what came of it.
//!
//! ```text
//!   :invoke … :ok     committed         :invoke … :info   may have committed
//!   :invoke … :fail   did not commit    :invoke …         may have committed
//! ```
//!
//! What reads returned counts only in `:ok` entries. A history may also consist of completions
//! alone; then nothing is known of times, and a history without processes has a session per
//! transaction.
//!
//! Times are the `:time` of entries, in nanoseconds, if every invocation and every `:ok` has one.
//! If none has, they are the order of entries, and the history says so.

use std::io::Read;

use rustc_hash::FxHashMap;

use super::entries::Entries;
use super::entry::{Entry, Kind};
use super::form::{Form, Syntax};
use super::operation::{Data, one_of_these};
use crate::TraceError;
use crate::error::{ContentError, quote, short};
use tristan_history::{Clock, Datum, History, Observed, Op, OpKind, OpStatus, Outcome, Txn};

/// Reads a whole history.
pub(crate) fn read<R: Read>(input: R, file: &str) -> Result<History, TraceError> {
    let mut entries = Entries::new(input, file);
    let mut reader = Reader::default();
    while let Some(map) = entries.next()? {
        let (line, syntax) = (map.line, entries.syntax());
        let entry = Entry::read(map, syntax).map_err(|problem| problem.at(file, line))?;
        reader.entry(entry, syntax).map_err(|(line, problem)| problem.at(file, line))?;
    }
    if reader.drafts.is_empty() {
        let expected = "a transaction";
        return Err(TraceError::content(
            file,
            entries.line(),
            "a file without transactions",
            expected,
        ));
    }
    let syntax = entries.syntax();
    let mut history = reader.finish(syntax).map_err(|(line, problem)| problem.at(file, line))?;
    history.warnings.extend(entries.cut_off);
    Ok(history)
}

/// Something wrong, and the line.
type LineError = (u32, ContentError);

#[derive(Default)]
struct Reader {
    data: Data,
    /// Transactions in the order of their first entries.
    drafts: Vec<Draft>,
    /// The transaction each process is waiting for.
    open: FxHashMap<Option<Datum>, usize>,
    /// The time of the next entry.
    clock: i64,
    /// The highest index so far, and its line.
    index: Option<(i64, u32)>,
    /// Whether there are invocations.
    paired: bool,
    /// The first completion without an invocation.
    unpaired: Option<(u32, ContentError)>,
    /// How many completions differ from their invocations, and the line of the first.
    different: Option<(usize, u32)>,
}

/// A transaction as far as it is known.
struct Draft {
    txn: Txn,
    /// `None` if no entry has told yet.
    ops: Option<Vec<OpKind>>,
    /// When its entries were noted, in nanoseconds.
    noted: Noted,
}

/// When a transaction began and ended, as far as its entries say so in nanoseconds.
#[derive(Clone, Copy, Default)]
struct Noted {
    begin: Option<i64>,
    end: Option<i64>,
}

impl Reader {
    fn entry(&mut self, entry: Entry, syntax: Syntax) -> Result<(), LineError> {
        let line = entry.line;
        self.ascending(&entry, syntax).map_err(|problem| (line, problem))?;
        if entry.is_nemesis() {
            let note = (line, entry.remark(syntax));
            self.data.builder.history_mut().notes.push(note);
            return Ok(());
        }
        match entry.kind {
            Kind::Invoke => self.invoked(entry, syntax),
            _ => self.completed(entry, syntax),
        }
    }

    /// The order of the entries is the order of events; indexes must not contradict it.
    fn ascending(&mut self, entry: &Entry, syntax: Syntax) -> Result<(), ContentError> {
        let Some(index) = entry.index else { return Ok(()) };
        match self.index.replace((index, entry.line)) {
            Some((before, line)) if before >= index => {
                let found = format!("{} {index}", syntax.name("index"));
                Err(ContentError::new(found, format!("one above {before}, that of line {line}")))
            }
            _ => Ok(()),
        }
    }

    fn invoked(&mut self, mut entry: Entry, syntax: Syntax) -> Result<(), LineError> {
        if let Some(complaint) = self.unpaired.take() {
            return Err(complaint);
        }
        if let Some(&other) = self.open.get(&entry.process) {
            let since = self.drafts[other].txn.lines.0;
            let found = format!("another {} of {}", syntax.name("invoke"), who(&entry));
            let expected = format!("the completion of the one on line {since} first");
            return Err((entry.line, ContentError::new(found, expected)));
        }
        self.paired = true;
        let draft = self.start(&mut entry, syntax)?;
        let now = self.tick(entry.index);
        self.drafts[draft].txn.times_mut().begin.call = Some(now);
        self.drafts[draft].noted.begin = entry.time;
        self.open.insert(entry.process, draft);
        Ok(())
    }

    fn completed(&mut self, mut entry: Entry, syntax: Syntax) -> Result<(), LineError> {
        let Some(draft) = self.open.remove(&entry.process) else {
            return self.completed_alone(entry, syntax);
        };
        let ops = self.operations(&mut entry, syntax).map_err(|problem| (entry.line, problem))?;
        let now = self.tick(entry.index);
        let Draft { txn, ops: asked, noted } = &mut self.drafts[draft];
        if let (Some(begin), Some(end)) = (noted.begin, entry.time)
            && end < begin
        {
            let found = format!("{} {end}", syntax.name("time"));
            let expected = format!("a time not before {begin}, that of line {}", txn.lines.0);
            return Err((entry.line, ContentError::new(found, expected)));
        }
        noted.end = entry.time;
        txn.lines.1 = entry.line;
        txn.name = entry.index.map(|index| Box::new(index.into())).or(txn.name.take());
        // A commit of unknown outcome may take effect long after the client gave up on it.
        txn.times_mut().end.ret = Some(now).filter(|_| entry.kind != Kind::Info);
        if let (Some(asked), Some(told)) = (&asked, &ops)
            && !alike(asked, told)
        {
            let (count, line) = self.different.unwrap_or((0, entry.line));
            self.different = Some((count + 1, line));
        }
        *asked = ops.or(asked.take());
        end(txn, entry);
        Ok(())
    }

    /// A completion without an invocation is fine if there are no invocations at all.
    fn completed_alone(&mut self, mut entry: Entry, syntax: Syntax) -> Result<(), LineError> {
        let found = format!("{} of {}", syntax.name(entry.kind.word()), who(&entry));
        let expected = format!("its {} on a line before", syntax.name("invoke"));
        let complaint = (entry.line, ContentError::new(found, expected));
        if self.paired {
            return Err(complaint);
        }
        self.unpaired.get_or_insert(complaint);
        let draft = self.start(&mut entry, syntax)?;
        end(&mut self.drafts[draft].txn, entry);
        Ok(())
    }

    /// Begins a transaction with its first entry.
    fn start(&mut self, entry: &mut Entry, syntax: Syntax) -> Result<usize, LineError> {
        let ops = self.operations(entry, syntax).map_err(|problem| (entry.line, problem))?;
        let number = self.drafts.len();
        let alone = || Datum::from(format!("transaction {}", number + 1).as_str());
        let session = self.data.builder.session(entry.process.clone().unwrap_or_else(alone));
        let txn = Txn {
            name: entry.index.map(|index| Box::new(index.into())),
            lines: (entry.line, entry.line),
            ..Txn::new(session, Outcome::Unknown)
        };
        self.drafts.push(Draft { txn, ops, noted: Noted::default() });
        Ok(number)
    }

    /// The operations an entry lists.
    fn operations(
        &mut self,
        entry: &mut Entry,
        syntax: Syntax,
    ) -> Result<Option<Vec<OpKind>>, ContentError> {
        let is_txn = entry.is_txn();
        let other_workload = |entry: &Entry| {
            let function = entry.function.as_ref().map_or(String::new(), |form| syntax.show(form));
            let found = format!("{} {}", syntax.name("f"), quote(&function));
            let these = one_of_these(syntax);
            let expected = format!("transactions of {these} (other workloads are not read)");
            ContentError::new(found, expected)
        };
        let seen = entry.kind == Kind::Ok;
        match entry.value.take() {
            Some(Form::List(forms)) if is_txn || !forms.is_empty() => {
                let ops = self.data.operations(forms, seen, syntax);
                ops.map(Some)
                    .map_err(|problem| if is_txn { problem } else { other_workload(entry) })
            }
            _ if !is_txn => Err(other_workload(entry)),
            None if seen => {
                let [ok, value] = ["ok", "value"].map(|word| syntax.name(word));
                Err(ContentError::new(
                    format!("{ok} without {value}"),
                    "the operations and what they saw",
                ))
            }
            None => Ok(None),
            Some(form) => {
                let found = format!("{} {}", syntax.name("value"), quote(&syntax.show(&form)));
                Err(ContentError::new(found, format!("a list of {}", one_of_these(syntax))))
            }
        }
    }

    /// The time of an entry: its index, or else its place.
    fn tick(&mut self, index: Option<i64>) -> i64 {
        let now = index.map_or(self.clock, |index| index.max(self.clock));
        self.clock = now.saturating_add(1);
        now
    }

    /// Takes times from what entries say in nanoseconds, or notes that they are an order.
    fn set_clock(&mut self, syntax: Syntax) {
        let is_noted = |draft: &Draft| {
            let committed = draft.txn.outcome == Outcome::Committed;
            draft.noted.begin.is_some() && (draft.noted.end.is_some() || !committed)
        };
        let noted = self.drafts.iter().filter(|draft| is_noted(draft)).count();
        if !self.paired {
            return;
        }
        if noted == self.drafts.len() {
            for Draft { txn, noted, .. } in &mut self.drafts {
                let times = txn.times_mut();
                times.begin.call = noted.begin;
                times.end.ret = times.end.ret.and(noted.end);
            }
            return;
        }
        let history = self.data.builder.history_mut();
        history.header.clock = Clock::Ordinal;
        let some = |draft: &Draft| draft.noted.begin.or(draft.noted.end).is_some();
        if self.drafts.iter().any(some) {
            let without = self.drafts.len() - noted;
            history.warnings.push(format!(
                "{} is missing in entries of {without} transactions and is ignored: the order of entries is used instead",
                syntax.name("time")
            ));
        }
    }

    fn finish(mut self, syntax: Syntax) -> Result<History, LineError> {
        self.set_clock(syntax);
        for Draft { txn, ops, .. } in std::mem::take(&mut self.drafts) {
            let (first, line) = txn.lines;
            let Some(ops) = ops else {
                let found = format!("a transaction without {}", syntax.name("value"));
                return Err((
                    first,
                    ContentError::new(found, "its operations, here or where it ends"),
                ));
            };
            self.data.builder.add_txn(txn);
            for kind in ops {
                self.data.builder.push_op(Op { kind, status: OpStatus::Done, line });
            }
        }
        let mut ops = std::mem::take(&mut self.data.builder.history_mut().ops);
        self.data.find_lists(&mut ops);
        let mut history = self.data.builder.finish();
        history.ops = ops;
        history.warnings.extend(self.different.map(|(count, line)| {
            format!("completions with other operations than their invocations (the completions are used): {count}, the first on line {line}")
        }));
        Ok(history)
    }
}

/// Marks the end of a transaction.
fn end(txn: &mut Txn, entry: Entry) {
    txn.outcome = match entry.kind {
        Kind::Ok => Outcome::Committed,
        Kind::Fail => Outcome::Aborted,
        Kind::Info | Kind::Invoke => Outcome::Unknown,
    };
    txn.error = entry.error.filter(|_| entry.kind != Kind::Ok).map(String::into_boxed_str);
}

/// Whether two entries ask for the same, whatever was seen.
fn alike(asked: &[OpKind], told: &[OpKind]) -> bool {
    let unseen = |kind: &OpKind| match kind {
        OpKind::ReadList { key, .. } | OpKind::Get { key, .. } => {
            OpKind::Get { key: *key, seen: Observed::Unknown, locking: false }
        }
        other => other.clone(),
    };
    asked.iter().map(unseen).eq(told.iter().map(unseen))
}

/// The process of an entry.
fn who(entry: &Entry) -> String {
    match &entry.process {
        Some(process) => format!("process {}", short(process)),
        None => "no process in particular".to_owned(),
    }
}
