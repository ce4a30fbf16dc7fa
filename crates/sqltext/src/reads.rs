//! What a statement does to rows, as far as its words tell without a plan.

use crate::token::{Token, TokenKind};
use crate::words::{Words, has_word};

/// Whether a statement writes nothing, as far as its text tells: functions that it calls may write.
pub fn only_reads(tokens: &[Token<'_>]) -> bool {
    let mut words = Words::new(tokens);
    while words.symbol("(") {}
    let queries = ["select", "with", "table", "values", "declare"];
    queries.iter().any(|query| words.is(query)) && !writes(tokens)
}

/// Whether a word among tokens writes. `FOR UPDATE` only locks.
fn writes(tokens: &[Token<'_>]) -> bool {
    ["insert", "delete", "merge", "into", "replace"].iter().any(|word| writes_with(tokens, word))
        || (0..tokens.len()).any(|place| is_update(tokens, place))
}

/// Whether a keyword is among tokens that is not the name of a function.
fn writes_with(tokens: &[Token<'_>], keyword: &str) -> bool {
    (0..tokens.len()).any(|place| {
        has_word(&tokens[place..=place], keyword)
            && !tokens.get(place + 1).is_some_and(|next| next.kind == TokenKind::Symbol("("))
    })
}

fn is_update(tokens: &[Token<'_>], place: usize) -> bool {
    let before = |count: usize| match place.checked_sub(count).map(|at| &tokens[at].kind) {
        Some(TokenKind::Word(word)) => word.to_lowercase(),
        _ => String::new(),
    };
    let locks = before(1) == "for" || before(1) == "key" && before(2) == "no" && before(3) == "for";
    has_word(&tokens[place..=place], "update") && !locks
}

/// Whether a query leaves everything as it is: it only reads, and calls no functions but those that are known to
/// have no effects.
pub fn is_harmless(tokens: &[Token<'_>]) -> bool {
    let symbol = |place: usize, wanted: &str| {
        tokens.get(place).is_some_and(|token| token.kind == TokenKind::Symbol(wanted))
    };
    let calls = |place: usize| match &tokens[place].kind {
        TokenKind::Word(word) if symbol(place + 1, "(") => {
            let word = word.to_lowercase();
            let own = || !has_word(&tokens[place - 2..place - 1], "pg_catalog");
            (place >= 2 && symbol(place - 1, ".") && own())
                || !HARMLESS.iter().any(|list| list.split(' ').any(|known| known == word))
        }
        TokenKind::Quoted(_) => symbol(place + 1, "("),
        TokenKind::Unclear(_) => true,
        TokenKind::Word(_) if Words::new(&tokens[place..]).eat_any(&["next value for"]) => true,
        // Another statement.
        TokenKind::Symbol(";") => place + 1 < tokens.len(),
        // `@a := 1` in MySQL.
        TokenKind::Symbol(":=") => true,
        TokenKind::Symbol(":") => symbol(place + 1, "="),
        _ => false,
    };
    only_reads(tokens) && !(0..tokens.len()).any(calls)
}

/// Words that may stand in front of a parenthesis: grammar, types, and functions of the servers that have no
/// effects. A name with a schema other than `pg_catalog` is a user-defined function.
const HARMLESS: [&str; 8] = [
    "all and any array as between by case cast coalesce cross distinct else end escape except exists filter for from \
     full group grouping having ilike in inner intersect is join lateral left like limit materialized natural not null \
     nullif of offset on only or order ordinality outer over partition recursive right row rows select sets similar \
     some symmetric table then union using values when where window with within xor",
    "bigint bit char character date datetime decimal double float int integer interval numeric real smallint text time \
     timestamp timestamptz timetz tinyint varchar varying",
    "abs ceil ceiling exp floor greatest least ln mod pi power round sign sqrt trunc truncate",
    "ascii btrim char_length character_length chr concat concat_ws convert group_concat hex initcap instr left \
     length locate lower lpad ltrim md5 octet_length overlay quote_ident quote_literal regexp_match \
     regexp_matches regexp_replace repeat replace reverse right rpad rtrim split_part strpos substr substring to_char \
     to_hex translate trim unhex upper",
    "current_date current_time current_timestamp curdate date_add date_format date_part date_sub date_trunc datediff \
     dayofmonth extract from_unixtime hour justify_interval localtime localtimestamp make_date make_interval minute month \
     now second str_to_date timestampdiff to_date to_timestamp unix_timestamp year",
    "array_agg array_length array_position array_to_string array_upper avg bit_and bit_or bool_and bool_or cardinality \
     corr count cume_dist dense_rank every first_value json_agg json_object_agg jsonb_agg jsonb_object_agg lag \
     last_value lead max min nth_value ntile percent_rank percentile_cont percentile_disc rank regr_slope \
     row_number stddev string_agg string_to_array sum unnest var_pop variance",
    "json_array json_build_array json_build_object json_extract json_object json_typeof json_unquote jsonb_array_elements \
     jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_extract_path jsonb_object_keys jsonb_typeof \
     row_to_json to_json to_jsonb generate_series ifnull isnull",
    "col_description current_database current_schema current_schemas current_setting current_user database format_type \
     has_schema_privilege has_table_privilege inet_server_addr inet_server_port obj_description pg_backend_pid \
     pg_get_constraintdef pg_get_expr pg_get_indexdef pg_get_serial_sequence pg_get_userbyid pg_get_viewdef \
     pg_is_in_recovery pg_relation_size pg_table_is_visible pg_total_relation_size pg_type_is_visible session_user \
     txid_current user version",
];

/// Whether a query locks the rows that it reads.
pub fn locks_rows(tokens: &[Token<'_>]) -> bool {
    let locks =
        ["for update", "for share", "for no key update", "for key share", "lock in share mode"];
    (0..tokens.len()).any(|place| Words::new(&tokens[place..]).eat_any(&locks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, tokens};

    #[test]
    fn only_queries_without_effects_are_harmless() {
        for (text, harmless) in [
            ("SELECT c.relname, pg_catalog.format_type(a.atttypid, 3) FROM pg_class c", true),
            ("SELECT x FROM t WHERE y IN (SELECT max(z) OVER (PARTITION BY w) FROM s)", true),
            ("WITH RECURSIVE r AS (SELECT 1) SELECT count(*) FROM r FOR UPDATE", true),
            ("SELECT nextval('s')", false),
            ("SELECT set_config('search_path', '', false)", false),
            ("SELECT \"now\"()", false),
            ("SELECT pay(7)", false),
            ("SELECT own.sum(7)", false),
            ("SELECT 1; TRUNCATE t", false),
            ("SELECT 1; ROLLBACK TO a", false),
            ("SELECT rank() OVER () FROM t;", true),
            ("SELECT NEXT VALUE FOR s", false),
            ("WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d", false),
            ("SELECT 1 INTO t", false),
            ("UPDATE t SET v = 1", false),
        ] {
            assert_eq!(is_harmless(&tokens(text, Dialect::PostgreSql)), harmless, "{text}");
        }
        assert!(!is_harmless(&tokens("SELECT @a := 1", Dialect::MySql)));
    }
}
