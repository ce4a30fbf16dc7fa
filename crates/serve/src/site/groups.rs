//! Same bug as yesterday? Rejections that have the same fingerprint, counted.

use std::collections::BTreeMap;

use tristan_report::Fingerprint;
use tristan_report::page::{escaped, fold};

use super::when::instant;
use crate::folder::Entry;

/// Of many groups only so many are shown.
const MOST: usize = 30;

/// Rejections that look alike.
struct Group<'e> {
    print: &'e Fingerprint,
    title: Option<&'e str>,
    verdicts: usize,
    first: u64,
    last: u64,
}

/// The table of groups, the one that was seen last first.
pub(super) fn table(out: &mut String, entries: &[&Entry]) {
    let groups = groups(entries);
    if groups.is_empty() {
        return;
    }
    out.push_str("<section class=\"groups\"><h2>Anomalies, by fingerprint</h2>\n");
    out.push_str(
        "<p class=\"meta\">Each line groups rejections that differ only in names and values.</p>\n",
    );
    out.push_str(
        "<table class=\"list\"><thead><tr><th>fingerprint</th><th>anomaly</th><th>shape</th>",
    );
    out.push_str("<th>verdicts</th><th>seen (UTC)</th></tr></thead><tbody>\n");
    for group in groups.iter().take(MOST) {
        row(out, group);
    }
    out.push_str("</tbody></table>\n");
    if let Some(more @ 1..) = groups.len().checked_sub(MOST) {
        out.push_str(&format!("<p class=\"meta\">… and {more} more</p>\n"));
    }
    out.push_str("</section>\n");
}

fn groups<'e>(entries: &[&'e Entry]) -> Vec<Group<'e>> {
    let mut groups: BTreeMap<&str, Group<'e>> = BTreeMap::new();
    for entry in entries {
        let Some(summary) = entry.summary() else { continue };
        let Some(print) = &summary.print else { continue };
        let title = summary.anomaly.as_ref().and_then(|(_, title)| title.as_deref());
        let (first, last) = (entry.modified, entry.modified);
        let new = Group { print, title, verdicts: 0, first, last };
        let group = groups.entry(&print.code).or_insert(new);
        group.verdicts += 1;
        group.first = group.first.min(first);
        group.last = group.last.max(last);
    }
    let mut groups: Vec<Group<'e>> = groups.into_values().collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.last), group.print));
    groups
}

fn row(out: &mut String, group: &Group<'_>) {
    let code = escaped(&group.print.code);
    let title = group.title.map(|title| format!(" ({title})")).unwrap_or_default();
    let seen = match group.first == group.last {
        true => instant(group.last),
        false => format!("{} – {}", instant(group.first), instant(group.last)),
    };
    out.push_str(&format!(
        "<tr><td data-of=\"fingerprint\"><a href=\"/?print={code}\"><code>{code}</code></a></td>\
         <td data-of=\"anomaly\">{}</td><td data-of=\"shape\"><code>{}</code></td>\
         <td data-of=\"verdicts\">{}</td><td data-of=\"seen\">{seen}</td></tr>\n",
        escaped(&fold(&format!("{}{title}", group.print.class), 80)),
        escaped(&fold(&group.print.shape, 120)),
        group.verdicts,
    ));
}
