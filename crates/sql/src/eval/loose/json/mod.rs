//! MariaDB's functions of JSON, which work on texts.
//!
//! A text that is not JSON gives NULL and a warning, or an error; here it is refused, except by `JSON_VALID`.
//!
//! ```text
//!   text ──node──► Node ──path, change──► Node ──node──► text in the loose form
//! ```
//!
//! Layer `eval`; knows values.

mod change;
mod node;
mod path;

use crate::error::{Result, unsupported};
use crate::plan::LooseJson;
use crate::value::Value;

use change::Puts;
use node::{Node, Step, quoted, surely_broken};

pub(super) fn json_call(function: LooseJson, args: &[Value]) -> Result<Value> {
    use LooseJson as J;
    match function {
        J::Valid => valid(&args[0]),
        J::Value { boolean } => {
            Ok(embedded(&args[0], boolean)?.map_or(Value::Null, |node| text(&node.loose())))
        }
        J::Object => object(args),
        J::Array => {
            let elements = args.iter().map(element).collect::<Result<Vec<_>>>()?;
            Ok(text(&Node::Array(elements).loose()))
        }
        J::Quote => Ok(text(&quoted(text_in(&args[0])?))),
        J::Unquote => unquote(text_in(&args[0])?),
        // A patch that is no object replaces even NULL.
        J::MergePatch if args.iter().any(Value::is_null) => match args[1..].iter().all(patches) {
            true => Ok(Value::Null),
            false => unsupported("JSON_MERGE_PATCH of NULL with something that is not an object"),
        },
        _ if args.first().is_some_and(Value::is_null) => Ok(Value::Null),
        _ => of_document(function, text_in(&args[0])?, &args[1..]),
    }
}

/// Whether a value is NULL or an object.
fn patches(value: &Value) -> bool {
    value.is_null() || matches!(value, Value::Text(text) if text.trim_start().starts_with('{'))
}

/// A function whose first argument is a document.
fn of_document(function: LooseJson, document: &str, args: &[Value]) -> Result<Value> {
    use LooseJson as J;
    let node = parsed(document)?;
    Ok(match function {
        J::Extract => extract(document, &node, args)?,
        J::Comparable => match found(&node, &args[0])? {
            Some(Node::Quoted(string)) => text(&plain_text(string)?),
            Some(other) => text(&other.loose()),
            None => Value::Null,
        },
        J::Number => match found(&node, &args[0])? {
            Some(Node::Plain(word)) if !matches!(word.as_str(), "true" | "false" | "null") => {
                text(word)
            }
            None => Value::Null,
            Some(_) => return unsupported("JSON that is not a number, compared with one"),
        },
        J::Scalar => match found(&node, &args[0])? {
            Some(Node::Quoted(string)) => text(&plain_text(string)?),
            Some(Node::Plain(word)) => match word.as_str() {
                "true" => text("1"),
                "false" => text("0"),
                "null" => Value::Null,
                number => text(number),
            },
            _ => Value::Null,
        },
        J::Query => {
            let path = steps(&args[0])?;
            refuse_wrapping(&node, &path)?;
            match path::find(&node, &path) {
                Some(Node::Array(_) | Node::Object(_)) => {
                    Node::slice(document, &path).map_or(Value::Null, text)
                }
                _ => Value::Null,
            }
        }
        J::Set | J::Insert | J::Replace | J::ArrayAppend | J::Remove | J::MergePatch => {
            changed(function, node, args)?
        }
        J::Contains => contains_at(&node, args)?,
        J::ContainsPath => contains_path(&node, args)?,
        J::Exists => truth(found(&node, &args[0])?.is_some()),
        J::Length => length(inside(&node, args)?),
        J::Keys => match inside(&node, args)? {
            Some(Node::Object(members)) => {
                let names = members.iter().map(|(name, _)| Node::Quoted(format!("\"{name}\"")));
                text(&Node::Array(names.collect()).loose())
            }
            _ => Value::Null,
        },
        J::Type => text(kind(&node)?),
        J::Depth => count(depth(&node)),
        J::Search => search(&node, args)?,
        _ => return unsupported("this function of JSON"),
    })
}

