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
//! What the passes are, and why there are several, is told in [`crate::passes`].

use tristan_ground::{Budget, Progress, Silent, Stop as Limit};
use tristan_verdict::Assumption;
use tristan_verdict::audit::{AUDIT_SCHEMA_VERSION, AuditAnswer, AuditVerdict, LogSummary};

use crate::assumptions::assumptions;
use crate::clock::Clock;
use crate::error::Error;
use crate::explain::Effort;
use crate::log::Source;
use crate::options::Options;
use crate::passes::{End, Pass, decide, passes};
use crate::rejection::rejection;
use crate::replay::replay;
use crate::witness::witness;

/// Judges a log.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict.
pub fn audit(source: &dyn Source, options: &Options) -> Result<AuditVerdict, Error> {
    audit_watched(source, options, &Silent)
}

/// Judges a log while somebody watches.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict.
pub fn audit_watched(
    source: &dyn Source,
    options: &Options,
    watch: &dyn Progress,
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
    watch: &dyn Progress,
    budget: &Budget,
) -> Result<AuditVerdict, Error> {
    let clock = Clock::new(options.time, watch, budget);
    let assumed = assumptions(options);
    let (pass, effort) = decide(source, options, &clock, passes(options))?;
    clock.enter("check the answer");
    let answer = answer(source, options, &pass, effort, &clock)?;
    Ok(verdict(source, options, &pass, answer, assumed))
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
            Ok(()) => AuditAnswer::Accept { witness: witness(pass) },
            Err(_) if clock.is_up() => unknown(limit(clock), None),
            Err(error) => {
                unknown(format!("the witness failed when it was replayed: {error}"), None)
            }
        },
        End::Unexplained(unexplained) => {
            let txn = Some(unexplained.task.txn.number);
            let guessed = pass.frontier.sql.guessed();
            match (pass.frontier.notes.cut.get(), guessed) {
                _ if effort == Effort::LOCKED => {
                    let locked = "no order explains it if rows are locked until their writer ends; \
                                  without row locks there are too many possible orders to try";
                    unknown(locked.to_owned(), txn)
                }
                (true, _) => unknown("there are too many possible orders to try".to_owned(), txn),
                (_, Some(what)) => unknown(format!("{what} is not in the log"), txn),
                (false, None) => {
                    let rejection = rejection(source, options, pass, unexplained, clock)?;
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
