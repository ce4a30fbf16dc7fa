//! What did they do? Every transaction of the answer with all its operations.

use tristan_history::Datum;
use tristan_verdict::{Answer, Deed, OpCard, TxnCard, Verdict};

use super::Page;
use crate::layout::{count, fold};
use crate::markup::escaped;

/// Transactions that are listed, and operations of each.
const MOST_TXNS: usize = 60;
const MOST_OPS: usize = 120;
const LONGEST_OP: usize = 300;
const MOST_ITEMS: usize = 24;

/// The section with all operations, folded.
pub(super) fn operations(page: &mut Page, verdict: &Verdict) {
    let cards = &verdict.transactions;
    if cards.is_empty() {
        return;
    }
    let what = match verdict.answer {
        Answer::Reject { .. } => "needed for the proof",
        _ => "named above",
    };
    let title = format!("All operations of the {} {what}", count(cards.len(), "transaction"));
    page.push(&format!("<details class=\"all\"><summary>{}</summary>", escaped(&title)));
    page.push("<div class=\"cards\">");
    cards.iter().take(MOST_TXNS).for_each(|card| txn(page, card));
    page.push("</div>");
    if let Some(more @ 1..) = cards.len().checked_sub(MOST_TXNS) {
        page.push(&format!("<p class=\"meta\">… and {more} more, in the JSON verdict</p>"));
    }
    page.push("</details>");
}

fn txn(page: &mut Page, card: &TxnCard) {
    let (first, last) = card.lines;
    let error = card.error.as_ref().map(|error| format!(": {}", escaped(&fold(error, 120))));
    page.push(&format!(
        "<section class=\"txn {outcome}\"><h3>{} <span class=\"meta\">session {} · lines \
         {first}–{last} · {outcome}{}</span></h3><ol start=\"0\">",
        escaped(&fold(&card.label, 40)),
        escaped(&fold(&card.session.to_string(), 40)),
        error.unwrap_or_default(),
        outcome = escaped(&card.outcome),
    ));
    card.ops.iter().take(MOST_OPS).for_each(|card| op(page, card));
    page.push("</ol>");
    if let Some(more @ 1..) = card.ops.len().checked_sub(MOST_OPS) {
        page.push(&format!("<p class=\"meta\">… {}</p>", count(more, "more operation")));
    }
    page.push("</section>");
}

fn op(page: &mut Page, card: &OpCard) {
    let line = format!("<span class=\"line\">line {}</span>", card.line);
    match &card.deed {
        Some(Deed::Range { low, high, reverse, to_end, items, more }) => {
            let bounds = [low, high].map(|bound| datum(bound.as_ref()));
            let what = if to_end.is_some() { "iterator" } else { "range read" };
            let turned = if *reverse { " from high to low" } else { "" };
            let mut chips = String::new();
            for (key, value) in items.iter().take(MOST_ITEMS) {
                let chip = fold(&format!("{key} = {value}"), 40);
                chips.push_str(&format!("<span class=\"item\">{}</span>", escaped(&chip)));
            }
            if items.is_empty() {
                chips.push_str("<span class=\"item\">nothing</span>");
            }
            if let more @ 1.. = more + items.len().saturating_sub(MOST_ITEMS) {
                chips.push_str(&format!("<span class=\"item\">{more} more</span>"));
            }
            if *to_end == Some(false) {
                chips.push_str("<span class=\"item\">stopped here</span>");
            }
            page.push(&format!(
                "<li class=\"range\">{line} <i>{what} [{}, {}){turned}</i> {chips}</li>",
                escaped(&bounds[0]),
                escaped(&bounds[1])
            ));
        }
        deed => {
            let void = matches!(deed, Some(Deed::Write { void: true, .. }));
            let class = if void { " class=\"void\" title=\"without effect\"" } else { "" };
            let words = escaped(&fold(&card.text, LONGEST_OP));
            page.push(&format!("<li{class}>{line} {words}</li>"));
        }
    }
}

fn datum(datum: Option<&Datum>) -> String {
    datum.map_or("…".to_owned(), |datum| fold(&datum.to_string(), 40))
}
