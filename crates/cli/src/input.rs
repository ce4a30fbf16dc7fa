//! From what the user typed to histories.
//!
//! ```text
//!   file · folder · - · --demo ──► Source ──► History
//! ```

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tristan_history::formats::{self, Format};
use tristan_history::{History, TraceError};

use crate::args::TraceArgs;
use crate::complain;
use crate::exit::{Exit, Failure, OrExit};

/// The built-in trace.
const DEMO: &str = include_str!("../demo/ward.jsonl");

/// One trace, not yet read.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The built-in one.
    Demo,
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The source a path stands for.
    pub(crate) fn at(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// What people call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Demo => "demo".to_owned(),
            Self::Stdin => "stdin".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// What to type to mean it.
    pub(crate) fn argument(&self) -> String {
        match self {
            Self::Demo => "--demo".to_owned(),
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Reads the trace; what the reader survived is told on standard error.
    pub(crate) fn read(&self, format: Option<Format>) -> Result<History, Failure> {
        let name = self.name();
        let history = match self {
            Self::Demo => formats::read(DEMO.as_bytes(), &name, format),
            Self::Stdin => formats::read(io::stdin().lock(), &name, format),
            Self::File(path) => {
                let file = File::open(path).with_context(|| name.clone());
                formats::read(BufReader::new(file.or_exit(Exit::MissingInput)?), &name, format)
            }
        };
        let history = history.map_err(|error| {
            let missing = matches!(error, TraceError::Io { .. });
            let exit = if missing { Exit::MissingInput } else { Exit::BadInput };
            Failure { exit, error: error.into() }
        })?;
        for warning in &history.warnings {
            complain(&format!("{name}: warning: {warning}"));
        }
        Ok(history)
    }
}

/// The traces asked for; a folder stands for the *.jsonl files in it, sorted. What is missing
/// does not keep the others from being read.
pub(crate) fn sources(args: &TraceArgs) -> Result<Vec<Result<Source, Failure>>, Failure> {
    if args.demo {
        return Ok(vec![Ok(Source::Demo)]);
    }
    if args.traces.is_empty() {
        let message = "no trace: name a file or a folder, - for standard input, or try --demo";
        return Err(Failure::new(Exit::Usage, message.to_owned()));
    }
    let mut sources = Vec::new();
    for path in &args.traces {
        match path.is_dir() {
            false => sources.push(Ok(Source::at(path))),
            true => match folder(path) {
                Ok(files) => sources.extend(files.into_iter().map(|file| Ok(Source::File(file)))),
                Err(failure) => sources.push(Err(failure)),
            },
        }
    }
    Ok(sources)
}

fn folder(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let name = path.display();
    let entries = fs::read_dir(path).with_context(|| name.to_string());
    let mut files = Vec::new();
    for entry in entries.or_exit(Exit::MissingInput)? {
        let file = entry.with_context(|| name.to_string()).or_exit(Exit::MissingInput)?.path();
        if file.extension().is_some_and(|extension| extension == "jsonl") && !file.is_dir() {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = format!("{name}: there is no *.jsonl file in this folder");
        return Err(Failure::new(Exit::MissingInput, message));
    }
    Ok(files)
}

/// The whole text of a file, or of standard input for `-`.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let name = Source::at(path).name();
    let mut bytes = Vec::new();
    let read = match Source::at(path) {
        Source::File(path) => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
        _ => io::stdin().lock().read_to_end(&mut bytes),
    };
    read.with_context(|| name.clone()).or_exit(Exit::MissingInput)?;
    String::from_utf8(bytes).with_context(|| name).or_exit(Exit::BadInput)
}
