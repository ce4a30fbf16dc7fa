//! What a statement is about: transactions, the session, or rows.
//!
//! Only statements that touch no row are told apart here. Everything else is [`Subject::Data`], and what
//! it does is asked of its plan.

use crate::control::{Assignment, Control, assignments, changes_meaning, control};
use crate::dialect::Dialect;
use crate::token::{Token, TokenKind};
use crate::words::Words;

/// What a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// Nothing: it consists of comments.
    Nothing,
    /// Transactions.
    Transaction(Control),
    /// Where names without a schema are looked up from now on.
    Path(SearchPath),
    /// Settings, locks and the like; no row is read or written.
    Session,
    /// A setting that changes what other statements mean, by its name.
    Setting(String),
    /// How another statement is executed.
    Explanation {
        /// Whether that statement is executed, too.
        runs: bool,
        /// Where its text begins.
        at: usize,
    },
    /// Rows, tables or routines.
    Data,
}

/// Where names without a schema are looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchPath {
    /// Where the server looks unless it is told otherwise.
    Usual,
    /// In these schemas, or in this database.
    In(Vec<String>),
    /// Elsewhere until the transaction ends, or in a place that the text does not tell.
    Unclear,
}

/// Statements that touch no row, by their first words.
const SESSION: [&str; 26] = [
    "show",
    "describe",
    "desc",
    "help",
    "listen",
    "unlisten",
    "notify",
    "deallocate",
    "prepare",
    "discard",
    "reset",
    "vacuum",
    "checkpoint",
    "reindex",
    "cluster",
    "optimize",
    "flush",
    "kill",
    "lock",
    "unlock",
    "pragma",
    "comment on",
    "check table",
    "grant",
    "revoke",
    "create extension",
];

/// How statements begin that MySQL and MariaDB explain.
const EXPLAINED: [&str; 8] =
    ["select", "insert", "update", "delete", "replace", "with", "table", "values"];

