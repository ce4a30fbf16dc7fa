//! Which tables a statement may change, as far as its words tell without a plan.
//!
//! | statement | may change |
//! |---|---|
//! | a query | nothing |
//! | `INSERT INTO t`, `UPDATE t`, `DELETE FROM t`, `MERGE INTO t`, `COPY t FROM`, `TRUNCATE t` | `t` |
//! | `CREATE TABLE t`, `ALTER TABLE t`, `DROP TABLE t`, `CREATE UNIQUE INDEX … ON t` | `t` |
//! | views, sequences, types, privileges, other indexes, definitions of functions | nothing |
//! | a call of a function that is not known, `CALL`, `DO`, triggers, rules, everything else | anything |
//!
//! A name stands for all tables that are called so, whatever schema they are in. What is behind a name is not
//! known here: if `t` is a view, an `INSERT` changes another table, and the caller has to find that out.
//! Changes that a table makes to others, by triggers or foreign keys, are not seen either.

use crate::dialect::Dialect;
use crate::server_functions::{helps_with_catalog, is_about_server};
use crate::subject::{Subject, subject};
use crate::token::{Token, TokenKind};
use crate::words::{Words, has_word};

/// What a statement may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effects {
    /// No table.
    Nothing,
    /// Tables with these names, in lower case and without their schemas.
    Tables(Vec<String>),
    /// Any table.
    Anything,
}

