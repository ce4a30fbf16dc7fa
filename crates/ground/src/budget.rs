//! What is left of the limits, shared by every stage and thread of a piece of work.
//!
//! Budgets form a chain: the budget of a step lies within that of its command and ends with it. A
//! budget that has ended stays ended, so all threads of a stage stop for the same reason. The clock
//! is read at every check, which takes some 30 ns; the memory is measured at most every 10 ms,
//! because that takes microseconds.
//!
//! Stages are entered here, so this is also where they are timed and logged: `stage.rs`.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing::span::EnteredSpan;

use crate::stage::Stage;
use crate::{Limits, Meter, Place, Stop, System};

/// How much time passes between two measurements of memory, in microseconds.
const PAUSE: u64 = 10_000;

/// How many ticks pass between two looks at the clock.
const TICKS: u32 = 256;

/// What is left of the limits. Clones share one state: if one of them stops, all do.
#[derive(Clone, Debug)]
pub struct Budget {
    node: Arc<Node>,
}

#[derive(Debug)]
struct Node {
    parent: Option<Budget>,
    limits: Limits,
    meter: Arc<dyn Meter>,
    started: Duration,
    /// 0 while the work may go on; otherwise the number of the [`Stop`].
    stopped: AtomicU8,
    /// Bytes that were announced.
    reserved: AtomicU64,
    /// When the memory was last measured, in microseconds.
    measured: AtomicU64,
    /// Where the work is, be it in this budget or in one within it.
    place: Mutex<Place>,
    /// The stage that was entered in this very budget.
    stage: Mutex<Option<Stage>>,
}

/// A stage that was not left ends with its budget.
impl Drop for Node {
    fn drop(&mut self) {
        let stage = self.stage.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(stage) = stage {
            stage.end(self.meter.now());
        }
    }
}

/// How a piece of work was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Why.
    pub stop: Stop,
    /// The limits that were set where the limit was hit.
    pub limits: Limits,
    /// The stage that was running, and how far it had come.
    pub place: Place,
}

/// A budget without limits.
impl Default for Budget {
    fn default() -> Self {
        Self::start(&Limits::default())
    }
}

impl Budget {
    /// A budget that starts now.
    pub fn start(limits: &Limits) -> Self {
        Self::metered(limits, Arc::new(System::default()))
    }

    /// A budget that starts now on the given clock and memory gauge.
    pub fn metered(limits: &Limits, meter: Arc<dyn Meter>) -> Self {
        Self::new(None, limits, meter)
    }

    /// The budget of one step: it has limits of its own and ends with this one at the latest.
    pub fn within(&self, limits: &Limits) -> Self {
        Self::new(Some(self.clone()), limits, self.node.meter.clone())
    }

    fn new(parent: Option<Self>, limits: &Limits, meter: Arc<dyn Meter>) -> Self {
        let node = Node {
            parent,
            limits: *limits,
            started: meter.now(),
            meter,
            stopped: AtomicU8::new(0),
            reserved: AtomicU64::new(0),
            measured: AtomicU64::new(0),
            place: Mutex::default(),
            stage: Mutex::default(),
        };
        Self { node: Arc::new(node) }
    }

