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
use crate::harmless::is_harmless;
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

/// Whether a name is that of a table behind INTO, and what follows are its columns.
fn follows_into(tokens: &[Token<'_>], mut place: usize) -> bool {
    while place >= 2 && tokens[place - 1].kind == TokenKind::Symbol(".") {
        place -= 2;
    }
    place >= 1 && has_word(&tokens[place - 1..place], "into")
}

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
