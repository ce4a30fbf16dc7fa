//! One table for many levels: a row per family, a column per strength.
//!
//! ```text
//!                          plain        session      strong
//!   snapshot-isolation     holds *      G-single *   G-single
//!   serializable           G2-item *    G2-item      G2-item
//! ```

use crate::Style;
use crate::layout::{Colour, fold, pad, paint, paragraph, width};

/// What one cell says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// There is no such level.
    Missing,
    /// The level holds.
    Holds,
    /// The level is violated, by an anomaly of this class.
    Violated(String),
    /// Not decided.
    Unknown,
}

/// A family of levels.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the family.
    pub family: String,
    /// One cell per column, and whether it is marked.
    pub cells: Vec<(Cell, bool)>,
}

/// The table that `tristan levels` prints.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What the columns are called.
    pub columns: Vec<String>,
    /// One row per family of levels.
    pub rows: Vec<Row>,
    /// Full names of the strongest levels that hold: nothing stronger does.
    pub strongest_satisfied: Vec<String>,
    /// Full names of the weakest levels that are violated: everything weaker holds.
    pub weakest_violated: Vec<String>,
}

/// The table as text.
pub fn table(table: &Table, style: Style) -> String {
    let mut out = String::new();
    let names = table.rows.iter().map(|row| width(&row.family)).max().unwrap_or(0);
    let cells = table.rows.iter().flat_map(|row| &row.cells);
    let cell = cells.map(|cell| width(&words(cell))).chain(table.columns.iter().map(|c| width(c)));
    let column = cell.max().unwrap_or(0);
    line(&mut out, names, table.columns.iter().map(|name| pad(name, column)), "");
    for row in &table.rows {
        let painted = row.cells.iter().map(|cell| {
            let text = pad(&words(cell), column);
            colour(&cell.0).map_or(text.clone(), |colour| paint(style, colour, &text))
        });
        line(&mut out, names, painted, &row.family);
    }
    summary(&mut out, style, "strongest that hold", &table.strongest_satisfied);
    summary(&mut out, style, "weakest violated", &table.weakest_violated);
    out
}

fn line(out: &mut String, names: usize, cells: impl Iterator<Item = String>, name: &str) {
    let cells: Vec<String> = cells.collect();
    let text = format!("  {}  {}", pad(name, names), cells.join("  "));
    out.push_str(text.trim_end());
    out.push('\n');
}

fn words((cell, marked): &(Cell, bool)) -> String {
    let word = match cell {
        Cell::Missing => "",
        Cell::Holds => "holds",
        Cell::Violated(class) => &format!("✗ {}", fold(class, 24)),
        Cell::Unknown => "unknown",
    };
    if *marked { format!("{word} *") } else { word.to_owned() }
}

fn colour(cell: &Cell) -> Option<Colour> {
    match cell {
        Cell::Missing => None,
        Cell::Holds => Some(Colour::Good),
        Cell::Violated(_) => Some(Colour::Bad),
        Cell::Unknown => Some(Colour::Open),
    }
}

fn summary(out: &mut String, style: Style, what: &str, names: &[String]) {
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    paragraph(out, style, &pad(&format!("  * {what}:"), 25), &names);
}
