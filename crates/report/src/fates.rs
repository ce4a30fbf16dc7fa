//! Operations that may or may not have taken effect, in words.

use tristan_verdict::Fate;

use crate::cycle;
use crate::layout::listing;
use crate::names::Names;

/// Fates that are told one by one.
const MOST_FATES: usize = 4;

/// `A's write x ← 1 (never returned) took effect (line 2)`, for each of some fates.
pub(crate) fn statement(names: Names<'_>, fates: &[Fate]) -> String {
    let mut told: Vec<String> =
        fates.iter().take(MOST_FATES).map(|fate| told(names, fate)).collect();
    if let Some(more @ 1..) = fates.len().checked_sub(MOST_FATES) {
        told.push(format!("{more} more, in the JSON verdict"));
    }
    listing(&told, "and")
}

fn told(names: Names<'_>, fate: &Fate) -> String {
    let &Fate { txn, op, effect } = fate;
    let what = match names.op(txn, op) {
        Some(card) => card.text.clone(),
        None => format!("operation {}", u64::from(op) + 1),
    };
    let verb = if effect { "took effect" } else { "did not take effect" };
    format!("{}'s {what} {verb}{}", names.txn(txn), cycle::lines(&[names.line(txn, op)]))
}