/// What a statement may change.
pub fn effects(tokens: &[Token<'_>], dialect: Dialect) -> Effects {
    let unclear = |token: &Token<'_>| matches!(token.kind, TokenKind::Unclear(_));
    if tokens.iter().any(unclear) || has_several(tokens) {
        return Effects::Anything;
    }
    match subject(tokens, dialect) {
        Subject::Data => of_data(tokens, dialect),
        Subject::Explanation { runs: true, at } => {
            let start = tokens.partition_point(|token| token.start < at);
            of_data(&tokens[start..], dialect)
        }
        _ => Effects::Nothing,
    }
}

fn of_data(tokens: &[Token<'_>], dialect: Dialect) -> Effects {
    let mut words = Words::new(tokens);
    while words.symbol("(") {}
    let about_rows = [
        "select", "with", "table", "values", "declare", "insert", "update", "delete", "merge",
        "replace",
    ];
    match about_rows.iter().any(|first| words.is(first)) {
        true => of_rows(tokens, dialect),
        false => of_definition(tokens, dialect),
    }
}

fn has_several(tokens: &[Token<'_>]) -> bool {
    let end = tokens.iter().position(|token| token.kind == TokenKind::Symbol(";"));
    end.is_some_and(|end| tokens[end..].iter().any(|token| token.kind != TokenKind::Symbol(";")))
}

/// A statement about rows: every table that it names as a target.
fn of_rows(tokens: &[Token<'_>], dialect: Dialect) -> Effects {
    if has_unknown_calls(tokens, dialect) || assigns(tokens) {
        return Effects::Anything;
    }
    let mut targets = Vec::new();
    for place in 0..tokens.len() {
        match target(tokens, place, dialect) {
            Target::None => {}
            Target::Table(name) => targets.push(name),
            Target::Unclear => return Effects::Anything,
        }
    }
    if targets.is_empty() { Effects::Nothing } else { Effects::Tables(targets) }
}

/// What a word says about the table that is changed.
enum Target {
    None,
    Table(String),
    Unclear,
}

impl Target {
    fn named(words: &mut Words<'_, '_>) -> Self {
        words.eat("table");
        words.eat("only");
        table(words).map_or(Self::Unclear, Self::Table)
    }
}

fn target(tokens: &[Token<'_>], place: usize, dialect: Dialect) -> Target {
    let mut words = Words::new(&tokens[place..]);
    if words.eat("into") {
        return Target::named(&mut words);
    }
    if is_update(tokens, place) {
        return updated(words);
    }
    let calls = tokens.get(place + 1).is_some_and(|next| next.kind == TokenKind::Symbol("("));
    if !calls && words.eat_any(&["insert", "replace"]) {
        let modifiers = ["low_priority", "delayed", "high_priority", "ignore"];
        while words.eat_any(&modifiers) || words.eat("or") && words.next().is_some() {}
        // The table comes after INTO, which is seen for itself.
        return if words.is("into") { Target::None } else { Target::named(&mut words) };
    }
    if !calls && words.eat("delete") {
        while words.eat_any(&["low_priority", "quick", "ignore"]) {}
        // `WHEN MATCHED THEN DELETE` changes the target of its MERGE.
        if has_word(&tokens[place.saturating_sub(1)..place], "then") {
            return Target::None;
        }
        // `DELETE a, b FROM …` of MySQL may delete from several tables.
        if !words.eat("from") {
            return Target::Unclear;
        }
        let target = Target::named(&mut words);
        // `DELETE FROM a USING t AS a` of MySQL names an alias.
        let alias = dialect.is_mysql() && words.is("using");
        return if alias || words.symbol(",") { Target::Unclear } else { target };
    }
    Target::None
}

/// From `UPDATE` on: the table, unless several are updated or the word is part of an upsert.
fn updated(mut words: Words<'_, '_>) -> Target {
    words.next();
    while words.eat_any(&["low_priority", "ignore"]) {}
    if words.is("set") {
        return Target::None;
    }
    let target = Target::named(&mut words);
    let listed = words.skip_expression(&["set"]);
    match words.is("set") && !has_word(listed, "join") && !has_word(listed, "straight_join") {
        true => target,
        false => Target::Unclear,
    }
}

/// Whether the word at a place updates rows. `FOR UPDATE` only locks, and `ON DUPLICATE KEY UPDATE` belongs to
/// an INSERT.
fn is_update(tokens: &[Token<'_>], place: usize) -> bool {
    let before = |count: usize| match place.checked_sub(count).map(|at| &tokens[at].kind) {
        Some(TokenKind::Word(word)) => word.to_lowercase(),
        _ => String::new(),
    };
    let locks = before(1) == "for" || before(1) == "key" && before(2) == "no" && before(3) == "for";
    let upserts = before(1) == "key" && before(2) == "duplicate";
    has_word(&tokens[place..=place], "update") && !locks && !upserts
}

/// `@a := 1` in MySQL.
fn assigns(tokens: &[Token<'_>]) -> bool {
    let symbol = |place: usize, wanted: &str| {
        tokens.get(place).is_some_and(|token| token.kind == TokenKind::Symbol(wanted))
    };
    (0..tokens.len())
        .any(|place| symbol(place, ":=") || symbol(place, ":") && symbol(place + 1, "="))
}

/// A definition, or something else that is not about rows.
fn of_definition(tokens: &[Token<'_>], dialect: Dialect) -> Effects {
    let mut words = Words::new(tokens);
    if words.eat_any(&["grant", "revoke", "fetch", "move", "close"]) {
        return Effects::Nothing;
    }
    let owned = (1..tokens.len()).any(|place| Words::new(&tokens[place..]).eat("owner to"));
    if owned
        && words.is("alter")
        && !tokens.iter().any(|token| token.kind == TokenKind::Symbol(","))
    {
        return Effects::Nothing;
    }
    if words.eat("truncate") {
        words.eat("table");
        return if has_word(tokens, "cascade") { Effects::Anything } else { tables(words) };
    }
    if words.eat("copy") {
        return copied(words, dialect);
    }
    if words.eat("create") {
        return created(tokens, words, dialect);
    }
    if words.eat_any(&["alter table", "alter foreign table"]) {
        return altered(tokens, words, dialect);
    }
    if words.eat("drop table") {
        words.eat("if exists");
        return tables(words);
    }
    let apart = [
        "alter sequence",
        "alter index",
        "alter view",
        "alter extension",
        "alter default privileges",
        "alter function",
        "drop view",
        "drop materialized view",
        "drop sequence",
        "drop role",
        "drop user",
    ];
    // Defaults of a view are those of the rows that are written through it.
    let mut ahead = words;
    if ahead.eat("alter view") && has_word(tokens, "set") {
        return Effects::Anything;
    }
    let cascades = has_word(tokens, "cascade");
    if words.eat_any(&apart) && !cascades { Effects::Nothing } else { Effects::Anything }
}

fn created(tokens: &[Token<'_>], mut words: Words<'_, '_>, dialect: Dialect) -> Effects {
    let modifiers = ["or replace", "temporary", "temp", "global", "local", "unlogged"];
    while words.eat_any(&modifiers) {}
    if words.eat("table") {
        words.eat("if not exists");
        let unknown =
            has_unknown_defaults(tokens, dialect) || shares_rows(tokens) || runs(tokens, dialect);
        return table(&mut words)
            .filter(|_| !unknown)
            .map_or(Effects::Anything, |name| Effects::Tables(vec![name]));
    }
    if words.eat("unique index") {
        while !words.is_empty() && !words.eat("on") {
            words.next();
        }
        words.eat("only");
        return table(&mut words).map_or(Effects::Anything, |name| Effects::Tables(vec![name]));
    }
    let apart = [
        "index",
        "view",
        "sequence",
        "type",
        "domain",
        "extension",
        "schema",
        "role",
        "user",
        "statistics",
        "collation",
        "function",
        "procedure",
    ];
    if words.eat_any(&apart) { Effects::Nothing } else { Effects::Anything }
}

/// `ALTER TABLE t RENAME TO u` changes what both names mean.
fn altered(tokens: &[Token<'_>], mut words: Words<'_, '_>, dialect: Dialect) -> Effects {
    words.eat("if exists");
    words.eat("only");
    let Some(name) = table(&mut words)
        .filter(|_| !has_unknown_defaults(tokens, dialect) && !shares_rows(tokens))
    else {
        return Effects::Anything;
    };
    let mut names = vec![name];
    for place in 0..tokens.len() {
        let mut ahead = Words::new(&tokens[place..]);
        if !ahead.eat("rename")
            || ["column", "index", "key", "constraint"].iter().any(|part| ahead.is(part))
        {
            continue;
        }
        ahead.eat_any(&["to", "as"]);
        match table(&mut ahead) {
            // `RENAME a TO b` renames a column.
            Some(_) if ahead.is("to") => {}
            Some(name) => names.push(name),
            None => return Effects::Anything,
        }
    }
    Effects::Tables(names)
}

/// `COPY t FROM …` writes; `COPY … TO …` reads.
fn copied(mut words: Words<'_, '_>, dialect: Dialect) -> Effects {
    if words.symbol("(") {
        return of_rows(words.rest(), dialect);
    }
    let Some(name) = table(&mut words) else { return Effects::Anything };
    if words.symbol("(") {
        while !words.is_empty() && !words.symbol(")") {
            words.next();
        }
    }
    match (words.is("from"), words.is("to")) {
        (true, _) => Effects::Tables(vec![name]),
        (_, true) => Effects::Nothing,
        _ => Effects::Anything,
    }
}

/// A list of tables.
fn tables(mut words: Words<'_, '_>) -> Effects {
    let mut names = Vec::new();
    loop {
        words.eat("only");
        match table(&mut words) {
            Some(name) => names.push(name),
            None => return Effects::Anything,
        }
        words.symbol("*");
        if !words.symbol(",") {
            return Effects::Tables(names);
        }
    }
}

/// The last part of the name of a table.
fn table(words: &mut Words<'_, '_>) -> Option<String> {
    // `INTO @a` sets a variable.
    words.last_name().filter(|name| !name.starts_with('@'))
}

/// Whether a default calls a function that is not known: inserts will call it, too.
fn has_unknown_defaults(tokens: &[Token<'_>], dialect: Dialect) -> bool {
    (0..tokens.len()).any(|place| {
        let mut words = Words::new(&tokens[place..]);
        let ends = ["check", "references", "constraint", "unique", "primary", "generated"];
        words.eat("default") && has_unknown_calls(words.skip_expression(&ends), dialect)
    })
}

/// Whether the rows of a table are those of another one, too.
fn shares_rows(tokens: &[Token<'_>]) -> bool {
    ["inherits", "inherit", "partition", "exchange", "convert"]
        .iter()
        .any(|word| has_word(tokens, word))
}

/// Whether a table is made from something that may change others.
fn runs(tokens: &[Token<'_>], dialect: Dialect) -> bool {
    let begins = |place: usize| {
        ["select", "values", "execute", "delete", "insert", "with"].iter().any(|word| {
            let mut words = Words::new(&tokens[place..]);
            let before = &tokens[place.saturating_sub(1)..place];
            // Not `ON DELETE CASCADE`, `ON COMMIT DELETE ROWS`, `WITH (fillfactor = 70)`, `WITH TIME ZONE`.
            words.eat(word)
                && !has_word(before, "on")
                && !has_word(before, "commit")
                && !(*word == "with" && (words.symbol("(") || words.is("time")))
        })
    };
    let query = (0..tokens.len()).find(|place| begins(*place));
    query.is_some_and(|query| {
        Words::new(&tokens[query..]).is("execute")
            || of_rows(&tokens[query..], dialect) != Effects::Nothing
    })
}

fn has_unknown_calls(tokens: &[Token<'_>], dialect: Dialect) -> bool {
    (0..tokens.len()).any(|place| is_unknown_call(tokens, place, dialect))
}

/// Whether a function is called that may change tables.
fn is_unknown_call(tokens: &[Token<'_>], place: usize, dialect: Dialect) -> bool {
    let symbol = |place: usize, wanted: &str| {
        tokens.get(place).is_some_and(|token| token.kind == TokenKind::Symbol(wanted))
    };
    let behind = |word: &str| place >= 1 && has_word(&tokens[place - 1..place], word);
    let named = ["as", "with", "recursive"].into_iter().any(behind);
    // `AS t (a, b)` and `INTO t (a, b)` list columns.
    if !symbol(place + 1, "(") || named || follows_into(tokens, place) {
        return false;
    }
    match &tokens[place].kind {
        TokenKind::Word(word) => {
            let word = word.to_lowercase();
            let system = ["pg_catalog", "information_schema"];
            let own = || !system.iter().any(|name| has_word(&tokens[place - 2..place - 1], name));
            let of_server = is_about_server(&word, dialect) || helps_with_catalog(&word, dialect);
            (place >= 2 && symbol(place - 1, ".") && own())
                || !of_server && !is_harmless(&word, dialect)
        }
        TokenKind::Quoted(_) => true,
        _ => false,
    }
}

fn is_harmless(word: &str, dialect: Dialect) -> bool {
    let further = match dialect {
        Dialect::PostgreSql => is_listed(&[PURE_OF_POSTGRES], word),
        _ => dialect.is_mysql() && is_listed(&[PURE_OF_MYSQL], word),
    };
    further || is_listed(&HARMLESS, word) && !is_listed(foreign(dialect), word)
}

fn is_listed(lists: &[&str], word: &str) -> bool {
    lists.iter().any(|list| list.split(' ').any(|known| known == word))
}

/// Functions that only another server has: a function with such a name is user-defined here.
fn foreign(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::PostgreSql => &[OF_MYSQL],
        Dialect::MariaDb => &[OF_POSTGRES],
        Dialect::MySql => &[OF_POSTGRES, "currval lastval nextval setval"],
        _ => &[OF_MYSQL, OF_POSTGRES],
    }
}

/// Whether a name is that of a table behind INTO, and what follows are its columns.
fn follows_into(tokens: &[Token<'_>], mut place: usize) -> bool {
    while place >= 2 && tokens[place - 1].kind == TokenKind::Symbol(".") {
        place -= 2;
    }
    place >= 1 && has_word(&tokens[place - 1..place], "into")
}

/// Words that may stand in front of a parenthesis: grammar, types, and functions of the servers that change no
/// table. A name with a schema other than `pg_catalog` is a user-defined function.
const HARMLESS: [&str; 9] = [
    "all and any array as between by case cast coalesce conflict cross default distinct else end escape except exists \
     filter for from full group grouping having ilike in inner intersect is join key lateral left like limit \
     materialized natural not null nullif of offset on only or order ordinality outer over partition recursive returning \
     right row rows select set sets similar some symmetric table then union unique using values when where window with \
     within xor",
    "bigint bit char character date datetime decimal double float int integer interval numeric real smallint text time \
     timestamp timestamptz timetz tinyint varchar varying",
    "abs ceil ceiling exp floor greatest if least ln mod pi power rand random round sign sqrt trunc truncate",
    "ascii btrim lcase mid ucase char_length character_length chr concat concat_ws convert convert_tz group_concat hex initcap instr left \
     length locate lower lpad ltrim md5 octet_length overlay quote_ident quote_literal regexp_match \
     regexp_matches regexp_replace repeat replace reverse right rpad rtrim split_part strpos substr substring to_char \
     to_hex to_tsquery to_tsvector translate trim unhex upper",
    "age clock_timestamp current_date current_time current_timestamp curdate date_add date_format date_part date_sub \
     date_trunc datediff day dayofmonth extract from_unixtime hour justify_interval localtime localtimestamp make_date \
     make_interval minute month now second statement_timestamp str_to_date timeofday timestampdiff to_date to_timestamp \
     transaction_timestamp unix_timestamp year",
    "array_agg array_append array_cat array_length array_position array_prepend array_remove array_to_string array_upper \
     avg bit_and bit_or bool_and bool_or cardinality corr count cume_dist dense_rank every first_value json_agg \
     json_object_agg jsonb_agg jsonb_object_agg lag last_value lead max min nth_value ntile percent_rank percentile_cont \
     percentile_disc rank regr_slope row_number stddev string_agg string_to_array sum unnest var_pop variance",
    "json_array json_build_array json_build_object json_extract json_object json_typeof json_unquote json_valid jsonb_array_elements \
     jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_extract_path jsonb_insert \
     jsonb_object_keys jsonb_set jsonb_typeof row_to_json to_json to_jsonb generate_series ifnull isnull",
    "col_description current_database current_schema current_schemas current_setting current_user database format_type \
     has_schema_privilege has_table_privilege inet_server_addr inet_server_port obj_description pg_backend_pid \
     pg_get_constraintdef pg_get_expr pg_get_indexdef pg_get_serial_sequence pg_get_userbyid pg_get_viewdef \
     pg_is_in_recovery pg_relation_size pg_table_is_visible pg_total_relation_size pg_type_is_visible session_user \
     txid_current user version",
    "connection_id currval found_rows gen_random_uuid get_lock last_insert_id lastval nextval pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock \
     pg_advisory_unlock_all pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_notify pg_sleep pg_try_advisory_lock \
     pg_try_advisory_xact_lock release_lock row_count setval sleep uuid uuid_generate_v4",
];

/// Further functions of PostgreSQL that compute a value from their arguments alone.
const PURE_OF_POSTGRES: &str = "acos acosd array_dims array_fill array_replace asin asind atan atan2 atan2d atand bit_count \
     bit_length cbrt cos cosd cosh cot cotd date_bin decode degrees div encode factorial format gcd get_bit get_byte \
     isfinite json_array_elements json_array_elements_text json_array_length json_each json_each_text \
     json_extract_path json_extract_path_text json_object_keys json_strip_nulls jsonb_array_elements_text \
     jsonb_each_text jsonb_extract_path_text jsonb_object jsonb_path_exists jsonb_path_match jsonb_path_query \
     jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set_lax jsonb_strip_nulls justify_days \
     justify_hours lcm log log10 make_time make_timestamp make_timestamptz min_scale mode normalize num_nonnulls \
     num_nulls pg_typeof position quote_nullable radians regexp_count \
     regexp_instr regexp_like regexp_split_to_array regexp_split_to_table regexp_substr regr_count \
     scale set_bit set_byte sha224 sha256 sha384 sha512 sin sind sinh starts_with stddev_pop stddev_samp \
     string_to_table tan tand tanh to_ascii to_number trim_array trim_scale var_samp width_bucket";

/// Further functions of MySQL and MariaDB that compute a value from their arguments alone.
const PURE_OF_MYSQL: &str = "acos adddate addtime asin atan atan2 bin bit_count bit_length bit_xor conv cos cot crc32 \
     dayname dayofweek dayofyear degrees elt export_set field find_in_set format from_base64 from_days json_contains \
     json_contains_path json_depth json_insert json_keys json_length json_merge_patch json_merge_preserve json_quote \
     json_remove json_replace json_search json_set json_type json_value last_day log json_exists json_query log10 log2 makedate maketime \
     microsecond monthname oct ord period_add period_diff position pow quarter quote radians regexp_instr \
     regexp_replace regexp_substr sec_to_time sha sha1 sha2 sin soundex space std stddev_pop stddev_samp strcmp \
     subdate substring_index subtime tan time_format time_to_sec timediff timestampadd to_base64 to_days to_seconds \
     utc_date utc_time utc_timestamp var_samp week weekday weekofyear yearweek";

/// Functions of MySQL and MariaDB that PostgreSQL does not have.
const OF_MYSQL: &str = "connection_id convert convert_tz curdate database date_add date_format date_sub datediff day dayofmonth \
     found_rows from_unixtime get_lock group_concat hex hour if ifnull lcase mid ucase instr isnull json_extract json_unquote json_valid \
     last_insert_id locate minute month rand release_lock row_count second sleep str_to_date timestampdiff truncate \
     unhex unix_timestamp uuid year";

/// Functions of PostgreSQL that MySQL and MariaDB do not have.
const OF_POSTGRES: &str = "age array_agg array_append array_cat array_length array_position array_prepend array_remove \
     array_to_string array_upper btrim cardinality clock_timestamp date_part date_trunc every gen_random_uuid \
     generate_series initcap jsonb_agg jsonb_insert jsonb_set lastval make_date make_interval pg_advisory_lock pg_notify \
     pg_sleep quote_ident quote_literal random regexp_match regexp_matches split_part statement_timestamp string_agg \
     string_to_array strpos timeofday to_char to_date to_hex to_json to_jsonb to_timestamp to_tsquery to_tsvector \
     transaction_timestamp translate unnest uuid_generate_v4";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    /// What a statement changes, as a list of names.
    fn changed(text: &str, dialect: Dialect) -> String {
        match effects(&tokens(text, dialect), dialect) {
            Effects::Nothing => "nothing".to_owned(),
            Effects::Tables(names) => names.join(" "),
            Effects::Anything => "anything".to_owned(),
        }
    }

    fn all_change(dialect: Dialect, cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(changed(text, dialect), *expected, "{text}");
        }
    }

    #[test]
    fn tells_what_statements_about_rows_may_change() {
        let cases = [
            ("SELECT c.relname, pg_catalog.format_type(a.atttypid, 3) FROM pg_class c", "nothing"),
            ("SELECT x FROM t WHERE y IN (SELECT max(z) OVER (PARTITION BY w) FROM s)", "nothing"),
            ("WITH RECURSIVE r AS (SELECT 1) SELECT count(*) FROM r FOR UPDATE", "nothing"),
            ("SELECT rank() OVER () FROM t FOR NO KEY UPDATE;", "nothing"),
            ("SELECT nextval('s')", "nothing"),
            ("WITH a(n) AS (SELECT 1) SELECT b.n FROM unnest(x) AS b(n)", "nothing"),
            ("SELECT set_config('search_path', '', false)", "anything"),
            ("SELECT \"now\"()", "anything"),
            ("SELECT pay(7)", "anything"),
            ("SELECT own.sum(7)", "anything"),
            ("SELECT gcd(4, 6), sha256(b), num_nulls(a), regexp_count(s, 'a') FROM t", "nothing"),
            ("SELECT sha2(s, 256)", "anything"),
            ("SELECT 1; TRUNCATE t", "anything"),
            ("SELECT 1; ROLLBACK TO a", "anything"),
            ("WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d", "t"),
            ("WITH d AS (DELETE FROM t RETURNING *) INSERT INTO u SELECT * FROM d", "t u"),
            ("SELECT 1 INTO t", "t"),
            ("UPDATE ONLY a.\"T\" x SET v = rank() OVER ()", "t"),
            ("UPDATE t SET v = pay(1)", "anything"),
            ("INSERT INTO s.t (a, b) VALUES (1, now()) ON CONFLICT (a) DO UPDATE SET b = 2", "t"),
            ("INSERT INTO t SELECT * FROM big FOR UPDATE", "t"),
            ("MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE", "t"),
            ("MERGE INTO t USING s ON a = b WHEN MATCHED THEN UPDATE SET v = 1", "t"),
            ("TRUNCATE t, s.u", "t u"),
            ("TRUNCATE t CASCADE", "anything"),
            ("COPY t (a, b) FROM stdin", "t"),
            ("COPY t TO stdout", "nothing"),
            ("COPY (DELETE FROM t RETURNING *) TO stdout", "t"),
        ];
        all_change(Dialect::PostgreSql, &cases);
    }

    #[test]
    fn tells_what_definitions_may_change() {
        let cases = [
            ("CREATE TABLE IF NOT EXISTS t (a int DEFAULT nextval('s'))", "t"),
            ("CREATE TABLE t (a int DEFAULT pay(1))", "anything"),
            ("CREATE UNIQUE INDEX CONCURRENTLY i ON ONLY t (a)", "t"),
            ("CREATE INDEX i ON t (lower(a))", "nothing"),
            ("CREATE OR REPLACE VIEW v AS SELECT * FROM t", "nothing"),
            ("CREATE TRIGGER x BEFORE INSERT ON t EXECUTE FUNCTION f()", "anything"),
            ("ALTER TABLE ONLY t ADD COLUMN b int", "t"),
            ("ALTER TABLE t RENAME TO u", "t u"),
            ("ALTER TABLE t RENAME a TO b", "t"),
            ("ALTER TABLE ONLY p ATTACH PARTITION p1 FOR VALUES IN (1)", "anything"),
            ("CREATE TABLE c () INHERITS (p)", "anything"),
            ("CREATE TABLE a AS WITH g AS (DELETE FROM o RETURNING *) SELECT * FROM g", "anything"),
            ("CREATE TABLE a AS SELECT pay(1)", "anything"),
            ("CREATE TABLE a AS SELECT (pay(1))", "anything"),
            ("CREATE TABLE a AS VALUES (pay(1))", "anything"),
            ("CREATE TABLE a AS SELECT max(v) FROM t", "a"),
            ("CREATE TABLE a (b timestamp with time zone, c int DEFAULT 0 CHECK (c > 0))", "a"),
            ("CREATE TABLE a (c int DEFAULT 1 REFERENCES u (id) ON DELETE CASCADE)", "a"),
            ("ALTER TYPE public.mood OWNER TO app", "nothing"),
            ("CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE) WITH (fillfactor = 7)", "a"),
            ("CREATE TABLE t (a int DEFAULT (public.next_id()), b int)", "anything"),
            ("CREATE MATERIALIZED VIEW m AS SELECT pay(1)", "anything"),
            ("ALTER ROLE app SET search_path = app", "anything"),
            ("SELECT DISTINCT ON (a) pay(1) FROM t", "anything"),
            ("SELECT get_lock('a')", "anything"),
            ("ALTER TABLE t RENAME COLUMN a TO b", "t"),
            ("ALTER VIEW v RENAME TO w", "nothing"),
            ("ALTER VIEW v ALTER COLUMN a SET DEFAULT 3", "anything"),
            ("DROP TABLE IF EXISTS t, u CASCADE", "t u"),
            ("DROP SEQUENCE s CASCADE", "anything"),
            ("CALL pay(1)", "anything"),
            ("DO $$ BEGIN DELETE FROM t; END $$", "anything"),
            ("EXECUTE q", "anything"),
            ("EXPLAIN DELETE FROM t", "nothing"),
            ("EXPLAIN (ANALYZE) DELETE FROM t", "t"),
            ("SET work_mem = '1GB'", "nothing"),
        ];
        all_change(Dialect::PostgreSql, &cases);
    }

    #[test]
    fn tells_what_statements_of_mysql_may_change() {
        let cases = [
            ("SELECT @a := 1", "anything"),
            ("SELECT v INTO @a FROM t", "anything"),
            ("INSERT IGNORE t VALUES (1) ON DUPLICATE KEY UPDATE v = 2", "t"),
            ("REPLACE INTO t VALUES (1)", "t"),
            ("UPDATE t JOIN u ON t.a = u.a SET t.v = 1", "anything"),
            ("UPDATE t, u SET t.v = 1", "anything"),
            ("DELETE t FROM t JOIN u ON t.a = u.a", "anything"),
            ("DELETE FROM `t` WHERE a = 1", "t"),
            ("SELECT nextval('orders')", "anything"),
            ("DELETE FROM a USING accounts AS a JOIN u ON a.x = u.x", "anything"),
            ("ALTER TABLE t RENAME u", "t u"),
            ("SELECT json_set(j, '$.a', 1), sha2(s, 256), elt(1, 'a'), week(d) FROM t", "nothing"),
            ("SELECT gcd(4, 6)", "anything"),
            ("LOAD DATA INFILE 'x' INTO TABLE t", "anything"),
        ];
        all_change(Dialect::MySql, &cases);
        let other = "SET STATEMENT max_statement_time = 1 FOR UPDATE t SET v = 1";
        assert_eq!(changed(other, Dialect::MariaDb), "anything");
    }
}
