//! Budgets end when their clock or their memory gauge says so, and say where the work was.

use std::sync::Arc;
use std::time::Duration;

use tristan_ground::{Budget, Limits, Place, Steps, Stop};

fn millis(count: u64) -> Limits {
    Limits { time: Some(Duration::from_millis(count)), memory: None }
}

fn bytes(count: u64) -> Limits {
    Limits { time: None, memory: Some(count) }
}

/// How many checks succeed before the budget ends, and why it ends.
fn checks(budget: &Budget) -> (u64, Stop) {
    let mut count = 0;
    loop {
        match budget.check() {
            Ok(()) => count += 1,
            Err(stop) => return (count, stop),
        }
    }
}

#[test]
fn a_budget_without_limits_never_looks_at_the_clock() {
    let meter = Arc::new(Steps::timed());
    let budget = Budget::metered(&Limits::default(), meter.clone());
    let before = meter.looks();
    for _ in 0..1000 {
        assert_eq!(budget.check(), Ok(()));
    }
    assert_eq!((meter.looks(), budget.left()), (before, None));
    let long = Limits { time: Some(Duration::MAX), memory: Some(u64::MAX) };
    assert_eq!(Budget::start(&long).check(), Ok(()));
}

#[test]
fn time_runs_out_after_as_many_looks_as_the_clock_says() {
    // The start of the budget is the first look, each check another one.
    let budget = Budget::metered(&millis(10), Arc::new(Steps::timed()));
    assert_eq!(checks(&budget), (9, Stop::Time));
    assert_eq!(Budget::start(&millis(0)).check(), Err(Stop::Time));
}

#[test]
fn memory_is_measured_every_ten_milliseconds() {
    // At 0, 100 and 200 bytes there is room left, at 300 there is not: the fourth measurement.
    let budget = Budget::metered(&bytes(250), Arc::new(Steps::growing(100)));
    assert_eq!(checks(&budget), (30, Stop::Memory));
}

#[test]
fn the_memory_of_this_process_is_measured() {
    let Some(resident) = tristan_ground::resident() else { return };
    assert!(resident > 100_000, "{resident}");
    assert_eq!(Budget::start(&bytes(1)).check(), Err(Stop::Memory));
}

#[test]
fn estimates_count_where_memory_is_not_measured() {
    let budget = Budget::metered(&bytes(1000), Arc::new(Steps::timed()));
    assert_eq!(budget.reserve(900), Ok(()));
    assert_eq!(budget.reserve(200), Err(Stop::Memory));
    assert_eq!(budget.check(), Err(Stop::Memory));
}

#[test]
fn what_is_announced_adds_to_what_is_measured() {
    let budget = Budget::metered(&bytes(1000), Arc::new(Steps::growing(500)));
    assert_eq!(budget.reserve(600), Ok(()));
    assert_eq!(budget.within(&Limits::default()).reserve(600), Err(Stop::Memory));
}

#[test]
fn a_step_ends_with_its_command_but_not_the_other_way_round() {
    let meter = Arc::new(Steps::timed());
    let whole = Budget::metered(&millis(1000), meter);
    let step = whole.within(&millis(5));
    assert_eq!(checks(&step).1, Stop::Time);
    assert_eq!(whole.check(), Ok(()));
    let step = whole.within(&Limits::default());
    whole.cancel();
    assert_eq!((step.check(), step.known()), (Err(Stop::Cancelled), Err(Stop::Cancelled)));
}

#[test]
fn a_budget_that_has_ended_says_why_and_where() {
    let whole = Budget::metered(&millis(50), Arc::new(Steps::timed()));
    let step = whole.within(&Limits::default());
    assert_eq!(step.stopped(), None);
    step.enter("saturate");
    step.progress(3, 12);
    checks(&step);
    step.enter("explain");
    let stopped = step.stopped().expect("the budget has ended");
    assert_eq!((stopped.stop, stopped.limits), (Stop::Time, millis(50)));
    assert_eq!(stopped.place, Place { stage: "saturate", done: 3, total: 12, ..stopped.place });
    assert_eq!(stopped.place.to_string(), "saturate, 25 %");
    assert_eq!(whole.place(), stopped.place);
}

#[test]
fn a_step_reports_the_limit_of_its_command_when_that_was_reached() {
    let whole = Budget::metered(&bytes(250), Arc::new(Steps::growing(100)));
    let step = whole.within(&millis(10_000));
    assert_eq!(checks(&step).1, Stop::Memory);
    assert_eq!(step.stopped().map(|stopped| stopped.limits), Some(bytes(250)));
}

#[test]
fn ticks_look_at_the_clock_now_and_then_and_notice_other_threads_at_once() {
    let meter = Arc::new(Steps::timed());
    let budget = Budget::metered(&millis(1000), meter.clone());
    let mut ticker = budget.ticker();
    let before = meter.looks();
    for _ in 0..512 {
        assert_eq!(ticker.tick(), Ok(()));
    }
    assert_eq!(meter.looks() - before, 2);
    budget.clone().cancel();
    assert_eq!(ticker.tick(), Err(Stop::Cancelled));
}

#[test]
fn the_time_that_is_left_is_that_of_the_tightest_limit() {
    let whole = Budget::metered(&millis(100), Arc::new(Steps::timed()));
    let step = whole.within(&millis(1000));
    assert!(step.left().expect("a limit") < Duration::from_millis(100));
}

#[test]
fn a_stage_knows_its_rate_and_the_time_that_is_left() {
    // Entering the stage and telling its progress are one look at the clock each.
    let whole = Budget::metered(&Limits::default(), Arc::new(Steps::timed()));
    assert_eq!(whole.own_place(), None);
    whole.enter("reading");
    let place = whole.progress(5, 20);
    assert_eq!(place.spent, Duration::from_millis(1));
    assert_eq!((place.rate(), place.left()), (Some(5000.0), Some(Duration::from_millis(3))));
    let unknown = whole.progress(6, 0);
    assert_eq!((unknown.rate(), unknown.left()), (Some(3000.0), None));
    assert_eq!((whole.progress(0, 20).rate(), whole.progress(0, 20).left()), (None, None));
    whole.leave();
    assert_eq!(whole.own_place(), None);
}

#[test]
fn the_stage_of_a_step_leaves_that_of_the_whole_alone() {
    let whole = Budget::metered(&Limits::default(), Arc::new(Steps::timed()));
    whole.enter("pairs");
    whole.progress(1, 9);
    let step = whole.within(&Limits::default());
    // A step without a stage of its own counts for the one it is part of.
    assert_eq!(step.progress(2, 9).stage, "pairs");
    {
        let _proving = step.scope("prove");
        step.progress(7, 0);
        assert_eq!((whole.place().stage, whole.place().done), ("prove", 7));
        assert_eq!(whole.own_place().map(|own| (own.stage, own.done)), Some(("pairs", 2)));
    }
    assert_eq!(step.own_place(), None);
}
