//! Explanations: from a decision to a verdict that a person, or `certify`, can follow.

pub(crate) mod anomaly;
pub(crate) mod bad_read;
pub(crate) mod cards;
pub(crate) mod completed;
mod coverage;
mod deeds;
mod facts;
mod interpreted;
mod judgeable;
pub(crate) mod level_marks;
mod obstacles;
pub(crate) mod refutation;
mod scene;
mod stated;
pub(crate) mod witness;

use tristan_history::{Clock, History, Initial, Outcome};
use tristan_spec::{Level, Promise};
use tristan_verdict::{
    Answer, Assumption, Context, Fate, Refutation, SCHEMA_VERSION, TraceSummary, UnknownReason,
    Verdict,
};

use crate::asg::Asg;
use crate::asg::promises::promises;
use crate::budget::{Stop, reason};
use crate::decision::Decision;
use crate::lower::read_dependency;
use crate::options::{Options, Pass};
use crate::passes::minimise::{Core, minimise};
use crate::solve::conflict::units_of;

/// The verdict of a decision.
pub(crate) fn verdict(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    decision: Decision,
) -> Verdict {
    let answer = match decision {
        Decision::Accepted(ir, assignment) => {
            Answer::Accept { witness: witness::witness(&ir, &assignment) }
        }
        Decision::Bad(bad) => refutation::of_bad(asg, &bad),
        Decision::Refuted(mut ir, conflicts) => {
            read_dependency::restore(asg, &units_of(&ir, &conflicts), &mut ir);
            let core = match options.passes.has(Pass::Minimise) {
                true => minimise(ir, conflicts, &options.within),
                false => Core { ir, conflicts, minimal: false },
            };
            refutation::of_conflicts(asg, level, &core)
        }
        Decision::Open(reason) => Answer::Unknown {
            reason,
            decided: "no violation was found in the part that was examined".to_owned(),
        },
    };
    let shown = shown(&answer);
    let context = context(asg, &answer, &shown);
    let (semantics, own_writes) = options.interpretation.names(asg);
    Verdict {
        schema: SCHEMA_VERSION.to_owned(),
        level: level.name.clone(),
        definition: level.formula.to_string(),
        semantics,
        own_writes,
        trace: summary(asg.history, options),
        answer,
        assumptions: assumptions(asg, level, options),
        transactions: cards::cards(asg.history, &shown),
        context,
    }
}

/// The verdict on a trace with the reasons that were found in a part of it, told in terms of the
/// trace.
pub(crate) fn carried_over(
    asg: &Asg<'_>,
    verdict: &Verdict,
    part: &Verdict,
    refutation: Refutation,
) -> Verdict {
    let anomaly = match (&part.answer, &refutation.bad) {
        (Answer::Reject { anomaly, .. }, _) if !refutation.cases.is_empty() => anomaly.clone(),
        (_, Some(bad)) => bad_read::anomaly(asg.history, bad),
        (_, None) => anomaly::of_conflicts(asg.history, &refutation.conflicts),
    };
    let answer = Answer::Reject { anomaly, refutation };
    let shown = shown(&answer);
    let context = context(asg, &answer, &shown);
    let transactions = cards::cards(asg.history, &shown);
    Verdict { answer, transactions, context, ..verdict.clone() }
}

/// The transactions that an answer speaks of.
fn shown(answer: &Answer) -> Vec<u32> {
    let (mut shown, fates): (Vec<u32>, Vec<Fate>) = match answer {
        Answer::Accept { witness } => {
            let first = witness.effects.iter().take(MOST_EFFECTS);
            (witness::shown(witness), first.copied().collect())
        }
        Answer::Reject { refutation, .. } => {
            let fates = refutation.cases.iter().flat_map(|case| case.fates.iter().copied());
            (refutation.core.clone(), fates.collect())
        }
        Answer::Unknown { .. } => Default::default(),
    };
    if !fates.is_empty() {
        shown.extend(fates.iter().map(|fate| fate.txn));
        shown.sort_unstable();
        shown.dedup();
    }
    shown
}

/// Operations that took effect and are told of.
const MOST_EFFECTS: usize = 4;

/// What a report shows around an answer, as far as the trace tells.
fn context(asg: &Asg<'_>, answer: &Answer, shown: &[u32]) -> Context {
    let coverage = match answer {
        Answer::Accept { witness } => Some(coverage::coverage(asg, witness)),
        _ => None,
    };
    // Around the ends of a long order is everything.
    let is_part = matches!(answer, Answer::Accept { witness } if !witness::is_short(witness));
    let scene = if is_part { None } else { scene::scene(asg.history, shown) };
    let obstacles = match answer {
        Answer::Unknown {
            reason: UnknownReason::Time { .. } | UnknownReason::Memory { .. },
            ..
        } => obstacles::obstacles(asg),
        _ => Vec::new(),
    };
    Context { scene, coverage, obstacles, tool: Some(tool()), ..Context::default() }
}

