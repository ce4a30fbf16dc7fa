//! A page about SQL logs.
//!
//! ```text
//!   is it bad?                    the banner
//!   what is wrong with it?        what was observed, beside what would have been right and when
//!   where do these rows come from?   who wrote them
//!   how do I see it myself?       the small log, and a script for a database
//!   can I trust it? now what?     what was taken for granted; how to run it again
//! ```

use tristan_verdict::audit::{
    AuditAnswer, AuditVerdict, AuditWitness, Possibility, ReadPlace, Rejection, Told, WriterCard,
};

use super::next::{LARGEST, download, quoted};
use super::{Frame, Page, SCRIPT};
use crate::audit::words::{self, NO_ORDER, counted, questions, sentence, word};
use crate::layout::fold;
use crate::markup::escaped;

/// Verdicts that are shown in full.
const MOST_REPORTS: usize = 16;
/// Rows of an answer that are shown, and letters of a value.
const MOST_ROWS: usize = 60;
const LONGEST_VALUE: usize = 200;
/// Transactions of an order that are shown at each of its ends.
const MOST_TXNS: usize = 24;
/// Transactions that read elsewhere and are listed.
const MOST_READS: usize = 40;

/// A page about some verdicts, usually one.
pub(crate) fn html(verdicts: &[AuditVerdict], nav: &str) -> String {
    let mut page = Page { out: String::new(), ids: 0 };
    for (number, verdict) in verdicts.iter().enumerate().take(MOST_REPORTS) {
        report(&mut page, verdict, number, verdicts.len() == 1);
    }
    if let Some(more @ 1..) = verdicts.len().checked_sub(MOST_REPORTS) {
        page.push(&format!("<p class=\"meta\">… and {more} more, in the JSON verdicts</p>"));
    }
    let title = match verdicts {
        [only] => format!("{} · {} · {}", word(&only.answer), only.title, only.log.name),
        many => format!("{} verdicts", many.len()),
    };
    Frame { title: &title, nav, script: SCRIPT, ..Frame::default() }.around(&page.out)
}

fn report(page: &mut Page, verdict: &AuditVerdict, number: usize, alone: bool) {
    page.push(&format!("<article id=\"v{number}\">"));
    banner(page, verdict);
    match &verdict.answer {
        AuditAnswer::Reject { rejection } => {
            answers(page, rejection);
            orders(page, rejection);
            writers(page, &rejection.writers);
            reproduction(page, rejection);
        }
        AuditAnswer::Accept { witness } => accept(page, witness),
        AuditAnswer::Unknown { reason, transaction, explained } => {
            unknown(page, reason, *transaction, *explained);
        }
    }
    page.push("<div class=\"two even\">");
    trust(page, verdict);
    next(page, verdict, alone);
    page.push("</div></article>");
}

fn banner(page: &mut Page, verdict: &AuditVerdict) {
    let word = word(&verdict.answer);
    let title = escaped(&verdict.title);
    let level = match &verdict.answer {
        AuditAnswer::Reject { rejection } => {
            format!(
                "not {title} <span class=\"class\">transaction {}</span>",
                rejection.transaction
            )
        }
        _ => title,
    };
    page.push(&format!("<header class=\"banner {}\">", word.to_lowercase()));
    page.push(&format!("<h1><b>{word}</b> {level}</h1>"));
    page.push(&format!("<p class=\"sentence\">{}</p></header>", escaped(&sentence(verdict))));
    let log = &verdict.log;
    let mut parts = vec![
        fold(&log.name, 120),
        counted(log.transactions, "transaction"),
        counted(log.statements, "statement"),
    ];
    if log.unknown > 0 {
        parts.push(format!("{} of unknown outcome", log.unknown));
    }
    if let AuditAnswer::Reject { rejection } = &verdict.answer {
        parts.push(format!("{} explained before it", counted(rejection.prefix, "transaction")));
    }
    page.push(&format!("<p class=\"meta\">{}</p>", escaped(&parts.join(" · "))));
}

/// The statement, what it was answered, and what it should have been.
fn answers(page: &mut Page, rejection: &Rejection) {
    page.heading("Observed, and expected");
    let place = match rejection.statement {
        Some(statement) => format!("T{}, statement {statement}", rejection.transaction),
        None => format!("T{}", rejection.transaction),
    };
    page.push(&format!(
        "<p>{place} <span class=\"line\">line {}</span></p><pre><code>{}</code></pre>",
        rejection.line,
        escaped(&fold(&rejection.sql, 4000))
    ));
    if !rejection.params.is_empty() {
        let params = escaped(&fold(&rejection.params.join(", "), 600));
        page.push(&format!("<p class=\"meta\">with {params}</p>"));
    }
    if let Some(part) = &rejection.part {
        let part = escaped(&fold(part, 300));
        page.push(&format!(
            "<p>Only the part of the answer about {part} is shown. This part alone is wrong.</p>"
        ));
    }
    page.push("<div class=\"answers\">");
    let right: Vec<&Told> = rejection.expected.iter().map(|one| &one.told).collect();
    page.push("<section class=\"answer seen\"><h3>observed</h3>");
    told(page, &rejection.observed, &right);
    page.push("</section>");
    for possibility in &rejection.expected {
        expected(page, possibility, &rejection.observed);
    }
    page.push("</div>");
}

