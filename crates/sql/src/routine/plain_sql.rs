//! Functions and procedures in the language SQL, as blocks of PL/pgSQL that do the same:
//!
//! ```text
//!   INSERT INTO log VALUES (n); SELECT n * 2
//!     ──►  BEGIN INSERT INTO log VALUES (n); RETURN (SELECT n * 2); END
//! ```
//!
//! The result of a function is the first row of its last query. Columns hide parameters, where PL/pgSQL would call a
//! name ambiguous; the parameters are marked for that.
//!
//! Layer `routine`, the half that reads.

use sqlparser::tokenizer::Token;

use crate::catalog::{HIDDEN, Parameter, Routine};

use super::tokens::{Parsed, capitals, split};

/// The body of a routine in SQL as a block of PL/pgSQL.
pub(super) fn in_sql(body: Vec<Token>, routine: &mut Routine) -> Parsed<Vec<Token>> {
    if body.iter().any(|token| matches!(token, Token::Placeholder(_))) {
        return Err("parameters without names".to_owned());
    }
    let mut statements: Vec<Vec<Token>> =
        split(&body, &Token::SemiColon).into_iter().filter(|one| !one.is_empty()).collect();
    let mut block = vec![word("BEGIN")];
    if routine.returns.is_some() || routine.rows.is_some() {
        let last = statements.pop().ok_or("no body")?;
        let returned = match routine.rows {
            Some(_) => [vec![word("RETURN"), word("QUERY")], last].concat(),
            None => returned(last)?,
        };
        refuse_queries(&statements)?;
        statements.into_iter().for_each(|one| add(&mut block, one));
        add(&mut block, returned);
    } else {
        refuse_queries(&statements)?;
        statements.into_iter().for_each(|one| add(&mut block, one));
    }
    block.push(word("END"));
    for param in &mut routine.params {
        param.name.insert(0, HIDDEN);
    }
    Ok(block)
}

/// A block that gives NULL if a parameter is NULL.
pub(super) fn unless_null(block: Vec<Token>, params: &[Parameter]) -> Vec<Token> {
    let mut whole = vec![word("BEGIN")];
    for param in params {
        let name = param.name.strip_prefix(HIDDEN).unwrap_or(&param.name);
        whole.extend([word("IF"), Token::make_word(name, Some('"')), word("IS"), word("NULL")]);
        whole.extend([word("THEN"), word("RETURN"), word("NULL"), Token::SemiColon]);
        whole.extend([word("END"), word("IF"), Token::SemiColon]);
    }
    add(&mut whole, block);
    whole.push(word("END"));
    whole
}

fn word(text: &str) -> Token {
    Token::make_word(text, None)
}

fn add(block: &mut Vec<Token>, statement: Vec<Token>) {
    block.extend(statement);
    block.push(Token::SemiColon);
}

/// A query whose result is not used is no statement of PL/pgSQL.
fn refuse_queries(statements: &[Vec<Token>]) -> Parsed<()> {
    let query =
        |one: &Vec<Token>| matches!(capitals(&one[0]).as_str(), "SELECT" | "WITH" | "VALUES");
    match statements.iter().any(query) {
        true => Err("a query whose result is not used".to_owned()),
        false => Ok(()),
    }
}

/// `RETURN (SELECT … LIMIT 1)`.
fn returned(query: Vec<Token>) -> Parsed<Vec<Token>> {
    if capitals(&query[0]) != "SELECT" {
        return Err("a result that is not of a SELECT".to_owned());
    }
    let has = |wanted: &[&str]| query.iter().any(|one| wanted.contains(&capitals(one).as_str()));
    if has(&["LIMIT", "FETCH", "FOR", "INTO", "OFFSET"]) {
        return Err("a result of a query with LIMIT".to_owned());
    }
    let first = match has(&["FROM"]) {
        true => vec![word("LIMIT"), Token::Number("1".to_owned(), false)],
        false => Vec::new(),
    };
    let mut step = vec![word("RETURN"), Token::LParen];
    step.extend(query);
    step.extend(first);
    step.push(Token::RParen);
    Ok(step)
}
