//! The whole way from a history to a verdict, one line per stage.

use std::borrow::Cow;
use std::cell::RefCell;
use std::time::{Duration, Instant};

use tristan_history::{Clock, History};
use tristan_spec::{Level, ReadRule};
use tristan_verdict::{Answer, UnknownReason, Verdict};

use crate::asg::promises::promises;
use crate::asg::{Asg, BadRead, Effect, Unpromised};
use crate::budget::{Budget, Limits, Stop, reason};
use crate::explain::{self, level_marks};
use crate::fates::{self, Resolution};
use crate::ir::{Ir, Superpositions};
use crate::lower;
use crate::module::{self, Module, ModuleError};
use crate::passes::hinted::{self, Hinted};
use crate::passes::{Pass, Passes, strengthen};
use crate::semantics::Interpretation;
use crate::several::{check_levels, completed};
use crate::solve::{self, Solution};
use crate::threads::Threads;

/// What the caller may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Clocks of different clients may differ by this much, in nanoseconds. If the times of the trace
    /// are the order of entries ([`Clock::Ordinal`]), no level that uses them can be judged with a
    /// drift.
    pub drift: i64,
    /// How long and how much, for one call.
    pub limits: Limits,
    /// The budget of the work that the call is part of; the call ends with it at the latest.
    pub within: Budget,
    /// Which passes run.
    pub passes: Passes,
    /// What to call the trace.
    pub trace_name: String,
    /// Whether somebody else than the trace says how keys start.
    pub initial_given: bool,
    /// Whether to count what the problem leaves open.
    pub count: bool,
    /// How the trace is read, if not as it stands.
    pub interpretation: Interpretation,
    /// Whether the accept of a trace in which no violation could show is given as unknown. Set it
    /// to judge a database; leave it off to compare definitions.
    pub withhold_vacuous: bool,
    /// How many threads may work at once; 0 stands for as many as the machine runs at once. Their
    /// number changes no verdict.
    pub threads: usize,
}

impl Options {
    /// The same options with a budget that starts now.
    pub(crate) fn started(&self) -> Self {
        let within = self.within.within(&self.limits);
        Self { within, limits: Limits::default(), ..self.clone() }
    }

    /// The threads that may work.
    pub(crate) fn threads(&self) -> Threads {
        Threads::new(self.threads)
    }
}

/// Told how far the work has come.
pub trait Observer {
    /// A stage begins.
    fn stage(&self, name: &'static str);
    /// So much is done of so much; a total of 0 is unknown.
    fn progress(&self, done: u64, total: u64);
    /// A problem that is about to be solved.
    fn problem(&self, _: &Ir) {}
}

/// An observer that does not look.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn stage(&self, _: &'static str) {}
    fn progress(&self, _: u64, _: u64) {}
}

/// A verdict and how long each stage took.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Stages in the order they ran.
    pub stages: Vec<(&'static str, Duration)>,
    /// What the problem left open when it was first posed; `None` if it never was, or if nobody
    /// asked.
    pub superpositions: Option<Superpositions>,
}

/// Could a correct database at this level have produced this history?
pub fn check(
    history: &History,
    level: &Level,
    options: &Options,
    observer: &dyn Observer,
) -> Report {
    check_levels(history, std::slice::from_ref(level), options, observer).remove(0)
}

/// The report on a level when a limit was hit before its problem was known.
pub(crate) fn unseen(
    history: &History,
    level: &Level,
    options: &Options,
    stop: Stop,
    watch: &Stopwatch<'_>,
) -> Report {
    let verdict = explain::unseen(history, level, options, reason(&options.within.account(stop)));
    Report { verdict, stages: watch.take(), superpositions: None }
}

/// The same for one level and modules of the user's own, which edit its problem before it is
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

/// The verdict on a resolved history.
pub(crate) fn judge(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    watch: &Stopwatch<'_>,
) -> Verdict {
    let mut misfit = None;
    let answer = decide(asg, level, options, &mut misfit, watch);
    watch.stage("explain");
    let mut verdict = explain::verdict(asg, level, options, answer);
    if matches!(verdict.answer, Answer::Accept { .. }) {
        verdict.assumptions.extend(misfit.map(explain::misfit));
    }
    verdict
}

/// The same for a resolved history that no other level has asked about.
pub(crate) fn judge_again(
    history: &History,
    level: &Level,
    options: &Options,
    watch: &Stopwatch<'_>,
) -> Verdict {
    watch.stage("asg");
    match Asg::build_within(history, options.threads(), &options.within) {
        Ok(asg) => judge(&asg, level, options, watch),
        Err(stop) => {
            explain::unseen(history, level, options, reason(&options.within.account(stop)))
        }
    }
}

/// The same with modules.
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
    let options = &Options { passes: options.passes.without(Pass::Merge), ..options.clone() };
    let lowered = lower::lower(&asg, level, options);
    watch.stage("modules");
    let mut ir = lowered.clone();
    module::apply(modules, &asg, &mut ir)?;
    let narrowed = module::narrowed(&lowered, &ir);
    let level = module::combined(level, modules, &ir);
    let answer = decide_by(&asg, &level, options, |budget| solved(ir, options, budget, watch));
    watch.stage("explain");
    let mut verdict = explain::verdict(&asg, &level, options, answer);
    module::disclose(modules, &narrowed, &mut verdict);
    Ok(verdict)
}

