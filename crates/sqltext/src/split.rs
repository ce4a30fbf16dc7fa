//! Where one statement ends and the next begins.

use crate::dialect::Dialect;
use crate::lexer::{Piece, PieceKind, pieces};
use crate::token::{Numbering, Token};

/// One statement of a text.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Its text, without what separates it from others.
    pub text: &'a str,
    /// Its tokens; they say where they stand in the whole text.
    pub tokens: Vec<Token<'a>>,
}

/// The statements of a text. The body of a routine belongs to the statement that defines it.
pub fn split(text: &str, dialect: Dialect) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut current: Vec<Piece<'_>> = Vec::new();
    let mut blocks = Blocks::default();
    for piece in pieces(text, dialect).filter(|piece| piece.kind.counts()) {
        if piece.kind == PieceKind::Symbol && piece.text == ";" && !blocks.are_open() {
            parts.extend(part(text, &current, dialect));
            current.clear();
            blocks = Blocks::default();
        } else {
            blocks.take(&piece);
            current.push(piece);
        }
    }
    parts.extend(part(text, &current, dialect));
    parts
}

fn part<'a>(text: &'a str, pieces: &[Piece<'a>], dialect: Dialect) -> Option<Part<'a>> {
    let (first, last) = (pieces.first()?, pieces.last()?);
    let mut numbering = Numbering::new(dialect);
    let tokens = pieces.iter().filter_map(|piece| numbering.token(*piece)).collect();
    Some(Part { text: &text[first.start..last.end()], tokens })
}

/// Which blocks of a routine's body are open: `BEGIN … END` and `CASE … END`.
#[derive(Default)]
struct Blocks<'a> {
    /// The first words of the statement.
    head: Vec<&'a str>,
    /// Whether it defines something with a body, once that is known.
    is_routine: Option<bool>,
    depth: usize,
    /// Whether the last word was END. The next word decides what it closes: `END IF` closes no block.
    ends: bool,
}

/// What can have a body.
const ROUTINES: [&str; 5] = ["procedure", "function", "trigger", "event", "package"];
/// What else is created.
const OTHERS: [&str; 8] =
    ["table", "view", "index", "schema", "database", "sequence", "type", "user"];
/// How far from the start of a statement it says what it creates.
const HEAD: usize = 12;

impl<'a> Blocks<'a> {
    /// Whether a semicolon here belongs to the statement.
    fn are_open(&self) -> bool {
        self.depth > usize::from(self.ends)
    }

    fn take(&mut self, piece: &Piece<'a>) {
        let word = if piece.kind == PieceKind::Word { piece.text } else { "" };
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
        let ends_loop = ["if", "loop", "repeat", "while", "for"].iter().any(|kind| is(kind));
        if std::mem::take(&mut self.ends) && !ends_loop {
            self.depth -= 1;
            if is("case") {
                return;
            }
        }
        self.look_at_head(word);
        if self.is_routine == Some(true) && (is("begin") || is("case")) {
            self.depth += 1;
        } else if self.depth > 0 && is("end") {
            self.ends = true;
        }
    }

    fn look_at_head(&mut self, word: &'a str) {
        if word.is_empty() || self.head.len() >= HEAD {
            return;
        }
        self.head.push(word);
        let starts = |words: &[&str]| {
            self.head.len() >= words.len()
                && words.iter().zip(&self.head).all(|(one, other)| one.eq_ignore_ascii_case(other))
        };
        let names = |kinds: &[&str]| kinds.iter().any(|kind| kind.eq_ignore_ascii_case(word));
        if self.is_routine.is_none() && starts(&["create"]) {
            self.is_routine =
                if names(&ROUTINES) { Some(true) } else { names(&OTHERS).then_some(false) };
        }
        if self.head.len() == 3 && starts(&["begin", "not", "atomic"]) {
            (self.is_routine, self.depth) = (Some(true), 1);
        }
    }
}
