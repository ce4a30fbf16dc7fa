//! Where measurements go: a table that grows, and files at the end.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use tristan_bench::{Report, Row, plot};

use crate::exit::{Exit, Failure, OrExit};
use crate::output::Output;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Json,
    Svg,
}

/// One `-o KIND=FILE`.
#[derive(Clone, Debug)]
pub(crate) struct BenchSink {
    kind: Kind,
    /// Nothing for standard output.
    file: Option<PathBuf>,
}

impl FromStr for BenchSink {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, file) = text.split_once('=').unwrap_or((text, "-"));
        let kind = match kind {
            "text" => Kind::Text,
            "json" => Kind::Json,
            "svg" => Kind::Svg,
            _ => return Err("expected text=FILE, json=FILE or svg=FILE".to_owned()),
        };
        match file {
            "" => Err("the name of the file is missing".to_owned()),
            "-" => Ok(Self { kind, file: None }),
            path => Ok(Self { kind, file: Some(path.into()) }),
        }
    }
}

/// The open destinations of one run.
pub(super) struct Sinks {
    stdout: Kind,
    files: Vec<(Kind, PathBuf, File)>,
}

impl Sinks {
    /// Opens the files, so that a wrong path fails before any work is done.
    pub(super) fn open(sinks: &[BenchSink]) -> Result<Self, Failure> {
        let mut opened = Self { stdout: Kind::Text, files: Vec::new() };
        for sink in sinks {
            match &sink.file {
                None => opened.stdout = sink.kind,
                Some(path) => {
                    let file = File::create(path).with_context(|| path.display().to_string());
                    opened.files.push((sink.kind, path.clone(), file.or_exit(Exit::Usage)?));
                }
            }
        }
        Ok(opened)
    }

    /// Adds to the table, where it is shown.
    pub(super) fn text(&mut self, out: &mut Output, text: &str) -> Result<(), Failure> {
        if self.stdout == Kind::Text {
            out.write(text)?;
            out.finish()?;
        }
        self.write(Kind::Text, text)
    }

    /// Writes what needs all rows.
    pub(super) fn finish(&mut self, out: &mut Output, rows: &[Row]) -> Result<(), Failure> {
        for (kind, content) in [(Kind::Json, Report::new(rows).json()), (Kind::Svg, plot(rows))] {
            if self.stdout == kind {
                out.write(&content)?;
            }
            self.write(kind, &content)?;
        }
        Ok(())
    }

    fn write(&mut self, kind: Kind, content: &str) -> Result<(), Failure> {
        for (_, path, file) in self.files.iter_mut().filter(|(known, ..)| *known == kind) {
            let written = file.write_all(content.as_bytes());
            written.with_context(|| path.display().to_string()).or_exit(Exit::Usage)?;
        }
        Ok(())
    }
}
