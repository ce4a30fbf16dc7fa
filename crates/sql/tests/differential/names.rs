//! Names of columns, some of which have to be quoted, and other ways to write a name.

use tristan_sql::Dialect;
use tristan_sqltext::{PieceKind, pieces};
use tristan_testkit::Random;

use crate::differential::schema::{Schema, Table};

/// The name of a column, as it is written.
pub fn column(random: &mut Random, dialect: Dialect, letter: &str, number: usize) -> String {
    let plain = format!("{letter}{number}");
    if !random.once_in(8) {
        return plain;
    }
    let odd = random.word(&["Größe", "order", "Two Words", "數", "It's"]);
    quoted(dialect, &format!("{odd} {plain}"))
}

fn quoted(dialect: Dialect, name: &str) -> String {
    match dialect {
        Dialect::PostgreSql => format!("\"{name}\""),
        _ => format!("`{name}`"),
    }
}

/// The statement with some of its names in quotes or in capitals. Names of tables have a case in MariaDB.
pub fn respelled(text: &str, schema: &Schema, random: &mut Random) -> String {
    let tables = || schema.tables.iter().chain(&schema.views);
    let is_column = |word: &str| {
        tables().flat_map(|table: &Table| &table.columns).any(|column| column.name == word)
    };
    let is_table = |word: &str| tables().any(|table| table.name == word);
    let mut out = String::new();
    for piece in pieces(text, schema.dialect.text()) {
        let column = piece.kind == PieceKind::Word && is_column(piece.text);
        let table = piece.kind == PieceKind::Word && is_table(piece.text);
        let free = column || schema.dialect == Dialect::PostgreSql;
        match random.below(6) {
            0 if column || table => out.push_str(&quoted(schema.dialect, piece.text)),
            1 if (column || table) && free => out.push_str(&piece.text.to_uppercase()),
            _ => out.push_str(piece.text),
        }
    }
    out
}
