//! Which transactions, and why: the drawing with its steps, or every possibility with its own.

use tristan_verdict::{Bad, Conflict, Edge, Refutation, Rule};

use super::Page;
use super::proof_writer::ProofWriter;
use super::steps::Steps;
use super::tabs::tabs;
use crate::cases::{self, Answer, End, Lemma, Node};
use crate::cycle;
use crate::fates;
use crate::figure::Figure;
use crate::layout::{count, listing};
use crate::markup::escaped;
use crate::names::Names;
use crate::origin::line_of_origin;
use crate::phrases::Phrases;
use crate::proof::is_derived;

/// Conflicts shown one by one when there is no argument short enough to read.
const MOST_CONFLICTS: usize = 12;
/// Forced facts that are told one by one.
const MOST_LEMMAS: usize = 24;

/// The section that proves a rejection.
pub(super) fn proof(page: &mut Page, names: Names<'_>, refutation: &Refutation) {
    for case in &refutation.cases {
        let condition = fates::statement(names, &case.fates);
        page.push(&format!("<h3>{}</h3>", escaped(&format!("If {condition}:"))));
        proof(page, names, &case.refutation);
    }
    if !refutation.cases.is_empty() {
        return;
    }
    let mut proof = ProofWriter { page, names, refutation, assumed: &[] };
    if let Some(bad) = &refutation.bad {
        return proof.bad_read(bad);
    }
    match cases::argue(refutation, names) {
        Some(node) => proof.node(&node),
        None => proof.flat(),
    }
}

impl ProofWriter<'_, '_> {
    fn node(&mut self, node: &Node) {
        match &node.end {
            End::Conflict(number) => self.conflict(*number, &node.lemmas),
            End::Split(branches) => {
                self.lemmas(&node.lemmas);
                self.split(branches);
            }
        }
    }

    /// A question, and a tab for every answer to it.
    fn split(&mut self, branches: &[(Answer, Node)]) {
        let phrases = Phrases(self.names);
        let answers: Vec<&Answer> = branches.iter().map(|(answer, _)| answer).collect();
        let question = phrases.question(&answers);
        self.say("question", &format!("{question}. Each possibility fails:"));
        let condition = |(answer, _): &(Answer, Node)| format!("if {}", phrases.condition(answer));
        let titles: Vec<String> = branches.iter().map(condition).collect();
        let (names, refutation, before) = (self.names, self.refutation, self.assumed);
        tabs(self.page, &titles, |page, number| {
            let (answer, node) = &branches[number];
            let assumed = [before, std::slice::from_ref(answer)].concat();
            ProofWriter { page, names, refutation, assumed: &assumed }.node(node);
        });
    }

    /// One conflict: the drawing of its cycle with the steps beside it.
    fn conflict(&mut self, number: usize, lemmas: &[Lemma]) {
        let conflict = &self.refutation.conflicts[number];
        let Rule::Cycle(edges) = &conflict.rule else {
            self.page.push("<div class=\"proof\">");
            let sentence = cycle::sentence(self.names, conflict);
            self.say("fact", &sentence);
            self.page.push("</div>");
            return self.lemmas(lemmas);
        };
        let derived = |edge: &Edge| is_derived(self.refutation, conflict, edge);
        let figure = Figure::of_cycle(self.names, edges, derived);
        self.page.push("<div class=\"proof two\">");
        let title = match edges.len() {
            1 => "A transaction that depends on itself".to_owned(),
            last => format!("The cycle: follow 1 to {last}"),
        };
        self.drawing(&title, &figure);
        let rest = Steps { names: self.names, conflict, edges, lemmas }.write(self);
        self.page.push("</div>");
        self.lemmas(&rest);
    }

    fn drawing(&mut self, title: &str, figure: &Figure) {
        let drawing = figure.draw();
        // A drawing that fits on a screen stays there while the steps are read.
        let class = if drawing.height < 640.0 { "picture stays" } else { "picture" };
        self.page.push(&format!("<section class=\"{class}\"><h2>{}</h2>", escaped(title)));
        self.page.push(&drawing.markup(title));
        self.legend(figure);
        self.page.push("</section>");
    }

