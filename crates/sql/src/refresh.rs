//! `REFRESH MATERIALIZED VIEW`, which our parser does not know.
//!
//! Beside `statement`; knows the definitions of `bind`.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

use crate::bind::refresh;
use crate::catalog::Catalog;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::parse::keyword;
use crate::plan::{NodeIds, Plan, number_plan};

/// A statement that fills a materialized view again.
#[derive(Debug, Clone)]
pub(crate) struct Refresh {
    name: String,
    /// Whether it is filled, and not emptied.
    filled: bool,
}

/// `REFRESH MATERIALIZED VIEW [CONCURRENTLY] m [WITH [NO] DATA]`. How it is done does not show in the rows.
pub(crate) fn read_refresh(dialect: Dialect, tokens: &[Token]) -> Option<Refresh> {
    let word = |place: usize| tokens.get(place).map(keyword);
    let text = |place: usize| tokens.get(place).map(|token| token.to_string().to_uppercase());
    let begins = text(0).as_deref() == Some("REFRESH")
        && word(1) == Some(Keyword::MATERIALIZED)
        && word(2) == Some(Keyword::VIEW);
    if !begins || dialect != Dialect::PostgreSql {
        return None;
    }
    let start = if text(3).as_deref() == Some("CONCURRENTLY") { 4 } else { 3 };
    let rest = &tokens[start..];
    let end = rest.iter().position(|token| keyword(token) == Keyword::WITH);
    let (name, options) = rest.split_at(end.unwrap_or(rest.len()));
    let options: Vec<String> =
        options.iter().map(|token| token.to_string().to_uppercase()).collect();
    let filled = match options.join(" ").trim_end_matches([' ', ';']) {
        "" | "WITH DATA" => true,
        "WITH NO DATA" => false,
        _ => return None,
    };
    let part = |token: &Token| match token {
        Token::Word(word) if !word.value.contains('.') => Some(word.value.clone()),
        _ => None,
    };
    let name = match name {
        [name] | [name, Token::SemiColon] => part(name)?,
        [schema, Token::Period, name] | [schema, Token::Period, name, Token::SemiColon] => {
            format!("{}.{}", part(schema)?, part(name)?)
        }
        _ => return None,
    };
    Some(Refresh { name, filled })
}

impl Refresh {
    /// Carries it out. Returns what fills the view.
    pub(crate) fn carry_out(&self, catalog: &mut Catalog) -> Result<Option<Plan>> {
        let mut plan = refresh(catalog, &self.name, self.filled)?;
        if let Some(plan) = &mut plan {
            number_plan(&mut NodeIds::default(), plan);
        }
        Ok(plan)
    }
}
