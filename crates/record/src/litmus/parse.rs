//! Reads a case.
//!
//! ```text
//! name: G1a                            a field: its text, on one line or on several that are
//! title: aborted read                  indented
//! setup:                               a list: one item per line, indented
//!     CREATE TABLE t (id INT, value INT)
//! steps:
//!     A: begin
//!     A: UPDATE t SET value = 101      session: statement
//!     B: begin
//!     B: seen = SELECT value FROM t    session: label = statement
//!     @mysql B: SELECT SLEEP(0)        in this dialect only
//!     A: rollback
//!     B: commit
//! anomaly if: seen = 101
//! ```

use super::case::{Action, Case, Query, Setup, Step};
use super::error::CaseError;
use super::tokens::{SyntaxError, condition, is_of_name};
use crate::dialect::Dialect;

const FIELDS: [&str; 9] = [
    "name",
    "title",
    "meaning",
    "forbidden at",
    "only on",
    "setup",
    "steps",
    "after",
    "anomaly if",
];

/// How much of a line is repeated in an error.
const LONGEST: usize = 60;

/// Reads a case; `file` is what it is called in errors.
///
/// # Errors
/// If the text is no case: says where, and what is there instead of what.
pub fn parse(file: &str, text: &str) -> Result<Case, CaseError> {
    let located = |error: SyntaxError| CaseError {
        file: file.to_owned(),
        line: error.line,
        found: error.found,
        expected: error.expected,
    };
    let fields = fields(text).map_err(located)?;
    let fields = Fields { fields, end: text.lines().count().max(1) };
    let case = fields.case(file).map_err(located)?;
    for dialect in case.dialects.iter().copied() {
        verify(&case, dialect).map_err(located)?;
        let asked = fields.find("anomaly if").map_or(fields.end, |field| field.line);
        verify_condition(&case, dialect, asked).map_err(located)?;
    }
    Ok(case)
}

/// A field: where it starts, its name, and its lines.
struct Field<'a> {
    line: usize,
    name: &'static str,
    lines: Vec<(usize, &'a str)>,
}

fn fields(text: &str) -> Result<Vec<Field<'_>>, SyntaxError> {
    let mut fields: Vec<Field<'_>> = Vec::new();
    for (line, full) in (1..).zip(text.lines()) {
        let content = full.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if full.starts_with([' ', '\t']) {
            let field = fields.last_mut().ok_or_else(|| {
                SyntaxError::new(
                    line,
                    "an indented line",
                    "a field that is not indented, as in \"name: …\"",
                )
            })?;
            field.lines.push((line, content));
            continue;
        }
        let (name, rest) = content.split_once(':').unwrap_or((content, ""));
        let known = FIELDS.into_iter().find(|&field| field == name.trim_end());
        let name = known.filter(|_| content.contains(':')).ok_or_else(|| {
            SyntaxError::new(line, quoted(content), format!("one of {}:", FIELDS.join(":, ")))
        })?;
        if fields.iter().any(|field| field.name == name) {
            return Err(SyntaxError::new(
                line,
                format!("\"{name}\" a second time"),
                "every field once",
            ));
        }
        let rest = rest.trim();
        let lines = if rest.is_empty() { Vec::new() } else { vec![(line, rest)] };
        fields.push(Field { line, name, lines });
    }
    Ok(fields)
}

struct Fields<'a> {
    fields: Vec<Field<'a>>,
    /// The last line, where missing fields are missed.
    end: usize,
}

