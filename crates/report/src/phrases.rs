//! The parts of an argument as sentences, for text and pages alike.

use tristan_verdict::{Bad, BadKind, Edge, EdgeKind, Literal, Rule};

use crate::cases::Answer;
use crate::layout::listing;
use crate::names::Names;

/// The transaction that read a version and then replaced it, if that is all a cycle says.
pub(crate) fn read_before_overwriting(rule: &Rule) -> Option<u32> {
    let Rule::Cycle(edges) = rule else { return None };
    let [one, two] = edges.as_slice() else { return None };
    let (read, write) = if one.kind == EdgeKind::Wr { (one, two) } else { (two, one) };
    let plain = read.kind == EdgeKind::Wr && write.kind == EdgeKind::Ww && read.key == write.key;
    plain.then_some(read.to)
}

/// Whether the opposite of an order contradicts nothing but the order itself, which then is known
/// from the trace, as with lists.
pub(crate) fn is_known_order(rule: &Rule) -> bool {
    let Rule::Cycle(edges) = rule else { return false };
    let versions = |edge: &Edge| edge.kind == EdgeKind::Ww && edge.key == edges[0].key;
    edges.len() == 2 && edges.iter().all(versions)
}

/// Says things about answers.
#[derive(Clone, Copy)]
pub(crate) struct Phrases<'v>(pub(crate) Names<'v>);

impl Phrases<'_> {
    /// What all the answers together say.
    pub(crate) fn question(&self, answers: &[&Answer]) -> String {
        let Some(Answer::Made(first)) = answers.first() else {
            return "There are these possibilities".to_owned();
        };
        match first {
            Literal::Before { key, first, then } => {
                let (first, then) = (self.0.txn(*first), self.0.txn(*then));
                let key = self.0.key(key);
                format!("On key {key} either {first}'s write came first or {then}'s")
            }
            Literal::Reads { txn, op, key, .. } => {
                let ways: Vec<String> = answers.iter().map(|answer| self.way(answer)).collect();
                format!("{} {}", self.0.saw(*txn, *op, key.as_ref()), listing(&ways, "or"))
            }
        }
    }

    /// One way a read can have happened.
    fn way(&self, answer: &Answer) -> String {
        match answer {
            Answer::Made(Literal::Reads { from, .. }) => format!("from {}", self.0.source(*from)),
            Answer::Made(Literal::Before { .. }) => self.condition(answer),
            Answer::NoEffect(_) => "did not take effect".to_owned(),
        }
    }

    /// An answer after the word *if*.
    pub(crate) fn condition(&self, answer: &Answer) -> String {
        match answer {
            Answer::Made(Literal::Reads { .. }) => self.way(answer),
            Answer::Made(Literal::Before { first, .. }) => {
                format!("{}'s came first", self.0.txn(*first))
            }
            Answer::NoEffect(txn) => format!("{} did not take effect", self.0.txn(*txn)),
        }
    }

    /// An answer as a main clause.
    pub(crate) fn statement(&self, answer: &Answer) -> String {
        match answer {
            Answer::Made(Literal::Reads { txn, op, key, from }) => {
                let saw = self.0.saw(*txn, *op, key.as_ref());
                format!("{saw} from {}", self.0.source(*from))
            }
            Answer::Made(Literal::Before { key, first, then }) => format!(
                "{}'s version of {} came before {}'s",
                self.0.txn(*first),
                self.0.key(key),
                self.0.txn(*then)
            ),
            Answer::NoEffect(txn) => format!("{} did not take effect", self.0.txn(*txn)),
        }
    }

    /// Why nothing explains a bad read.
    pub(crate) fn why_bad(&self, bad: &Bad) -> String {
        let key = self.0.key(&bad.key);
        let writer = bad.writer.map_or("nobody".to_owned(), |txn| self.0.txn(txn));
        match bad.kind {
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
                    format!("{}: neither is the beginning of the other", self.0.deed(txn, op))
                }
                None => "another read of the list contradicts it".to_owned(),
            },
        }
    }
}
