//! From a log to a verdict.
//!
//! ```text
//!   greedy pass ──► explained ─────────────┐
//!       │ stuck                            │
//!       ▼                                  │
//!   pass by the stamps ──► explained ──────┤
//!       │ stuck                            │
//!       ▼                                  │
//!   full passes over slices ──► reject     │
//!       │ explained, or too much to try    │
//!       ▼                                  ▼
//!   quick pass ──► explained ──────────► replay ──► accept
//!       │ stuck                            ▲
//!       ▼                                  │
//!   full pass ──► explained ───────────────┘
//!       │ stuck          │ too much to try
//!       ▼                ▼
//!     reject        full pass with row locks ──► accept, or unknown
//! ```
//!
//! The greedy pass follows the first way that works: statement snapshots before single rows, and rows
//! that stay locked until their writer ends. Where the database tells in which order transactions
//! committed, the next pass takes that order and looks at no other; a database that locks what it
//! reads is explained by it. The quick pass follows several worlds. All three may get stuck where a
//! correct database does not, so nothing is rejected before everything was tried.
//!
//! What nothing explains in a part of a log nothing explains in the whole, if the part has everybody who
//! writes what it reads. So slices come first, in which there are far fewer orders to tell apart: the
//! statements that matter to the rows which the unexplained one looks at, with and without
//! other readers, and then all transactions that write.

use std::rc::Rc;

use tristan_ground::{Budget, Stop as Limit};
use tristan_verdict::Assumption;
use tristan_verdict::audit::{AUDIT_SCHEMA_VERSION, AuditAnswer, AuditVerdict, LogSummary};

use crate::assumptions::assumptions;
use crate::clock::{Clock, Unwatched, Watch};
use crate::error::Error;
use crate::explain::{Effort, Slice};
use crate::level::Level;
use crate::load::{Counts, Loaded, Loader};
use crate::log::Source;
use crate::model::{NEVER, Time};
use crate::options::{Options, Order};
use crate::reach::{Cone, Readers};
use crate::rejection;
use crate::replay::replay;
use crate::search::{Dead, Frontier, Stop};
use crate::sql::Sql;
use crate::task::Task;
use crate::witness;

/// How a pass ended.
pub(crate) enum End {
    /// Everything is explained.
    Explained,
    /// A transaction is not.
    Dead(Box<Dead>),
    /// A statement cannot be carried out.
    Unsupported { txn: u64, reason: String },
    /// Time is up.
    Late,
    /// There was too much to try.
    Cut,
}

/// A pass over a log, or the part of it up to where it ended.
pub(crate) struct Pass {
    pub(crate) frontier: Frontier<Sql>,
    pub(crate) end: End,
    pub(crate) counts: Counts,
    /// How many transactions were explained, in this pass or in an earlier one.
    pub(crate) explained: u64,
    pub(crate) warnings: Vec<String>,
}

/// Judges a log.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict.
pub fn audit(source: &dyn Source, options: &Options) -> Result<AuditVerdict, Error> {
    audit_watched(source, options, &Unwatched)
}

/// Judges a log while somebody watches.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict.
pub fn audit_watched(
    source: &dyn Source,
    options: &Options,
    watch: &dyn Watch,
) -> Result<AuditVerdict, Error> {
    audit_within(source, options, watch, &Budget::default())
}

/// The same, as long as the budget allows.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict, and so is a limit that was reached.
pub fn audit_within(
    source: &dyn Source,
    options: &Options,
    watch: &dyn Watch,
    budget: &Budget,
) -> Result<AuditVerdict, Error> {
    let clock = Clock::new(options.time, watch, budget);
    let assumed = assumptions(options);
    let (pass, effort) = decide(source, options, &clock, passes(options))?;
    clock.enter("check the answer");
    let answer = answer(source, options, &pass, effort, &clock)?;
    Ok(verdict(source, options, &pass, answer, assumed))
}

