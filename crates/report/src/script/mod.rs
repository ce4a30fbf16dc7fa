//! A rejected trace as a script for two or three terminals.
//!
//! ```text
//!   smallest trace ──► schedule ──► statements, each with its terminal and what it saw
//!                         │
//!                         └── at which level does a correct database show just that?
//!   DROP TABLE IF EXISTS tristan;
//!   BEGIN ISOLATION LEVEL REPEATABLE READ;    -- terminal 1: A begins
//!   SELECT v FROM tristan WHERE k = 'bob';    -- terminal 1: saw on call
//!   …
//! ```
//!
//! A script is typed line by line, every line into the terminal that it names. Nothing is solved here:
//! the interleaving comes from carrying the trace out on a small store ([`store`]) that sees what
//! readers see at a level of the database ([`dialect`]). If no order of steps shows what the trace
//! says, no level of a correct database does that we know of, and the script says so.

mod dialect;
mod right;
mod schedule;
mod start;
mod state;
mod statement;
mod store;
mod terminals;
#[cfg(test)]
mod tests;

use tristan_history::{History, Outcome, TxnId};
use tristan_verdict::{Answer, Verdict};

pub use dialect::Dialect;
pub use statement::ScriptError;

use crate::Style;
use crate::layout::{is_treacherous, listing, pad, paragraph, width};
use dialect::SqlLevel;
use right::Right;
use schedule::{Schedule, Step};
use statement::Words;
use terminals::Terminals;

/// Larger traces are nothing to type.
const MOST_TXNS: usize = 30;
const MOST_OPS: usize = 150;
/// How wide comments are.
const WIDTH: usize = 96;
/// Remarks stand behind statements that are at most so wide.
const WIDEST: usize = 72;

/// The script for a small trace and the verdict on it.
///
/// # Errors
/// If the trace cannot be told in SQL, or is too large for that.
pub fn script(
    verdict: &Verdict,
    history: &History,
    dialect: Dialect,
) -> Result<String, ScriptError> {
    let (txns, ops) = (history.txns.len(), history.ops.len());
    if txns > MOST_TXNS || ops > MOST_OPS {
        return Err(ScriptError::TooLarge { txns, ops });
    }
    let words = Words::of(history, dialect)?;
    let plan = Plan::of(verdict, history, dialect);
    let mut script = Script { history, dialect, words, plan, lines: Vec::new() };
    script.introduce(verdict);
    script.set_up();
    script.steps();
    script.conclude();
    Ok(script.finish())
}

/// What happens when, and at which level.
struct Plan {
    schedule: Schedule,
    level: SqlLevel,
    /// Whether a correct database shows it at that level.
    known: bool,
    right: Option<Right>,
}

impl Plan {
    fn of(verdict: &Verdict, history: &History, dialect: Dialect) -> Self {
        let found = dialect.visibilities().iter().find_map(|(visibility, level)| {
            schedule::reproduce(history, *visibility).map(|schedule| (schedule, *level))
        });
        let known = found.is_some();
        let (schedule, level) = found
            .unwrap_or_else(|| (schedule::retell(history), dialect::promising(&verdict.level)));
        let right = right::nearest(history, &schedule);
        Self { schedule, level, known, right }
    }
}

/// A line of the script.
enum Line {
    Blank,
    Comment(String),
    Statement(String, String),
}

struct Script<'h> {
    history: &'h History,
    dialect: Dialect,
    words: Words<'h>,
    plan: Plan,
    lines: Vec<Line>,
}

