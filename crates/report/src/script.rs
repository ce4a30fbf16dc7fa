//! A rejected trace as a script for two or three terminals.
//!
//! ```text
//!   -- G2-item (write skew) at serializable.
//!   DROP TABLE IF EXISTS tristan;             -- set-up
//!   BEGIN ISOLATION LEVEL REPEATABLE READ;    -- terminal 1: A begins
//!   SELECT v FROM tristan WHERE k = 'bob';    -- terminal 1: saw on call
//!   …
//! ```
//!
//! Each line is typed into the terminal that it names. `tristan-script` finds the statements and their
//! order; here they get comments.

use tristan_history::{History, Outcome, is_treacherous};
use tristan_script::{CorrectExecution, Dialect, Event, Script, ScriptError, TerminalLine};
use tristan_verdict::{Answer, Verdict};

use crate::Style;
use crate::layout::{listing, pad, paragraph, width};

/// How wide comments are.
const WIDTH: usize = 96;
/// Remarks stand behind statements that are at most so wide.
const WIDEST: usize = 72;

/// The script for a small trace and the verdict on it.
///
/// # Errors
/// If the trace cannot be expressed in SQL, or is too large for a script.
pub fn script(
    verdict: &Verdict,
    history: &History,
    dialect: Dialect,
) -> Result<String, ScriptError> {
    let script = tristan_script::script(&verdict.level, history, dialect)?;
    let mut page = Page { history, lines: Vec::new() };
    page.introduce(verdict, &script);
    page.blank();
    for statement in &script.set_up {
        page.statement(statement, "set-up");
    }
    page.blank();
    for line in &script.lines {
        page.statement(&line.statement, &page.remark(line));
    }
    if let Some(correct) = &script.correct {
        page.conclude(correct);
    }
    Ok(page.finish())
}

/// A line of the script.
enum Line {
    Blank,
    Comment(String),
    Statement { statement: String, remark: String },
}

struct Page<'h> {
    history: &'h History,
    lines: Vec<Line>,
}

impl Page<'_> {
    fn introduce(&mut self, verdict: &Verdict, script: &Script) {
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
        self.comment(&where_it_shows(script, &verdict.level));
        if let Some(provided) = script.level.provided {
            self.comment(&format!("There it shows {provided}."));
        }
        self.comment("Type each line into the terminal that it names.");
    }

    /// `terminal 1: saw 7`
    fn remark(&self, line: &TerminalLine) -> String {
        let terminal = format!("terminal {}", line.terminal);
        match &line.event {
            None => terminal,
            Some(Event::Begins(txn)) => format!("{terminal}: {} begins", self.history.label(*txn)),
            Some(Event::Saw(seen)) => format!("{terminal}: saw {seen}"),
            Some(Event::Ends(txn)) => {
                let ends = match self.history.txn(*txn).outcome {
                    Outcome::Committed => "commits",
                    Outcome::Aborted => "rolls back",
                    Outcome::Unknown => "commits; its client never learned the outcome",
                };
                format!("{terminal}: {} {ends}", self.history.label(*txn))
            }
        }
    }

    /// What would have been right.
    fn conclude(&mut self, correct: &CorrectExecution) {
        self.blank();
        let order: Vec<String> = correct.order.iter().map(|txn| self.history.label(*txn)).collect();
        self.comment(&format!(
            "A correct execution, for example, runs {} one after the other. Then",
            listing(&order, "and")
        ));
        for difference in &correct.differences {
            let label = self.history.label(difference.txn);
            self.comment(&format!(
                "- {label}'s {} returns {} instead of {}",
                difference.operation, difference.returns, difference.saw
            ));
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

    fn statement(&mut self, statement: &str, remark: &str) {
        let (statement, remark) = (statement.to_owned(), harmless(remark));
        self.lines.push(Line::Statement { statement, remark });
    }

    /// All lines, with remarks in one column.
    fn finish(self) -> String {
        let width = |line: &Line| match line {
            Line::Statement { statement, .. } => {
                Some(width(statement)).filter(|&size| size <= WIDEST)
            }
            Line::Blank | Line::Comment(_) => None,
        };
        let column = self.lines.iter().filter_map(width).max().unwrap_or(0);
        let mut text = String::new();
        for line in &self.lines {
            let line = match line {
                Line::Blank => String::new(),
                Line::Comment(comment) => format!("-- {comment}"),
                Line::Statement { statement, remark } => {
                    format!("{}  -- {remark}", pad(statement, column))
                }
            };
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn where_it_shows(script: &Script, asked: &str) -> String {
    let (product, level) = (script.dialect.product(), script.level.name);
    let promising = script.promising.name;
    match script.is_explained {
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

/// Text that cannot end a comment or turn a line around.
fn harmless(text: &str) -> String {
    text.chars().map(|letter| if is_treacherous(letter) { '\u{fffd}' } else { letter }).collect()
}