/// Makes one pass after the other until one says something, or there is none left.
pub(crate) fn decide(
    source: &dyn Source,
    options: &Options,
    clock: &Clock<'_>,
    efforts: impl Iterator<Item = Effort>,
) -> Result<(Pass, Effort), Error> {
    let mut stuck: Option<Stuck> = None;
    let mut last = None;
    for effort in efforts {
        let extent = match (&stuck, effort.sliced) {
            (_, None) => Extent::default(),
            (Some(stuck), Some(slice)) => match stuck.extent(slice) {
                Some(extent) => extent,
                None => continue,
            },
            (None, Some(_)) => continue,
        };
        clock.enter(effort.name());
        let mut pass = run_until(source, options, effort, clock, extent)?;
        pass.explained = stuck.as_ref().map_or(0, |stuck| stuck.explained).max(pass.explained);
        let goes_on = match &pass.end {
            End::Dead(_) if effort.stamped => true,
            End::Dead(dead) if !effort.full => {
                let (txn, runs) = (dead.task.txn.number, pass.frontier.notes.runs.get());
                let cone = cone(source, options, dead, clock)?.map(Rc::new);
                let (explained, by) = (pass.explained, dead.task.hi);
                stuck = Some(Stuck { txn, runs, explained, by, cone });
                true
            }
            End::Dead(_) => effort.stops_at_cut() && pass.frontier.notes.cut.get(),
            End::Explained | End::Late => effort.sliced.is_some(),
            End::Cut => true,
            End::Unsupported { .. } => false,
        };
        last = Some((pass, effort));
        if !goes_on {
            break;
        }
    }
    Ok(last.expect("the first pass needs no slice"))
}

/// Where a pass got stuck, how many statements it had carried out, and how many transactions explained.
struct Stuck {
    txn: u64,
    runs: u64,
    explained: u64,
    /// When the transaction was over: whoever begins later has nothing to do with it.
    by: Time,
    cone: Option<Rc<Cone>>,
}

impl Stuck {
    /// What is looked at to see whether nothing explains this.
    fn extent(&self, slice: Slice) -> Option<Extent> {
        let runs = Some(200_000 + 50 * self.runs);
        let extent = Extent { runs, by: Some(self.by), ..Extent::default() };
        Some(match slice {
            Slice::Cone => {
                Extent { reader: Some(self.txn), cone: Some(self.cone.clone()?), ..extent }
            }
            Slice::ConeWithReaders => Extent { cone: Some(self.cone.clone()?), ..extent },
            Slice::Writers => Extent { reader: Some(self.txn), ..extent },
        })
    }
}

/// The rows that a mistake is about: those that the statement looks at that nothing explains.
fn cone(
    source: &dyn Source,
    options: &Options,
    dead: &Dead,
    clock: &Clock<'_>,
) -> Result<Option<Cone>, Error> {
    let Some(reach) = dead.step().and_then(|step| dead.task.reach_of(step)) else {
        return Ok(None);
    };
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let mut writers = Vec::new();
    while let Some(loaded) = loader.next(&mut sql)? {
        if clock.is_up() {
            return Ok(None);
        }
        let Loaded::Task(task) = loaded else { continue };
        if task.begin > dead.task.hi {
            break;
        }
        writers.extend(task.writers().cloned());
    }
    Ok(Cone::of(reach, &writers))
}

/// What is tried, one after the other.
fn passes(options: &Options) -> impl Iterator<Item = Effort> {
    let quick = options.heuristics.stronger;
    let hinted = options.order == Order::Hint;
    let stamped = [Effort::STAMPED].into_iter().filter(move |_| hinted);
    let mut slices = slices();
    let greedy = slices.next().into_iter();
    let first = greedy.chain(stamped).chain(slices).chain([Effort::QUICK]);
    first.filter(move |_| quick).chain([Effort::FULL, Effort::LOCKED])
}

