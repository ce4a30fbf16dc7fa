//! An earlier report to compare with.
//!
//! Machines differ in speed, and so does one machine from hour to hour. What two runs have in common is
//! the ratio of now to then, so the median ratio of all rows counts as the speed of the machine, and a
//! row is slower only if its own ratio exceeds that by more than [`SLOWER`]. A change that makes all rows
//! slower by the same factor is not found in this way; the median is printed so that people can see it.
//! Memory does not depend on the speed, and is compared as it is.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::{BenchError, Measurement, Row};

/// How much slower a row may become, relative to the others.
const SLOWER: f64 = 1.5;
/// How much more memory a row may take.
const LARGER: f64 = 1.2;
/// Processor times below this many seconds are not compared.
const SHORT: f64 = 0.05;
/// Peaks below this many bytes are not compared.
const SMALL: u64 = 32 << 20;

/// The rows of an earlier report.
#[derive(Debug, Deserialize)]
pub struct Baseline {
    #[serde(skip)]
    name: String,
    rows: Vec<Then>,
}

/// A row of it.
#[derive(Debug, Deserialize)]
struct Then {
    case: Value,
    runs: Vec<Measurement>,
}

/// How rows relate to a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The text for people.
    pub text: String,
    /// How many rows have an earlier one to be compared with.
    pub rows: usize,
    /// Whether some row is slower or larger than it may be.
    pub is_worse: bool,
}

/// How one row relates to its earlier self.
struct Ratio<'a> {
    row: &'a Row,
    /// Processor time; `None` if it is too short to compare.
    time: Option<f64>,
    /// Peak memory; `None` if it is too small to compare.
    peak: Option<f64>,
}

impl Baseline {
    /// Reads what `-o json=FILE` has written.
    ///
    /// # Errors
    /// If the file cannot be read or is something else.
    pub fn read(path: &Path) -> Result<Self, BenchError> {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(BenchError::io(name.clone()))?;
        match serde_json::from_str::<Self>(&text) {
            Ok(baseline) => Ok(Self { name, ..baseline }),
            Err(error) => Err(BenchError::Invalid(format!(
                "{name} is not a benchmark report ({error}); write one with tristan bench -o json=FILE"
            ))),
        }
    }

    /// Compares rows with those of the same cases.
    pub fn compare(&self, rows: &[Row]) -> Compared {
        let ratios: Vec<Ratio<'_>> = rows.iter().filter_map(|row| self.ratio(row)).collect();
        let speed = median(ratios.iter().filter_map(|ratio| ratio.time).collect());
        let mut text = match (ratios.len(), speed) {
            (0, _) => format!("\nnothing to compare: no case of this run is in {}\n", self.name),
            (_, None) => {
                format!("\ncompared with {}: all rows are too short to compare times\n", self.name)
            }
            (_, Some(speed)) => format!(
                "\ncompared with {}: the median row takes {speed:.2} times as long; relative to that,\n",
                self.name
            ),
        };
        let mut is_worse = false;
        for ratio in &ratios {
            let time = ratio.time.zip(speed).map(|(time, speed)| time / speed);
            let worse = time.is_some_and(|time| time > SLOWER)
                || ratio.peak.is_some_and(|peak| peak > LARGER);
            is_worse |= worse;
            text += &ratio.line(time, worse);
        }
        Compared { text, rows: ratios.len(), is_worse }
    }

    fn ratio<'a>(&self, row: &'a Row) -> Option<Ratio<'a>> {
        let case = serde_json::to_value(&row.case).ok()?;
        let then = self.rows.iter().find(|then| then.case == case)?;
        let then = Row::median_of(&then.runs)?;
        let now = row.median()?;
        let long = then.cpu >= SHORT && now.cpu > 0.0;
        let large = then.peak >= SMALL;
        Some(Ratio {
            row,
            time: long.then(|| now.cpu / then.cpu),
            peak: large.then(|| now.peak as f64 / then.peak as f64),
        })
    }
}

impl Ratio<'_> {
    fn line(&self, time: Option<f64>, is_worse: bool) -> String {
        let shown =
            |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        let (case, mark) = (&self.row.case, if is_worse { "   worse" } else { "" });
        format!(
            "  {:<22} {:<33} time {:>5}   memory {:>5}{mark}\n",
            case.name,
            case.level,
            shown(time),
            shown(self.peak),
        )
    }
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suite;

    /// Rows that took so many seconds and so many megabytes.
    fn rows(costs: &[(f64, u64)]) -> Vec<Row> {
        let cases = Suite::find("small").and_then(|suite| suite.cases(&[])).expect("a suite");
        let row = |(case, &(cpu, megabytes)): (_, &(f64, u64))| Row {
            case,
            runs: vec![Measurement {
                answer: "accept".to_owned(),
                operations: 1,
                generate: 0.0,
                read: None,
                trace: 0,
                wall: cpu,
                cpu,
                peak: megabytes << 20,
                stages: Vec::new(),
            }],
            died: None,
            peers: Vec::new(),
        };
        cases.into_iter().zip(costs).map(row).collect()
    }

    fn baseline(costs: &[(f64, u64)]) -> Baseline {
        let then = rows(costs).into_iter().map(|row| Then {
            case: serde_json::to_value(&row.case).expect("JSON"),
            runs: row.runs,
        });
        Baseline { name: "old.json".to_owned(), rows: then.collect() }
    }

    #[test]
    fn a_slower_machine_is_no_regression_and_a_slower_row_is() {
        let old = baseline(&[(1.0, 100), (2.0, 100), (3.0, 100)]);
        let slow_machine = old.compare(&rows(&[(2.0, 100), (4.0, 100), (6.0, 110)]));
        assert!(!slow_machine.is_worse, "{}", slow_machine.text);
        assert!(slow_machine.text.contains("2.00 times as long"), "{}", slow_machine.text);
        let slow_row = old.compare(&rows(&[(1.0, 100), (2.0, 100), (6.0, 100)]));
        assert!(
            slow_row.is_worse && slow_row.text.matches("worse").count() == 1,
            "{}",
            slow_row.text
        );
    }

    #[test]
    fn more_memory_is_a_regression_on_any_machine() {
        let old = baseline(&[(1.0, 100), (0.001, 1)]);
        assert!(old.compare(&rows(&[(1.0, 130)])).is_worse);
        assert!(!old.compare(&rows(&[(1.0, 100), (0.01, 9)])).is_worse, "too little to compare");
    }
}
