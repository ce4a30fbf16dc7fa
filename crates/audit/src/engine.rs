//! From a log to a verdict.
//!
//! ```text
//!   greedy pass ──► explained ────────────────────┐
//!       │ stuck (an answer that is wrong in every │
//!       ▼        state is rejected at once)       │
//!   pass by the stamps ──► explained ─────────────┤
//!       │ stuck                                   │
//!       ▼                                         │
//!   suspicious rows, one at a time ──► reject     │
//!       │ not decided soon                        │
//!       ▼                                         │
//!   mended passes, and slices ──► explained ──────┤
//!       │ not decided soon     └► reject          │
//!       ▼                                         │
//!   suspicious queries, on all versions of their  │
//!       │ not decided soon      rows ──► reject   │
//!       ▼                                         │
//!   all other rows, one at a time ──► reject      │
//!       │ not decided soon                        │
//!       ▼                                         │
//!   slices about other suspects ──► reject        │
//!       │ not decided soon                        │
//!       ▼                                         │
//!   quick pass ──► explained ─────────────────────┤
//!       │ stuck                                   │
//!       ▼                                         ▼
//!   mended passes, with patience ──► explained ──► replay ──► accept
//!       │ not decided                             ▲
//!       ▼                                         │
//!   full pass ──► explained ──────────────────────┘
//!       │ stuck          │ too much to try
//!       ▼                ▼
//!     reject        full pass with row locks ──► accept, or unknown
//! ```
//!
//! What the passes are, and why there are several, is told in [`crate::passes`].
//!
//! A statement that is not supported ends the first pass. If it changes nothing, the search begins again without
//! it; if it can change only some tables, without the statements that touch them. The search also begins again before a
//! rejection if some tables hold values that only the server knows, such as the time, and were guessed:
//! [`crate::ladder`] says what is excluded first.

use std::collections::BTreeMap;

use tristan_ground::{Budget, Progress, Silent, Stop};
use tristan_verdict::Assumption;
use tristan_verdict::audit::{AUDIT_SCHEMA_VERSION, AuditAnswer, AuditVerdict, LogSummary};

use crate::assumptions::assumptions;
use crate::error::Error;
use crate::explain::{Effort, Untried};
use crate::ladder::Ladder;
use crate::load::Source;
use crate::log::LogSource;
use crate::options::AuditOptions;
use crate::passes::{End, Pass, Run, Salvage, decide, salvage};
use crate::rejection::rejection;
use crate::replay::{Tables, replay};
use crate::search::Unexplained;
use crate::sql::{Guess, RETURNS_OPEN};
use crate::watched_budget::WatchedBudget;
use crate::witness::witness;

/// What is said of a log in which there is nothing to judge.
pub(crate) const EMPTY: &str = "the log contains no transactions";

/// How many statements may turn out not to be supported when they are carried out. Each of them makes the audit
/// begin again.
const MOST_REFUSED: usize = 300;

/// Judges a log.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict.
pub fn audit(source: &dyn LogSource, options: &AuditOptions) -> Result<AuditVerdict, Error> {
    audit_watched(source, options, &Silent)
}

/// Judges a log while somebody watches.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict.
pub fn audit_watched(
    source: &dyn LogSource,
    options: &AuditOptions,
    watch: &dyn Progress,
) -> Result<AuditVerdict, Error> {
    audit_within(source, options, watch, &Budget::default())
}

/// The same, as long as the budget allows.
///
/// # Errors
/// If the log cannot be read. A log that is wrong is a verdict, and so is a limit that was reached.
pub fn audit_within(
    source: &dyn LogSource,
    options: &AuditOptions,
    watch: &dyn Progress,
    budget: &Budget,
) -> Result<AuditVerdict, Error> {
    let budget = WatchedBudget::new(options.time, watch, budget);
    Ok(judge(Source::Log(source), options, &budget)?.verdict(source.name()))
}

/// What came of a log, or of a piece of one.
pub(crate) struct Judged {
    pub(crate) pass: Pass,
    pub(crate) answer: AuditAnswer,
    /// The tables after it, if it is accepted.
    pub(crate) tables: Option<Tables>,
    /// What was judged in the end, without what cannot be judged.
    pub(crate) options: AuditOptions,
    pub(crate) assumptions: Vec<Assumption>,
    /// What could not be explained before something was excluded from the audit.
    pub(crate) unexplained: Option<String>,
}

