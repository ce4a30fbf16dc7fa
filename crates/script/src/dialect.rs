//! How two families of SQL say the same, and what their levels are known to allow.

use tristan_history::Datum;

use crate::server::Visibility;

/// A family of SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// PostgreSQL and its kin.
    Postgres,
    /// MariaDB and MySQL.
    Mysql,
}

/// A level of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqlLevel {
    /// Its name in SQL.
    pub name: &'static str,
    /// The setting without which the level behaves differently.
    pub provided: Option<&'static str>,
}

impl SqlLevel {
    const fn named(name: &'static str) -> Self {
        Self { name, provided: None }
    }
}

const READ_UNCOMMITTED: SqlLevel = SqlLevel::named("READ UNCOMMITTED");
const READ_COMMITTED: SqlLevel = SqlLevel::named("READ COMMITTED");
const REPEATABLE_READ: SqlLevel = SqlLevel::named("REPEATABLE READ");
const SERIALIZABLE: SqlLevel = SqlLevel::named("SERIALIZABLE");
const LOOSE: SqlLevel = SqlLevel {
    name: "REPEATABLE READ",
    provided: Some(
        "on MariaDB 11.6.2 and later only after SET GLOBAL innodb_snapshot_isolation = OFF",
    ),
};

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 2] = [Self::Postgres, Self::Mysql];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }

    /// The dialect with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// The database in a sentence.
    pub fn product(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MariaDB or MySQL",
        }
    }

    /// What readers see at the levels of this database, the strongest first.
    pub(crate) fn visibilities(self) -> &'static [(Visibility, SqlLevel)] {
        match self {
            Self::Postgres => {
                &[(Visibility::Snapshot, REPEATABLE_READ), (Visibility::Committed, READ_COMMITTED)]
            }
            Self::Mysql => &[
                (Visibility::Snapshot, REPEATABLE_READ),
                (Visibility::Committed, READ_COMMITTED),
                (Visibility::LooseSnapshot, LOOSE),
                (Visibility::Dirty, READ_UNCOMMITTED),
            ],
        }
    }

    /// What has to be typed before the first transaction of a terminal.
    pub(crate) fn prepare(self, level: SqlLevel) -> Option<String> {
        match self {
            Self::Postgres => None,
            Self::Mysql => Some(format!("SET SESSION TRANSACTION ISOLATION LEVEL {};", level.name)),
        }
    }

    /// Begins a transaction.
    pub(crate) fn begin(self, level: SqlLevel) -> String {
        match (self, level.name) {
            (Self::Postgres, name) => format!("BEGIN ISOLATION LEVEL {name};"),
            // Otherwise the snapshot is taken at the first read.
            (Self::Mysql, "REPEATABLE READ") => {
                "START TRANSACTION WITH CONSISTENT SNAPSHOT;".to_owned()
            }
            (Self::Mysql, _) => "START TRANSACTION;".to_owned(),
        }
    }

    /// A type for texts that are keys; they are ordered by their bytes.
    pub(crate) fn key_text(self) -> &'static str {
        match self {
            Self::Postgres => "TEXT COLLATE \"C\"",
            Self::Mysql => "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        }
    }

    /// What stands behind the definition of a table.
    pub(crate) fn table_options(self) -> &'static str {
        match self {
            Self::Postgres => "",
            Self::Mysql => " ENGINE = InnoDB",
        }
    }

    /// What to do with a row that is there already: replace its value by an expression, or nothing.
    pub(crate) fn on_conflict(self, value: Option<&str>) -> String {
        match (self, value) {
            (Self::Postgres, Some(value)) => format!(" ON CONFLICT (k) DO UPDATE SET v = {value}"),
            (Self::Postgres, None) => " ON CONFLICT (k) DO NOTHING".to_owned(),
            (Self::Mysql, Some(value)) => format!(" ON DUPLICATE KEY UPDATE v = {value}"),
            (Self::Mysql, None) => " ON DUPLICATE KEY UPDATE v = v".to_owned(),
        }
    }

    /// A text in quotes.
    pub(crate) fn quoted(self, text: &str) -> String {
        let doubled = text.replace('\'', "''");
        match self {
            Self::Postgres => format!("'{doubled}'"),
            Self::Mysql => format!("'{}'", doubled.replace('\\', "\\\\")),
        }
    }
}

/// The level of SQL that promises at least what a level of ours does.
pub(crate) fn promising(level: &str) -> SqlLevel {
    let weak = ["read-committed", "read-uncommitted", "cursor-stability", "monotonic-atomic-view"];
    let snapshots =
        ["snapshot-isolation", "causal", "prefix", "read-atomic", "view", "parallel-si"];
    if weak.iter().any(|name| level.ends_with(name)) {
        READ_COMMITTED
    } else if snapshots.iter().any(|name| level.ends_with(name)) {
        REPEATABLE_READ
    } else {
        SERIALIZABLE
    }
}

/// A key or a value as text; what a terminal would obey is written in hexadecimal digits.
pub(crate) fn plain(datum: &Datum) -> String {
    match datum {
        Datum::Text(text) if text.chars().any(tristan_history::is_treacherous) => {
            Datum::from(text.as_bytes()).to_string()
        }
        other => other.to_string(),
    }
}
