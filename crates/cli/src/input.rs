//! From what the user typed to histories.
//!
//! ```text
//!   file · folder · - · --demo ──► Source ──► History
//! ```

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tristan_formats::TraceError;
use tristan_formats::{self as formats, Format, InitialRule, is_trace_file, is_trace_folder};
use tristan_ground::unzip;
use tristan_history::History;

use crate::args::TraceArgs;
use crate::complain;
use crate::exit::{CommandError, Exit, OrExit};
use crate::limits;

/// The built-in trace.
const DEMO: &str = include_str!("../demo/ward.jsonl");

/// One trace, not yet read.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The built-in one.
    Demo,
    /// Standard input.
    Stdin,
    /// A file, or a folder that is one trace.
    Path(PathBuf),
}

impl Source {
    /// The source a path stands for.
    pub(crate) fn at(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::Path(path.to_owned()) }
    }

    /// What people call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Demo => "demo".to_owned(),
            Self::Stdin => "stdin".to_owned(),
            Self::Path(path) => path.display().to_string(),
        }
    }

    /// What to type to mean it.
    pub(crate) fn argument(&self) -> String {
        match self {
            Self::Demo => "--demo".to_owned(),
            Self::Stdin => "-".to_owned(),
            Self::Path(path) => path.display().to_string(),
        }
    }

    /// Reads the trace; what the reader survived is told on standard error.
    pub(crate) fn read(
        &self,
        format: Option<Format>,
        initial: Option<&InitialRule>,
    ) -> Result<History, CommandError> {
        let name = self.name();
        let budget = limits::budget();
        let reading = budget.scope("reading");
        let history = match self {
            Self::Demo => formats::read_within(DEMO.as_bytes(), &name, format, &budget),
            Self::Stdin => formats::read_within(io::stdin().lock(), &name, format, &budget),
            Self::Path(path) => formats::open_within(path, format, &budget),
        };
        drop(reading);
        let mut history = history.map_err(|error| match error {
            TraceError::Stopped { stop, .. } => limits::failure(&name, stop),
            TraceError::Io { ref source, .. } => {
                CommandError::new(Exit::of_reading(source), error.to_string())
            }
            error => CommandError::new(Exit::BadInput, error.to_string()),
        })?;
        for warning in &history.warnings {
            complain(&format!("{name}: warning: {warning}"));
        }
        if let Some(rule) = initial {
            rule.apply(&mut history);
        }
        Ok(history)
    }
}

/// The traces asked for. What is missing does not keep the others from being read.
pub(crate) fn sources(args: &TraceArgs) -> Result<Vec<Result<Source, CommandError>>, CommandError> {
    if args.demo {
        return Ok(vec![Ok(Source::Demo)]);
    }
    if args.traces.is_empty() {
        let message =
            "no trace given: name a file or a folder, use - for standard input, or try --demo";
        return Err(CommandError::new(Exit::Usage, message.to_owned()));
    }
    let mut sources = Vec::new();
    for path in &args.traces {
        if !path.is_dir() || args.from.is_some_and(Format::is_folder) || is_trace_folder(path) {
            sources.push(Ok(Source::at(path)));
            continue;
        }
        match traces_in(path, args.from) {
            Ok(traces) => sources.extend(traces.into_iter().map(|path| Ok(Source::Path(path)))),
            Err(failure) => sources.push(Err(failure)),
        }
    }
    Ok(sources)
}

/// The traces directly in a folder, sorted. Files that are none are left alone, and said so.
fn traces_in(folder: &Path, format: Option<Format>) -> Result<Vec<PathBuf>, CommandError> {
    let name = folder.display();
    let entries = fs::read_dir(folder).with_context(|| name.to_string());
    let entries = entries.or_exit(Exit::MissingInput)?.collect::<io::Result<Vec<_>>>();
    let entries = entries.with_context(|| name.to_string()).or_exit(Exit::MissingInput)?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    let (traces, others): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| match path.is_dir() {
            true => is_trace_folder(path),
            false => format.is_some() || is_meant_as_trace(path) || is_trace_file(path),
        });
    if traces.is_empty() {
        let message = format!("{name}: this folder contains no trace");
        return Err(CommandError::new(Exit::MissingInput, message));
    }
    for other in others.iter().filter(|other| other.is_file()) {
        complain(&format!("{}: skipped: not a trace", other.display()));
    }
    Ok(traces)
}

/// Whether a file is named like a trace, so that something is wrong if it is none.
fn is_meant_as_trace(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl" || extension == "arrow")
}

/// The whole text of a file, compressed or not, or of standard input for `-`.
pub(crate) fn text(path: &Path) -> Result<String, CommandError> {
    let name = Source::at(path).name();
    let mut bytes = Vec::new();
    let read = match Source::at(path) {
        Source::Path(path) => File::open(path).and_then(|file| unzip(BufReader::new(file))),
        _ => unzip(io::stdin().lock()),
    };
    let read = read.and_then(|mut input| input.read_to_end(&mut bytes));
    if let Err(error) = read {
        let exit = Exit::of_reading(&error);
        return Err(error).with_context(|| name).or_exit(exit);
    }
    String::from_utf8(bytes).with_context(|| name).or_exit(Exit::BadInput)
}