/// What is enough to see whether most small logs are right or wrong.
pub(crate) fn slices() -> impl Iterator<Item = Effort> {
    let slices = [Slice::Cone, Slice::ConeWithReaders, Slice::Writers].map(Effort::slice);
    [Effort::GREEDY].into_iter().chain(slices)
}

/// How much of a log is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    /// Up to the begin of this transaction; zero stands for the first one.
    pub(crate) until: Option<u64>,
    /// Up to this moment.
    pub(crate) by: Option<Time>,
    /// Of those who only read, this one alone.
    pub(crate) reader: Option<u64>,
    /// Of the statements, those alone that matter to these rows.
    pub(crate) cone: Option<Rc<Cone>>,
    /// How many statements are carried out before there is too much to try.
    pub(crate) runs: Option<u64>,
}

/// Goes over a log once.
pub(crate) fn run_until(
    source: &dyn Source,
    options: &Options,
    effort: Effort,
    clock: &Clock<'_>,
    extent: Extent,
) -> Result<Pass, Error> {
    let (mut loader, sql) = Loader::open(source, options)?;
    let mut frontier = Frontier::new(sql, options.clone(), effort);
    if effort.full && options.level.reads_old_states() {
        frontier.readers = Some(readers(source, options, &extent, clock)?);
    }
    let until = extent.until;
    frontier.notes.budget = clock.budget().clone();
    frontier.extent = extent;
    let end = go(&mut loader, &mut frontier, clock, until)?;
    let (counts, warnings) = (loader.counts, loader.warnings().to_vec());
    let explained = frontier.records.len() as u64;
    Ok(Pass { frontier, end, counts, explained, warnings })
}

impl Extent {
    /// Whether a transaction began too late to matter.
    fn is_over(&self, task: &Task) -> bool {
        self.by.is_some_and(|by| task.begin > by)
    }

    /// What is looked at of a transaction; nothing if none of it is. What leaves nothing behind explains
    /// nothing either.
    pub(crate) fn of(&self, mut task: Task) -> Option<Task> {
        if let Some(cone) = &self.cone {
            task.keep(|reach| cone.has(reach));
        }
        let left_out = self.reader.is_some_and(|reader| reader != task.txn.number)
            && task.leaves_nothing()
            || self.cone.is_some() && task.is_empty();
        (!left_out).then_some(task)
    }
}

/// Everybody of a log who may read a state between two commits long after them: at read committed,
/// statements that write, since others may see every row in a state of its own anyway.
fn readers(
    source: &dyn Source,
    options: &Options,
    extent: &Extent,
    clock: &Clock<'_>,
) -> Result<Readers, Error> {
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let mut readers = Readers::default();
    while let Some(loaded) = loader.next(&mut sql)? {
        let Loaded::Task(task) = loaded else { continue };
        // The pass that follows ends at once if a limit was reached.
        if extent.is_over(&task) || clock.is_up() {
            break;
        }
        match extent.of(*task) {
            Some(task) if options.level == Level::ReadCommitted => {
                task.writers().for_each(|reach| readers.add(reach));
            }
            Some(task) => readers.add(&task.reach),
            None => {}
        }
    }
    Ok(readers)
}

