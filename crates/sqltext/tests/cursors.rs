//! What statements do with cursors.

use tristan_sqltext::{CursorCommand, CursorRows, Dialect, cursor, tokens};

fn of(text: &str) -> Option<CursorCommand> {
    cursor(&tokens(text, Dialect::PostgreSql))
}

#[test]
fn a_cursor_is_declared_with_a_query() {
    let declared = |name: &str, holds, query| {
        Some(CursorCommand::Declare { name: name.to_owned(), holds, query })
    };
    let text = "DECLARE \"A b\" NO SCROLL CURSOR WITH HOLD FOR SELECT 1";
    assert_eq!(of(text), declared("A b", true, Some(text.len() - 8)));
    let text = "/* x */ declare C insensitive cursor without hold for with q as (select 1) table q";
    assert_eq!(of(text), declared("c", false, text.find("with q")));
    for text in
        ["declare c cursor for select 1 from t for update", "declare c binary cursor for select 1"]
    {
        assert_eq!(of(text), declared("c", false, None), "{text}");
    }
}

#[test]
fn rows_are_fetched_in_many_ways() {
    let fetched = |rows| Some(CursorCommand::Fetch { name: "c".to_owned(), rows });
    for (text, rows) in [
        ("fetch c", CursorRows::Next(1)),
        ("FETCH FORWARD 2000 FROM \"c\"", CursorRows::Next(2000)),
        ("fetch next in c", CursorRows::Next(1)),
        ("fetch 10 c", CursorRows::Next(10)),
        ("fetch from c", CursorRows::Next(1)),
        ("fetch forward from c", CursorRows::Next(1)),
        ("fetch all from c", CursorRows::All),
        ("fetch forward all in c", CursorRows::All),
        ("fetch backward 2 from c", CursorRows::Elsewhere),
        ("fetch prior from c", CursorRows::Elsewhere),
        ("fetch absolute -1 from c", CursorRows::Elsewhere),
        ("fetch 0 from c", CursorRows::Elsewhere),
        ("fetch -3 c", CursorRows::Elsewhere),
    ] {
        assert_eq!(of(text), fetched(rows), "{text}");
    }
    let moved = |rows| Some(CursorCommand::Move { name: "c".to_owned(), rows });
    assert_eq!(of("move forward 5 from c"), moved(CursorRows::Next(5)));
    assert_eq!(of("move c"), moved(CursorRows::Next(1)));
    assert_eq!(of("move last in c"), moved(CursorRows::Elsewhere));
}

#[test]
fn one_cursor_or_all_of_them_are_closed() {
    assert_eq!(of("CLOSE \"C\""), Some(CursorCommand::Close { name: Some("C".to_owned()) }));
    assert_eq!(of("close all"), Some(CursorCommand::Close { name: None }));
    assert_eq!(of("select 1"), None);
}
