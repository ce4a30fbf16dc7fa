//! The two languages that the proxy understands.

use tristan_sqltext::Dialect;

/// A language between clients and servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// PostgreSQL's, version 3.
    Postgres,
    /// MySQL's and MariaDB's.
    MySql,
}

impl Protocol {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Postgres, Self::MySql];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::MySql => "mysql",
        }
    }

    /// The protocol with a name, as `--protocol` takes it; `None` if there is no such protocol.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// How the SQL that is spoken in it is read. MariaDB says who it is with its version.
    pub(crate) fn sql(self, version: Option<&str>) -> Dialect {
        match self {
            Self::Postgres => Dialect::PostgreSql,
            Self::MySql if version.is_some_and(is_mariadb) => Dialect::MariaDb,
            Self::MySql => Dialect::MySql,
        }
    }

    /// The dialect of SQL that is spoken in it, as the log names it.
    pub(crate) fn dialect(self) -> &'static str {
        match self {
            Self::Postgres => "postgresql",
            Self::MySql => "mysql",
        }
    }
}

/// Whether the version of a server of MySQL's protocol is one of MariaDB.
pub(crate) fn is_mariadb(version: &str) -> bool {
    version.contains("MariaDB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_tells_mariadb_from_mysql() {
        let version = Some("10.11.6-MariaDB");
        assert_eq!(Protocol::MySql.sql(version), Dialect::MariaDb);
        assert_eq!(Protocol::MySql.sql(Some("8.4.0")), Dialect::MySql);
        assert_eq!(Protocol::MySql.sql(None), Dialect::MySql);
        assert_eq!(Protocol::Postgres.sql(version), Dialect::PostgreSql);
    }
}
