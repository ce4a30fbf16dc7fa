//! From a log to a verdict.
//!
//! ```text
//!   greedy pass ──► explained ─────────────┐
//!       │ stuck                            │
//!       ▼                                  │
//!   full pass without readers ──► reject   │
//!       │ explained, or too much to try    │
//!       ▼                                  ▼
//!   quick pass ──► explained ──────────► replay ──► accept
//!       │ stuck                            ▲
//!       ▼                                  │
//!   full pass ──► explained ───────────────┘
//!       │ stuck          │ too much to try
//!       ▼                ▼
//!     reject        full pass with row locks ──► the same; a reject says what it assumes
//! ```
//!
//! The greedy pass follows the first way that works: statement snapshots before single rows, and rows
//! that stay locked until their writer ends. The quick pass follows several worlds. Both may get stuck
//! where a correct database does not, so nothing is rejected before everything was tried. Those who
//! only read are left out first, all but the one that the greedy pass got stuck at: what nothing explains
//! without them nothing explains with them, and without them there are far fewer orders to tell apart.

use tristan_verdict::Assumption;
use tristan_verdict::audit::{AUDIT_SCHEMA_VERSION, AuditAnswer, AuditVerdict, LogSummary};

use crate::assumptions::assumptions;
use crate::clock::{Clock, Unwatched, Watch};
use crate::error::Error;
use crate::explain::Effort;
use crate::level::Level;
use crate::load::{Counts, Loaded, Loader};
use crate::log::Source;
use crate::options::Options;
use crate::reach::Readers;
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
    let clock = Clock::new(options.time, watch);
    let mut assumed = assumptions(options);
    let mut stuck: Option<Stuck> = None;
    for effort in passes(options) {
        let slice = stuck.as_ref().filter(|_| effort == Effort::SLICE);
        if effort == Effort::SLICE && slice.is_none() {
            continue;
        }
        let extent = Extent {
            until: None,
            slice: slice.map(|stuck| stuck.txn),
            runs: slice.map(|stuck| 200_000 + 50 * stuck.runs),
        };
        watch.stage(effort.name());
        let mut pass = run_until(source, options, effort, &clock, extent)?;
        pass.explained = stuck.as_ref().map_or(0, |stuck| stuck.explained).max(pass.explained);
        let goes_on = match &pass.end {
            End::Dead(dead) if !effort.full => {
                let (txn, runs) = (dead.task.txn.number, pass.frontier.notes.runs.get());
                stuck = Some(Stuck { txn, runs, explained: pass.explained });
                true
            }
            End::Dead(_) => effort.stops_at_cut() && pass.frontier.notes.cut.get(),
            End::Explained | End::Late => effort == Effort::SLICE,
            End::Cut => effort != Effort::LOCKED,
            End::Unsupported { .. } => false,
        };
        if goes_on {
            continue;
        }
        if effort == Effort::LOCKED && matches!(pass.end, End::Dead(_)) {
            assumed.push(Assumption {
                what: "a row that a transaction wrote is locked until it ends".to_owned(),
                status: "there were too many possibilities without it".to_owned(),
            });
        }
        watch.stage("check the answer");
        let answer = answer(source, options, &pass, &clock)?;
        return Ok(verdict(source, options, &pass, answer, assumed));
    }
    unreachable!("the last pass says something")
}

/// Where a pass got stuck, how many statements it had carried out, and how many transactions explained.
struct Stuck {
    txn: u64,
    runs: u64,
    explained: u64,
}

/// What is tried, one after the other.
fn passes(options: &Options) -> impl Iterator<Item = Effort> {
    let quick = options.heuristics.stronger;
    let all = [Effort::GREEDY, Effort::SLICE, Effort::QUICK, Effort::FULL, Effort::LOCKED];
    all.into_iter().filter(move |effort| effort.full && !effort.sliced || quick)
}

/// How much of a log is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    /// Up to the begin of this transaction; zero stands for the first one.
    pub(crate) until: Option<u64>,
    /// Of those who only read, this one alone.
    pub(crate) slice: Option<u64>,
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
        frontier.readers = Some(readers(source, options, extent)?);
    }
    frontier.extent = extent;
    let end = go(&mut loader, &mut frontier, clock, extent.until)?;
    let (counts, warnings) = (loader.counts, loader.warnings().to_vec());
    let explained = frontier.records.len() as u64;
    Ok(Pass { frontier, end, counts, explained, warnings })
}

impl Extent {
    /// Whether a transaction is not looked at: what leaves nothing behind explains nothing either.
    pub(crate) fn leaves_out(self, task: &Task) -> bool {
        self.slice.is_some_and(|slice| slice != task.txn.number && task.leaves_nothing())
    }
}

/// Everybody of a log who may read a state between two commits long after them: at read committed,
/// statements that write, since others may see every row in a state of its own anyway.
fn readers(source: &dyn Source, options: &Options, extent: Extent) -> Result<Readers, Error> {
    let (mut loader, mut sql) = Loader::open(source, options)?;
    let mut readers = Readers::default();
    while let Some(loaded) = loader.next(&mut sql)? {
        match loaded {
            Loaded::Task(task) if extent.leaves_out(&task) => {}
            Loaded::Task(task) if options.level == Level::ReadCommitted => {
                task.writers().for_each(|reach| readers.add(reach));
            }
            Loaded::Task(task) => readers.add(&task.reach),
            Loaded::Row(..) | Loaded::Unsupported { .. } => {}
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

fn answer(
    source: &dyn Source,
    options: &Options,
    pass: &Pass,
    clock: &Clock<'_>,
) -> Result<AuditAnswer, Error> {
    let explained = pass.explained;
    let unknown = |reason: String, transaction: Option<u64>| AuditAnswer::Unknown {
        reason,
        transaction,
        explained,
    };
    Ok(match &pass.end {
        End::Late => unknown("the time is up".to_owned(), None),
        End::Cut => unknown("there are too many possibilities to try".to_owned(), None),
        End::Unsupported { txn, reason } => unknown(reason.clone(), Some(*txn)),
        End::Explained => match replay(source, options, &pass.frontier.records)? {
            Ok(()) => AuditAnswer::Accept { witness: witness::witness(pass) },
            Err(flaw) => unknown(format!("the witness does not hold on replay: {flaw}"), None),
        },
        End::Dead(dead) => {
            let txn = Some(dead.task.txn.number);
            let guessed = pass.frontier.machine.guessed();
            match (pass.frontier.notes.cut.get(), guessed) {
                (true, _) => unknown("there are too many possibilities to try".to_owned(), txn),
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
