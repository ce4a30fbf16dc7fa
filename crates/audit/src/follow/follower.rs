//! Follows a log, line by line.

use std::collections::BTreeSet;
use std::rc::Rc;

use tristan_ground::{Budget, Progress};
use tristan_verdict::audit::{AuditAnswer, AuditVerdict, AuditWitness, Rejection};

use super::certain::is_certain;
use super::checkpoint::{self, Draft, Place};
use super::cut::cut;
use super::lines::Lines;
use super::report::{FollowReport, Followed};
use super::window::{End, busy, loosened, quiet};
use crate::engine::{EMPTY, Judged, judge};
use crate::error::Error;
use crate::load::{Loader, Piece, Source, Start};
use crate::log::{Item, LogReader, TextSource};
use crate::model::{NEVER, Outcome, Txn};
use crate::options::{AuditOptions, CommitOrder};
use crate::sql::definitions;
use crate::watched_budget::WatchedBudget;

/// How a log is cut into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowOptions {
    /// How many transactions are judged at a time, if they come quickly enough. Large tables make it more.
    pub piece: usize,
    /// How many transactions are kept to go back to, if the state before them is not certain.
    pub keep: usize,
}

impl Default for FollowOptions {
    fn default() -> Self {
        Self { piece: 2_000, keep: 20_000 }
    }
}

/// A piece needs its rows copied and indexed several times; one transaction for so many rows makes up for that.
const ROWS_PER_TXN: usize = 16;

/// Follows a log.
pub struct Follower {
    name: String,
    options: AuditOptions,
    limits: FollowOptions,
    reader: LogReader,
    /// The lines before the first transaction.
    prelude: Vec<u8>,
    /// The transactions that wait, and the state before them; `None` until the first transaction comes.
    now: Option<Context>,
    /// The last certain state, with everything since then, if the state before what waits is not certain.
    base: Option<Context>,
    /// How many have to wait before they are judged next.
    due: usize,
    /// Whether no transaction is open that could have begun before those that wait have ended.
    still: bool,
    /// How many of those that wait were there when they were judged last.
    seen: usize,
    lines: Lines,
    /// Transactions that were judged before the program was started.
    done: BTreeSet<u64>,
    /// How many transactions there were when it was last tried whether a state is certain.
    tried: usize,
    pieces: u64,
    transactions: u64,
    committed: u64,
    unknown: u64,
    at: i64,
}

/// A state, and what comes after it.
#[derive(Clone)]
struct Context {
    start: Rc<Start>,
    certain: bool,
    txns: Vec<Rc<Txn>>,
    /// So many of them are counted already.
    carried: usize,
    /// What was judged before, as far as pieces count it.
    report: FollowReport,
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follower").field("name", &self.name).field("pieces", &self.pieces).finish()
    }
}

impl Follower {
    /// Follows the log with this name from its first line.
    ///
    /// # Errors
    /// If the level does not let anything be forgotten.
    pub fn new(name: &str, options: &AuditOptions, limits: FollowOptions) -> Result<Self, Error> {
        refuse(options)?;
        Ok(Self {
            name: name.to_owned(),
            // A state with values that were guessed is not certain, and only certain states can be cut at.
            options: AuditOptions { predicts: false, ..options.clone() },
            limits,
            reader: LogReader::of_lines(name),
            prelude: Vec::new(),
            now: None,
            base: None,
            due: limits.piece,
            still: false,
            seen: 0,
            tried: 0,
            lines: Lines::default(),
            done: BTreeSet::new(),
            pieces: 0,
            transactions: 0,
            committed: 0,
            unknown: 0,
            at: 0,
        })
    }

