//! Functions of MariaDB, over random values: each gives what the server gives, or is refused.
//!
//! A case is a template with gaps, such as `LOCATE({t}, {t})`, whose gaps are filled with literals or columns.
//! `TRISTAN_SQL_CASES` says how many cases there are, `TRISTAN_SQL_SEED` where to begin, and `TRISTAN_SQL_ONLY`
//! selects templates by a part of their text.

use std::collections::BTreeMap;

use tristan_sql::{Dialect, ErrorClass, Memory};
use tristan_testkit::{Random, server_at};

use super::number;
use super::server::{MariaDb, Reply, Server};
use super::templates::{COLUMNS, TEMPLATES, filled, row};

/// How often a template was answered, and how often it was refused.
#[derive(Debug, Default)]
struct Tally {
    answered: u64,
    differing: u64,
    refused: BTreeMap<String, u64>,
}

#[test]
fn functions_give_what_mariadb_gives() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    let mut server = MariaDb::new(&address);
    server.ask("SET NAMES utf8mb4 COLLATE utf8mb4_general_ci");
    server.ask("SET time_zone = '+00:00'");
    let mut database = Memory::new(Dialect::MariaDb);
    database.collate(tristan_sql::Collation::General { padded: true });
    database.set_utc();
    let create = format!("CREATE TABLE probe ({COLUMNS}) COLLATE utf8mb4_general_ci");
    server.ask("DROP TABLE IF EXISTS probe");
    assert!(matches!(server.ask(&create), Reply::Done { .. }), "{create}");
    database.run(&create).expect(&create);
    let only = std::env::var("TRISTAN_SQL_ONLY").unwrap_or_default();
    let templates: Vec<&str> =
        TEMPLATES.iter().copied().filter(|template| template.contains(&only)).collect();
    let mut random = Random::new(number("TRISTAN_SQL_SEED", 1));
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut differences = Vec::new();
    for case in 0..number("TRISTAN_SQL_CASES", 1000) * 3 {
        if case % 20 == 0 {
            for statement in ["DELETE FROM probe".to_owned(), row(&mut random)] {
                let reply = server.ask(&statement);
                assert!(matches!(reply, Reply::Done { .. }), "{statement}: {reply:?}");
                let ours = database.run(&statement).expect(&statement);
                assert!(ours.answer.is_ok(), "{statement}");
            }
        }
        let template = templates[random.below(templates.len() as u64) as usize];
        let query = format!("SELECT {} FROM probe", filled(template, &mut random));
        let tally = tallies.entry(template).or_default();
        match judged(&mut server, &mut database, &query) {
            Ok(None) => tally.answered += 1,
            Ok(Some(reason)) => *tally.refused.entry(reason).or_default() += 1,
            Err(difference) => {
                tally.differing += 1;
                if tally.differing <= 3 {
                    differences.push(difference);
                }
            }
        }
    }
    for (template, tally) in &tallies {
        let refused: u64 = tally.refused.values().sum();
        let most = tally.refused.iter().max_by_key(|(_, count)| **count);
        println!("{template}: {} answered, {refused} refused {most:?}", tally.answered);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Why a query is refused, if it is; a difference is an error.
fn judged(
    server: &mut MariaDb,
    database: &mut Memory,
    query: &str,
) -> Result<Option<String>, String> {
    let outcome = match database.run(query) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(Some(error.to_string().chars().take(70).collect())),
    };
    let reply = server.ask(query);
    let differs = |ours: String| Err(format!("{query}\n  server: {reply:?}\n  ours: {ours}"));
    match (&outcome.answer, &reply) {
        (Err(_), Reply::Error { .. }) => Ok(None),
        (Ok(answer), Reply::Done { rows, .. }) => match answer.explains(rows) {
            true => Ok(None),
            false => differs(format!("{:?}", answer.rows)),
        },
        // Whether the server computes a part of an expression that decides nothing is its own choice.
        (Ok(_), Reply::Error { code, .. }) if code == "1690" => Ok(Some("overflow".to_owned())),
        (Err(error), Reply::Done { .. }) if error.class == ErrorClass::OutOfRange => {
            Ok(Some("overflow".to_owned()))
        }
        (answer, _) => differs(format!("{answer:?}")),
    }
}
