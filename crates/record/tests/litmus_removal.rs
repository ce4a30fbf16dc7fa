//! A stage on a server is removed at the end. This needs a process of its own: nobody else may have
//! a stage meanwhile.

#![allow(dead_code, reason = "only a part of what tests share is used here")]

mod litmus_common;

use std::env;
use std::time::Duration;

use litmus_common::database;
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
        let Ok(url) = env::var(variable) else {
            println!("{variable} is not set: nothing is tried");
            continue;
        };
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
