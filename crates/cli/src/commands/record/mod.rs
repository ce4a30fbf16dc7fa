//! `tristan record`: runs a workload on a database and writes a trace.

mod application;
mod list;
mod target;
mod watch;
mod workload;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use tristan_record::applications::Kind;
use tristan_record::run::{Count, Run, Tally};
use tristan_record::{Header, Recorder};

use crate::args::RecordArgs;
use crate::exit::{Exit, Failure, OrExit};
use crate::output::Output;
pub(super) use target::Target;
use watch::Watch;
pub(super) use workload::{Plan, fits, named};

pub(super) fn run(args: &RecordArgs, out: &mut Output) -> Result<Exit, Failure> {
    let Some(url) = args.url.as_ref().filter(|_| !args.list) else {
        return list::run(out);
    };
    if let Some(kind) = Kind::named(&args.workload.workload) {
        let target = Target::open(url, args.level.as_deref(), &args.faults)?;
        return application::run(kind, &target, args, out);
    }
    let plan = Plan::of(&args.workload)?;
    let target = Target::open(url, args.level.as_deref(), &args.faults)?;
    workload::supported(&plan.workload, target.database.as_ref())?;
    let file = (!args.unrecorded).then_some(args.output.as_path());
    let job = Job { target: &target, plan: &plan, hints: !args.no_hints, watch: args.progress };
    let done = job.go(file)?;
    let claims = target.level.claims;
    let next = file.map(|path| format!("tristan check {} --level {claims}", path.display()));
    let sessions = plan.workload.sessions;
    out.write(&summary(&target, &plan.name, sessions, &done, file, next.as_deref()))?;
    Ok(Exit::Accept)
}

/// A workload on a database, to be recorded.
pub(super) struct Job<'a> {
    pub(super) target: &'a Target,
    pub(super) plan: &'a Plan,
    pub(super) hints: bool,
    pub(super) watch: crate::args::ProgressMode,
}

/// What came of it.
pub(super) struct Done {
    pub(super) count: Count,
    pub(super) time: Duration,
    pub(super) faults: u64,
}

impl Job<'_> {
    /// Records into a file, or nowhere.
    pub(super) fn go(&self, file: Option<&Path>) -> Result<Done, Failure> {
        let Self { target, plan, .. } = self;
        target.database.prepare(&[]).or_exit(Exit::MissingInput)?;
        let recorder = self.recorder(file)?;
        let run = Run {
            database: target.database.as_ref(),
            level: target.level,
            workload: &plan.workload,
            think: plan.think,
            until: plan.duration.map(|time| Instant::now() + time),
            hints: self.hints && file.is_some(),
            patient: !target.faults.is_empty(),
        };
        let (tally, stop) = (Tally::default(), AtomicBool::new(false));
        let started = Instant::now();
        let faults = thread::scope(|scope| {
            let watch = Watch::start(scope, self.watch, &tally, plan.workload.txns as u64);
            let broken = scope.spawn(|| target.break_things(|text| recorder.note(text), &stop));
            let ended = run.go(&recorder, &tally, &stop);
            stop.store(true, Ordering::Relaxed);
            drop(watch);
            let faults = broken.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            ended.or_exit(Exit::MissingInput)?;
            faults.or_exit(Exit::Usage)
        })?;
        let time = started.elapsed();
        recorder.finish().with_context(|| name(file)).or_exit(Exit::Usage)?;
        Ok(Done { count: tally.now(), time, faults })
    }

    fn recorder(&self, file: Option<&Path>) -> Result<Recorder, Failure> {
        let Some(path) = file else { return Ok(Recorder::nowhere()) };
        let header = Header {
            database: &self.target.database.describe(),
            level: Some(self.target.level.claims),
            initial: &[],
            unique_values: self.plan.has_unique_values(),
            initial_unknown: false,
        };
        let recorder = Recorder::create(path, &header);
        recorder.with_context(|| path.display().to_string()).or_exit(Exit::Usage)
    }
}

/// What came of a recording, and what to do `next`.
fn summary(
    target: &Target,
    workload: &str,
    sessions: usize,
    done: &Done,
    file: Option<&Path>,
    next: Option<&str>,
) -> String {
    let Count { committed, refused, unknown, given_up } = done.count;
    let seconds = done.time.as_secs_f64();
    let rate = committed as f64 / seconds.max(1e-9);
    let mut text = format!(
        "{} at {}: {workload} with {sessions} sessions\n  {committed} transactions committed in \
         {seconds:.1} s ({rate:.0} per second), {refused} refused",
        target.database.describe(),
        target.level.name,
    );
    let mut also = |count: u64, what: &str| {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    };
    also(given_up, "given up");
    also(unknown, "of unknown outcome");
    also(done.faults, "faults");
    text.push('\n');
    if file.is_none() {
        text += "  nothing was recorded\n";
    }
    if let Some(next) = next {
        text += &format!("  next: {next}\n");
    }
    text
}

fn name(file: Option<&Path>) -> String {
    file.map_or_else(String::new, |path| path.display().to_string())
}
