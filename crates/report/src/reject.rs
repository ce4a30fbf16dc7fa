//! The reasons of a rejection: the bad read, the cycle, or every possibility with its cycle.

use tristan_history::Datum;
use tristan_verdict::{Bad, Chosen, Content, Fact, Literal, Refutation};

use crate::Style;
use crate::cases::{self, Answer, End, Lemma, Node};
use crate::cycle::{self, Grounds};
use crate::fates;
use crate::layout::{count, fold, listing, paragraph};
use crate::names::Names;
use crate::origin::line_of_origin;
use crate::phrases::{Phrases, read_before_overwriting};

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
        paragraph(out, style, "    ", &format!("… and {rest}, all of them in the JSON verdict."));
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
        Some(node) => {
            Page { out, style, names, refutation, assumed: Vec::new() }.node(&node, indent);
        }
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
    /// What is assumed in the case that is being told.
    assumed: Vec<Literal>,
}

impl Page<'_, '_> {
    fn phrases(&self) -> Phrases<'_> {
        Phrases(self.names)
    }

    fn say(&mut self, indent: usize, text: &str) {
        paragraph(self.out, self.style, &" ".repeat(indent), text);
    }

    /// Tells a conflict; what it rests on besides is shown by these lemmas, further down.
    fn conflict(&mut self, number: usize, indent: usize, below: &[Lemma]) {
        let conflict = &self.refutation.conflicts[number];
        let below: Vec<Literal> = below.iter().filter_map(|lemma| made(&lemma.holds)).collect();
        let grounds = Grounds { assumed: &self.assumed, below: &below };
        cycle::conflict(self.out, self.style, self.names, indent, conflict, &grounds);
    }

    /// Tells a conflict under one more assumption.
    fn if_so(&mut self, answer: &Answer, number: usize, indent: usize) {
        let before = self.assumed.len();
        self.assumed.extend(made(answer));
        self.conflict(number, indent, &[]);
        self.assumed.truncate(before);
    }

    fn node(&mut self, node: &Node, indent: usize) {
        match &node.end {
            End::Conflict(number) => {
                self.conflict(*number, indent, &node.lemmas);
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
            self.lemma(lemma, indent);
        }
        if let Some(more @ 1..) = lemmas.len().checked_sub(SHOWN) {
            self.say(indent, &format!("{more} more steps like these are in the JSON verdict."));
        }
    }

    fn lemma(&mut self, lemma: &Lemma, indent: usize) {
        let holds = self.phrases().statement(&lemma.holds);
        if let Some((shown, line)) = self.shown(&lemma.holds) {
            return self
                .say(indent, &format!("{holds}, because {shown}.{}", cycle::lines(&[line])));
        }
        let [(answer, only)] = lemma.ruled_out.as_slice() else {
            self.say(indent, &format!("{holds}. Every alternative leads to a contradiction:"));
            for (answer, conflict) in &lemma.ruled_out {
                let condition = self.phrases().condition(answer);
                self.say(indent + 2, &format!("if {condition}:"));
                self.if_so(answer, *conflict, indent + 4);
            }
            return;
        };
        if let Some(read) = read_before_overwriting(&self.refutation.conflicts[*only].rule) {
            let because = cycle::reason(self.names, read);
            let (reader, lines) = (self.names.txn(read.to), cycle::edge_lines(self.names, read));
            return self
                .say(indent, &format!("{holds}, because {because} and {reader} replaced.{lines}"));
        }
        self.say(indent, &format!("{holds}; otherwise:"));
        self.if_so(answer, *only, indent + 2);
    }

    /// The list read that shows what must hold, if one does.
    fn shown(&self, holds: &Answer) -> Option<(String, Option<u32>)> {
        match holds {
            Answer::Made(Literal::Before { key, first, then }) => {
                self.names.shown_order(key, *first, *then)
            }
            _ => None,
        }
    }

    fn split(&mut self, branches: &[(Answer, Node)], indent: usize) {
        let answers: Vec<&Answer> = branches.iter().map(|(answer, _)| answer).collect();
        let question = self.phrases().question(&answers);
        self.say(indent, &format!("{question}:"));
        for (answer, node) in branches {
            let condition = self.phrases().condition(answer);
            self.say(indent, &format!("- if {condition}:"));
            let before = self.assumed.len();
            self.assumed.extend(made(answer));
            self.node(node, indent + 2);
            self.assumed.truncate(before);
        }
    }
}

/// The choice that an answer makes, if it makes one.
fn made(answer: &Answer) -> Option<Literal> {
    match answer {
        Answer::Made(literal) => Some(literal.clone()),
        Answer::NoEffect(_) => None,
    }
}

