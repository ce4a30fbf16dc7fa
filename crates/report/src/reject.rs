//! The reasons of a rejection: the bad read, the cycle, or every possibility with its cycle.

use tristan_verdict::{Bad, Chosen, Refutation};

use crate::Style;
use crate::cases::{self, Answer, End, Lemma, Node};
use crate::cycle;
use crate::fates;
use crate::layout::{count, listing, paragraph};
use crate::names::Names;
use crate::origin::line_of_origin;
use crate::phrases::{Phrases, is_known_order, read_before_overwriting};

/// Conflicts shown one by one when there is no argument short enough to read.
const MOST_CONFLICTS: usize = 12;

/// Appends the reasons.
pub(crate) fn reasons(out: &mut String, style: Style, names: Names<'_>, refutation: &Refutation) {
    for case in refutation.cases.iter().take(MOST_CASES) {
        let condition = fates::statement(names, &case.fates);
        paragraph(out, style, "    ", &format!("- if {condition}:"));
        reasons_of_case(out, style, names, &case.refutation, 6);
    }
    if let Some(more @ 1..) = refutation.cases.len().checked_sub(MOST_CASES) {
        let rest = count(more, "more case");
        paragraph(out, style, "    ", &format!("… and {rest}, all of them in the verdict's JSON."));
    }
    if refutation.cases.is_empty() {
        reasons_of_case(out, style, names, refutation, 4);
    }
}

/// Cases that are told one by one.
const MOST_CASES: usize = 6;

fn reasons_of_case(
    out: &mut String,
    style: Style,
    names: Names<'_>,
    refutation: &Refutation,
    indent: usize,
) {
    if let Some(bad) = &refutation.bad {
        return bad_read(out, style, names, bad, indent);
    }
    match cases::argue(refutation, names) {
        Some(node) => Page { out, style, names, refutation }.node(&node, indent),
        None => flat(out, style, names, refutation, indent),
    }
}

/// How many forced steps in a row are told; a reader who wants all of them has the JSON.
const SHOWN: usize = 8;

struct Page<'o, 'v> {
    out: &'o mut String,
    style: Style,
    names: Names<'v>,
    refutation: &'v Refutation,
}

impl Page<'_, '_> {
    fn phrases(&self) -> Phrases<'_> {
        Phrases(self.names)
    }

    fn say(&mut self, indent: usize, text: &str) {
        paragraph(self.out, self.style, &" ".repeat(indent), text);
    }

    fn conflict(&mut self, number: usize, indent: usize) {
        let conflict = &self.refutation.conflicts[number];
        cycle::conflict(self.out, self.style, self.names, indent, conflict);
    }

    fn node(&mut self, node: &Node, indent: usize) {
        match &node.end {
            End::Conflict(number) => {
                self.conflict(*number, indent);
                self.lemmas(&node.lemmas, indent);
            }
            End::Split(branches) => {
                self.lemmas(&node.lemmas, indent);
                self.split(branches, indent);
            }
        }
    }

    fn lemmas(&mut self, lemmas: &[Lemma], indent: usize) {
        for lemma in lemmas.iter().take(SHOWN) {
            let holds = self.phrases().statement(&lemma.holds);
            let [(_, only)] = lemma.ruled_out.as_slice() else {
                self.say(indent, &format!("{holds}. Everything else fails:"));
                for (answer, conflict) in &lemma.ruled_out {
                    let condition = self.phrases().condition(answer);
                    self.say(indent + 2, &format!("if {condition}:"));
                    self.conflict(*conflict, indent + 4);
                }
                continue;
            };
            if let Some(reader) = read_before_overwriting(&self.refutation.conflicts[*only].rule) {
                let reader = self.names.txn(reader);
                self.say(indent, &format!("{holds}, because {reader} read the one before."));
                continue;
            }
            if is_known_order(&self.refutation.conflicts[*only].rule) {
                self.say(indent, &format!("{holds}; the trace shows their order."));
                continue;
            }
            self.say(indent, &format!("{holds}; otherwise:"));
            self.conflict(*only, indent + 2);
        }
        if let Some(more @ 1..) = lemmas.len().checked_sub(SHOWN) {
            self.say(indent, &format!("{more} more such steps are in the JSON verdict."));
        }
    }

    fn split(&mut self, branches: &[(Answer, Node)], indent: usize) {
        let answers: Vec<&Answer> = branches.iter().map(|(answer, _)| answer).collect();
        let question = self.phrases().question(&answers);
        self.say(indent, &format!("{question}:"));
        for (answer, node) in branches {
            let condition = self.phrases().condition(answer);
            self.say(indent, &format!("- if {condition}:"));
            self.node(node, indent + 2);
        }
    }
}

/// The conflicts as they are: under which conditions each of them strikes.
fn flat(out: &mut String, style: Style, names: Names<'_>, refutation: &Refutation, indent: usize) {
    let total = refutation.conflicts.len();
    let mut page = Page { out, style, names, refutation };
    page.say(indent, "Whatever the database did, one of these strikes:");
    for (number, conflict) in refutation.conflicts.iter().enumerate().take(MOST_CONFLICTS) {
        let literals = conflict.literals.iter().cloned();
        let statements: Vec<String> =
            literals.map(|literal| page.phrases().statement(&Answer::Made(literal))).collect();
        match statements.as_slice() {
            [] => page.say(indent, "- in any case:"),
            some => page.say(indent, &format!("- if {}:", listing(some, "and"))),
        }
        page.conflict(number, indent + 2);
    }
    if total > MOST_CONFLICTS {
        let rest = count(total - MOST_CONFLICTS, "more conflict");
        page.say(indent, &format!("… and {rest}, all of them in the verdict's JSON."));
    }
}

fn bad_read(out: &mut String, style: Style, names: Names<'_>, bad: &Bad, indent: usize) {
    let why = Phrases(names).why_bad(bad);
    let written = line_of_origin(names, bad);
    let other = bad.other.and_then(|(txn, op)| names.line(txn, op));
    let places = cycle::lines(&[names.line(bad.txn, bad.op), written, other]);
    let saw = names.saw(bad.txn, bad.op, Some(&bad.key));
    let text = format!("because {saw}; however, {why}.{places}");
    paragraph(out, style, &" ".repeat(indent), &text);
}

/// One line about the size of the core.
pub(crate) fn core(names: Names<'_>, refutation: &Refutation, transactions: usize) -> String {
    let named: Vec<String> = refutation.core.iter().take(6).map(|&txn| names.txn(txn)).collect();
    let more = if refutation.core.len() > named.len() { ", …" } else { "" };
    let minimal = if refutation.minimal { "; none of them can be left out" } else { "" };
    let size = refutation.core.len();
    let total = count(transactions, "transaction");
    format!("core: {size} of {total} ({}{more}){minimal}", named.join(", "))
}

/// Where a read came from, for the list of an accept.
pub(crate) fn chosen(names: Names<'_>, read: &Chosen) -> String {
    let Chosen { txn, op, key, from } = read;
    let (txn, op) = (*txn, *op);
    let deed = match names.line(txn, op) {
        Some(_) => names.saw(txn, op, key.as_ref()),
        None => format!("{}'s operation {}", names.txn(txn), u64::from(op) + 1),
    };
    format!("{deed} from {}", names.source(*from))
}
