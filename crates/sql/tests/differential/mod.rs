//! Random transactions of one session give what the server gives: the same rows, counts and errors.
//!
//! Needs `scripts/servers run cargo test`; without a server there is nothing to see. How many
//! transactions are tried is in `TRISTAN_SQL_CASES`, where to begin in `TRISTAN_SQL_SEED`, and after how
//! many differences to stop in `TRISTAN_SQL_DIFFERENCES`. A difference is told with its seed, all
//! statements before it, the one that differs, what the server says, and what we say.

#![allow(clippy::print_stdout, clippy::panic, reason = "a test that tells what it tried")]

mod alterations;
mod collations;
mod copying;
pub(crate) mod counters;
mod coverage;
mod definitions;
mod expressions;
mod extras;
mod judge;
mod kinds;
mod loose;
mod names;
mod newer_loose;
mod newer_strict;
mod newer_writes;
pub(crate) mod odometer;
mod probes;
mod promises;
mod queries;
mod routines;
mod schema;
mod server;
mod shapes;
mod templates;
mod transactions;
mod writes;

use judge::Judge;
use schema::Schema;
use server::{MariaDb, Postgres, Server};
use tristan_sql::Dialect;
use tristan_testkit::{Random, server_at};

/// Transactions on one schema.
const PER_SCHEMA: u64 = 20;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn postgresql_gives_the_same() {
    let Some(address) = server_at("TRISTAN_POSTGRES") else { return };
    explore(Dialect::PostgreSql, &mut Postgres::new(&address));
}

#[test]
fn mariadb_gives_the_same() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    explore(Dialect::MariaDb, &mut MariaDb::new(&address));
}

/// Tries transactions until there were enough, and tells all differences.
fn explore(dialect: Dialect, server: &mut dyn Server) {
    let cases = number("TRISTAN_SQL_CASES", 1000);
    let patience = number("TRISTAN_SQL_DIFFERENCES", 10);
    let first = number("TRISTAN_SQL_SEED", 1);
    let mut differences = Vec::new();
    let mut tried = 0;
    let mut seed = first;
    let mut tally = judge::Tally::default();
    while tried < cases && (differences.len() as u64) < patience {
        let mut random = Random::new(seed);
        let schema = Schema::random(&mut random, dialect);
        let mut judge = Judge::new(dialect, server, &mut tally);
        match judge.explore(schema, &mut random, PER_SCHEMA) {
            Ok(ran) => tried += ran,
            Err(difference) => {
                println!("{dialect:?}: seed {seed} gives a difference");
                differences.push(format!("seed {seed}: {difference}"));
            }
        }
        seed += 1;
    }
    println!("{dialect:?}: {tried} transactions, seeds {first} to {}: {tally:?}", seed - 1);
    println!("  with {coverage}", coverage = tally.coverage);
    assert!(differences.is_empty(), "\n{}", differences.join("\n\n"));
    assert!(tally.unsupported * 20 <= tally.statements, "too much is not supported: {tally:?}");
    assert!(tally.undecided * 1000 <= tally.statements, "too much is left undecided: {tally:?}");
    assert!(tally.given_up * 1000 <= tally.statements, "too many rows cannot be copied: {tally:?}");
    let missing = tally.coverage.missing(cases / 500);
    assert!(missing.is_empty(), "hardly ever tried: {missing:?}");
}