/// The conflicts as they are: under which conditions each of them strikes.
fn flat(out: &mut String, style: Style, names: Names<'_>, refutation: &Refutation, indent: usize) {
    let total = refutation.conflicts.len();
    let mut page = Page { out, style, names, refutation, assumed: Vec::new() };
    page.say(indent, "Every possible execution contains one of these contradictions:");
    for (number, conflict) in refutation.conflicts.iter().enumerate().take(MOST_CONFLICTS) {
        let literals = conflict.literals.iter().cloned();
        let statements: Vec<String> =
            literals.map(|literal| page.phrases().statement(&Answer::Made(literal))).collect();
        match statements.as_slice() {
            [] => page.say(indent, "- unconditionally:"),
            some => page.say(indent, &format!("- if {}:", listing(some, "and"))),
        }
        page.assumed = conflict.literals.clone();
        page.conflict(number, indent + 2, &[]);
    }
    if total > MOST_CONFLICTS {
        let rest = count(total - MOST_CONFLICTS, "more conflict");
        page.say(indent, &format!("… and {rest}, all of them in the JSON verdict."));
    }
}

fn bad_read(out: &mut String, style: Style, names: Names<'_>, bad: &Bad, indent: usize) {
    let why = Phrases(names).why_bad(bad);
    let written = line_of_origin(names, bad);
    let other = bad.other.and_then(|(txn, op)| names.line(txn, op));
    let places = cycle::lines(&[names.line(bad.txn, bad.op), written, other]);
    let saw = names.saw(bad.txn, bad.op, Some(&bad.key));
    let text = format!("{saw}, but {why}.{places}");
    paragraph(out, style, &" ".repeat(indent), &text);
}

/// Facts that are told; all of them are in the JSON.
const MOST_FACTS: usize = 8;
/// Transactions that a fact names.
const MOST_NAMED: usize = 4;

/// What the reasons say about the transactions that are not part of the core, as one sentence; `None`
/// if every transaction is part of it.
pub(crate) fn facts(
    names: Names<'_>,
    refutation: &Refutation,
    transactions: usize,
) -> Option<String> {
    if refutation.core.len() == transactions {
        return None;
    }
    let told = |fact: &Fact| match fact {
        Fact::OnlyVersions { key, content, txns } => {
            Some(only(names, txns, &format!("installed {}", held(names, key, content))))
        }
        Fact::OnlyWrites { key, content, txns } => {
            let verb = match content {
                Content::Element(_) => "appended",
                _ => "wrote",
            };
            Some(only(names, txns, &format!("{verb} {}", held(names, key, content))))
        }
        Fact::ListShows { .. } | Fact::TookEffect { .. } => None,
    };
    let mut told: Vec<String> = names.facts().filter_map(told).collect();
    told.dedup();
    let more = told.len().saturating_sub(MOST_FACTS);
    told.truncate(MOST_FACTS);
    if more > 0 {
        told.push(format!("{} in the JSON verdict", count(more, "more fact")));
    }
    (!told.is_empty()).then(|| format!("in the whole trace, {}", listing(&told, "and")))
}

/// A clause that says which transactions, and no others, did something.
fn only(names: Names<'_>, txns: &[u32], did: &str) -> String {
    match txns {
        [] => format!("no transaction {did}"),
        [one] => format!("{} is the only transaction that {did}", names.txn(*one)),
        few if few.len() <= MOST_NAMED => {
            let named: Vec<String> = few.iter().map(|&txn| names.txn(txn)).collect();
            format!("{} are the only transactions that {did}", listing(&named, "and"))
        }
        many => format!("only {} transactions {did}", many.len()),
    }
}

fn held(names: Names<'_>, key: &Datum, content: &Content) -> String {
    let key = names.key(key);
    match content {
        Content::Absent => format!("a delete of {key}"),
        Content::Present => format!("a value of {key}"),
        Content::Value(value) => format!("{key} = {}", fold(&value.to_string(), 24)),
        Content::Element(element) => format!("{} to {key}", fold(&element.to_string(), 24)),
    }
}

/// One line about the size of the core.
pub(crate) fn core(names: Names<'_>, refutation: &Refutation, transactions: usize) -> String {
    let named: Vec<String> = refutation.core.iter().take(6).map(|&txn| names.txn(txn)).collect();
    let more = if refutation.core.len() > named.len() { ", …" } else { "" };
    let minimal = if refutation.minimal { "; all of them are needed" } else { "" };
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
