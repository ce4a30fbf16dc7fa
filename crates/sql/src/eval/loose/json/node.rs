//! JSON as MariaDB keeps it: a text, whose numbers and strings stay as they are written.
//!
//! Two parsers draw the line. The strict one reads what RFC 8259 calls JSON, without names that occur twice or have
//! escapes, because the server's functions do not agree on those. The lenient one, [`surely_broken`], only looks at
//! the structure: what it cannot read, no server takes for JSON. What lies between is refused.
//!
//! Layer `eval`; knows nothing of SQL.

use std::fmt::Write as _;

/// The server stops at 32.
const MAX_DEPTH: usize = 30;

/// A value, and where it is in its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// A number, `true`, `false` or `null`, as it is written.
    Plain(String),
    /// A string with its quotes and escapes.
    Quoted(String),
    Array(Vec<Node>),
    /// Names are without quotes.
    Object(Vec<(String, Node)>),
    /// A value that stays as it is written, spaces and all, until a text is made from it and read again.
    Raw(String),
}

impl Node {
    /// Reads a text; `None` if it is not JSON, or not of the kind that is read here.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        let node = reader.value(0)?.0;
        reader.skip();
        (reader.at == text.len()).then_some(node)
    }

    /// The text of a part of a text: where the value at a path is written.
    pub(super) fn slice<'t>(text: &'t str, path: &[Step]) -> Option<&'t str> {
        let mut reader = Reader { text, at: 0 };
        reader.find(path, 0)
    }

    pub(super) fn is_scalar(&self) -> bool {
        matches!(self, Self::Plain(_) | Self::Quoted(_))
    }

    /// The text of a string without quotes and escapes; `None` if it has an escape that is not read here.
    pub(super) fn unquoted(quoted: &str) -> Option<String> {
        let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
        let mut text = String::new();
        let mut letters = inner.chars();
        while let Some(letter) = letters.next() {
            if letter != '\\' {
                text.push(letter);
                continue;
            }
            text.push(match letters.next()? {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits: String = letters.by_ref().take(4).collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                other @ ('"' | '\\' | '/') => other,
                _ => return None,
            });
        }
        Some(text)
    }

    /// In the server's loose form: a space behind each comma and colon.
    pub(super) fn loose(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Plain(raw) | Self::Quoted(raw) | Self::Raw(raw) => text.push_str(raw),
            Self::Array(elements) => {
                text.push('[');
                for (place, element) in elements.iter().enumerate() {
                    text.push_str(if place == 0 { "" } else { ", " });
                    element.write(text);
                }
                text.push(']');
            }
            Self::Object(members) => {
                text.push('{');
                for (place, (name, member)) in members.iter().enumerate() {
                    let before = if place == 0 { "" } else { ", " };
                    let _ = write!(text, "{before}\"{name}\": ");
                    member.write(text);
                }
                text.push('}');
            }
        }
    }
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Name(String),
    Index(usize),
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a text has no structure of JSON, whatever its strings and words may be.
pub(super) fn surely_broken(text: &str) -> bool {
    let mut reader = Reader { text, at: 0 };
    let read = reader.anything(0);
    reader.skip();
    matches!(read, Some(false)) || read == Some(true) && reader.at != text.len()
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn skip(&mut self) {
        let rest = self.text[self.at..].trim_start_matches([' ', '\t', '\n', '\r']);
        self.at = self.text.len() - rest.len();
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// A value, and where it begins.
    fn value(&mut self, depth: usize) -> Option<(Node, usize)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let first = self.peek()?;
        let start = self.at;
        let node = match first {
            b'{' => self.object(depth)?,
            b'[' => self.array(depth)?,
            b'"' => Node::Quoted(self.string()?.to_owned()),
            _ => Node::Plain(self.plain()?.to_owned()),
        };
        Some((node, start))
    }

    fn array(&mut self, depth: usize) -> Option<Node> {
        self.at += 1;
        let mut elements = Vec::new();
        if self.take(b']') {
            return Some(Node::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?.0);
            if self.take(b']') {
                return Some(Node::Array(elements));
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Node> {
        self.at += 1;
        let mut members: Vec<(String, Node)> = Vec::new();
        if self.take(b'}') {
            return Some(Node::Object(members));
        }
        loop {
            let name = self.name()?;
            if members.iter().any(|(known, _)| *known == name) {
                return None;
            }
            members.push((name, self.value(depth + 1)?.0));
            if self.take(b'}') {
                return Some(Node::Object(members));
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    /// A name without escapes, and the colon behind it.
    fn name(&mut self) -> Option<String> {
        self.peek().filter(|byte| *byte == b'"')?;
        let name = self.string()?;
        let name = name[1..name.len() - 1].to_owned();
        (!name.contains('\\') && self.take(b':')).then_some(name)
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<&'t str> {
        let start = self.at;
        let mut bytes = self.text.as_bytes()[start + 1..].iter().enumerate();
        while let Some((place, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.at = start + place + 2;
                    let whole = &self.text[start..self.at];
                    return Node::unquoted(whole).map(|_| whole);
                }
                b'\\' => {
                    bytes.next()?;
                }
                0..0x20 => return None,
                _ => {}
            }
        }
        None
    }

    fn plain(&mut self) -> Option<&'t str> {
        let rest = &self.text[self.at..];
        let end = rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len());
        let word = &rest[..end];
        let known = matches!(word, "true" | "false" | "null") || is_number(word);
        self.at += end;
        known.then_some(word)
    }

    /// The text of what is at a path.
    fn find(&mut self, path: &[Step], depth: usize) -> Option<&'t str> {
        let first = self.peek()?;
        let Some((step, rest)) = path.split_first() else {
            let (_, start) = self.value(depth)?;
            return Some(&self.text[start..self.at]);
        };
        match (first, step) {
            (b'{', Step::Name(wanted)) => {
                self.at += 1;
                loop {
                    if self.name()? == *wanted {
                        return self.find(rest, depth + 1);
                    }
                    self.value(depth + 1)?;
                    if !self.take(b',') {
                        return None;
                    }
                }
            }
            (b'[', Step::Index(wanted)) => {
                self.at += 1;
                for _ in 0..*wanted {
                    self.value(depth + 1)?;
                    if !self.take(b',') {
                        return None;
                    }
                }
                (self.peek()? != b']').then(|| self.find(rest, depth + 1)).flatten()
            }
            _ => None,
        }
    }

    /// Whether there is a value of whatever kind; `None` if that is not sure.
    fn anything(&mut self, depth: usize) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek() {
            None => Some(false),
            Some(open @ (b'{' | b'[')) => {
                let close = if open == b'{' { b'}' } else { b']' };
                self.at += 1;
                if self.take(close) {
                    return Some(true);
                }
                loop {
                    if open == b'{'
                        && !(self.peek() == Some(b'"') && self.any_string() && self.take(b':'))
                    {
                        return Some(false);
                    }
                    if !self.anything(depth + 1)? {
                        return Some(false);
                    }
                    if self.take(close) {
                        return Some(true);
                    }
                    if !self.take(b',') {
                        return Some(false);
                    }
                }
            }
            Some(b'"') => Some(self.any_string()),
            Some(b',' | b':' | b'}' | b']') => Some(false),
            Some(_) => self.plain().map(|_| true),
        }
    }

    fn any_string(&mut self) -> bool {
        let mut bytes = self.text.as_bytes()[self.at + 1..].iter().enumerate();
        while let Some((place, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.at += place + 2;
                    return true;
                }
                b'\\' => drop(bytes.next()),
                _ => {}
            }
        }
        self.at = self.text.len();
        false
    }
}

fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}
