//! Turns the conflicts of a refutation into an argument by cases.
//!
//! ```text
//!   conflicts ──► questions ──► Node ─┬─ lemmas   what must hold, with what rules the rest out
//!   "not all      "which source?      └─ end ─┬─ one conflict
//!    of these"     which came first?"         └─ every answer to a question, each with a Node
//! ```
//!
//! This is a little search, but it decides nothing: the verdict already says that the
//! conflicts leave no possibility. If the argument would be too long to read, there is none,
//! and the conflicts are listed as they are.

use tristan_verdict::{Choice, Conflict, Literal, Refutation, Source};

use crate::names::Names;

/// An argument with more nodes than this is too long to read.
const MOST_NODES: usize = 24;

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The choice was made this way.
    Made(Literal),
    /// The transaction, whose outcome is unknown, did not take effect.
    NoEffect(u32),
}

/// Something that must hold, because every other answer runs into a conflict.
#[derive(Clone, Debug)]
pub(crate) struct Lemma {
    /// What must hold.
    pub(crate) holds: Answer,
    /// The other answers, each with the number of the conflict it runs into.
    pub(crate) ruled_out: Vec<(Answer, usize)>,
}

/// A step of the argument.
pub(crate) struct Node {
    /// What is established first.
    pub(crate) lemmas: Vec<Lemma>,
    /// Where that leads.
    pub(crate) end: End,
}

/// How a step ends.
pub(crate) enum End {
    /// In this conflict.
    Conflict(usize),
    /// In a question, all answers to which fail.
    Split(Vec<(Answer, Node)>),
}

/// The argument, if it is short enough.
pub(crate) fn argue(refutation: &Refutation, names: Names<'_>) -> Option<Node> {
    let argument = Argument {
        conflicts: &refutation.conflicts,
        questions: questions(refutation, names),
        fixed: fixed(refutation, names),
    };
    let mut left = MOST_NODES;
    let mut node = argument.build(&mut Vec::new(), &mut left)?;
    argument.drop_unused(&mut node);
    Some(node)
}

struct Argument<'v> {
    conflicts: &'v [Conflict],
    /// Every question with all its answers.
    questions: Vec<Vec<Answer>>,
    /// Literals that are no question: reads with one source only.
    fixed: Vec<Literal>,
}

/// Why an answer is impossible.
enum Closed {
    By(usize),
    /// A transaction read from one that did not take effect.
    Trivially,
}

/// The answers that are left and those that are not.
struct Sorted {
    open: Vec<Answer>,
    closed: Vec<(Answer, Closed)>,
}

impl Argument<'_> {
    fn build(&self, assumed: &mut Vec<Answer>, left: &mut usize) -> Option<Node> {
        *left = left.checked_sub(1)?;
        let known = assumed.len();
        let mut lemmas = Vec::new();
        let end = loop {
            if let Some(conflict) = self.conflict(assumed) {
                break End::Conflict(conflict);
            }
            match self.next_lemma(assumed) {
                Some(lemma) => {
                    assumed.push(lemma.holds.clone());
                    lemmas.push(lemma);
                }
                None => break self.split(assumed, left)?,
            }
        };
        assumed.truncate(known);
        Some(Node { lemmas, end })
    }

    /// The first conflict whose literals are all assumed.
    fn conflict(&self, assumed: &[Answer]) -> Option<usize> {
        let holds = |literal: &Literal| {
            self.fixed.contains(literal) || assumed.contains(&Answer::Made(literal.clone()))
        };
        self.conflicts.iter().position(|conflict| conflict.literals.iter().all(holds))
    }

    fn why_closed(&self, assumed: &mut Vec<Answer>, answer: &Answer) -> Option<Closed> {
        if contradicts_an_effect(assumed, answer) {
            return Some(Closed::Trivially);
        }
        assumed.push(answer.clone());
        let conflict = self.conflict(assumed);
        assumed.pop();
        conflict.map(Closed::By)
    }

    fn sort(&self, assumed: &mut Vec<Answer>, question: &[Answer]) -> Sorted {
        let mut sorted = Sorted { open: Vec::new(), closed: Vec::new() };
        for answer in question {
            match self.why_closed(assumed, answer) {
                Some(why) => sorted.closed.push((answer.clone(), why)),
                None => sorted.open.push(answer.clone()),
            }
        }
        sorted
    }

    fn unanswered<'a>(&'a self, assumed: &[Answer]) -> Vec<&'a [Answer]> {
        let unanswered =
            |question: &&Vec<Answer>| !question.iter().any(|answer| assumed.contains(answer));
        self.questions.iter().filter(unanswered).map(Vec::as_slice).collect()
    }

    /// Orders first: an order that is forced is a fact, a source that is forced is half of a
    /// "this or that" that people like to see whole.
    fn next_lemma(&self, assumed: &mut Vec<Answer>) -> Option<Lemma> {
        let mut later = None;
        let mut splits = false;
        for question in self.unanswered(assumed) {
            let sorted = self.sort(assumed, question);
            let is_order = matches!(question[0], Answer::Made(Literal::Before { .. }));
            match sorted.open.as_slice() {
                [only] if is_order => return Some(lemma(only.clone(), sorted.closed)),
                [only] => later = later.or(Some(lemma(only.clone(), sorted.closed))),
                [] if is_order => match self.fact(sorted.closed) {
                    Some(fact) => return Some(fact),
                    None => splits = true,
                },
                [] => splits = true,
                _ => {}
            }
        }
        later.filter(|_| !splits)
    }

    /// Both orders of two versions fail; exactly one of them does so on its own.
    fn fact(&self, closed: Vec<(Answer, Closed)>) -> Option<Lemma> {
        let alone = |(_, why): &(Answer, Closed)| match why {
            Closed::By(conflict) => self.conflicts[*conflict].literals.len() == 1,
            Closed::Trivially => false,
        };
        let (fails, holds): (Vec<_>, Vec<_>) = closed.into_iter().partition(alone);
        match holds.as_slice() {
            [(only, _)] => Some(lemma(only.clone(), fails)),
            _ => None,
        }
    }

    fn split(&self, assumed: &mut Vec<Answer>, left: &mut usize) -> Option<End> {
        let open = self.unanswered(assumed);
        let fewest = open.iter().min_by_key(|question| self.sort(assumed, question).open.len())?;
        let mut branches = Vec::new();
        for answer in *fewest {
            if contradicts_an_effect(assumed, answer) {
                continue;
            }
            assumed.push(answer.clone());
            let node = self.build(assumed, left);
            assumed.pop();
            branches.push((answer.clone(), node?));
        }
        Some(End::Split(branches))
    }

    /// Removes lemmas nothing rests on; returns the conflicts that the rest uses.
    fn drop_unused(&self, node: &mut Node) -> Vec<usize> {
        let mut used = match &mut node.end {
            End::Conflict(conflict) => vec![*conflict],
            End::Split(branches) => {
                branches.iter_mut().flat_map(|(_, node)| self.drop_unused(node)).collect()
            }
        };
        for place in (0..node.lemmas.len()).rev() {
            let lemma = &node.lemmas[place];
            let rests = |&conflict: &usize| {
                let literals = self.conflicts[conflict].literals.iter();
                literals.cloned().any(|literal| Answer::Made(literal) == lemma.holds)
            };
            if used.iter().any(rests) && !lemma.ruled_out.is_empty() {
                used.extend(lemma.ruled_out.iter().map(|(_, conflict)| *conflict));
            } else {
                node.lemmas.remove(place);
            }
        }
        used
    }
}

