//! Random definitions between random changes: foreign keys with actions, views, tables that are altered.
//!
//! Every table and view is compared after every step. Errors of foreign keys are not ours to find, and an ALTER
//! that the server refuses is not tried: a log shows that it was refused.

use tristan_sql::Dialect;

use crate::differential::judge::{Judge, Tally, Verdict};
use crate::differential::number;
use crate::differential::server::{MariaDb, Postgres, Server};
use tristan_testkit::{Random, server_at};

/// Steps on one schema.
const STEPS: u64 = 14;

#[test]
fn definitions_do_what_they_do_in_postgresql() {
    let Some(address) = server_at("TRISTAN_POSTGRES") else { return };
    explore(Dialect::PostgreSql, &mut Postgres::new(&address));
}

#[test]
fn definitions_do_what_they_do_in_mariadb() {
    let Some(address) = server_at("TRISTAN_MARIADB") else { return };
    explore(Dialect::MariaDb, &mut MariaDb::new(&address));
}

fn explore(dialect: Dialect, server: &mut dyn Server) {
    let cases = number("TRISTAN_SQL_CASES", 1000) / STEPS;
    let first = number("TRISTAN_SQL_SEED", 1);
    let (mut wrong, mut counts) = (Vec::new(), Counts::default());
    for seed in first..first + cases.max(1) {
        let mut random = Random::new(seed);
        let mut tally = Tally::default();
        for old in [
            "VIEW IF EXISTS w",
            "VIEW IF EXISTS v",
            "TABLE IF EXISTS g",
            "TABLE IF EXISTS c",
            "TABLE IF EXISTS p",
            "TABLE IF EXISTS s",
        ] {
            server.ask(&format!("DROP {old}"));
        }
        let mut case = Case {
            random: &mut random,
            strict: dialect == Dialect::PostgreSql,
            judge: Judge::new(dialect, server, &mut tally),
            told: Vec::new(),
            counts: &mut counts,
        };
        if let Err(problem) = case.run() {
            wrong.push(format!("seed {seed}: {};\n  {problem}", case.told.join(";\n")));
        }
    }
    println!("{dialect:?}: {cases} schemas with definitions, {counts:?}");
    let shown = &wrong[..wrong.len().min(5)];
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), shown.join("\n\n"));
    assert!(counts.refused * 4 < counts.steps, "too much is not supported: {counts:?}");
    assert!(counts.altered * 8 > counts.steps, "hardly anything is altered: {counts:?}");
}

#[derive(Debug, Default)]
struct Counts {
    steps: u64,
    altered: u64,
    changed: u64,
    refused: u64,
    /// Errors of foreign keys, and definitions that the server did not make.
    forbidden: u64,
}

struct Case<'a, 'b> {
    random: &'a mut Random,
    strict: bool,
    judge: Judge<'b>,
    told: Vec<String>,
    counts: &'a mut Counts,
}

impl Case<'_, '_> {
    fn run(&mut self) -> Result<(), String> {
        for create in self.schema() {
            self.define(&create)?;
        }
        for fill in [
            "INSERT INTO p VALUES (1, 1, 1), (2, 2, 2), (3, NULL, 3), (4, 4, NULL)",
            "INSERT INTO c VALUES (1, 1, 1), (2, 1, 2), (3, 2, 3), (4, NULL, 4), (5, 4, NULL)",
            "INSERT INTO g VALUES (1, 1, 1), (2, 3, 2), (3, 3, 3), (4, 5, 4)",
            "INSERT INTO s VALUES (1, NULL), (2, 1), (3, 2), (4, 1), (5, 5)",
        ] {
            self.change(fill)?;
        }
        for step in 0..STEPS {
            self.counts.steps += 1;
            let goes_on = match self.random.once_in(2) {
                true => {
                    let alter = self.alter(step);
                    self.define(&alter)?
                }
                false => {
                    let change = self.any_change();
                    self.change(&change)?
                }
            };
            if !goes_on {
                self.counts.refused += 1;
                return Ok(());
            }
            for table in ["p", "c", "g", "s", "v", "w"] {
                let query = format!("SELECT * FROM {table}");
                if let Verdict::Differs(how) = self.judge.probe(&query) {
                    return Err(format!("{query}\n  {how}"));
                }
            }
        }
        Ok(())
    }

    /// Defines something on both sides. Says whether both sides are the same then.
    fn define(&mut self, sql: &str) -> Result<bool, String> {
        self.told.push(sql.to_owned());
        match self.judge.define(sql) {
            Ok(()) => {
                self.counts.altered += 1;
                Ok(true)
            }
            Err(error) if error.starts_with(&format!("{sql}: ")) => {
                self.counts.forbidden += 1;
                self.told.pop();
                Ok(true)
            }
            Err(error) if error.contains("not supported") => Ok(false),
            Err(error) => Err(error.lines().last().unwrap_or_default().to_owned()),
        }
    }

