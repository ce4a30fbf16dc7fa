//! The parts of an argument as sentences, for text and pages alike.

use tristan_verdict::{Bad, BadKind, Edge, EdgeKind, Fact, Literal, Rule};

use crate::cases::Answer;
use crate::layout::listing;
use crate::names::Names;

/// The read of a version by the transaction that replaced it, if that is all a cycle says.
pub(crate) fn read_before_overwriting(rule: &Rule) -> Option<&Edge> {
    let Rule::Cycle(edges) = rule else { return None };
    let [one, two] = edges.as_slice() else { return None };
    let (read, write) = if one.kind == EdgeKind::Wr { (one, two) } else { (two, one) };
    let plain = read.kind == EdgeKind::Wr && write.kind == EdgeKind::Ww && read.key == write.key;
    plain.then_some(read)
}

/// Says things about answers.
#[derive(Clone, Copy)]
pub(crate) struct Phrases<'v>(pub(crate) Names<'v>);

impl Phrases<'_> {
    /// What all the answers together say.
    pub(crate) fn question(&self, answers: &[&Answer]) -> String {
        let Some(Answer::Made(first)) = answers.first() else {
            return "The possibilities are".to_owned();
        };
        match first {
            Literal::Before { key, first, then } => {
                let (first, then) = (self.0.txn(*first), self.0.txn(*then));
                let key = self.0.key(key);
                format!("Either {first} or {then} wrote {key} first")
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
                format!("{}'s write came first", self.0.txn(*first))
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
        let writer = bad.writer.map_or("another transaction".to_owned(), |txn| self.0.txn(txn));
        match bad.kind {
            BadKind::ThinAir => "no transaction wrote this value".to_owned(),
            BadKind::OutsideRange => format!("{key} is outside the range"),
            BadKind::RepeatedKey => {
                format!("no database state contains {key} twice, so the result mixes two states")
            }
            BadKind::OutOfOrder => format!("the iterator returned {key} out of order"),
            BadKind::Aborted => {
                let card = bad.writer.and_then(|txn| self.0.card(txn));
                let took_back = match card.is_some_and(|card| card.outcome == "committed") {
                    true => "rolled it back",
                    false => "did not commit",
                };
                format!("{writer} wrote this value and {took_back}, and {}", self.others(bad))
            }
            BadKind::Intermediate => {
                format!(
                    "{writer} wrote this value and overwrote it before committing, and {}",
                    self.others(bad)
                )
            }
            BadKind::Future => {
                "only its own transaction wrote this value, after the read".to_owned()
            }
            BadKind::NotOwnWrite => {
                format!("its own transaction had written something else to {key}")
            }
            BadKind::DuplicateElement => "the list contains an element twice".to_owned(),
            BadKind::IncompatibleOrder => match bad.other {
                Some((txn, op)) => {
                    format!("{}, and neither list is a prefix of the other", self.0.deed(txn, op))
                }
                None => "another read of the list contradicts it".to_owned(),
            },
        }
    }

    /// What else wrote what a bad read saw: nothing, or nothing that lasted.
    fn others(&self, bad: &Bad) -> &'static str {
        let only = |fact: &Fact| match fact {
            Fact::OnlyWrites { key, txns, .. } => {
                *key == bad.key && txns.iter().all(|&txn| Some(txn) == bad.writer)
            }
            _ => false,
        };
        match self.0.facts().any(only) {
            true => "no other transaction wrote it",
            false => "no transaction installed it",
        }
    }
}
