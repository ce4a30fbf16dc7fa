//! Damages traces: a reader never panics, and says where it stopped.
#![allow(dead_code, missing_docs, clippy::panic)]

use tristan_history::formats::{Format, WriteForm, losses, read, write};
use tristan_history::generate::Rng;
use tristan_history::{History, TraceError};

/// Reads every beginning of a trace, with and without being told its format.
pub fn cut_anywhere(
    trace: &[u8],
    format: Format,
    mut judge: impl FnMut(usize, Result<History, TraceError>),
) {
    for cut in 0..trace.len() {
        let _ = survive(&trace[..cut], None);
        judge(cut, survive(&trace[..cut], Some(format)));
    }
}

/// Replaces bytes here and there.
pub fn flip_bytes(trace: &[u8], format: Format, rounds: u64) {
    for seed in 0..rounds {
        let mut rng = Rng::new(seed);
        let mut bytes = trace.to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len() as u64) as usize;
            bytes[at] = match rng.percent(50) {
                true => rng.bits() as u8,
                false => bytes[rng.below(bytes.len() as u64) as usize],
            };
        }
        let _ = survive(&bytes, None);
        let _ = survive(&bytes, Some(format));
    }
}

/// Reads something; complaints have a place, and what is accepted can be printed.
fn survive(bytes: &[u8], format: Option<Format>) -> Result<History, TraceError> {
    let outcome = std::panic::catch_unwind(|| {
        let outcome = read(bytes, "t", format);
        if let Ok(history) = &outcome {
            print_everywhere(history);
        }
        outcome
    });
    let outcome = outcome.unwrap_or_else(|_| panic!("{:?}", String::from_utf8_lossy(bytes)));
    if let Err(error) = &outcome {
        let placed = error.line().is_some() || matches!(error, TraceError::Bytes { .. });
        assert!(placed, "{error}");
    }
    outcome
}

fn print_everywhere(history: &History) {
    let forms = [
        WriteForm::Events,
        WriteForm::Compact,
        WriteForm::Simple,
        WriteForm::Dbcop,
        WriteForm::Plume,
    ];
    for form in forms {
        let _ = losses(history, form);
        write(history, form, &mut Vec::new()).expect("memory takes every byte");
    }
}
