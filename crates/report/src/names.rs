//! What the transactions and operations of a verdict are called in sentences.

use tristan_history::Datum;
use tristan_verdict::{OpCard, Source, TxnCard, Verdict};

use crate::layout::{fold, listing};

/// Names longer than this are folded.
const LONGEST_NAME: usize = 24;
/// Operations longer than this are folded.
const LONGEST_OPERATION: usize = 56;

/// Looks things up in the cards of a verdict. Everything it returns is short and printable.
#[derive(Clone, Copy)]
pub(crate) struct Names<'v> {
    cards: &'v [TxnCard],
}

impl<'v> Names<'v> {
    pub(crate) fn of(verdict: &'v Verdict) -> Self {
        Self { cards: &verdict.transactions }
    }

    /// The card of a transaction, if the verdict has one.
    pub(crate) fn card(&self, txn: u32) -> Option<&'v TxnCard> {
        self.cards.iter().find(|card| card.id == txn)
    }

    /// What people call the transaction. Its words stay on one line.
    pub(crate) fn txn(&self, txn: u32) -> String {
        match self.card(txn) {
            Some(card) => fold(&card.label, LONGEST_NAME).replace(' ', "\u{a0}"),
            // Its number as in the JSON: nobody told us its name.
            None => format!("#{txn}"),
        }
    }

    /// The transaction's session.
    pub(crate) fn session(&self, txn: u32) -> Option<String> {
        self.card(txn).map(|card| fold(&card.session.to_string(), LONGEST_NAME))
    }

    /// Whether nobody knows if the transaction committed.
    pub(crate) fn outcome_unknown(&self, txn: u32) -> bool {
        self.card(txn).is_some_and(|card| card.outcome == "unknown")
    }

    /// An operation in words, after the name of who did it: `A read x → 1`.
    pub(crate) fn deed(&self, txn: u32, op: u32) -> String {
        let words = self.op(txn, op).map(|card| fold(&past(&card.text), LONGEST_OPERATION));
        let words = words.unwrap_or_else(|| format!("did operation {}", u64::from(op) + 1));
        format!("{} {words}", self.txn(txn))
    }

    /// What an operation saw of a key, after the name of who did it: of a range read only what
    /// concerns the key, `A's scan [1, 9) returned 4=7`.
    pub(crate) fn saw(&self, txn: u32, op: u32, key: Option<&Datum>) -> String {
        let range = self.op(txn, op).and_then(|card| range_read(&card.text)).zip(key);
        let Some(((range, items), key)) = range else { return self.deed(txn, op) };
        let start = format!("{key}=");
        let who = self.txn(txn);
        let found = items.split(' ').filter(|item| item.starts_with(&start));
        let found: Vec<String> = found.map(|item| fold(item, LONGEST_NAME)).collect();
        match found.as_slice() {
            [] => format!("{who}'s {range} did not return {}", self.key(key)),
            found => format!("{who}'s {range} returned {}", listing(found, "and")),
        }
    }

    /// The line of an operation.
    pub(crate) fn line(&self, txn: u32, op: u32) -> Option<u32> {
        self.op(txn, op).map(|card| card.line)
    }

    /// The line of the transaction's last write of a key, recognised by its words: it names
    /// the key right after its verb, the verb is not a read, and something was written.
    pub(crate) fn line_of_write(&self, txn: u32, key: &Datum) -> Option<u32> {
        let key = key.to_string();
        let writes = |card: &&OpCard| {
            let (verb, rest) = card.text.split_once(' ').unwrap_or((&card.text, ""));
            let after = rest.strip_prefix(key.as_str());
            let names_key = after.is_some_and(|rest| {
                rest.is_empty() || [" ←", ":", " ("].iter().any(|next| rest.starts_with(next))
            });
            let idle = ["(failed)", "(0 rows)"].iter().any(|end| card.text.ends_with(end));
            !matches!(verb, "read" | "get" | "list" | "scan" | "iterate") && names_key && !idle
        };
        self.card(txn)?.ops.iter().rev().find(writes).map(|card| card.line)
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

    fn op(&self, txn: u32, op: u32) -> Option<&'v OpCard> {
        self.card(txn)?.ops.get(op as usize)
    }
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
