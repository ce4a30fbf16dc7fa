//! Words into lines: wrapping, folding, padding, colours.

use tristan_history::is_treacherous;

use crate::Style;

/// Colours that mean something; the words around them say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    /// It holds.
    Good,
    /// It is violated.
    Bad,
    /// The answer is unknown.
    Open,
    /// Secondary.
    Faint,
}

/// Puts a colour on text, if the style has any.
pub(crate) fn paint(style: Style, colour: Colour, text: &str) -> String {
    if !style.colour {
        return text.to_owned();
    }
    // Blue and orange-red are told apart by colour-blind readers, green and red are not.
    let code = match colour {
        Colour::Good => "1;34",
        Colour::Bad => "1;31",
        Colour::Open => "1;33",
        Colour::Faint => "2",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

/// Cuts the middle out of a long text and hides treacherous letters.
pub fn fold(text: &str, longest: usize) -> String {
    let hidden = |letter| if is_treacherous(letter) { '\u{fffd}' } else { letter };
    let letters: Vec<char> = text.chars().map(hidden).collect();
    if letters.len() <= longest {
        return letters.into_iter().collect();
    }
    let tail = longest / 3;
    let head = longest.saturating_sub(tail + 1);
    let parts = letters[..head].iter().chain(&['…']);
    parts.chain(&letters[letters.len() - tail..]).collect()
}

/// Text padded with spaces to a number of columns.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// The number of columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Appends `first` and then `text`, broken at spaces so that it fits; further lines are
/// indented to where the text began.
pub fn paragraph(out: &mut String, style: Style, first: &str, text: &str) {
    let indent = width(first);
    // A very narrow terminal still gets lines of a readable length.
    let room = style.width.saturating_sub(indent).max(30);
    let mut column = 0;
    // A no-break space holds words together; it must not appear in the output.
    let plain = |text: &str| text.replace('\u{a0}', " ");
    out.push_str(&plain(first));
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = width(word);
        if column > 0 && column + 1 + length > room {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(&plain(word));
        column += length;
    }
    while out.ends_with(' ') {
        out.pop();
    }
    out.push('\n');
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listing(items: &[String], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} {conjunction} {last}", most.join(", ")),
    }
}

/// A count with its noun: `1 key`, `2 keys`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_lose_their_middle() {
        assert_eq!(fold("short", 10), "short");
        assert_eq!(fold("0123456789abcdef", 10), "012345…def");
        assert_eq!(fold("a\u{1b}[31mb", 20), "a\u{fffd}[31mb");
    }

    #[test]
    fn paragraphs_hang_under_their_first_word() {
        let mut out = String::new();
        paragraph(&mut out, Style { width: 40, colour: false }, "  1  ", &"word ".repeat(12));
        assert_eq!(out, "  1  word word word word word word word\n     word word word word word\n");
    }

    #[test]
    fn lists_read_like_sentences() {
        let items = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(listing(&items(1), "or"), "0");
        assert_eq!(listing(&items(3), "or"), "0, 1 or 2");
    }
}
