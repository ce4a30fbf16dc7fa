//! Verdicts about SQL logs for build servers: JUnit XML, annotations of GitHub, Markdown.

use std::fmt::Write as _;

use tristan_verdict::audit::{AuditAnswer, AuditVerdict};

use super::details;
use super::words::{counted, sentence, word};
use crate::github::line as annotation;
use crate::layout::fold;
use crate::markdown::{fenced, plain};
use crate::markup::escaped;

/// One document about all verdicts: a suite per log, with one case. A reject is a failure, an
/// unknown an error.
pub fn junit(verdicts: &[AuditVerdict]) -> String {
    let count = |is: fn(&AuditAnswer) -> bool| verdicts.iter().filter(|v| is(&v.answer)).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"tristan\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
        verdicts.len(),
        count(|answer| matches!(answer, AuditAnswer::Reject { .. })),
        count(|answer| matches!(answer, AuditAnswer::Unknown { .. }))
    );
    for verdict in verdicts {
        let name = escaped(&fold(&verdict.log.name, 200));
        let (failures, errors, inside) = match &verdict.answer {
            AuditAnswer::Accept { .. } => (0, 0, String::new()),
            AuditAnswer::Reject { .. } => (1, 0, outcome("failure", verdict)),
            AuditAnswer::Unknown { .. } => (0, 1, outcome("error", verdict)),
        };
        let level = escaped(&verdict.level);
        let _ = write!(
            out,
            "  <testsuite name=\"{name}\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" \
             skipped=\"0\" time=\"0\">\n    <testcase classname=\"{name}\" name=\"audit {level}\" \
             time=\"0\">{inside}</testcase>\n  </testsuite>\n"
        );
    }
    out.push_str("</testsuites>\n");
    out
}

fn outcome(element: &str, verdict: &AuditVerdict) -> String {
    let message = escaped(&sentence(verdict));
    let words = escaped(&steps(verdict));
    format!("\n      <{element} type=\"audit\" message=\"{message}\">{words}</{element}>\n    ")
}

/// One annotation per verdict, which stands beside the line of the log.
pub fn github(verdicts: &[AuditVerdict]) -> String {
    let one = |verdict: &AuditVerdict| {
        let (command, line) = match &verdict.answer {
            AuditAnswer::Accept { .. } => ("notice", None),
            AuditAnswer::Reject { rejection } => ("error", Some(rejection.line)),
            AuditAnswer::Unknown { .. } => ("warning", None),
        };
        let title = format!("{} {}", word(&verdict.answer), verdict.title);
        let message = format!("{}\n{}", sentence(verdict), steps(verdict));
        annotation(command, &verdict.log.name, line, &title, &message)
    };
    verdicts.iter().map(one).collect()
}

/// A table of all verdicts, then those that are no accepts.
pub fn markdown(verdicts: &[AuditVerdict]) -> String {
    let mut out = String::from("## SQL results\n\n| | level | log | size |\n|---|---|---|---|\n");
    for verdict in verdicts {
        let sign = match verdict.answer {
            AuditAnswer::Accept { .. } => "✅",
            AuditAnswer::Reject { .. } => "❌",
            AuditAnswer::Unknown { .. } => "❔",
        };
        let _ = writeln!(
            out,
            "| {sign} {} | {} | {} | {} |",
            word(&verdict.answer),
            plain(&verdict.title),
            plain(&fold(&verdict.log.name, 80)),
            counted(verdict.log.transactions, "transaction")
        );
    }
    for verdict in verdicts {
        if matches!(verdict.answer, AuditAnswer::Accept { .. }) {
            continue;
        }
        let name = plain(&fold(&verdict.log.name, 80));
        let words = plain(&sentence(verdict));
        let _ = write!(out, "\n### {} {name}\n\n{words}\n", word(&verdict.answer));
        if let AuditAnswer::Reject { rejection } = &verdict.answer {
            let _ = write!(out, "\n```text\n{}```\n", fenced(&steps(verdict)));
            if !rejection.script.is_empty() {
                let _ = write!(out, "\n```sql\n{}```\n", fenced(&rejection.script));
            }
        }
    }
    out
}

/// What there is to say about a rejection, line by line.
fn steps(verdict: &AuditVerdict) -> String {
    match &verdict.answer {
        AuditAnswer::Reject { rejection } => details(rejection).join("\n") + "\n",
        _ => String::new(),
    }
}
