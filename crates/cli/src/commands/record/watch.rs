//! Progress of a recording: one line on a terminal, JSON Lines for tools, else nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;
use std::time::{Duration, Instant};

use tristan_ground::Place;
use tristan_record::run::{Count, Tally};

use crate::args::ProgressMode;
use crate::progress::{self, Mode};

const PAUSE: Duration = Duration::from_millis(200);

/// Shows progress until it is dropped.
pub(super) struct Watch {
    over: Arc<AtomicBool>,
}

impl Watch {
    /// Starts to show the counts.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        mode: ProgressMode,
        tally: &'scope Tally,
        total: u64,
    ) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let mode = Mode::of(mode);
        if mode != Mode::Off {
            let over = Arc::clone(&over);
            scope.spawn(move || show(&over, tally, total, mode));
        }
        Self { over }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

fn show(over: &AtomicBool, tally: &Tally, total: u64, mode: Mode) {
    let started = Instant::now();
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(PAUSE);
        let count = tally.now();
        // Without a number of transactions, as many are recorded as fit into the time.
        let total = if total == u64::MAX { 0 } else { total };
        let (done, spent) = (count.committed, started.elapsed());
        let place = Place { stage: "record", done, total, spent };
        let line = match mode {
            Mode::Json => told(count, &place),
            _ => words(count, &place),
        };
        progress::draw(mode, &line);
    }
    progress::clear(mode);
}

fn told(count: Count, place: &Place) -> String {
    let Count { refused, unknown, given_up, .. } = count;
    let mut event = serde_json::json!({
        "stage": place.stage, "refused": refused, "unknown": unknown, "given_up": given_up,
    });
    progress::count(&mut event, place);
    event.to_string()
}

fn words(count: Count, place: &Place) -> String {
    let Count { committed, refused, .. } = count;
    let of = if place.total == 0 { String::new() } else { format!(" of {}", place.total) };
    format!("{committed} committed{of}, {refused} refused{}", progress::pace(place))
}