/// A document with changes.
fn changed(function: LooseJson, mut node: Node, args: &[Value]) -> Result<Value> {
    use LooseJson as J;
    match function {
        J::Set | J::Insert | J::Replace => {
            let puts = Puts { over: function != J::Insert, anew: function != J::Replace };
            for pair in args.chunks(2) {
                let [at, value] = pair else { return unsupported("a path without a value") };
                if at.is_null() {
                    return Ok(Value::Null);
                }
                let path = steps(at)?;
                if path.is_empty() {
                    return unsupported("a change of all of a document");
                }
                refuse_wrapping(&node, &path)?;
                change::put(&mut node, &path, &read_again(value)?, puts);
            }
        }
        J::ArrayAppend => {
            for pair in args.chunks(2) {
                let [at, value] = pair else { return unsupported("a path without a value") };
                if at.is_null() {
                    return Ok(Value::Null);
                }
                let path = steps(at)?;
                refuse_wrapping(&node, &path)?;
                if !change::append(&mut node, &path, &read_again(value)?) {
                    return unsupported("JSON_ARRAY_APPEND where there is nothing");
                }
            }
        }
        J::Remove => {
            for at in args {
                let path = steps(at)?;
                if path.is_empty() {
                    return unsupported("a change of all of a document");
                }
                refuse_wrapping(&node, &path)?;
                change::remove(&mut node, &path);
            }
        }
        J::MergePatch => {
            for patch in args {
                node = change::merge_patch(node, parsed(text_in(patch)?)?);
            }
        }
        _ => return unsupported("this change of JSON"),
    }
    again(&node)
}

fn text(text: &str) -> Value {
    Value::text(text)
}

fn truth(truth: bool) -> Value {
    Value::Int(i64::from(truth))
}

fn count(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn text_in(value: &Value) -> Result<&str> {
    match value {
        Value::Text(text) => Ok(text),
        _ => unsupported("a function of JSON of something that is not a text"),
    }
}

fn parsed(text: &str) -> Result<Node> {
    match Node::parse(text) {
        Some(node) => Ok(node),
        None => unsupported("a text that may not be JSON, or has a name twice"),
    }
}

/// A document that was put together is read again, as the server does.
fn again(node: &Node) -> Result<Value> {
    Ok(text(&parsed(&node.loose())?.loose()))
}

fn steps(path: &Value) -> Result<Vec<Step>> {
    let path = text_in(path)?;
    match path::read(path) {
        Some(steps) => Ok(steps),
        None => unsupported(format!("the path {path}")),
    }
}

fn refuse_wrapping(node: &Node, path: &[Step]) -> Result<()> {
    match path::wraps(node, path) {
        true => unsupported("an index of something that is not an array"),
        false => Ok(()),
    }
}

fn found<'n>(node: &'n Node, at: &Value) -> Result<Option<&'n Node>> {
    let path = steps(at)?;
    refuse_wrapping(node, &path)?;
    Ok(path::find(node, &path))
}

/// What a path leads to, or all if there is none.
fn inside<'n>(node: &'n Node, args: &[Value]) -> Result<Option<&'n Node>> {
    match args.first() {
        Some(at) => found(node, at),
        None => Ok(Some(node)),
    }
}

fn valid(value: &Value) -> Result<Value> {
    let written = text_in(value)?;
    match (Node::parse(written).is_some(), surely_broken(written)) {
        (true, _) => Ok(truth(true)),
        (false, true) => Ok(truth(false)),
        (false, false) => unsupported("a text that may not be JSON"),
    }
}

fn plain_text(string: &str) -> Result<String> {
    match Node::unquoted(string) {
        Some(text) => Ok(text),
        None => unsupported("an escape in a JSON string"),
    }
}