fn lemma(holds: Answer, closed: Vec<(Answer, Closed)>) -> Lemma {
    let by_conflict = |(answer, why)| match why {
        Closed::By(conflict) => Some((answer, conflict)),
        Closed::Trivially => None,
    };
    Lemma { holds, ruled_out: closed.into_iter().filter_map(by_conflict).collect() }
}

/// Whether the answer says of a transaction that it took effect and an assumption says that it
/// did not, or the other way round.
fn contradicts_an_effect(assumed: &[Answer], answer: &Answer) -> bool {
    let demands = |answer: &Answer, wanted: u32| match answer {
        Answer::Made(Literal::Reads { txn, from, .. }) => {
            *txn == wanted || *from == Source::Txn(wanted)
        }
        _ => false,
    };
    assumed.iter().any(|known| match (known, answer) {
        (Answer::NoEffect(txn), made) | (made, Answer::NoEffect(txn)) => demands(made, *txn),
        _ => false,
    })
}

fn questions(refutation: &Refutation, names: Names<'_>) -> Vec<Vec<Answer>> {
    let mut questions: Vec<Vec<Answer>> = Vec::new();
    for literal in refutation.conflicts.iter().flat_map(|conflict| &conflict.literals) {
        let asked = Answer::Made(literal.clone());
        if questions.iter().any(|question| question.contains(&asked)) {
            continue;
        }
        let answers = answers(refutation, names, literal);
        if answers.len() > 1 {
            questions.push(answers);
        }
    }
    // People ask where a value came from before they ask what came first.
    questions.sort_by_key(|question| matches!(question[0], Answer::Made(Literal::Before { .. })));
    questions
}

fn fixed(refutation: &Refutation, names: Names<'_>) -> Vec<Literal> {
    let all = refutation.conflicts.iter().flat_map(|conflict| &conflict.literals);
    all.filter(|literal| answers(refutation, names, literal).len() == 1).cloned().collect()
}

/// All answers to the question that a literal is one answer to.
fn answers(refutation: &Refutation, names: Names<'_>, literal: &Literal) -> Vec<Answer> {
    match literal {
        Literal::Before { key, first, then } => {
            let swapped = Literal::Before { key: key.clone(), first: *then, then: *first };
            let mut both = [literal.clone(), swapped];
            both.sort();
            both.into_iter().map(Answer::Made).collect()
        }
        Literal::Reads { txn, op, key, from } => {
            let concerns = |choice: &&Choice| {
                (choice.txn, choice.op) == (*txn, *op)
                    && key.as_ref().is_none_or(|key| choice.key == *key)
            };
            let choice = refutation.choices.iter().find(concerns);
            let sources = choice.map_or(std::slice::from_ref(from), |choice| &choice.sources);
            let read = |&from: &Source| {
                let (txn, op, key) = (*txn, *op, key.clone());
                Answer::Made(Literal::Reads { txn, op, key, from })
            };
            let none = names.outcome_unknown(*txn).then_some(Answer::NoEffect(*txn));
            sources.iter().map(read).chain(none).collect()
        }
    }
}
