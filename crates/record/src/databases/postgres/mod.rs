//! PostgreSQL.
//!
//! ```text
//!   Postgres ──► PgConnection ──► Link ──► server
//!  (prepares,    (one session's    (waits for
//!   sorts        transactions)      answers)
//!   commits)
//! ```
//!
//! PostgreSQL's REPEATABLE READ is snapshot isolation, and its SERIALIZABLE is what the name says. One
//! thing is odd and by design: at REPEATABLE READ, a transaction that inserts a key which another has
//! deleted after its snapshot was taken sees two rows with that key from then on. Rows are recorded
//! as they come, so such a key is in the trace twice.
//!
//! If the server keeps commit timestamps (`track_commit_timestamp`), the order of commits is asked
//! for when all is over: every write returns the number of its transaction, which costs next to
//! nothing, and [`Postgres::commit_order`] looks up when those transactions committed. Two writers of
//! one key have never been seen to be in the wrong order that way; transactions as a whole have, which
//! is why the order is a hint per key and not a time per transaction.

mod connection;
pub(crate) mod failures;
mod link;
mod snapshot;
mod statements;
mod values;

use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::Config;

use super::{Kind, OpenError, server};
use crate::database::{Database, DatabaseLevel, Offers};
use crate::dialect::Dialect;
use crate::snapshot::Snapshot;
use crate::statements::Statements;
use crate::{Connection, DatabaseError, Url};
use connection::PgConnection;
use link::Link;
use statements::{PLACE, PgStatements};

pub(super) const KIND: Kind = Kind {
    schemes: &["postgres", "postgresql"],
    example: "postgres://user:password@localhost:5432/database",
    about: "PostgreSQL, in the tables tristan_kv and tristan_list (?hints=off&timeout=30)",
    port: Some(PORT),
    open,
};

const PORT: u16 = 5432;

const LEVELS: &[DatabaseLevel] = &[
    DatabaseLevel { name: "read-committed", claims: "read-committed" },
    DatabaseLevel { name: "repeatable-read", claims: "snapshot-isolation" },
    DatabaseLevel { name: "serializable", claims: "serializable" },
];

const TABLES: &str = "
    DROP TABLE IF EXISTS tristan_kv, tristan_list;
    CREATE TABLE tristan_kv (k BIGINT PRIMARY KEY, v BIGINT NOT NULL);
    CREATE TABLE tristan_list (k BIGINT PRIMARY KEY, v BIGINT[] NOT NULL)";

const FILL: &str = "INSERT INTO tristan_kv SELECT * FROM unnest($1::bigint[], $2::bigint[])";

/// The server's version, and whether it keeps commit timestamps.
const SETTINGS: &str = "
    SELECT current_setting('server_version'), current_setting('track_commit_timestamp', true)";

/// The collation of the database. Where it is kept depends on the version.
const COLLATION: &str = "
    SELECT coalesce(about->>'datlocale', about->>'daticulocale', about->>'datcollate')
    FROM (SELECT to_jsonb(d) AS about FROM pg_database d WHERE datname = current_database()) AS own";

/// When transactions committed, in microseconds; no row for those that did not.
const COMMIT_TIMES: &str = "
    SELECT number, (extract(epoch FROM moment) * 1000000)::bigint
    FROM (SELECT number, pg_xact_commit_timestamp((number % 4294967296)::text::xid) AS moment
          FROM unnest($1::bigint[]) AS number) AS times
    WHERE moment IS NOT NULL";

/// How many transactions are looked up at once.
const BATCH: usize = 10_000;

/// A PostgreSQL server.
struct Postgres {
    config: Config,
    patience: Duration,
    version: String,
    /// Whether transactions find out their numbers.
    hints: bool,
}

fn open(url: &Url) -> Result<Arc<dyn Database>, OpenError> {
    url.only_options(&["hints", "timeout"])?;
    let (patience, wanted) = (server::patience(url)?, server::hints(url)?);
    let config = config(url, patience);
    let link = Link::open(&config, patience)?;
    let settings = link.rows(SETTINGS, &[])?;
    let setting = |column| {
        let row = settings.first().map(|row| row.try_get::<_, Option<String>>(column));
        row.and_then(Result::ok).flatten().unwrap_or_default()
    };
    let version = setting(0).split(' ').next().unwrap_or_default().to_owned();
    let hints = wanted && setting(1) == "on";
    Ok(Arc::new(Postgres { config, patience, version, hints }))
}

