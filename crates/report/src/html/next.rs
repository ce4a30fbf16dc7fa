//! Next steps: what to download, and how to run it again.

use tristan_formats as formats;
use tristan_script::Dialect;
use tristan_verdict::{Answer, Verdict};

use super::Page;
use crate::markup::{data_uri, escaped};
use crate::picture;
use crate::script::script;

/// Larger files are not put into the page.
pub(super) const LARGEST: usize = 300_000;

/// The section on what to do; with downloads unless there are many reports on the page.
pub(super) fn next(page: &mut Page, verdict: &Verdict, downloads: bool) {
    page.push("<section>");
    page.heading("Next steps");
    let command = escaped(&command(verdict));
    page.push(&format!("<p>Run it again:</p><pre><code>{command}</code></pre>"));
    if downloads {
        page.push("<ul class=\"downloads\">");
        let smallest = verdict.context.smallest.as_deref().unwrap_or_default();
        download(
            page,
            "smallest.jsonl",
            "application/jsonl",
            smallest,
            "the smallest rejected trace found",
        );
        script_for(page, verdict, smallest);
        if matches!(verdict.answer, Answer::Reject { .. }) {
            let svg = picture::svg(std::slice::from_ref(verdict));
            download(page, "anomaly.svg", "image/svg+xml", &svg, "the picture");
        }
        embed_verdict(page, verdict);
        page.push("</ul>");
    }
    if matches!(&verdict.answer, Answer::Reject { refutation, .. } if refutation.bad.is_none()) {
        page.push(HOW_TO_READ);
    }
    page.push("</section>");
}

const HOW_TO_READ: &str = "<p class=\"meta\">How to read a cycle: start at 1 and follow the numbers. Each arrow \
         means “must come before” and gives the observation behind it. The last arrow leads back to where \
         you started, so a transaction would have to precede itself.</p>";

/// A file that the page holds, unless it is empty or too large.
pub(super) fn download(page: &mut Page, file: &str, media: &str, content: &str, words: &str) {
    if content.is_empty() || content.len() > LARGEST {
        return;
    }
    let address = data_uri(media, content);
    page.push(&format!(
        "<li><a download=\"{file}\" href=\"{address}\">{file}</a> <span class=\"meta\">{words}</span></li>"
    ));
}

/// The smallest trace as scripts for terminals, where it can be told in SQL.
fn script_for(page: &mut Page, verdict: &Verdict, smallest: &str) {
    let Ok(history) = formats::read(smallest.as_bytes(), "smallest.jsonl", None) else { return };
    for dialect in Dialect::ALL {
        let file = format!("{}.sql", dialect.name());
        let text = script(verdict, &history, dialect).unwrap_or_default();
        download(page, &file, "application/sql", &text, "SQL to reproduce it in several terminals");
    }
}

fn embed_verdict(page: &mut Page, verdict: &Verdict) {
    // Writing a long one down only to throw it away would take a while.
    let json = if is_long(verdict) { String::new() } else { verdict.to_json() };
    match json.is_empty() || json.len() > LARGEST {
        true => page.push(
            "<li>The JSON verdict is too large for this page; write it with -o json=FILE.</li>",
        ),
        false => {
            download(page, "verdict.json", "application/json", &json, "the complete verdict");
        }
    }
}

/// Whether the JSON of a verdict is certainly longer than what is put into the page.
fn is_long(verdict: &Verdict) -> bool {
    let parts = match &verdict.answer {
        Answer::Accept { witness } => witness.order.len() + witness.sources.len(),
        Answer::Reject { refutation, .. } => {
            refutation.each_case().map(|case| case.conflicts.len()).sum()
        }
        Answer::Unknown { .. } => 0,
    };
    let ops = verdict.transactions.iter().flat_map(|card| &card.ops);
    let letters: usize = ops.map(|op| op.text.len()).sum();
    parts * 10 + letters > LARGEST
}

/// The command that gives this verdict.
pub(crate) fn command(verdict: &Verdict) -> String {
    if let Some(command) = &verdict.context.command {
        return command.clone();
    }
    let mut command =
        format!("tristan check {} --level {}", quoted(&verdict.trace.name), quoted(&verdict.level));
    for (flag, value) in
        [("--semantics", &verdict.semantics), ("--own-writes", &verdict.own_writes)]
    {
        if let Some(value) = value {
            command.push_str(&format!(" {flag} {}", quoted(value)));
        }
    }
    command
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./:@%+=,".contains(letter);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
