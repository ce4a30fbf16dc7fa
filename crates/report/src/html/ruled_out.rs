//! Why a fact was forced: every other possibility, and the conflict that it leads to.

use tristan_verdict::{Edge, Literal, Rule};

use super::Page;
use super::proof_writer::ProofWriter;
use super::tabs::tabs;
use crate::cases::{Answer, Lemma};
use crate::cycle::{self, kind_name};
use crate::markup::escaped;
use crate::names::Names;
use crate::phrases::{Phrases, read_before_overwriting};

/// Steps of a conflict that is told in short.
const MOST_SHORT: usize = 40;

impl ProofWriter<'_, '_> {
    /// Why nothing but the fact is possible.
    pub(super) fn ruled_out(&mut self, lemma: &Lemma) {
        self.page.push("<div class=\"ruled\">");
        match lemma.ruled_out.as_slice() {
            [(answer, only)] => self.only_other(&lemma.holds, answer, *only),
            several => {
                self.say("", "Everything else is ruled out:");
                let phrases = Phrases(self.names);
                let titles: Vec<String> = several
                    .iter()
                    .map(|(answer, _)| format!("if {}", phrases.condition(answer)))
                    .collect();
                let (names, refutation, assumed) = (self.names, self.refutation, self.assumed);
                tabs(self.page, &titles, |page, number| {
                    ProofWriter { page, names, refutation, assumed }.short(several[number].1);
                });
            }
        }
        self.page.push("</div>");
    }

    fn only_other(&mut self, holds: &Answer, answer: &Answer, conflict: usize) {
        let rule = &self.refutation.conflicts[conflict].rule;
        let other = match holds {
            Answer::Made(Literal::Before { .. }) => "The other order is ruled out",
            _ => "The other possibility is ruled out",
        };
        if let Some(read) = read_before_overwriting(rule) {
            let because = cycle::reason(self.names, read);
            let (reader, lines) = (self.names.txn(read.to), cycle::edge_lines(self.names, read));
            return self.say("", &format!("{other}: {because} and {reader} replaced.{lines}"));
        }
        if let Answer::Made(Literal::Before { key, first, then }) = holds
            && let Some((shown, line)) = self.names.shown_order(key, *first, *then)
        {
            return self.say("", &format!("{other}: {shown}.{}", cycle::lines(&[line])));
        }
        let condition = Phrases(self.names).condition(answer);
        self.page.push(&format!("<p><b>{other}.</b> If {}:</p>", escaped(&condition)));
        self.short(conflict);
    }

    /// A conflict as a short list.
    fn short(&mut self, number: usize) {
        let conflict = &self.refutation.conflicts[number];
        match &conflict.rule {
            Rule::Cycle(edges) => {
                self.page.push("<ol class=\"short\">");
                let shown = edges.iter().take(MOST_SHORT);
                shown.for_each(|edge| plain_step(self.page, self.names, edge));
                if let Some(more @ 1..) = edges.len().checked_sub(MOST_SHORT) {
                    self.page.push(&format!("<li>… {more} more</li>"));
                }
                self.page.push("</ol>");
            }
            _ => self.say("fact", &cycle::sentence(self.names, conflict)),
        }
    }
}

/// One edge of a cycle that is told in short.
fn plain_step(page: &mut Page, names: Names<'_>, edge: &Edge) {
    let (from, to) = (escaped(&names.txn(edge.from)), escaped(&names.txn(edge.to)));
    let because = escaped(&cycle::reason(names, edge));
    let kind = kind_name(edge.kind);
    page.push(&format!(
        "<li><b>{from} before {to}</b> <span class=\"tag {kind}\">{kind}</span> {because}</li>"
    ));
}
