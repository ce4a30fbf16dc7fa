//! The list: everything below the folder, filtered, with a choice of two to compare.

use std::collections::BTreeSet;

use tristan_report::page::{Frame, count, escaped, fold};

use super::filter::Filter;
use super::when::{instant, size};
use super::{STYLE, Site, address, check, groups};
use crate::folder::{Entry, Kind, Summary};
use crate::http::{Query, Response, encoded};
use crate::sql_log;

/// Lines on a page.
const PAGE: usize = 100;

/// The page with the list.
pub(super) fn page(site: &Site, query: &Query) -> Response {
    let entries = site.folder().entries();
    let filter = Filter::of(query);
    let mut shown: Vec<&Entry> = entries.iter().filter(|entry| filter.takes(entry)).collect();
    // The newest first; those of one instant by name.
    shown.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.name.cmp(&b.name)));
    let mut out = String::from("<h1>Verdicts and traces</h1>\n");
    filters(&mut out, &entries, &filter);
    groups::table(&mut out, &shown);
    lines(&mut out, &shown, query);
    if filter.is_open() {
        out.push_str("<section><h2 id=\"check\">Check a trace</h2>\n");
        check::form(&mut out, None, site);
        out.push_str("</section>\n");
    }
    let frame = Frame {
        title: "Verdicts and traces",
        style: STYLE,
        script: check::SCRIPT,
        forms: true,
        ..Frame::default()
    };
    Response::page(frame.around(&out))
}

fn filters(out: &mut String, entries: &[Entry], filter: &Filter<'_>) {
    out.push_str("<form class=\"filters\" method=\"get\" action=\"/\">\n");
    let words = ["reject", "accept", "unknown", "trace", "SQL log", "broken"];
    let there = words.into_iter().filter(|word| entries.iter().any(|entry| entry.word() == *word));
    select(out, "verdict", "any verdict", there, filter.verdict);
    let levels: BTreeSet<&str> =
        entries.iter().filter_map(Entry::summary).map(|own| own.level.as_str()).collect();
    select(out, "level", "any level", levels.into_iter(), filter.level);
    for (name, label, value) in [("name", "file name", filter.name), ("q", "any text", filter.text)]
    {
        out.push_str(&format!(
            "<label>{label} <input type=\"search\" name=\"{name}\" value=\"{}\"></label>\n",
            escaped(value.unwrap_or_default())
        ));
    }
    if let Some(print) = filter.print {
        let print = escaped(print);
        out.push_str(&format!(
            "<label>fingerprint <input type=\"search\" name=\"print\" value=\"{print}\"></label>\n"
        ));
    }
    out.push_str("<button>Filter</button>");
    if !filter.is_open() {
        out.push_str(" <a href=\"/\">show all</a>");
    }
    out.push_str("\n</form>\n");
}

fn select<'a>(
    out: &mut String,
    name: &str,
    any: &str,
    choices: impl Iterator<Item = &'a str>,
    chosen: Option<&str>,
) {
    out.push_str(&format!(
        "<label>{name} <select name=\"{name}\"><option value=\"\">{any}</option>"
    ));
    for choice in choices {
        let selected = if chosen == Some(choice) { " selected" } else { "" };
        let choice = escaped(choice);
        out.push_str(&format!("<option value=\"{choice}\"{selected}>{choice}</option>"));
    }
    out.push_str("</select></label>\n");
}

