//! What the transactions and operations of a verdict are called in sentences.

use tristan_history::Datum;
use tristan_verdict::{
    Answer, Case, Deed, Fact, OpCard, Refutation, Saw, Source, Timeline, TxnCard, Verdict,
};

use crate::layout::{fold, listing};

/// Names longer than this are folded.
const LONGEST_NAME: usize = 24;
/// Operations longer than this are folded.
const LONGEST_OPERATION: usize = 56;

/// Looks things up in the cards of a verdict. Everything it returns is short and printable.
#[derive(Clone, Copy)]
pub(crate) struct Names<'v> {
    cards: &'v [TxnCard],
    /// Whether the cards are in the order of their numbers.
    sorted: bool,
    /// Why nothing explains the trace, of a reject.
    refutation: Option<&'v Refutation>,
    /// What times are.
    timeline: Timeline,
}

impl<'v> Names<'v> {
    pub(crate) fn of(verdict: &'v Verdict) -> Self {
        let cards = &verdict.transactions;
        let refutation = match &verdict.answer {
            Answer::Reject { refutation, .. } => Some(refutation),
            Answer::Accept { .. } | Answer::Unknown { .. } => None,
        };
        let timeline = verdict.context.scene.as_ref().map(|scene| scene.timeline);
        Self {
            cards,
            sorted: cards.is_sorted_by_key(|card| card.id),
            refutation,
            timeline: timeline.unwrap_or_default(),
        }
    }

    /// The facts about the whole trace that the refutation states, in all its cases.
    pub(crate) fn facts(&self) -> impl Iterator<Item = &'v Fact> + use<'v> {
        let of_case = |case: &'v Case| &case.refutation.facts;
        let refutation = self.refutation.into_iter();
        refutation.flat_map(move |all| all.facts.iter().chain(all.cases.iter().flat_map(of_case)))
    }

    /// The list read that shows an order of two versions, as a clause, with its line.
    pub(crate) fn shown_order(
        &self,
        key: &Datum,
        first: u32,
        then: u32,
    ) -> Option<(String, Option<u32>)> {
        let (txn, op) = self.facts().find_map(|fact| match fact {
            Fact::ListShows { txn, op, key: of, first: early, then: late }
                if (of, *early, *late) == (key, first, then) =>
            {
                Some((*txn, *op))
            }
            _ => None,
        })?;
        let words = self.op(txn, op).map_or("", |card| card.text.as_str());
        let elements = words.split_once('[').map_or("", |(_, list)| list.trim_end_matches(']'));
        let has = |txn: u32| {
            let card = self.card(txn).into_iter().flat_map(|card| &card.ops);
            let mut appended = card.filter_map(|card| match &card.deed {
                Some(Deed::Append { key: of, value }) if of == key => Some(value.to_string()),
                _ => None,
            });
            appended.any(|own| elements.split(' ').any(|element| element == own))
        };
        let (early, late) = (self.txn(first), self.txn(then));
        let shows = match has(then) {
            true => format!("with what {early} appended before what {late} appended"),
            false => format!("with what {early} appended and without what {late} appended"),
        };
        Some((format!("{}, {shows}", self.deed(txn, op)), self.line(txn, op)))
    }