    /// Whether the work may go on. Call it between the steps of a stage.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn check(&self) -> Result<(), Stop> {
        self.known()?;
        self.chain().try_for_each(Self::look)
    }

    /// The same without a look at the clock: whether any thread has found a limit reached.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn known(&self) -> Result<(), Stop> {
        self.chain().find_map(Self::stop_of).map_or(Ok(()), Err)
    }

    /// Checks this budget in a loop whose rounds are too short for [`Self::check`].
    pub fn ticker(&self) -> Ticker<'_> {
        Ticker { budget: self, left: 0 }
    }

    /// Announces that `bytes` are about to be allocated.
    ///
    /// # Errors
    /// [`Stop::Memory`] if that is more than is left.
    pub fn reserve(&self, bytes: u64) -> Result<(), Stop> {
        self.known()?;
        let before = self.node.reserved.fetch_add(bytes, Ordering::Relaxed);
        let Some(limit) = self.chain().filter_map(|one| one.node.limits.memory).min() else {
            return Ok(());
        };
        let measured = self.node.meter.resident().unwrap_or(0).saturating_add(bytes);
        match before.saturating_add(bytes).max(measured) > limit {
            true => Err(self.end(Stop::Memory)),
            false => Ok(()),
        }
    }

    /// Makes every check fail from now on, here and in all budgets within this one.
    pub fn cancel(&self) {
        self.end(Stop::Cancelled);
    }

    /// A stage begins, and the one before ends.
    pub fn enter(&self, stage: &'static str) {
        self.leave();
        let begun = Stage::begin(stage, self.node.meter.now());
        *self.stage() = Some(begun);
        self.stand(Place { stage, ..Place::default() });
    }

    /// The stage ends, and no other one begins yet.
    pub fn leave(&self) {
        let ended = self.stage().take();
        if let Some(stage) = ended {
            stage.end(self.node.meter.now());
        }
    }

    /// A stage that lasts as long as what is returned; spans of this thread lie within its span.
    pub fn scope(&self, stage: &'static str) -> Scope {
        self.enter(stage);
        let span = self.stage().as_ref().map(Stage::span);
        Scope { budget: self.clone(), _inside: span.map(tracing::Span::entered) }
    }

    /// The stage has done so much of so much; a total of 0 is unknown. Returns how far and how fast
    /// that is, for a [`Progress`](crate::Progress) to show.
    pub fn progress(&self, done: u64, total: u64) -> Place {
        let mut place = Place { done, total, ..self.place() };
        for one in self.chain() {
            if let Some(stage) = one.stage().as_mut() {
                place = stage.reach(done, total, self.node.meter.now());
                break;
            }
        }
        tracing::trace!(stage = place.stage, done, total, rate = place.rate());
        self.stand(place);
        place
    }

    /// How far the stage has come that was entered in this very budget, whatever the budgets within
    /// it are doing; `None` between stages.
    pub fn own_place(&self) -> Option<Place> {
        self.stage().as_ref().map(|stage| stage.place(self.node.meter.now()))
    }

    fn stage(&self) -> MutexGuard<'_, Option<Stage>> {
        self.node.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the work is, or where it was when it stopped.
    pub fn place(&self) -> Place {
        *self.node.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the work was stopped; `None` while it may go on.
    pub fn stopped(&self) -> Option<Stopped> {
        self.chain()
            .find_map(|one| Some(Stopped { place: self.place(), ..one.account(one.stop_of()?) }))
    }

    /// What there is to say about a stop that came from this budget or from one within it.
    pub fn account(&self, stop: Stop) -> Stopped {
        let has = |budget: &&Self| match stop {
            Stop::Memory => budget.node.limits.memory.is_some(),
            Stop::Time | Stop::Cancelled => budget.node.limits.time.is_some(),
        };
        let limits = self.chain().find(has).unwrap_or(self).node.limits;
        Stopped { stop, limits, place: self.place() }
    }

    /// The time that is left; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        let left = |one: &Self| {
            let spent = one.node.meter.now().saturating_sub(one.node.started);
            one.node.limits.time.map(|limit| limit.saturating_sub(spent))
        };
        self.chain().filter_map(left).min()
    }

    /// The time since this budget started.
    pub fn spent(&self) -> Duration {
        self.node.meter.now().saturating_sub(self.node.started)
    }

    /// The limits of this budget itself, without those that it lies within.
    pub fn limits(&self) -> Limits {
        self.node.limits
    }

    /// This budget and all that it lies within.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |one| one.node.parent.as_ref())
    }

    fn stop_of(&self) -> Option<Stop> {
        match self.node.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stop::Time),
            2 => Some(Stop::Memory),
            _ => Some(Stop::Cancelled),
        }
    }

    /// Ends the work. The first reason counts.
    fn end(&self, stop: Stop) -> Stop {
        let number = match stop {
            Stop::Time => 1,
            Stop::Memory => 2,
            Stop::Cancelled => 3,
        };
        let (order, node) = (Ordering::Relaxed, &self.node);
        if node.stopped.compare_exchange(0, number, order, order).is_ok() {
            tracing::info!(limits = ?self.account(stop).limits, "stopped: {stop}");
        }
        self.stop_of().unwrap_or(stop)
    }

    /// Looks at the clock and, now and then, at the memory.
    fn look(&self) -> Result<(), Stop> {
        let node = &self.node;
        if node.limits == Limits::default() {
            return Ok(());
        }
        let now = node.meter.now();
        if node.limits.time.is_some_and(|limit| now.saturating_sub(node.started) >= limit) {
            return Err(self.end(Stop::Time));
        }
        let Some(limit) = node.limits.memory else { return Ok(()) };
        let now = u64::try_from(now.as_micros()).unwrap_or(u64::MAX);
        let last = node.measured.load(Ordering::Relaxed);
        if last != 0 && now < last.saturating_add(PAUSE) {
            return Ok(());
        }
        node.measured.store(now.max(1), Ordering::Relaxed);
        match node.meter.resident() {
            Some(bytes) if bytes > limit => Err(self.end(Stop::Memory)),
            _ => Ok(()),
        }
    }

    fn stand(&self, place: Place) {
        if self.known().is_err() {
            return;
        }
        for one in self.chain() {
            *one.node.place.lock().unwrap_or_else(PoisonError::into_inner) = place;
        }
    }
}

/// A stage that ends when this is dropped.
#[derive(Debug)]
#[must_use = "the stage ends when this is dropped"]
pub struct Scope {
    budget: Budget,
    _inside: Option<EnteredSpan>,
}

impl Drop for Scope {
    fn drop(&mut self) {
        self.budget.leave();
    }
}

/// Checks a budget in a tight loop: every tick looks whether a thread has found a limit reached, one
/// in 256 looks at the clock.
#[derive(Debug)]
pub struct Ticker<'a> {
    budget: &'a Budget,
    left: u32,
}

impl Ticker<'_> {
    /// One round of the loop.
    ///
    /// # Errors
    /// The limit that was reached.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                self.budget.known()
            }
            None => {
                self.left = TICKS - 1;
                self.budget.check()
            }
        }
    }
}
