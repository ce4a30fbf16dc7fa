//! `tristan proxy`: sits between an application and its database, and writes down what is said.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tristan_proxy::{Count, Counts, Proxy, ProxyError};

use crate::args::ProxyArgs;
use crate::complain;
use crate::exit::{Exit, Failure, OrExit};

/// How often the line with the counts is drawn.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) fn run(args: ProxyArgs) -> Result<Exit, Failure> {
    let (output, upstream) = (args.output.clone(), args.upstream.clone());
    let proxy = Proxy {
        listen: args.listen,
        upstream: args.upstream,
        protocol: args.protocol,
        log: args.output,
        trace: args.trace,
        tables: args.table,
        level: args.level,
        max_rows: args.max_rows,
    };
    let bound =
        proxy.bind().map_err(|error| Failure { exit: exit(&error), error: error.into() })?;
    let address = bound.local_addr().or_exit(Exit::MissingInput)?;
    complain(&format!(
        "listening on {address} for {} clients of {upstream}; what they say goes to {}",
        bound.protocol().name(),
        output.display()
    ));
    if io::stderr().is_terminal() {
        let counts = bound.counts();
        // It ends with the program.
        drop(thread::Builder::new().name("counts".into()).spawn(move || show(&counts)));
    }
    bound.run().map_err(|error| Failure { exit: exit(&error), error: error.into() })?;
    Ok(Exit::Accept)
}

fn exit(error: &ProxyError) -> Exit {
    match error {
        ProxyError::Write { .. } => Exit::Usage,
        _ => Exit::MissingInput,
    }
}

fn show(counts: &Arc<Counts>) {
    let mut last = Count::default();
    loop {
        thread::sleep(PAUSE);
        let now = counts.now();
        let rate = now.statements - last.statements;
        last = now;
        // Progress that cannot be shown is not missed.
        let _ = io::stderr().lock().write_all(words(now, rate).as_bytes());
    }
}

fn words(count: Count, rate: u64) -> String {
    let Count { connections, open, statements, unclear } = count;
    let unclear = match unclear {
        0 => String::new(),
        unclear => format!(", {unclear} not in the trace"),
    };
    format!(
        "\r\u{1b}[K{open} of {connections} connections open, {statements} statements, {rate} per \
         second{unclear}"
    )
}