    /// Changes rows on both sides. Says whether both sides are the same then.
    fn change(&mut self, sql: &str) -> Result<bool, String> {
        self.told.push(sql.to_owned());
        let foreign = ["\"23503\"", "\"23001\"", "\"1451\"", "\"1452\""];
        match self.judge.probe(sql) {
            Verdict::Agrees => {
                self.counts.changed += 1;
                Ok(true)
            }
            Verdict::Refused(_) => Ok(false),
            Verdict::Differs(how) if foreign.iter().any(|code| how.contains(code)) => {
                self.counts.forbidden += 1;
                self.told.pop();
                Ok(true)
            }
            Verdict::Differs(how) => Err(how),
        }
    }

    fn schema(&mut self) -> Vec<String> {
        let unique = self.random.word(&["", " UNIQUE"]);
        let (first, second, third) = (self.actions(), self.actions(), self.actions());
        let default = self.random.word(&["", " DEFAULT 2"]);
        vec![
            format!("CREATE TABLE p (id INT PRIMARY KEY, u INT{unique}, n INT DEFAULT 3)"),
            format!("CREATE TABLE c (id INT PRIMARY KEY, p INT{default}, n INT, FOREIGN KEY (p) REFERENCES p (id){first})"),
            format!("CREATE TABLE g (id INT PRIMARY KEY, c INT, n INT, FOREIGN KEY (c) REFERENCES c (id){second})"),
            format!("CREATE TABLE s (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES s (id){third})"),
            "CREATE VIEW v AS SELECT id, n AS m FROM g WHERE n > 1".to_owned(),
            "CREATE VIEW w (a, k, m) AS SELECT p.id, COUNT(c.id), (SELECT MAX(m) FROM v) FROM p LEFT JOIN c ON c.p = p.id GROUP BY p.id".to_owned(),
        ]
    }

    fn actions(&mut self) -> String {
        let mut actions = String::new();
        for moment in [" ON DELETE ", " ON UPDATE "] {
            let action = self.random.word(&[
                "",
                "CASCADE",
                "CASCADE",
                "SET NULL",
                "SET NULL",
                "RESTRICT",
                "SET DEFAULT",
            ]);
            if !action.is_empty() && (self.strict || action != "SET DEFAULT") {
                actions += &format!("{moment}{action}");
            }
        }
        actions
    }

    fn any_change(&mut self) -> String {
        let table = self.random.word(&["p", "p", "c", "g", "s"]);
        let (one, other) = (self.random.below(7), self.random.below(7));
        let given = if table == "s" { "id, up" } else { "id, n" };
        match self.random.below(8) {
            0 => format!("INSERT INTO {table} ({given}) VALUES ({one}, {other})"),
            1 => format!("INSERT INTO c (id, p) VALUES ({one}, {other})"),
            2 | 3 => format!("DELETE FROM {table} WHERE id = {one}"),
            4 => format!("DELETE FROM {table} WHERE id > {one}"),
            5 => format!("UPDATE {table} SET id = {other} WHERE id = {one}"),
            6 => format!("UPDATE {table} SET n = id - {other}"),
            _ => format!("UPDATE p SET u = {other}, id = id + 7 WHERE id > {one}"),
        }
    }

    fn alter(&mut self, step: u64) -> String {
        let table = self.random.word(&["p", "c", "g", "g"]);
        let column = self.random.word(&["n", "n", "u", "z1", "z3", "z5"]);
        let earlier = self.random.below(8);
        let more = match self.random.below(if self.strict { 19 } else { 13 }) {
            0 => format!("ADD COLUMN z{step} INT"),
            1 => format!("ADD COLUMN z{step} INT NOT NULL DEFAULT 4"),
            2 => format!("ADD COLUMN z{step} INT GENERATED ALWAYS AS (id + 1) STORED"),
            3 => format!("DROP COLUMN {column}"),
            4 => format!("RENAME COLUMN {column} TO z{step}"),
            5 => format!("ADD CONSTRAINT k{step} UNIQUE ({column})"),
            6 => format!("ADD CONSTRAINT q{step} CHECK ({column} < 5)"),
            7 => format!("DROP CONSTRAINT {}{earlier}", self.random.word(&["k", "q"])),
            8 => return format!("CREATE UNIQUE INDEX i{step} ON {table} ({column})"),
            9 if self.strict => return format!("DROP INDEX i{earlier}"),
            9 => return format!("DROP INDEX i{earlier} ON {table}"),
            10 => format!("ALTER COLUMN {column} SET DEFAULT {earlier}"),
            11 => format!("ADD COLUMN z{step} INT DEFAULT 5, DROP COLUMN {column}"),
            12 => return format!("CREATE OR REPLACE VIEW v AS SELECT id, {earlier} AS m FROM g"),
            13 => format!(
                "ALTER COLUMN {column} TYPE {}",
                self.random.word(&["BIGINT", "NUMERIC(6,1)", "SMALLINT"])
            ),
            14 => format!("ALTER COLUMN {column} TYPE TEXT USING {column} || 'x'"),
            15 => format!("ALTER COLUMN {column} SET NOT NULL"),
            16 => format!("ALTER COLUMN {column} DROP NOT NULL"),
            17 => format!("DROP COLUMN IF EXISTS {column} CASCADE"),
            _ => return format!("CREATE UNIQUE INDEX i{step} ON {table} ({column}) WHERE id > 2"),
        };
        format!("ALTER TABLE {table} {more}")
    }
}
