//! One run of a case, step by step.

use super::finding::{Answer, Observation, Told};

/// Statements that touch no rows.
const CONTROL: [&str; 3] = ["begin", "commit", "rollback"];

/// A line per step: who, what, and the answer.
pub fn transcript(run: &Observation) -> String {
    let widest = run.steps.iter().map(|step| statement(step).chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for step in &run.steps {
        let session = step.session.as_deref().unwrap_or("after");
        let waited = if step.waited { "waits, then " } else { "" };
        let (statement, answer) = (statement(step), answer(step));
        let line = format!("  {session:5}  {statement:widest$}  {waited}{answer}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn statement(step: &Told) -> String {
    match &step.label {
        Some(label) => format!("{label} = {}", step.statement),
        None => step.statement.clone(),
    }
}

fn answer(step: &Told) -> String {
    match &step.answer {
        Answer::Done(_) if CONTROL.contains(&step.statement.as_str()) => "ok".to_owned(),
        Answer::Done(1) => "1 row".to_owned(),
        Answer::Done(rows) => format!("{rows} rows"),
        Answer::Rows(rows) if rows.is_empty() => "no row".to_owned(),
        Answer::Rows(rows) => rows.iter().map(|row| tuple(row)).collect::<Vec<_>>().join(" "),
        Answer::Refused(message) => format!("refused: {message}"),
        Answer::Skipped => "not sent".to_owned(),
    }
}

fn tuple(row: &[Option<String>]) -> String {
    let values: Vec<&str> = row.iter().map(|value| value.as_deref().unwrap_or("NULL")).collect();
    format!("({})", values.join(", "))
}
