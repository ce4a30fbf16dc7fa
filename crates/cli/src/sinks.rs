//! Where verdicts go: solve once, write many.

use std::path::PathBuf;

use tristan_report::{ReportContext, Style};
use tristan_spec::Level;
use tristan_verdict::Verdict;

use crate::args::SinkArgs;
use crate::destinations::Destinations;
use crate::exit::CommandError;
use crate::kinds::{Document, Kind, VerdictKind};
use crate::limits;
use crate::output::Output;

/// The open destinations of one run.
pub(crate) struct Sinks {
    to: Destinations<VerdictKind>,
    /// Several verdicts go to each destination, so JSON is one verdict per line.
    many: bool,
    /// The verdicts so far, if there is a document to write about them.
    kept: Vec<Verdict>,
}

impl Sinks {
    /// Opens the files, so that a wrong path fails before any work is done.
    pub(crate) fn open(args: &SinkArgs, many: bool) -> Result<Self, CommandError> {
        let to = Destinations::open(&args.output)?;
        let to = if args.json { to.usually(VerdictKind::Json) } else { to };
        Ok(Self { to, many, kept: Vec::new() })
    }

    /// The file that keeps the JSON, if there is one.
    pub(crate) fn json_file(&self) -> Option<String> {
        self.to.file(VerdictKind::Json).map(|path| path.display().to_string())
    }

    /// From now on these levels of this trace are unknown if a limit is overrun.
    pub(crate) fn on_overrun(&self, levels: Vec<Level>, trace: String) {
        let (kinds, many) = (self.to.kinds(), self.many);
        limits::on_overrun(move |stopped| {
            let verdicts: Vec<Verdict> =
                levels.iter().map(|level| limits::unknown(level, &trace, stopped)).collect();
            let text = || {
                let one = |verdict| {
                    tristan_report::text(verdict, &ReportContext::default(), Style::default())
                };
                verdicts.iter().map(one).collect()
            };
            let rendered = |(kind, place): &(VerdictKind, Option<PathBuf>)| {
                let content = match kind {
                    VerdictKind::Text => text(),
                    VerdictKind::Json => json(&verdicts, many),
                    VerdictKind::Document(document) => render(*document, &verdicts),
                };
                (place.clone(), content)
            };
            kinds.iter().map(rendered).collect()
        });
    }

    /// Whether a page was asked for, which shows more than other outputs do.
    pub(crate) fn wants_page(&self) -> bool {
        self.to.wants(VerdictKind::Document(Document::Html))
    }

    /// Writes one verdict everywhere.
    pub(crate) fn verdict(
        &mut self,
        out: &mut Output,
        verdict: Verdict,
        context: &ReportContext,
    ) -> Result<(), CommandError> {
        let text = |style, verdicts: &[Verdict]| {
            verdicts.iter().map(|verdict| tristan_report::text(verdict, context, style)).collect()
        };
        self.page(out, vec![verdict], text)
    }

    /// Writes verdicts that share one page of text.
    pub(crate) fn page(
        &mut self,
        out: &mut Output,
        verdicts: Vec<Verdict>,
        text: impl Fn(Style, &[Verdict]) -> String,
    ) -> Result<(), CommandError> {
        self.to.write(out, VerdictKind::Text, |style| text(style, &verdicts))?;
        let many = self.many || verdicts.len() > 1;
        self.to.write(out, VerdictKind::Json, |_| json(&verdicts, many))?;
        if self.documents().next().is_some() {
            self.kept.extend(verdicts);
        }
        Ok(())
    }

    /// Writes the documents about all verdicts.
    pub(crate) fn finish(mut self, out: &mut Output) -> Result<(), CommandError> {
        limits::finishing();
        let documents: Vec<Document> = self.documents().collect();
        for document in documents {
            self.to
                .write(out, VerdictKind::Document(document), |_| render(document, &self.kept))?;
        }
        Ok(())
    }

    fn documents(&self) -> impl Iterator<Item = Document> {
        VerdictKind::ALL.iter().filter_map(|(_, kind)| match kind {
            VerdictKind::Document(document) if self.to.wants(*kind) => Some(*document),
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

fn render(document: Document, verdicts: &[Verdict]) -> String {
    match document {
        Document::Html => tristan_report::html(verdicts),
        Document::Junit => tristan_report::junit(verdicts),
        Document::Github => tristan_report::github(verdicts),
        Document::Markdown => tristan_report::markdown(verdicts),
        Document::Dot => tristan_report::dot(verdicts),
        Document::Svg => tristan_report::picture(verdicts),
    }
}
