//! Whose SQL it is, as questions about what differs.

/// A dialect of SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// PostgreSQL.
    PostgreSql,
    /// MySQL 8 and later.
    MySql,
    /// MariaDB 10.6 and later.
    MariaDb,
    /// SQLite.
    Sqlite,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 4] = [Self::PostgreSql, Self::MySql, Self::MariaDb, Self::Sqlite];

    /// The dialect with this name, as SQL logs write it.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "postgresql" => Some(Self::PostgreSql),
            "mysql" => Some(Self::MySql),
            "mariadb" => Some(Self::MariaDb),
            "sqlite" => Some(Self::Sqlite),
            _ => None,
        }
    }

    /// Is it MySQL or MariaDB?
    pub fn is_mysql(self) -> bool {
        matches!(self, Self::MySql | Self::MariaDb)
    }

    /// Does `/* /* */` leave a comment open?
    pub(crate) fn nests_comments(self) -> bool {
        self == Self::PostgreSql
    }

    /// Is `#` the start of a comment?
    pub(crate) fn has_hash_comments(self) -> bool {
        self.is_mysql()
    }

    /// Does `--` begin a comment only if a blank follows?
    pub(crate) fn dashes_need_blank(self) -> bool {
        self.is_mysql()
    }

    /// Does `\` escape the next character in every text?
    pub(crate) fn escapes_with_backslash(self) -> bool {
        self.is_mysql()
    }

    /// Does `"` enclose a text rather than a name?
    pub(crate) fn has_double_quoted_texts(self) -> bool {
        self.is_mysql()
    }

    /// Does `` ` `` enclose a name?
    pub(crate) fn has_backticks(self) -> bool {
        self != Self::PostgreSql
    }

    /// Does `[` enclose a name?
    pub(crate) fn has_bracketed_names(self) -> bool {
        self == Self::Sqlite
    }

    /// Is `$` the start of a parameter or of a text?
    pub(crate) fn has_dollars(self) -> bool {
        self == Self::PostgreSql
    }

    /// Is `?` a parameter?
    pub(crate) fn has_question_marks(self) -> bool {
        self != Self::PostgreSql
    }

    /// Does a carriage return end a comment that reaches to the end of its line?
    pub(crate) fn ends_lines_with_return(self) -> bool {
        self == Self::PostgreSql
    }

    /// Are `"A"` and `a` two savepoints?
    pub(crate) fn keeps_case_in_quotes(self) -> bool {
        self == Self::PostgreSql
    }
}
