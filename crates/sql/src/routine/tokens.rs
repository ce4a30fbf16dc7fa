//! Going through the tokens of a routine.
//!
//! Layer `routine`, the half that reads; knows tokens only.

use sqlparser::tokenizer::Token;

/// Tokens, and how far they were read.
pub(super) struct Tokens {
    tokens: Vec<Token>,
    at: usize,
}

/// What is read, or why it cannot be.
pub(super) type Parsed<T> = Result<T, String>;

impl Tokens {
    pub(super) fn new(tokens: Vec<Token>) -> Self {
        Self { tokens, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// The word `ahead` tokens from here, in capitals.
    pub(super) fn word_at(&self, ahead: usize) -> String {
        self.tokens.get(self.at + ahead).map(capitals).unwrap_or_default()
    }

    pub(super) fn token_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Goes past these words if they are next.
    pub(super) fn take_words(&mut self, words: &[&str]) -> bool {
        let there = words.iter().enumerate().all(|(ahead, word)| self.word_at(ahead) == *word);
        if there {
            self.at += words.len();
        }
        there
    }

    pub(super) fn take(&mut self, token: &Token) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    pub(super) fn expect_words(&mut self, words: &[&str]) -> Parsed<()> {
        if self.take_words(words) {
            Ok(())
        } else {
            Err(format!("expected {} before {}", words.join(" "), self.here()))
        }
    }

    pub(super) fn expect(&mut self, token: &Token) -> Parsed<()> {
        if self.take(token) {
            Ok(())
        } else {
            Err(format!("expected {token} before {}", self.here()))
        }
    }

    fn here(&self) -> String {
        self.peek().map_or("the end".to_owned(), ToString::to_string)
    }

    /// Takes a name, in quotes or without.
    pub(super) fn name(&mut self) -> Parsed<String> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word.value),
            Some(Token::Placeholder(name)) if name.starts_with('@') => Ok(name),
            other => Err(format!(
                "expected a name, found {}",
                other.map_or("the end".to_owned(), |token| token.to_string())
            )),
        }
    }

    /// A name, with the name of a record in front of it if there is one.
    pub(super) fn dotted_name(&mut self) -> Parsed<String> {
        let mut name = self.name()?;
        while self.take(&Token::Period) {
            name = format!("{name}.{}", self.name()?);
        }
        Ok(name)
    }

    /// Everything before a semicolon, which is left behind, too.
    pub(super) fn until_semicolon(&mut self) -> Vec<Token> {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let length = rest.iter().position(|token| *token == Token::SemiColon).unwrap_or(rest.len());
        let taken = rest[..length].to_vec();
        self.at += length + 1;
        taken
    }

    /// Everything before one of these words, outside of parentheses and of CASE.
    pub(super) fn until_words(&mut self, words: &[&str]) -> Parsed<Vec<Token>> {
        let mut taken = Vec::new();
        let (mut parentheses, mut cases) = (0_i32, 0_i32);
        while let Some(token) = self.peek() {
            let word = capitals(token);
            match token {
                Token::LParen => parentheses += 1,
                Token::RParen => parentheses -= 1,
                Token::SemiColon => break,
                _ if parentheses == 0 && cases == 0 && words.contains(&word.as_str()) => {
                    return Ok(taken);
                }
                _ if word == "CASE" => cases += 1,
                _ if word == "END" && cases > 0 => cases -= 1,
                _ => {}
            }
            taken.push(token.clone());
            self.at += 1;
        }
        Err(format!("{} is missing", words.join(" or ")))
    }

    /// Everything inside parentheses that begin here.
    pub(super) fn parenthesised(&mut self) -> Parsed<Vec<Token>> {
        self.expect(&Token::LParen)?;
        let mut taken = Vec::new();
        let mut depth = 1;
        while let Some(token) = self.next() {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(taken);
            }
            taken.push(token);
        }
        Err("a parenthesis is not closed".to_owned())
    }
}

/// A word without quotes, in capitals.
pub(super) fn capitals(token: &Token) -> String {
    match token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_uppercase(),
        _ => String::new(),
    }
}

/// The parts between commas or the like, outside of parentheses.
pub(super) fn split(tokens: &[Token], at: &Token) -> Vec<Vec<Token>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0_i32;
    for token in tokens {
        match token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        match parts.last_mut() {
            _ if depth == 0 && token == at => parts.push(Vec::new()),
            Some(last) => last.push(token.clone()),
            None => {}
        }
    }
    parts
}
