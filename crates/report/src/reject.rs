//! The reasons of a rejection: the bad read, the cycle, or every possibility with its cycle.

use tristan_verdict::{Bad, BadKind, Chosen, Edge, EdgeKind, Literal, Refutation, Rule};

use crate::Style;
use crate::cases::{self, Answer, End, Lemma, Node};
use crate::cycle;
use crate::layout::{count, listing, paragraph};
use crate::names::Names;

/// Conflicts shown one by one when there is no argument short enough to read.
const MOST_CONFLICTS: usize = 12;

/// Appends the reasons.
pub(crate) fn reasons(out: &mut String, style: Style, names: Names<'_>, refutation: &Refutation) {
    if let Some(bad) = &refutation.bad {
        return bad_read(out, style, names, bad);
    }
    match cases::argue(refutation, names) {
        Some(node) => Page { out, style, names, refutation }.node(&node, 4),
        None => flat(out, style, names, refutation),
    }
}

/// How many forced steps in a row are told; a reader who wants all of them has the JSON.
const SHOWN: usize = 8;

/// The transaction that read a version and then replaced it, if that is all a cycle says.
fn read_before_overwriting(rule: &Rule) -> Option<u32> {
    let Rule::Cycle(edges) = rule else { return None };
    let [one, two] = edges.as_slice() else { return None };
    let (read, write) = if one.kind == EdgeKind::Wr { (one, two) } else { (two, one) };
    let plain = read.kind == EdgeKind::Wr && write.kind == EdgeKind::Ww && read.key == write.key;
    plain.then_some(read.to)
}

/// Whether the opposite of an order contradicts nothing but the order itself, which then is known
/// from the trace, as with lists.
fn is_known_order(rule: &Rule) -> bool {
    let Rule::Cycle(edges) = rule else { return false };
    let versions = |edge: &Edge| edge.kind == EdgeKind::Ww && edge.key == edges[0].key;
    edges.len() == 2 && edges.iter().all(versions)
}

struct Page<'o, 'v> {
    out: &'o mut String,
    style: Style,
    names: Names<'v>,
    refutation: &'v Refutation,
}

impl Page<'_, '_> {
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
            let holds = self.statement(&lemma.holds);
            let [(_, only)] = lemma.ruled_out.as_slice() else {
                self.say(indent, &format!("{holds}. Everything else fails:"));
                for (answer, conflict) in &lemma.ruled_out {
                    let condition = self.condition(answer);
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
        let question = self.question(&answers);
        self.say(indent, &format!("{question}:"));
        for (answer, node) in branches {
            let condition = self.condition(answer);
            self.say(indent, &format!("- if {condition}:"));
            self.node(node, indent + 2);
        }
    }

    /// What all the answers together say.
    fn question(&self, answers: &[&Answer]) -> String {
        let Some(Answer::Made(first)) = answers.first() else {
            return "There are these possibilities".to_owned();
        };
        match first {
            Literal::Before { key, first, then } => {
                let (first, then) = (self.names.txn(*first), self.names.txn(*then));
                format!(
                    "On key {} either {first}'s write came first or {then}'s",
                    self.names.key(key)
                )
            }
            Literal::Reads { txn, op, key, .. } => {
                let ways: Vec<String> = answers.iter().map(|answer| self.way(answer)).collect();
                format!("{} {}", self.names.saw(*txn, *op, key.as_ref()), listing(&ways, "or"))
            }
        }
    }

    /// One way a read can have happened.
    fn way(&self, answer: &Answer) -> String {
        match answer {
            Answer::Made(Literal::Reads { from, .. }) => {
                format!("from {}", self.names.source(*from))
            }
            Answer::Made(Literal::Before { .. }) => self.condition(answer),
            Answer::NoEffect(_) => "did not take effect".to_owned(),
        }
    }

    fn condition(&self, answer: &Answer) -> String {
        match answer {
            Answer::Made(Literal::Reads { .. }) => self.way(answer),
            Answer::Made(Literal::Before { first, .. }) => {
                format!("{}'s came first", self.names.txn(*first))
            }
            Answer::NoEffect(txn) => format!("{} did not take effect", self.names.txn(*txn)),
        }
    }

    fn statement(&self, answer: &Answer) -> String {
        match answer {
            Answer::Made(Literal::Reads { txn, op, key, from }) => {
                let saw = self.names.saw(*txn, *op, key.as_ref());
                format!("{saw} from {}", self.names.source(*from))
            }
            Answer::Made(Literal::Before { key, first, then }) => format!(
                "{}'s version of {} came before {}'s",
                self.names.txn(*first),
                self.names.key(key),
                self.names.txn(*then)
            ),
            Answer::NoEffect(txn) => format!("{} did not take effect", self.names.txn(*txn)),
        }
    }
}

/// The conflicts as they are: under which conditions each of them strikes.
fn flat(out: &mut String, style: Style, names: Names<'_>, refutation: &Refutation) {
    let total = refutation.conflicts.len();
    let mut page = Page { out, style, names, refutation };
    page.say(4, "Whatever the database did, one of these strikes:");
    for (number, conflict) in refutation.conflicts.iter().enumerate().take(MOST_CONFLICTS) {
        let literals = conflict.literals.iter().cloned();
        let statements: Vec<String> =
            literals.map(|literal| page.statement(&Answer::Made(literal))).collect();
        match statements.as_slice() {
            [] => page.say(4, "- in any case:"),
            some => page.say(4, &format!("- if {}:", listing(some, "and"))),
        }
        page.conflict(number, 6);
    }
    if total > MOST_CONFLICTS {
        let rest = count(total - MOST_CONFLICTS, "more conflict");
        page.say(4, &format!("… and {rest}, all of them in the verdict's JSON."));
    }
}

fn bad_read(out: &mut String, style: Style, names: Names<'_>, bad: &Bad) {
    let key = names.key(&bad.key);
    let writer = bad.writer.map_or("nobody".to_owned(), |txn| names.txn(txn));
    let why = match bad.kind {
        BadKind::ThinAir => "nobody ever wrote that".to_owned(),
        BadKind::OutsideRange => format!("{key} is outside the range"),
        BadKind::RepeatedKey => {
            format!("no state of a database has {key} twice: the result mixes two states")
        }
        BadKind::OutOfOrder => format!("{key} is not in the order of the iterator"),
        BadKind::Aborted => format!("only {writer} wrote that, and it did not commit"),
        BadKind::Intermediate => {
            format!("{writer} wrote that, but not as its last word on {key}")
        }
        BadKind::Future => "it wrote that itself, too late to be seen".to_owned(),
        BadKind::NotOwnWrite => format!("it had written something else to {key} itself"),
        BadKind::DuplicateElement => "one element is in it twice".to_owned(),
        BadKind::IncompatibleOrder => match bad.other {
            Some((txn, op)) => {
                format!("{}: neither is the beginning of the other", names.deed(txn, op))
            }
            None => "another read of the list contradicts it".to_owned(),
        },
    };
    let written = bad.writer.and_then(|txn| names.line_of_write(txn, &bad.key));
    let other = bad.other.and_then(|(txn, op)| names.line(txn, op));
    let places = cycle::lines(&[names.line(bad.txn, bad.op), written, other]);
    let saw = names.saw(bad.txn, bad.op, Some(&bad.key));
    let text = format!("because {saw}; however, {why}.{places}");
    paragraph(out, style, "    ", &text);
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
