//! `--log`: what the libraries report through `tracing`, on standard error.

use std::io;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::time::uptime;

use crate::args::LogLevel;

/// Prints events from now on, each with the seconds since the start.
pub(crate) fn start(level: LogLevel) {
    let most = match level {
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(most)
        .with_timer(uptime())
        .with_writer(io::stderr)
        // What cannot be written is not worth a panic.
        .log_internal_errors(false)
        .init();
}
