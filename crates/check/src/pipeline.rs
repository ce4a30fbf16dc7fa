//! The whole way from a history to a verdict.
//!
//! Two functions show the order of everything: [`check_levels`] what is done once for a trace,
//! `decide` what is done for each level on it. Parts that can be switched off ([`crate::Passes`]) are
//! named in this table, where they run:
//!
//! | stage | in → out | passes, in the order they run |
//! |---|---|---|
//! | `semantics` | history → the history that is checked | |
//! | `resolution` | history → resolved history | |
//! | `asg` | resolved history → what it says and what it leaves open; bad reads | |
//! | `lower` | ASG + level → IR | `merge`, `guess` (numbers transactions in a likely order) |
//! | `strategies` | which problems are posed, and in which order | `hints`, then `serial`, then `strengthen` |
//! | `solve` | IR → witness or conflicts | `guess`, `saturate`, `serial`, `suppose`, `localise` |
//! | `explain` | decision → verdict | `minimise` |
//! | `fates` | rejects of resolved histories → verdict on the trace | |
//!
//! `solve` has an order of its own, which [`crate::solve::solve`] shows in the same way.

use std::borrow::Cow;

use tristan_ground::Progress;
use tristan_history::{Clock, History};
use tristan_spec::Level;
use tristan_verdict::{Answer, UnknownReason, Verdict};

use crate::asg::Asg;
use crate::asg::integrity::first_bad;
use crate::asg::promises::promises;
use crate::budget::Stop;
use crate::decision::{Decision, solved};
use crate::explain::completed::completed;
use crate::explain::{self, level_marks};
use crate::fates;
use crate::lower::{lower, lower_within, uses_clock};
use crate::module::{self, Module, ModuleError};
use crate::observer::Observer;
use crate::options::{Options, Pass};
use crate::resolution::Resolution;
use crate::several::Asked;
use crate::stopwatch::{Report, Stopwatch};
use crate::strategies::hinted::{Hinted, hinted};
use crate::strategies::serial::serial_accepts;
use crate::strategies::strengthen::strengthened;
use crate::strategies::stronger::{comes_before_hints, stronger_accepts};

/// Could a correct database at this level have produced this history?
pub fn check(
    history: &History,
    level: &Level,
    options: &Options,
    observer: &dyn Observer,
) -> Report {
    check_levels(history, std::slice::from_ref(level), options, observer).remove(0)
}

/// Could a correct database at each of these levels have produced this history? One report per
/// level, in their order. The number of threads changes nothing but the time it takes.
pub fn check_levels(
    history: &History,
    levels: &[Level],
    options: &Options,
    observer: &dyn Observer,
) -> Vec<Report> {
    let options = &options.started();
    let watch = Stopwatch::new(observer, options);
    watch.stage("asg");
    let trace = options.interpretation.apply(history);
    let resolution = Resolution::of(Cow::Borrowed(&trace));
    let asg = match Asg::build_within(&resolution.history, options.threads(), &options.within) {
        Ok(asg) => asg,
        Err(stop) => return unseen(&trace, levels, options, stop, &watch),
    };
    options.within.progress(trace.txns.len() as u64, 0);
    let shared = watch.take();
    let levels_stage = (levels.len() > 1).then(|| {
        observer.stage("levels");
        options.within.scope("levels")
    });
    let asked = Asked { trace: &trace, resolution: &resolution, asg: &asg, levels, judge: &judge };
    let mut reports = asked.decide_all(options, &watch, &shared);
    drop(levels_stage);
    completed(reports.iter_mut().map(|report| &mut report.verdict), history, options);
    level_marks::mark(history, reports.iter_mut().map(|report| &mut report.verdict));
    reports
}

/// The verdict of one level on a resolved history.
fn judge(asg: &Asg<'_>, level: &Level, options: &Options, watch: &Stopwatch<'_>) -> Verdict {
    let mut misfit = None;
    let decision = decide(asg, level, options, watch, &mut misfit);
    let decision = Decision::of(decision, options, &asg.unsupported);
    watch.stage("explain");
    let mut verdict = explain::verdict(asg, level, options, decision);
    if matches!(verdict.answer, Answer::Accept { .. }) {
        verdict.assumptions.extend(misfit.map(explain::misfit));
    }
    verdict
}

