//! A stage on a server is removed at the end. No other test may have a stage meanwhile.

use std::sync::PoisonError;
use std::time::Duration;

use crate::common::litmus::{STAGES, database};
use crate::common::server_at;
use tristan_record::litmus::{Stage, catalogue};
use tristan_record::sql::SqlDatabase;

/// How many places this process has in a database.
fn places(database: &dyn SqlDatabase, home: &str) -> usize {
    let mut client = database.connect(home).expect("a connection");
    let names = client.execute("SELECT schema_name FROM information_schema.schemata");
    let ours = format!("tristan_litmus_{}_", std::process::id());
    let is_ours = |name: &String| name.starts_with(&ours);
    let rows = names.expect("schemas").rows;
    rows.iter().flatten().flatten().filter(|name| is_ours(name)).count()
}

#[test]
fn the_stage_is_removed_at_the_end() {
    for (variable, home) in [("TRISTAN_POSTGRES", "public"), ("TRISTAN_MARIADB", "mysql")] {
        let Some(url) = server_at(variable) else { continue };
        let _alone = STAGES.write().unwrap_or_else(PoisonError::into_inner);
        let database = database(&url);
        let database = database.as_ref();
        let case = &catalogue().expect("cases")[0];
        for closed in [true, false] {
            let mut stage = Stage::new(database, Duration::ZERO).expect("a stage");
            stage.play(case, &database.levels()[0]).expect("it can be played");
            assert_eq!(places(database, home), 1, "{variable}");
            match closed {
                true => stage.close().expect("the stage can be removed"),
                false => drop(stage),
            }
            assert_eq!(places(database, home), 0, "{variable}, closed: {closed}");
        }
    }
}
