//! MariaDB and MySQL, with InnoDB tables.
//!
//! ```text
//!   MySql ──► MyConnection ──► Link ──► server
//! ```
//!
//! What InnoDB calls REPEATABLE READ is no level of the literature: plain reads come from a
//! snapshot, locking reads and writes act on the latest rows, and updates can be lost. The manual says
//! so; a trace of it is judged with `--semantics mariadb-rr`. Since MariaDB 10.6.18 the setting
//! `innodb_snapshot_isolation` makes it snapshot isolation: a write that meets a row from after the
//! snapshot is refused. Since 11.6.2 that is the default.
//!
//! A MariaDB server with a binary log numbers the transactions that wrote something in the order in
//! which they committed (GTID). `COMMIT` and the question for that number travel together, so
//! stamps need no round trip of their own.

mod commits;
mod connection;
pub(crate) mod failures;
mod link;
mod snapshot;
mod statements;

use std::sync::Arc;
use std::time::Duration;

use mysql_async::{Opts, OptsBuilder};

use super::{Kind, OpenError, server};
use crate::database::{Database, DatabaseLevel, Offers};
use crate::dialect::Dialect;
use crate::snapshot::Snapshot;
use crate::statements::Statements;
use crate::{Connection, DatabaseError, Url};
use connection::MyConnection;
use link::Link;
use statements::{MyStatements, PLACE};

pub(super) const KIND: Kind = Kind {
    schemes: &["mysql", "mariadb"],
    example: "mysql://user:password@localhost:3306/database",
    about: "MariaDB or MySQL, in the tables tristan_kv and tristan_list (?hints=off&timeout=30)",
    port: Some(PORT),
    open,
};

const PORT: u16 = 3306;

const READ_COMMITTED: DatabaseLevel =
    DatabaseLevel { name: "read-committed", claims: "read-committed" };
const READ_UNCOMMITTED: DatabaseLevel =
    DatabaseLevel { name: "read-uncommitted", claims: "read-uncommitted" };
const SERIALIZABLE: DatabaseLevel = DatabaseLevel { name: "serializable", claims: "serializable" };

/// Without `innodb_snapshot_isolation`.
const LEVELS: &[DatabaseLevel] = &[
    DatabaseLevel { name: "repeatable-read", claims: "repeatable-read" },
    READ_COMMITTED,
    READ_UNCOMMITTED,
    SERIALIZABLE,
];

/// With `innodb_snapshot_isolation`.
const SNAPSHOT_LEVELS: &[DatabaseLevel] = &[
    DatabaseLevel { name: "repeatable-read", claims: "snapshot-isolation" },
    READ_COMMITTED,
    READ_UNCOMMITTED,
    SERIALIZABLE,
];

const TABLES: &[&str] = &[
    "DROP TABLE IF EXISTS tristan_kv, tristan_list",
    "CREATE TABLE tristan_kv (k BIGINT PRIMARY KEY, v BIGINT NOT NULL) ENGINE = InnoDB",
    "CREATE TABLE tristan_list (k BIGINT PRIMARY KEY, v LONGTEXT NOT NULL) ENGINE = InnoDB",
];

/// How many rows are inserted at once.
const BATCH: usize = 1_000;

/// A MariaDB or MySQL server.
struct MySql {
    options: Opts,
    patience: Duration,
    about: About,
    hints: bool,
}

/// What a server says about itself.
#[derive(Debug, Default, PartialEq, Eq)]
struct About {
    /// As in `MariaDB 10.11.14`.
    name: String,
    /// Whether its transactions are numbered as they commit.
    numbers: bool,
    /// Whether REPEATABLE READ is snapshot isolation.
    snapshots: bool,
}

fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    url.only_options(&["hints", "timeout"])?;
    let (patience, wanted) = (server::patience(url)?, server::hints(url)?);
    let options = options(url);
    let mut link = Link::open(&options, patience)?;
    let version: Vec<(String,)> = link.rows("SELECT VERSION()")?;
    let settings = link
        .rows("SHOW VARIABLES WHERE Variable_name IN ('log_bin', 'innodb_snapshot_isolation')")?;
    let about = About::new(version.first().map_or("", |(version,)| version), &settings);
    let hints = wanted && about.numbers;
    Ok(Arc::new(MySql { options, patience, about, hints }))
}

