//! Reads forms, in EDN or in JSON; the first map shows which.
//!
//! Both are brackets, texts and words. They differ in what stands between: in EDN, blanks (a comma is
//! one), in JSON, exactly one comma or colon.

use std::io::Read;

use super::form::{Form, Syntax};
use super::strings::string;
use super::text::{ElleError, Place, Text};
use crate::TraceError;
use crate::error::quote;

/// How many brackets may be open at once.
const DEEPEST: usize = 64;

/// Forms being read.
pub(super) struct Parser<'a, R> {
    pub(super) text: Text<'a, R>,
    /// Unknown before the first map.
    syntax: Option<Syntax>,
    depth: usize,
}

/// A bracket that is open.
#[derive(Clone, Copy)]
pub(super) struct Bracket {
    at: Place,
    open: u8,
    pub(super) close: u8,
}

impl<'a, R: Read> Parser<'a, R> {
    pub(super) fn new(text: Text<'a, R>) -> Self {
        Self { text, syntax: None, depth: 0 }
    }

    /// How the history is written; EDN as long as nothing else was seen.
    pub(super) fn syntax(&self) -> Syntax {
        self.syntax.unwrap_or(Syntax::Edn)
    }

    /// Passes over what means nothing.
    pub(super) fn blanks(&mut self) -> Result<(), TraceError> {
        let json = self.syntax() == Syntax::Json;
        loop {
            self.text.skip_while(|byte| is_blank(byte) && !(json && byte == b','))?;
            match self.text.peek()? {
                Some(b';') if !json => self.text.skip_while(|byte| byte != b'\n')?,
                _ => return Ok(()),
            }
        }
    }

    /// Takes an opening bracket.
    pub(super) fn open(&mut self, close: u8) -> Result<Bracket, TraceError> {
        let at = self.text.place();
        let open = self.text.peek()?.unwrap_or_default();
        self.text.take();
        Ok(Bracket { at, open, close })
    }

    /// Takes the closing bracket if it comes next; any other one is wrong, and so is the end.
    pub(super) fn closes(&mut self, bracket: Bracket) -> Result<bool, ElleError> {
        let line = self.text.place().line;
        let expected = || {
            let [open, close] = [bracket.open, bracket.close].map(char::from);
            format!("\"{close}\" to close the \"{open}\" {}", bracket.at.seen_from(line))
        };
        match self.text.peek()? {
            None => Err(ElleError::CutOff(self.text.wrong("the end of the file", &expected()))),
            Some(byte) if byte == bracket.close => {
                self.text.take();
                Ok(true)
            }
            Some(byte @ (b']' | b'}' | b')')) => Err(self.unexpected(byte, &expected()).into()),
            Some(_) => Ok(false),
        }
    }

    /// Reads one form; `None` if it is only there to be ignored (`#_form`).
    pub(super) fn item(&mut self) -> Result<Option<Form>, ElleError> {
        let edn = self.syntax() == Syntax::Edn;
        match self.text.peek()? {
            Some(b'[') => Ok(Some(Form::List(self.sequence(b']')?))),
            Some(b'(') if edn => Ok(Some(Form::List(self.sequence(b')')?))),
            Some(b'{') => self.map().map(Some),
            Some(b'"') => Ok(Some(Form::Text(string(&mut self.text, edn)?.into()))),
            Some(b'#') if edn => self.dispatch(),
            Some(b'\\') if edn => self.character().map(Some),
            Some(byte) if ends_word(byte, edn) => Err(self.unexpected(byte, "a value").into()),
            Some(_) => self.word().map(Some),
            None => Err(ElleError::CutOff(self.text.wrong("the end of the file", "a value"))),
        }
    }

    /// A complaint about the next byte.
    pub(super) fn unexpected(&self, byte: u8, expected: &str) -> TraceError {
        let line = self.text.place().line;
        let found = match byte {
            b'!'..=b'~' => format!("\"{}\"", char::from(byte)),
            _ => format!("byte 0x{byte:02x}"),
        };
        self.text.wrong(&format!("{found} {}", self.text.place().seen_from(line)), expected)
    }

