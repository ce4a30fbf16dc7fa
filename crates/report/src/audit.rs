//! Verdicts about SQL logs: for the terminal here, for browsers in `html/audit.rs`, for build servers
//! in `audit/build.rs`.

mod build;
pub(crate) mod words;

pub use build::{github, junit, markdown};
pub use words::sentence;

use std::fmt::Write as _;

use tristan_verdict::audit::{
    AuditAnswer, AuditVerdict, AuditWitness, LogSummary, Possibility, Rejection,
};

use crate::Style;
use crate::layout::{Colour, count, fold, paint, paragraph};
use words::{NO_ORDER, counted, orders, questions, told, word};

/// Transactions of an order that are shown; longer orders lose their middle.
const MOST_TXNS: usize = 10;
/// Reasons for not judging statements that are shown.
const MOST_REASONS: usize = 5;

/// The verdict as text that ends with a line break.
pub fn text(verdict: &AuditVerdict, style: Style) -> String {
    let mut out = first_line(verdict, style);
    unjudged(&mut out, style, &verdict.log);
    match &verdict.answer {
        AuditAnswer::Accept { witness } => accept(&mut out, style, verdict, witness),
        AuditAnswer::Reject { rejection } => reject(&mut out, style, rejection),
        AuditAnswer::Unknown { reason, transaction, explained } => {
            let place = transaction.map(|txn| format!(" (transaction {txn})")).unwrap_or_default();
            let reason = format!("not decided: {}{place}", fold(reason, 400));
            paragraph(&mut out, style, "  ", &reason);
            let done = format!("{} could be explained", counted(*explained, "transaction"));
            paragraph(&mut out, style, "  ", &done);
        }
    }
    for warning in &verdict.warnings {
        paragraph(&mut out, style, "  ", &format!("warning: {warning}"));
    }
    if !verdict.assumptions.is_empty() {
        let given = verdict.assumptions.iter().map(|a| format!("{} ({})", a.what, a.status));
        let given: Vec<String> = given.collect();
        paragraph(&mut out, style, "  ", &format!("assumed: {}", given.join("; ")));
    }
    out
}

/// The verdict as JSON text.
pub fn json(verdict: &AuditVerdict) -> String {
    verdict.to_json() + "\n"
}

/// A page for the browser about some verdicts, usually one.
pub fn html(verdicts: &[AuditVerdict]) -> String {
    html_among(verdicts, "")
}

/// The same among other pages: `nav` is markup with the ways to them.
pub fn html_among(verdicts: &[AuditVerdict], nav: &str) -> String {
    crate::html::audit::html(verdicts, nav)
}

fn first_line(verdict: &AuditVerdict, style: Style) -> String {
    let word = word(&verdict.answer);
    let colour = match verdict.answer {
        AuditAnswer::Accept { .. } => Colour::Good,
        AuditAnswer::Reject { .. } => Colour::Bad,
        AuditAnswer::Unknown { .. } => Colour::Open,
    };
    let log = &verdict.log;
    let size =
        format!("{} · {}", counted(log.transactions, "txn"), counted(log.statements, "statement"));
    format!(
        "{}   {}   {}   {}\n",
        fold(&log.name, 60),
        paint(style, colour, word),
        verdict.title,
        paint(style, Colour::Faint, &size),
    )
}

/// What was left out, before anything else is said.
fn unjudged(out: &mut String, style: Style, log: &LogSummary) {
    let all = &log.unjudged;
    if log.partly > 0 {
        let all = log.committed + log.unknown;
        let whole = all.saturating_sub(log.partly);
        let text = format!("audited {whole} of {} in full", counted(all, "transaction"));
        paragraph(out, style, "  ", &text);
    }
    if log.questions > 0 {
        paragraph(out, style, "  ", &questions(log.questions));
    }
    for some in all.iter().take(MOST_REASONS) {
        paragraph(out, style, "  ", &format!("not judged: {}", fold(&some.to_string(), 200)));
    }
    let rest: u64 = all.iter().skip(MOST_REASONS).map(|some| some.statements).sum();
    if rest > 0 {
        paragraph(
            out,
            style,
            "  ",
            &format!("not judged: {rest} more statements, for other reasons"),
        );
    }
}

