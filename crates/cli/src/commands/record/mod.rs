//! `tristan record`: runs a workload on a database and writes a trace.

mod application;
mod list;
mod target;
mod watch;
mod workload;

use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use tristan_record::applications::Kind;
use tristan_record::run::{Count, Run, Tally};
use tristan_record::{Header, Recorder};

use crate::args::RecordArgs;
use crate::exit::{CommandError, Exit, OrExit};
use crate::output::Output;
use crate::stop::StopSignal;
pub(super) use target::Target;
use watch::Watch;
pub(super) use workload::{Plan, fits, named};

pub(super) fn run(args: &RecordArgs, out: &mut Output) -> Result<Exit, CommandError> {
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
    let stop = StopSignal::on_signals()?;
    let job =
        Job { target: &target, plan: &plan, hints: !args.no_hints, watch: args.progress, stop };
    let done = job.go(file)?;
    let claims = target.level.claims;
    let next = file.map(|path| format!("tristan check {} --level {claims}", quoted(path)));
    let summary = Summary { target: &target, workload: &plan.name, file, next };
    done.tell(plan.workload.sessions, &summary, out)
}

/// A workload on a database, to be recorded.
pub(super) struct Job<'a> {
    pub(super) target: &'a Target,
    pub(super) plan: &'a Plan,
    pub(super) hints: bool,
    pub(super) watch: crate::args::ProgressMode,
    pub(super) stop: StopSignal,
}

/// What came of it.
pub(super) struct Done {
    pub(super) count: Count,
    pub(super) time: Duration,
    pub(super) faults: u64,
    /// Whether a signal ended it.
    pub(super) interrupted: bool,
    /// Why it ended too early, if it did. What was recorded until then stays.
    pub(super) trouble: Option<CommandError>,
}

impl Job<'_> {
    /// Records into a file, or nowhere.
    pub(super) fn go(&self, file: Option<&Path>) -> Result<Done, CommandError> {
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
        let (tally, stop) = (Tally::default(), self.stop.now.as_ref());
        let started = Instant::now();
        let (faults, ended) = thread::scope(|scope| {
            let watch = Watch::start(scope, self.watch, &tally, plan.workload.txns as u64);
            let broken = scope.spawn(|| target.break_things(|text| recorder.note(text), stop));
            let ended = run.go(&recorder, &tally, stop);
            stop.store(true, Ordering::Relaxed);
            drop(watch);
            (broken.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), ended)
        });
        let time = started.elapsed();
        let written = recorder.finish().with_context(|| name(file)).or_unwritten();
        Ok(Done::new(&self.stop, tally.now(), time, ended.or_exit(Exit::MissingInput), faults)
            .unless(written))
    }

    fn recorder(&self, file: Option<&Path>) -> Result<Recorder, CommandError> {
        let Some(path) = file else { return Ok(Recorder::nowhere()) };
        let header = Header {
            database: &self.target.database.describe(),
            level: Some(self.target.level.claims),
            initial: &[],
            unique_values: self.plan.has_unique_values(),
            initial_unknown: false,
        };
        let recorder = Recorder::create(path, &header);
        recorder.with_context(|| path.display().to_string()).or_unwritten()
    }
}

impl Done {
    /// What came of a run that ended like this.
    fn new(
        stop: &StopSignal,
        count: Count,
        time: Duration,
        ended: Result<(), CommandError>,
        faults: Result<u64, impl Into<anyhow::Error>>,
    ) -> Self {
        let interrupted = stop.was_asked();
        let done = Self { count, time, faults: 0, interrupted, trouble: None }.unless(ended);
        match faults.or_exit(Exit::Usage) {
            Ok(faults) => Self { faults, ..done },
            Err(failure) => done.unless(Err(failure)),
        }
    }

    /// The same, unless that is a trouble; the first one counts.
    fn unless(self, done: Result<(), CommandError>) -> Self {
        let trouble = self.trouble.or(done.err());
        Self { trouble, ..self }
    }

    /// What came of a recording that must not have ended early.
    pub(super) fn completed(self) -> Result<Self, CommandError> {
        match self.trouble {
            Some(failure) => Err(failure),
            None => Ok(self),
        }
    }

    /// Prints the summary, whatever ended the recording.
    fn tell(
        self,
        sessions: usize,
        summary: &Summary<'_>,
        out: &mut Output,
    ) -> Result<Exit, CommandError> {
        out.write(&summary.text(sessions, &self))?;
        match self.trouble {
            Some(failure) => Err(failure),
            None if self.interrupted => Ok(Exit::Interrupted),
            None => Ok(Exit::Accept),
        }
    }
}

/// What there is to say at the end of a recording.
struct Summary<'a> {
    target: &'a Target,
    workload: &'a str,
    file: Option<&'a Path>,
    /// The command to run next.
    next: Option<String>,
}

impl Summary<'_> {
    fn text(&self, sessions: usize, done: &Done) -> String {
        let Self { target, workload, .. } = self;
        let Count { committed, refused, unknown, given_up, operations } = done.count;
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
        also(operations, "operations");
        text.push('\n');
        if let Some(failure) = &done.trouble {
            text += &format!("  ended early: {:#}\n", failure.error);
        } else if done.interrupted {
            text += "  ended early: interrupted\n";
        }
        text + &self.rest()
    }

    /// What was written, and what to do with it.
    fn rest(&self) -> String {
        let mut text = match self.file {
            Some(path) => format!("  written: {}\n", path.display()),
            None => "  nothing was recorded\n".to_owned(),
        };
        if let Some(next) = &self.next {
            text += &format!("  next: {next}\n");
        }
        text
    }
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+=:,@%".contains(letter);
    match text.chars().all(plain) && !text.is_empty() {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

fn name(file: Option<&Path>) -> String {
    file.map_or_else(String::new, |path| path.display().to_string())
}
