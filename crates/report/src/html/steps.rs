//! Why each arrow: the steps of a cycle, each with its facts and what was ruled out.

use tristan_verdict::{Conflict, Edge, EdgeKind, Source};

use super::proof_writer::ProofWriter;
use crate::cases::{Answer, Lemma};
use crate::cycle::{kind_name, reason};
use crate::layout::fold;
use crate::markup::escaped;
use crate::names::Names;
use crate::proof::{is_derived, rests_on};

/// So many steps are shown at once; the others unfold, up to a limit.
const MOST_STEPS: usize = 30;
const MOST_UNFOLDED: usize = 270;

/// The steps of one cycle.
pub(super) struct Steps<'v> {
    pub(super) names: Names<'v>,
    pub(super) conflict: &'v Conflict,
    pub(super) edges: &'v [Edge],
    pub(super) lemmas: &'v [Lemma],
}

impl<'v> Steps<'v> {
    /// Writes the column beside the drawing; the facts that belong to no step are left.
    pub(super) fn write(&self, proof: &mut ProofWriter<'_, '_>) -> Vec<Lemma> {
        proof.page.push(
            "<section class=\"why\"><h2>Why <span class=\"walk\"><button type=\"button\" \
             data-walk=\"-1\" title=\"previous step (p)\" aria-label=\"previous step\">‹</button> \
             <button type=\"button\" data-walk=\"1\" title=\"next step (n)\" \
             aria-label=\"next step\">›</button></span></h2><ol class=\"steps\">",
        );
        let shown = self.edges.len().min(MOST_STEPS + MOST_UNFOLDED);
        for number in 0..shown {
            if number == MOST_STEPS {
                let more = self.edges.len() - MOST_STEPS;
                proof.page.push(&format!(
                    "</ol><details class=\"more\"><summary>show {more} more</summary>\
                     <ol class=\"steps\">"
                ));
            }
            self.step(proof, number);
        }
        if let Some(more @ 1..) = self.edges.len().checked_sub(shown) {
            proof.page.push(&format!("<li class=\"meta\">… {more} more, in the JSON verdict</li>"));
        }
        let end = if self.edges.len() > MOST_STEPS { "</ol></details>" } else { "</ol>" };
        proof.page.push(&format!("{end}</section>"));
        self.lemmas
            .iter()
            .filter(|lemma| !self.edges.iter().any(|edge| belongs(edge, lemma)))
            .cloned()
            .collect()
    }

    fn step(&self, proof: &mut ProofWriter<'_, '_>, number: usize) {
        let edge = &self.edges[number];
        let derived = is_derived(proof.refutation, self.conflict, edge);
        let (from, to) = (self.names.txn(edge.from), self.names.txn(edge.to));
        let last = number + 1 == self.edges.len() && number > 0;
        let mut because = reason(self.names, edge);
        if last {
            because = format!("But {because}");
        }
        let kind = kind_name(edge.kind);
        proof.page.push(&format!(
            "<li class=\"step {kind}\" data-step=\"{n}\" data-ops=\"{ops}\"><details{open}><summary>\
             <span class=\"number\">{n}</span> <b>{from} before {to}</b> \
             <span class=\"tag\">{kind}{key} · {seen}</span><span class=\"because\">{because}.</span>\
             </summary>",
            n = number + 1,
            ops = self.ops(edge),
            open = if derived { " open" } else { "" },
            from = escaped(&from),
            to = escaped(&to),
            key = edge.key.as_ref().map_or(String::new(), |key| {
                format!(" {}", escaped(&self.names.key(key)))
            }),
            seen = self.origin(proof.assumed, edge, derived),
            because = escaped(&because),
        ));
        proof.page.push("<ul class=\"facts\">");
        facts(self.names, edge).iter().for_each(|fact| {
            proof.page.push(&format!("<li>{fact}</li>"));
        });
        proof.page.push("</ul>");
        for lemma in self.lemmas.iter().filter(|lemma| belongs(edge, lemma)) {
            proof.ruled_out(lemma);
        }
        proof.page.push("</details></li>");
    }