fn accept(out: &mut String, style: Style, verdict: &AuditVerdict, witness: &AuditWitness) {
    let order = &witness.order;
    let answers = match verdict.log.unjudged.is_empty() && verdict.log.questions == 0 {
        true => "every answer",
        false => "every answer that was judged",
    };
    if let Some(pieces) = verdict.log.pieces {
        let pieces = counted(pieces, "piece");
        let text =
            format!("judged in {pieces}; their orders, one after the other, explain {answers}");
        paragraph(out, style, "  ", &text);
    } else if order.is_empty() {
        let text = format!("no transaction changed anything; {answers} is correct");
        paragraph(out, style, "  ", &text);
    } else {
        let text = format!("this order explains {answers}: {}", shown(order));
        paragraph(out, style, "  ", &text);
    }
    let elsewhere = witness.reads.len();
    if elsewhere > 0 {
        let (whose, them) = match elsewhere {
            1 => ("it", "it"),
            _ => ("they", "them"),
        };
        let text = format!(
            "{} read an earlier state than the one {whose} changed, or had no effect; -o json=FILE lists {them}",
            count(elsewhere, "transaction")
        );
        paragraph(out, style, "  ", &text);
    }
    if verdict.log.unknown > 0 {
        let has = if verdict.log.unknown == 1 { "has" } else { "have" };
        let text =
            format!("{} {has} an unknown outcome", counted(verdict.log.unknown, "transaction"));
        paragraph(out, style, "  ", &text);
    }
    paragraph(
        out,
        style,
        "  ",
        "replayed statement by statement on plain tables: every answer matches",
    );
}

/// The numbers of transactions, the middle left out when there are many.
fn shown(order: &[u64]) -> String {
    let name = |txn: &u64| format!("T{txn}");
    if order.len() <= MOST_TXNS {
        return order.iter().map(name).collect::<Vec<_>>().join(" ");
    }
    let half = MOST_TXNS / 2;
    let first: Vec<String> = order[..half].iter().map(name).collect();
    let last: Vec<String> = order[order.len() - half..].iter().map(name).collect();
    format!("{} … ({} more) … {}", first.join(" "), order.len() - 2 * half, last.join(" "))
}

fn reject(out: &mut String, style: Style, rejection: &Rejection) {
    paragraph(out, style, "  ", &rejection.sentence);
    for line in details(rejection) {
        paragraph(out, style, "    ", &line);
    }
    for why in rejection.impossible.iter().chain(&rejection.anomaly) {
        paragraph(out, style, "  ", why);
    }
    let orders = orders(rejection);
    if !orders.is_empty() {
        paragraph(out, style, "  ", NO_ORDER);
    }
    for line in orders {
        paragraph(out, style, "    ", &line);
    }
    let before = format!("{} explained before it", counted(rejection.prefix, "transaction"));
    paragraph(out, style, "  ", &before);
    script(out, style, rejection);
}

/// The statement, what was observed, what would have been right, and who wrote the rows.
fn details(rejection: &Rejection) -> Vec<String> {
    let place = match rejection.statement {
        Some(statement) => {
            format!("T{} (line {}), statement {statement}: ", rejection.transaction, rejection.line)
        }
        None => format!("T{} (line {}): ", rejection.transaction, rejection.line),
    };
    let mut lines = vec![format!("{place}{}", fold(&rejection.sql, 300))];
    if !rejection.params.is_empty() {
        lines.push(format!("with {}", fold(&rejection.params.join(", "), 200)));
    }
    lines.extend(rejection.part.iter().map(|part| format!("of {}:", fold(part, 200))));
    lines.push(format!("observed  {}", told(&rejection.observed)));
    lines.extend(rejection.expected.iter().map(|one| format!("expected  {}", expected(one))));
    lines.extend(rejection.writers.iter().map(|writer| {
        let by = match writer.txn {
            Some(txn) => format!("T{txn} (line {})", writer.line),
            None => "the start".to_owned(),
        };
        format!("{} is from {by}", fold(&writer.row, 120))
    }));
    lines
}

fn expected(possibility: &Possibility) -> String {
    format!("{}  {}", told(&possibility.told), possibility.when)
}