impl<'a> Fields<'a> {
    fn case(&self, file: &str) -> Result<Case, SyntaxError> {
        let name = self.text("name")?;
        let is_odd = |letter: char| !is_of_name(letter) && letter != '-';
        if name.contains(is_odd) {
            let line = self.needed("name")?.line;
            return Err(SyntaxError::new(
                line,
                format!("\"{name}\""),
                "a name of letters, digits, - and _",
            ));
        }
        let mut case = Case {
            file: file.to_owned(),
            name,
            title: self.text("title")?,
            meaning: self.text("meaning")?,
            forbidden: self.names("forbidden at"),
            dialects: self.dialects()?,
            setup: Vec::new(),
            steps: Vec::new(),
            after: Vec::new(),
            anomaly: condition(&self.needed("anomaly if")?.lines)?,
        };
        for &(line, text) in &self.needed("setup")?.lines {
            let (dialects, sql) = marked(line, text)?;
            case.setup.push(Setup { line, dialects, sql: sql.to_owned() });
        }
        for &(line, text) in &self.needed("steps")?.lines {
            case.steps.push(step(line, text)?);
        }
        for &(line, text) in self.find("after").map_or(&[][..], |field| &field.lines) {
            case.after.push(query(line, text)?);
        }
        Ok(case)
    }

    fn find(&self, name: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// A field that has to be there, with something in it.
    fn needed(&self, name: &str) -> Result<&Field<'a>, SyntaxError> {
        let expected = || format!("the field \"{name}:\"");
        let field = self.find(name);
        let field =
            field.ok_or_else(|| SyntaxError::new(self.end, "the end of the file", expected()))?;
        match field.lines.is_empty() {
            true => {
                Err(SyntaxError::new(field.line, "nothing", format!("a value after \"{name}:\"")))
            }
            false => Ok(field),
        }
    }

    fn text(&self, name: &str) -> Result<String, SyntaxError> {
        let lines: Vec<&str> = self.needed(name)?.lines.iter().map(|&(_, text)| text).collect();
        Ok(lines.join(" "))
    }

    /// Names with commas between them.
    fn names(&self, name: &str) -> Vec<String> {
        let lines = self.find(name).map_or(&[][..], |field| &field.lines);
        let words = lines.iter().flat_map(|(_, text)| text.split(','));
        words.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
    }

    fn dialects(&self) -> Result<Vec<Dialect>, SyntaxError> {
        let names = self.names("only on");
        let line = self.find("only on").map_or(0, |field| field.line);
        match names.is_empty() {
            true => Ok(Dialect::ALL.to_vec()),
            false => names.iter().map(|name| dialect(line, name)).collect(),
        }
    }
}

fn dialect(line: usize, name: &str) -> Result<Dialect, SyntaxError> {
    let known = Dialect::ALL.map(Dialect::name).join(", ");
    Dialect::from_name(name).ok_or_else(|| SyntaxError::new(line, format!("\"{name}\""), known))
}

/// Takes `@mysql` or `@postgres,mysql` off a line.
fn marked(line: usize, text: &str) -> Result<(Vec<Dialect>, &str), SyntaxError> {
    let Some(marked) = text.strip_prefix('@') else { return Ok((Dialect::ALL.to_vec(), text)) };
    let (names, rest) = marked.split_once(char::is_whitespace).unwrap_or((marked, ""));
    let rest = rest.trim_start();
    if rest.is_empty() {
        return Err(SyntaxError::new(line, "the end of the line", format!("a line for {names}")));
    }
    let dialects = names.split(',').map(|name| dialect(line, name));
    Ok((dialects.collect::<Result<_, _>>()?, rest))
}

fn step(line: usize, text: &str) -> Result<Step, SyntaxError> {
    let (dialects, text) = marked(line, text)?;
    let (session, rest) = text
        .split_once(':')
        .filter(|(session, _)| is_name(session))
        .ok_or_else(|| SyntaxError::new(line, quoted(text), "a step, as in \"A: SELECT …\""))?;
    let rest = rest.trim();
    let action = match rest {
        "" => {
            return Err(SyntaxError::new(
                line,
                "nothing to do",
                "begin, commit, rollback or a statement",
            ));
        }
        "begin" => Action::Begin,
        "commit" => Action::Commit,
        "rollback" => Action::Rollback,
        _ => {
            let (label, sql) = labelled(rest);
            Action::Sql { label: label.map(str::to_owned), sql: sql.to_owned() }
        }
    };
    Ok(Step { line, dialects, session: session.to_owned(), action })
}