    /// Reads one form that is not to be ignored.
    fn form(&mut self) -> Result<Form, ElleError> {
        loop {
            self.blanks()?;
            if let Some(form) = self.item()? {
                return Ok(form);
            }
        }
    }

    /// Reads the forms up to a closing bracket, and the brackets.
    fn sequence(&mut self, close: u8) -> Result<Vec<Form>, ElleError> {
        self.deeper()?;
        let bracket = self.open(close)?;
        let mut items = Vec::new();
        self.blanks()?;
        while !self.closes(bracket)? {
            if !items.is_empty() {
                self.separator(bracket)?;
            }
            items.extend(self.item()?);
            self.blanks()?;
        }
        self.depth -= 1;
        Ok(items)
    }

    /// Takes the comma that JSON wants between two items.
    pub(super) fn separator(&mut self, bracket: Bracket) -> Result<(), ElleError> {
        if self.syntax() == Syntax::Json {
            let expected = format!("\",\" or \"{}\"", char::from(bracket.close));
            self.punctuation(b',', &expected)?;
            self.blanks()?;
        }
        Ok(())
    }

    fn map(&mut self) -> Result<Form, ElleError> {
        self.deeper()?;
        let bracket = self.open(b'}')?;
        self.blanks()?;
        if self.syntax.is_none() {
            let json = self.text.peek()? == Some(b'"');
            self.syntax = Some(if json { Syntax::Json } else { Syntax::Edn });
        }
        let pairs = match self.syntax() {
            Syntax::Edn => self.edn_pairs(bracket)?,
            Syntax::Json => self.json_pairs(bracket)?,
        };
        self.depth -= 1;
        Ok(Form::Map(pairs))
    }

    fn edn_pairs(&mut self, bracket: Bracket) -> Result<Vec<(Form, Form)>, ElleError> {
        let mut pairs = Vec::new();
        let mut key = None;
        while !self.closes(bracket)? {
            if let Some(form) = self.item()? {
                match key.take() {
                    None => key = Some(form),
                    Some(key) => pairs.push((key, form)),
                }
            }
            self.blanks()?;
        }
        let Some(key) = key else { return Ok(pairs) };
        let line = self.text.place().line;
        let found = format!(
            "{} without a value in the map {}",
            quote(&Syntax::Edn.show(&key)),
            bracket.at.seen_from(line)
        );
        Err(self.text.wrong(&found, "a value for every key").into())
    }

    fn json_pairs(&mut self, bracket: Bracket) -> Result<Vec<(Form, Form)>, ElleError> {
        let mut pairs = Vec::new();
        while !self.closes(bracket)? {
            if !pairs.is_empty() {
                self.separator(bracket)?;
            }
            match self.text.peek()? {
                Some(b'"') => {}
                Some(byte) => return Err(self.unexpected(byte, "a name in quotes").into()),
                None => continue,
            }
            let name = Form::Text(string(&mut self.text, false)?.into());
            self.blanks()?;
            self.punctuation(b':', "\":\" after a name")?;
            pairs.push((name, self.form()?));
            self.blanks()?;
        }
        Ok(pairs)
    }

    fn punctuation(&mut self, wanted: u8, expected: &str) -> Result<(), ElleError> {
        match self.text.peek()? {
            Some(byte) if byte == wanted => {
                self.text.take();
                Ok(())
            }
            Some(byte) => Err(self.unexpected(byte, expected).into()),
            None => Err(ElleError::CutOff(self.text.wrong("the end of the file", expected))),
        }
    }

