//! `tristan audit --follow`: are the SQL results right, while they come?

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::json;
use tristan_audit::{AuditOptions, Error, FollowOptions, FollowReport, Followed, Follower};
use tristan_ground::{Silent, resident};
use tristan_verdict::audit::AuditVerdict;

use crate::args::AuditArgs;
use crate::exit::{CommandError, Exit};
use crate::output::Output;
use crate::stop::StopSignal;
use crate::tail::{self, Next, Tail};
use crate::{checkpoint, complain, limits};

/// How much later than its time a line may be written: what is older than that is complete.
const STILL: Duration = Duration::from_secs(2);
/// How long transactions wait at most if there are few of them.
const WAIT: Duration = Duration::from_secs(1);
/// Of the time, at most one part of so many is spent on judging few transactions.
const SHARE: u32 = 4;

/// What came of following a log.
pub(super) enum Outcome {
    Verdict(Box<AuditVerdict>),
    /// The log is a file that can be judged again as a whole, and has to be.
    Again,
}

/// Follows one log to its end.
pub(super) fn follow(
    args: &AuditArgs,
    path: &Path,
    options: &AuditOptions,
    out: &mut Output,
) -> Result<Outcome, CommandError> {
    let name = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
    let limits = FollowOptions { keep: args.keep, ..FollowOptions::default() };
    let (follower, offset) = start(args, path, &name, options, limits)?;
    let tail = Tail::open(path, offset)?;
    let (judged, told, cost) = (Instant::now(), Instant::now(), Duration::ZERO);
    let mut following = Following { args, tail, follower, judged, cost, told };
    match following.run(out)? {
        Followed::Doubtful(verdict) if following.tail.is_file() => {
            complain(&format!("{name}: {}", doubt(&verdict)));
            Ok(Outcome::Again)
        }
        Followed::Doubtful(verdict) | Followed::Over(verdict) => Ok(Outcome::Verdict(verdict)),
        Followed::Explained(_) => Err(CommandError::new(Exit::Bug, "no verdict".to_owned())),
    }
}

/// Begins at the beginning of the log, or where the checkpoint says.
fn start(
    args: &AuditArgs,
    path: &Path,
    name: &str,
    options: &AuditOptions,
    limits: FollowOptions,
) -> Result<(Follower, u64), CommandError> {
    let Some(checkpoint) = &args.checkpoint else {
        return Ok((Follower::new(name, options, limits).map_err(failed)?, 0));
    };
    if path == Path::new("-") {
        let problem =
            "a checkpoint needs a log in a file: what a pipe has delivered cannot be read again";
        return Err(CommandError::new(Exit::Usage, problem.to_owned()));
    }
    match checkpoint::read(checkpoint)? {
        None => Ok((Follower::new(name, options, limits).map_err(failed)?, 0)),
        Some(text) => {
            let first_line = tail::first_line(path)?;
            let resumed = Follower::resume(name, options, limits, &text, &first_line);
            resumed.map_err(|error| {
                let place = checkpoint.display();
                CommandError::new(Exit::BadInput, format!("{place}: {error}"))
            })
        }
    }
}

/// A log that is followed.
struct Following<'a> {
    args: &'a AuditArgs,
    tail: Tail,
    follower: Follower,
    /// When transactions were judged last, and how long that took.
    judged: Instant,
    cost: Duration,
    /// When that was last told.
    told: Instant,
}

impl Following<'_> {
    /// Follows until there is a verdict, the log is over, or a signal comes.
    fn run(&mut self, out: &mut Output) -> Result<Followed, CommandError> {
        let stop = StopSignal::on_signals()?;
        let mut last_line = Instant::now();
        while !stop.now.load(Ordering::Relaxed) && !self.follower.is_over() {
            match self.tail.next()? {
                Next::End => break,
                // A pipe may stall for other reasons.
                Next::Nothing if self.tail.is_file() && last_line.elapsed() >= STILL => {
                    self.follower.stand_still().map_err(failed)?;
                }
                Next::Nothing => {}
                Next::Line(line) => {
                    self.follower.take_line(&line).map_err(failed)?;
                    last_line = Instant::now();
                }
            }
            if self.is_due()
                && let Some(answer) = self.judge()?
            {
                return Ok(answer);
            }
            if self.told.elapsed() >= self.args.every {
                self.tell(out)?;
            }
        }
        if self.follower.is_behind()
            && let Some(answer) = self.judge()?
        {
            return Ok(answer);
        }
        self.tell(out)?;
        self.follower.finish(&Silent, &limits::budget()).map_err(failed)
    }

    /// Whether it is time to judge what waits.
    fn is_due(&self) -> bool {
        let waited = self.judged.elapsed();
        self.follower.is_due() || waited >= WAIT.max(self.cost * SHARE) && self.follower.is_behind()
    }

    fn judge(&mut self) -> Result<Option<Followed>, CommandError> {
        let begun = Instant::now();
        let answer = self.follower.judge(&Silent, &limits::budget()).map_err(failed)?;
        self.judged = Instant::now();
        self.cost = begun.elapsed();
        Ok((!matches!(answer, Followed::Explained(_))).then_some(answer))
    }

    /// Tells how far the log is judged, and writes that down.
    fn tell(&mut self, out: &mut Output) -> Result<(), CommandError> {
        self.told = Instant::now();
        let report = self.follower.report();
        out.write(&if self.args.json { as_json(&report) } else { as_text(&report) })?;
        out.finish()?;
        let Some(path) = &self.args.checkpoint else { return Ok(()) };
        match self.follower.checkpoint().map_err(failed)? {
            Some(text) => checkpoint::write(path, &text),
            None => Ok(()),
        }
    }
}

fn as_text(report: &FollowReport) -> String {
    let memory = resident().map(|bytes| format!(" · {} MB", bytes >> 20)).unwrap_or_default();
    format!(
        "line {}: {} transactions explained · {} statements · {} waiting · {} rows{memory}\n",
        report.line, report.transactions, report.statements, report.waiting, report.rows
    )
}

fn as_json(report: &FollowReport) -> String {
    let line = json!({
        "schema": "tristan-follow/1",
        "line": report.line,
        "at": report.at,
        "transactions": report.transactions,
        "statements": report.statements,
        "waiting": report.waiting,
        "pieces": report.pieces,
        "rows": report.rows,
        "certain": report.certain,
        "memory": resident(),
    });
    format!("{line}\n")
}

/// What is said before the log is judged again as a whole.
fn doubt(verdict: &AuditVerdict) -> String {
    let sentence = tristan_report::audit::sentence(verdict);
    format!("{sentence}\nauditing the whole log to be certain")
}

fn failed(error: Error) -> CommandError {
    let exit = match &error {
        Error::Io { source, .. } => Exit::of_reading(source),
        Error::Follow { .. } => Exit::Usage,
        _ => Exit::BadInput,
    };
    CommandError::new(exit, error.to_string())
}
