//! A stage of the work while it runs: how far it has come, and its span in the log.
//!
//! A stage is a span `stage` at debug level, with its name. When the stage ends, the span gets the
//! time it took and, if the stage counts something, `done`, `total` and the rate per second; an event
//! in the span then tells a log without support for closing spans the same. Spans are not entered on
//! a thread, because a stage may be entered on one thread and left on another; an exception is
//! [`Budget::scope`](crate::Budget::scope).

use std::time::Duration;

use tracing::Span;
use tracing::field::{Empty, debug};

use crate::Place;

#[derive(Debug)]
pub(crate) struct Stage {
    place: Place,
    since: Duration,
    span: Span,
}

impl Stage {
    pub(crate) fn begin(name: &'static str, now: Duration) -> Self {
        tracing::info!("{name}");
        let span = tracing::debug_span!(
            "stage",
            name,
            time = Empty,
            done = Empty,
            total = Empty,
            rate = Empty
        );
        Self { place: Place { stage: name, ..Place::default() }, since: now, span }
    }

    /// The stage has come so far.
    pub(crate) fn reach(&mut self, done: u64, total: u64, now: Duration) -> Place {
        (self.place.done, self.place.total) = (done, total);
        self.place = self.place(now);
        self.place
    }

    /// How far the stage has come by now.
    pub(crate) fn place(&self, now: Duration) -> Place {
        Place { spent: now.saturating_sub(self.since), ..self.place }
    }

    pub(crate) fn span(&self) -> Span {
        self.span.clone()
    }

    pub(crate) fn end(self, now: Duration) {
        let place = self.place(now);
        self.span.record("time", debug(place.spent));
        if place.done > 0 {
            self.span.record("done", place.done);
        }
        if place.total > 0 {
            self.span.record("total", place.total);
        }
        if let Some(rate) = place.rate() {
            self.span.record("rate", rate.round());
        }
        tracing::debug!(parent: &self.span, "ended");
    }
}