    /// Reads what a `#` starts: a set, an ignored form, or a form with a tag, which is dropped.
    fn dispatch(&mut self) -> Result<Option<Form>, ElleError> {
        self.text.take();
        if self.text.peek()? == Some(b'{') {
            return Ok(Some(Form::Set(self.sequence(b'}')?)));
        }
        self.deeper()?;
        let ignored = self.text.take_if(b'_')?;
        if !ignored && self.text.take_while(|byte| !ends_word(byte, true))?.is_empty() {
            return match self.text.peek()? {
                Some(byte) => Err(self.unexpected(byte, "a tag after \"#\"").into()),
                None => Err(ElleError::CutOff(self.text.wrong("the end of the file", "a tag"))),
            };
        }
        let form = self.form()?;
        self.depth -= 1;
        Ok((!ignored).then_some(form))
    }

    /// Reads a character like `\a` or `\newline`.
    fn character(&mut self) -> Result<Form, ElleError> {
        let at = self.text.place();
        self.text.take();
        let mut bytes = vec![b'\\'];
        if let Some(first) = self.text.peek()? {
            bytes.push(first);
            self.text.take();
        }
        bytes.extend(self.text.take_while(|byte| !ends_word(byte, true))?);
        Ok(Form::Other(self.text.utf8(bytes, at)?.into()))
    }

    /// Reads a number, a keyword or a symbol; at the end of the file it may be half of one.
    fn word(&mut self) -> Result<Form, ElleError> {
        let edn = self.syntax() == Syntax::Edn;
        let at = self.text.place();
        let bytes = self.text.take_while(|byte| !ends_word(byte, edn))?;
        let word = self.text.utf8(bytes, at)?;
        let stop = if self.text.peek()?.is_none() { ElleError::CutOff } else { ElleError::Wrong };
        let understood = if edn { edn_word(&word) } else { json_word(&word) };
        understood.ok_or_else(|| {
            let found = format!("{} {}", quote(&word), at.seen_from(at.line));
            let expected = if edn { "a form of EDN" } else { "a JSON value" };
            stop(TraceError::content(self.text.file(), at.line, &found, expected))
        })
    }

    fn deeper(&mut self) -> Result<(), TraceError> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let place = self.text.place();
        let found = format!("brackets within brackets {}", place.seen_from(place.line));
        Err(self.text.wrong(&found, &format!("at most {DEEPEST} of them")))
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b','
}

fn ends_word(byte: u8, edn: bool) -> bool {
    let closes = matches!(byte, b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'"' | b';');
    closes || is_blank(byte) || (!edn && byte == b':')
}

fn edn_word(word: &str) -> Option<Form> {
    if word == "nil" {
        return Some(Form::Nil);
    }
    if let Some(keyword) = word.strip_prefix(':') {
        let named = !keyword.is_empty() && !keyword.starts_with(':');
        return named.then(|| Form::Keyword(keyword.into()));
    }
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if !unsigned.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Some(Form::Other(word.into()));
    }
    integer(word.strip_suffix('N').unwrap_or(word)).or_else(|| {
        let is_ratio = |(over, under): (&str, &str)| all_digits(over) && all_digits(under);
        let exact = unsigned.strip_suffix(['M', 'N']).unwrap_or(unsigned);
        let number = exact.parse::<f64>().is_ok() || exact.split_once('/').is_some_and(is_ratio);
        number.then(|| Form::Other(word.into()))
    })
}

fn json_word(word: &str) -> Option<Form> {
    match word {
        "null" => return Some(Form::Nil),
        "true" | "false" => return Some(Form::Other(word.into())),
        _ => {}
    }
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let starts = unsigned.starts_with(|letter: char| letter.is_ascii_digit());
    let number = || (starts && unsigned.parse::<f64>().is_ok()).then(|| Form::Other(word.into()));
    integer(word).filter(|_| starts).or_else(number)
}

/// An integer of 64 bits. In Clojure a zero in front means something else.
fn integer(word: &str) -> Option<Form> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let plain = all_digits(digits) && (digits == "0" || !digits.starts_with('0'));
    let number: i128 = plain.then(|| word.parse().ok())??;
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number).then_some(Form::Int(number))
}

fn all_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}
