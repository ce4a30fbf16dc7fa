//! Pieces and tokens.

use tristan_sqltext::TokenKind::{Number, Param, Quoted, Symbol, Text, Unclear, Word};
use tristan_sqltext::{Dialect, TokenKind, pieces, plain, tokens};

fn kinds(text: &str, dialect: Dialect) -> Vec<TokenKind<'_>> {
    tokens(text, dialect).into_iter().map(|token| token.kind).collect()
}

#[test]
fn postgresql_has_nested_comments_dollar_quotes_and_escapes() {
    let text = r#"select "Ab""c", e'it\'s', $tag$ $1; $tag$, $2::int -- no
        /* a /* b */ c */ from s.t where x >= 1.5e-3 # 2"#;
    let expected = vec![
        Word("select"),
        Quoted("Ab\"c".into()),
        Symbol(","),
        Text("it's".into()),
        Symbol(","),
        Text(" $1; ".into()),
        Symbol(","),
        Param(1),
        Symbol("::"),
        Word("int"),
        Word("from"),
        Word("s"),
        Symbol("."),
        Word("t"),
        Word("where"),
        Word("x"),
        Symbol(">"),
        Symbol("="),
        Number("1.5e-3"),
        Symbol("#"),
        Number("2"),
    ];
    assert_eq!(kinds(text, Dialect::PostgreSql), expected);
}

#[test]
fn mysql_executes_some_comments() {
    let text = "/*!40000 set */ @@a = ? # no\n, `b``c` = \"x\\\"y\", 1--1, ? /* /* */ + 1";
    let expected = vec![
        Word("set"),
        Word("@@a"),
        Symbol("="),
        Param(0),
        Symbol(","),
        Quoted("b`c".into()),
        Symbol("="),
        Text("x\"y".into()),
        Symbol(","),
        Number("1"),
        Symbol("-"),
        Symbol("-"),
        Number("1"),
        Symbol(","),
        Param(1),
        Symbol("+"),
        Number("1"),
    ];
    for dialect in [Dialect::MySql, Dialect::MariaDb] {
        assert_eq!(kinds(text, dialect), expected);
    }
    assert_eq!(kinds("a /*M! b */ c", Dialect::MariaDb), [Word("a"), Word("b"), Word("c")]);
    assert_eq!(kinds("a /*M! b */ c", Dialect::MySql), [Word("a"), Word("c")]);
    assert_eq!(kinds("a /*!80100 b */", Dialect::MySql), [Word("a"), Unclear("/*!80100 b */")]);
    assert_eq!(kinds("a /*!80100 b */", Dialect::MariaDb), [Word("a")]);
}

#[test]
fn sqlite_has_names_in_brackets() {
    let text = "select [a b], `c`, \"d\", 'e\\', ?2, ? -- x";
    let expected = vec![
        Word("select"),
        Quoted("a b".into()),
        Symbol(","),
        Quoted("c".into()),
        Symbol(","),
        Quoted("d".into()),
        Symbol(","),
        Text("e\\".into()),
        Symbol(","),
        Param(1),
        Symbol(","),
        Param(0),
    ];
    assert_eq!(kinds(text, Dialect::Sqlite), expected);
}

#[test]
fn only_ascii_blanks_separate_words() {
    for dialect in Dialect::ALL {
        assert_eq!(kinds("a\u{a0}é\u{b}b", dialect), [Word("a\u{a0}é"), Word("b")]);
    }
}

#[test]
fn pieces_joined_are_the_text() {
    let texts = [
        "'",
        "\"é",
        "$a$ x",
        "/* /*",
        "E'\\",
        "$",
        "`",
        "--",
        "é€'",
        "$99999999999999999999",
        "/*!",
        "/*!50001",
        "/*!50001 a /*! b */ */",
        "/*M!",
        "*/",
        "[",
        "?",
        "1e",
        "1e+",
        ".5",
        "N'",
        "$é$ $é$",
        "a$b$c",
        "- -",
        "#",
        "::",
        ":::",
    ];
    for dialect in Dialect::ALL {
        for text in texts {
            let joined: String = pieces(text, dialect).map(|piece| piece.text).collect();
            assert_eq!(joined, text, "{dialect:?}");
            assert!(tokens(text, dialect).iter().all(|token| token.end <= text.len()), "{text}");
        }
    }
}

#[test]
fn a_plain_text_has_blanks_instead_of_comments() {
    let same = |text, dialect| plain(text, dialect).expect(text).into_owned();
    assert_eq!(same("a/*b*/c -- d\n'--'", Dialect::PostgreSql), "a     c     \n'--'");
    assert_eq!(same("a /*!50001 b */ c", Dialect::MySql), "a          b    c");
    for (text, dialect) in [
        ("select 'a", Dialect::PostgreSql),
        ("select 1 /* /* */", Dialect::PostgreSql),
        ("select 1 /*!80100 + 1 */", Dialect::MySql),
    ] {
        assert!(plain(text, dialect).is_err(), "{text}");
    }
}
