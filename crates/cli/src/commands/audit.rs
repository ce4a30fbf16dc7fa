//! `tristan audit`: are the SQL results right?

use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use tristan_audit::log::{FileSource, LogSource, TextSource};
use tristan_audit::{AuditOptions, CommitOrder, ConflictRule, Error, audit_within};
use tristan_record::{Url, databases};
use tristan_report::audit as report;
use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

use super::follow::{Outcome, follow};
use crate::args::{AuditArgs, ConflictName, OrderName, ProgressMode, UnknownAs};
use crate::destinations::Destinations;
use crate::exit::{CommandError, Exit, OrExit};
use crate::kinds::AuditKind;
use crate::output::Output;
use crate::progress::Progress;
use crate::{complain, input, limits, server, tail};

pub(super) fn run(args: &AuditArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let options = options(args)?;
    if args.follow && args.logs.len() > 1 {
        return Err(CommandError::new(
            Exit::Usage,
            format!("--follow takes one log, found {}", args.logs.len()),
        ));
    }
    let to = Destinations::open(&args.output)?;
    let mut to = if args.json { to.usually(AuditKind::Json) } else { to };
    let mut verdicts = Vec::new();
    let mut worst = Exit::Accept;
    for path in &args.logs {
        limits::on_overrun_of("audit", to.forms());
        let followed = args.follow.then(|| follow(args, path, &options, out)).transpose();
        let judged = followed.and_then(|followed| match followed {
            Some(Outcome::Verdict(verdict)) => Ok(*verdict),
            Some(Outcome::Again) | None => judge(path, &options, args.progress),
        });
        let exit = match judged {
            Ok(verdict) => {
                write(&mut to, out, &verdict, args.follow || args.logs.len() > 1)?;
                let exit = policy(args.unknown_as, &verdict);
                verdicts.push(verdict);
                exit
            }
            Err(failure) => {
                complain(&format!("{:#}", failure.error));
                failure.exit
            }
        };
        worst = worst.or_worse(exit);
    }
    to.write(out, AuditKind::Html, |_| report::html(&verdicts))?;
    to.write(out, AuditKind::Junit, |_| report::junit(&verdicts))?;
    to.write(out, AuditKind::Github, |_| report::github(&verdicts))?;
    to.write(out, AuditKind::Markdown, |_| report::markdown(&verdicts))?;
    Ok(worst)
}

/// Writes one verdict.
fn write(
    to: &mut Destinations<AuditKind>,
    out: &mut Output,
    verdict: &AuditVerdict,
    many: bool,
) -> Result<(), CommandError> {
    to.write(out, AuditKind::Text, |style| report::text(verdict, style))?;
    to.write(out, AuditKind::Json, |_| match many {
        false => report::json(verdict),
        true => serde_json::to_string(verdict).unwrap_or_default() + "\n",
    })
}

fn judge(
    path: &Path,
    options: &AuditOptions,
    mode: ProgressMode,
) -> Result<AuditVerdict, CommandError> {
    let source = source(path)?;
    let progress = Progress::new(mode, source.name());
    audit_within(&*source, options, &progress, &limits::budget()).map_err(|error| {
        let exit = match &error {
            Error::Io { source, .. } => Exit::of_reading(source),
            _ => Exit::BadInput,
        };
        CommandError::new(exit, error.to_string())
    })
}

/// A log may be read several times, so standard input is kept.
fn source(path: &Path) -> Result<Box<dyn LogSource>, CommandError> {
    if path != Path::new("-") {
        return Ok(Box::new(FileSource::new(path.to_owned())));
    }
    let mut text = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut text);
    read.context("standard input").or_exit(Exit::MissingInput)?;
    Ok(Box::new(TextSource::new("stdin", text)))
}

fn options(args: &AuditArgs) -> Result<AuditOptions, CommandError> {
    let mut options = AuditOptions::new(args.level);
    options.schema = args.schema.as_deref().map(input::text).transpose()?;
    options.collation = args.collation.clone();
    if let Some(url) = &args.from_server {
        args.logs.iter().try_for_each(|log| not_of(url, log))?;
        let (snapshot, dialect) = server::snapshot(url)?;
        options.schema = Some(snapshot.sql(dialect));
        options.collation = options.collation.or(snapshot.collation);
    }
    options.drift = args.clock_drift;
    options.order = match args.order {
        OrderName::Hint => CommitOrder::Hint,
        OrderName::Exact => CommitOrder::Exact,
        OrderName::Free => CommitOrder::Free,
    };
    options.conflict = match args.conflict {
        ConflictName::Write => ConflictRule::Write,
        ConflictName::Value => ConflictRule::Value,
    };
    options.sessions = args.session_order;
    options.aborted = args.aborted;
    options.window = args.window;
    options.worlds = args.worlds.max(1);
    options.heuristics = args.heuristics.0;
    Ok(options)
}

/// Fails if a log was recorded on this server, which is not what it was when the log began.
fn not_of(url: &Url, log: &Path) -> Result<(), CommandError> {
    let first = if log == Path::new("-") { Vec::new() } else { tail::first_line(log)? };
    let header: serde_json::Value = serde_json::from_slice(&first).unwrap_or_default();
    let address = databases::port(url).map(|port| format!("{}:{port}", url.host()));
    if header["upstream"].as_str().is_none_or(|upstream| Some(upstream) != address.as_deref()) {
        return Ok(());
    }
    let problem = format!(
        "{}: this log was recorded on {url}, whose rows have changed since the recording began; record with tristan \
         proxy --from-server, or name a server with a backup from before the recording",
        log.display()
    );
    Err(CommandError::new(Exit::Usage, problem))
}

fn policy(unknown_as: Option<UnknownAs>, verdict: &AuditVerdict) -> Exit {
    match (&verdict.answer, unknown_as) {
        (AuditAnswer::Accept { .. }, _) => Exit::Accept,
        (AuditAnswer::Reject { .. }, _) => Exit::Reject,
        (AuditAnswer::Unknown { .. }, None) => Exit::Unknown,
        (AuditAnswer::Unknown { .. }, Some(UnknownAs::Accept)) => Exit::Accept,
        (AuditAnswer::Unknown { .. }, Some(UnknownAs::Reject)) => Exit::Reject,
    }
}