    /// Goes on where a checkpoint says, and gives the number of bytes of the log that come before. `first_line` is the
    /// first line of the log.
    ///
    /// # Errors
    /// If the level does not let anything be forgotten, or the checkpoint is damaged or belongs to another audit.
    pub fn resume(
        name: &str,
        options: &AuditOptions,
        limits: FollowOptions,
        text: &str,
        first_line: &[u8],
    ) -> Result<(Self, u64), Error> {
        let first = checkpoint::sum(first_line);
        let mut options = options.clone();
        options.schema = None;
        let mut follower = Self::new(name, &options, limits)?;
        let (place, start, header) = checkpoint::read(text, first, &options)?;
        follower.reader.take_line(header.as_bytes())?;
        follower.reader.skip_to(place.lines);
        follower.lines = Lines::behind(place.lines, place.offset, first);
        follower.done = place.done.into_iter().collect();
        let report = place.report;
        (follower.pieces, follower.at) = (report.pieces, report.at);
        (follower.transactions, follower.committed) = (report.transactions, report.committed);
        follower.unknown = report.unknown;
        follower.now = Some(Context {
            start: Rc::new(start),
            certain: place.certain,
            txns: Vec::new(),
            carried: place.carried,
            report,
        });
        follower.set_due();
        Ok((follower, place.offset))
    }

    /// The text of a checkpoint: the state behind what is judged for good, and where the log goes on. Returns `None` if
    /// there was no transaction yet.
    ///
    /// # Errors
    /// If the state cannot be written down.
    pub fn checkpoint(&self) -> Result<Option<String>, Error> {
        let (Some(now), Some(first_line)) = (&self.now, self.lines.first) else { return Ok(None) };
        let line = self.first_needed(now);
        let waits: BTreeSet<u64> = now.txns.iter().map(|txn| txn.number).collect();
        let mut done = self.lines.seen_behind(line, |txn| waits.contains(&txn));
        done.extend(self.done.iter().filter(|txn| !waits.contains(txn)));
        let mut report = self.report();
        (report.statements, report.partly) = (now.report.statements, now.report.partly);
        for txn in &now.txns {
            report.committed -= u64::from(txn.outcome == Outcome::Committed);
            report.unknown -= u64::from(txn.outcome == Outcome::Unknown);
        }
        let draft = Draft {
            start: &now.start,
            header: self.reader.header(),
            first_line,
            place: Place {
                offset: self.lines.offset(line),
                lines: line - 1,
                done,
                carried: now.carried,
                certain: now.certain,
                report,
            },
        };
        checkpoint::write(draft, &self.options).map(Some)
    }

    /// The first line that is needed again to go on from here.
    fn first_needed(&self, now: &Context) -> u64 {
        let waiting = now.txns.iter().map(|txn| txn.line).min();
        waiting.unwrap_or(u64::MAX).min(self.reader.first_needed())
    }

    /// Takes the next line, with the character that ends it.
    ///
    /// # Errors
    /// If it is not a line of a log.
    pub fn take_line(&mut self, line: &[u8]) -> Result<(), Error> {
        if self.now.is_none() {
            self.prelude.extend_from_slice(line);
        }
        self.lines.first.get_or_insert_with(|| checkpoint::sum(line));
        self.lines.add(line.len());
        self.still = false;
        self.reader.take_line(line)?;
        if !self.reader.flows() {
            let reason = "transactions on one line each can be followed only if they are sorted by their begins and \
                          the first line of the log has \"sorted\":true";
            return Err(Error::Follow { reason: reason.to_owned() });
        }
        self.collect(false)
    }

    /// Nothing has been written for longer than a line may be late, although the log is written as things happen. So
    /// whatever comes next begins after everything that has ended.
    ///
    /// # Errors
    /// If the log begins with something that cannot be read.
    pub fn stand_still(&mut self) -> Result<(), Error> {
        self.collect(true)?;
        if !self.still && self.reader.is_idle() {
            self.still = true;
            self.seen = 0;
        }
        Ok(())
    }

    /// Whether enough transactions wait to judge them.
    pub fn is_due(&self) -> bool {
        self.waiting() >= self.due
    }

    /// Whether transactions wait that were not looked at yet.
    pub fn is_behind(&self) -> bool {
        self.waiting() > self.seen
    }

    /// Whether the log says itself that it is over.
    pub fn is_over(&self) -> bool {
        self.reader.is_over()
    }

    fn waiting(&self) -> usize {
        self.now.as_ref().map_or(0, |now| now.txns.len())
    }

