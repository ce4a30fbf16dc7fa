//! `SET`: what it assigns, and what that does to transactions.

use super::{Control, Scope, level_among};
use crate::dialect::Dialect;
use crate::token::{Token, TokenKind};
use crate::words::Words;

/// What a `SET` does to transactions, from behind the word.
pub(crate) fn control(mut words: Words<'_, '_>, dialect: Dialect) -> Control {
    if words.eat("session characteristics as transaction") || words.eat("session transaction") {
        return leveled(Scope::Session, level_among(words));
    }
    if words.eat("local transaction") || words.eat("transaction") {
        let scope = if dialect.is_mysql() { Scope::Next } else { Scope::This };
        return leveled(scope, level_among(words));
    }
    let all = assignments(words).into_iter().map(|one| one.control(dialect));
    all.into_iter().find(|control| *control != Control::Nothing).unwrap_or_default()
}

/// One of the assignments of a `SET`.
pub(crate) struct Assignment<'t, 'a> {
    local: bool,
    /// In lower case, with everything before a dot: `@@session.autocommit`.
    pub(crate) name: String,
    /// What is assigned.
    pub(crate) value: Words<'t, 'a>,
}

/// The assignments of a `SET`, from behind the word. PostgreSQL has one, whose value may be a list.
pub(crate) fn assignments<'t, 'a>(mut words: Words<'t, 'a>) -> Vec<Assignment<'t, 'a>> {
    let mut all = Vec::new();
    loop {
        let local = words.eat("local");
        words.eat_any(&["session", "global"]);
        // `NAMES utf8mb4 COLLATE x`, and others behind it.
        if words.eat_any(&["names", "character set", "charset"]) {
            words.skip_expression(&[]);
            if words.symbol(",") {
                continue;
            }
            return all;
        }
        let Some(name) = full_name(&mut words) else { return all };
        words.symbol(":");
        if !(words.symbol("=") || words.eat("to")) {
            return all;
        }
        all.push(Assignment { local, name, value: words });
        words.skip_expression(&[]);
        if !words.symbol(",") {
            return all;
        }
    }
}

fn full_name(words: &mut Words<'_, '_>) -> Option<String> {
    let mut name = words.name()?;
    while words.symbol(".") {
        name = format!("{name}.{}", words.name()?);
    }
    Some(name)
}

impl Assignment<'_, '_> {
    /// Whether a variable of the session is assigned, as in `SET @a = 1`.
    pub(crate) fn is_variable(&self) -> bool {
        self.name.starts_with('@') && !self.name.starts_with("@@")
    }

    /// Whether statements mean something else afterwards.
    pub(crate) fn changes_meaning(&self, dialect: Dialect) -> bool {
        let name = self.name.to_lowercase();
        let name = name.trim_start_matches("@@");
        let scopes = ["session.", "local.", "global."];
        let name = scopes.iter().find_map(|scope| name.strip_prefix(scope)).unwrap_or(name);
        if name == "sql_mode" && dialect.is_mysql() && adds_usual_modes(self.value) {
            return false;
        }
        let value = { self.value }.setting().map(|value| value.to_lowercase());
        changes_meaning(name, value.as_deref(), dialect)
    }

    /// Whether it holds for the transaction only.
    pub(crate) fn is_local(&self) -> bool {
        self.local
    }

    fn control(&self, dialect: Dialect) -> Control {
        let mysql = dialect.is_mysql();
        let name = self.name.trim_start_matches("@@");
        let value = { self.value }.setting();
        match name.trim_start_matches("session.").trim_start_matches("local.") {
            "autocommit" if mysql => match value.map(|value| value.to_lowercase()).as_deref() {
                Some("0" | "off" | "false") => Control::Autocommit(false),
                Some(_) => Control::Autocommit(true),
                None => Control::Nothing,
            },
            "default_transaction_isolation" => leveled(Scope::Session, value),
            "transaction_isolation" if !mysql || self.local => leveled(Scope::This, value),
            "transaction_isolation" | "tx_isolation"
                if self.name.starts_with("@@tr") || self.name.starts_with("@@tx") =>
            {
                leveled(Scope::Next, value)
            }
            "transaction_isolation" | "tx_isolation" => leveled(Scope::Session, value),
            _ => Control::Nothing,
        }
    }
}

