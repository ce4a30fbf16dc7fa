//! The same statement, written differently: for tests of everything that reads SQL.

use crate::dialect::Dialect;
use crate::lexer::{Piece, PieceKind, pieces};

/// Keywords that no server tells apart by their case, unlike names of tables in MySQL.
const KEYWORDS: [&str; 48] = [
    "select",
    "from",
    "where",
    "update",
    "set",
    "delete",
    "insert",
    "into",
    "values",
    "and",
    "or",
    "order",
    "by",
    "limit",
    "group",
    "having",
    "is",
    "not",
    "null",
    "in",
    "join",
    "left",
    "on",
    "using",
    "as",
    "case",
    "when",
    "then",
    "else",
    "end",
    "between",
    "like",
    "exists",
    "union",
    "all",
    "distinct",
    "with",
    "recursive",
    "over",
    "partition",
    "merge",
    "matched",
    "conflict",
    "returning",
    "interval",
    "timestamp",
    "date",
    "default",
];

/// The statement with other blanks, comments and keywords in odd case. `below` gives a random number below
/// another one.
pub fn disguised(text: &str, dialect: Dialect, below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut out = between(dialect, below).trim_start().to_owned();
    for piece in pieces(text, dialect) {
        match piece.kind {
            PieceKind::Blank => out.push_str(&between(dialect, below)),
            PieceKind::Word => out.push_str(&odd_case(piece, below)),
            _ => out.push_str(piece.text),
        }
    }
    if below(4) == 0 {
        out.push_str(&between(dialect, below));
    }
    out
}

/// What may stand between two tokens, mostly a blank.
fn between(dialect: Dialect, below: &mut dyn FnMut(usize) -> usize) -> String {
    let shared = [" ", " ", " ", "\n", "\t ", " /* it's */ ", " /* é; \" */ ", " -- ' DELETE\n"];
    let own: [&str; 3] = match dialect {
        Dialect::PostgreSql => [" /* a /* ; */ ' */ ", " --x\r", "\u{c}"],
        Dialect::MySql | Dialect::MariaDb => [" # it's; \n", " /* /* ` */ ", " /*!50001 */ "],
        Dialect::Sqlite => [" /* /* */ ", " --;\n", " "],
    };
    let all = [shared.as_slice(), own.as_slice()].concat();
    all[below(all.len())].to_owned()
}

fn odd_case(piece: Piece<'_>, below: &mut dyn FnMut(usize) -> usize) -> String {
    let is_keyword = KEYWORDS.iter().any(|keyword| piece.text.eq_ignore_ascii_case(keyword));
    if !is_keyword {
        return piece.text.to_owned();
    }
    let odd = |letter: char| match below(2) {
        0 => letter.to_ascii_lowercase(),
        _ => letter.to_ascii_uppercase(),
    };
    piece.text.chars().map(odd).collect()
}
