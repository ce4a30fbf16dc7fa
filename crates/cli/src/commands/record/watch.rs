//! Progress of a recording: one line on a terminal, JSON Lines for tools, else nothing.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;
use std::time::{Duration, Instant};

use tristan_record::run::{Count, Tally};

use crate::args::ProgressMode;

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
        let json = mode == ProgressMode::Json;
        let line = mode == ProgressMode::Auto && io::stderr().is_terminal();
        if json || line {
            let over = Arc::clone(&over);
            scope.spawn(move || show(&over, tally, total, json));
        }
        Self { over }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

fn show(over: &AtomicBool, tally: &Tally, total: u64, json: bool) {
    let started = Instant::now();
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(PAUSE);
        let count = tally.now();
        let text = match json {
            true => told(count, total),
            false => words(count, total, started.elapsed()),
        };
        // Progress that cannot be shown is not missed.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
    if !json {
        let _ = io::stderr().lock().write_all(b"\r\x1b[K");
    }
}

fn told(count: Count, total: u64) -> String {
    let Count { committed, refused, unknown, given_up, .. } = count;
    let event = serde_json::json!({
        "stage": "record", "done": committed, "total": total,
        "refused": refused, "unknown": unknown, "given_up": given_up,
    });
    format!("{event}\n")
}

fn words(count: Count, total: u64, spent: Duration) -> String {
    let rate = count.committed as f64 / spent.as_secs_f64().max(1e-9);
    let left = total.saturating_sub(count.committed) as f64 / rate.max(1e-9);
    let of = match total {
        // As many as fit into the time.
        0 | u64::MAX => String::new(),
        _ => format!(" of {total}, about {left:.0} s left"),
    };
    let Count { committed, refused, .. } = count;
    format!("\r\u{1b}[K{committed} committed{of}, {refused} refused, {rate:.0} per second")
}
