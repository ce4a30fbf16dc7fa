//! Questions about the schema or the session: queries that read no row of a table.
//!
//! ```text
//!   SELECT relname FROM pg_class WHERE relkind = 'r'      only tables of the system      a question
//!   SELECT to_regclass('t') IS NULL, current_user         functions about the server     a question
//!   SELECT c.relname FROM pg_class c JOIN t ON …          reads t                        not one
//!   SELECT nextval('s'), version()                        advances a sequence            not one
//! ```
//!
//! What a server answers to them is no matter of isolation levels. That such a statement changes nothing is not said
//! here; [`effects`](crate::effects) says it.

use crate::dialect::Dialect;
use crate::server_functions::is_about_server;
use crate::token::{Token, TokenKind};
use crate::words::Words;

/// Whether a query asks about the schema or the session, and reads no row of a table.
pub fn is_question(tokens: &[Token<'_>], dialect: Dialect) -> bool {
    let mut words = Words::new(tokens);
    while words.symbol("(") {}
    if !(words.is("select") || words.is("with")) || tokens.iter().any(depends_on_statements) {
        return false;
    }
    let mut asks = (0..tokens.len()).any(|place| asks_server(tokens, place, dialect));
    let named = named_queries(tokens);
    for (schema, name) in relations(tokens) {
        if is_of_the_system(dialect, schema.as_deref(), &name)
            && !is_of_applications(schema.as_deref(), &name)
        {
            asks = true;
        } else if schema.is_some() || !named.contains(&name) {
            return false;
        }
    }
    asks
}

/// Whether the server itself keeps a table with this name: its catalog, or what it knows of its sessions.
pub fn is_of_the_system(dialect: Dialect, schema: Option<&str>, name: &str) -> bool {
    let name = name.to_lowercase();
    let schema = schema.map(str::to_lowercase);
    match schema.as_deref() {
        Some("information_schema") => true,
        None => dialect == Dialect::PostgreSql && name.starts_with("pg_"),
        Some(schema) if dialect == Dialect::PostgreSql => schema.starts_with("pg_"),
        Some(schema) => {
            dialect.is_mysql() && ["mysql", "performance_schema", "sys"].contains(&schema)
        }
    }
}

/// Whether a table in a schema of the server holds rows of applications: a temporary table, or large objects.
fn is_of_applications(schema: Option<&str>, name: &str) -> bool {
    schema.is_some_and(|schema| schema.starts_with("pg_temp")) || name == "pg_largeobject"
}

/// Whether a token stands for something that earlier statements left in the session, or that advances a sequence.
fn depends_on_statements(token: &Token<'_>) -> bool {
    let TokenKind::Word(word) = token.kind else { return false };
    let word = word.to_lowercase();
    let variable = word.starts_with('@') && !word.starts_with("@@");
    let remembered = [
        "currval",
        "found_rows",
        "last_insert_id",
        "lastval",
        "nextval",
        "previous",
        "row_count",
        "setval",
    ];
    variable || remembered.contains(&word.as_str())
}

/// Whether a function about the server is called at a place, or its object identifiers are used.
fn asks_server(tokens: &[Token<'_>], place: usize, dialect: Dialect) -> bool {
    let TokenKind::Word(word) = tokens[place].kind else { return false };
    let word = word.to_lowercase();
    let symbol = |at: Option<usize>, wanted: &str| {
        at.and_then(|at| tokens.get(at)).is_some_and(|one| one.kind == TokenKind::Symbol(wanted))
    };
    let postgres = dialect == Dialect::PostgreSql;
    let keyword = ["current_catalog", "current_role", "current_schema", "current_user"]
        .into_iter()
        .chain(["session_user", "system_user"].into_iter().filter(|_| postgres));
    let mut keywords = keyword.chain(["user"].into_iter().filter(|_| postgres));
    let variable = dialect.is_mysql() && word.starts_with("@@");
    let cast = postgres && symbol(place.checked_sub(1), "::") && is_object_type(&word);
    let named = symbol(place.checked_sub(1), ".");
    let called = symbol(Some(place + 1), "(") && is_about_server(&word, dialect);
    called || cast || variable || !named && keywords.any(|keyword| keyword == word)
}

/// The types of PostgreSQL that stand for objects of the schema.
fn is_object_type(name: &str) -> bool {
    [
        "regclass",
        "regcollation",
        "regnamespace",
        "regoper",
        "regoperator",
        "regproc",
        "regprocedure",
        "regrole",
        "regtype",
    ]
    .contains(&name)
}

/// The names of queries of WITH, in lower case: `name (a, b) AS MATERIALIZED (`.
fn named_queries(tokens: &[Token<'_>]) -> Vec<String> {
    let named = |place: usize| {
        let mut words = Words::new(&tokens[place..]);
        let name = words.last_name()?;
        if words.symbol("(") {
            while matches!(words.peek(), Some(kind) if *kind != TokenKind::Symbol(")")) {
                words.next();
            }
            words.symbol(")");
        }
        let begins = words.eat("as") && {
            words.eat("not");
            words.eat("materialized");
            words.symbol("(")
        };
        let query = ["select", "with", "values", "table"].iter().any(|first| words.is(first));
        (begins && query).then_some(name)
    };
    (0..tokens.len()).filter_map(named).collect()
}

/// A bracket that is open.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Whether a list of tables is being read.
    lists: bool,
    /// Whether FROM belongs to a function here, as in `extract(year FROM d)`.
    of_function: bool,
}

/// The tables that a query names, in lower case, with their schemas.
fn relations(tokens: &[Token<'_>]) -> Vec<(Option<String>, String)> {
    let (mut found, mut levels) = (Vec::new(), vec![Level::default()]);
    // Whether a table is expected next.
    let mut expected = false;
    let mut place = 0;
    while place < tokens.len() {
        let mut words = Words::new(&tokens[place..]);
        let level = levels.last().copied().unwrap_or_default();
        let query = ["select", "with", "values"].iter().any(|first| words.is(first));
        if expected && words.eat_any(&["lateral", "only"]) {
            place += 1;
            continue;
        }
        if expected && !query && !matches!(words.peek(), Some(TokenKind::Symbol(_))) {
            let (relation, length) = relation(words);
            found.extend(relation);
            place += length.max(1);
            expected = false;
            continue;
        }
        match words.peek() {
            Some(TokenKind::Symbol("(")) => {
                // What is in front of a join in brackets is a list of tables, too.
                levels.push(Level { lists: expected, of_function: takes_from(tokens, place) });
            }
            Some(TokenKind::Symbol(")")) => {
                levels.pop();
                expected = false;
            }
            Some(TokenKind::Symbol(",")) => expected = level.lists,
            Some(TokenKind::Word(_)) => {
                let from = words.is("from") && !level.of_function && !is_distinct(tokens, place);
                if from || words.is("join") || words.is("straight_join") {
                    expected = true;
                    set_lists(&mut levels, true);
                } else {
                    expected = false;
                    if ends_list(words) || query {
                        set_lists(&mut levels, false);
                    }
                }
            }
            _ => expected = false,
        }
        place += 1;
    }
    found
}

fn set_lists(levels: &mut [Level], lists: bool) {
    if let Some(level) = levels.last_mut() {
        level.lists = lists;
    }
}

/// What follows the tables of a query.
fn ends_list(words: Words<'_, '_>) -> bool {
    let ends = [
        "where",
        "group",
        "order",
        "having",
        "limit",
        "offset",
        "union",
        "except",
        "intersect",
        "window",
        "fetch",
        "for",
    ];
    ends.iter().any(|end| words.is(end))
}

/// A table where one is expected, and how many tokens its name has. A function in FROM is no table.
fn relation(mut words: Words<'_, '_>) -> (Option<(Option<String>, String)>, usize) {
    let before = words.rest().len();
    let mut schema = None;
    // Whatever has no name is not a table of the system.
    let Some(name) = words.name() else { return (Some((None, String::new())), 1) };
    let mut name = name.to_lowercase();
    while words.symbol(".") {
        let Some(last) = words.name() else { break };
        schema = Some(std::mem::replace(&mut name, last.to_lowercase()));
    }
    let length = before - words.rest().len();
    let called = matches!(words.peek(), Some(TokenKind::Symbol("(")));
    ((!called).then_some((schema, name)), length)
}

/// Whether a bracket belongs to a function whose arguments contain FROM.
fn takes_from(tokens: &[Token<'_>], place: usize) -> bool {
    let Some(before) = place.checked_sub(1) else { return false };
    let words = Words::new(&tokens[before..place]);
    ["extract", "substring", "trim", "overlay"].iter().any(|name| words.is(name))
}

/// `IS DISTINCT FROM`, `IS NOT DISTINCT FROM`.
fn is_distinct(tokens: &[Token<'_>], place: usize) -> bool {
    let word = |back: usize, wanted: &str| {
        place.checked_sub(back).is_some_and(|at| Words::new(&tokens[at..]).is(wanted))
    };
    word(1, "distinct") && (word(2, "is") || word(2, "not") && word(3, "is"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effects::{Effects, effects};
    use crate::tokens;

    fn all(dialect: Dialect, expected: bool, cases: &[&str]) {
        for text in cases {
            assert_eq!(is_question(&tokens(text, dialect), dialect), expected, "{text}");
        }
    }

    #[test]
    fn tells_questions_about_the_schema() {
        let asked = [
            "SELECT relname FROM pg_class, pg_namespace n WHERE n.oid = relnamespace ORDER BY 1, 2",
            "SELECT 1 FROM (pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace)",
            "SELECT * FROM (SELECT oid FROM pg_class) AS t, information_schema.tables",
            "WITH t (a, b) AS (SELECT 1, 2), u AS MATERIALIZED (SELECT 1 FROM pg_type) SELECT * FROM t, u",
            "SELECT extract(year FROM now()) FROM pg_class t WHERE t.oid IS NOT DISTINCT FROM 7",
            "SELECT o.n FROM pg_class c JOIN unnest(current_schemas(true)) WITH ORDINALITY AS o (n, s) ON true",
            "SELECT to_regclass('t') IS NULL, 't'::regclass",
            "SELECT current_user = session_user",
            "SELECT pg_listening_channels()",
            "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE tablename = 't')",
        ];
        all(Dialect::PostgreSql, true, &asked);
        let asked = ["SELECT VERSION(), @@sql_mode", "SELECT 1 FROM information_schema.columns"];
        all(Dialect::MariaDb, true, &asked);
    }

    /// Questions as programs ask them; each also has to be known to change nothing.
    #[test]
    fn tells_questions_of_programs() {
        let postgres = [
            // psql: `\d t`
            "SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n \
             ON n.oid = c.relnamespace WHERE c.relname OPERATOR(pg_catalog.~) '^(t)$' COLLATE pg_catalog.default \
             AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 2, 3",
            "SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), (SELECT \
             pg_catalog.pg_get_expr(d.adbin, d.adrelid, true) FROM pg_catalog.pg_attrdef d WHERE d.adrelid = \
             a.attrelid AND d.adnum = a.attnum AND a.atthasdef), a.attnotnull FROM pg_catalog.pg_attribute a \
             WHERE a.attrelid = '16384' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
            // JDBC: DatabaseMetaData.getPrimaryKeys
            "SELECT NULL AS TABLE_CAT, n.nspname, ct.relname, a.attname, \
             (information_schema._pg_expandarray(i.indkey)).n AS KEY_SEQ FROM pg_catalog.pg_class ct JOIN \
             pg_catalog.pg_attribute a ON (ct.oid = a.attrelid) JOIN pg_catalog.pg_namespace n ON \
             (ct.relnamespace = n.oid) JOIN pg_catalog.pg_index i ON (a.attrelid = i.indrelid)",
            // pgbench
            "select o.n, p.partstrat, pg_catalog.count(i.inhparent) from pg_catalog.pg_class as c join \
             pg_catalog.pg_namespace as n on (n.oid = c.relnamespace) cross join lateral (select \
             pg_catalog.array_position(pg_catalog.current_schemas(true), n.nspname)) as o(n) left join \
             pg_catalog.pg_partitioned_table as p on (p.partrelid = c.oid) left join pg_catalog.pg_inherits as i \
             on (c.oid = i.inhparent) where c.relname = 'pgbench_accounts' and o.n is not null group by 1, 2 \
             order by 1 asc limit 1",
            // Rails: indexes
            "SELECT distinct i.relname, d.indisunique, d.indkey, pg_get_indexdef(d.indexrelid), \
             pg_catalog.obj_description(i.oid, 'pg_class') AS comment FROM pg_class t INNER JOIN pg_index d ON \
             t.oid = d.indrelid INNER JOIN pg_class i ON d.indexrelid = i.oid LEFT JOIN pg_namespace n ON n.oid = \
             t.relnamespace WHERE i.relkind IN ('i', 'I') AND d.indisprimary = 'f' AND n.nspname = \
             ANY (current_schemas(false)) ORDER BY i.relname",
            // Django: sequences
            "SELECT s.relname AS sequence_name, a.attname AS colname FROM pg_class s JOIN pg_depend d ON \
             d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass JOIN \
             pg_attribute a ON d.refobjid = a.attrelid AND d.refobjsubid = a.attnum WHERE s.relkind = 'S'",
            // Prisma and others
            "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1), version(), \
             current_setting('server_version_num')::integer AS numeric_version",
        ];
        let mariadb = [
            // Django: relations
            "SELECT kcu.column_name, kcu.referenced_column_name, CASE WHEN kcu.referenced_table_name IS NULL THEN \
             'x' END FROM information_schema.key_column_usage AS kcu WHERE kcu.table_schema = DATABASE()",
            // Rails: indexes
            "SELECT index_name, GROUP_CONCAT(column_name ORDER BY seq_in_index) FROM \
             information_schema.statistics WHERE table_schema = database() GROUP BY index_name",
            "SELECT SCHEMA(), USER(), CONNECTION_ID()",
        ];
        for (dialect, texts) in
            [(Dialect::PostgreSql, postgres.as_slice()), (Dialect::MariaDb, mariadb.as_slice())]
        {
            all(dialect, true, texts);
            for text in texts {
                let changed = effects(&tokens(text, dialect), dialect);
                assert_eq!(changed, Effects::Nothing, "{text}");
            }
        }
    }

    #[test]
    fn tells_queries_that_read_rows() {
        let others = [
            "SELECT 1",
            "SELECT now()",
            "SELECT pg_relation_size(name::regclass) FROM t",
            "SELECT 1 FROM pg_class c JOIN t ON t.id = c.oid",
            "SELECT 1 FROM pg_class, t",
            "SELECT 1 FROM (pg_class JOIN pg_type ON true), LATERAL (SELECT 1 FROM ONLY t) x",
            "SELECT 1 FROM (t JOIN pg_class ON true)",
            "SELECT 1 FROM pg_class WHERE oid IN (SELECT id FROM t)",
            "SELECT 1 FROM app.pg_class",
            "SELECT version(), nextval('s')",
            "SELECT * FROM pg_largeobject",
            "SELECT count(*) FROM pg_temp.t",
            "SELECT t.current_user FROM t",
            "INSERT INTO t SELECT oid FROM pg_class",
            "SELECT id FROM t UNION SELECT oid FROM pg_class",
        ];
        all(Dialect::PostgreSql, false, &others);
        let others = ["SELECT @a, VERSION()", "SELECT FOUND_ROWS()", "SELECT 1 FROM pg_class"];
        all(Dialect::MariaDb, false, &others);
    }
}
