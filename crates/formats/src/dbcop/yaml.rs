//! dbcop's YAML form: sessions of transactions of events, in block or in flow style.
//!
//! ```text
//!   - - events:                  - - {events: [{write: true, variable: 0, value: 1, success: true}],
//!     - write: true                   success: true}
//!       variable: 0
//!       value: 1
//!       success: true
//!     success: true
//! ```
//!
//! `tree` knows how YAML nests, as far as it is needed here; this file knows what the words mean.

mod flow;
mod node;
mod tree;

use std::io::BufRead;

use crate::TraceError;
use crate::error::{ContentError, quote};
use crate::lines::Lines;
use crate::listed::{Event, Listed};
use node::{Content, Node};
use tristan_history::integer::integer;
use tristan_history::{Datum, History};

/// A problem and the line it is on.
type LineError = (u32, ContentError);

/// Reads a whole file.
pub(super) fn read(input: impl BufRead, file: &str) -> Result<History, TraceError> {
    let mut lines = Lines::new(input, file);
    let mut document = tree::Document::default();
    lines.each(|number, text| document.line(number, text))?;
    let history = document.root().and_then(|root| history(&root));
    history.map_err(|(line, problem)| problem.at(file, line))
}

/// Whether a text starts like this.
pub(super) fn is_likely(start: &str) -> bool {
    let inside = start.trim_start_matches(['-', '[', '{', ' ', '\r', '\n']);
    start.starts_with(['-', '['])
        && ["events:", "success:"].iter().any(|field| inside.starts_with(field))
}

fn history(root: &Node) -> Result<History, LineError> {
    let mut listed = Listed::default();
    listed.every_key_starts_with(Datum::Int(0));
    for session in list(root, "a list of sessions")? {
        for transaction in list(session, "a list of transactions")? {
            self::transaction(&mut listed, transaction)?;
        }
        listed.next_session();
    }
    Ok(listed.finish())
}

fn transaction(listed: &mut Listed, node: &Node) -> Result<(), LineError> {
    let [events, success] = fields(node, "a transaction", ["events", "success"])?;
    listed.begin(node.line);
    for event in list(events, "a list of events")? {
        self::event(listed, event)?;
    }
    listed.end(flag(success, "success")?, success.line);
    Ok(())
}

fn event(listed: &mut Listed, node: &Node) -> Result<(), LineError> {
    let names = ["write", "variable", "value", "success"];
    let [write, variable, value, success] = fields(node, "an event", names)?;
    let (key, value) = (number(variable, "variable")?, number(value, "value")?);
    let event = match flag(write, "write")? {
        true => Event::Write(key, value),
        false => Event::Read(key, Some(value)),
    };
    match flag(success, "success")? {
        true => listed.event(event, node.line),
        false => listed.failed(event, node.line),
    }
    Ok(())
}

fn list<'a>(node: &'a Node, expected: &str) -> Result<&'a [Node], LineError> {
    match &node.content {
        Content::List(items) => Ok(items),
        other => Err((node.line, ContentError::new(in_words(other), expected))),
    }
}

/// The fields of a mapping, all of which must be there, and no others.
fn fields<'a, const N: usize>(
    node: &'a Node,
    whole: &str,
    names: [&str; N],
) -> Result<[&'a Node; N], LineError> {
    let Content::Mapping(entries) = &node.content else {
        let expected = format!("{whole} with {}", listing(&names));
        return Err((node.line, ContentError::new(in_words(&node.content), expected)));
    };
    let mut found = [None; N];
    for (line, name, value) in entries {
        let Some(place) = names.iter().position(|known| known == name) else {
            let problem = ContentError::new(format!("field {}", quote(name)), listing(&names));
            return Err((*line, problem));
        };
        if found[place].replace(value).is_some() {
            return Err((*line, ContentError::new(format!("{} twice", quote(name)), "it once")));
        }
    }
    if let Some(place) = found.iter().position(Option::is_none) {
        let problem =
            ContentError::new(format!("{whole} without `{}`", names[place]), "all its fields");
        return Err((node.line, problem));
    }
    Ok(found.map(|value| value.unwrap_or(node)))
}

fn flag(node: &Node, field: &str) -> Result<bool, LineError> {
    match &node.content {
        Content::Word(word) if word == "true" => Ok(true),
        Content::Word(word) if word == "false" => Ok(false),
        other => {
            let found = format!("{} in `{field}`", in_words(other));
            Err((node.line, ContentError::new(found, "true or false")))
        }
    }
}

fn number(node: &Node, field: &str) -> Result<Datum, LineError> {
    let word = match &node.content {
        Content::Word(word) => integer(word).filter(|number| *number >= 0),
        _ => None,
    };
    word.map(Datum::Int).ok_or_else(|| {
        let found = format!("{} in `{field}`", in_words(&node.content));
        (node.line, ContentError::new(found, "a whole number"))
    })
}

fn in_words(content: &Content) -> String {
    match content {
        Content::List(_) => "a list".to_owned(),
        Content::Mapping(_) => "a mapping".to_owned(),
        Content::Word(word) if word.is_empty() => "nothing".to_owned(),
        Content::Word(word) => quote(word),
    }
}

fn listing(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
