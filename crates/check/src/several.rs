//! Many levels on one trace: what the trace says is worked out once, levels that say nothing about
//! each other are decided side by side, and what one level shows about another is not worked out
//! again.

use std::borrow::Cow;
use std::convert::Infallible;
use std::time::Duration;

use tristan_history::History;
use tristan_spec::Level;
use tristan_verdict::{Answer, UnknownReason, Verdict};

use crate::asg::Asg;
use crate::budget::{Limits, Stop};
use crate::explain::coverage::gaps;
use crate::explain::judgeable::nothing_to_judge;
use crate::explain::{self, level_marks};
use crate::fates::{self, Resolution};
use crate::frontier::Frontier;
use crate::pipeline::{Observer, Options, Report, Silent, Stopwatch, judge, judge_again, unseen};

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
        Err(stop) => {
            let report = |level| unseen(&trace, level, options, stop, &watch);
            return levels.iter().map(report).collect();
        }
    };
    let asked = Asked { trace: &trace, resolution: &resolution, asg: &asg, levels };
    let shared = watch.take();
    if levels.len() > 1 {
        observer.stage("levels");
    }
    let mut reports = asked.decide_all(options, &watch, &shared);
    completed(reports.iter_mut().map(|report| &mut report.verdict), history, options);
    level_marks::mark(history, reports.iter_mut().map(|report| &mut report.verdict));
    reports
}

/// Adds to verdicts on a trace what is missing from it, and takes back accepts that say nothing about
/// the database.
pub(crate) fn completed<'v>(
    verdicts: impl Iterator<Item = &'v mut Verdict>,
    history: &History,
    options: &Options,
) {
    let nothing = options.withhold_vacuous.then(|| nothing_to_judge(history)).flatten();
    let gaps = gaps(history);
    for verdict in verdicts {
        if let Some(coverage) = &mut verdict.context.coverage {
            coverage.gaps.clone_from(&gaps);
        }
        if let Some(why) = &nothing {
            withhold(verdict, why);
        }
    }
}

/// Levels and the trace that they are asked about.
struct Asked<'a> {
    /// The trace, with operations that may or may not have taken effect.
    trace: &'a History,
    resolution: &'a Resolution<'a>,
    /// What the trace says if they are resolved in the likeliest way.
    asg: &'a Asg<'a>,
    levels: &'a [Level],
}

impl Asked<'_> {
    /// Decides levels until each is decided, settled by another or undecided for good. Every report
    /// begins with the stages that all share.
    fn decide_all(
        &self,
        options: &Options,
        watch: &Stopwatch<'_>,
        shared: &[(&'static str, Duration)],
    ) -> Vec<Report> {
        let total = self.levels.len();
        let mut reports: Vec<Option<Report>> = vec![None; total];
        let mut frontier = Frontier::new(self.levels, self.asg.has_ranges);
        loop {
            let next = frontier.next();
            if next.is_empty() {
                return reports.into_iter().flatten().collect();
            }
            let share = (frontier.waiting() > next.len()).then(|| share(options)).flatten();
            let found = self.side_by_side(&next, share.as_ref().unwrap_or(options), watch);
            for (&index, mut report) in next.iter().zip(found) {
                if share.is_some() && is_late(&report.verdict) && options.within.check().is_ok() {
                    frontier.defer(index);
                    continue;
                }
                tell_whole_limit(&mut report.verdict, options);
                for other in frontier.settle(index, &report.verdict) {
                    let verdict = self.restated(other, options, &report.verdict);
                    let stages = shared.to_vec();
                    reports[other] = Some(Report { verdict, stages, superpositions: None });
                }
                report.stages.splice(0..0, shared.iter().copied());
                reports[index] = Some(report);
            }
            if total > 1 {
                watch.progress((total - frontier.left()) as u64, total as u64);
            }
        }
    }

    /// The same answer for another level.
    fn restated(&self, level: usize, options: &Options, verdict: &Verdict) -> Verdict {
        let verdict = explain::restate(self.asg, &self.levels[level], options, verdict);
        fates::retold(self.trace, self.resolution, verdict)
    }

    /// Decides levels, as many at once as there are threads.
    fn side_by_side(
        &self,
        next: &[usize],
        options: &Options,
        watch: &Stopwatch<'_>,
    ) -> Vec<Report> {
        if let [index] = *next {
            return vec![self.decided(index, options, watch)];
        }
        let each = &Options { threads: options.threads().shared_by(next.len()), ..options.clone() };
        options
            .threads()
            .run(next.to_vec(), |index| self.decided(index, each, &Stopwatch::new(&Silent, each)))
    }

    fn decided(&self, index: usize, options: &Options, watch: &Stopwatch<'_>) -> Report {
        let level = &self.levels[index];
        let settled = fates::settled(self.trace, self.resolution, &options.within, |again| {
            Ok::<_, Infallible>(match again {
                None => judge(self.asg, level, options, watch),
                Some(resolved) => judge_again(resolved, level, options, watch),
            })
        });
        let Ok(verdict) = settled;
        let superpositions = watch.superpositions.take();
        Report { verdict, stages: watch.take(), superpositions }
    }
}

/// The options of levels that are decided while others wait: they may use half of the time that is
/// left, so that a level which takes too long keeps no other one from being decided. `None` if time
/// is not limited.
fn share(options: &Options) -> Option<Options> {
    let limits = Limits { time: Some(options.within.left()? / 2), ..Limits::default() };
    Some(Options { within: options.within.within(&limits), ..options.clone() })
}

/// A level that came too late names the limit that was asked for, not its share of it.
fn tell_whole_limit(verdict: &mut Verdict, options: &Options) {
    let asked = options.within.account(Stop::Time).limits.time;
    if let Answer::Unknown { reason: UnknownReason::Time { millis, .. }, .. } = &mut verdict.answer
        && let Some(limit) = asked
    {
        *millis = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    }
}

fn is_late(verdict: &Verdict) -> bool {
    matches!(verdict.answer, Answer::Unknown { reason: UnknownReason::Time { .. }, .. })
}

/// Takes back an accept that says nothing about the database. What the trace could have shown stays
/// in the verdict.
fn withhold(verdict: &mut Verdict, why: &str) {
    if !matches!(verdict.answer, Answer::Accept { .. }) {
        return;
    }
    verdict.answer = Answer::Unknown {
        reason: UnknownReason::NothingToJudge { why: why.to_owned() },
        decided: "what the trace shows is consistent by itself".to_owned(),
    };
    verdict.transactions.clear();
    verdict.context.scene = None;
}
