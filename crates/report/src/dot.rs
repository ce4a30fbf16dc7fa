//! Verdicts for Graphviz: a table per transaction, arrows between operations.

use std::fmt::Write as _;

use tristan_history::is_treacherous;
use tristan_verdict::{Answer, Verdict};

use crate::figure::{Figure, Port};
use crate::markup::escaped;
use crate::names::Names;
use crate::picture::shortened;
use crate::proof;
use crate::summary::{headline, sentence};

/// One graph per verdict.
pub fn dot(verdicts: &[Verdict]) -> String {
    verdicts.iter().enumerate().map(|(number, verdict)| graph(number, verdict)).collect()
}

fn graph(number: usize, verdict: &Verdict) -> String {
    let mut out = format!(
        "digraph verdict{number} {{\n  label={}; labelloc=t; fontname=\"sans-serif\";\n  \
         node [shape=plain, fontname=\"monospace\"]; edge [fontname=\"sans-serif\"];\n",
        quoted(&format!("{}\n{}", headline(verdict), sentence(verdict)))
    );
    match (&verdict.answer, proof::figure(verdict)) {
        (_, Some(figure)) => cards(&mut out, &figure),
        (Answer::Accept { witness }, None) => {
            let words = shortened(Names::of(verdict), witness);
            let _ = writeln!(out, "  rankdir=LR; node [shape=box];");
            for (place, word) in words.iter().enumerate() {
                let _ = writeln!(out, "  p{place} [label={}];", quoted(word));
            }
            for place in 1..words.len() {
                let _ = writeln!(out, "  p{} -> p{place};", place - 1);
            }
        }
        (_, None) => {}
    }
    out.push_str("}\n");
    out
}

fn cards(out: &mut String, figure: &Figure) {
    for (number, card) in figure.cards.iter().enumerate() {
        let mut rows = String::new();
        for (place, row) in card.rows.iter().enumerate() {
            let words = escaped(&row.text);
            let _ = write!(rows, "<tr><td port=\"r{place}\" align=\"left\">{words}</td></tr>");
        }
        let (title, note) = (escaped(&card.title), escaped(&card.note));
        let _ = writeln!(
            out,
            "  t{number} [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" \
             cellpadding=\"4\"><tr><td port=\"head\"><b>{title}</b>  {note}</td></tr>{rows}</table>>];"
        );
    }
    for arrow in &figure.arrows {
        let style = if arrow.derived { "dashed" } else { "solid" };
        let colour = match arrow.kind {
            "wr" | "pwr" => "#0067a6",
            "ww" => "#b84a00",
            "rw" | "prw" => "#7a3fb5",
            "so" => "#00795a",
            _ => "#5d6878",
        };
        let label = quoted(&format!("{} {}", arrow.step, arrow.label));
        let _ = writeln!(
            out,
            "  {} -> {} [label={label}, style={style}, color=\"{colour}\", fontcolor=\"{colour}\"];",
            port(arrow.from),
            port(arrow.to)
        );
    }
}

fn port(port: Port) -> String {
    match port.row {
        Some(row) => format!("t{}:r{row}", port.card),
        None => format!("t{}:head", port.card),
    }
}

/// A text in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            _ if is_treacherous(letter) => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}
