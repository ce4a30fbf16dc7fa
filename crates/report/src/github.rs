//! Verdicts as annotations: lines that a GitHub job prints and that then stand beside the files.

use tristan_verdict::{Answer, Verdict};

use crate::layout::fold;
use crate::summary::{headline, sentence, steps};

/// One line per verdict.
pub fn github(verdicts: &[Verdict]) -> String {
    verdicts.iter().map(annotation).collect()
}

fn annotation(verdict: &Verdict) -> String {
    let command = match verdict.answer {
        Answer::Accept { .. } => "notice",
        Answer::Reject { .. } => "error",
        Answer::Unknown { .. } => "warning",
    };
    let mut message = sentence(verdict);
    if !matches!(verdict.answer, Answer::Accept { .. }) {
        message = format!("{message}\n{}", steps(verdict));
    }
    let place = place(verdict).map(u64::from);
    line(command, &verdict.trace.name, place, &headline(verdict), &message)
}

/// One annotation.
pub(crate) fn line(
    command: &str,
    file: &str,
    line: Option<u64>,
    title: &str,
    message: &str,
) -> String {
    let mut properties = vec![format!("file={}", property(&fold(file, 300)))];
    if let Some(line) = line {
        properties.push(format!("line={line}"));
    }
    properties.push(format!("title={}", property(title)));
    format!("::{command} {}::{}\n", properties.join(","), data(message.trim_end()))
}

/// Where the annotation stands: where the last transaction of the proof begins.
fn place(verdict: &Verdict) -> Option<u32> {
    let Answer::Reject { .. } = verdict.answer else { return None };
    verdict.transactions.iter().map(|card| card.lines.0).max().filter(|line| *line > 0)
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
