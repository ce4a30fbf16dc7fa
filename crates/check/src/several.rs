//! Many levels on one trace: what the trace says is worked out once, levels that say nothing about
//! each other are decided side by side, and what one level shows about another is not worked out
//! again.

use std::convert::Infallible;
use std::time::Duration;

use tristan_ground::{Progress, Silent};
use tristan_history::History;
use tristan_spec::Level;
use tristan_verdict::{Answer, UnknownReason, Verdict};

use crate::asg::Asg;
use crate::budget::{Limits, Stop};
use crate::explain;
use crate::fates;
use crate::frontier::Frontier;
use crate::options::Options;
use crate::resolution::Resolution;
use crate::stopwatch::{Report, Stopwatch};

/// How much judging one transaction at one level costs, in the unit in which [`tristan_ground::Threads`] decides
/// whether a second thread pays.
const PER_LEVEL: usize = 256;

/// Judges one level on one resolved history.
pub(crate) type Judge = dyn Fn(&Asg<'_>, &Level, &Options, &Stopwatch<'_>) -> Verdict + Sync;

/// Levels and the trace that they are asked about.
pub(crate) struct Asked<'a> {
    /// The trace, with operations that may or may not have taken effect.
    pub(crate) trace: &'a History,
    pub(crate) resolution: &'a Resolution<'a>,
    /// What the trace says if they are resolved in the likeliest way.
    pub(crate) asg: &'a Asg<'a>,
    pub(crate) levels: &'a [Level],
    /// The way to a verdict on one level and one resolved history.
    pub(crate) judge: &'a Judge,
}

impl Asked<'_> {
    /// Decides levels until each is decided, settled by another or undecided for good. Every report
    /// begins with the stages that all share.
    pub(crate) fn decide_all(
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
                let done = (total - frontier.left()) as u64;
                watch.progress(&options.within.progress(done, total as u64));
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
        if let [_] = self.levels {
            return vec![self.decided(0, options, watch)];
        }
        // Each level has stages of its own, at the same time as others.
        let stages = || options.within.within(&Limits::default());
        if let [index] = *next {
            let own = &Options { within: stages(), ..options.clone() };
            return vec![self.decided(index, own, &Stopwatch::new(watch.observer, own))];
        }
        let threads = options.threads().shared_by(next.len());
        options.threads().worth(self.trace.txns.len() * PER_LEVEL).run(next.to_vec(), |index| {
            let own = &Options { threads, within: stages(), ..options.clone() };
            self.decided(index, own, &Stopwatch::new(&Silent, own))
        })
    }

    fn decided(&self, index: usize, options: &Options, watch: &Stopwatch<'_>) -> Report {
        let level = &self.levels[index];
        // Threads that wait for others work on other levels meanwhile: no level is part of another.
        let span = tracing::debug_span!(parent: None, "level", name = %level.name);
        let _inside = span.enter();
        let settled = fates::settled(self.trace, self.resolution, &options.within, |again| {
            Ok::<_, Infallible>(match again {
                None => (self.judge)(self.asg, level, options, watch),
                Some(resolved) => self.judge_again(resolved, level, options, watch),
            })
        });
        let Ok(verdict) = settled;
        let superpositions = watch.superpositions.take();
        Report { verdict, stages: watch.take(), superpositions }
    }

    /// The same for a resolved history that no other level has asked about.
    fn judge_again(
        &self,
        history: &History,
        level: &Level,
        options: &Options,
        watch: &Stopwatch<'_>,
    ) -> Verdict {
        watch.stage("asg");
        match Asg::build_within(history, options.threads(), &options.within) {
            Ok(asg) => (self.judge)(&asg, level, options, watch),
            Err(stop) => explain::unseen(history, level, options, stop),
        }
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
