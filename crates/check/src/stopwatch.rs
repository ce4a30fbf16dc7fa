//! Times the stages of a check.

use std::cell::RefCell;
use std::time::Duration;

use tristan_ground::{Place, Progress};
use tristan_verdict::Verdict;

use crate::budget::Budget;
use crate::ir::{Ir, Superpositions};
use crate::observer::Observer;
use crate::options::Options;

/// A verdict and how long each stage took.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was decided, with the evidence.
    pub verdict: Verdict,
    /// Stages in the order they ran.
    pub stages: Vec<(&'static str, Duration)>,
    /// What the problem left open when it was first posed; `None` if it never was, or if
    /// [`Options::count`] is off.
    pub superpositions: Option<Superpositions>,
}

/// Times the stages on their way to the observer.
pub(crate) struct Stopwatch<'a> {
    pub(crate) observer: &'a dyn Observer,
    budget: &'a Budget,
    running: RefCell<Option<(&'static str, Duration)>>,
    stages: RefCell<Vec<(&'static str, Duration)>>,
    /// What the first problem left open, if that is to be counted.
    pub(crate) superpositions: RefCell<Option<Superpositions>>,
    count: bool,
}

impl<'a> Stopwatch<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, options: &'a Options) -> Self {
        Self {
            observer,
            budget: &options.within,
            running: RefCell::default(),
            stages: RefCell::default(),
            superpositions: RefCell::default(),
            count: options.count,
        }
    }

    fn stop(&self) {
        if let Some((name, since)) = self.running.take() {
            self.budget.leave();
            self.stages.borrow_mut().push((name, self.budget.spent().saturating_sub(since)));
        }
    }

    pub(crate) fn take(&self) -> Vec<(&'static str, Duration)> {
        self.stop();
        self.stages.take()
    }
}

impl Observer for Stopwatch<'_> {
    fn problem(&self, ir: &Ir) {
        if self.count {
            self.superpositions.borrow_mut().get_or_insert_with(|| Superpositions::of(ir));
        }
    }
}

impl Progress for Stopwatch<'_> {
    fn stage(&self, name: &'static str) {
        self.stop();
        *self.running.borrow_mut() = Some((name, self.budget.spent()));
        self.budget.enter(name);
        self.observer.stage(name);
    }

    fn progress(&self, place: &Place) {
        self.observer.progress(place);
    }
}