    /// Judges what can be judged of the transactions that wait.
    ///
    /// # Errors
    /// If a limit of the program is reached that is not a verdict.
    pub fn judge(&mut self, watch: &dyn Progress, budget: &Budget) -> Result<Followed, Error> {
        let budget = WatchedBudget::new(self.options.time, watch, budget);
        let Some(now) = &self.now else { return Ok(Followed::Explained(self.report())) };
        let half = now.txns.len() / 2;
        let end = match quiet(&now.txns, &self.options) {
            _ if self.still => End::Quiet(now.txns.len()),
            Some(place) if place >= half || !self.options.level.is_serial() => End::Quiet(place),
            _ => busy(&now.txns),
        };
        self.seen = now.txns.len();
        match self.weigh(end, &budget)? {
            Weighed::Answer(answer) => Ok(answer),
            Weighed::Explained(explained) => self.accepted(*explained, &budget),
        }
    }

    /// The log is over: judges all that is left.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn finish(&mut self, watch: &dyn Progress, budget: &Budget) -> Result<Followed, Error> {
        self.reader.finish()?;
        self.collect(true)?;
        if self.now.is_none() {
            self.begin()?;
        }
        let budget = WatchedBudget::new(self.options.time, watch, budget);
        let all = End::Quiet(self.waiting());
        let (context, _, _, judged) = match self.weigh(all, &budget)? {
            Weighed::Answer(answer) => return Ok(answer),
            Weighed::Explained(explained) => *explained,
        };
        self.pieces += 1;
        Ok(self.over(judged, &context))
    }

    /// What was strange about the log so far.
    pub fn warnings(&self) -> &[String] {
        self.reader.warnings()
    }

    /// How far the log is judged.
    pub fn report(&self) -> FollowReport {
        let mut report = self.now.as_ref().map(|now| now.report.clone()).unwrap_or_default();
        report.pieces = self.pieces;
        report.waiting = self.waiting() as u64;
        report.transactions = self.transactions - report.waiting;
        (report.committed, report.unknown) = (self.committed, self.unknown);
        report.rows = self.now.as_ref().map_or(0, |now| now.start.rows.len() as u64);
        report.certain = self.now.as_ref().is_some_and(|now| now.certain);
        (report.line, report.at) = (self.reader.line(), self.at);
        report
    }

    /// Takes over the transactions that are complete.
    fn collect(&mut self, still: bool) -> Result<(), Error> {
        while let Some(item) = self.reader.ready(still) {
            let txn = match item {
                Item::Txn(txn) => Rc::new(*txn),
                Item::Schema { line, .. } | Item::Rows { line, .. } if self.now.is_some() => {
                    let problem = "the initial state comes after the first transaction".to_owned();
                    return Err(Error::Start { name: self.name.clone(), line, problem });
                }
                Item::Schema { .. } | Item::Rows { .. } => continue,
            };
            if self.now.is_none() {
                self.begin()?;
            }
            self.lines.note(txn.number, self.reader.line());
            if self.done.remove(&txn.number) {
                continue;
            }
            self.transactions += 1;
            self.committed += u64::from(txn.outcome == Outcome::Committed);
            self.unknown += u64::from(txn.outcome == Outcome::Unknown);
            for context in [&mut self.now, &mut self.base].into_iter().flatten() {
                context.txns.push(Rc::clone(&txn));
            }
        }
        Ok(())
    }

    /// Sets up the tables and rows before the first transaction.
    fn begin(&mut self) -> Result<(), Error> {
        let prelude = TextSource::new(&self.name, std::mem::take(&mut self.prelude));
        let source = Source::Log(&prelude);
        let (sql, rows) = Loader::beginning(source, &self.options)?;
        let dialect = self.reader.header().dialect.clone();
        let dialect = dialect.as_deref().unwrap_or("postgresql");
        let mut schema: Vec<String> = Vec::new();
        let given = self.options.schema.take();
        schema.extend(given.iter().flat_map(|text| definitions(text, dialect)).map(str::to_owned));
        let mut items = source.items()?;
        while let Some(item) = items.next_item()? {
            let Item::Schema { sql, .. } = item else { continue };
            schema.extend(definitions(&sql, dialect).map(str::to_owned));
        }
        let start = Rc::new(Start::new(sql, rows, schema));
        self.now = Some(Context {
            start,
            certain: true,
            txns: Vec::new(),
            carried: 0,
            report: FollowReport::default(),
        });
        self.set_due();
        Ok(())
    }

    /// Judges what waits, up to an end; if nothing explains it, again from the last certain state.
    fn weigh(&self, end: End, budget: &WatchedBudget<'_>) -> Result<Weighed, Error> {
        let Some(now) = self.now.clone() else {
            return Ok(Weighed::Answer(Followed::Explained(self.report())));
        };
        let piece = self.piece(&now, end);
        let judged = judge(Source::Piece(&piece.judged), &self.options, budget)?;
        if judged.tables.is_some() {
            return Ok(Weighed::Explained(Box::new((now, end, piece, judged))));
        }
        if now.certain {
            return Ok(Weighed::Answer(self.over(judged, &now)));
        }
        let Some(base) = self.base.clone() else {
            return Ok(Weighed::Answer(self.doubtful(judged, &now)));
        };
        let end = end.in_longer(now.txns.len(), base.txns.len());
        let piece = self.piece(&base, end);
        let judged = judge(Source::Piece(&piece.judged), &self.options, budget)?;
        Ok(match judged.tables.is_some() {
            true => Weighed::Explained(Box::new((base, end, piece, judged))),
            false => Weighed::Answer(self.over(judged, &base)),
        })
    }

    fn piece(&self, context: &Context, end: End) -> Pieces {
        let txns = match end {
            End::Quiet(place) => context.txns[..place].to_vec(),
            End::Busy(_) => context.txns.clone(),
        };
        let as_judged = match end {
            End::Quiet(_) => txns.clone(),
            End::Busy(_) => loosened(&txns, &self.options),
        };
        let make = |txns: Vec<Rc<Txn>>| Piece {
            name: self.name.clone(),
            header: self.reader.header().clone(),
            start: Rc::clone(&context.start),
            carried: context.carried.min(txns.len()),
            txns,
        };
        Pieces { judged: make(as_judged), logged: make(txns) }
    }

    /// A piece is explained: what comes next starts behind it.
    fn accepted(
        &mut self,
        (from, end, piece, judged): Explained,
        budget: &WatchedBudget<'_>,
    ) -> Result<Followed, Error> {
        self.pieces += 1;
        self.options = judged.options.clone();
        let counts = judged.pass.counts;
        if let Some(last) = piece.logged.txns.last() {
            self.at = self.at.max(last.begin);
        }
        let can_cut = matches!(end, End::Quiet(_)) || self.options.level.is_serial();
        let left = if can_cut { cut(judged, &piece.logged, end, &self.options) } else { None };
        let Some(left) = left else {
            self.due = 2 * self.waiting();
            let mut report = self.report();
            report.add(counts);
            return Ok(Followed::Explained(report));
        };
        let rest = from.txns[piece.logged.txns.len()..].iter().cloned();
        let counted = from.carried.saturating_sub(piece.logged.txns.len());
        let carried = left.carried.len() + counted;
        let certain = self.is_certain(&from, end, budget)?;
        let mut report = from.report.clone();
        report.add(counts);
        let mut txns = left.carried;
        txns.extend(rest);
        let next = Context { start: Rc::new(left.start), certain, txns, carried, report };
        self.keep(from, certain);
        self.seen = next.txns.len();
        self.lines.forget_before(self.first_needed(&next));
        self.now = Some(next);
        self.set_due();
        Ok(Followed::Explained(self.report()))
    }

    /// Whether the state at a cut is the only possible one. As long as it is not, that is asked again whenever there is
    /// twice as much to look at, since everything is tried from the last certain state on.
    fn is_certain(
        &mut self,
        from: &Context,
        end: End,
        budget: &WatchedBudget<'_>,
    ) -> Result<bool, Error> {
        let base = if from.certain { Some(from) } else { self.base.as_ref() };
        let Some(base) = base else { return Ok(false) };
        let end = end.in_longer(from.txns.len(), base.txns.len());
        let End::Quiet(place) = end else { return Ok(false) };
        let ended = base.txns[..place].iter().all(|txn| txn.end != NEVER);
        if !ended || place > self.limits.keep || !from.certain && place < 2 * self.tried {
            return Ok(false);
        }
        self.tried = place;
        is_certain(&self.piece(base, end).logged, &self.options, budget)
    }

    /// Keeps what is needed to go back to a certain state.
    fn keep(&mut self, from: Context, certain: bool) {
        if certain {
            self.base = None;
            return;
        }
        if from.certain {
            self.base = Some(from);
        }
        if self.base.as_ref().is_some_and(|base| base.txns.len() > self.limits.keep) {
            self.base = None;
        }
    }

    fn set_due(&mut self) {
        let Some(now) = &self.now else { return };
        self.due = now.txns.len() + self.limits.piece.max(now.start.rows.len() / ROWS_PER_TXN);
    }

    /// The verdict on a log that nothing explains.
    fn over(&self, judged: Judged, from: &Context) -> Followed {
        Followed::Over(Box::new(self.verdict(judged, from)))
    }

    /// The same, if the state before the piece may have been another one.
    fn doubtful(&self, judged: Judged, from: &Context) -> Followed {
        let mut verdict = self.verdict(judged, from);
        if let AuditAnswer::Reject { rejection } = &verdict.answer {
            verdict.answer = AuditAnswer::Unknown {
                reason: doubt(rejection, self.limits.keep),
                transaction: Some(rejection.transaction),
                explained: rejection.prefix,
            };
        }
        Followed::Doubtful(Box::new(verdict))
    }

    fn verdict(&self, judged: Judged, from: &Context) -> AuditVerdict {
        let counts = judged.pass.counts;
        let mut report = from.report.clone();
        report.add(counts);
        let before = self.transactions - from.txns.len() as u64;
        let mut verdict = judged.verdict(&self.name);
        verdict.log.pieces = Some(self.pieces);
        // The last piece may be empty although the log is not.
        verdict.warnings.retain(|warning| warning != EMPTY || self.transactions == 0);
        verdict.warnings.splice(..0, self.reader.warnings().iter().cloned());
        verdict.log.transactions = self.transactions;
        (verdict.log.committed, verdict.log.unknown) = (self.committed, self.unknown);
        (verdict.log.statements, verdict.log.partly) = (report.statements, report.partly);
        match &mut verdict.answer {
            AuditAnswer::Reject { rejection } => rejection.prefix += before,
            AuditAnswer::Unknown { explained, .. } => *explained += before,
            AuditAnswer::Accept { witness } => *witness = AuditWitness::default(),
        }
        verdict
    }
}

