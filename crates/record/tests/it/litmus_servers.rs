//! The catalogue on servers: the whole table, cell by cell.
//!
//! `scripts/servers` starts them and sets the variables that are asked for here.

use std::sync::PoisonError;
use std::time::Duration;

use crate::common::litmus::{STAGES, database, expected, table};
use crate::common::server_at;
use tristan_record::DatabaseError;
use tristan_record::litmus::{Finding, Stage, catalogue};
use tristan_record::sql::{Dialect, LockWatch, SqlClient, SqlDatabase, SqlLevel};

//                        read-committed  repeatable-read  serializable
const POSTGRES: &str = "
    G0                    blocked         aborted          aborted
    G1a                   prevented       prevented        prevented
    G1b                   prevented       prevented        prevented
    G1c                   prevented       prevented        aborted
    OTV                   blocked         aborted          aborted
    PMP                   allowed         prevented        prevented
    PMP-write             allowed         aborted          aborted
    P4                    allowed         aborted          aborted
    G-single              allowed         prevented        prevented
    G-single-predicate    allowed         prevented        prevented
    G-single-write-1      prevented       aborted          aborted
    G-single-write-2      blocked         aborted          aborted
    long-fork             allowed         prevented        prevented
    read-only             allowed         allowed          aborted
    G2-item               allowed         allowed          aborted
    G2                    allowed         allowed          aborted
    own-update-newer      prevented       aborted          aborted
    own-update-phantom    prevented       prevented        prevented
    delete-unseen         prevented       prevented        prevented
    locking-read          prevented       aborted          aborted
    MDEV-26642            prevented       aborted          aborted
    MDEV-32898            prevented       prevented        prevented
    PK-twice              prevented       allowed          aborted
";

//                        read-uncommitted  read-committed  repeatable-read  serializable
const MARIADB: &str = "
    G0                    blocked           blocked         blocked          blocked
    G1a                   allowed           prevented       prevented        blocked
    G1b                   allowed           prevented       prevented        blocked
    G1c                   allowed           prevented       prevented        aborted
    OTV                   allowed           blocked         blocked          blocked
    PMP                   allowed           allowed         prevented        blocked
    PMP-write             blocked           blocked         allowed          blocked
    P4                    allowed           allowed         allowed          aborted
    G-single              allowed           allowed         prevented        blocked
    G-single-predicate    allowed           allowed         prevented        blocked
    G-single-write-1      prevented         prevented       allowed          aborted
    G-single-write-2      blocked           blocked         allowed          aborted
    long-fork             allowed           allowed         prevented        blocked
    read-only             allowed           allowed         allowed          aborted
    G2-item               allowed           allowed         allowed          aborted
    G2                    allowed           allowed         allowed          aborted
    own-update-newer      prevented         prevented       allowed          aborted
    own-update-phantom    prevented         prevented       allowed          blocked
    delete-unseen         prevented         prevented       allowed          blocked
    locking-read          prevented         prevented       allowed          aborted
    MDEV-26642            prevented         prevented       allowed          aborted
    MDEV-32898            prevented         prevented       allowed          blocked
    PK-twice              prevented         prevented       prevented        aborted
";

/// The server that a variable names, if there is one.
fn server(variable: &str) -> Option<Box<dyn SqlDatabase>> {
    server_at(variable).map(|url| database(&url))
}

#[test]
fn postgres_allows_what_is_known_of_it() {
    let Some(database) = server("TRISTAN_POSTGRES") else { return };
    assert!(database.describe().starts_with("PostgreSQL 1"), "{}", database.describe());
    assert!(database.watch().expect("an answer").is_some());
    assert_eq!(table(database.as_ref()), expected(POSTGRES));
}

#[test]
fn mariadb_allows_what_is_known_of_it() {
    let Some(database) = server("TRISTAN_MARIADB") else { return };
    assert!(database.describe().starts_with("MariaDB 10."), "{}", database.describe());
    assert!(database.watch().expect("an answer").is_some());
    assert_eq!(table(database.as_ref()), expected(MARIADB));
}

/// A database that does not tell who waits.
struct Secretive(Box<dyn SqlDatabase>);

impl SqlDatabase for Secretive {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn dialect(&self) -> Dialect {
        self.0.dialect()
    }

    fn levels(&self) -> &[SqlLevel] {
        self.0.levels()
    }

    fn create(&self, place: &str) -> Result<(), DatabaseError> {
        self.0.create(place)
    }

    fn remove(&self, place: &str) -> Result<(), DatabaseError> {
        self.0.remove(place)
    }

    fn connect(&self, place: &str) -> Result<Box<dyn SqlClient>, DatabaseError> {
        self.0.connect(place)
    }

    fn watch(&self) -> Result<Option<Box<dyn LockWatch>>, DatabaseError> {
        Ok(None)
    }
}

#[test]
fn patience_helps_where_nobody_tells_who_waits() {
    for variable in ["TRISTAN_POSTGRES", "TRISTAN_MARIADB"] {
        let Some(database) = server(variable) else { continue };
        let database = Secretive(database);
        let cases = catalogue().expect("cases");
        let _shared = STAGES.read().unwrap_or_else(PoisonError::into_inner);
        // A statement that waits for nothing is answered within this time, however busy the machine.
        let mut stage = Stage::new(&database, Duration::from_secs(5)).expect("a stage");
        assert!(!stage.is_watched());
        let mut find = |name: &str, level: &str| {
            let case = cases.iter().find(|case| case.name == name).expect("a case");
            let levels = database.levels().iter();
            let level = levels.clone().find(|one| one.level.name == level).expect("a level");
            stage.play(case, level).expect("it can be played").finding
        };
        assert_eq!(find("G0", "read-committed"), Finding::Blocked, "{variable}");
        assert_eq!(find("P4", "serializable"), Finding::Aborted, "{variable}");
        assert_eq!(find("G1a", "read-committed"), Finding::Prevented, "{variable}");
    }
}
