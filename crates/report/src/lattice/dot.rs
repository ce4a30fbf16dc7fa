//! The lattice for Graphviz.

use std::fmt::Write as _;

use super::Lattice;

/// A graph in the DOT language: stronger levels above, dashed where no proof is known.
pub fn dot(lattice: &Lattice) -> String {
    let hasse = lattice.hasse();
    let mut out =
        String::from("digraph levels {\n    node [shape=box, fontname=\"sans-serif\"];\n");
    for (place, class) in hasse.classes.iter().enumerate() {
        let _ = writeln!(out, "    c{place} [label={}];", quoted(&lattice.label(class)));
    }
    for &cover in &hasse.covers {
        let style = if cover.proved { "solid" } else { "dashed" };
        let history = quoted(lattice.separation(&hasse, cover).unwrap_or_default());
        let (above, below) = (cover.above, cover.below);
        let _ = writeln!(out, "    c{above} -> c{below} [style={style}, tooltip={history}];");
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