/// What a level says, before it is explained.
#[derive(Debug)]
pub enum Decision {
    /// The IR and an assignment that meets it.
    Accepted(Ir, solve::assignment::Assignment),
    /// The IR and conflicts that exclude every assignment.
    Refuted(Ir, Vec<solve::conflict::Conflict>),
    /// A read that nothing explains.
    Bad(BadRead),
    /// Not decided.
    Open(UnknownReason),
}

/// Without promises a level that asks for them cannot be judged.
impl From<Unpromised> for Decision {
    fn from(unpromised: Unpromised) -> Self {
        let what = format!("line {}: {unpromised}", unpromised.line);
        Self::Open(UnknownReason::Unsupported { what })
    }
}

/// Decides a level; if no witness agrees with the hints of the trace, `misfit` says why.
fn decide(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    misfit: &mut Option<String>,
    observer: &dyn Observer,
) -> Decision {
    if options.drift != 0 && asg.history.header.clock == Clock::Ordinal && lower::uses_clock(level)
    {
        let what = "a clock drift where times are the order of entries".to_owned();
        return Decision::Open(UnknownReason::Unsupported { what });
    }
    let promised;
    let asg = match level.asks_promises().then(|| promises(asg.history)) {
        None => asg,
        Some(Ok(promises)) => {
            let (history, threads, budget) = (asg.history, asg.threads, &options.within);
            match Asg::promised_within(history, level, promises, threads, budget) {
                Ok(read) => promised = read,
                Err(stop) => return Decision::Open(reason(&budget.account(stop))),
            }
            &promised
        }
        Some(Err(unpromised)) => return Decision::from(unpromised),
    };
    decide_by(asg, level, options, |budget| {
        observer.stage("lower");
        match hinted::hinted(asg, level, options, budget, observer) {
            Some(Ok(Hinted::Decided(decision))) => return Ok(*decision),
            Some(Ok(Hinted::Misfit(what))) => *misfit = what,
            Some(Err(stop)) => return Err(stop),
            None => {}
        }
        match strengthen::strengthened(asg, level, options, budget, observer) {
            Some(decision) => decision,
            None => {
                let ir = lower::lower_within(asg, level, options, budget)?;
                solved(ir, options, budget, observer)
            }
        }
    })
}

/// Looks at single reads first, then lets `search` look at all of them together.
fn decide_by(
    asg: &Asg<'_>,
    level: &Level,
    options: &Options,
    search: impl FnOnce(&Budget) -> Result<Decision, Stop>,
) -> Decision {
    if let Some(bad) = first_bad(asg, level.reads) {
        return Decision::Bad(bad);
    }
    let decision = search(&options.within);
    match (decision, asg.unsupported.first()) {
        (Ok(Decision::Accepted(..)), Some(what)) => {
            Decision::Open(UnknownReason::Unsupported { what: what.clone() })
        }
        (Ok(decision), _) => decision,
        (Err(stop), _) => Decision::Open(reason(&options.within.account(stop))),
    }
}

/// The first read that a transaction that surely took effect cannot have made.
pub(crate) fn first_bad(asg: &Asg<'_>, rule: ReadRule) -> Option<BadRead> {
    let tolerated =
        |bad: &BadRead| bad.is_dirty() && (rule == ReadRule::Dirty || asg.reads_dirty(bad.txn));
    let committed = |bad: &&BadRead| {
        asg.history.txn(bad.txn).outcome == tristan_history::Outcome::Committed
            && asg.effect[bad.txn.index()] == Effect::Sure
    };
    asg.bad.iter().filter(committed).find(|bad| !tolerated(bad)).copied()
}

pub(crate) fn solved(
    ir: Ir,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Decision, Stop> {
    #[cfg(debug_assertions)]
    crate::ir::verify::verify(&ir).expect("lowering keeps the invariants of the IR");
    observer.problem(&ir);
    match solve::solve(&ir, &options.passes, options.threads(), budget, observer)? {
        Solution::Witness(assignment) => Ok(Decision::Accepted(ir, assignment)),
        Solution::Refuted(conflicts) => Ok(Decision::Refuted(ir, conflicts)),
    }
}

/// Times the stages on their way to the observer.
pub(crate) struct Stopwatch<'a> {
    observer: &'a dyn Observer,
    budget: &'a Budget,
    running: RefCell<Option<(&'static str, Instant)>>,
    stages: RefCell<Vec<(&'static str, Duration)>>,
    /// What the first problem left open, if that is to be counted.
    pub(crate) superpositions: RefCell<Option<Superpositions>>,
    count: bool,
}

impl<'a> Stopwatch<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, options: &'a Options) -> Self {
        Self {
            observer,
            budget: &options.within,
            running: RefCell::default(),
            stages: RefCell::default(),
            superpositions: RefCell::default(),
            count: options.count,
        }
    }

    fn stop(&self) {
        if let Some((name, since)) = self.running.take() {
            self.stages.borrow_mut().push((name, since.elapsed()));
        }
    }

    pub(crate) fn take(&self) -> Vec<(&'static str, Duration)> {
        self.stop();
        self.stages.take()
    }
}

impl Observer for Stopwatch<'_> {
    fn stage(&self, name: &'static str) {
        self.stop();
        *self.running.borrow_mut() = Some((name, Instant::now()));
        self.budget.enter(name);
        self.observer.stage(name);
    }

    fn progress(&self, done: u64, total: u64) {
        self.budget.progress(done, total);
        self.observer.progress(done, total);
    }

    fn problem(&self, ir: &Ir) {
        if self.count {
            self.superpositions.borrow_mut().get_or_insert_with(|| Superpositions::of(ir));
        }
    }
}