/// Decides a level: single reads first, then the hints of the trace, then a serial execution if most
/// reads are ambiguous or many sessions stay open, then a stronger level that is easier to decide (before
/// the hints, if the sources of reads are known without them), then more order than the level demands, and the problem as it is only if none of these has led to a
/// decision. If no witness agrees with the hints, `misfit` says why.
fn decide(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    watch: &Stopwatch<'_>,
    misfit: &mut Option<String>,
) -> Result<Decision, Stop> {
    if options.drift != 0 && asg.history.header.clock == Clock::Ordinal && uses_clock(level) {
        let what = "a clock drift where times are the order of entries".to_owned();
        return Ok(Decision::Open(UnknownReason::Unsupported { what }));
    }
    let promised;
    let asg = match level.asks_promises().then(|| promises(asg.history)) {
        None => asg,
        Some(Err(unpromised)) => return Ok(Decision::from(unpromised)),
        Some(Ok(promises)) => {
            let (history, threads) = (asg.history, asg.threads);
            promised = Asg::promised_within(history, level, promises, threads, &options.within)?;
            &promised
        }
    };
    if let Some(bad) = first_bad(asg, level.reads) {
        return Ok(Decision::Bad(bad));
    }
    tracing::debug!(level = %level.name, "deciding");
    watch.stage("lower");
    let stronger_first = comes_before_hints(asg, level);
    if stronger_first && let Some(decision) = stronger_accepts(asg, level, options, watch)? {
        return Ok(decision);
    }
    match hinted(asg, level, options, watch)? {
        Some(Hinted::Decided(decision)) => return Ok(*decision),
        Some(Hinted::Misfit(what)) => *misfit = what,
        None => {}
    }
    if let Some(decision) = serial_accepts(asg, level, options, watch)? {
        return Ok(decision);
    }
    if !stronger_first && let Some(decision) = stronger_accepts(asg, level, options, watch)? {
        return Ok(decision);
    }
    if let Some(decision) = strengthened(asg, level, options, watch)? {
        return Ok(decision);
    }
    let ir = lower_within(asg, level, options, &options.within)?;
    solved(ir, options, watch)
}

/// The reports on levels when a limit was hit before any problem was known.
fn unseen(
    trace: &History,
    levels: &[Level],
    options: &Options,
    stop: Stop,
    watch: &Stopwatch<'_>,
) -> Vec<Report> {
    let report = |level| {
        let verdict = explain::unseen(trace, level, options, stop);
        Report { verdict, stages: watch.take(), superpositions: None }
    };
    levels.iter().map(report).collect()
}

/// The same as [`check`] with modules of the user's own, which edit the level's problem before it is
/// solved. The verdict is about the level *and* the modules, and says so in its name.
///
/// # Errors
/// If a module leaves a problem behind that is not one; the error names the module.
pub fn check_with(
    history: &History,
    level: &Level,
    modules: &[&dyn Module],
    options: &Options,
    observer: &dyn Observer,
) -> Result<Report, ModuleError> {
    if modules.is_empty() {
        return Ok(check(history, level, options, observer));
    }
    let options = &options.started();
    let watch = Stopwatch::new(observer, options);
    watch.stage("asg");
    let trace = options.interpretation.apply(history);
    let resolution = Resolution::of(Cow::Borrowed(&trace));
    let mut verdict = fates::settled(&trace, &resolution, &options.within, |again| {
        judge_with(again.unwrap_or(&resolution.history), level, modules, options, &watch)
    })?;
    completed(std::iter::once(&mut verdict), history, options);
    level_marks::mark(&trace, std::iter::once(&mut verdict));
    let superpositions = watch.superpositions.take();
    Ok(Report { verdict, stages: watch.take(), superpositions })
}

/// The verdict of one level and modules on a resolved history.
fn judge_with(
    history: &History,
    level: &Level,
    modules: &[&dyn Module],
    options: &Options,
    watch: &Stopwatch<'_>,
) -> Result<Verdict, ModuleError> {
    let asg = match Asg::for_level(history, level, options.threads()) {
        Ok(asg) => asg,
        Err(unpromised) => {
            let asg = Asg::build(history, options.threads());
            return Ok(explain::verdict(&asg, level, options, Decision::from(unpromised)));
        }
    };
    watch.stage("lower");
    // A module may change anything, session order too: nothing is left out.
    let options = &options.without(Pass::Merge);
    let lowered = lower(&asg, level, options);
    watch.stage("modules");
    let mut ir = lowered.clone();
    module::apply(modules, &asg, &mut ir)?;
    let narrowed = module::narrowed(&lowered, &ir);
    let level = module::combined(level, modules, &ir);
    let decision = match first_bad(&asg, level.reads) {
        Some(bad) => Ok(Decision::Bad(bad)),
        None => solved(ir, options, watch),
    };
    let decision = Decision::of(decision, options, &asg.unsupported);
    watch.stage("explain");
    let mut verdict = explain::verdict(&asg, &level, options, decision);
    module::disclose(modules, &narrowed, &mut verdict);
    Ok(verdict)
}
