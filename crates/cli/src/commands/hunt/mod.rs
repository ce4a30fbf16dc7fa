//! `tristan hunt`: record, check, and again with something else, until a promise is broken.

mod find;
mod rounds;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use tristan_check::Options;
use tristan_check::budget::Limits;
use tristan_spec::{Catalog, Level};
use tristan_verdict::{Answer, UnknownReason};

use super::reading;
use super::record::{Job, Plan, Target};
use crate::args::{FaultArgs, HuntArgs};
use crate::complain;
use crate::exit::{CommandError, Exit, OrExit};
use crate::input::Source;
use crate::limits;
use crate::output::Output;
use crate::progress::Progress;
use crate::stop::StopSignal;
use find::Find;
use rounds::{Round, Rounds};

pub(super) fn run(args: &HuntArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let target = Target::open(&args.url, args.level.as_deref(), &FaultArgs::none())?;
    let claim = args.claim.as_deref().unwrap_or(target.level.claims);
    let claim = Catalog::default().find(claim).or_exit(Exit::Usage)?;
    let until = Instant::now() + args.duration;
    let hunt = Hunt { args, target, claim, until, stop: StopSignal::on_signals()? };
    let mut score = Score::default();
    for round in Rounds::new(args, hunt.target.database.as_ref())? {
        if Instant::now() >= until || hunt.stop.was_asked() {
            break;
        }
        let found = match hunt.round(&round, &mut score) {
            // The time was up before the last round could be judged.
            Err(failure) if limits::behind(&failure).is_some() => break,
            found => found?,
        };
        if let Some(find) = found {
            out.write(&find.told)?;
            return Ok(Exit::Reject);
        }
    }
    out.write(&hunt.nothing(&score))?;
    Ok(match score.undecided == score.rounds {
        _ if hunt.stop.was_asked() => Exit::Interrupted,
        true => Exit::Unknown,
        false => Exit::Accept,
    })
}

struct Hunt<'a> {
    args: &'a HuntArgs,
    target: Target,
    claim: Level,
    /// When the time is up, for recording, checking and shrinking alike.
    until: Instant,
    stop: StopSignal,
}

/// What was looked at without a find.
#[derive(Default)]
struct Score {
    rounds: u64,
    committed: u64,
    undecided: u64,
}

impl Hunt<'_> {
    /// How much time is left.
    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    fn round(&self, round: &Round, score: &mut Score) -> Result<Option<Find>, CommandError> {
        let folder = self.args.output.clone();
        let folder = folder.unwrap_or_else(|| format!("hunt-{}", round.plan.workload.seed).into());
        let trace = folder.join("trace.jsonl");
        make_sure_it_is_free(&folder)?;
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string()).or_unwritten()?;
        let Self { target, args, .. } = self;
        // A recording that is cut short leaves time to look at it.
        let plan = Plan { duration: Some(self.left() / 2), ..round.plan.clone() };
        let stop = self.stop.again();
        let job = Job { target, plan: &plan, hints: true, watch: args.progress, stop };
        let done = job.go(Some(&trace))?.completed()?;
        let source = Source::at(&trace);
        let history = source.read(None, None).or_else(|failure| {
            forget(&folder)?;
            Err(failure)
        })?;
        let options = self.options(&source);
        let progress = Progress::new(args.progress, &source.name());
        let verdict = tristan_check::check(&history, &self.claim, &options, &progress).verdict;
        drop(progress);
        score.rounds += 1;
        score.committed += done.count.committed;
        match verdict.answer {
            Answer::Reject { .. } => {
                Find::keep(self, round, &folder, &history, &options, verdict).map(Some)
            }
            Answer::Unknown { reason, .. } => {
                score.undecided += 1;
                let why = match reason {
                    UnknownReason::NothingToJudge { why } => format!("nothing to judge: {why}"),
                    _ => format!("{} was not decided in time", self.claim.name),
                };
                complain(&format!("{}: {why}", round.told()));
                forget(&folder)
            }
            Answer::Accept { .. } => forget(&folder),
        }
    }

    /// A check may take so long that something is left to make a find smaller.
    fn limits(&self) -> Limits {
        Limits { time: Some(self.args.time.min(self.left() * 3 / 4)), memory: None }
    }

    fn options(&self, source: &Source) -> Options {
        Options {
            limits: self.limits(),
            within: limits::budget(),
            trace_name: source.name(),
            interpretation: reading::interpretation(&self.args.reading),
            withhold_vacuous: true,
            ..Options::default()
        }
    }

    fn nothing(&self, score: &Score) -> String {
        let Score { rounds, committed, undecided } = score;
        let open = match undecided {
            0 => String::new(),
            _ => format!(", {undecided} of them not decided"),
        };
        format!(
            "{} at {}: no violation of {} in {rounds} rounds with {committed} transactions{open}\n",
            self.target.database.describe(),
            self.target.level.name,
            self.claim.name,
        )
    }
}

/// What is in a folder already must not get lost.
fn make_sure_it_is_free(folder: &Path) -> Result<(), CommandError> {
    let taken = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    match taken {
        false => Ok(()),
        true => {
            let place = folder.display();
            let message = format!("{place} is not empty; expected a new or empty folder");
            Err(CommandError::new(Exit::Usage, message))
        }
    }
}

/// A round without a find leaves nothing behind.
fn forget(folder: &Path) -> Result<Option<Find>, CommandError> {
    let trace = folder.join("trace.jsonl");
    fs::remove_file(&trace).with_context(|| trace.display().to_string()).or_unwritten()?;
    // A folder with other things in it stays.
    let _ = fs::remove_dir(folder);
    Ok(None)
}
