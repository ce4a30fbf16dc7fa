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

    /// How the SQL that is spoken in it is read.
    pub(crate) fn sql(self) -> Dialect {
        match self {
            Self::Postgres => Dialect::PostgreSql,
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