fn leveled(scope: Scope, level: Option<String>) -> Control {
    level.map_or(Control::Nothing, |level| Control::Level(scope, shown(&level)))
}

/// `Repeatable Read` and `REPEATABLE-READ` → `repeatable-read`.
fn shown(level: &str) -> String {
    level.trim().to_lowercase().replace([' ', '_'], "-")
}

/// Whether a setting changes how texts are written, what happens to values that do not fit, what is checked, or in
/// which time zone times are. Returns true if the value is not known.
pub(crate) fn changes_meaning(name: &str, value: Option<&str>, dialect: Dialect) -> bool {
    let is = |usual: &[&str]| value.is_some_and(|value| usual.contains(&value));
    match (dialect.is_mysql(), name) {
        (true, "sql_mode") => !value.is_some_and(|modes| is_usual_mode(modes, dialect)),
        (true, "time_zone" | "div_precision_increment" | "sql_select_limit") => !is(&["default"]),
        (true, "sql_auto_is_null") => !is(&["0", "off", "false", "default"]),
        (true, "check_constraint_checks") => !is(&["1", "on", "true", "default"]),
        (false, "standard_conforming_strings") => !is(&["on", "true", "1", "default"]),
        (false, "datestyle") => !value.is_some_and(|style| style.starts_with("iso")),
        (false, "intervalstyle") => !is(&["postgres", "iso_8601", "default"]),
        (false, "bytea_output") => !is(&["hex", "default"]),
        (false, "session_replication_role") => !is(&["origin", "default"]),
        (false, "extra_float_digits") => !is(&["1", "2", "3", "default"]),
        _ => false,
    }
}

/// Modes that leave the meaning of statements as it is. A division by zero may be an error or not in any of them.
const USUAL_MODES: [&str; 9] = [
    "strict_trans_tables",
    "strict_all_tables",
    "traditional",
    "error_for_division_by_zero",
    "no_zero_in_date",
    "no_zero_date",
    "no_engine_substitution",
    "no_auto_create_user",
    "no_auto_value_on_zero",
];

fn is_usual(mode: &str, dialect: Dialect) -> bool {
    // MySQL groups strictly by default, and MariaDB does not.
    USUAL_MODES.contains(&mode) || mode == "only_full_group_by" && dialect == Dialect::MySql
}

/// Whether a `sql_mode` is strict, and leaves the meaning of signs and spaces as it is.
fn is_usual_mode(modes: &str, dialect: Dialect) -> bool {
    let modes: Vec<&str> = modes.split(',').map(str::trim).collect();
    modes.iter().any(|mode| USUAL_MODES[..3].contains(mode))
        && modes.iter().all(|mode| is_usual(mode, dialect))
}

/// `CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')`: usual modes are added to those of the server.
fn adds_usual_modes(mut value: Words<'_, '_>) -> bool {
    let whole = value.skip_expression(&[]);
    let usual = |text: &str| {
        let text = text.to_lowercase();
        text.split(',').map(str::trim).all(|mode| mode.is_empty() || USUAL_MODES.contains(&mode))
    };
    let is = |token: &Token<'_>, names: &[&str]| match token.kind {
        TokenKind::Word(word) => names.iter().any(|name| word.eq_ignore_ascii_case(name)),
        _ => false,
    };
    let names = ["concat", "@@sql_mode", "@@session", "@@session.sql_mode", "sql_mode"];
    let allowed = whole.iter().all(|token| match &token.kind {
        TokenKind::Word(_) => is(token, &names),
        TokenKind::Text(text) => usual(text),
        TokenKind::Symbol(symbol) => ["(", ")", ",", "."].contains(symbol),
        _ => false,
    });
    allowed && whole.first().is_some_and(|token| is(token, &names[..1]))
}
