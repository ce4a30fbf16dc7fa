//! How SQL looks: PostgreSQL, MySQL and SQLite each have their own.

use std::fmt;

/// The families of SQL that differ in what statements look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// PostgreSQL and its kin.
    Postgres,
    /// MariaDB and MySQL.
    Mysql,
    /// The dialect of SQLite.
    Sqlite,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Postgres, Self::Mysql, Self::Sqlite];

    /// How people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
            Self::Sqlite => "sqlite",
        }
    }

    /// A text as it stands in a statement.
    pub fn literal(self, text: &str) -> String {
        let text = text.replace('\'', "''");
        // Elsewhere a backslash is a letter like any other.
        let text = if self == Self::Mysql { text.replace('\\', "\\\\") } else { text };
        format!("'{text}'")
    }

    /// The dialect with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