/// The same verdict, told of the trace as it stands instead of a resolved history; `count` of its
/// operations may or may not have taken effect.
pub(crate) fn retold(trace: &History, verdict: Verdict, count: usize) -> Verdict {
    let shown = shown(&verdict.answer);
    let mut assumptions = verdict.assumptions;
    assumptions.push(Assumption {
        what: format!("operations without an answer may or may not have taken effect: {count}"),
        status: "from the trace".to_owned(),
    });
    let scene = match &verdict.answer {
        Answer::Reject { .. } => scene::scene(trace, &shown),
        _ => verdict.context.scene,
    };
    let context = Context { scene, ..verdict.context };
    Verdict { assumptions, context, transactions: cards::cards(trace, &shown), ..verdict }
}

/// What is said if the hints of the trace do not fit it.
pub(crate) fn misfit(what: String) -> Assumption {
    Assumption {
        what: format!("hints: {what}"),
        status: "contradicts the trace, not used".to_owned(),
    }
}

/// The same answer, given for another level.
pub(crate) fn restate(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    verdict: &Verdict,
) -> Verdict {
    Verdict {
        level: level.name.clone(),
        definition: level.formula.to_string(),
        assumptions: assumptions(asg, level, options),
        ..verdict.clone()
    }
}

/// The verdict on a trace that a limit kept from being looked at.
pub(crate) fn unseen(history: &History, level: &Level, options: &Options, stop: Stop) -> Verdict {
    let reason = reason(&options.within.account(stop));
    let definition = level.formula.to_string();
    let trace = summary(history, options);
    let mut verdict = Verdict::unknown(&level.name, &definition, trace, reason, UNSEEN);
    verdict.context.tool = Some(tool());
    verdict
}

/// What is decided before single reads were looked at.
const UNSEEN: &str = "nothing: the reads of the trace were not examined";

fn tool() -> String {
    concat!("tristan ", env!("CARGO_PKG_VERSION")).to_owned()
}

fn summary(history: &History, options: &Options) -> TraceSummary {
    let count = |outcome| history.txns.iter().filter(|txn| txn.outcome == outcome).count();
    TraceSummary {
        name: options.trace_name.clone(),
        transactions: history.txns.len(),
        committed: count(Outcome::Committed),
        unknown: count(Outcome::Unknown),
        sessions: history.sessions.len(),
        operations: history.ops.len(),
        keys: history.keys.len(),
    }
}

/// How many transactions were promised what.
fn counted(promises: &[Promise]) -> String {
    let count = |wanted: &Promise| promises.iter().filter(|given| *given == wanted).count();
    let counts = Promise::ALL.iter().map(|promise| (promise.name(), count(promise)));
    let given = counts.filter(|(_, count)| *count > 0);
    given.map(|(name, count)| format!("{name} ({count})")).collect::<Vec<_>>().join(", ")
}

fn assumptions(asg: &Asg<'_>, level: &Level, options: &Options) -> Vec<Assumption> {
    let mut list = Vec::new();
    let mut add = |what: String, status: &str| {
        list.push(Assumption { what, status: status.to_owned() });
    };
    let history = asg.history;
    let initial = match &history.header.initial {
        Initial::Empty => "every key is absent".to_owned(),
        Initial::Uniform(value) => format!("every key holds {}", history.value(*value)),
        Initial::Given(map) => format!("given for {} of the keys, the others absent", map.len()),
        Initial::Unknown => "unknown".to_owned(),
    };
    let status = if options.initial_given { "given" } else { "from the trace" };
    add(format!("initial state: {initial}"), status);
    if let (true, Ok(promises)) = (level.asks_promises(), promises(history)) {
        add(format!("transactions were promised {}", counted(&promises)), "from the trace");
    }
    for given in &history.header.assumptions {
        add(given.clone(), &stated::status(history, given));
    }
    if crate::lower::uses_clock(level) {
        let timed = history.txns.iter().filter(|txn| txn.begin().call.is_some()).count();
        add(format!("{timed} of {} transactions have times", history.txns.len()), "from the trace");
        match history.header.clock {
            Clock::Ordinal => add("times are the order of entries".to_owned(), "from the trace"),
            Clock::Nanoseconds => {
                add(format!("clocks differ by at most {} ns", options.drift), "given");
            }
        }
    }
    if !asg.hints.is_empty() {
        let hints = &history.hints;
        let (sources, orders) = (hints.sources.len(), hints.orders.len());
        let stamps = hints.stamps.len();
        let what = format!("hints: {sources} sources, {orders} version orders, {stamps} times");
        add(what, "tried first, never relied on");
    }
    for contradiction in &asg.hints.contradictions {
        add(format!("hints: {contradiction}"), "contradictory, not used");
    }
    let unknown = history.txns.iter().filter(|txn| txn.outcome == Outcome::Unknown).count();
    if unknown > 0 {
        add(
            format!("transactions of unknown outcome may or may not have committed: {unknown}"),
            "from the trace",
        );
    }
    list.extend(options.interpretation.assumptions(asg));
    list
}
