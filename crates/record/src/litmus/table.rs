//! Rows for people: a line per case, a column per level. Can be printed while it grows.

use super::case::Case;
use super::finding::Finding;
use super::survey::{Cell, Row};
use crate::DatabaseLevel;
use crate::sql::SqlLevel;

/// How a table is laid out.
#[derive(Clone, Debug)]
pub struct Table {
    names: usize,
    titles: usize,
    columns: Vec<usize>,
}

/// The widest thing that usually stands in a cell.
const USUAL: &str = "prevented !";

impl Table {
    /// A table for these cases and levels.
    pub fn new(cases: &[Case], levels: &[SqlLevel]) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(width).max().unwrap_or(0);
        let wide = |level: &SqlLevel| {
            let DatabaseLevel { name, claims } = level.level;
            width(name).max(width(claims)).max(width(USUAL))
        };
        Self {
            names: widest(&mut cases.iter().map(|case| case.name.as_str())).max(width("claims")),
            titles: widest(&mut cases.iter().map(|case| case.title.as_str())),
            columns: levels.iter().map(wide).collect(),
        }
    }

    /// The lines above the rows: levels, and what they claim to be.
    pub fn head(&self, levels: &[SqlLevel]) -> String {
        let names = levels.iter().map(|level| level.level.name.to_owned());
        let claims = levels.iter().map(|level| level.level.claims.to_owned());
        self.line("level", "", names) + &self.line("claims", "", claims)
    }

    /// The line of the table for one case.
    pub fn row(&self, row: &Row) -> String {
        self.line(&row.name, &row.title, row.cells.iter().map(cell))
    }

    /// What the words mean, and which promises are broken.
    pub fn foot(rows: &[Row]) -> String {
        let mut text = String::from("\n");
        let cells = || rows.iter().flat_map(|row| &row.cells);
        let found = |finding: &Finding| {
            let finds = |cell: &Cell| cell.runs.iter().any(|run| run.finding == *finding);
            cells().any(finds)
        };
        for finding in Finding::ALL.iter().filter(|finding| found(finding)) {
            text.push_str(&format!("{finding:9}  {}\n", finding.meaning()));
        }
        if cells().any(|cell| cell.runs.is_empty()) {
            text.push_str("-          the case does not apply to this database\n");
        }
        if cells().any(|cell| cell.contradicted) {
            text.push_str(
                "!          the anomaly happened although the claimed level forbids it\n",
            );
        }
        text.push('\n');
        text.push_str(&promises(rows));
        text
    }

    fn line(&self, name: &str, title: &str, cells: impl Iterator<Item = String>) -> String {
        let (names, titles) = (self.names, self.titles);
        let mut text = format!("{name:names$}  {title:titles$}");
        for (cell, wide) in cells.zip(&self.columns) {
            text.push_str(&format!("  {cell:wide$}"));
        }
        text.trim_end().to_owned() + "\n"
    }
}

fn cell(cell: &Cell) -> String {
    let findings = cell.findings();
    let mark = if cell.contradicted { " !" } else { "" };
    match findings.as_slice() {
        [] => "-".to_owned(),
        [(only, _)] => format!("{only}{mark}"),
        [(first, count), ..] => format!("{first} {count}/{}{mark}", cell.runs.len()),
    }
}

/// A line per level: is it what it claims to be, as far as these cases tell?
fn promises(rows: &[Row]) -> String {
    let mut text = String::new();
    let levels = rows.first().map_or(&[][..], |row| &row.cells);
    for (column, level) in levels.iter().enumerate() {
        let cells = rows.iter().map(|row| (&row.name, &row.cells[column]));
        let broken: Vec<&str> =
            cells.filter(|(_, cell)| cell.contradicted).map(|(name, _)| name.as_str()).collect();
        let Cell { level, claims, .. } = level;
        let claim = if level == claims { String::new() } else { format!(" claims {claims} and") };
        text.push_str(&match broken.is_empty() {
            true => format!("{level}{claim} allowed nothing that {claims} forbids\n"),
            false => {
                format!("{level}{claim} allowed what {claims} forbids: {}\n", broken.join(", "))
            }
        });
    }
    text
}

fn width(text: &str) -> usize {
    text.chars().count()
}
