//! Where statements end, and what their words say about rows.

use tristan_sqltext::{Dialect, Effects, TokenKind, disguised, effects, locks_rows, split, tokens};

fn texts(text: &str, dialect: Dialect) -> Vec<&str> {
    split(text, dialect).into_iter().map(|part| part.text).collect()
}

#[test]
fn only_semicolons_outside_of_texts_count() {
    let text = " begin; select ';', $$a;b$$ /*;*/;; commit -- ;\n";
    assert_eq!(texts(text, Dialect::PostgreSql), ["begin", "select ';', $$a;b$$", "commit"]);
    assert_eq!(texts("; ;", Dialect::MySql), [""; 0]);
    assert_eq!(texts("select '\\';' # ;\n; b", Dialect::MySql), ["select '\\';'", "b"]);
    let executed = "/*!50001 set a = 1 */; b /*! c */;";
    assert_eq!(texts(executed, Dialect::MySql), ["/*!50001 set a = 1 */", "b /*! c */"]);
}

#[test]
fn the_body_of_a_routine_belongs_to_it() {
    for routine in [
        "create procedure p() begin select 1; if a then select case when b then 1 end; end if; end",
        "create definer=`a`@`b` function f() returns int begin case a when 1 then set b = 1; end case; return 1; end",
        "create trigger t after insert on a for each row begin select 1; end",
        "begin not atomic select 1; end",
    ] {
        let text = format!("{routine}; select 2; select 3");
        assert_eq!(texts(&text, Dialect::MariaDb), [routine, "select 2", "select 3"]);
    }
    let table = "create table event (begin int); select 1; select 2";
    assert_eq!(texts(table, Dialect::MySql).len(), 3);
    let function = "create function f() returns int language sql as $$ select 1; $$; begin; commit";
    assert_eq!(texts(function, Dialect::PostgreSql).len(), 3);
}

#[test]
fn words_in_texts_and_comments_neither_lock_nor_write() {
    let dialect = Dialect::PostgreSql;
    let locks = |text| locks_rows(&tokens(text, dialect));
    assert!(locks("select 1 for /* all */ UPDATE") && locks("(select 1 lock in share mode)"));
    assert!(!locks("select 'for update' -- for share"));
    let reads = |text| effects(&tokens(text, dialect), dialect) == Effects::Nothing;
    assert!(reads("(select replace(a, 'x', 'y') from t for no key update) union table t"));
    assert!(reads("with a as (select 'delete') select * from a for update"));
    assert!(!reads("with a as (delete from t returning *) select * from a"));
    assert!(!reads("select 1 into t") && !reads("update t set a = 1"));
    assert!(reads("explain analyze select 1") && !reads("explain analyze delete from t"));
}

#[test]
fn a_statement_in_disguise_has_the_same_tokens() {
    let text = "SELECT a.b, 'it''s é' FROM t WHERE x >= 1.5 AND \"Y\" IS NOT NULL";
    let mut state = 7usize;
    let mut below = |most: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let kinds = |text: &str, dialect| -> Vec<String> {
        let shown = |kind: &TokenKind<'_>| match kind {
            TokenKind::Word(word) => word.to_lowercase(),
            other => format!("{other:?}"),
        };
        tokens(text, dialect).iter().map(|token| shown(&token.kind)).collect()
    };
    for dialect in Dialect::ALL {
        for _ in 0..200 {
            let odd = disguised(text, dialect, &mut below);
            assert_eq!(kinds(&odd, dialect), kinds(text, dialect), "{odd}");
            assert_eq!(split(&odd, dialect).len(), 1, "{odd}");
        }
    }
}
