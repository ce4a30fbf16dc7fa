//! MySQL's grammar, where the parser's own dialect falls short of it.
//!
//! Everything that [`MySqlDialect`] knows is handed on to it, except how strongly operators bind: the parser has the
//! strengths of PostgreSQL, so that `1 + 2 ^ 3` and `a = 1 XOR b = 2` would mean something else. Two things are added:
//! intervals in all units (`INTERVAL '1:30' HOUR_MINUTE`), and `CHAR(72 USING utf8mb4)`. Three operators are
//! exchanged before the parser sees them, by [`with_operators`]: `||` is OR, `&&` is AND, and `MOD` between two
//! operands is `%`.
//!
//! Beside the layers: knows the parser only.

use std::any::TypeId;

use sqlparser::ast;
use sqlparser::dialect::{Dialect, MySqlDialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Word};

use super::calls::call;

/// Units of intervals that are made of two.
const PAIRS: [&str; 11] = [
    "SECOND_MICROSECOND",
    "MINUTE_MICROSECOND",
    "MINUTE_SECOND",
    "HOUR_MICROSECOND",
    "HOUR_SECOND",
    "HOUR_MINUTE",
    "DAY_MICROSECOND",
    "DAY_SECOND",
    "DAY_MINUTE",
    "DAY_HOUR",
    "YEAR_MONTH",
];

/// How strongly some operators bind; see [`MySql::prec_value`].
const SIGN: u8 = 48;
const CARET: u8 = 45;
const SHIFT: u8 = 26;

/// MySQL's dialect with what is missing.
#[derive(Debug)]
pub(super) struct MySql;

const INNER: MySqlDialect = MySqlDialect {};

/// Hands questions on to the parser's own dialect.
macro_rules! ask_the_parser {
    ($($question:ident)*) => {
        $(fn $question(&self) -> bool {
            INNER.$question()
        })*
    };
}

impl Dialect for MySql {
    fn dialect(&self) -> TypeId {
        INNER.dialect()
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        INNER.is_identifier_start(letter)
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        INNER.is_identifier_part(letter)
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        INNER.is_delimited_identifier_start(letter)
    }

    fn identifier_quote_style(&self, identifier: &str) -> Option<char> {
        INNER.identifier_quote_style(identifier)
    }

    fn is_table_factor_alias(
        &self,
        explicit: bool,
        word: &Keyword,
        parser: &mut Parser<'_>,
    ) -> bool {
        INNER.is_table_factor_alias(explicit, word, parser)
    }

    fn parse_statement(
        &self,
        parser: &mut Parser<'_>,
    ) -> Option<Result<ast::Statement, ParserError>> {
        INNER.parse_statement(parser)
    }

    fn parse_infix(
        &self,
        parser: &mut Parser<'_>,
        expr: &ast::Expr,
        precedence: u8,
    ) -> Option<Result<ast::Expr, ParserError>> {
        INNER.parse_infix(parser, expr, precedence)
    }

    fn parse_prefix(&self, parser: &mut Parser<'_>) -> Option<Result<ast::Expr, ParserError>> {
        match &parser.peek_token_ref().token {
            Token::Word(Word { keyword: Keyword::INTERVAL, quote_style: None, .. }) => {
                Some(interval(parser))
            }
            Token::Word(Word { keyword: Keyword::BINARY, quote_style: None, .. }) => {
                Some(binary(parser))
            }
            Token::ExclamationMark => Some(sign(parser, ast::UnaryOperator::BangNot)),
            Token::Minus => Some(sign(parser, ast::UnaryOperator::Minus)),
            Token::Plus => Some(sign(parser, ast::UnaryOperator::Plus)),
            Token::Tilde => Some(sign(parser, ast::UnaryOperator::BitwiseNot)),
            Token::Word(Word { keyword: Keyword::CHAR, quote_style: None, .. })
                if parser.peek_nth_token(1).token == Token::LParen =>
            {
                Some(char_function(parser))
            }
            _ => None,
        }
    }

    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        match parser.peek_token_ref().token {
            Token::Caret => Some(Ok(CARET)),
            Token::ShiftLeft | Token::ShiftRight => Some(Ok(SHIFT)),
            _ => None,
        }
    }

    /// LIKE and the like bind more strongly than `=`, as in `a = b LIKE c`.
    fn prec_value(&self, strength: Precedence) -> u8 {
        match strength {
            Precedence::Period => 100,
            Precedence::PgOther => 60,
            Precedence::DoubleColon => 50,
            Precedence::AtTz => SIGN,
            Precedence::Caret => CARET,
            Precedence::MulDivModOp => 40,
            Precedence::PlusMinus => 30,
            Precedence::Ampersand => 24,
            Precedence::Pipe | Precedence::Colon => 22,
            Precedence::Between | Precedence::Like => 20,
            Precedence::Eq => 18,
            Precedence::Is => 17,
            Precedence::UnaryNot => 15,
            Precedence::And => 10,
            Precedence::Xor => 7,
            Precedence::Or => 5,
        }
    }

    fn allow_extract_custom(&self) -> bool {
        true
    }

    ask_the_parser! {
        supports_string_literal_backslash_escape supports_string_literal_concatenation
        ignores_wildcard_escapes supports_numeric_prefix supports_bitwise_shift_operators
        supports_multiline_comment_hints require_interval_qualifier supports_limit_comma
        supports_create_table_select supports_insert_set supports_user_host_grantee
        supports_table_hints requires_single_line_comment_whitespace supports_match_against
        supports_select_modifiers supports_set_names supports_comma_separated_set_assignments
        supports_update_order_by supports_data_type_signed_suffix supports_cross_join_constraint
        supports_double_ampersand_operator supports_binary_kw_as_cast
        supports_comment_optimizer_hint supports_constraint_keyword_without_name
        supports_key_column_option supports_group_by_with_modifier
        supports_left_associative_joins_without_parens
    }
}

