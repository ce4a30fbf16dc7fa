//! The lattice as a page: the drawing, what tells neighbours apart, and every pair.

use super::svg::{draw, told_apart};
use super::{Implication, Lattice};
use crate::layout::{count, fold};
use crate::markup::escaped;
use crate::page::Frame;

/// The page of a lattice.
pub fn html(lattice: &Lattice) -> String {
    let title = format!("{} compared", count(lattice.names.len(), "level"));
    let mut out = format!("<h1>{title}</h1>\n");
    out.push_str(
        "<p>Stronger levels are higher: a level implies every level that a line leads down to. A dashed \
         line is not proved: no counterexample was found up to the size that was searched. Point at a line to see a history that the \
         lower level allows and the upper one forbids.</p>\n",
    );
    out.push_str(&draw(lattice).markup(&title));
    neighbours(&mut out, lattice);
    pairs(&mut out, lattice);
    Frame { title: &title, ..Frame::default() }.around(&out)
}

/// What tells those apart that a line joins.
fn neighbours(out: &mut String, lattice: &Lattice) {
    let hasse = lattice.hasse();
    if hasse.covers.is_empty() {
        return;
    }
    out.push_str("<h2>What distinguishes neighbors</h2>\n<ul class=\"apart\">\n");
    for &cover in &hasse.covers {
        let doubt = match lattice.doubt(&hasse, cover) {
            Some(doubt) => format!(" <span class=\"meta\">({})</span>", escaped(&doubt)),
            None => String::new(),
        };
        out.push_str(&format!(
            "<li>{}{doubt}</li>\n",
            escaped(&told_apart(lattice, &hasse, cover))
        ));
    }
    out.push_str("</ul>\n");
}

/// Every pair: the level of the row allows, that of the column forbids.
fn pairs(out: &mut String, lattice: &Lattice) {
    out.push_str("<h2>Every pair</h2>\n<div class=\"scroll\"><table class=\"pairs\"><tr><th></th>");
    for (place, name) in lattice.names.iter().enumerate() {
        out.push_str(&format!("<th title=\"{}\">{}</th>", escaped(name), place + 1));
    }
    out.push_str("</tr>\n");
    for (place, row) in lattice.rows.iter().enumerate() {
        let name = escaped(&fold(&lattice.names[place], 60));
        out.push_str(&format!("<tr><th>{} {name}</th>", place + 1));
        for (column, implication) in row.iter().enumerate() {
            out.push_str(&match place == column {
                true => "<td class=\"self\">·</td>".to_owned(),
                false => cell(implication),
            });
        }
        out.push_str("</tr>\n");
    }
    out.push_str(
        "</table></div>\n<p class=\"meta\">Each cell shows the transactions and keys of the smallest history \
         that the level of its row allows and the level of its column forbids. ✓: no such history of any \
         size; (✓): none found up to the size that was searched; ?: not decided. Point at a cell to see \
         the history.</p>\n",
    );
}

fn cell(implication: &Implication) -> String {
    match implication {
        Implication::Proved => "<td class=\"holds\" title=\"implied, proved\">✓</td>".to_owned(),
        Implication::NoneFound { scope } => {
            format!("<td class=\"open\" title=\"none found up to {}\">(✓)</td>", escaped(scope))
        }
        Implication::Refuted { txns, keys, history } => format!(
            "<td class=\"violated\" title=\"{}, {}: {}\">{txns},{keys}</td>",
            count(*txns, "transaction"),
            count(*keys, "key"),
            escaped(history)
        ),
        Implication::Open { reason } => {
            format!("<td class=\"open\" title=\"{}\">?</td>", escaped(reason))
        }
    }
}
