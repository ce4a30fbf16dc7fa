//! A comparison for the terminal.

use std::fmt::Write as _;

use super::{Comparison, ComparisonAnswer, Separation, told};
use crate::Style;
use crate::layout::{Colour, pad, paint, paragraph, width};

/// The page of a comparison.
pub fn text(comparison: &Comparison, style: Style) -> String {
    let Comparison { one, other, forward, backward } = comparison;
    let mut out = String::new();
    paragraph(&mut out, style, "", &comparison.headline());
    direction(&mut out, style, one, other, forward);
    direction(&mut out, style, other, one, backward);
    out
}

fn direction(out: &mut String, style: Style, one: &str, other: &str, answer: &ComparisonAnswer) {
    out.push('\n');
    let (word, rest) = told(one, other, answer);
    let colour = match answer {
        ComparisonAnswer::Proved(_) => Colour::Good,
        ComparisonAnswer::Refuted(_) => Colour::Bad,
        ComparisonAnswer::NoneFound(_) | ComparisonAnswer::Open(_) => Colour::Open,
    };
    // Colours take no room, so the plain word decides where the text stands.
    let mut plain = String::new();
    paragraph(&mut plain, style, &format!("{word}  "), &rest);
    out.push_str(&plain.replacen(word, &paint(style, colour, word), 1));
    match answer {
        ComparisonAnswer::Proved(lines) => {
            lines.iter().for_each(|line| paragraph(out, style, "  ", line));
        }
        ComparisonAnswer::Refuted(separation) => history(out, style, separation),
        ComparisonAnswer::NoneFound(_) | ComparisonAnswer::Open(_) => {}
    }
}

/// A history with the levels that allow and forbid it.
pub fn history(out: &mut String, style: Style, separation: &Separation) {
    let names = separation.sessions.iter().flatten().map(|(name, _)| width(name));
    let widest = names.max().unwrap_or(0);
    for (place, session) in separation.sessions.iter().enumerate() {
        let mut first = format!("  session {}  ", place + 1);
        for (name, ops) in session {
            let _ = writeln!(out, "{first}{}  {ops}", pad(name, widest));
            first = " ".repeat(width(&first));
        }
    }
    if let Some(clock) = &separation.clock {
        paragraph(out, style, "  clock      ", clock);
    }
    for (verb, reasons) in [("allows", &separation.allowed), ("forbids", &separation.forbidden)] {
        for reason in reasons {
            let _ = writeln!(out, "  {} {verb} it", reason.level);
            reason.lines.iter().for_each(|line| paragraph(out, style, "      ", line));
        }
    }
}