fn expected(page: &mut Page, possibility: &Possibility, observed: &Told) {
    let when = escaped(&fold(&possibility.when, 300));
    page.push(&format!(
        "<section class=\"answer right\"><h3>expected <span class=\"meta\">{when}</span></h3>"
    ));
    told(page, &possibility.told, &[observed]);
    page.push("</section>");
}

/// An answer; rows that some of the others do not have stand out.
fn told(page: &mut Page, answer: &Told, others: &[&Told]) {
    let rows = match answer {
        Told::Rows(rows) if rows.is_empty() => return page.push("<p>no rows</p>"),
        Told::Rows(rows) => rows,
        Told::Affected(rows) => return page.push(&format!("<p>{}</p>", counted(*rows, "row"))),
        Told::Error(code) => {
            return page.push(&format!("<p>error {}</p>", escaped(&fold(code, 200))));
        }
        Told::Done => return page.push("<p>success, without rows</p>"),
    };
    page.push("<div class=\"scroll\"><table class=\"rows\">");
    for (place, row) in rows.iter().enumerate().take(MOST_ROWS) {
        let before = rows[..place].iter().filter(|other| *other == row).count();
        let odd = others.iter().any(|other| copies(other, row) <= before);
        page.push(if odd { "<tr class=\"odd\">" } else { "<tr>" });
        for value in row {
            page.push(&format!("<td>{}</td>", escaped(&fold(value, LONGEST_VALUE))));
        }
        page.push("</tr>");
    }
    page.push("</table></div>");
    if let Some(more @ 1..) = rows.len().checked_sub(MOST_ROWS) {
        page.push(&format!("<p class=\"meta\">… and {}</p>", counted(more as u64, "more row")));
    }
}

/// How often an answer has a row.
fn copies(answer: &Told, row: &[String]) -> usize {
    match answer {
        Told::Rows(rows) => rows.iter().filter(|other| *other == row).count(),
        _ => 0,
    }
}

/// What the mistake is called, and why no order avoids it.
fn orders(page: &mut Page, rejection: &Rejection) {
    let orders = words::orders(rejection);
    let mut reasons = rejection.impossible.iter().chain(&rejection.anomaly).peekable();
    if reasons.peek().is_none() && orders.is_empty() {
        return;
    }
    page.heading("Why it is wrong");
    for reason in reasons {
        page.push(&format!("<p>{}</p>", escaped(&fold(reason, 300))));
    }
    if !orders.is_empty() {
        let lines: String =
            orders.iter().map(|order| format!("<li>{}</li>", escaped(&fold(order, 600)))).collect();
        page.push(&format!("<p>{NO_ORDER}</p><ul>{lines}</ul>"));
    }
}

fn writers(page: &mut Page, writers: &[WriterCard]) {
    if writers.is_empty() {
        return;
    }
    page.heading("Where these rows come from");
    page.push(
        "<div class=\"scroll\"><table class=\"writers\"><tr><th>row</th><th>written by</th></tr>",
    );
    for writer in writers {
        let by = match writer.txn {
            Some(txn) => format!("T{txn} <span class=\"line\">line {}</span>", writer.line),
            None => "the start".to_owned(),
        };
        let row = escaped(&fold(&writer.row, 300));
        page.push(&format!("<tr><td><code>{row}</code></td><td>{by}</td></tr>"));
    }
    page.push("</table></div>");
}

/// The small log, and the script.
fn reproduction(page: &mut Page, rejection: &Rejection) {
    if rejection.shrunk.is_empty() && rejection.script.is_empty() {
        return;
    }
    page.heading("Reproduce it");
    if !rejection.script.is_empty() {
        page.push("<p>Open one session per number and send these statements in this order. Comments show the \
             answers in the log; a correct database answers as expected above.</p>");
        page.push(&format!("<pre><code>{}</code></pre>", escaped(&shortened(&rejection.script))));
    }
    if !rejection.shrunk.is_empty() {
        page.push("<details class=\"all\"><summary>The smallest log that is still wrong</summary>");
        let log = escaped(&shortened(&rejection.shrunk.join("\n")));
        page.push(&format!("<pre><code>{log}</code></pre></details>"));
    }
}

/// The first lines of a text.
fn shortened(text: &str) -> String {
    const MOST_LINES: usize = 120;
    const LONGEST: usize = 2000;
    let lines: Vec<String> =
        text.lines().take(MOST_LINES).map(|line| fold(line, LONGEST)).collect();
    let more = text.lines().count().saturating_sub(MOST_LINES);
    let rest = if more > 0 { format!("\n… ({more} more lines)") } else { String::new() };
    lines.join("\n") + &rest
}