fn query(line: usize, text: &str) -> Result<Query, SyntaxError> {
    let (dialects, text) = marked(line, text)?;
    match labelled(text) {
        (Some(label), sql) => {
            Ok(Query { line, dialects, label: label.to_owned(), sql: sql.to_owned() })
        }
        (None, _) => {
            Err(SyntaxError::new(line, quoted(text), "a label, as in \"left = SELECT …\""))
        }
    }
}

/// Splits `label = statement`; no statement of SQL begins with a word and an equals sign.
fn labelled(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((label, sql)) if is_name(label.trim_end()) && !sql.trim().is_empty() => {
            (Some(label.trim_end()), sql.trim_start())
        }
        _ => (None, text),
    }
}

/// A text in quotes, as far as it is needed to find it.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic()) && text.chars().all(is_of_name)
}

/// Whether the steps make sense in a dialect: every session is one transaction, every label is
/// given once.
fn verify(case: &Case, dialect: Dialect) -> Result<(), SyntaxError> {
    let sessions = case.sessions_in(dialect);
    sessions.into_iter().try_for_each(|session| one_transaction(case, dialect, session))?;
    labels(case, dialect).map(drop)
}

/// Whether the condition, which stands on this line, speaks of what there is in a dialect.
fn verify_condition(case: &Case, dialect: Dialect, line: usize) -> Result<(), SyntaxError> {
    let (labels, sessions) = (labels(case, dialect)?, case.sessions_in(dialect));
    for test in case.anomaly.tests() {
        let unknown = test.labels().into_iter().find(|label| !labels.contains(label));
        if let Some(label) = unknown {
            let known = format!("a label of {dialect}: {}", labels.join(", "));
            return Err(SyntaxError::new(line, format!("\"{label}\""), known));
        }
        if let Some(session) = test.session().filter(|session| !sessions.contains(session)) {
            let known = format!("a session of {dialect}: {}", sessions.join(", "));
            return Err(SyntaxError::new(line, format!("\"{session}\""), known));
        }
    }
    Ok(())
}

fn one_transaction(case: &Case, dialect: Dialect, session: &str) -> Result<(), SyntaxError> {
    let steps: Vec<&Step> = case.steps_in(dialect).filter(|step| step.session == session).collect();
    for (place, step) in steps.iter().enumerate() {
        let last = place + 1 == steps.len();
        let found = || quoted(&format!("{session}: {}", step.action.text()));
        let fault = match &step.action {
            Action::Begin if place > 0 => Some("one transaction per session"),
            action if place == 0 && *action != Action::Begin => {
                Some("begin as the session's first step")
            }
            action if action.ends() && !last => Some("nothing after the end of the transaction"),
            action if !action.ends() && last => {
                Some("commit or rollback as the session's last step")
            }
            _ => None,
        };
        if let Some(fault) = fault {
            return Err(SyntaxError::new(step.line, found(), fault));
        }
    }
    Ok(())
}

fn labels(case: &Case, dialect: Dialect) -> Result<Vec<&str>, SyntaxError> {
    let of_steps = case.steps_in(dialect).filter_map(|step| match &step.action {
        Action::Sql { label: Some(label), .. } => Some((step.line, label.as_str())),
        _ => None,
    });
    let after = case.after.iter().filter(|query| query.dialects.contains(&dialect));
    let mut labels: Vec<&str> = Vec::new();
    for (line, label) in of_steps.chain(after.map(|query| (query.line, query.label.as_str()))) {
        if labels.contains(&label) {
            return Err(SyntaxError::new(
                line,
                format!("the label \"{label}\" again"),
                "every label once",
            ));
        }
        labels.push(label);
    }
    Ok(labels)
}
