//! From a pattern to a tree, or a refusal.

use crate::error::{Result, unsupported};

use super::set::Set;

/// Whose syntax it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::eval) enum Flavour {
    /// PostgreSQL's advanced regular expressions.
    Advanced,
    /// `SIMILAR TO`.
    Similar,
}

#[derive(Debug, Clone)]
pub(super) enum Node {
    Letter(Set),
    Start,
    End,
    Concat(Vec<Node>),
    Either(Vec<Node>),
    Repeat { node: Box<Node>, least: usize, most: Option<usize> },
    Group(Box<Node>),
}

pub(super) struct Parsed {
    pub(super) node: Node,
    pub(super) groups: usize,
    /// Does the meaning depend on the locale for characters that are not ASCII?
    pub(super) is_local: bool,
}

/// PostgreSQL repeats nothing more often.
const MAX_REPEAT: usize = 255;
/// Groups inside groups.
const MAX_DEPTH: usize = 50;

struct Parser<'a> {
    pattern: &'a str,
    letters: Vec<char>,
    at: usize,
    flavour: Flavour,
    folds: bool,
    groups: usize,
    is_local: bool,
    depth: usize,
}

pub(super) fn parse(pattern: &str, flavour: Flavour, folds: bool) -> Result<Parsed> {
    let mut parser = Parser {
        pattern,
        letters: pattern.chars().collect(),
        at: 0,
        flavour,
        folds,
        groups: 0,
        is_local: folds,
        depth: 0,
    };
    if folds && !pattern.is_ascii() {
        return parser.refuse();
    }
    let node = parser.alternatives()?;
    match parser.at == parser.letters.len() {
        true => Ok(Parsed { node, groups: parser.groups, is_local: parser.is_local }),
        false => parser.refuse(),
    }
}

impl Node {
    pub(super) fn has_groups(&self) -> bool {
        match self {
            Self::Letter(_) | Self::Start | Self::End => false,
            Self::Concat(nodes) | Self::Either(nodes) => nodes.iter().any(Self::has_groups),
            Self::Repeat { node, .. } => node.has_groups(),
            Self::Group(_) => true,
        }
    }
}

