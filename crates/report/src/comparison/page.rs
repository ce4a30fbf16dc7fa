//! Comparisons as pages: what is proved, and the histories that say no, drawn.

use super::figure::figure;
use super::{Comparison, ComparisonAnswer, LevelReason, Separation, told};
use crate::layout::fold;
use crate::markup::escaped;
use crate::page::Frame;

/// What `find` has to tell.
#[derive(Clone, Copy, Debug)]
pub struct Find<'a> {
    /// What was asked.
    pub question: &'a str,
    /// The histories, smallest first.
    pub histories: &'a [Separation],
    /// Whether there are more, and why the search ended.
    pub ending: &'a str,
}

/// The page of a comparison.
pub fn html(comparison: &Comparison) -> String {
    let Comparison { one, other, forward, backward } = comparison;
    let headline = comparison.headline();
    let tone = if comparison.word() == "unknown" { "unknown" } else { "accept" };
    let mut out =
        format!("<header class=\"banner {tone}\"><h1>{}</h1></header>\n", escaped(&headline));
    direction(&mut out, one, other, forward);
    direction(&mut out, other, one, backward);
    out.push_str(NOTATION);
    Frame { title: headline.trim_end_matches('.'), ..Frame::default() }.around(&out)
}

/// The page of a search.
pub fn find(found: &Find<'_>) -> String {
    let tone = if found.histories.is_empty() { "unknown" } else { "accept" };
    let number = found.histories.len();
    let title = match number {
        1 => "1 history".to_owned(),
        number => format!("{number} histories"),
    };
    let mut out = format!(
        "<header class=\"banner {tone}\"><h1>{title} for <code>{}</code></h1>\
         <p class=\"sentence\">{}</p></header>\n",
        escaped(&fold(found.question, 200)),
        escaped(found.ending)
    );
    for (place, separation) in (1..).zip(found.histories) {
        out.push_str(&format!(
            "<article id=\"h{place}\"><h2>{place}. {}</h2>\n",
            escaped(&separation.size)
        ));
        history(&mut out, separation);
        out.push_str("</article>\n");
    }
    if number > 0 {
        out.push_str(NOTATION);
    }
    let title = format!("{} · {title}", found.question);
    Frame { title: &title, ..Frame::default() }.around(&out)
}

const NOTATION: &str = "<p class=\"meta\">A version is named after its writer: “read x from T2” returned what \
    T2 wrote; “initial” is the state before the first transaction. An arrow means “must come before”. Follow \
    the numbers: the last arrow leads back to where you started.</p>\n";

fn direction(out: &mut String, one: &str, other: &str, answer: &ComparisonAnswer) {
    let (word, sentence) = told(one, other, answer);
    let tone = match answer {
        ComparisonAnswer::Proved(_) => "accept",
        ComparisonAnswer::Refuted(_) => "reject",
        ComparisonAnswer::NoneFound(_) | ComparisonAnswer::Open(_) => "unknown",
    };
    out.push_str(&format!(
        "<section class=\"direction\"><h2 class=\"verdict {tone}\"><b>{word}</b> {}</h2>\n",
        escaped(&sentence)
    ));
    match answer {
        ComparisonAnswer::Proved(lines) => {
            out.push_str(&format!("<pre>{}</pre>\n", escaped(&lines.join("\n"))));
        }
        ComparisonAnswer::Refuted(separation) => history(out, separation),
        ComparisonAnswer::NoneFound(_) | ComparisonAnswer::Open(_) => {}
    }
    out.push_str("</section>\n");
}

/// A history: drawn on the left, who allows and who forbids it on the right.
fn history(out: &mut String, separation: &Separation) {
    out.push_str("<div class=\"two\"><section class=\"picture\">\n");
    let mut steps = separation.forbidden.iter().map(|reason| reason.steps.as_slice());
    let steps = steps.find(|steps| !steps.is_empty()).unwrap_or_default();
    let drawing = figure(separation, steps).draw();
    out.push_str(&drawing.markup("the history"));
    if let Some(clock) = &separation.clock {
        out.push_str(&format!("<p class=\"clock\">Clock: {}</p>\n", escaped(clock)));
    }
    out.push_str("</section><section class=\"why\">\n");
    for (verb, tone, reasons) in
        [("allows", "accept", &separation.allowed), ("forbids", "reject", &separation.forbidden)]
    {
        reasons.iter().for_each(|reason| told_by(out, verb, tone, reason));
    }
    out.push_str(&format!(
        "<p class=\"meta\">In one line: <code>{}</code></p></section></div>\n",
        escaped(&separation.line)
    ));
}

fn told_by(out: &mut String, verb: &str, tone: &str, reason: &LevelReason) {
    out.push_str(&format!(
        "<h3 class=\"verdict {tone}\"><b>{}</b> {verb} it</h3>\n",
        escaped(&fold(&reason.level, 80))
    ));
    if reason.lines.is_empty() {
        return;
    }
    let lines = reason.lines.iter().map(|line| escaped(line)).collect::<Vec<_>>();
    out.push_str(&format!("<pre>{}</pre>\n", lines.join("\n")));
}