fn options(url: &Url) -> Opts {
    let options = OptsBuilder::default()
        .ip_or_hostname(url.host())
        .tcp_port(url.port().unwrap_or(PORT))
        .user(Some(url.user().unwrap_or("root")))
        .pass(url.password())
        .db_name(Some(url.path().unwrap_or("test")))
        // The address is meant as it stands: there may be a proxy behind it.
        .prefer_socket(false);
    options.into()
}

impl About {
    fn new(version: &str, settings: &[(String, String)]) -> Self {
        let number = version.split('-').next().unwrap_or_default();
        let mariadb = version.contains("MariaDB");
        let is_on = |wanted| settings.iter().any(|(name, value)| name == wanted && value == "ON");
        Self {
            name: format!("{} {number}", if mariadb { "MariaDB" } else { "MySQL" }),
            numbers: mariadb && is_on("log_bin"),
            snapshots: is_on("innodb_snapshot_isolation"),
        }
    }
}

impl Database for MySql {
    fn describe(&self) -> String {
        self.about.name.clone()
    }

    fn levels(&self) -> &'static [DatabaseLevel] {
        if self.about.snapshots { SNAPSHOT_LEVELS } else { LEVELS }
    }

    fn offers(&self) -> Offers {
        Offers { deletes: true, ranges: true, lists: true, locks: true }
    }

    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError> {
        let mut link = Link::open(&self.options, self.patience)?;
        for statement in TABLES {
            link.script(statement)?;
        }
        for batch in initial.chunks(BATCH) {
            let rows: Vec<String> = batch.iter().map(|(k, v)| format!("({k}, {v})")).collect();
            link.script(&format!("INSERT INTO tristan_kv VALUES {}", rows.join(", ")))?;
        }
        Ok(())
    }

    fn connect(&self, level: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError> {
        let link = Link::open(&self.options, self.patience)?;
        Ok(Box::new(MyConnection::new(link, level, self.hints)?))
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::Mysql)
    }

    fn collation(&self) -> Option<String> {
        let mut link = Link::open(&self.options, self.patience).ok()?;
        link.script(&format!("USE {PLACE}")).ok()?;
        let names: Vec<(String,)> = link.rows("SELECT @@collation_database").ok()?;
        names.into_iter().next().map(|(name,)| name)
    }

    fn snapshot(&self) -> Result<Snapshot, DatabaseError> {
        snapshot::snapshot(&mut Link::open(&self.options, self.patience)?)
    }

    fn furnish(&self, statements: &[String]) -> Result<(), DatabaseError> {
        let mut link = Link::open(&self.options, self.patience)?;
        for sql in ["DROP DATABASE IF EXISTS", "CREATE DATABASE", "USE"] {
            link.script(&format!("{sql} {PLACE}"))?;
        }
        statements.iter().try_for_each(|statement| link.script(statement))
    }

    fn converse(&self, level: DatabaseLevel) -> Result<Box<dyn Statements>, DatabaseError> {
        let link = Link::open(&self.options, self.patience)?;
        Ok(Box::new(MyStatements::new(link, level, self.hints)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(version: &str, settings: &[(&str, &str)]) -> About {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        About::new(version, &settings.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn servers_are_told_apart_by_their_versions_and_settings() {
        let old = about("10.11.14-MariaDB-0+deb12u2-log", &[("log_bin", "ON")]);
        assert_eq!(old, About { name: "MariaDB 10.11.14".into(), numbers: true, snapshots: false });
        let settings = [("innodb_snapshot_isolation", "ON"), ("log_bin", "OFF")];
        let new = about("11.8.9-MariaDB", &settings);
        assert_eq!(new, About { name: "MariaDB 11.8.9".into(), numbers: false, snapshots: true });
        let other = about("9.7.4", &[("log_bin", "ON")]);
        assert_eq!(other, About { name: "MySQL 9.7.4".into(), numbers: false, snapshots: false });
    }

    #[test]
    fn both_lists_have_the_same_levels() {
        let names =
            |levels: &[DatabaseLevel]| levels.iter().map(|level| level.name).collect::<Vec<_>>();
        assert_eq!(names(LEVELS), names(SNAPSHOT_LEVELS));
    }
}
