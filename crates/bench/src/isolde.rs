//! The benchmark of Isolde: 46 questions whether a history lies between isolation levels.
//!
//! ```text
//!   problem × number of transactions ──synthesise──► a history, or "none" ──► row ──► table, JSON
//! ```
//!
//! Every question has a known answer ([`tristan_synth::problems`]), so a row also says whether ours
//! was right. Histories have five keys and five values, as in the paper.

use std::time::{Duration, Instant};

use serde::Serialize;
use tristan_synth::gates::SearchLimits;
use tristan_synth::problems::{PROBLEMS, Problem};
use tristan_synth::{SynthesisOutcome, synthesise};

/// The numbers of transactions that are asked about unless others are given.
pub const ISOLDE_SIZES: [usize; 6] = [3, 4, 5, 6, 7, 8];

/// One problem at one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IsoldeCell {
    /// How many transactions the histories have.
    pub txns: usize,
    /// What was found.
    pub answer: IsoldeAnswer,
    /// Whether that is the known answer; `None` if a limit was hit.
    pub right: Option<bool>,
    /// How many candidates were looked at and excluded.
    pub candidates: usize,
    /// How long it took.
    pub seconds: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IsoldeAnswer {
    /// This history, in one line.
    History(String),
    /// There is none of this size.
    None,
    /// A limit was hit: which.
    Unknown(String),
}

/// One problem at all sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IsoldeRow {
    /// The question, as in `be-si+be-update-ser !be-ser`.
    pub problem: String,
    /// The answer at each size.
    pub cells: Vec<IsoldeCell>,
}

/// Answers all problems, one after the other on one thread; `row` hears of each when it is done.
pub fn isolde(
    sizes: &[usize],
    time: Option<Duration>,
    mut row: impl FnMut(&IsoldeRow),
) -> Vec<IsoldeRow> {
    let limits = SearchLimits { time, ..SearchLimits::default() };
    let mut rows = Vec::new();
    for problem in &PROBLEMS {
        let cells = sizes.iter().map(|&txns| cell(problem, txns, &limits)).collect();
        let answered = IsoldeRow { problem: problem.name(), cells };
        row(&answered);
        rows.push(answered);
    }
    rows
}

fn cell(problem: &Problem, txns: usize, limits: &SearchLimits) -> IsoldeCell {
    let started = Instant::now();
    let synthesis = synthesise(&problem.query(txns), limits);
    let seconds = started.elapsed().as_secs_f64();
    let (answer, found) = match synthesis.outcome {
        SynthesisOutcome::Found(answer) => {
            (IsoldeAnswer::History(answer.history.to_string()), Some(true))
        }
        SynthesisOutcome::None => (IsoldeAnswer::None, Some(false)),
        SynthesisOutcome::Unknown(reason) => (IsoldeAnswer::Unknown(reason.to_string()), None),
    };
    let right = found.map(|found| found == problem.has_answer(txns));
    IsoldeCell { txns, answer, right, candidates: synthesis.candidates, seconds }
}

/// The table of the benchmark, line by line.
#[derive(Clone, Copy, Debug)]
pub struct IsoldeTable;

const NAME_WIDTH: usize = 42;

impl IsoldeTable {
    /// The line above the rows.
    pub fn head(sizes: &[usize]) -> String {
        let name = "seconds by number of transactions";
        let columns: String = sizes.iter().map(|txns| format!(" {txns:>9}")).collect();
        format!("{name:NAME_WIDTH$}{columns}\n")
    }

    /// One problem: seconds per size, with `+` where a history was found and `-` where there is
    /// none, `?` where a limit was hit and `WRONG` where the answer is not the known one.
    pub fn row(row: &IsoldeRow) -> String {
        let cells: String = row.cells.iter().map(|cell| format!(" {:>9}", shown(cell))).collect();
        format!("{:NAME_WIDTH$}{cells}\n", row.problem)
    }

    /// What comes below: how many answers were right, and the total time.
    pub fn foot(rows: &[IsoldeRow]) -> String {
        let cells = || rows.iter().flat_map(|row| &row.cells);
        let of = |right: Option<bool>| cells().filter(|cell| cell.right == right).count();
        let total: f64 = cells().map(|cell| cell.seconds).sum();
        let slowest = cells().map(|cell| cell.seconds).fold(0.0, f64::max);
        format!(
            "\n{} questions: {} right, {} wrong, {} not answered in time; {total:.1} s in total, the slowest {slowest:.2} s\n\
             + a history was found, - there is none of this size, ? a limit was reached\n",
            cells().count(),
            of(Some(true)),
            of(Some(false)),
            of(None),
        )
    }
}

fn shown(cell: &IsoldeCell) -> String {
    let sign = match (&cell.answer, cell.right) {
        (_, Some(false)) => return "WRONG".to_owned(),
        (IsoldeAnswer::History(_), _) => '+',
        (IsoldeAnswer::None, _) => '-',
        (IsoldeAnswer::Unknown(_), _) => '?',
    };
    format!("{:.2} {sign}", cell.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_answered_as_the_paper_says() {
        let mut heard = 0;
        let rows = isolde(&[3], None, |_| heard += 1);
        assert_eq!((rows.len(), heard), (46, 46));
        assert!(rows.iter().flat_map(|row| &row.cells).all(|cell| cell.right == Some(true)));
        let foot = IsoldeTable::foot(&rows);
        assert!(foot.contains("46 questions: 46 right, 0 wrong, 0 not answered"), "{foot}");
        let first = IsoldeTable::row(&rows[0]);
        assert!(first.starts_with("be-ra !be-cc") && first.trim_end().ends_with('+'), "{first}");
    }
}