fn accept(page: &mut Page, witness: &AuditWitness) {
    if !witness.order.is_empty() {
        page.heading("An order that explains every answer");
        page.push("<ol class=\"order\">");
        let (first, last) = ends(&witness.order);
        first.iter().for_each(|txn| page.push(&format!("<li>T{txn}</li>")));
        let between = witness.order.len() - first.len() - last.len();
        if between > 0 {
            page.push(&format!("<li class=\"gap\">{between} more</li>"));
        }
        last.iter().for_each(|txn| page.push(&format!("<li>T{txn}</li>")));
        page.push("</ol>");
    }
    elsewhere(page, &witness.reads);
}

/// The first and the last of a list, without its middle if it is long.
fn ends(order: &[u64]) -> (&[u64], &[u64]) {
    match order.len() <= 2 * MOST_TXNS {
        true => (order, &[]),
        false => (&order[..MOST_TXNS], &order[order.len() - MOST_TXNS..]),
    }
}

fn elsewhere(page: &mut Page, reads: &[ReadPlace]) {
    if reads.is_empty() {
        return;
    }
    page.heading("Transactions that read an earlier state than the one they changed");
    page.push("<div class=\"scroll\"><table class=\"writers\">");
    page.push("<tr><th>transaction</th><th>states read (number of commits that each includes)</th><th>other choices</th></tr>");
    for read in reads.iter().take(MOST_READS) {
        let states: Vec<String> = read.states.iter().map(ToString::to_string).collect();
        page.push(&format!(
            "<tr><td>T{}</td><td>{}</td><td>{}</td></tr>",
            read.txn,
            escaped(&fold(&states.join(", "), 120)),
            escaped(&fold(&read.decisions.join("; "), 300))
        ));
    }
    page.push("</table></div>");
    if let Some(more @ 1..) = reads.len().checked_sub(MOST_READS) {
        page.push(&format!("<p class=\"meta\">… and {more} more, in the JSON verdict</p>"));
    }
}

fn unknown(page: &mut Page, reason: &str, transaction: Option<u64>, explained: u64) {
    page.heading("What is undecided");
    page.push("<dl class=\"list\">");
    page.push(&format!("<dt>why</dt><dd>{}</dd>", escaped(&fold(reason, 900))));
    if let Some(txn) = transaction {
        page.push(&format!("<dt>where</dt><dd>transaction {txn}</dd>"));
    }
    let before = counted(explained, "transaction");
    page.push(&format!("<dt>decided</dt><dd>{before} could be explained</dd>"));
    page.push(
        "<dt>exit code</dt><dd>2, unless --unknown-as says otherwise; an unknown verdict is not an \
         accept</dd></dl>",
    );
}

fn trust(page: &mut Page, verdict: &AuditVerdict) {
    page.push("<section>");
    page.heading("Can I trust it?");
    page.push("<dl class=\"list\">");
    for assumption in &verdict.assumptions {
        page.push(&format!(
            "<dt>assumed</dt><dd>{} <span class=\"meta\">{}</span></dd>",
            escaped(&fold(&assumption.what, 300)),
            escaped(&fold(&assumption.status, 200))
        ));
    }
    if verdict.log.questions > 0 {
        let asked = escaped(&questions(verdict.log.questions));
        page.push(&format!("<dt>not compared</dt><dd>{asked}</dd>"));
    }
    for some in verdict.log.unjudged.iter().take(MOST_READS) {
        let some = escaped(&fold(&some.to_string(), 300));
        page.push(&format!("<dt>not judged</dt><dd>{some}</dd>"));
    }
    for warning in verdict.warnings.iter().take(MOST_READS) {
        page.push(&format!("<dt>warning</dt><dd>{}</dd>", escaped(&fold(warning, 300))));
    }
    let evidence = match &verdict.answer {
        AuditAnswer::Accept { .. } => {
            "the witness was replayed statement by statement on plain tables: every answer matches"
        }
        AuditAnswer::Reject { .. } => "no state that the level allows gives this answer",
        AuditAnswer::Unknown { .. } => "none",
    };
    page.push(&format!("<dt>evidence</dt><dd>{evidence}</dd>"));
    let work = format!(
        "executed {}; tracked at most {} at once",
        counted(verdict.log.runs, "statement"),
        counted(verdict.log.worlds, "possible past")
    );
    page.push(&format!("<dt>work</dt><dd>{work}</dd></dl></section>"));
}

fn next(page: &mut Page, verdict: &AuditVerdict, downloads: bool) {
    page.push("<section>");
    page.heading("Next steps");
    let command =
        format!("tristan audit {} --level {}", quoted(&verdict.log.name), quoted(&verdict.level));
    page.push(&format!("<p>Run it again:</p><pre><code>{}</code></pre>", escaped(&command)));
    if downloads {
        page.push("<ul class=\"downloads\">");
        if let AuditAnswer::Reject { rejection } = &verdict.answer {
            let small = rejection.shrunk.join("\n");
            download(
                page,
                "small.jsonl",
                "application/jsonl",
                &small,
                "the smallest rejected log found",
            );
            download(
                page,
                "script.sql",
                "application/sql",
                &rejection.script,
                "SQL that reproduces it",
            );
        }
        if verdict.log.transactions < LARGEST as u64 / 10 {
            let json = verdict.to_json();
            download(page, "verdict.json", "application/json", &json, "the complete verdict");
        }
        page.push("</ul>");
    }
    page.push("</section>");
}