fn unquote(written: &str) -> Result<Value> {
    if !written.trim_start().starts_with('"') {
        return Ok(text(written));
    }
    match Node::parse(written) {
        Some(Node::Quoted(string)) => Ok(text(&plain_text(&string)?)),
        _ => unsupported("a quoted text that is not JSON"),
    }
}

/// One path gives a value; several give an array of those that are there, in the order of the document.
fn extract(document: &str, node: &Node, paths: &[Value]) -> Result<Value> {
    let mut all = Vec::new();
    let mut places = Vec::new();
    for at in paths {
        if let Some(one) = found(node, at)? {
            all.push(one.clone());
            let slice = Node::slice(document, &steps(at)?).unwrap_or_default();
            places.push(slice.as_ptr() as usize);
        }
    }
    if !places.is_sorted_by(|a, b| a < b) {
        return unsupported("JSON_EXTRACT with paths that are not in the order of the document");
    }
    Ok(match (paths.len(), all.pop()) {
        (_, None) => Value::Null,
        (1, Some(one)) => text(&one.loose()),
        (_, Some(last)) => {
            all.push(last);
            text(&Node::Array(all).loose())
        }
    })
}

/// A value of SQL as JSON; a text is JSON already if binding has made it so.
fn embedded(value: &Value, boolean: bool) -> Result<Option<Node>> {
    Ok(Some(match value {
        Value::Null => return Ok(None),
        Value::Int(number) if boolean => Node::Plain((*number != 0).to_string()),
        Value::Int(number) => Node::Plain(number.to_string()),
        Value::Large(number) => Node::Plain(number.to_string()),
        Value::Decimal(number) => Node::Plain(number.to_string()),
        Value::Text(text) => Node::Quoted(quoted(text)),
        _ => return unsupported("this value in JSON"),
    }))
}

/// A text of JSON that becomes a part of another one, as it is written.
fn element(value: &Value) -> Result<Node> {
    match value {
        Value::Null => Ok(Node::Plain("null".to_owned())),
        other => Ok(Node::Raw(text_in(other)?.to_owned())),
    }
}

/// The same, read, because a later path may lead into it.
fn read_again(value: &Value) -> Result<Node> {
    parsed(&element(value)?.loose())
}

fn object(args: &[Value]) -> Result<Value> {
    let mut members = Vec::new();
    for pair in args.chunks(2) {
        let [name, value] = pair else { return unsupported("a name without a value") };
        if name.is_null() {
            return unsupported("a name that is NULL");
        }
        let name = quoted(text_in(name)?);
        members.push((name[1..name.len() - 1].to_owned(), element(value)?));
    }
    Ok(text(&Node::Object(members).loose()))
}

/// Only scalars are looked for, and objects of scalars.
fn contains_at(node: &Node, args: &[Value]) -> Result<Value> {
    let part = parsed(text_in(&args[0])?)?;
    let place = inside(node, &args[1..])?;
    match place {
        Some(place) => Ok(truth(contains(place, &part)?)),
        None => Ok(truth(false)),
    }
}

