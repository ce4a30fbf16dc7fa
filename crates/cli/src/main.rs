//! `tristan`: arguments in, verdicts out. This crate only wires the libraries together.
//!
//! ```text
//!   args (and tristan.toml) ──► commands/* ──► input ──► tristan_check ──► sinks (text, JSON, pages, …) ──► exit code
//! ```

mod args;
mod checkpoint;
mod commands;
mod config;
mod destination;
mod destinations;
mod exit;
mod input;
mod kinds;
mod limits;
mod log;
mod output;
mod progress;
mod server;
mod sinks;
mod stop;
mod tail;
mod units;

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use config::ArgumentsError;
use exit::Exit;
use output::Output;

/// An audit allocates a few small values for every row that it looks at. With the allocator of the C library, it takes
/// half as long again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    panic::set_hook(Box::new(|info| complain(&apology(info))));
    ExitCode::from(guard(run).code())
}

/// Runs `work`; a panic in it is our bug.
fn guard(work: impl FnOnce() -> Exit) -> Exit {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Bug)
}

fn run() -> Exit {
    let cli = match config::arguments(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(ArgumentsError::File(failure)) => {
            complain(&format!("{:#}", failure.error));
            return failure.exit;
        }
        Err(ArgumentsError::Typed(error)) => {
            // There is nowhere left to report it if this fails.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Accept };
        }
    };
    if let Some(level) = cli.log {
        log::start(level);
    }
    limits::start(&cli.command);
    let mut out = Output::stdout(cli.color);
    let done = commands::run(cli.command, &mut out);
    let exit = done.unwrap_or_else(|failure| {
        complain(&format!("{:#}", failure.error));
        failure.exit
    });
    let written = out.finish();
    // The budget of the process is never dropped, so its last stage ends here.
    limits::budget().leave();
    match written {
        Ok(()) => exit,
        Err(failure) => {
            complain(&format!("{:#}", failure.error));
            exit.or_worse(failure.exit)
        }
    }
}

/// Prints one line for the person in front of the terminal.
fn complain(message: &str) {
    // If standard error is gone, the exit code has to be enough.
    let _ = writeln!(io::stderr().lock(), "{message}");
}

fn apology(info: &panic::PanicHookInfo<'_>) -> String {
    let place = info.location().map_or("an unknown place".to_owned(), ToString::to_string);
    let what = info.payload_as_str().unwrap_or("no message").replace('\n', " ");
    format!("bug in tristan at {place}: {what}; please report it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_our_bug() {
        assert_eq!(guard(|| panic!("on purpose")).code(), 70);
        assert_eq!(guard(|| Exit::Reject).code(), 1);
    }
}
