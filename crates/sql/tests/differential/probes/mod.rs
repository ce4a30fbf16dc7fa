//! Statements written by hand, one list for each rule that is easily got wrong.
//!
//! Each list is run from its first statement to its last, on the server and in memory, and every answer
//! must be the server's. What is not supported is in a list of its own: it must be refused.

mod arrays;
mod chars;
mod dates;
mod documents;
mod errors;
mod families;
mod ignored;
mod joined;
mod loose;
mod numbers;
mod patterns;
mod quotients;
mod rows;
mod seconds;
mod sets;
mod strings;
mod tables;
mod uuids;
mod windows;

use tristan_sql::Dialect;

use crate::differential::judge::{Judge, Tally, Verdict};
use crate::differential::server::{MariaDb, Postgres, Server};
use crate::differential::server_at;

/// Statements about one rule.
struct Probes {
    /// What has to be there first; tables are dropped before.
    tables: &'static [&'static str],
    setup: &'static [&'static str],
    /// Answered as the server answers.
    answered: &'static [&'static str],
    refused: &'static [&'static str],
}

/// Tells every probe that is answered in another way than it should be.
fn check(dialect: Dialect, server: &mut dyn Server, probes: &Probes) {
    let mut tally = Tally::default();
    for table in probes.tables {
        server.ask(&format!("DROP TABLE IF EXISTS {table}"));
    }
    let mut judge = Judge::new(dialect, server, &mut tally);
    for statement in probes.setup {
        judge.define(statement).expect("a definition");
    }
    let answered = probes.answered.iter().map(|text| (text, true));
    let refused = probes.refused.iter().map(|text| (text, false));
    let mut wrong = Vec::new();
    for (text, expected) in answered.chain(refused) {
        match (judge.probe(text), expected) {
            (Verdict::Agrees, true) | (Verdict::Refused(_), false) => {}
            (Verdict::Agrees, false) => wrong.push(format!("{text}\n  is answered, and rightly")),
            (Verdict::Refused(why), true) => wrong.push(format!("{text}\n  is refused: {why}")),
            (Verdict::Differs(how), _) => wrong.push(format!("{text}\n  {how}")),
        }
    }
    let count = probes.answered.len() + probes.refused.len();
    assert!(wrong.is_empty(), "{} of {count} probes:\n{}", wrong.len(), wrong.join("\n"));
}

fn check_mariadb(probes: &Probes) {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    check(Dialect::MariaDb, &mut MariaDb::new(&address), probes);
}

#[test]
fn queries_are_answered_as_in_mariadb() {
    check_mariadb(&loose::PROBES);
}

#[test]
fn rows_that_refer_to_nothing_are_ignored_as_in_mariadb() {
    check_mariadb(&ignored::PROBES);
}

fn check_postgres(probes: &Probes) {
    let Some(address) = server_at("TRISTAN_POSTGRES") else { return };
    check(Dialect::PostgreSql, &mut Postgres::new(&address), probes);
}

#[test]
fn arrays_and_json_are_as_in_postgresql() {
    check_postgres(&arrays::PROBES);
}

#[test]
fn chars_are_padded_as_in_postgresql() {
    check_postgres(&chars::PROBES);
}

#[test]
fn rows_as_values_and_system_catalogs_are_known_or_refused() {
    check_postgres(&rows::PROBES);
}

#[test]
fn dates_are_computed_as_in_postgresql() {
    check_postgres(&dates::PROBES);
}

#[test]
fn numbers_are_computed_as_in_postgresql() {
    check_postgres(&numbers::PROBES);
}

#[test]
fn patterns_match_as_in_postgresql() {
    check_postgres(&patterns::PROBES);
}

#[test]
fn strings_are_computed_as_in_postgresql() {
    check_postgres(&strings::PROBES);
}

#[test]
fn series_recursion_and_distinct_on_are_as_in_postgresql() {
    check_postgres(&tables::PROBES);
}

#[test]
fn grouping_sets_and_shown_series_are_as_in_postgresql() {
    check_postgres(&sets::PROBES);
}

#[test]
fn parts_of_documents_are_as_in_postgresql() {
    check_postgres(&documents::PROBES);
}

#[test]
fn newer_types_are_computed_as_in_postgresql() {
    let Some(address) = server_at("TRISTAN_POSTGRES") else { return };
    families::explore(&mut Postgres::new(&address));
}

#[test]
fn quotients_have_the_digits_of_mariadb() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    check(Dialect::MariaDb, &mut MariaDb::new(&address), &quotients::PROBES);
}

#[test]
fn errors_without_rows_are_those_of_postgresql() {
    check_postgres(&errors::POSTGRESQL);
}

#[test]
fn errors_in_joins_are_among_those_of_postgresql() {
    check_postgres(&joined::PROBES);
}

#[test]
fn errors_without_rows_are_those_of_mariadb() {
    check_mariadb(&errors::MARIADB);
}

#[test]
fn windows_are_computed_as_in_postgresql() {
    let Some(address) = server_at("TRISTAN_POSTGRES") else { return };
    windows::explore(Dialect::PostgreSql, &mut Postgres::new(&address));
}

#[test]
fn windows_are_computed_as_in_mariadb() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    windows::explore(Dialect::MariaDb, &mut MariaDb::new(&address));
}

#[test]
fn fractions_of_a_second_are_kept_as_in_mariadb() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    check(Dialect::MariaDb, &mut MariaDb::new(&address), &seconds::PROBES);
}

#[test]
fn uuids_are_kept_as_in_mariadb() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    check(Dialect::MariaDb, &mut MariaDb::new(&address), &uuids::PROBES);
}
