//! Where verdicts go: solve once, write many.

use std::path::PathBuf;

use tristan_report::{Hints, Style};
use tristan_spec::Level;
use tristan_verdict::Verdict;

use crate::args::SinkArgs;
use crate::destination::{self, Destination, Destinations};
use crate::exit::Failure;
use crate::limits;
use crate::output::Output;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Written as soon as there is a verdict.
    Text,
    /// The same.
    Json,
    /// One document about all verdicts, written at the end.
    Document(Document),
}

/// A document about all verdicts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Document {
    Html,
    Junit,
    Github,
    Markdown,
    Dot,
    Svg,
}

impl Document {
    fn render(self, verdicts: &[Verdict]) -> String {
        match self {
            Self::Html => tristan_report::html(verdicts),
            Self::Junit => tristan_report::junit(verdicts),
            Self::Github => tristan_report::github(verdicts),
            Self::Markdown => tristan_report::markdown(verdicts),
            Self::Dot => tristan_report::dot(verdicts),
            Self::Svg => tristan_report::picture(verdicts),
        }
    }
}

impl destination::Kind for Kind {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("json", Self::Json),
        ("html", Self::Document(Document::Html)),
        ("junit", Self::Document(Document::Junit)),
        ("github", Self::Document(Document::Github)),
        ("markdown", Self::Document(Document::Markdown)),
        ("dot", Self::Document(Document::Dot)),
        ("svg", Self::Document(Document::Svg)),
    ];
}

/// One `-o KIND=FILE`.
pub(crate) type Sink = Destination<Kind>;

/// The open destinations of one run.
pub(crate) struct Sinks {
    to: Destinations<Kind>,
    /// Several verdicts go to each destination, so JSON is one verdict per line.
    many: bool,
    /// The verdicts so far, if there is a document to write about them.
    kept: Vec<Verdict>,
}

impl Sinks {
    /// Opens the files, so that a wrong path fails before any work is done.
    pub(crate) fn open(args: &SinkArgs, many: bool) -> Result<Self, Failure> {
        let to = Destinations::open(&args.output)?;
        let to = if args.json { to.usually(Kind::Json) } else { to };
        Ok(Self { to, many, kept: Vec::new() })
    }

    /// The file that keeps the JSON, if there is one.
    pub(crate) fn json_file(&self) -> Option<String> {
        self.to.file(Kind::Json).map(|path| path.display().to_string())
    }

    /// From now on these levels of this trace are unknown if a limit is overrun.
    pub(crate) fn on_overrun(&self, levels: Vec<Level>, trace: String) {
        let (kinds, many) = (self.to.kinds(), self.many);
        limits::on_overrun(move |stopped| {
            let verdicts: Vec<Verdict> =
                levels.iter().map(|level| limits::unknown(level, &trace, stopped)).collect();
            let text = || {
                let one =
                    |verdict| tristan_report::text(verdict, &Hints::default(), Style::default());
                verdicts.iter().map(one).collect()
            };
            let rendered = |(kind, place): &(Kind, Option<PathBuf>)| {
                let content = match kind {
                    Kind::Text => text(),
                    Kind::Json => json(&verdicts, many),
                    Kind::Document(document) => document.render(&verdicts),
                };
                (place.clone(), content)
            };
            kinds.iter().map(rendered).collect()
        });
    }

    /// Whether somebody wants a page, which shows more than other outputs do.
    pub(crate) fn wants_page(&self) -> bool {
        self.to.wants(Kind::Document(Document::Html))
    }

    /// Writes one verdict everywhere.
    pub(crate) fn verdict(
        &mut self,
        out: &mut Output,
        verdict: Verdict,
        hints: &Hints,
    ) -> Result<(), Failure> {
        let text = |style, verdicts: &[Verdict]| {
            verdicts.iter().map(|verdict| tristan_report::text(verdict, hints, style)).collect()
        };
        self.page(out, vec![verdict], text)
    }

    /// Writes verdicts that share one page of text.
    pub(crate) fn page(
        &mut self,
        out: &mut Output,
        verdicts: Vec<Verdict>,
        text: impl Fn(Style, &[Verdict]) -> String,
    ) -> Result<(), Failure> {
        self.to.write(out, Kind::Text, |style| text(style, &verdicts))?;
        let many = self.many || verdicts.len() > 1;
        self.to.write(out, Kind::Json, |_| json(&verdicts, many))?;
        if self.documents().next().is_some() {
            self.kept.extend(verdicts);
        }
        Ok(())
    }

    /// Writes the documents about all verdicts.
    pub(crate) fn finish(mut self, out: &mut Output) -> Result<(), Failure> {
        limits::finishing();
        let documents: Vec<Document> = self.documents().collect();
        for document in documents {
            self.to.write(out, Kind::Document(document), |_| document.render(&self.kept))?;
        }
        Ok(())
    }

    fn documents(&self) -> impl Iterator<Item = Document> {
        <Kind as destination::Kind>::ALL.iter().filter_map(|(_, kind)| match kind {
            Kind::Document(document) if self.to.wants(*kind) => Some(*document),
            _ => None,
        })
    }
}

fn json(verdicts: &[Verdict], many: bool) -> String {
    let one = |verdict: &Verdict| match many {
        false => tristan_report::json(verdict),
        true => serde_json::to_string(verdict).unwrap_or_default() + "\n",
    };
    verdicts.iter().map(one).collect()
}