/// Judges a log, or a piece of one.
pub(crate) fn judge(
    source: Source<'_>,
    options: &AuditOptions,
    budget: &WatchedBudget<'_>,
) -> Result<Judged, Error> {
    let mut assumed = assumptions(options);
    let mut options = options.clone();
    let mut doubt = None;
    let mut ladder = Ladder::new(source);
    let (pass, effort) = loop {
        let run = Run { source, options: &options, budget };
        let (mut pass, effort) = decide(&run)?;
        if matches!(pass.end, End::Unsupported { .. }) && options.unsupported.len() < MOST_REFUSED {
            let mut refused = pass.search.sql.refused();
            if refused.keys().any(|text| !options.unsupported.contains_key(text)) {
                options.unsupported.append(&mut refused);
                continue;
            }
        }
        let more = match pass.end {
            End::Unsupported { .. } => match salvage(source, &options, budget)? {
                Salvage::Without(tables) => Some(tables),
                Salvage::Nothing { txn, reason } => {
                    pass.end = End::Unsupported { txn, reason };
                    None
                }
                Salvage::Late => None,
            },
            End::Unexplained(ref unexplained) if unexplained.impossible.is_some() => None,
            // Nothing may be rejected because of a value that was guessed.
            End::Unexplained(_) if give_up_guessing(&mut options, &pass) => continue,
            End::Unexplained(ref unexplained) => {
                let guesses = pass.search.sql.guesses();
                doubt = doubt.or_else(|| doubtful(unexplained.task.txn.number, &guesses));
                if ladder.blur(&mut options, &pass) {
                    continue;
                }
                Some(guesses)
            }
            _ => None,
        };
        match more.filter(|more| more.keys().any(|name| !options.unfollowed.contains_key(name))) {
            Some(mut more) => options.unfollowed.append(&mut more),
            None if is_unknown(&pass, effort) && ladder.go_back(&mut options) => {}
            None => break (pass, effort),
        }
    };
    budget.enter("check the answer");
    let (answer, tables) = answer(source, &options, &pass, effort, budget)?;
    if pass.search.sql.assumes_case_is_ignored() {
        let what = "the collation of the database ignores case".to_owned();
        assumed.push(Assumption { what, status: "default".to_owned() });
    }
    if pass.search.sql.catalog().has_foreign_keys() {
        let what = "foreign keys hold; they are not checked".to_owned();
        assumed.push(Assumption { what, status: "default".to_owned() });
    }
    if let Some(what) = pass.search.sql.guessed() {
        let what = format!("{what} was guessed, because the log does not determine it");
        assumed.push(Assumption { what, status: "default".to_owned() });
    }
    Ok(Judged { pass, answer, tables, options, assumptions: assumed, unexplained: doubt })
}

/// What a pass says about a log.
enum Finding<'a> {
    Explained,
    /// Nothing explains a transaction.
    Wrong(&'a Unexplained),
    /// A limit was reached.
    Late,
    Unknown {
        reason: String,
        transaction: Option<u64>,
    },
}

fn is_unknown(pass: &Pass, effort: Effort) -> bool {
    matches!(finding(pass, effort), Finding::Unknown { .. })
}

fn finding(pass: &Pass, effort: Effort) -> Finding<'_> {
    match &pass.end {
        End::Late => Finding::Late,
        End::Cut => {
            let (what, transaction) =
                pass.search.notes.untried().unwrap_or((Untried::Orders, None));
            Finding::Unknown { reason: what.to_string(), transaction }
        }
        End::Unsupported { txn, reason } => {
            Finding::Unknown { reason: reason.clone(), transaction: Some(*txn) }
        }
        End::Explained => Finding::Explained,
        End::Unexplained(unexplained) if unexplained.impossible.is_some() => {
            Finding::Wrong(unexplained)
        }
        End::Unexplained(unexplained) => match doubt(pass, effort) {
            Some((reason, at)) => {
                let transaction = at.or(Some(unexplained.task.txn.number));
                Finding::Unknown { reason, transaction }
            }
            None => Finding::Wrong(unexplained),
        },
    }
}

/// Why a log cannot be rejected although nothing that a pass tried explains it, and the transaction that it is about if
/// it is not the one that is not explained.
fn doubt(pass: &Pass, effort: Effort) -> Option<(String, Option<u64>)> {
    if let Some((what, at)) = pass.search.notes.untried() {
        return Some((what.to_string(), at));
    }
    if effort == Effort::LOCKED {
        let locked = "no order explains the log if each row stays locked until its writer ends; \
                      without this restriction, there are too many orders to try";
        return Some((locked.to_owned(), None));
    }
    let guess = pass.search.sql.guessed()?;
    Some((unsettled(&guess, pass.search.sql.is_collated()), None))
}

/// What is said of a transaction that cannot be explained with the values that were predicted for tables.
fn doubtful(txn: u64, guesses: &BTreeMap<String, String>) -> Option<String> {
    let tables: Vec<&str> = guesses.keys().map(String::as_str).collect();
    (!tables.is_empty()).then(|| {
        format!(
            "with the values that were predicted for {}, nothing explains transaction {txn}: either the server chose \
             others, or an answer is wrong",
            tables.join(", ")
        )
    })
}