/// `INTERVAL 1 DAY`, `INTERVAL '1:30' HOUR_MINUTE`. Nothing is tried twice: intervals can be nested.
fn interval(parser: &mut Parser<'_>) -> Result<ast::Expr, ParserError> {
    parser.next_token();
    let value = Box::new(parser.parse_expr()?);
    let unit = parser.parse_date_time_field()?;
    if let ast::DateTimeField::Custom(name) = &unit
        && !PAIRS.iter().any(|pair| name.value.eq_ignore_ascii_case(pair))
    {
        return Err(ParserError::ParserError(format!("{name} is not a unit of an interval")));
    }
    Ok(ast::Expr::Interval(ast::Interval {
        value,
        leading_field: Some(unit),
        leading_precision: None,
        last_field: None,
        fractional_seconds_precision: None,
    }))
}

/// `BINARY a`, which is `CAST(a AS BINARY)`.
fn binary(parser: &mut Parser<'_>) -> Result<ast::Expr, ParserError> {
    parser.next_token();
    let expr = Box::new(parser.parse_subexpr(SIGN)?);
    Ok(ast::Expr::Cast {
        kind: ast::CastKind::Cast,
        expr,
        data_type: ast::DataType::Binary(None),
        format: None,
    })
}

/// `-a`, `!a`, `~a`: signs bind more strongly than all that stands between two operands.
fn sign(parser: &mut Parser<'_>, op: ast::UnaryOperator) -> Result<ast::Expr, ParserError> {
    parser.next_token();
    let expr = Box::new(parser.parse_subexpr(SIGN)?);
    Ok(ast::Expr::UnaryOp { op, expr })
}

/// `CHAR(72, 105)`, or `CHAR(72, 105 USING utf8mb4)` as a call of `char_using` whose first argument is the name
/// behind USING.
fn char_function(parser: &mut Parser<'_>) -> Result<ast::Expr, ParserError> {
    parser.next_token();
    parser.expect_token(&Token::LParen)?;
    let mut args = parser.parse_comma_separated(Parser::parse_expr)?;
    let mut name = "char";
    if parser.parse_keyword(Keyword::USING) {
        let charset = parser.parse_identifier()?.value.to_lowercase();
        args.insert(0, ast::Expr::value(ast::Value::SingleQuotedString(charset)));
        name = "char_using";
    }
    parser.expect_token(&Token::RParen)?;
    Ok(call(name, args, Vec::new()))
}

/// Tokens with `OR`, `AND` and `%` instead of `||`, `&&` and `MOD`.
pub(super) fn with_operators(tokens: Vec<Token>) -> Vec<Token> {
    let mut result: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let token = match token {
            Token::StringConcat => Token::make_keyword("OR"),
            Token::Overlap => Token::make_keyword("AND"),
            Token::Word(Word { ref value, quote_style: None, .. })
                if value.eq_ignore_ascii_case("mod")
                    && result.last().is_some_and(ends_operand)
                    && (rest.peek() != Some(&Token::LParen)
                        || result.last().is_some_and(surely_ends_operand)) =>
            {
                Token::Mod
            }
            other => other,
        };
        result.push(token);
    }
    result
}

/// Whether an operand may end with a token: MOD is reserved, so behind a word it is an operator.
fn ends_operand(token: &Token) -> bool {
    matches!(token, Token::Word(_)) || surely_ends_operand(token)
}

/// Whether an operand ends with a token that is no word of the grammar.
fn surely_ends_operand(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.quote_style.is_some() || word.keyword == Keyword::NoKeyword,
        Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::DoubleQuotedString(_)
        | Token::Placeholder(_)
        | Token::RParen => true,
        _ => false,
    }
}
