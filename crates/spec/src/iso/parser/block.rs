//! Frameworks and levels.
//!
//! ```text
//!   clause  := witness | let | def | check
//!            | "title" text | "also" alias { "," alias } | "strength" name | "reads" name
//!            | "rejects" text
//!   witness := "witness" name ":" ("order" | "relation")
//!            | "witness" name"[" key "]" ":" "order" "on" "W[" key "]"
//!   alias   := name | text
//! ```

use super::super::error::{IsoErrorKind, SpannedError};
use super::super::syntax::{
    Block, BlockKind, Clause, ClauseKind, Span, WitnessClause, WitnessKind, Word,
};
use super::super::token::{self, Token, TokenKind};
use super::Parser;

impl Parser<'_> {
    pub(super) fn block(&mut self, doc: String, start: Span) -> Result<Block, SpannedError> {
        let kind = match self.word() {
            "framework" => BlockKind::Framework,
            _ => BlockKind::Level,
        };
        self.advance();
        let name = self.name(&format!("a name for the {}", kind.keyword()))?;
        let parent = match self.eat(":") {
            true => Some(self.name("the framework or level that it extends")?),
            false => None,
        };
        if !self.eat("{") {
            return Err(self.expected(if parent.is_some() { "`{`" } else { "`:` or `{`" }));
        }
        let mut clauses = Vec::new();
        while !self.eat("}") {
            clauses.push(self.clause(kind)?);
            self.eat(",");
        }
        Ok(Block { kind, doc, name, parent, clauses, span: start.to(self.last()) })
    }

    fn clause(&mut self, within: BlockKind) -> Result<Clause, SpannedError> {
        let start = self.peek().span;
        let doc = self.doc();
        let word = self.word();
        if !doc.is_empty() && !matches!(word, "let" | "def") {
            return Err(self.expected("`let` or `def` after doc lines"));
        }
        let attribute = matches!(word, "title" | "also" | "strength" | "reads" | "rejects");
        if attribute && within == BlockKind::Framework {
            return Err(self.expected("a witness, a definition or a check; only levels have these"));
        }
        let kind = match word {
            "witness" => ClauseKind::Witness(self.witness()?),
            "let" => ClauseKind::Let(self.definition(doc, start)?),
            "def" => ClauseKind::Def(self.macro_definition(doc, start)?),
            _ if attribute => self.attribute()?,
            _ if self.starts_check() => ClauseKind::Check(self.check()?),
            _ => return Err(self.expected("a witness, a definition, a check or `}`")),
        };
        Ok(Clause { kind, span: start.to(self.last()) })
    }

    fn starts_check(&self) -> bool {
        let opens = self.at_sign("(") || self.at_sign("[");
        let relation = matches!(self.word(), "U") || !super::RESERVED.contains(&self.word());
        opens || self.at_check() || (!self.word().is_empty() && relation)
    }

    fn witness(&mut self) -> Result<WitnessClause, SpannedError> {
        self.advance();
        let name = self.name("a name for the witness")?;
        let key = match self.adjoins("[") {
            true => Some(self.key_in_brackets()?),
            false => None,
        };
        self.sign(":")?;
        let kind = match (self.word(), &key) {
            ("order", _) => WitnessKind::Order,
            ("relation", None) => WitnessKind::Relation,
            (_, None) => return Err(self.expected("`order` or `relation`")),
            (_, Some(_)) => return Err(self.expected("`order on W[…]`, as there is one per key")),
        };
        self.advance();
        if let Some(key) = &key {
            self.writers_of(key)?;
        } else if self.word() == "on" {
            return Err(self.expected("nothing else, because this orders all transactions"));
        }
        Ok(WitnessClause { name, key, kind })
    }

    /// The rest of `order on W[x]`.
    fn writers_of(&mut self, key: &Word) -> Result<(), SpannedError> {
        let expected = format!("`on W[{}]`, as this orders the writers of a key", key.text);
        for word in ["on", "W"] {
            if self.word() != word {
                return Err(self.expected(&expected));
            }
            self.advance();
        }
        if !self.adjoins("[") {
            return Err(self.expected(&expected));
        }
        let again = self.key_in_brackets()?;
        match again.text == key.text {
            true => Ok(()),
            false => {
                let (found, expected) = (format!("`{}`", again.text), format!("`{}`", key.text));
                let mistake = IsoErrorKind::Expected { found, expected, nearest: None };
                Err(SpannedError::new(again.span, mistake))
            }
        }
    }

    fn key_in_brackets(&mut self) -> Result<Word, SpannedError> {
        self.advance();
        let key = self.name("the name of a key")?;
        self.sign("]")?;
        Ok(key)
    }

    fn attribute(&mut self) -> Result<ClauseKind, SpannedError> {
        let word = self.word();
        self.advance();
        Ok(match word {
            "title" => ClauseKind::Title(self.text("the title in quotes")?),
            "also" => ClauseKind::Also(self.aliases()?),
            "strength" => ClauseKind::Strength(self.choice(&["plain", "session", "strong"])?),
            "reads" => ClauseKind::Reads(self.choice(&["committed", "dirty", "promised"])?),
            _ => ClauseKind::Rejects(self.lines()?),
        })
    }

    fn aliases(&mut self) -> Result<Vec<Word>, SpannedError> {
        let mut aliases = vec![self.alias()?];
        while self.eat(",") {
            aliases.push(self.alias()?);
        }
        Ok(aliases)
    }

    fn alias(&mut self) -> Result<Word, SpannedError> {
        let expected = "another name for the level";
        match self.peek().kind {
            TokenKind::Text => self.text(expected),
            _ => self.name(expected),
        }
    }

    fn choice(&mut self, known: &[&str]) -> Result<Word, SpannedError> {
        let word = self.word();
        if known.contains(&word) {
            return self.name("");
        }
        let listed: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        Err(self.expected_near(&format!("one of {}", listed.join(", ")), word, known))
    }

    fn text(&mut self, expected: &str) -> Result<Word, SpannedError> {
        let token = self.peek();
        if token.kind != TokenKind::Text {
            return Err(self.expected(expected));
        }
        self.advance();
        Ok(Word { text: self.between_quotes(token, 1).to_owned(), span: token.span })
    }

    fn lines(&mut self) -> Result<Word, SpannedError> {
        let token = self.peek();
        if token.kind != TokenKind::Lines {
            return Err(self.expected("a trace in triple quotes"));
        }
        self.advance();
        let text = lines_without_indent(self.between_quotes(token, 3));
        Ok(Word { text, span: token.span })
    }

    fn between_quotes(&self, token: Token, quotes: usize) -> &str {
        let raw = token::slice(self.text, token.span);
        raw.get(quotes..raw.len().saturating_sub(quotes)).unwrap_or("")
    }
}

/// The lines of a text, without what all of them are indented by and without blank lines at
/// the start and at the end.
fn lines_without_indent(raw: &str) -> String {
    let mut lines: Vec<&str> = raw.lines().map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    let cut = |line: &&str| format!("{}\n", line.get(common..).unwrap_or("").trim_end());
    lines.iter().skip(blank).map(cut).collect()
}