fn go(
    loader: &mut Loader,
    frontier: &mut Frontier<Sql>,
    clock: &Clock<'_>,
    until: Option<u64>,
) -> Result<End, Error> {
    let stopped = |stop: Stop| match stop {
        _ if clock.budget().known().is_err() => End::Late,
        Stop::Dead(dead) => End::Dead(dead),
        Stop::Unsupported(task, reason) => {
            End::Unsupported { txn: task.txn.number, reason: reason.to_string() }
        }
    };
    loop {
        if clock.is_over(loader.counts.transactions) {
            return Ok(End::Late);
        }
        let spent = frontier.extent.runs.is_some_and(|most| frontier.notes.runs.get() > most);
        if spent || frontier.effort.stops_at_cut() && frontier.notes.cut.get() {
            return Ok(End::Cut);
        }
        match loader.next(&mut frontier.machine)? {
            None => break,
            Some(Loaded::Row(key, row)) => frontier.store.load(key, row),
            Some(Loaded::Task(task)) if frontier.extent.is_over(&task) => {
                // Who is still open may be explained by somebody who began later.
                let done = frontier.until(frontier.extent.by.unwrap_or(NEVER).saturating_add(1));
                return Ok(done.map_or_else(stopped, |()| End::Explained));
            }
            Some(Loaded::Task(task)) => {
                if until.is_some_and(|until| until == 0 || until == task.txn.number) {
                    let done = frontier.until(task.begin);
                    return Ok(done.map_or_else(stopped, |()| End::Explained));
                }
                if let Err(stop) = frontier.admit(*task) {
                    return Ok(stopped(stop));
                }
            }
            Some(Loaded::Unsupported { txn, reason }) => {
                return Ok(End::Unsupported { txn: txn.number, reason: reason.to_string() });
            }
        }
    }
    Ok(frontier.finish().map_or_else(stopped, |()| End::Explained))
}

/// Which limit was reached, in which stage, and what to do about it.
fn limit(clock: &Clock<'_>) -> String {
    let Some(stopped) = clock.stopped() else { return Limit::Time.to_string() };
    let flag = match stopped.stop {
        Limit::Memory => "--memory",
        Limit::Time | Limit::Cancelled => "--time",
    };
    format!("{} in stage \"{}\"; allow more with {flag}", stopped.stop, stopped.place)
}

fn answer(
    source: &dyn Source,
    options: &Options,
    pass: &Pass,
    effort: Effort,
    clock: &Clock<'_>,
) -> Result<AuditAnswer, Error> {
    let explained = pass.explained;
    let unknown = |reason: String, transaction: Option<u64>| AuditAnswer::Unknown {
        reason,
        transaction,
        explained,
    };
    Ok(match &pass.end {
        End::Late => unknown(limit(clock), None),
        End::Cut => unknown("there are too many possible orders to try".to_owned(), None),
        End::Unsupported { txn, reason } => unknown(reason.clone(), Some(*txn)),
        End::Explained => match replay(source, options, &pass.frontier.records, clock.budget())? {
            Ok(()) => AuditAnswer::Accept { witness: witness::witness(pass) },
            Err(_) if clock.is_up() => unknown(limit(clock), None),
            Err(flaw) => unknown(format!("the witness failed when it was replayed: {flaw}"), None),
        },
        End::Dead(dead) => {
            let txn = Some(dead.task.txn.number);
            let guessed = pass.frontier.machine.guessed();
            match (pass.frontier.notes.cut.get(), guessed) {
                _ if effort == Effort::LOCKED => {
                    let locked = "no order explains it if rows are locked until their writer ends; \
                                  without row locks there are too many possible orders to try";
                    unknown(locked.to_owned(), txn)
                }
                (true, _) => unknown("there are too many possible orders to try".to_owned(), txn),
                (_, Some(what)) => unknown(format!("{what} is not in the log"), txn),
                (false, None) => {
                    let rejection = rejection::rejection(source, options, pass, dead, clock)?;
                    AuditAnswer::Reject { rejection: Box::new(rejection) }
                }
            }
        }
    })
}

fn verdict(
    source: &dyn Source,
    options: &Options,
    pass: &Pass,
    answer: AuditAnswer,
    assumptions: Vec<Assumption>,
) -> AuditVerdict {
    let counts = pass.counts;
    AuditVerdict {
        schema: AUDIT_SCHEMA_VERSION.to_owned(),
        level: options.level.name().to_owned(),
        title: options.level.title().to_owned(),
        log: LogSummary {
            name: source.name().to_owned(),
            transactions: counts.transactions,
            committed: counts.committed,
            unknown: counts.unknown,
            statements: counts.statements,
            runs: pass.frontier.notes.runs.get(),
            worlds: pass.frontier.most_worlds as u64,
        },
        answer,
        assumptions,
        warnings: pass.warnings.clone(),
    }
}
