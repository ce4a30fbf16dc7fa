//! What EDN and JSON can say, as far as histories need to tell it apart.

use std::fmt;

/// A piece of data as written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `nil`, `null`.
    Nil,
    /// An integer of 64 bits, signed or not.
    Int(i128),
    /// `"text"`
    Text(Box<str>),
    /// `:keyword`, without the colon.
    Keyword(Box<str>),
    /// A number that is no such integer, a truth value, a symbol, a character.
    Other(Box<str>),
    /// `[…]` or `(…)`
    List(Vec<Form>),
    /// `#{…}`
    Set(Vec<Form>),
    /// `{…}`
    Map(Vec<(Form, Form)>),
}

impl Form {
    /// The word that a keyword or a string is.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Text(word) | Self::Keyword(word) => Some(word),
            _ => None,
        }
    }

    /// How a person would say it: words are themselves.
    pub(super) fn spoken(&self, syntax: Syntax) -> String {
        self.word().map_or_else(|| syntax.show(self), str::to_owned)
    }
}

/// The two ways to write a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Edn,
    Json,
}

impl Syntax {
    /// A word that both know, such as the name of a field.
    pub(super) fn name(self, word: &str) -> String {
        match self {
            Self::Edn => format!(":{word}"),
            Self::Json => format!("\"{word}\""),
        }
    }

    /// A form as it is written.
    pub(super) fn show(self, form: &Form) -> String {
        Shown { form, syntax: self }.to_string()
    }
}

/// A form with the way to write it.
struct Shown<'a> {
    form: &'a Form,
    syntax: Syntax,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nil = if self.syntax == Syntax::Json { "null" } else { "nil" };
        match self.form {
            Form::Nil => out.write_str(nil),
            Form::Int(number) => write!(out, "{number}"),
            Form::Text(text) => {
                write!(out, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            }
            Form::Keyword(word) => write!(out, ":{word}"),
            Form::Other(written) => out.write_str(written),
            Form::List(items) => self.items("[", items, "]", out),
            Form::Set(items) => self.items("#{", items, "}", out),
            Form::Map(pairs) => self.pairs(pairs, out),
        }
    }
}

impl Shown<'_> {
    fn within<'a>(&self, form: &'a Form) -> Shown<'a> {
        Shown { form, syntax: self.syntax }
    }

    fn items(
        &self,
        open: &str,
        items: &[Form],
        close: &str,
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let between = if self.syntax == Syntax::Json { "," } else { " " };
        out.write_str(open)?;
        for (place, item) in items.iter().enumerate() {
            write!(out, "{}{}", if place > 0 { between } else { "" }, self.within(item))?;
        }
        out.write_str(close)
    }

    fn pairs(&self, pairs: &[(Form, Form)], out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (between, inside) = if self.syntax == Syntax::Json { (",", ":") } else { (", ", " ") };
        out.write_str("{")?;
        for (place, (key, value)) in pairs.iter().enumerate() {
            let (key, value) = (self.within(key), self.within(value));
            write!(out, "{}{key}{inside}{value}", if place > 0 { between } else { "" })?;
        }
        out.write_str("}")
    }
}
