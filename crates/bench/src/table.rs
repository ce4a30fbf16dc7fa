//! Rows for people. The table is one of Markdown, and can be printed while it grows.

use crate::{Growth, Measurement, PeerRow, Row, growth, show_size};

/// Columns: their names, and how wide they are at least.
const COLUMNS: [(&str, usize); 13] = [
    ("row", 22),
    ("txns", 5),
    ("keys", 5),
    ("sessions", 8),
    ("level", 33),
    ("answer", 7),
    ("wall s", 7),
    ("cpu s", 7),
    ("µs/txn", 6),
    ("generate s", 10),
    ("trace MB", 8),
    ("peak MB", 7),
    ("stages and remarks", 0),
];

/// How a table is printed.
#[derive(Clone, Copy, Debug)]
pub struct Table;

impl Table {
    /// The lines above the rows.
    pub fn head() -> String {
        let names = line(COLUMNS.map(|(name, _)| name.to_owned()));
        let rule = line(COLUMNS.map(|(name, width)| "-".repeat(width.max(name.chars().count()))));
        names + &rule
    }

    /// One row, and a line for every other checker.
    pub fn row(row: &Row) -> String {
        let mut text = line(cells(row));
        for peer in &row.peers {
            text += &line(peer_cells(peer));
        }
        text
    }

    /// What comes below: how costs grow.
    pub fn foot(rows: &[Row]) -> String {
        let growth = growth(rows);
        if growth.is_empty() {
            return String::new();
        }
        let lines: String = growth.iter().map(growth_line).collect();
        format!("\ngrowth (1 means that twice the transactions cost twice as much)\n{lines}")
    }
}

fn cells(row: &Row) -> [String; 13] {
    let case = &row.case;
    let run = row.median();
    let number = |value: Option<f64>, digits: usize| {
        value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
    };
    let answer = match (&row.died, run) {
        (Some(_), _) => "died",
        (None, Some(run)) => &run.answer,
        (None, None) => "-",
    };
    [
        case.name.clone(),
        show_size(case.txns as u64),
        show_size(case.keys),
        show_size(case.sessions as u64),
        case.level.clone(),
        answer.to_owned(),
        number(run.map(|run| run.wall), 3),
        number(run.map(|run| run.cpu), 2),
        number(run.map(|run| run.wall * 1e6 / case.txns as f64), 1),
        number(run.map(|run| run.generate), 2),
        number(run.map(|run| megabytes(run.trace)), 0),
        number(run.map(|run| megabytes(run.peak)), 0),
        remarks(row, run),
    ]
}

fn remarks(row: &Row, run: Option<&Measurement>) -> String {
    let mut remarks: Vec<String> = row.died.clone().into_iter().collect();
    if let Some(run) = run {
        let stage = |stage: &crate::Stage| format!("{} {:.2}", stage.name, stage.seconds);
        remarks.extend(run.stages.iter().map(stage));
        remarks.extend(
            run.read.as_ref().map(|read| {
                format!("read {:.0} MB in {:.2} s", megabytes(read.bytes), read.seconds)
            }),
        );
    }
    if row.runs.len() > 1 {
        let walls = row.runs.iter().map(|run| run.wall);
        let (least, most) =
            walls.fold((f64::MAX, 0f64), |(least, most), wall| (least.min(wall), most.max(wall)));
        remarks.push(format!("median of {}: {least:.3} to {most:.3} s", row.runs.len()));
    }
    remarks.extend(row.case.extras());
    remarks.join(", ")
}

fn peer_cells(peer: &PeerRow) -> [String; 13] {
    let mut cells: [String; 13] = Default::default();
    let number = |value: Option<f64>, digits: usize| {
        value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
    };
    cells[0] = format!("  {}", peer.name);
    cells[6] = number(peer.wall, 3);
    cells[7] = number(peer.cpu, 2);
    cells[11] = number(peer.peak.map(megabytes), 0);
    let ratio = peer.times_ours.map(|times| format!("{times:.2} times tristan's, "));
    cells[12] = ratio.unwrap_or_default() + &peer.note;
    cells
}

fn line(cells: [String; 13]) -> String {
    let mut text = String::new();
    for (cell, (name, width)) in cells.iter().zip(COLUMNS) {
        let width = width.max(name.chars().count());
        let left = ["row", "level", "answer", "stages and remarks"].contains(&name);
        text += &if left { format!("| {cell:<width$} ") } else { format!("| {cell:>width$} ") };
    }
    text.trim_end().to_owned() + " |\n"
}

fn growth_line(growth: &Growth) -> String {
    let (before, after) = growth.txns;
    let (before, after) = (show_size(before as u64), show_size(after as u64));
    let Growth { series, wall, peak, .. } = growth;
    format!("  {series}: time {wall:.2}, memory {peak:.2} from {before} to {after}\n")
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / (1024.0 * 1024.0)
}
