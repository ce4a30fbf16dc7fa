//! A piece of a YAML document, whichever style it is written in.

/// How deep things may lie in each other; histories need five levels.
pub(super) const DEEPEST: usize = 16;

/// A piece of the document.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: u32,
    pub(super) content: Content,
}

/// What a piece is.
#[derive(Debug)]
pub(super) enum Content {
    List(Vec<Node>),
    /// Names with their lines and values.
    Mapping(Vec<(u32, String, Node)>),
    /// Anything else; empty where nothing stands.
    Word(String),
}

/// A word without the quotes around it.
pub(super) fn unquoted(word: &str) -> &str {
    let word = word.trim_end();
    let quoted = |quote| word.strip_prefix(quote).and_then(|word| word.strip_suffix(quote));
    quoted('"').or_else(|| quoted('\'')).unwrap_or(word)
}
