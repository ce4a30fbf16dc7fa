//! Damaged files: a reader never panics, and says where it stopped.

use crate::common;
use crate::torn;

use std::fs;
use std::path::Path;

use common::{Generator, parse, print};
use tristan_formats::TraceError;
use tristan_formats::{Format, WriteForm, write};
use tristan_generate::Rng;

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
    assert_eq!(history.warnings, ["no header: every key is assumed to be absent initially"]);
}

#[test]
fn damaged_traces_of_every_format_never_panic() {
    for (name, format) in SAMPLES {
        let sample = files(name);
        assert!(torn::survive(&sample, None).is_ok(), "{name} is recognised");
        damage(&sample, format);
    }
    for seed in 0..20 {
        let history = Generator::new(seed, seed % 2 == 0).history();
        for (form, format) in PRINTED {
            let mut bytes = Vec::new();
            write(&history, form, &mut bytes).expect("memory takes every byte");
            damage(&vec![("t".to_owned(), bytes)], format);
        }
    }
}

/// Changes bytes here and there, many times.
fn damage(sample: &torn::Files, format: Format) {
    for seed in 0..ROUNDS {
        let mut rng = Rng::new(seed);
        let mut files = sample.clone();
        for _ in 0..=rng.below(4) {
            let file = rng.below(files.len() as u64) as usize;
            change(&mut files[file].1, &mut rng);
        }
        for format in [None, Some(format)] {
            let _ = torn::survive(&files, format);
        }
    }
}

/// Replaces, moves, flips, doubles or drops something.
fn change(bytes: &mut Vec<u8>, rng: &mut Rng) {
    if bytes.is_empty() {
        return;
    }
    let mut anywhere = || rng.below(bytes.len() as u64) as usize;
    let (at, other) = (anywhere(), anywhere());
    match rng.below(6) {
        0 => bytes[at] = rng.bits() as u8,
        1 => bytes[at] = bytes[other],
        2 => bytes[at] ^= 1 << rng.below(8),
        3 => drop(bytes.remove(at)),
        4 => bytes.insert(at, bytes[other]),
        _ => bytes.truncate(at),
    }
}

/// How often each sample is damaged.
const ROUNDS: u64 = 1000;

/// Traces of other checkers.
const SAMPLES: [(&str, Format); 12] = [
    ("elle.edn", Format::Elle),
    ("elle.json", Format::Elle),
    ("cobra", Format::Cobra),
    ("viper", Format::Viper),
    ("history.bincode", Format::Dbcop),
    ("dbcop.yaml", Format::Dbcop),
    ("dbcop.json", Format::Dbcop),
    ("dbcop.hist", Format::Dbcop),
    ("plume.txt", Format::Plume),
    ("tapir.csv", Format::Plume),
    ("awdit.txt", Format::Awdit),
    ("timekiller.json", Format::TimeKiller),
];

/// Forms that are files, and what they are read as.
const PRINTED: [(WriteForm, Format); 7] = [
    (WriteForm::Arrow, Format::Arrow),
    (WriteForm::Events, Format::Native),
    (WriteForm::Compact, Format::Native),
    (WriteForm::Simple, Format::Simple),
    (WriteForm::Elle, Format::Elle),
    (WriteForm::Dbcop, Format::Dbcop),
    (WriteForm::Plume, Format::Plume),
];

/// The files of an example of the documentation.
fn files(name: &str) -> torn::Files {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples").join(name);
    let file = |path: &Path| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("an example"))
    };
    if path.is_file() {
        return vec![file(&path)];
    }
    let entries = fs::read_dir(&path).expect("an example");
    let mut files: torn::Files =
        entries.map(|entry| file(&entry.expect("an entry").path())).collect();
    files.sort();
    files
}
