//! Where verdicts go: solve once, write many.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use tristan_report::{Hints, Style};
use tristan_verdict::Verdict;

use crate::args::SinkArgs;
use crate::exit::{Exit, Failure, OrExit};
use crate::output::Output;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Json,
}

/// One `-o KIND=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sink {
    kind: Kind,
    /// Nothing for standard output.
    file: Option<PathBuf>,
}

impl FromStr for Sink {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, file) = match text {
            "-" => ("text", "-"),
            _ => text.split_once('=').unwrap_or((text, "-")),
        };
        let kind = match kind {
            "text" => Kind::Text,
            "json" => Kind::Json,
            _ => return Err("expected text=FILE or json=FILE".to_owned()),
        };
        match file {
            "" => Err("the name of the file is missing".to_owned()),
            "-" => Ok(Self { kind, file: None }),
            path => Ok(Self { kind, file: Some(path.into()) }),
        }
    }
}

/// The open destinations of one run.
pub(crate) struct Sinks {
    stdout: Kind,
    files: Vec<(Kind, PathBuf, File)>,
    /// Several verdicts go to each destination, so JSON is one verdict per line.
    many: bool,
}

impl Sinks {
    /// Opens the files, so that a wrong path fails before any work is done.
    pub(crate) fn open(args: &SinkArgs, many: bool) -> Result<Self, Failure> {
        let mut stdout = if args.json { Kind::Json } else { Kind::Text };
        let mut files = Vec::new();
        for sink in &args.output {
            match &sink.file {
                None => stdout = sink.kind,
                Some(path) => {
                    let file = File::create(path).with_context(|| path.display().to_string());
                    files.push((sink.kind, path.clone(), file.or_exit(Exit::Usage)?));
                }
            }
        }
        Ok(Self { stdout, files, many })
    }

    /// The file that keeps the JSON, if there is one.
    pub(crate) fn json_file(&self) -> Option<String> {
        let json = self.files.iter().find(|(kind, _, _)| *kind == Kind::Json);
        json.map(|(_, path, _)| path.display().to_string())
    }

    /// Writes one verdict everywhere.
    pub(crate) fn verdict(
        &mut self,
        out: &mut Output,
        verdict: &Verdict,
        hints: &Hints,
    ) -> Result<(), Failure> {
        self.page(out, std::slice::from_ref(verdict), |style| {
            tristan_report::text(verdict, hints, style)
        })
    }

    /// Writes verdicts that share one page of text.
    pub(crate) fn page(
        &mut self,
        out: &mut Output,
        verdicts: &[Verdict],
        text: impl Fn(Style) -> String,
    ) -> Result<(), Failure> {
        for (kind, path, file) in &mut self.files {
            let content = match kind {
                Kind::Text => text(Style::default()),
                Kind::Json => json(verdicts, self.many),
            };
            let written = file.write_all(content.as_bytes());
            written.with_context(|| path.display().to_string()).or_exit(Exit::Usage)?;
        }
        match self.stdout {
            Kind::Text => out.write(&text(out.style())),
            Kind::Json => out.write(&json(verdicts, self.many)),
        }
    }
}

fn json(verdicts: &[Verdict], many: bool) -> String {
    let one = |verdict: &Verdict| match many {
        false => tristan_report::json(verdict),
        true => serde_json::to_string(verdict).unwrap_or_default() + "\n",
    };
    verdicts.iter().map(one).collect()
}