fn contains(node: &Node, part: &Node) -> Result<bool> {
    match (node, part) {
        (Node::Array(elements), part) if part.is_scalar() => {
            if !elements.iter().all(Node::is_scalar) {
                return unsupported("JSON_CONTAINS in nested arrays");
            }
            for element in elements {
                if same(element, part)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (Node::Object(members), Node::Object(wanted)) => {
            for (name, value) in wanted {
                let Some((_, member)) = members.iter().find(|(known, _)| known == name) else {
                    return Ok(false);
                };
                if !contains(member, value)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (node, part) if node.is_scalar() && part.is_scalar() => same(node, part),
        (Node::Object(_), part) if part.is_scalar() => Ok(false),
        _ => unsupported("JSON_CONTAINS of arrays"),
    }
}

fn same(a: &Node, b: &Node) -> Result<bool> {
    match (a, b) {
        (Node::Quoted(a), Node::Quoted(b)) => Ok(plain_text(a)? == plain_text(b)?),
        (Node::Plain(a), Node::Plain(b)) => match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(x), Ok(y)) if a == b || x != y => Ok(x == y),
            (Ok(_), Ok(_)) => unsupported("equal numbers that are written in different ways"),
            _ => Ok(a == b),
        },
        _ => Ok(false),
    }
}

fn contains_path(node: &Node, args: &[Value]) -> Result<Value> {
    let Some((mode, paths)) = args.split_first() else { return unsupported("no paths") };
    let mut there = Vec::new();
    for at in paths {
        there.push(found(node, at)?.is_some());
    }
    match text_in(mode)?.to_ascii_lowercase().as_str() {
        "one" => Ok(truth(there.contains(&true))),
        "all" => Ok(truth(!there.contains(&false))),
        other => unsupported(format!("JSON_CONTAINS_PATH with {other}")),
    }
}

fn length(node: Option<&Node>) -> Value {
    match node {
        None => Value::Null,
        Some(Node::Array(elements)) => count(elements.len()),
        Some(Node::Object(members)) => count(members.len()),
        Some(_) => count(1),
    }
}

fn kind(node: &Node) -> Result<&'static str> {
    Ok(match node {
        Node::Object(_) => "OBJECT",
        Node::Array(_) => "ARRAY",
        Node::Quoted(_) => "STRING",
        Node::Plain(word) => match word.as_str() {
            "true" | "false" => "BOOLEAN",
            "null" => "NULL",
            number if number.contains(['e', 'E']) => return unsupported("the type of a power"),
            number if number.contains('.') => "DOUBLE",
            _ => "INTEGER",
        },
        Node::Raw(_) => return unsupported("this function of JSON"),
    })
}

fn depth(node: &Node) -> usize {
    match node {
        Node::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        Node::Object(members) => {
            1 + members.iter().map(|(_, member)| depth(member)).max().unwrap_or(0)
        }
        _ => 1,
    }
}

/// `JSON_SEARCH(json, 'one', text)` for a plain text.
fn search(node: &Node, args: &[Value]) -> Result<Value> {
    let [mode, wanted] = args else { return unsupported("JSON_SEARCH with paths") };
    let wanted = text_in(wanted)?;
    if !text_in(mode)?.eq_ignore_ascii_case("one") || wanted.contains(['%', '_', '\\']) {
        return unsupported("JSON_SEARCH for a pattern, or for all");
    }
    let mut at = String::from("$");
    match seek(node, wanted, &mut at)? {
        true => Ok(text(&format!("\"{at}\""))),
        false => Ok(Value::Null),
    }
}

/// Finds the first string that is equal; leaves its path behind.
fn seek(node: &Node, wanted: &str, at: &mut String) -> Result<bool> {
    let before = at.len();
    match node {
        Node::Quoted(string) => {
            let found = plain_text(string)?;
            if found != wanted && (found.eq_ignore_ascii_case(wanted) || !found.is_ascii()) {
                return unsupported("JSON_SEARCH among texts that differ in case");
            }
            return Ok(found == wanted);
        }
        Node::Array(elements) => {
            for (place, element) in elements.iter().enumerate() {
                at.push_str(&format!("[{place}]"));
                if seek(element, wanted, at)? {
                    return Ok(true);
                }
                at.truncate(before);
            }
        }
        Node::Object(members) => {
            for (name, member) in members {
                if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                    return unsupported("JSON_SEARCH among such names");
                }
                at.push_str(&format!(".{name}"));
                if seek(member, wanted, at)? {
                    return Ok(true);
                }
                at.truncate(before);
            }
        }
        Node::Plain(word) => {
            let is_word = matches!(word.as_str(), "true" | "false" | "null");
            if is_word && word.eq_ignore_ascii_case(wanted) {
                return unsupported("JSON_SEARCH for true, false or null");
            }
            return Ok(word == wanted);
        }
        Node::Raw(_) => {}
    }
    Ok(false)
}