/// Does without queries that show values that were guessed: those that were tried, or all of them if that was not
/// enough. Returns `false` if there are none.
fn give_up_guessing(options: &mut AuditOptions, pass: &Pass) -> bool {
    let guessing = pass.search.sql.guessing();
    if guessing.is_empty() || !options.predicts {
        return false;
    }
    match options.unsupported.values().any(|reason| reason == RETURNS_OPEN) {
        true => options.predicts = false,
        false => {
            let all = guessing.into_iter().map(|text| (text, RETURNS_OPEN.to_owned()));
            options.unsupported.extend(all);
        }
    }
    true
}

/// Which limit was reached, in which stage, and what to do about it.
fn limit(budget: &WatchedBudget<'_>) -> String {
    let Some(stopped) = budget.stopped() else { return Stop::Time.to_string() };
    let flag = match stopped.stop {
        Stop::Memory => "--memory",
        Stop::Time | Stop::Cancelled => "--time",
    };
    format!("{} in stage \"{}\"; allow more with {flag}", stopped.stop, stopped.place)
}

fn answer(
    source: Source<'_>,
    options: &AuditOptions,
    pass: &Pass,
    effort: Effort,
    budget: &WatchedBudget<'_>,
) -> Result<(AuditAnswer, Option<Tables>), Error> {
    let explained = pass.explained;
    let unknown = |reason: String, transaction: Option<u64>| AuditAnswer::Unknown {
        reason,
        transaction,
        explained,
    };
    let mut left = None;
    let answer = match finding(pass, effort) {
        Finding::Late => match pass.stuck {
            Some(txn) => unknown(
                format!("{}; the likely order does not explain transaction {txn}", limit(budget)),
                Some(txn),
            ),
            None => unknown(limit(budget), None),
        },
        Finding::Unknown { reason, transaction } => unknown(reason, transaction),
        Finding::Explained => match replayed(source, options, pass, budget)? {
            Ok(tables) => {
                left = Some(tables);
                AuditAnswer::Accept { witness: witness(pass) }
            }
            Err(_) if budget.is_up() => unknown(limit(budget), None),
            Err(error) => {
                unknown(format!("the witness failed when it was replayed: {error}"), None)
            }
        },
        Finding::Wrong(unexplained) => {
            let rejection = rejection(source, options, pass, unexplained, budget)?;
            AuditAnswer::Reject { rejection: Box::new(rejection) }
        }
    };
    Ok((answer, left))
}

/// Carries out the witness of a pass again, with the values that the server is assumed to have chosen.
fn replayed(
    source: Source<'_>,
    options: &AuditOptions,
    pass: &Pass,
    budget: &WatchedBudget<'_>,
) -> Result<Result<Tables, String>, Error> {
    let witness = (pass.search.records.as_slice(), pass.search.sql.server());
    replay(source, options, witness, budget.inner())
}

/// What a result depends on that the log does not show, and what to do about it.
fn unsettled(guess: &Guess, collated: bool) -> String {
    let reason = format!("the result depends on {guess}, which is not known");
    match guess {
        Guess::Comparison(_) if !collated => format!("{reason}; state it with --collation"),
        _ => reason,
    }
}

/// What was strange about the log, and about what is said of it.
fn warnings(pass: &Pass, options: &AuditOptions) -> Vec<String> {
    let unknown = pass.search.sql.unknown_collation().map(|name| {
        format!("the collation {name} is not known, so comparisons of strings are guessed")
    });
    let nothing = pass.counts.transactions == 0 && matches!(pass.end, End::Explained);
    let empty = nothing.then(|| EMPTY.to_owned());
    let of_the_start = |name: &String| !options.unfollowed.contains_key(name);
    let unfollowed = pass.search.sql.unfollowed.iter().filter(|(name, _)| of_the_start(name));
    let unfollowed =
        unfollowed.map(|(name, why)| format!("table {name} is excluded from the audit: {why}"));
    pass.warnings.iter().cloned().chain(unknown).chain(empty).chain(unfollowed).collect()
}

impl Judged {
    /// What is said about the log with this name.
    pub(crate) fn verdict(self, name: &str) -> AuditVerdict {
        let Self { pass, answer, options, assumptions, unexplained, .. } = self;
        let counts = pass.counts;
        AuditVerdict {
            schema: AUDIT_SCHEMA_VERSION.to_owned(),
            level: options.level.name().to_owned(),
            title: options.level.title().to_owned(),
            log: LogSummary {
                name: name.to_owned(),
                transactions: counts.transactions,
                committed: counts.committed,
                unknown: counts.unknown,
                statements: counts.statements,
                runs: pass.search.notes.runs.get(),
                worlds: pass.search.most_worlds as u64,
                unjudged: pass.search.sql.unjudged(),
                partly: counts.partly,
                questions: pass.search.sql.questions(),
                pieces: None,
            },
            answer,
            assumptions,
            warnings: unexplained.into_iter().chain(warnings(&pass, &options)).collect(),
        }
    }
}