    /// The card of a transaction, if the verdict has one.
    pub(crate) fn card(&self, txn: u32) -> Option<&'v TxnCard> {
        if !self.sorted {
            return self.cards.iter().find(|card| card.id == txn);
        }
        self.cards.binary_search_by_key(&txn, |card| card.id).ok().map(|place| &self.cards[place])
    }

    /// What people call the transaction. Its words stay on one line.
    pub(crate) fn txn(&self, txn: u32) -> String {
        match self.card(txn) {
            Some(card) => fold(&card.label, LONGEST_NAME).replace(' ', "\u{a0}"),
            // Its number as in the JSON: its name is not known.
            None => format!("#{txn}"),
        }
    }

    /// The transaction's session.
    pub(crate) fn session(&self, txn: u32) -> Option<String> {
        self.card(txn).map(|card| fold(&card.session.to_string(), LONGEST_NAME))
    }

    /// Whether the outcome of the transaction is unknown.
    pub(crate) fn outcome_unknown(&self, txn: u32) -> bool {
        self.card(txn).is_some_and(|card| card.outcome == "unknown")
    }

    /// An operation in words, after the name of who did it: `A read x → 1`.
    pub(crate) fn deed(&self, txn: u32, op: u32) -> String {
        let words = self.op(txn, op).map(|card| fold(&past(&card.text), LONGEST_OPERATION));
        let words = words.unwrap_or_else(|| format!("executed operation {}", u64::from(op) + 1));
        format!("{} {words}", self.txn(txn))
    }

    /// What an operation saw of a key, after the name of who did it: of a range read only what
    /// concerns the key, `A's scan [1, 9) returned 4=7`.
    pub(crate) fn saw(&self, txn: u32, op: u32, key: Option<&Datum>) -> String {
        let range = self.op(txn, op).and_then(|card| range_read(&card.text).zip(Some(card)));
        let Some((((range, words), card), key)) = range.zip(key) else {
            return self.deed(txn, op);
        };
        let who = self.txn(txn);
        match returned(card, words, key).as_slice() {
            [] => format!("{who}'s {range} did not return {}", self.key(key)),
            found => format!("{who}'s {range} returned {}", listing(found, "and")),
        }
    }

    /// The line of an operation.
    pub(crate) fn line(&self, txn: u32, op: u32) -> Option<u32> {
        self.op(txn, op).map(|card| card.line)
    }

    /// The line of the transaction's last write of a key.
    pub(crate) fn line_of_write(&self, txn: u32, key: &Datum) -> Option<u32> {
        self.line(txn, self.op_of_write(txn, key)?)
    }

    /// The transaction's last write of a key, by number.
    pub(crate) fn op_of_write(&self, txn: u32, key: &Datum) -> Option<u32> {
        self.writes(txn, key).last()
    }

    /// The transaction's write of a key, by number, if there is exactly one.
    pub(crate) fn only_write(&self, txn: u32, key: &Datum) -> Option<u32> {
        let mut writes = self.writes(txn, key);
        writes.next().filter(|_| writes.next().is_none())
    }

    /// The transaction's writes of a key that take effect, by number.
    fn writes(&self, txn: u32, key: &Datum) -> impl Iterator<Item = u32> {
        let words = key.to_string();
        let writes = move |card: &OpCard| match &card.deed {
            Some(deed) => deed.writes() == Some(key),
            None => writes_in_words(&card.text, &words),
        };
        let ops = self.card(txn).map_or(&[][..], |card| &card.ops);
        (0..).zip(ops).filter(move |(_, card)| writes(card)).map(|(op, _)| op)
    }

    /// A time of the trace: `entry 7`, or in nanoseconds.
    pub(crate) fn instant(&self, time: i64) -> String {
        match self.timeline {
            Timeline::Entries => format!("entry {time}"),
            Timeline::Clock | Timeline::None => format!("{time} ns"),
        }
    }

    /// How many elements at the end of a list its reader had appended itself.
    pub(crate) fn own_elements(&self, txn: u32, op: u32) -> usize {
        let Some(card) = self.card(txn) else { return 0 };
        let Some(Deed::Read { key, saw: Some(Saw::List(elements)) }) =
            card.ops.get(op as usize).and_then(|card| card.deed.as_ref())
        else {
            return 0;
        };
        let appended: Vec<&Datum> = card.ops[..op as usize]
            .iter()
            .filter_map(|card| match &card.deed {
                Some(Deed::Append { key: own, value }) if own == key => Some(value),
                _ => None,
            })
            .collect();
        elements.iter().rev().take_while(|element| appended.contains(element)).count()
    }

    /// A key in a sentence.
    pub(crate) fn key(&self, key: &Datum) -> String {
        fold(&key.to_string(), LONGEST_NAME)
    }

    /// Where a value came from: `the initial state`, `A`.
    pub(crate) fn source(&self, source: Source) -> String {
        match source {
            Source::Initial => "the initial state".to_owned(),
            Source::Txn(txn) => self.txn(txn),
        }
    }

    /// An operation, if the verdict has it.
    pub(crate) fn op(&self, txn: u32, op: u32) -> Option<&'v OpCard> {
        self.card(txn)?.ops.get(op as usize)
    }
}

/// Whether an operation in an old verdict writes a key: it names the key right after its verb, the
/// verb is not a read, and something was written.
fn writes_in_words(words: &str, key: &str) -> bool {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let names_key = rest.strip_prefix(key).is_some_and(|rest| {
        rest.is_empty() || [" ←", ":", " ("].iter().any(|next| rest.starts_with(next))
    });
    let idle = ["(failed)", "(0 rows)"].iter().any(|end| words.ends_with(end));
    !matches!(verb, "read" | "get" | "list" | "scan" | "iterate") && names_key && !idle
}

/// What a range read returned for a key, each as `key=value`. Old verdicts, and those on very large
/// results, have it in words only.
fn returned(card: &OpCard, words: &str, key: &Datum) -> Vec<String> {
    let folded = |item: String| fold(&item, LONGEST_NAME);
    if let Some(Deed::Range { items, more: 0, .. }) = &card.deed {
        let own = items.iter().filter(|(own, _)| own == key);
        return own.map(|(key, value)| folded(format!("{key}={value}"))).collect();
    }
    let start = format!("{key}=");
    let own = words.split(' ').filter(|item| item.starts_with(&start));
    own.map(|item| folded(item.to_owned())).collect()
}

/// The words of a range read, cut into its range and its items; `None` for other operations.
fn range_read(words: &str) -> Option<(&str, &str)> {
    let (range, items) = words.split_once(" → [")?;
    let is_range = range.starts_with("scan ") || range.starts_with("iterate ");
    is_range.then(|| (range, items.rsplit_once(']').map_or(items, |(items, _)| items)))
}

/// `update x: 1 → 2` becomes `updated x: 1 → 2`; a read is the same word in the past.
fn past(words: &str) -> String {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let verb = match verb {
        "update" => "updated",
        "delete" => "deleted",
        "write" => "wrote",
        "append" => "appended",
        same => same,
    };
    format!("{verb} {rest}")
}
