//! `tristan record --workload sql-…`: runs an application in SQL and writes a SQL log.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use anyhow::Context;
use tristan_record::applications::{ApplicationRun, Kind, LogHeader, Sizes, SqlLog, Start};
use tristan_record::run::Tally;
use tristan_record::sql::Dialect;

use super::watch::Watch;
use super::{Done, Summary, Target, quoted};
use crate::args::{RecordArgs, WorkloadArgs};
use crate::exit::{CommandError, Exit, OrExit};
use crate::output::Output;
use crate::stop::StopSignal;

/// Runs an application that has a name.
pub(super) fn run(
    kind: &Kind,
    target: &Target,
    args: &RecordArgs,
    out: &mut Output,
) -> Result<Exit, CommandError> {
    let dialect = target.database.dialect().ok_or_else(|| {
        let database = target.database.describe();
        let message =
            format!("{} runs on PostgreSQL, MariaDB and MySQL, found {database}", kind.name);
        CommandError::new(Exit::Usage, message)
    })?;
    let sizes = sizes(kind, &args.workload)?;
    let job = Job { kind, target, args, dialect, sizes, stop: StopSignal::on_signals()? };
    let file = (!args.unrecorded).then_some(args.output.as_path());
    let done = job.go(file)?;
    let next = file.and_then(|path| {
        let level = audited(target.level.claims)?;
        Some(format!("tristan audit {} --level {level}", quoted(path)))
    });
    let summary = Summary { target, workload: kind.name, file, next };
    done.tell(job.sizes.clients, &summary, out)
}

/// An application on a database, to be recorded.
struct Job<'a> {
    kind: &'a Kind,
    target: &'a Target,
    args: &'a RecordArgs,
    dialect: Dialect,
    sizes: Sizes,
    stop: StopSignal,
}

impl Job<'_> {
    fn go(&self, file: Option<&Path>) -> Result<Done, CommandError> {
        let Self { target, args, sizes, .. } = self;
        let application = self.kind.open(sizes);
        let start = application.start();
        target.database.furnish(&start.statements(self.dialect)).or_exit(Exit::MissingInput)?;
        let log = Arc::new(self.log(file, &start)?);
        let run = ApplicationRun {
            database: target.database.as_ref(),
            dialect: self.dialect,
            level: target.level,
            sizes: *sizes,
            think: args.workload.think.unwrap_or_default(),
            until: args.workload.duration.map(|time| Instant::now() + time),
            hints: !args.no_hints && file.is_some(),
            patient: !target.faults.is_empty(),
        };
        let (tally, stop) = (Tally::default(), self.stop.now.as_ref());
        let started = Instant::now();
        let (faults, ended) = thread::scope(|scope| {
            let watch = Watch::start(scope, args.progress, &tally, sizes.txns);
            let broken = scope.spawn(|| target.break_things(|text| log.note(text), stop));
            let ended = run.go(application.as_ref(), &log, &tally, stop);
            stop.store(true, Ordering::Relaxed);
            drop(watch);
            (broken.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), ended)
        });
        let time = started.elapsed();
        let written = log.finish().with_context(|| super::name(file)).or_unwritten();
        Ok(Done::new(&self.stop, tally.now(), time, ended.or_exit(Exit::MissingInput), faults)
            .unless(written))
    }

    fn log(&self, file: Option<&Path>, start: &Start) -> Result<SqlLog, CommandError> {
        let Some(path) = file else { return Ok(SqlLog::nowhere()) };
        let dialect = match self.dialect {
            Dialect::Mysql => "mysql",
            Dialect::Postgres | Dialect::Sqlite => "postgresql",
        };
        let server = self.target.database.describe();
        let collation = self.target.database.collation();
        let header = LogHeader {
            dialect,
            server: &server,
            collation: collation.as_deref(),
            level: self.target.level.name,
        };
        let log = SqlLog::create(path, header, start);
        log.with_context(|| path.display().to_string()).or_unwritten()
    }
}

/// The usual sizes, with what was asked for instead.
fn sizes(kind: &Kind, args: &WorkloadArgs) -> Result<Sizes, CommandError> {
    if args.values.is_some() {
        let message = format!("{} does not use --values", kind.name);
        return Err(CommandError::new(Exit::Usage, message));
    }
    let usual = kind.usual();
    let endless = args.duration.is_some() && args.txns.is_none();
    Ok(Sizes {
        txns: if endless { u64::MAX } else { args.txns.unwrap_or(usual.txns) },
        clients: args.sessions.map_or(usual.clients, usize::from),
        scale: args.keys.unwrap_or(usual.scale),
        ops: args.ops.unwrap_or(usual.ops),
        accessed: args.accessed.map_or(usual.accessed, u64::from),
        read_only: args.read_only.map_or(usual.read_only, u64::from),
        blind: args.blind.map_or(usual.blind, u64::from),
        skew: args.hot.unwrap_or(usual.skew),
        seed: args.seed.unwrap_or(usual.seed),
    })
}

/// What `tristan audit` calls a level that a database claims.
fn audited(claims: &str) -> Option<&'static str> {
    match claims {
        "serializable" => Some("ser"),
        "snapshot-isolation" => Some("ssi"),
        "repeatable-read" => Some("mariadb-rr"),
        "read-committed" => Some("strong-rc"),
        _ => None,
    }
}