/// What a statement is about.
pub fn subject(tokens: &[Token<'_>], dialect: Dialect) -> Subject {
    if tokens.is_empty() {
        return Subject::Nothing;
    }
    if let Some(explanation) = explanation(tokens, dialect) {
        return explanation;
    }
    if let Some(path) = path(tokens, dialect) {
        return Subject::Path(path);
    }
    if let Some(name) = setting(tokens, dialect) {
        return Subject::Setting(name);
    }
    match control(tokens, dialect) {
        Control::Nothing | Control::Implicit => other(tokens, dialect),
        control => Subject::Transaction(control),
    }
}

/// The name of a setting that changes what statements mean.
fn setting(tokens: &[Token<'_>], dialect: Dialect) -> Option<String> {
    let mut words = Words::new(tokens);
    if dialect == Dialect::PostgreSql && words.is("select") {
        let (name, value) = set_config(words)?;
        return changes_meaning(&name, value.as_deref(), dialect).then_some(name);
    }
    let set = words.eat("set") && !words.is("statement");
    let changing = |one: &Assignment<'_, '_>| one.changes_meaning(dialect);
    assignments(words).into_iter().find(changing).filter(|_| set).map(|one| one.name)
}

fn other(tokens: &[Token<'_>], dialect: Dialect) -> Subject {
    let mut words = Words::new(tokens);
    // `SET STATEMENT … FOR …` executes another statement.
    if dialect == Dialect::MariaDb && words.eat("set statement") {
        return Subject::Data;
    }
    let unclear = tokens.iter().any(|token| matches!(token.kind, TokenKind::Unclear(_)));
    if dialect == Dialect::PostgreSql && set_config(words).is_some() || asks_server(words, dialect)
    {
        return Subject::Session;
    }
    let quiet = match words.eat("set") {
        true => !assignments(words).iter().any(|one| one.is_variable()),
        false => words.eat_any(&SESSION) || words.is("analyze"),
    };
    if quiet && !unclear { Subject::Session } else { Subject::Data }
}

/// The name and the value of `SELECT set_config('TimeZone', 'UTC', false)`: a setting like any other, but for the
/// search path. The value may be a parameter.
fn set_config(mut words: Words<'_, '_>) -> Option<(String, Option<String>)> {
    let named = words.eat("select")
        && (!words.eat("pg_catalog") || words.symbol("."))
        && words.eat("set_config")
        && words.symbol("(");
    let Some(TokenKind::Text(name)) = words.next().filter(|_| named) else { return None };
    let name = name.to_lowercase();
    if name == "search_path" || name.ends_with("transaction_isolation") || !words.symbol(",") {
        return None;
    }
    let value = match words.next()? {
        TokenKind::Text(value) => Some(value.to_lowercase()),
        TokenKind::Param(_) => None,
        _ => return None,
    };
    let whole = words.symbol(",") && words.eat_any(&["true", "false"]) && words.symbol(")");
    (whole && words.is_empty()).then_some((name, value))
}

/// `SELECT @@max_allowed_packet, @@wait_timeout`, as drivers ask when they connect.
fn asks_server(mut words: Words<'_, '_>, dialect: Dialect) -> bool {
    if !dialect.is_mysql() || !words.eat("select") {
        return false;
    }
    loop {
        if !matches!(words.next(), Some(TokenKind::Word(name)) if name.starts_with("@@")) {
            return false;
        }
        while words.symbol(".") {
            words.next();
        }
        if !words.symbol(",") {
            return words.is_empty();
        }
    }
}

/// `EXPLAIN …`; MariaDB executes what is behind `ANALYZE`.
fn explanation(tokens: &[Token<'_>], dialect: Dialect) -> Option<Subject> {
    let mut words = Words::new(tokens);
    let mut runs = match dialect {
        Dialect::MariaDb if words.eat("analyze") => true,
        _ if words.eat("explain") => false,
        Dialect::MySql | Dialect::MariaDb if words.eat_any(&["describe", "desc"]) => false,
        _ => return None,
    };
    let mut options = words;
    if options.symbol("(") && !["select", "with", "values"].iter().any(|query| options.is(query)) {
        runs |= analyzes(&mut options);
        words = options;
    }
    loop {
        if words.eat_any(&["analyze", "analyse"]) {
            runs = true;
        } else if words.eat("format") {
            words.symbol("=");
            words.next();
        } else if !words.eat_any(&["verbose", "extended", "partitions", "query plan"]) {
            break;
        }
    }
    // MySQL shows columns with `EXPLAIN t`, and `ANALYZE TABLE t` of MariaDB is about a table, too.
    let of_table = runs && words.is("table");
    if dialect.is_mysql() && (of_table || !EXPLAINED.iter().any(|first| words.is(first))) {
        return Some(Subject::Session);
    }
    Some(Subject::Explanation { runs, at: words.rest().first()?.start })
}

/// The options of an `EXPLAIN`, from behind the bracket: is ANALYZE among them, and not switched off?
fn analyzes(words: &mut Words<'_, '_>) -> bool {
    let mut runs = false;
    while !words.is_empty() {
        let option = words.skip_expression(&[]);
        let mut inner = Words::new(option);
        if inner.eat_any(&["analyze", "analyse"]) {
            let value = inner.setting().map(|value| value.to_lowercase());
            runs = !matches!(value.as_deref(), Some("false" | "off" | "0"));
        }
        if words.symbol(")") || !words.symbol(",") {
            break;
        }
    }
    runs
}

/// `USE`, and `SET search_path` in its forms.
fn path(tokens: &[Token<'_>], dialect: Dialect) -> Option<SearchPath> {
    let mut words = Words::new(tokens);
    if dialect.is_mysql() {
        return words.eat("use").then(|| listed(words, dialect));
    }
    if words.eat("discard all") || words.eat("reset all") || words.eat("reset search_path") {
        return (dialect == Dialect::PostgreSql && words.is_empty()).then_some(SearchPath::Usual);
    }
    if !words.eat("set") {
        return None;
    }
    let mut ahead = words;
    let local = ahead.eat("local");
    ahead.eat("session");
    if ahead.eat("schema") {
        return Some(if local { SearchPath::Unclear } else { listed(ahead, dialect) });
    }
    let first = assignments(words).into_iter().next().filter(|one| one.name == "search_path")?;
    Some(if first.is_local() { SearchPath::Unclear } else { listed(first.value, dialect) })
}

/// The schemas of a path. The server's own come first anyway, and there is rarely one of the user's name.
fn listed(mut words: Words<'_, '_>, dialect: Dialect) -> SearchPath {
    if words.is("default") {
        return SearchPath::Usual;
    }
    let mut schemas = Vec::new();
    loop {
        let Some(name) = schema(&mut words) else { return SearchPath::Unclear };
        if name != "pg_catalog" && name != "$user" {
            schemas.push(name);
        }
        if !words.symbol(",") {
            break;
        }
    }
    match schemas.as_slice() {
        _ if !words.is_empty() => SearchPath::Unclear,
        [] => SearchPath::Unclear,
        [only] if only == "public" && dialect == Dialect::PostgreSql => SearchPath::Usual,
        _ => SearchPath::In(schemas),
    }
}

fn schema(words: &mut Words<'_, '_>) -> Option<String> {
    match words.peek()? {
        TokenKind::Text(text) => {
            let text = text.clone();
            words.next();
            Some(text)
        }
        _ => words.name(),
    }
}
