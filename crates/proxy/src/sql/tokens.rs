//! SQL text → tokens. Comments and white space are left out; what cannot be understood becomes
//! symbols, so that every text has tokens.
//!
//! | | PostgreSQL | MySQL |
//! |---|---|---|
//! | names in quotes | `"name"` | `` `name` `` |
//! | texts | `'it''s'`, `E'it\'s'`, `$tag$it's$tag$` | `'it\'s'`, `"it's"` |
//! | parameters | `$1` | `?` |
//! | comments | `--`, `/* /* nested */ */` | `-- `, `#`, `/* */`; what is in `/*! */` counts |

use crate::protocol::Protocol;

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// What it is.
    pub(crate) kind: TokenKind<'a>,
    /// Where it starts.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind<'a> {
    /// A keyword or a name.
    Word(&'a str),
    /// A name in quotes.
    Quoted(String),
    Number(&'a str),
    /// A string in quotes, without them.
    Text(String),
    /// A parameter, counted from 0.
    Param(usize),
    /// Anything else; `::` is one symbol.
    Symbol(&'a str),
}

/// The tokens of a text.
pub(crate) fn tokens(text: &str, protocol: Protocol) -> Vec<Token<'_>> {
    let mut scanner = Scanner { text, at: 0, protocol, params: 0 };
    std::iter::from_fn(|| scanner.next()).collect()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    protocol: Protocol,
    /// How many parameters without a number there were.
    params: usize,
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blank();
        let start = self.at;
        let kind = self.kind()?;
        Some(Token { kind, start, end: self.at })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_mysql(&self) -> bool {
        self.protocol == Protocol::MySql
    }

    /// Moves on over so many bytes and returns them.
    fn take(&mut self, count: usize) -> &'a str {
        let taken = &self.rest()[..count];
        self.at += count;
        taken
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(|letter| !fits(letter)).unwrap_or(rest.len()))
    }

    /// Moves on behind the next occurrence, or to the end.
    fn skip_past(&mut self, what: &str) {
        let rest = self.rest();
        self.at += rest.find(what).map_or(rest.len(), |place| place + what.len());
    }

    fn skip_blank(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            let rest = self.rest();
            let mysql = self.is_mysql();
            if rest.starts_with("--") && (!mysql || is_dash_comment(rest))
                || mysql && rest.starts_with('#')
            {
                self.skip_past("\n");
            } else if mysql && (rest.starts_with("/*!") || rest.starts_with("/*M!")) {
                self.take_while(|letter| letter != '!');
                self.take(1);
                self.take_while(|letter| letter.is_ascii_digit());
            } else if mysql && rest.starts_with("*/") {
                self.take(2);
            } else if rest.starts_with("/*") {
                self.skip_comment();
            } else {
                return;
            }
        }
    }

    fn skip_comment(&mut self) {
        self.take(2);
        let mut depth = 1;
        while depth > 0 && !self.rest().is_empty() {
            if self.rest().starts_with("*/") {
                self.take(2);
                depth -= 1;
            } else if self.rest().starts_with("/*") && !self.is_mysql() {
                self.take(2);
                depth += 1;
            } else {
                self.take_letter();
            }
        }
    }

    fn take_letter(&mut self) -> Option<char> {
        let letter = self.rest().chars().next()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn kind(&mut self) -> Option<TokenKind<'a>> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        Some(match first {
            '\'' => TokenKind::Text(self.quoted('\'', self.is_mysql())),
            '"' if self.is_mysql() => TokenKind::Text(self.quoted('"', true)),
            '"' => TokenKind::Quoted(self.quoted('"', false)),
            '`' if self.is_mysql() => TokenKind::Quoted(self.quoted('`', false)),
            '?' if self.is_mysql() => {
                self.take(1);
                self.params += 1;
                TokenKind::Param(self.params - 1)
            }
            '$' if !self.is_mysql() => self.dollar(),
            _ if first.is_ascii_digit() => TokenKind::Number(self.number()),
            '.' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => {
                TokenKind::Number(self.number())
            }
            _ if is_word(first) => self.word(),
            _ if rest.starts_with("::") => TokenKind::Symbol(self.take(2)),
            _ => TokenKind::Symbol(self.take(first.len_utf8())),
        })
    }

    fn word(&mut self) -> TokenKind<'a> {
        let word =
            self.take_while(|letter| is_word(letter) || letter.is_ascii_digit() || letter == '$');
        let quote = self.rest().starts_with('\'');
        match word {
            "E" | "e" if quote && !self.is_mysql() => TokenKind::Text(self.quoted('\'', true)),
            "N" | "n" if quote => TokenKind::Text(self.quoted('\'', self.is_mysql())),
            _ => TokenKind::Word(word),
        }
    }

    fn number(&mut self) -> &'a str {
        let start = self.at;
        self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '.' || letter == '_');
        let exponent = self.text[start..self.at].ends_with(['e', 'E']);
        if exponent && self.rest().starts_with(['+', '-']) {
            self.take(1);
            self.take_while(|letter| letter.is_ascii_digit());
        }
        &self.text[start..self.at]
    }

    /// A parameter, or a text between two tags.
    fn dollar(&mut self) -> TokenKind<'a> {
        self.take(1);
        let name = self.take_while(|letter| is_word(letter) || letter.is_ascii_digit());
        if let Some(number) = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
            return TokenKind::Param(number);
        }
        if !self.rest().starts_with('$') {
            return TokenKind::Symbol("$");
        }
        self.take(1);
        let tag = format!("${name}$");
        let start = self.at;
        self.skip_past(&tag);
        let text = &self.text[start..self.at];
        TokenKind::Text(text.strip_suffix(&tag).unwrap_or(text).to_owned())
    }

    /// What is between quotes; a doubled quote is one, and maybe `\` is special.
    fn quoted(&mut self, quote: char, backslash: bool) -> String {
        self.take(1);
        let mut inside = String::new();
        while let Some(letter) = self.take_letter() {
            if letter == quote {
                if !self.rest().starts_with(quote) {
                    break;
                }
                self.take(1);
                inside.push(quote);
            } else if letter == '\\' && backslash {
                inside.extend(self.take_letter().map(unescaped));
            } else {
                inside.push(letter);
            }
        }
        inside
    }
}

