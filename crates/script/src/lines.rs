//! The steps of a schedule as lines for the terminals.

use tristan_history::History;

use crate::dialect::SqlLevel;
use crate::schedule::Step;
use crate::script::{Event, TerminalLine};
use crate::statement::{Words, end};
use crate::terminals::Terminals;

/// What is typed: the level of every terminal, where it needs one, then the steps of a schedule.
pub(crate) fn lines(
    history: &History,
    words: &Words<'_>,
    schedule: &[Step],
    level: SqlLevel,
) -> Vec<TerminalLine> {
    let terminals = Terminals::of(history, schedule);
    let prepare = |terminal| {
        let statement = words.dialect.prepare(level)?;
        Some(TerminalLine { terminal, statement, event: None })
    };
    let mut lines: Vec<TerminalLine> = (1..=terminals.count).filter_map(prepare).collect();
    for step in schedule {
        let terminal = terminals.of_txn(step.txn());
        let (statements, mut event) = statements(history, words, *step, level);
        // The first statement of an operation is the one that returns what it saw.
        let line = |statement| TerminalLine { terminal, statement, event: event.take() };
        lines.extend(statements.into_iter().map(line));
    }
    lines
}

fn statements(
    history: &History,
    words: &Words<'_>,
    step: Step,
    level: SqlLevel,
) -> (Vec<String>, Option<Event>) {
    match step {
        Step::Begin(txn) => (vec![words.dialect.begin(level)], Some(Event::Begins(txn))),
        Step::Op(txn, op) => {
            let op = &history.ops_of(txn)[op];
            (words.statements(op), words.saw(op).map(Event::Saw))
        }
        Step::End(txn) => {
            let statement = end(history.txn(txn).outcome);
            (vec![statement.to_owned()], Some(Event::Ends(txn)))
        }
    }
}
