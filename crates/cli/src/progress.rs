//! Progress on standard error: one line on a terminal, JSON Lines for tools, else nothing.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tristan_check::Observer;
use tristan_ground::Place;

use crate::args::ProgressMode;

/// How often a line is drawn at most.
const PAUSE: Duration = Duration::from_millis(100);

/// Shows what the pipeline is doing.
pub(crate) struct Progress {
    mode: Mode,
    /// What kind of thing it is about, and which one.
    about: (&'static str, String),
    state: Mutex<State>,
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Line,
    Json,
    Off,
}

impl Mode {
    /// The form that was asked for, or a line if a person is watching.
    pub(crate) fn of(mode: ProgressMode) -> Self {
        match mode {
            ProgressMode::Auto if io::stderr().is_terminal() => Self::Line,
            ProgressMode::Auto | ProgressMode::Off => Self::Off,
            ProgressMode::Json => Self::Json,
        }
    }
}

struct State {
    stage: &'static str,
    drawn: Option<Instant>,
}

impl Progress {
    /// Progress on one trace.
    pub(crate) fn new(mode: ProgressMode, trace: &str) -> Self {
        let progress = Self::about(Mode::of(mode), ("trace", trace.to_owned()));
        progress.enter("reading");
        progress
    }

    fn about(mode: Mode, about: (&'static str, String)) -> Self {
        Self { mode, about, state: Mutex::new(State { stage: "", drawn: None }) }
    }

    fn enter(&self, stage: &'static str) {
        if let Ok(mut state) = self.state.lock() {
            *state = State { stage, drawn: None };
        }
        self.show(&Place { stage, ..Place::default() });
    }

    /// Shows a place that may be in another stage than the last one.
    fn look(&self, place: &Place) {
        if self.state.lock().is_ok_and(|state| state.stage != place.stage) {
            self.enter(place.stage);
        }
        if place.done > 0 {
            self.show(place);
        }
    }

    fn show(&self, place: &Place) {
        let Ok(mut state) = self.state.lock() else { return };
        let too_soon = state.drawn.is_some_and(|last| last.elapsed() < PAUSE);
        if self.mode == Mode::Off || too_soon {
            return;
        }
        state.drawn = (place.done > 0).then(Instant::now);
        draw(
            self.mode,
            &match self.mode {
                Mode::Json => json(&self.about, place).to_string(),
                _ => format!("{}: {}", self.about.1, words(place)),
            },
        );
    }
}

impl Observer for Progress {}

impl tristan_ground::Progress for Progress {
    fn stage(&self, name: &'static str) {
        self.enter(name);
    }

    fn progress(&self, place: &Place) {
        self.show(place);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        clear(self.mode);
    }
}

/// Shows on a thread of its own how far a search has come, until it is dropped: for work that reports
/// to its budget only.
pub(crate) struct Polled {
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Polled {
    /// Shows where `place` says the work is.
    pub(crate) fn start(
        mode: ProgressMode,
        about: (&'static str, String),
        place: impl Fn() -> Place + Send + 'static,
    ) -> Self {
        let mode = Mode::of(mode);
        if mode == Mode::Off {
            return Self { over: None, thread: None };
        }
        let (over, ended) = channel::<()>();
        let poll = move || {
            let progress = Progress::about(mode, about);
            loop {
                let goes_on = ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout);
                let place = place();
                if !place.stage.is_empty() {
                    progress.look(&place);
                }
                if !goes_on {
                    return;
                }
            }
        };
        // Progress that cannot be shown is not missed.
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(poll).ok();
        Self { over: Some(over), thread }
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        drop(self.over.take());
        if let Some(thread) = self.thread.take() {
            // A panic was told already.
            let _ = thread.join();
        }
    }
}

/// Draws a line, in place of the last one on a terminal.
pub(crate) fn draw(mode: Mode, line: &str) {
    let text = match mode {
        Mode::Line => format!("\r\u{1b}[K{line}"),
        Mode::Json => format!("{line}\n"),
        Mode::Off => return,
    };
    let mut err = io::stderr().lock();
    // Progress that cannot be shown is not missed.
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Removes the last line from a terminal.
pub(crate) fn clear(mode: Mode) {
    if mode == Mode::Line {
        draw(mode, "");
    }
}

fn json((kind, name): &(&'static str, String), place: &Place) -> serde_json::Value {
    let mut event = serde_json::json!({ *kind: name, "stage": place.stage });
    if place.done > 0 || place.total > 0 {
        count(&mut event, place);
    }
    event
}

/// Adds how far the work has come, and how fast.
pub(crate) fn count(event: &mut serde_json::Value, place: &Place) {
    event["done"] = place.done.into();
    event["total"] = place.total.into();
    if let Some(rate) = place.rate() {
        event["rate"] = ((rate * 10.0).round() / 10.0).into();
    }
}

/// `saturate 300 of 900, 75 per second, about 8 s left`
fn words(place: &Place) -> String {
    let Place { stage, done, total, .. } = place;
    match (done, total) {
        (0, 0) => format!("{stage} …"),
        (_, 0) => format!("{stage} {done}{}", pace(place)),
        _ => format!("{stage} {done} of {total}{}", pace(place)),
    }
}

/// `, 75 per second, about 8 s left`, as far as that is known.
pub(crate) fn pace(place: &Place) -> String {
    let rate = place.rate().map(|rate| format!(", {rate:.0} per second"));
    let left = place.left().map(|left| format!(", about {:.0} s left", left.as_secs_f64()));
    rate.unwrap_or_default() + &left.unwrap_or_default()
}