/// In MySQL two dashes need a blank behind them.
fn is_dash_comment(rest: &str) -> bool {
    rest[2..].chars().next().is_none_or(char::is_whitespace)
}

fn is_word(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_' || letter == '@'
}

fn unescaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        '0' => '\0',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, protocol: Protocol) -> Vec<TokenKind<'_>> {
        tokens(text, protocol).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn postgres() {
        use TokenKind::*;
        let text = r#"select "Ab""c", e'it\'s', $tag$ $1; $tag$, $2::int -- no
            /* a /* b */ c */ from s.t where x >= 1.5e-3"#;
        let expected = vec![
            Word("select"),
            Quoted("Ab\"c".into()),
            Symbol(","),
            Text("it's".into()),
            Symbol(","),
            Text(" $1; ".into()),
            Symbol(","),
            Param(1),
            Symbol("::"),
            Word("int"),
            Word("from"),
            Word("s"),
            Symbol("."),
            Word("t"),
            Word("where"),
            Word("x"),
            Symbol(">"),
            Symbol("="),
            Number("1.5e-3"),
        ];
        assert_eq!(kinds(text, Protocol::Postgres), expected);
    }

    #[test]
    fn mysql() {
        use TokenKind::*;
        let text = "/*!40000 set */ @@a = ? # no\n, `b``c` = \"x\\\"y\", 1--1, ?";
        let expected = vec![
            Word("set"),
            Word("@@a"),
            Symbol("="),
            Param(0),
            Symbol(","),
            Quoted("b`c".into()),
            Symbol("="),
            Text("x\"y".into()),
            Symbol(","),
            Number("1"),
            Symbol("-"),
            Symbol("-"),
            Number("1"),
            Symbol(","),
            Param(1),
        ];
        assert_eq!(kinds(text, Protocol::MySql), expected);
    }

    #[test]
    fn every_text_has_an_end() {
        for text in
            ["'", "\"é", "$a$ x", "/* /*", "E'\\", "$", "`", "--", "é€'", "$99999999999999999999"]
        {
            for protocol in Protocol::ALL {
                let tokens = tokens(text, protocol);
                assert!(tokens.iter().all(|token| token.end <= text.len()), "{text}");
            }
        }
    }
}
