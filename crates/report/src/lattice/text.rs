//! The lattice as a table, and as a list for the terminal.

use std::fmt::Write as _;

use super::{Implication, Lattice};
use crate::Style;
use crate::layout::{pad, paragraph, width};

/// Every pair: the row's level allows, the column's forbids, in that many transactions and keys.
/// `-` says that no history of any size does, `(-)` that none was found, `?` that it is not decided.
pub fn table(lattice: &Lattice) -> String {
    let number = |place: usize| (place + 1).to_string();
    let first = |place: usize| format!("{} {}", number(place), lattice.names[place]);
    let widest = (0..lattice.names.len()).map(|place| width(&first(place))).max().unwrap_or(0);
    let mut out = pad("", widest + 2);
    (0..lattice.names.len()).for_each(|place| out.push_str(&pad(&number(place), 6)));
    end_line(&mut out);
    for (place, row) in lattice.rows.iter().enumerate() {
        out.push_str(&pad(&first(place), widest + 2));
        for (column, implication) in row.iter().enumerate() {
            let cell = if place == column { ".".to_owned() } else { cell(implication) };
            out.push_str(&pad(&cell, 6));
        }
        end_line(&mut out);
    }
    out
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

fn cell(implication: &Implication) -> String {
    match implication {
        Implication::Proved => "-".to_owned(),
        Implication::NoneFound { .. } => "(-)".to_owned(),
        Implication::Refuted { txns, keys, .. } => format!("{txns},{keys}"),
        Implication::Open { .. } => "?".to_owned(),
    }
}

/// Each level, strongest first, with those directly below it.
pub fn text(lattice: &Lattice, style: Style) -> String {
    let hasse = lattice.hasse();
    let mut out = String::new();
    for (place, class) in hasse.classes.iter().enumerate() {
        let _ = writeln!(out, "{}", lattice.label(class));
        let below = hasse.covers.iter().filter(|cover| cover.above == place);
        let named = below.map(|cover| {
            let label = lattice.label(&hasse.classes[cover.below]);
            match lattice.doubt(&hasse, *cover) {
                Some(doubt) => format!("{label} ({doubt})"),
                None => label,
            }
        });
        let named: Vec<String> = named.collect();
        if !named.is_empty() {
            paragraph(&mut out, style, "    directly above ", &named.join(", "));
        }
    }
    out
}
