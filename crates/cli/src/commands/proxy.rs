//! `tristan proxy`: sits between an application and its database, and writes down what is said.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tristan_proxy::{Count, Counts, LogStart, Proxy, ProxyError};
use tristan_record::Url;

use super::record::quoted;
use crate::args::ProxyArgs;
use crate::complain;
use crate::exit::{CommandError, Exit, OrExit};
use crate::output::Output;
use crate::server;
use crate::stop::StopSignal;

/// How often the line with the counts is drawn.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) fn run(args: ProxyArgs, out: &mut Output) -> Result<Exit, CommandError> {
    let summary = Summary {
        log: args.output.clone(),
        trace: args.trace.clone(),
        level: args.level.clone(),
        upstream: args.upstream.clone(),
    };
    let start = args.from_server.as_ref().map(start).transpose()?.unwrap_or_default();
    let proxy = Proxy {
        listen: args.listen,
        upstream: args.upstream,
        protocol: args.protocol,
        log: args.output,
        trace: args.trace,
        tables: args.table,
        level: args.level,
        max_rows: args.max_rows,
        start,
    };
    let stop = StopSignal::on_signals()?;
    let bound = proxy.bind().map_err(failure)?;
    let address = bound.local_addr().or_exit(Exit::MissingInput)?;
    complain(&format!(
        "listening on {address} for {} clients of {}; logging to {}",
        bound.protocol().name(),
        summary.upstream,
        summary.log.display()
    ));
    let counts = bound.counts();
    if io::stderr().is_terminal() {
        let counts = Arc::clone(&counts);
        // It ends with the program.
        drop(thread::Builder::new().name("counts".into()).spawn(move || show(&counts)));
    }
    let ended = bound.run(&stop.now);
    out.write(&summary.text(&counts.now(), ended.as_ref().err()))?;
    ended.map(|()| Exit::Accept).map_err(failure)
}

/// What is in the database before the first client connects.
fn start(url: &Url) -> Result<LogStart, CommandError> {
    let (snapshot, _) = server::snapshot(url)?;
    let mut lines = Vec::new();
    snapshot.write(&mut lines).or_exit(Exit::Bug)?;
    Ok(LogStart { collation: snapshot.collation, timezone: snapshot.timezone, lines })
}

fn failure(error: ProxyError) -> CommandError {
    match error {
        ProxyError::Write { .. } => CommandError::unwritten(error.into()),
        _ => CommandError { exit: Exit::MissingInput, error: error.into() },
    }
}

/// What is said at the end.
struct Summary {
    log: PathBuf,
    trace: Option<PathBuf>,
    level: Option<String>,
    upstream: String,
}

impl Summary {
    fn text(&self, count: &Count, trouble: Option<&ProxyError>) -> String {
        let Count { connections, statements, committed, aborted, unknown, given_up, .. } = count;
        let mut text = format!(
            "{}: {connections} connections, {statements} statements, {committed} transactions \
             committed, {aborted} aborted",
            self.upstream
        );
        if *unknown > 0 {
            text += &format!(", {unknown} of unknown outcome");
        }
        text.push('\n');
        if let Some(error) = trouble {
            text += &format!("  ended early: {error}\n");
        }
        if *given_up > 0 {
            text += &format!(
                "  not recorded: the rest of {given_up} connections, whose protocol messages the proxy could \
                 not parse; their statements are missing from the log\n"
            );
        }
        text += &format!("  log: {}\n", self.log.display());
        match &self.trace {
            Some(trace) => text + &self.trace_text(&quoted(trace), count),
            None => text + &format!("  next: tristan audit {} --level LEVEL\n", quoted(&self.log)),
        }
    }

    /// What is in the trace, what is not, and how to check it.
    fn trace_text(&self, trace: &str, count: &Count) -> String {
        let Count { unclear, obscured, unseen, trace_end, .. } = count;
        let mut text = format!("  trace: {trace}\n");
        if let Some(reason) = trace_end {
            text += &format!("  the trace ends early: {reason}\n");
        }
        if *obscured > 0 {
            text += &format!(
                "  not in the trace: values of {obscured} keys after statements whose written values are \
                 not visible ({unseen} reads); add RETURNING to record them\n"
            );
        }
        if *unclear > 0 {
            text += &format!(
                "  {unclear} statements are omitted from the trace or recorded only in part; its notes say why\n"
            );
        }
        let level = self.level.as_deref().unwrap_or("LEVEL");
        text + &format!("  next: tristan check {trace} --level {level}\n")
    }
}

fn show(counts: &Arc<Counts>) {
    let mut last = 0;
    loop {
        thread::sleep(PAUSE);
        let now = counts.now();
        let rate = now.statements - last;
        last = now.statements;
        // Progress that cannot be shown is not missed.
        let _ = io::stderr().lock().write_all(words(&now, rate).as_bytes());
    }
}

fn words(count: &Count, rate: u64) -> String {
    let Count { connections, open, statements, unclear, .. } = count;
    let unclear = match unclear {
        0 => String::new(),
        unclear => format!(", {unclear} not in the trace"),
    };
    format!(
        "\r\u{1b}[K{open} of {connections} connections open, {statements} statements, {rate} per \
         second{unclear}"
    )
}