fn lines(out: &mut String, shown: &[&Entry], query: &Query) {
    let pages = shown.len().div_ceil(PAGE).max(1);
    let wanted = query.get("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let page = wanted.clamp(1, pages);
    out.push_str("<form class=\"entries\" method=\"get\" action=\"/compare\">\n");
    let number = match shown.len() {
        1 => "1 entry".to_owned(),
        number => format!("{number} entries"),
    };
    out.push_str(&format!("<h2>{number}</h2>\n"));
    if shown.is_empty() {
        out.push_str("<p>No file matches. <code>-o json=FILE</code> writes verdicts.</p></form>\n");
        return;
    }
    out.push_str(
        "<table class=\"list\"><thead><tr><th>A</th><th>B</th><th>verdict</th><th>level</th>",
    );
    out.push_str("<th>anomaly</th><th>file</th><th>when (UTC)</th></tr></thead><tbody>\n");
    for entry in shown.iter().skip((page - 1) * PAGE).take(PAGE) {
        line(out, entry);
    }
    out.push_str("</tbody></table>\n");
    turn(out, query, page, pages);
    if shown.iter().filter(|entry| matches!(entry.kind, Kind::Verdict(_))).count() > 1 {
        out.push_str("<p class=\"go\"><button>Compare A and B</button></p>\n");
    }
    out.push_str("</form>\n");
}

/// The ways to the pages before and after.
fn turn(out: &mut String, query: &Query, page: usize, pages: usize) {
    if pages == 1 {
        return;
    }
    let link = |page: usize, words: &str| {
        let address = escaped(&query.with("page", &page.to_string()));
        format!("<a href=\"/?{address}\">{words}</a> ")
    };
    out.push_str("<p class=\"turn\">");
    if page > 1 {
        out.push_str(&link(page - 1, "← newer"));
    }
    out.push_str(&format!("page {page} of {pages} "));
    if page < pages {
        out.push_str(&link(page + 1, "older →"));
    }
    out.push_str("</p>\n");
}

fn line(out: &mut String, entry: &Entry) {
    let class = entry.word().to_lowercase().replace(' ', "-");
    out.push_str(&format!("<tr class=\"{class}\">"));
    match &entry.kind {
        Kind::Verdict(summary) => {
            sides(out, entry);
            verdict(out, summary);
        }
        Kind::Audit(summary) => {
            out.push_str("<td></td><td></td>");
            verdict(out, summary);
        }
        Kind::Trace => {
            let address = format!("/check?file={}", encoded(&entry.name));
            out.push_str(&format!(
                "<td></td><td></td><td data-of=\"verdict\"><b>trace</b></td><td></td>\
                 <td data-of=\"\"><a href=\"{address}\">check it</a></td>"
            ));
        }
        Kind::SqlLog => out.push_str(&format!(
            "<td></td><td></td><td data-of=\"verdict\"><b>SQL log</b></td><td></td>\
             <td data-of=\"\">{}</td>",
            escaped(&fold(&sql_log::advice(&entry.name), 240))
        )),
        Kind::Broken(why) => out.push_str(&format!(
            "<td></td><td></td><td data-of=\"verdict\"><b>broken</b></td><td></td>\
             <td data-of=\"why\">{}</td>",
            escaped(&fold(why, 120))
        )),
    }
    let place = if entry.number > 0 { format!(" #{}", entry.number + 1) } else { String::new() };
    let name = escaped(&fold(&entry.name, 100));
    let name = match entry.kind {
        Kind::Verdict(_) | Kind::Audit(_) => {
            format!("<a href=\"{}\">{name}{place}</a>", escaped(&address(entry)))
        }
        Kind::Trace | Kind::SqlLog | Kind::Broken(_) => name,
    };
    out.push_str(&format!(
        "<td data-of=\"file\">{name} <span class=\"meta\">{}</span></td>\
         <td data-of=\"when\" class=\"when\">{}</td></tr>\n",
        size(entry.size),
        instant(entry.modified)
    ));
}

/// The choice of a verdict as one of two to compare.
fn sides(out: &mut String, entry: &Entry) {
    let value = escaped(&format!("{}:{}", entry.number, entry.name));
    for side in ["a", "b"] {
        let title = side.to_uppercase();
        out.push_str(&format!(
            "<td data-of=\"{title}\"><input type=\"radio\" name=\"{side}\" value=\"{value}\" \
             aria-label=\"compare as {title}\"></td>"
        ));
    }
}

fn verdict(out: &mut String, summary: &Summary) {
    out.push_str(&format!(
        "<td data-of=\"verdict\"><b>{}</b></td><td data-of=\"level\">{}</td>",
        summary.word,
        escaped(&fold(&summary.level, 60))
    ));
    out.push_str(&format!("<td data-of=\"anomaly\">{}</td>", anomaly(summary)));
}

fn anomaly(summary: &Summary) -> String {
    let Some((class, title)) = &summary.anomaly else {
        return format!(
            "<span class=\"meta\">{}</span>",
            count(summary.transactions, "transaction")
        );
    };
    let title = title.as_ref().map(|title| format!(" ({title})")).unwrap_or_default();
    let print = summary.print.as_ref().map(|print| {
        let code = escaped(&print.code);
        format!(" <a class=\"print\" href=\"/?print={code}\"><code>{code}</code></a>")
    });
    let words = escaped(&fold(&format!("{class}{title}"), 80));
    format!(
        "<span title=\"{}\">{words}</span>{}",
        escaped(&fold(&summary.sentence, 300)),
        print.unwrap_or_default()
    )
}