/// What came of the transactions that wait.
enum Weighed {
    /// They are explained.
    Explained(Box<Explained>),
    /// They are not, or there are none.
    Answer(Followed),
}

/// From where something was explained, up to where, what it was, and how.
type Explained = (Context, End, Pieces, Judged);

/// A piece as it is judged, and as the log has it.
struct Pieces {
    judged: Piece,
    logged: Piece,
}

/// Why a piece that nothing explains is no reason to reject.
fn doubt(rejection: &Rejection, keep: usize) -> String {
    format!(
        "{} That holds for one state that explains the log up to there, but more than {keep} transactions ago there \
         may have been another one; audit the whole log without --follow",
        rejection.sentence
    )
}

/// Refuses what needs states of any age.
fn refuse(options: &AuditOptions) -> Result<(), Error> {
    let reason = match (options.level.reads_old_states(), options.order) {
        (true, _) => format!(
            "at {}, a transaction may read a state of any age, so a log cannot be forgotten while it is followed",
            options.level
        ),
        (_, CommitOrder::Free) => "without times, no transaction is ever over".to_owned(),
        (_, CommitOrder::Exact) => {
            "the stamps of a log that is followed may come after its transactions".to_owned()
        }
        (false, CommitOrder::Hint) => return Ok(()),
    };
    Err(Error::Follow { reason })
}
