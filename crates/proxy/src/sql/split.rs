//! Where one statement ends and the next begins.

use super::words::has_word;
use super::{Token, TokenKind, Words, tokens};
use crate::protocol::Protocol;

/// One statement of a text.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    /// Its text, without what separates it from others.
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token<'a>>,
}

/// The statements of a text. A text that defines a routine with a body of its own is one
/// statement, whatever is in it.
pub(crate) fn split(text: &str, protocol: Protocol) -> Vec<Part<'_>> {
    let mut all = tokens(text, protocol);
    if has_body(&all) {
        return part(text, std::mem::take(&mut all)).into_iter().collect();
    }
    let mut parts = Vec::new();
    let mut current = Vec::new();
    for token in all {
        match token.kind {
            TokenKind::Symbol(";") => parts.extend(part(text, std::mem::take(&mut current))),
            _ => current.push(token),
        }
    }
    parts.extend(part(text, current));
    parts
}

fn part<'a>(text: &'a str, tokens: Vec<Token<'a>>) -> Option<Part<'a>> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some(Part { text: &text[first.start..last.end], tokens })
}

fn has_body(tokens: &[Token<'_>]) -> bool {
    let mut words = Words::new(tokens);
    if words.eat("begin not atomic") {
        return true;
    }
    let routines = ["procedure", "function", "trigger", "event", "package"];
    words.eat("create")
        && has_word(tokens, "begin")
        && routines.iter().any(|routine| has_word(tokens, routine))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, protocol: Protocol) -> Vec<&str> {
        split(text, protocol).into_iter().map(|part| part.text).collect()
    }

    #[test]
    fn only_semicolons_outside_of_texts_count() {
        let text = " begin; select ';', $$a;b$$ /*;*/;; commit -- ;\n";
        assert_eq!(texts(text, Protocol::Postgres), ["begin", "select ';', $$a;b$$", "commit"]);
        assert_eq!(texts("; ;", Protocol::MySql), [""; 0]);
        let routine = "create procedure p() begin select 1; select 2; end";
        assert_eq!(texts(routine, Protocol::MySql), [routine]);
    }
}
