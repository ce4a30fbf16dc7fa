//! Damaged files: a reader never panics, and says where it stopped.

#![allow(clippy::panic, reason = "helpers of tests")]

mod common;

use common::{Generator, parse, print};
use tristan_history::formats::{Format, WriteForm};
use tristan_history::generate::Rng;
use tristan_history::{History, TraceError};

const FORMATS: [Option<Format>; 3] = [None, Some(Format::Native), Some(Format::Simple)];

fn samples() -> Vec<String> {
    let forms = [WriteForm::Events, WriteForm::Compact, WriteForm::Simple];
    let history = Generator::new(7, false).history();
    forms.iter().map(|form| print(&history, *form)).collect()
}

#[test]
fn a_trace_cut_anywhere_is_read_up_to_the_cut() {
    for text in samples() {
        for cut in 0..text.len() {
            let bytes = &text.as_bytes()[..cut];
            for format in FORMATS {
                match parse(bytes, format) {
                    Ok(history) => warned_if_torn(bytes, &history.warnings),
                    Err(error) => assert!(error.line().is_some(), "cut at {cut}: {error}"),
                }
            }
        }
    }
}

/// The last line of a cut file is whole, or there is a warning about it.
fn warned_if_torn(bytes: &[u8], warnings: &[String]) {
    let last = bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let whole = last.is_empty() || serde_json::from_slice::<serde::de::IgnoredAny>(last).is_ok();
    let warned = warnings.iter().any(|warning| warning.contains("is cut off"));
    assert_eq!(warned, !whole, "{:?}", String::from_utf8_lossy(last));
}

#[test]
fn the_warning_names_the_line() {
    let text = "{\"tristan\":\"trace/1\"}\n{\"note\":\"hal";
    let history = parse(text, None).expect("the first line is whole");
    assert_eq!(history.warnings, ["line 2 is cut off and was ignored: `{\"note\":\"hal`"]);
    let text = "{\"s\":1,\"st\":\"c\",\"ops\":[]}\n{\"s\":2,\"st";
    let history = parse(text, None).expect("the first line is whole");
    assert_eq!(history.warnings, ["line 2 is cut off and was ignored: `{\"s\":2,\"st`"]);
    assert_eq!(history.txns.len(), 1);
}

#[test]
fn the_same_text_with_a_line_break_is_an_error() {
    let text = "{\"tristan\":\"trace/1\"}\n{\"note\":\"hal\n";
    let error = parse(text, None).expect_err("a broken line in the middle");
    assert!(
        error.to_string().starts_with("t:2: found `{\"note\":\"hal`, expected JSON ("),
        "{error}"
    );
}

#[test]
fn a_lost_header_is_mentioned() {
    let text = "{\"s\":1,\"t\":1,\"op\":\"commit\"}\n";
    assert!(matches!(parse(text, None), Err(TraceError::Content { line: 1, .. })));
    let history = parse(text, Some(Format::Native)).expect("native on demand");
    assert_eq!(history.warnings, ["no header: every key is taken to be absent at the start"]);
}

#[test]
fn flipped_bytes_never_panic() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let text = &samples_of(seed % 20)[rng.below(3) as usize];
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=rng.below(4) {
            let at = rng.below(bytes.len() as u64) as usize;
            bytes[at] = rng.bits() as u8;
        }
        for format in FORMATS {
            let outcome = std::panic::catch_unwind(|| parse(&bytes, format));
            let outcome = outcome.unwrap_or_else(|_| panic!("seed {seed} panics"));
            match outcome {
                Ok(history) => printed_again(&history, seed),
                Err(error) => assert!(error.line().is_some(), "seed {seed}: {error}"),
            }
        }
    }
}

/// What a reader accepts can be printed in every form, and be read again.
fn printed_again(history: &History, seed: u64) {
    for form in [WriteForm::Events, WriteForm::Compact, WriteForm::Simple] {
        let text = print(history, form);
        if !history.txns.is_empty() {
            let again = parse(&text, None);
            let again = again.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            assert_eq!(again.txns.len(), history.txns.len());
        }
    }
}

fn samples_of(seed: u64) -> Vec<String> {
    let history = Generator::new(seed, false).history();
    let forms = [WriteForm::Events, WriteForm::Compact, WriteForm::Simple];
    forms.iter().map(|form| print(&history, *form)).collect()
}