impl Parser<'_> {
    fn refuse<T>(&self) -> Result<T> {
        unsupported(format!("the pattern {}", self.pattern))
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek();
        self.at += usize::from(letter.is_some());
        letter
    }

    fn takes(&mut self, letter: char) -> bool {
        let there = self.peek() == Some(letter);
        self.at += usize::from(there);
        there
    }

    fn takes_all(&mut self, text: &str) -> bool {
        let there = self.letters[self.at..].iter().copied().take(text.len()).eq(text.chars());
        self.at += if there { text.len() } else { 0 };
        there
    }

    fn alternatives(&mut self) -> Result<Node> {
        let mut branches = vec![self.branch()?];
        while self.takes('|') {
            branches.push(self.branch()?);
        }
        Ok(match branches.len() {
            1 => branches.swap_remove(0),
            _ => Node::Either(branches),
        })
    }

    fn branch(&mut self) -> Result<Node> {
        let mut nodes = Vec::new();
        while self.peek().is_some_and(|letter| letter != '|' && letter != ')') {
            let node = self.atom()?;
            nodes.push(self.quantified(node)?);
        }
        match nodes.is_empty() && !self.pattern.is_empty() {
            true => self.refuse(),
            false => Ok(Node::Concat(nodes)),
        }
    }

    fn quantified(&mut self, node: Node) -> Result<Node> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.bounded(node),
            _ => return Ok(node),
        };
        self.at += 1;
        self.repeated(node, least, most)
    }

    /// `{2}`, `{2,}`, `{2,3}`.
    fn bounded(&mut self, node: Node) -> Result<Node> {
        self.at += 1;
        let Some(least) = self.number() else { return self.refuse() };
        let most = match self.takes(',') {
            true if self.peek() == Some('}') => None,
            true => match self.number() {
                Some(most) => Some(most),
                None => return self.refuse(),
            },
            false => Some(least),
        };
        let fits = most.is_none_or(|most| least <= most && most <= MAX_REPEAT && most > 0);
        if !self.takes('}') || least > MAX_REPEAT || !fits {
            return self.refuse();
        }
        self.repeated(node, least, most)
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            self.at += 1;
        }
        self.letters[start..self.at].iter().collect::<String>().parse().ok()
    }

    /// A quantifier behind another one makes it non-greedy, or is an error.
    fn repeated(&self, node: Node, least: usize, most: Option<usize>) -> Result<Node> {
        let again = matches!(self.peek(), Some('*' | '+' | '?' | '{'));
        if again || matches!(node, Node::Start | Node::End) {
            return self.refuse();
        }
        Ok(Node::Repeat { node: Box::new(node), least, most })
    }

    fn atom(&mut self) -> Result<Node> {
        let advanced = self.flavour == Flavour::Advanced;
        match self.next() {
            Some('.') if advanced => Ok(Node::Letter(Set::all())),
            Some('^') if advanced => Ok(Node::Start),
            Some('$') if advanced => Ok(Node::End),
            Some('_') if !advanced => Ok(Node::Letter(Set::all())),
            Some('%') if !advanced => {
                Ok(Node::Repeat { node: Box::new(Node::Letter(Set::all())), least: 0, most: None })
            }
            Some('(') => self.group(),
            Some('[') => self.bracket(),
            Some('\\') => self.escape(),
            Some('*' | '+' | '?' | '{' | '}' | ']') | None => self.refuse(),
            Some(letter) => Ok(self.letter(letter)),
        }
    }

    fn letter(&self, letter: char) -> Node {
        let mut set = Set::NONE;
        set.add(letter, letter);
        if self.folds {
            set.fold();
        }
        Node::Letter(set)
    }

    fn group(&mut self) -> Result<Node> {
        let plain = self.flavour == Flavour::Similar || self.takes_all("?:");
        if (!plain || self.flavour == Flavour::Similar) && self.peek() == Some('?') {
            return self.refuse();
        }
        self.groups += usize::from(!plain);
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.refuse();
        }
        let inner = self.alternatives()?;
        self.depth -= 1;
        if !self.takes(')') {
            return self.refuse();
        }
        Ok(if plain { Node::Concat(vec![inner]) } else { Node::Group(Box::new(inner)) })
    }

    fn escape(&mut self) -> Result<Node> {
        let advanced = self.flavour == Flavour::Advanced;
        match self.next() {
            Some(letter @ ('d' | 'w' | 's' | 'D' | 'W' | 'S')) if advanced => {
                self.is_local = true;
                let mut set = Set::NONE;
                add_class(&mut set, letter.to_ascii_lowercase());
                Ok(Node::Letter(if letter.is_ascii_uppercase() { set.complement() } else { set }))
            }
            Some('A') if advanced => Ok(Node::Start),
            Some('Z') if advanced => Ok(Node::End),
            Some(letter) => match control(letter).filter(|_| advanced) {
                Some(control) => Ok(self.letter(control)),
                None if is_plain_escape(letter) => Ok(self.letter(letter)),
                None => self.refuse(),
            },
            None => self.refuse(),
        }
    }

    /// `[a-z_]`, `[^[:digit:]]`.
    fn bracket(&mut self) -> Result<Node> {
        let negated = self.takes('^');
        let mut set = Set::NONE;
        let mut is_first = true;
        loop {
            match self.peek() {
                None => return self.refuse(),
                Some(']') if !is_first => break,
                _ => self.member(&mut set, is_first)?,
            }
            is_first = false;
        }
        self.at += 1;
        if self.folds {
            set.fold();
        }
        Ok(Node::Letter(if negated { set.complement() } else { set }))
    }

    fn member(&mut self, set: &mut Set, is_first: bool) -> Result<()> {
        if self.takes_all("[:") {
            return self.class(set);
        }
        if self.flavour == Flavour::Advanced
            && self.peek() == Some('\\')
            && let Some(class @ ('d' | 'w' | 's')) = self.letters.get(self.at + 1).copied()
        {
            self.at += 2;
            self.is_local = true;
            add_class(set, class);
            return match self.peek() {
                // A class does not begin a range.
                Some('-') if self.letters.get(self.at + 1) != Some(&']') => self.refuse(),
                _ => Ok(()),
            };
        }
        let is_last = self.letters.get(self.at + 1) == Some(&']');
        if self.peek() == Some('-') && !is_first && !is_last {
            return self.refuse();
        }
        let first = self.single()?;
        let is_range = self.peek() == Some('-')
            && self.letters.get(self.at + 1).is_some_and(|one| *one != ']');
        let last = match is_range {
            true => {
                self.at += 1;
                self.single()?
            }
            false => first,
        };
        if first > last {
            return self.refuse();
        }
        set.add(first, last);
        Ok(())
    }

    fn single(&mut self) -> Result<char> {
        match self.next() {
            Some('[') if matches!(self.peek(), Some(':' | '.' | '=')) => self.refuse(),
            Some('\\') if self.flavour == Flavour::Advanced => match self.next() {
                Some(letter) => match control(letter) {
                    Some(control) => Ok(control),
                    None if is_plain_escape(letter) => Ok(letter),
                    None => self.refuse(),
                },
                None => self.refuse(),
            },
            Some('\\') | None => self.refuse(),
            Some(letter) => Ok(letter),
        }
    }

    fn class(&mut self, set: &mut Set) -> Result<()> {
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(char::is_ascii_lowercase) {
            name.push(letter);
            self.at += 1;
        }
        if !self.takes_all(":]") {
            return self.refuse();
        }
        self.is_local = true;
        match name.as_str() {
            "alpha" => set.add_ascii(|byte| byte.is_ascii_alphabetic()),
            "alnum" => set.add_ascii(|byte| byte.is_ascii_alphanumeric()),
            "upper" if !self.folds => set.add_ascii(|byte| byte.is_ascii_uppercase()),
            "lower" if !self.folds => set.add_ascii(|byte| byte.is_ascii_lowercase()),
            "digit" => add_class(set, 'd'),
            "space" => add_class(set, 's'),
            _ => return self.refuse(),
        }
        // A class does not begin a range.
        match self.peek() {
            Some('-') if self.letters.get(self.at + 1) != Some(&']') => self.refuse(),
            _ => Ok(()),
        }
    }
}

/// Digits, words and spaces, in ASCII.
fn add_class(set: &mut Set, class: char) {
    match class {
        'd' => set.add_ascii(|byte| byte.is_ascii_digit()),
        'w' => set.add_ascii(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
        _ => set.add_ascii(|byte| matches!(byte, b' ' | 0x09..=0x0d)),
    }
}

/// The character that an escaped letter stands for.
fn control(letter: char) -> Option<char> {
    Some(match letter {
        't' => '\t',
        'n' => '\n',
        'r' => '\r',
        'f' => '\x0c',
        'v' => '\x0b',
        _ => return None,
    })
}

/// Whether an escaped character stands for itself.
fn is_plain_escape(letter: char) -> bool {
    letter.is_ascii_punctuation() || letter == ' '
}