/// The script, if there is one and it is short.
fn script(out: &mut String, style: Style, rejection: &Rejection) {
    const MOST_LINES: usize = 30;
    if rejection.script.is_empty() {
        return;
    }
    paragraph(out, style, "  ", "to reproduce it on a database:");
    let lines: Vec<&str> = rejection.script.lines().collect();
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(out, "    {}", fold(line, 200));
    }
    if lines.len() > MOST_LINES {
        let _ = writeln!(out, "    … ({} more lines with -o json=FILE)", lines.len() - MOST_LINES);
    }
}

#[cfg(test)]
mod tests {
    use tristan_verdict::audit::{AUDIT_SCHEMA_VERSION, LogSummary, Told, WriterCard};

    use super::*;

    fn verdict(answer: AuditAnswer) -> AuditVerdict {
        AuditVerdict {
            schema: AUDIT_SCHEMA_VERSION.to_owned(),
            level: "ssi".to_owned(),
            title: "strong snapshot isolation".to_owned(),
            log: LogSummary {
                name: "bank.jsonl".to_owned(),
                transactions: 3,
                statements: 5,
                ..LogSummary::default()
            },
            answer,
            assumptions: Vec::new(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn a_rejection_shows_what_was_observed_and_what_was_expected() {
        let rejection = Rejection {
            sentence: "Statement 1 of transaction 4 was answered wrongly.".to_owned(),
            transaction: 4,
            line: 9,
            prefix: 2,
            statement: Some(1),
            sql: "SELECT balance FROM accounts WHERE acc_id = $1".to_owned(),
            params: vec!["2".to_owned()],
            part: None,
            observed: Told::Rows(vec![vec!["420.00".to_owned()]]),
            expected: vec![Possibility {
                when: "if it read the state after transaction 2".to_owned(),
                told: Told::Rows(vec![vec!["410.00".to_owned()]]),
            }],
            writers: vec![WriterCard {
                txn: Some(2),
                line: 5,
                row: "accounts (2, 410.00)".to_owned(),
            }],
            impossible: None,
            anomaly: None,
            orders: Vec::new(),
            shrunk: Vec::new(),
            script: "BEGIN;\nCOMMIT;\n".to_owned(),
        };
        let text = text(
            &verdict(AuditAnswer::Reject { rejection: Box::new(rejection) }),
            Style::default(),
        );
        let expected = "\
bank.jsonl   REJECT   strong snapshot isolation   3 txns · 5 statements
  Statement 1 of transaction 4 was answered wrongly.
    T4 (line 9), statement 1: SELECT balance FROM accounts WHERE acc_id = $1
    with 2
    observed (420.00)
    expected (410.00) if it read the state after transaction 2
    accounts (2, 410.00) is from T2 (line 5)
  2 transactions explained before it
  to reproduce it on a database:
    BEGIN;
    COMMIT;
";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_accept_shows_an_order() {
        let witness = AuditWitness { order: (1..=20).collect(), reads: Vec::new() };
        let text = text(&verdict(AuditAnswer::Accept { witness }), Style::default());
        assert!(text.contains("T1 T2 T3 T4 T5 … (10 more) … T16 T17 T18 T19 T20"), "{text}");
    }

    #[test]
    fn an_unknown_says_why() {
        let answer = AuditAnswer::Unknown {
            reason: "LATERAL is not supported: select 1".to_owned(),
            transaction: Some(7),
            explained: 6,
        };
        let text = text(&verdict(answer), Style::default());
        assert!(
            text.contains("not decided: LATERAL is not supported: select 1 (transaction 7)"),
            "{text}"
        );
        assert!(text.contains("6 transactions could be explained"), "{text}");
    }

    #[test]
    fn questions_are_counted_before_the_answer() {
        let mut verdict = verdict(AuditAnswer::Accept { witness: AuditWitness::default() });
        verdict.log.questions = 12;
        let said = text(&verdict, Style::default());
        let counted = "12 questions about the schema or the session were not compared";
        assert!(said.lines().nth(1).is_some_and(|line| line.trim() == counted), "{said}");
        assert!(said.contains("every answer that was judged"), "{said}");
    }
}