impl Script<'_> {
    fn introduce(&mut self, verdict: &Verdict) {
        if let Answer::Reject { anomaly, .. } = &verdict.answer {
            let title =
                anomaly.title.as_ref().map_or_else(String::new, |title| format!(" ({title})"));
            self.comment(&format!("{}{title} at {}.", anomaly.class, verdict.level));
            self.comment(&anomaly.sentence);
        }
        for (_, note) in &self.history.notes {
            self.comment(note);
        }
        self.comment("");
        self.comment(&self.where_it_shows(&verdict.level));
        if let Some(provided) = self.plan.level.provided {
            self.comment(&format!("There it shows {provided}."));
        }
        self.comment("Type each line into the terminal that it names.");
    }

    fn where_it_shows(&self, asked: &str) -> String {
        let (product, level) = (self.dialect.product(), self.plan.level.name);
        let promising = dialect::promising(asked).name;
        match self.plan.known {
            true if level == promising => {
                format!("A correct {product} shows this at {level}, which is weaker than {asked}.")
            }
            true => format!(
                "A correct {product} shows this at {level}. Replace it with {promising} to see \
                 whether that level prevents it."
            ),
            false => format!(
                "No known level of a correct {product} shows this. If yours does, it \
                 has a bug."
            ),
        }
    }

    fn set_up(&mut self) {
        self.blank();
        for statement in self.words.set_up() {
            self.line(statement, "set-up".to_owned());
        }
    }

    fn steps(&mut self) {
        self.blank();
        let terminals = Terminals::of(self.history, &self.plan.schedule);
        for number in 1..=terminals.count {
            if let Some(statement) = self.dialect.prepare(self.plan.level) {
                self.line(statement, format!("terminal {number}"));
            }
        }
        for step in self.plan.schedule.clone() {
            self.step(step, &terminals);
        }
    }

    fn step(&mut self, step: Step, terminals: &Terminals) {
        let label = |txn: TxnId| self.history.label(txn);
        match step {
            Step::Begin(txn) => {
                let remark = format!("terminal {}: {} begins", terminals.of_txn(txn), label(txn));
                self.line(self.dialect.begin(self.plan.level), remark);
            }
            Step::Op(txn, op) => {
                let terminal = format!("terminal {}", terminals.of_txn(txn));
                let mut remark = format!("{terminal}{}", self.saw(txn, op));
                for statement in self.words.statements(&self.history.ops_of(txn)[op]) {
                    self.line(statement, std::mem::replace(&mut remark, terminal.clone()));
                }
            }
            Step::End(txn) => {
                let (statement, ends) = match self.history.txn(txn).outcome {
                    Outcome::Committed => ("COMMIT;", "commits"),
                    Outcome::Aborted => ("ROLLBACK;", "rolls back"),
                    Outcome::Unknown => ("COMMIT;", "commits; its client never learnt that"),
                };
                let remark = format!("terminal {}: {} {ends}", terminals.of_txn(txn), label(txn));
                self.line(statement.to_owned(), remark);
            }
        }
    }

    /// `: saw 1`
    fn saw(&self, txn: TxnId, op: usize) -> String {
        let recorded = store::recorded(&self.history.ops_of(txn)[op].kind);
        recorded.map_or_else(String::new, |seen| format!(": saw {}", self.words.told(&seen)))
    }

    /// What would have been right.
    fn conclude(&mut self) {
        let Some(right) = self.plan.right.take() else { return };
        self.blank();
        let order: Vec<String> = right.order.iter().map(|txn| self.history.label(*txn)).collect();
        self.comment(&format!(
            "A correct execution, for example, runs {} one after the other. Then",
            listing(&order, "and")
        ));
        for (txn, op, seen) in right.other {
            let (label, deed) = (self.history.label(txn), self.words.deed(txn, op));
            let saw = self.saw(txn, op);
            let saw = saw.trim_start_matches(": saw ");
            let told = self.words.told(&seen);
            self.comment(&format!("- {label}'s {deed} returns {told} instead of {saw}"));
        }
    }

    fn comment(&mut self, text: &str) {
        let mut lines = String::new();
        let style = Style { width: WIDTH, ..Style::default() };
        paragraph(&mut lines, style, "", &harmless(text));
        self.lines.extend(lines.lines().map(|line| Line::Comment(line.to_owned())));
    }

    fn blank(&mut self) {
        self.lines.push(Line::Blank);
    }

    fn line(&mut self, statement: String, remark: String) {
        self.lines.push(Line::Statement(statement, harmless(&remark)));
    }

    /// All lines, with remarks in one column.
    fn finish(self) -> String {
        let width = |line: &Line| match line {
            Line::Statement(statement, _) => Some(width(statement)).filter(|&size| size <= WIDEST),
            _ => None,
        };
        let column = self.lines.iter().filter_map(width).max().unwrap_or(0);
        let mut text = String::new();
        for line in &self.lines {
            let line = match line {
                Line::Blank => String::new(),
                Line::Comment(comment) => format!("-- {comment}"),
                Line::Statement(statement, remark) => {
                    format!("{}  -- {remark}", pad(statement, column))
                }
            };
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Text that cannot end a comment or turn a line around.
fn harmless(text: &str) -> String {
    text.chars().map(|letter| if is_treacherous(letter) { '\u{fffd}' } else { letter }).collect()
}
