//! Reading and writing stop when the budget says so, in every format.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tristan_formats::TraceError;
use tristan_formats::{
    Format, WriteForm, open_within, read_within, stop_behind, write, write_to, write_to_within,
};
use tristan_generate::Workload;
use tristan_ground::{Budget, Limits, Steps, Stop};
use tristan_history::History;

/// A budget that ends at the given look at its clock.
fn ending_at(look: u64) -> Budget {
    let limits = Limits { time: Some(Duration::from_millis(look)), memory: None };
    Budget::metered(&limits, Arc::new(Steps::timed()))
}

fn history() -> History {
    let workload = Workload::named("blindw-rw").expect("a known name");
    Workload { txns: 6_000, keys: 200, sessions: 4, ..workload }.run()
}

fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn every_format_is_read_as_long_as_the_budget_allows() {
    let history = history();
    for form in WriteForm::ALL {
        let path = place(&format!("limits-read-{}", form.name()));
        write_to(&history, form, &path).expect("a folder to write to");
        let format = None::<Format>;
        let read = open_within(&path, format, &Budget::default()).expect("a trace");
        assert_eq!(read.txns.len(), history.txns.len(), "{}", form.name());
        for look in [1, 2, 3] {
            let error = open_within(&path, format, &ending_at(look)).expect_err(form.name());
            assert!(
                matches!(error, TraceError::Stopped { stop: Stop::Time, .. }),
                "{}: {error}",
                form.name()
            );
        }
    }
}

#[test]
fn a_stream_is_read_as_long_as_the_budget_allows() {
    let mut bytes = Vec::new();
    write(&history(), WriteForm::Compact, &mut bytes).expect("memory");
    let budget = ending_at(4);
    budget.enter("reading");
    let error = read_within(bytes.as_slice(), "stdin", None, &budget).expect_err("a limit");
    assert_eq!(error.to_string(), "stdin: the time limit was reached while the trace was read");
    let place = budget.place();
    assert_eq!(place.stage, "reading");
    assert!(place.done > 0 && place.done < bytes.len() as u64, "{place:?}");
}

#[test]
fn memory_ends_reading() {
    let mut bytes = Vec::new();
    write(&history(), WriteForm::Compact, &mut bytes).expect("memory");
    let limits = Limits { time: None, memory: Some(0) };
    let budget = Budget::metered(&limits, Arc::new(Steps::growing(1 << 20)));
    // The first measurement finds nothing, the second one comes ten looks later.
    let error = read_within(bytes.as_slice(), "stdin", None, &budget).expect_err("a limit");
    assert!(matches!(error, TraceError::Stopped { stop: Stop::Memory, .. }), "{error}");
}

#[test]
fn writing_stops_too() {
    let history = history();
    for form in WriteForm::ALL {
        let path = place(&format!("limits-write-{}", form.name()));
        let error = write_to_within(&history, form, &path, &ending_at(1)).expect_err(form.name());
        assert_eq!(stop_behind(&error), Some(Stop::Time), "{}", form.name());
    }
}