    /// Where an arrow comes from, in a word or two.
    fn origin(&self, assumed: &[Answer], edge: &Edge, derived: bool) -> &'static str {
        let is_assumed = |answer: &Answer| match answer {
            Answer::Made(literal) => rests_on(edge, literal),
            Answer::NoEffect(_) => false,
        };
        match derived {
            _ if assumed.iter().any(is_assumed) => "assumed in this case",
            true => "inferred",
            false => "observed",
        }
    }

    /// The operations at both ends, for the script that lights them up.
    fn ops(&self, edge: &Edge) -> String {
        let ends = ends(self.names, edge);
        let names = ends.iter().flatten().map(|(txn, op)| format!("{txn}.{op}"));
        names.collect::<Vec<_>>().join(" ")
    }
}

/// Whether an arrow rests on a fact that was forced.
fn belongs(edge: &Edge, lemma: &Lemma) -> bool {
    match &lemma.holds {
        Answer::Made(literal) => rests_on(edge, literal),
        Answer::NoEffect(_) => false,
    }
}

/// The operations an edge joins, those that are known.
fn ends(names: Names<'_>, edge: &Edge) -> [Option<(u32, u32)>; 2] {
    let write = |txn: u32| {
        let op = edge.key.as_ref().and_then(|key| names.op_of_write(txn, key));
        op.map(|op| (txn, op))
    };
    let read = |txn: u32| edge.read_op.map(|op| (txn, op));
    match edge.kind {
        EdgeKind::Wr | EdgeKind::Pwr => [write(edge.from), read(edge.to)],
        EdgeKind::Rw | EdgeKind::Prw => [read(edge.from), write(edge.to)],
        EdgeKind::Ww => [write(edge.from), write(edge.to)],
        EdgeKind::So | EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc => [None, None],
    }
}

/// What the trace shows for an edge, as markup.
fn facts(names: Names<'_>, edge: &Edge) -> Vec<String> {
    let mut facts: Vec<String> = Vec::new();
    for (txn, op) in ends(names, edge).into_iter().flatten() {
        if let Some(card) = names.op(txn, op) {
            let (who, words) = (names.txn(txn), fold(&card.text, 240));
            facts.push(place(card.line) + &escaped(&format!("{who}: {words}")));
        }
    }
    match (edge.kind, edge.over) {
        (EdgeKind::Rw | EdgeKind::Prw, Some(Source::Txn(writer))) => {
            let source = names.txn(writer);
            let line = edge.key.as_ref().and_then(|key| names.line_of_write(writer, key));
            let line = line.map(place).unwrap_or_default();
            facts.push(line + &escaped(&read_version(names, edge, &source)));
        }
        (EdgeKind::Rw | EdgeKind::Prw, Some(Source::Initial)) => {
            facts.push("the version that was read is the initial one".to_owned());
        }
        (EdgeKind::So | EdgeKind::Rt | EdgeKind::Cc | EdgeKind::Bc, _) => {
            facts.extend([edge.from, edge.to].iter().filter_map(|&txn| ran(names, txn)));
        }
        _ => {}
    }
    facts
}

/// Whose version a read returned; elements that the reader had appended itself are not part of it.
fn read_version(names: Names<'_>, edge: &Edge, source: &str) -> String {
    let own = edge.read_op.map_or(0, |op| names.own_elements(edge.from, op));
    match own {
        0 => format!("the version that was read is {source}'s"),
        1 => format!("without its own last element, this is {source}'s version"),
        own => format!("without its own last {own} elements, this is {source}'s version"),
    }
}

fn place(line: u32) -> String {
    format!("<span class=\"line\">line {line}</span> ")
}

/// When a transaction ran.
fn ran(names: Names<'_>, txn: u32) -> Option<String> {
    let card = names.card(txn)?;
    let who = names.txn(txn);
    let (first, last) = card.lines;
    let lines = format!("<span class=\"line\">lines {first}–{last}</span> ");
    let when = match card.times.and_then(|times| times.span()) {
        Some((begin, end)) => {
            let (begin, end) = (names.instant(begin), names.instant(end));
            format!("{who} ran from {begin} to {end}")
        }
        None => format!("{who} in session {}", fold(&card.session.to_string(), 40)),
    };
    Some(lines + &escaped(&when))
}
