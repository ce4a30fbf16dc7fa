//! Progress on standard error: one line on a terminal, JSON Lines for tools, else nothing.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tristan_check::Observer;

use crate::args::ProgressMode;

/// How often a line is drawn at most.
const PAUSE: Duration = Duration::from_millis(100);

/// Shows what the pipeline is doing.
pub(crate) struct Progress {
    mode: Mode,
    trace: String,
    state: Mutex<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Line,
    Json,
    Off,
}

struct State {
    stage: &'static str,
    since: Instant,
    drawn: Option<Instant>,
}

impl Progress {
    /// Progress on one trace.
    pub(crate) fn new(mode: ProgressMode, trace: &str) -> Self {
        let mode = match mode {
            ProgressMode::Auto if io::stderr().is_terminal() => Mode::Line,
            ProgressMode::Auto | ProgressMode::Off => Mode::Off,
            ProgressMode::Json => Mode::Json,
        };
        let state = State { stage: "reading", since: Instant::now(), drawn: None };
        let progress = Self { mode, trace: trace.to_owned(), state: Mutex::new(state) };
        progress.show(None);
        progress
    }

    fn enter(&self, stage: &'static str) {
        if let Ok(mut state) = self.state.lock() {
            *state = State { stage, since: Instant::now(), drawn: None };
        }
        self.show(None);
    }

    fn show(&self, count: Option<(u64, u64)>) {
        let Ok(mut state) = self.state.lock() else { return };
        let too_soon = state.drawn.is_some_and(|last| last.elapsed() < PAUSE);
        if self.mode == Mode::Off || too_soon {
            return;
        }
        state.drawn = Some(Instant::now());
        let line = match self.mode {
            Mode::Json => json(&self.trace, state.stage, count),
            _ => format!("\r\u{1b}[K{}: {}", self.trace, words(&state, count)),
        };
        let mut err = io::stderr().lock();
        // Progress that cannot be shown is not missed.
        let _ = err.write_all(line.as_bytes()).and_then(|()| err.flush());
    }
}

impl Observer for Progress {}

impl tristan_ground::Progress for Progress {
    fn stage(&self, name: &'static str) {
        self.enter(name);
    }

    fn progress(&self, done: u64, total: u64) {
        self.show(Some((done, total)));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.mode == Mode::Line {
            let _ = io::stderr().lock().write_all(b"\r\x1b[K");
        }
    }
}

fn json(trace: &str, stage: &str, count: Option<(u64, u64)>) -> String {
    let mut event = serde_json::json!({ "trace": trace, "stage": stage });
    if let Some((done, total)) = count {
        event["done"] = done.into();
        event["total"] = total.into();
    }
    format!("{event}\n")
}

/// `saturate 300 of 900, about 4 s left`
fn words(state: &State, count: Option<(u64, u64)>) -> String {
    let Some((done, total)) = count else { return format!("{} …", state.stage) };
    if total == 0 {
        return format!("{} {done}", state.stage);
    }
    let spent = state.since.elapsed().as_secs_f64();
    let left = match done {
        0 => String::new(),
        _ => {
            let rest = total.saturating_sub(done) as f64;
            format!(", about {:.0} s left", spent * rest / done as f64)
        }
    };
    format!("{} {done} of {total}{left}", state.stage)
}