    /// What the colours and the lines mean, as far as they occur.
    fn legend(&mut self, figure: &Figure) {
        let words = [
            ("wr", "wr: the second read what the first wrote"),
            ("ww", "ww: the second overwrote the first"),
            ("rw", "rw: the first did not see what the second wrote"),
            ("pwr", "pwr: a range read of the second saw the first's deletion"),
            ("prw", "prw: a range read of the first did not see what the second wrote"),
            ("so", "session: the first ran earlier in the same session"),
            ("rt", "clock: the first ended before the second began"),
            ("cc", "clock: the first committed before the second"),
            ("bc", "clock: the first began before the second committed"),
        ];
        let occurs = |kind: &str| figure.arrows.iter().any(|arrow| arrow.kind == kind);
        let mut legend = String::new();
        for (kind, words) in words.iter().filter(|(kind, _)| occurs(kind)) {
            legend.push_str(&format!("<span class=\"kind {kind}\">{words}</span> "));
        }
        if figure.arrows.iter().any(|arrow| arrow.derived) {
            legend.push_str(
                "<span>solid: observed in the trace · dashed: inferred or assumed</span>",
            );
        }
        self.page.push(&format!("<p class=\"legend\">{legend}</p>"));
    }

    /// Facts that were forced and that no arrow shows.
    fn lemmas(&mut self, lemmas: &[Lemma]) {
        if lemmas.is_empty() {
            return;
        }
        self.page.push("<section class=\"lemmas\"><h3>Intermediate conclusions</h3>");
        for lemma in lemmas.iter().take(MOST_LEMMAS) {
            let holds = Phrases(self.names).statement(&lemma.holds);
            self.page.push(&format!("<div class=\"lemma\"><p><b>{}.</b></p>", escaped(&holds)));
            self.ruled_out(lemma);
            self.page.push("</div>");
        }
        if let Some(more @ 1..) = lemmas.len().checked_sub(MOST_LEMMAS) {
            let more = count(more, "more such fact");
            self.say("meta", &format!("… and {more}, all of them in the JSON verdict."));
        }
        self.page.push("</section>");
    }

    /// The conflicts as they are: under which conditions each of them strikes.
    fn flat(&mut self) {
        self.say("question", "Every possible execution contains one of these contradictions:");
        let shown = self.refutation.conflicts.len().min(MOST_CONFLICTS);
        let title = |conflict: &Conflict| {
            let literals = conflict.literals.iter().cloned().map(Answer::Made);
            let all: Vec<String> =
                literals.map(|literal| Phrases(self.names).statement(&literal)).collect();
            match all.as_slice() {
                [] => "in any case".to_owned(),
                some => format!("if {}", listing(some, "and")),
            }
        };
        let titles: Vec<String> = self.refutation.conflicts.iter().take(shown).map(title).collect();
        for (number, title) in titles.iter().enumerate() {
            let open = if number == 0 { " open" } else { "" };
            let title = escaped(title);
            self.page.push(&format!("<details class=\"case\"{open}><summary>{title}</summary>"));
            self.conflict(number, &[]);
            self.page.push("</details>");
        }
        if let Some(more @ 1..) = self.refutation.conflicts.len().checked_sub(shown) {
            let more = count(more, "more conflict");
            self.say("meta", &format!("… and {more}, all of them in the JSON verdict."));
        }
    }

    fn bad_read(&mut self, bad: &Bad) {
        self.page.push("<div class=\"proof two\">");
        let figure = Figure::of_bad(self.names, bad);
        self.drawing("The read that no execution explains", &figure);
        self.page.push("<section class=\"why\"><h2>Why</h2><ol class=\"steps\">");
        let saw = self.names.saw(bad.txn, bad.op, Some(&bad.key));
        let why = Phrases(self.names).why_bad(bad);
        let written = line_of_origin(self.names, bad);
        let other = bad.other.and_then(|(txn, op)| self.names.line(txn, op));
        let places =
            [cycle::lines(&[self.names.line(bad.txn, bad.op)]), cycle::lines(&[written, other])];
        for (number, text) in
            [format!("{saw}.{}", places[0]), format!("But {why}.{}", places[1])].iter().enumerate()
        {
            self.page.push(&format!(
                "<li class=\"step wr\" data-step=\"{n}\" data-ops=\"{}.{}\"><p class=\"head\">\
                 <span class=\"number\">{n}</span> {}</p></li>",
                bad.txn,
                bad.op,
                escaped(text),
                n = number + 1
            ));
        }
        self.page.push("</ol></section></div>");
    }
}