fn config(url: &Url, patience: Duration) -> Config {
    let mut config = Config::new();
    config.host(url.host()).port(url.port().unwrap_or(PORT));
    config.user(url.user().unwrap_or("postgres"));
    config.connect_timeout(patience).application_name("tristan");
    if let Some(password) = url.password() {
        config.password(password);
    }
    if let Some(name) = url.path() {
        config.dbname(name);
    }
    config
}

impl Database for Postgres {
    fn describe(&self) -> String {
        format!("PostgreSQL {}", self.version)
    }

    fn levels(&self) -> &'static [DatabaseLevel] {
        LEVELS
    }

    fn offers(&self) -> Offers {
        Offers { deletes: true, ranges: true, lists: true, locks: true }
    }

    fn prepare(&self, initial: &[(i64, i64)]) -> Result<(), DatabaseError> {
        let link = Link::open(&self.config, self.patience)?;
        link.script(TABLES)?;
        let (keys, values): (Vec<i64>, Vec<i64>) = initial.iter().copied().unzip();
        link.rows(FILL, &[&keys, &values]).map(drop)
    }

    fn connect(&self, level: DatabaseLevel) -> Result<Box<dyn Connection>, DatabaseError> {
        let link = Link::open(&self.config, self.patience)?;
        Ok(Box::new(PgConnection::new(link, level, self.hints)?))
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::Postgres)
    }

    fn collation(&self) -> Option<String> {
        let link = Link::open(&self.config, self.patience).ok()?;
        link.rows(COLLATION, &[]).ok()?.first()?.try_get(0).ok()
    }

    fn snapshot(&self) -> Result<Snapshot, DatabaseError> {
        snapshot::snapshot(&Link::open(&self.config, self.patience)?)
    }

    fn furnish(&self, statements: &[String]) -> Result<(), DatabaseError> {
        let link = Link::open(&self.config, self.patience)?;
        link.script(&format!(
            "DROP SCHEMA IF EXISTS {PLACE} CASCADE; CREATE SCHEMA {PLACE}; SET search_path = {PLACE}"
        ))?;
        statements.iter().try_for_each(|statement| link.script(statement))?;
        link.script("ANALYZE")
    }

    fn converse(&self, level: DatabaseLevel) -> Result<Box<dyn Statements>, DatabaseError> {
        let link = Link::open(&self.config, self.patience)?;
        Ok(Box::new(PgStatements::new(link, level, self.hints)?))
    }

    fn commit_order(&self, tags: &[String]) -> Result<Vec<String>, DatabaseError> {
        if !self.hints {
            return Ok(Vec::new());
        }
        let numbers: Vec<i64> = tags.iter().filter_map(|tag| tag.parse().ok()).collect();
        let link = Link::open(&self.config, self.patience)?;
        let mut times: Vec<(i64, i64)> = Vec::with_capacity(numbers.len());
        for batch in numbers.chunks(BATCH) {
            let rows = link.rows(COMMIT_TIMES, &[&batch])?;
            times.extend(
                rows.iter().filter_map(|row| Some((row.try_get(1).ok()?, row.try_get(0).ok()?))),
            );
        }
        Ok(in_order(times))
    }
}

/// The numbers of transactions by the moments of their commits. Of those that committed in the same
/// microsecond, the order is unknown; they are left out.
fn in_order(mut times: Vec<(i64, i64)>) -> Vec<String> {
    times.sort_unstable();
    let alone = times.chunk_by(|one, next| one.0 == next.0).filter(|same| same.len() == 1);
    alone.flatten().map(|(_, number)| number.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_in_the_same_microsecond_have_no_order() {
        let times = vec![(30, 1), (10, 2), (20, 3), (20, 4), (40, 5)];
        assert_eq!(in_order(times), ["2", "1", "5"]);
        assert!(in_order(Vec::new()).is_empty());
    }

    #[test]
    fn an_odd_option_is_an_error() {
        let url: Url = "postgres://localhost/x?sslmode=disable".parse().expect("an address");
        assert!(matches!(open(&url), Err(OpenError::Url(_))));
    }
}
