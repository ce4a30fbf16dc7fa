//! Damaged traces: a reader never panics, and says where it stopped.
#![allow(dead_code, missing_docs, clippy::panic)]

use tristan_formats::TraceError;
use tristan_formats::{Folder, Format, WriteForm, losses, read, read_folder, write};
use tristan_history::History;

/// The files of a trace, by name; a trace that is no folder has one.
pub type Files = Vec<(String, Vec<u8>)>;

/// Reads every beginning of a trace, with and without being told its format.
pub fn cut_anywhere(
    trace: &[u8],
    format: Format,
    mut judge: impl FnMut(usize, Result<History, TraceError>),
) {
    for cut in 0..trace.len() {
        let files = vec![("t".to_owned(), trace[..cut].to_vec())];
        let _ = survive(&files, None);
        judge(cut, survive(&files, Some(format)));
    }
}

/// Reads something; complaints have a place, and what is accepted can be printed and read again.
pub fn survive(files: &Files, format: Option<Format>) -> Result<History, TraceError> {
    let outcome = std::panic::catch_unwind(|| {
        let outcome = read_files(files, format);
        if let Ok(history) = &outcome {
            print_everywhere(history);
        }
        outcome
    });
    let shown = || files.iter().map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
    let outcome = outcome.unwrap_or_else(|_| panic!("{:?}", shown().collect::<Vec<_>>()));
    if let Err(error) = &outcome {
        let placed = error.line().is_some() || matches!(error, TraceError::Bytes { .. });
        assert!(placed, "{error}");
    }
    outcome
}

fn read_files(files: &Files, format: Option<Format>) -> Result<History, TraceError> {
    match &files[..] {
        [(name, bytes)] if !name.ends_with(".log") => read(&bytes[..], name, format),
        _ => read_folder(&Folder::in_memory("run", files.iter().cloned()), format),
    }
}

/// Prints a history in all forms that are files, and reads it again.
fn print_everywhere(history: &History) {
    for form in WriteForm::ALL {
        let lost = losses(history, form);
        if form.is_folder() {
            continue;
        }
        let mut bytes = Vec::new();
        write(history, form, &mut bytes).expect("memory takes every byte");
        if history.txns.is_empty() || bytes.is_empty() {
            continue; // some forms do not mention transactions that did nothing
        }
        let again = read(&bytes[..], "again", Some(read_as(form)));
        let again = again.unwrap_or_else(|error| panic!("{error}"));
        let added = lost.iter().filter(|what| what.contains("a transaction is added")).count();
        let whole = form != WriteForm::Plume;
        assert!(!whole || again.txns.len() == history.txns.len() + added, "{form:?}");
    }
}

/// The format that a form is read in.
fn read_as(form: WriteForm) -> Format {
    match form {
        WriteForm::Events | WriteForm::Compact => Format::Native,
        other => Format::from_name(other.name()).expect("a form is called like its format"),
    }
}
